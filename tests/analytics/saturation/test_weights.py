"""The running bests of open and of closed weights, and the time between them."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.analytics.graph import ENTRIES
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.schedule import run
from tests.support.frames import Row, benchmark, frame, frames, result

KNOWN = date(2026, 1, 1)


def tables(
    rows: list[Row], weights: Mapping[str, bool | None], benchmarks: list[Row] | None = None
) -> Mapping[str, pl.DataFrame]:
    models = [
        {"model_id": model_id, "name": model_id, "open_weights": is_open} for model_id, is_open in weights.items()
    ]
    facts = replace(frames(rows, benchmarks), model=frame("model", models))
    made: Mapping[str, pl.DataFrame] = run(
        ENTRIES, {"frames": facts, "as_of": KNOWN}, ("weights_frontier", "weights_lag")
    )
    return made


def lag(rows: list[Row], weights: Mapping[str, bool | None], benchmarks: list[Row] | None = None) -> dict[str, Any]:
    return tables(rows, weights, benchmarks)["weights_lag"].row(0, named=True)


def steps(name: str, *scores: tuple[float, date]) -> tuple[list[Row], list[str]]:
    """A model for each score."""
    rows = [result("exam", f"{name}{index}", score, dated_on=on) for index, (score, on) in enumerate(scores)]
    return rows, [row["model_id"] for row in rows]


CLOSED, CLOSED_IDS = steps(
    "c", (0.30, date(2024, 1, 1)), (0.50, date(2024, 7, 1)), (0.70, date(2025, 1, 1)), (0.90, date(2025, 7, 1))
)
OPEN, OPEN_IDS = steps("o", (0.20, date(2024, 2, 1)), (0.55, date(2025, 1, 1)), (0.70, date(2025, 4, 1)))
WEIGHTS = {**dict.fromkeys(CLOSED_IDS, False), **dict.fromkeys(OPEN_IDS, True)}


def test_each_kind_has_a_running_best_that_ends_where_the_benchmark_is_known() -> None:
    unknown = result("exam", "nobody-knows", 0.99, dated_on=date(2024, 1, 1))
    table = tables([*CLOSED, *OPEN, unknown], {**WEIGHTS, "nobody-knows": None})["weights_frontier"]
    assert table.schema == PUBLISHED["weights_frontier"]
    ends = table.filter("carried").select("weights", "dated_on", "score", "model_id").rows()
    assert ends == [("closed", KNOWN, 0.9, "c3"), ("open", KNOWN, 0.7, "o2")]
    assert table.filter(pl.col("weights") == "open", ~pl.col("carried"))["score"].to_list() == [0.2, 0.55, 0.7]


def test_the_lag_is_that_of_the_highest_level_that_both_reached() -> None:
    row = lag([*CLOSED, *OPEN], WEIGHTS)
    assert (row["status"], row["level"], row["leads"]) == ("ok", 0.7, "closed")
    assert (row["closed_on"], row["open_on"]) == (date(2025, 1, 1), date(2025, 4, 1))
    assert row["lag_months"] == pytest.approx(90 / 30.4375)
    # At 0.5 and 0.55 the open ones are there on 1 Jan 2025: 184 and 0 days after the closed ones.
    # What closed ones reached on 1 Jul 2025 open ones have not in the 184 days since.
    assert (row["n"], row["n_waiting"], row["n_ahead"]) == (4, 1, 0)
    assert row["waiting_months"] == pytest.approx(184 / 30.4375)
    assert row["median_months"] == pytest.approx(90 / 30.4375)
    assert row["low_months"] == 0 and row["high_months"] is None
    assert (row["open_models"], row["closed_models"], row["unknown_models"]) == (3, 4, 0)


def test_open_weights_that_came_first_have_a_lag_below_0() -> None:
    swapped = {model_id: not is_open for model_id, is_open in WEIGHTS.items()}
    row = lag([*CLOSED, *OPEN], swapped)
    assert row["lag_months"] == pytest.approx(-90 / 30.4375)
    assert row["leads"] == "open"


def test_where_fewer_is_better_a_level_is_reached_from_above() -> None:
    mirrored = [{**row, "score": 1 - row["score"]} for row in [*CLOSED, *OPEN]]
    row = lag(mirrored, WEIGHTS, benchmarks=[benchmark("exam", higher_is_better=False, floor=1.0, ceiling=0.0)])
    assert row["lag_months"] == pytest.approx(90 / 30.4375)
    assert row["level"] == pytest.approx(0.3)


def test_levels_that_are_not_reached_are_waits_and_not_left_out() -> None:
    """Two levels reached at once, three not in a year: half is not reached, where the two alone have a median of 0."""
    fast, fast_ids = steps("f", *((0.3 + 0.1 * index, date(2024, 10 + index, 1)) for index in range(3)))
    more, more_ids = steps("g", *((0.7 + 0.1 * index, date(2025, 1 + index, 1)) for index in range(3)))
    slow, slow_ids = steps("s", (0.2, date(2024, 9, 1)), (0.5, date(2024, 12, 1)))
    row = lag([*fast, *more, *slow], {**dict.fromkeys([*fast_ids, *more_ids], False), **dict.fromkeys(slow_ids, True)})
    assert (row["n"], row["n_waiting"]) == (5, 3)
    assert row["median_months"] is None and row["high_months"] is None
    assert row["waiting_months"] == pytest.approx(365 / 30.4375)


def test_what_one_had_on_its_first_day_is_no_level() -> None:
    late, late_ids = steps("late", (0.95, date(2025, 8, 1)))
    row = lag([*CLOSED, *late], {**WEIGHTS, **dict.fromkeys(late_ids, True)})
    assert (row["status"], row["lag_months"], row["level"], row["n"]) == ("insufficient", None, None, 0)
    assert row["case"] == "no_level_of_both"


def test_without_both_kinds_there_is_no_curve_and_the_reason_is_said() -> None:
    table = tables(CLOSED, WEIGHTS)
    assert table["weights_frontier"].is_empty()
    row = table["weights_lag"].row(0, named=True)
    assert row["status"] == "insufficient"
    assert row["open_models"] == 0
    assert lag(CLOSED, {})["unknown_models"] == 4


def test_a_rating_is_no_level() -> None:
    rated = [benchmark("exam", unit="rating", floor=None, ceiling=None)]
    row = lag([*CLOSED, *OPEN], WEIGHTS, benchmarks=rated)
    assert (row["status"], row["lag_months"]) == ("not_applicable", None)
    assert row["case"] == "rating_has_no_lag"


def test_of_two_at_the_same_level_neither_leads() -> None:
    upto, ids = steps("o", (0.20, date(2024, 2, 1)), (0.90, date(2025, 9, 1)))
    assert lag([*CLOSED, *upto], {**WEIGHTS, **dict.fromkeys(ids, True)})["leads"] is None


DAYS = st.dates(date(2022, 1, 1), date(2025, 12, 1))
SCORES = st.integers(1, 99).map(lambda score: score / 100)
PATH = st.lists(st.tuples(SCORES, DAYS), min_size=1, max_size=8)


@pytest.mark.soak
@given(closed=PATH, opened=PATH)
@settings(max_examples=15)
def test_swapping_the_kinds_turns_the_sign_and_the_level_was_reached_by_both(
    closed: list[tuple[float, date]], opened: list[tuple[float, date]]
) -> None:
    rows_closed, ids_closed = steps("c", *closed)
    rows_open, ids_open = steps("o", *opened)
    weights = {**dict.fromkeys(ids_closed, False), **dict.fromkeys(ids_open, True)}
    row = lag([*rows_closed, *rows_open], weights)
    back = lag([*rows_closed, *rows_open], {model_id: not is_open for model_id, is_open in weights.items()})
    assert row["status"] == back["status"]
    if row["status"] == "ok":
        assert row["lag_months"] == pytest.approx(-back["lag_months"])
        assert row["level"] <= min(max(score for score, _ in closed), max(score for score, _ in opened))
        assert row["n"] >= 1
