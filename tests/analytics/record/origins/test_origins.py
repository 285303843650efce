"""Copies: rows that are one number, on rows as they stand in the record."""

import polars as pl
import pytest

from benchhealth.analytics.record.frames import LINEAGE, MEASURER
from benchhealth.analytics.record.origins.origins import ORIGIN, origins
from tests.support.frames import Row, frame, result

LINES = pl.DataFrame(
    [
        ("epoch-hub/*", "epoch/*", None, None, "feed", "", ""),
        ("epoch/*", "epoch/*", None, None, "own", "", ""),
    ],
    schema=LINEAGE,
    orient="row",
)
MEASURERS = pl.DataFrame(
    [
        ("epoch/*", None, "epoch", None, None, None, "", ""),
        ("epoch-hub/*", None, "epoch", None, None, None, "", ""),
        *((f"{source}/gsm8k", None, None, None, None, None, "", "") for source in ("epoch", "epoch-hub")),
        ("epoch-hub/arc-agi-2", None, "arc-prize", None, None, None, "", ""),
        *(
            (f"{source}/*", None, None, None, None, None, "", "")
            for source in ("llm-stats", "model-cards", "milestones")
        ),
    ],
    schema=MEASURER,
    orient="row",
)


def with_origins(*rows: Row) -> pl.DataFrame:
    return origins(frame("result", rows), LINES, MEASURERS)


def passed_on(source_id: str, benchmark_id: str, model_id: str, score: float, setting: str = "", **more: object) -> Row:
    return result(benchmark_id, model_id, score, source_id=source_id, setting=setting, **more)


def reported_by_maker(
    source_id: str, benchmark_id: str, model_id: str, score: float, setting: str = "", **more: object
) -> Row:
    return passed_on(source_id, benchmark_id, model_id, score, setting, reporter="self", **more)


def test_one_lineage_counts_once() -> None:
    rows = [
        passed_on(source, "gpqa-diamond", "o1", score) for source, score in (("epoch", 0.758), ("epoch-hub", 0.757576))
    ]
    both = with_origins(*rows)
    assert both["basis"].to_list() == ["lineage", "original"]
    assert both["counts"].to_list() == [False, True]
    assert both["origin"].n_unique() == 1
    assert both["independent"].all()


def test_what_the_leading_address_says_otherwise_was_corrected() -> None:
    model = ("gpqa-diamond", "claude-3-7-sonnet-20250219")
    rows = [passed_on("epoch", *model, 0.797, "thinking 64k"), passed_on("epoch-hub", *model, 0.785038, "thinking 64k")]
    both = with_origins(*rows)
    assert both["basis"].to_list() == ["corrected", "original"]
    assert both["counts"].to_list() == [False, True]


def test_a_third_partys_number_that_equals_the_makers_is_quoted() -> None:
    rows = [
        reported_by_maker("epoch-hub", "gsm8k", "llama-2-7b", 0.146, "8-shot"),
        passed_on("epoch-hub", "gsm8k", "llama-2-7b", 0.146),
    ]
    both = with_origins(*rows)
    assert both["quoted"].to_list() == [False, True]
    assert both["counts"].to_list() == [True, False]
    assert not both["independent"].any()
    assert both["origin_reporter"].to_list() == ["self", "self"]


def test_a_maker_that_repeats_a_boards_number_quotes_the_board() -> None:
    """GPT-5.2 on ARC-AGI-2: 52.9 as its maker has it, 52.91 as ARC Prize measured it."""
    rows = [
        reported_by_maker("llm-stats", "arc-agi-2", "gpt-5.2-2025-12-11", 0.529),
        passed_on("epoch-hub", "arc-agi-2", "gpt-5.2-2025-12-11", 0.5291, "xhigh effort", condition="semi-private"),
    ]
    both = with_origins(*rows)
    assert both["independent"].all()
    assert both["counts"].to_list() == [False, True]
    assert both["measured_by"].to_list() == ["arc-prize", "arc-prize"]


def test_two_files_of_one_source_that_collects_are_one_number() -> None:
    rows = [
        reported_by_maker("llm-stats", "gsm8k", "o1-2024-12-17", 0.971),
        reported_by_maker("llm-stats", "gsm8k", "o1-2024-12-17", 0.971, "pass@1", snapshot_id="crawl"),
    ]
    both = with_origins(*rows)
    assert both["counts"].to_list() == [False, True]


def test_two_runs_of_one_board_are_two_numbers() -> None:
    model = ("gpqa-diamond", "claude-3-7-sonnet-20250219", 0.767677)
    both = with_origins(*(passed_on("epoch-hub", *model, setting) for setting in ("thinking 16k", "thinking 32k")))
    assert both["counts"].all()
    assert both["origin"].n_unique() == len(both)


def test_two_houses_that_measure_may_find_the_same() -> None:
    both = with_origins(
        *(passed_on(source, "imagenet", "resnet50", 0.76132) for source in ("timm", "imagenet-testbed"))
    )
    assert both["counts"].all()


def test_numbers_of_other_conditions_are_others() -> None:
    rows = [reported_by_maker("llm-stats", "hle", "m", 0.254, "no tools", condition="no tools")]
    rows.append(reported_by_maker("model-cards", "hle", "m", 0.254, "with tools", condition="tools"))
    assert with_origins(*rows)["counts"].all()


@pytest.mark.parametrize(
    ("one", "other", "is_one"),
    [
        (0.871, 0.87149, True),
        (0.871, 0.8716, False),
        (0.871, 0.872, False),
        (0.92, 0.9204, False),
        (0.92, 0.92, True),
        (0.5, 0.5, False),
    ],
)
def test_digits_decide(one: float, other: float, is_one: bool) -> None:
    """Two digits are enough only where they are the same two, one never is."""
    both = with_origins(
        reported_by_maker("llm-stats", "hle", "m", one), reported_by_maker("model-cards", "hle", "m", other)
    )
    assert both["origin"].n_unique() == (1 if is_one else 2)


def test_no_rows_have_no_origins() -> None:
    assert with_origins().schema == ORIGIN
