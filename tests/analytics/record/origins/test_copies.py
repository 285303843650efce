"""The table of copies, and what counts once of it."""

from dataclasses import replace
from datetime import date

import polars as pl

from benchhealth.analytics.graph import ENTRIES
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.origins.copies import copies
from benchhealth.analytics.schedule import run
from tests.analytics.record.origins.test_origins import LINES, MEASURERS, passed_on, reported_by_maker
from tests.support.frames import Row, benchmark, frames

AS_OF = date(2026, 6, 1)


def held(*rows: Row, unit: str = "percent") -> Frames:
    named = sorted({str(row["benchmark_id"]) for row in rows})
    facts = frames(rows, [benchmark(name, unit=unit) for name in named])
    return replace(facts, lineage=LINES, measurer=MEASURERS)


def leaderboard(facts: Frames) -> pl.DataFrame:
    table: pl.DataFrame = run(ENTRIES, {"frames": facts, "as_of": AS_OF}, ("leaderboard",))["leaderboard"]
    return table


def past(facts: Frames) -> pl.DataFrame:
    table: pl.LazyFrame = run(ENTRIES, {"frames": facts, "as_of": AS_OF}, ("history",))["history"]
    return table.collect()


QUOTED = (
    reported_by_maker("epoch-hub", "gsm8k", "llama-2-7b", 0.146, "8-shot"),
    passed_on("epoch-hub", "gsm8k", "llama-2-7b", 0.146),
)


def test_the_table_has_what_is_printed_more_than_once() -> None:
    table = copies(held(*QUOTED, passed_on("epoch-hub", "gsm8k", "llama-2-70b", 0.568)))
    assert table.select("model_id", "setting", "counts", "quoted").rows() == [
        ("llama-2-7b", "", False, True),
        ("llama-2-7b", "8-shot", True, False),
    ]


def test_a_number_counts_once_in_what_follows() -> None:
    assert past(held(*QUOTED)).select("setting", "reporter").rows() == [("8-shot", "self")]


def test_what_counts_has_the_reporter_of_its_original() -> None:
    """The older address says that the maker reports it, the leading one does not: it is the maker's."""
    model = ("gsm8k", "glam-64b", 0.866)
    past_rows = past(
        held(
            reported_by_maker("epoch", *model, "few-shot"), passed_on("epoch-hub", *model, "few-shot", condition="few")
        )
    )
    assert past_rows["reporter"].to_list() == ["self"]


def test_what_counts_has_a_day_if_a_copy_has_one() -> None:
    row = ("gsm8k", "o1", 0.971)
    undated = {"dated_on": None, "date_basis": "snapshot"}
    rows = [
        reported_by_maker("llm-stats", *row, dated_on=date(2025, 3, 1)),
        reported_by_maker("model-cards", *row, "pass@1", **undated),
    ]
    past_rows = past(held(*rows))
    assert past_rows.select("source_id", "dated_on").rows() == [("model-cards", date(2025, 3, 1))]


def test_ratings_are_no_copies() -> None:
    """A rating moves as its board does: two of one model that agree are of two days."""
    assert copies(held(*QUOTED, unit="rating")).is_empty()


def test_without_copies_nothing_is_left_out() -> None:
    rows = [passed_on("lab", "exam", f"m{index}", 0.5 + index / 10) for index in range(3)]
    assert leaderboard(held(*rows))["model_id"].to_list() == ["m2", "m1", "m0"]
