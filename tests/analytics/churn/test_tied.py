"""How many may be first with independent errors and with like ones, where no outcomes by item are known."""

from datetime import date, datetime

import numpy as np
import polars as pl
import pytest

from benchhealth.analytics.churn.rank import ranks, tied_first
from benchhealth.analytics.record.boards import boards
from benchhealth.analytics.record.by_item.item_results import item_results
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED, empty
from benchhealth.dashboard.words.boards.first_place import ties
from tests.support.frames import Row, benchmark, frames, result, with_items

LIKE = pl.DataFrame(
    [
        {"benchmark_id": name, "source_id": "lab", "n_items": 400, "correlation": correlation}
        for name, correlation in (("less", 0.4), ("most", 0.75))
    ],
    schema=PUBLISHED["design_effect"],
)
SIX_POINTS_BEHIND = 0.84
"""Of 500 items: 2.8 errors of a difference of independent scores below 0.90, twice that at a correlation of 0.75."""


def board(**more: object) -> list[Row]:
    scores = {"first": 0.90, "near": 0.89, "behind": SIX_POINTS_BEHIND, "last": 0.4}
    return [result("exam", name, score, n_items=500, **more) for name, score in scores.items()]


def tied(facts: Frames, measured: pl.DataFrame = LIKE) -> pl.DataFrame:
    return tied_first(boards(facts), measured, item_results(facts))


def test_like_errors_part_what_independent_ones_leave_together() -> None:
    older = board(observed_on=date(2025, 1, 1))
    facts = frames([*older, *board()])
    row = tied(facts).row(0, named=True)
    assert (row["n_models"], row["tied_independent"], row["tied_correlated"]) == (4, 2, 2)
    close = [result("exam", name, 0.86 + 0.005 * place, n_items=500) for place, name in enumerate("abcdefgh")]
    row = tied(frames(close)).row(0, named=True)
    assert row["tied_independent"] == 8 > row["tied_correlated"]
    assert (row["correlation"], row["measured_on"], row["observed_at"]) == (0.75, "most", datetime(2026, 1, 1))


def test_the_number_with_independent_errors_is_that_of_the_ranks() -> None:
    rng = np.random.default_rng(3)
    facts = frames(
        [result("exam", f"m{index}", score, n_items=300) for index, score in enumerate(rng.uniform(0.6, 0.8, 20))]
    )
    ranked = ranks(boards(facts), item_results(facts))
    assert tied(facts)["tied_independent"].item() == (ranked["rank_low_joint"] == 1).sum()


@pytest.mark.parametrize("errors", [{"std_error": 0.01}, {"n_items": None}])
def test_nothing_is_said_where_errors_are_not_binomial(errors: dict[str, object]) -> None:
    rows = [{**row, **errors} for row in board()]
    assert tied(frames(rows, [benchmark("exam")])).is_empty()


def test_nothing_is_said_where_items_are_known_or_nothing_was_measured() -> None:
    outcomes = {"exam:a": [1.0, 0.0, 1.0, 1.0], "exam:b": [1.0, 0.0, 0.0, 1.0]}
    rows = [result("exam", name.removeprefix("exam:"), np.mean(of), n_items=4) for name, of in outcomes.items()]
    by_item = with_items(frames(rows), outcomes)
    assert tied(by_item).is_empty()
    assert tied(frames(board()), empty("design_effect")).is_empty()
    assert tied(frames()).schema == PUBLISHED["tied_first"]


def test_the_sentence_gives_both_and_names_where_the_correlation_was_measured() -> None:
    row = {"n_models": 88, "tied_independent": 7, "tied_correlated": 3, "correlation": 0.578, "measured_items": 400}
    sentence = ties(row, "LiveCodeBench")
    assert "If they are independent, 7 of 88 models are tied for first" in sentence
    assert "correlate by 0.58" in sentence and "(LiveCodeBench, 400 items), 3." in sentence
