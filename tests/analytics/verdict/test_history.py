"""The one history of stages: its stretches, what is taken back, what has no beginning, that it never looks ahead."""

from datetime import date, timedelta

import polars as pl
import pytest

from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.verdict.history import BY_DATE, REMEMBERED, UNDATED, UNDATED_DECIDES, WITHOUT_BEGINNING
from tests.support.frames import Row, benchmark, frames, result
from tests.support.histories import BenchmarkHistories, histories_of

AS_OF = date(2026, 1, 1)
RELEASE = date(2022, 1, 1)
RELEASED = [benchmark("a", released_on=RELEASE)]


def wave(on: date, top: float, n_items: int = 50_000, **more: object) -> list[Row]:
    """Six models on a day, up to the score and a point apart."""
    rows = [result("a", f"{on}-{index}", top - 0.01 * index, n_items=n_items, dated_on=on) for index in range(6)]
    return [{**row, **more} for row in rows]


OPEN, FULL, MORE = date(2023, 3, 5), date(2024, 6, 9), date(2025, 2, 2)


def history(rows: list[Row], benchmarks: list[Row] = RELEASED) -> BenchmarkHistories:
    return histories_of(frames(rows, benchmarks), AS_OF)


def stretches(history_of: BenchmarkHistories, *columns: str) -> list[tuple[object, ...]]:
    return history_of.history.select("from_on", "until_on", "stage", *columns).rows()


def test_a_row_for_each_stretch_from_the_release_to_now() -> None:
    told_history = history([*wave(OPEN, 0.5), *wave(FULL, 0.99)])
    assert stretches(told_history, "how", "best", "best_end") == [
        (RELEASE, OPEN, "unknown", "released", None, None),
        (OPEN, FULL, "discriminating", "first_day", 0.5, 0.5),
        (FULL, None, "saturated", "crossed", 0.99, 0.99),
    ]
    assert told_history.history.schema == PUBLISHED["verdict_history"]
    assert set(told_history.history["basis"]) == {BY_DATE}
    assert told_history.history["p"].null_count() == told_history.history.height
    last = told_history.history.row(-1, named=True)
    assert (last["best_model"], last["condition"], last["case"]) == (f"{FULL}-0", "as reported", "exhausted")
    assert last["headroom"] == pytest.approx(0.01)


def test_a_stretch_begins_on_the_day_on_which_time_alone_makes_it() -> None:
    """Old enough, or with few models and no result for a year: at a month's end without any result."""
    few = [result("a", f"m{index}", 0.5, dated_on=date(2022, 2, 1), n_items=900) for index in range(3)]
    lapsed = date(2022, 2, 1) + timedelta(days=366)
    assert stretches(history(few)) == [
        (RELEASE, date(2022, 2, 1), "unknown"),
        (date(2022, 2, 1), lapsed, "emerging"),
        (lapsed, None, "unknown"),
    ]
    young = wave(date(2022, 1, 10), 0.5)
    assert stretches(history(young))[1:] == [
        (date(2022, 1, 10), date(2022, 4, 3), "emerging"),
        (date(2022, 4, 3), None, "discriminating"),
    ]


def test_what_more_than_half_of_the_rest_followed_is_taken_back() -> None:
    told_history = history([*wave(OPEN, 0.5), *wave(FULL, 0.96), *wave(MORE, 0.99)])
    assert stretches(told_history, "taken_back", "how", "reached_on")[2:] == [
        (FULL, MORE, "saturated", True, "crossed", None),
        (MORE, None, "saturated", False, "risen", FULL),
    ]
    row = told_history.verdict.row(0, named=True)
    assert (row["since"], row["since_case"], row["reached_on"]) == (MORE, "risen", FULL)


@pytest.mark.parametrize(
    ("top", "n_items"),
    [(0.979, 50_000), (0.99, 60)],
    ids=["less than half", "within error"],
)
def test_less_than_half_of_the_rest_or_within_error_takes_nothing_back(top: float, n_items: int) -> None:
    crowded = [{**row, "score": min(row["score"] + 0.005, 0.96)} for row in wave(FULL, 0.96, n_items)]
    told_history = history(
        [*wave(OPEN, 0.3, n_items), *crowded, *wave(MORE, top, n_items)], [{**RELEASED[0], "human": 0.5}]
    )
    saturated = told_history.history.filter(pl.col("stage") == "saturated")
    assert saturated.select("from_on", "taken_back").rows() == [(FULL, False)]


def test_only_the_stretch_that_lasts_can_be_taken_back() -> None:
    """Makers claimed .96 until others measured .5: that stretch is over by the rules, and stays as it was said."""
    told_history = history([*wave(OPEN, 0.96, reporter="self"), *wave(FULL, 0.5), *wave(MORE, 0.8)])
    assert [row[2] for row in stretches(told_history)] == ["unknown", "saturated", "discriminating", "compressing"]
    assert not told_history.history["taken_back"].any()


def test_flags_are_those_of_the_verdict_and_of_now_alone() -> None:
    told_history = history([*wave(OPEN, 0.5), *wave(FULL, 0.99)])
    assert told_history.history["flags"].to_list() == [[], [], told_history.verdict["flags"][0].to_list()]
    assert "dormant" in told_history.verdict["flags"][0]


def test_what_has_no_beginning_says_why() -> None:
    first = {"dated_on": None, "date_basis": "snapshot"}
    undated = history(wave(FULL, 0.99, **first))
    assert stretches(undated, "how") == [(None, None, "saturated", UNDATED)]
    mostly = history([*wave(FULL, 0.99, **first), *wave(OPEN, 0.5)])
    assert stretches(mostly, "how") == [(None, None, "saturated", UNDATED_DECIDES)]
    assert {UNDATED, UNDATED_DECIDES, REMEMBERED} <= set(WITHOUT_BEGINNING)


def test_the_last_stretch_is_the_verdict_and_its_beginning_is_since() -> None:
    told_history = history([*wave(OPEN, 0.5), *wave(FULL, 0.96), *wave(MORE, 0.99)])
    last = told_history.history.filter(pl.col("until_on").is_null())
    assert last.select("benchmark_id", "stage", since="from_on").equals(
        told_history.verdict.select("benchmark_id", "stage", "since")
    )


def truncated(facts: Frames, cut: date) -> Frames:
    results_before = facts.result.filter(pl.col("dated_on") <= cut).collect()
    looks = facts.look.with_columns(looked_at=pl.lit(cut, dtype=pl.Datetime("us")))
    return Frames(
        **{name: getattr(facts, name) for name in facts.__dataclass_fields__ if name not in ("result", "look")},
        result=results_before.lazy(),
        look=looks,
    )


@pytest.mark.parametrize("cut", [date(2023, 6, 30), date(2024, 8, 31), date(2025, 1, 31)])
def test_nothing_dated_after_a_day_is_read_on_it(cut: date) -> None:
    """A row that is listed no more counts as far as the best listed by then, not by what was listed later."""
    withdrawn = result("a", "gone", 0.93, n_items=50_000, dated_on=OPEN, observed_on=date(2023, 4, 1))
    listed = [
        {**row, "snapshot_id": "lab-a-2026-01-01"}
        for row in (*wave(OPEN, 0.5)[:4], *wave(FULL, 0.96), *wave(MORE, 0.99))
    ]
    facts = frames([withdrawn, *listed], RELEASED)
    complete, part = histories_of(facts, AS_OF).history, histories_of(truncated(facts, cut), AS_OF).history
    same = ("from_on", "stage", "best", "headroom", "case")
    before = pl.col("from_on") < cut
    assert complete.filter(before).select(same).rows() == part.filter(before).select(same).rows()
