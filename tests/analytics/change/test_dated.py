"""Changes by day: each kind by hand, and no change that the facts before it do not hold."""

from datetime import date, datetime, timedelta
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.change.dated import (
    GAP,
    NOT_SEEN,
    SHORTEST_SILENCE,
    SILENT,
    best_scores,
    dated_changes,
    first_places,
    new_benchmarks,
    over_days,
    silences,
    stages,
)
from benchhealth.analytics.record.tables import PUBLISHED, empty
from tests.support.reason_sentences import with_sentence

DAY = date(2026, 6, 1)
Rows = list[dict[str, Any]]

STEPS = pl.Schema({**PUBLISHED["frontier"], "error": pl.Float64(), "n_items": pl.Int64(), "std_error": pl.Float64()})
MODELS = pl.DataFrame(
    [{"model_id": "oak", "name": "Oak"}, {"model_id": "elm", "name": "Elm"}], schema=PUBLISHED["model"]
)


def table(name: str, rows: Rows) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=PUBLISHED[name])


def exam(**more: Any) -> pl.DataFrame:  # noqa: ANN401 - any cell
    return table("benchmark", [{"benchmark_id": "exam", "unit": "percent", "curated": True, **more}])


def step(score: float, on: date, model: str = "oak", n: int | None = 100, of: str = "exam") -> dict[str, Any]:
    error = None if n is None else (score * (1 - score) / n) ** 0.5
    row = {"benchmark_id": of, "dated_on": on, "score": score, "model_id": model, "carried": False}
    return {**row, "condition": "no tools", "error": error, "n_items": n}


def bests(rows: Rows, breaks: Rows | None = None, benchmark: pl.DataFrame | None = None) -> pl.DataFrame:
    steps = pl.DataFrame(rows, schema=STEPS)
    who = [{"benchmark_id": "exam", "kind": "step", "model_id": "elm", "score": 0.9, "class": "confirmed"}]
    of = exam() if benchmark is None else benchmark
    return best_scores(steps, table("breakpoint", breaks or []), table("corroboration", who), of, MODELS)


def test_a_best_score_stands_beside_the_one_before_it() -> None:
    (row,) = with_sentence(
        bests([step(0.5, DAY), step(0.9, DAY + timedelta(9), "elm")]).with_columns(text=pl.lit("")), "text"
    ).to_dicts()
    assert (row["before"], row["after"], row["value_before"], row["value"]) == ("oak", "elm", 0.5, 0.9)
    assert (row["on_day"], row["beyond_noise"], row["corroboration"]) == (DAY + timedelta(9), True, "confirmed")
    # Wilson's interval of 90 of 100 as printed in Newcombe 1998's method 3: 0.8256 to 0.9448
    assert (row["low"], row["high"]) == pytest.approx((0.8256, 0.9448), abs=1e-4)
    assert row["text"] == "Elm, its maker's, confirmed by others"


def test_first_results_ratings_parts_and_what_lies_beyond_a_break_are_no_best_scores() -> None:
    two = [step(0.5, DAY), step(0.9, DAY + timedelta(9), "elm")]
    assert bests(two[:1]).is_empty()
    assert bests(two, benchmark=exam(unit="rating")).is_empty()
    assert bests(two, benchmark=exam(unit="points", refresh="continuous")).is_empty()
    assert bests([{**row, "benchmark_id": "exam/part"} for row in two]).is_empty()
    broke = {"board_id": "lab/exam", "on_date": DAY + timedelta(3)}
    assert bests(two, [{**broke, "kind": "scale"}]).is_empty()
    assert bests(two, [{**broke, "kind": "names"}]).height == 1


def test_an_unknown_error_leaves_it_open_whether_a_score_is_beyond_it() -> None:
    assert bests([step(0.5, DAY, n=None), step(0.9, DAY + timedelta(9))])["beyond_noise"].to_list() == [None]


@given(st.lists(st.floats(0.05, 0.95), min_size=2, max_size=6, unique=True))
def test_a_stretch_is_its_last_step_beside_what_was_before_its_first(scores: list[float]) -> None:
    steps = [step(score, DAY + timedelta(index)) for index, score in enumerate(sorted(scores))]
    rows = bests(steps)
    (one,) = over_days(rows).to_dicts()
    assert (one["value_before"], one["value"]) == (min(scores), max(scores))
    assert one["beyond_noise"] == (one["low"] > one["high_before"])
    if rows["beyond_noise"].any():
        assert one["beyond_noise"], "what one step shows the whole shows too"


def stretch(stage: str, on: date | None, how: str = "crossed", of: str = "exam", **more: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        "benchmark_id": of,
        "from_on": on,
        "stage": stage,
        "how": how,
        "case": "measures",
        "basis": "by date",
        **more,
    }


def test_a_stage_changes_where_the_next_stretch_is_of_another() -> None:
    history = [
        stretch("unknown", DAY, "released"),
        stretch("emerging", DAY + timedelta(1), "first_day", case="young"),
        stretch("discriminating", DAY + timedelta(90), "grown_up", headroom=0.4),
        stretch("saturated", DAY + timedelta(200), taken_back=True),
        stretch("saturated", DAY + timedelta(300), "risen"),
        stretch("compressing", None, "rated", of="quiz"),
        stretch("emerging", DAY, of="quiz/part"),
        stretch("emerging", DAY, of="exam/part"),
        stretch("emerging", DAY, of="exam", basis="known then"),
    ]
    rows = stages(table("verdict_history", history), exam()).with_columns(text=pl.lit(""))
    sentences = (
        with_sentence(rows, "text")
        .sort("benchmark_id", "on_day")
        .select("benchmark_id", "before", "after", "text")
        .rows()
    )
    assert sentences == [
        ("exam", "unknown", "emerging", "first results; not 3 months old"),
        ("exam", "emerging", "discriminating", "3 months old, and models enough"),
        ("exam", "discriminating", "saturated", "there is room, and its models differ beyond error"),
    ]


def test_parts_of_curated_benchmarks_have_stages_and_no_release() -> None:
    both = pl.concat([exam(released_on=DAY), exam(released_on=DAY).with_columns(benchmark_id=pl.lit("exam/part"))])
    history = table(
        "verdict_history", [stretch("emerging", DAY, of="exam/part"), stretch("emerging", DAY, of="a/part")]
    )
    assert stages(history, both)["benchmark_id"].to_list() == ["exam/part"]
    board = pl.DataFrame({"benchmark_id": ["exam", "exam"], "model_id": ["oak", "elm"]})
    (row,) = new_benchmarks(both, table("verdict", [{"benchmark_id": "exam", "stage": "emerging"}]), board).to_dicts()
    assert (row["benchmark_id"], row["on_day"], row["after"], row["n"]) == ("exam", DAY, "emerging", 2)


def moved(days: int, source: str = "copy", kind: str = "crawl", breaks: Rows | None = None) -> dict[str, Any]:
    lead = {"board_id": f"{source}/exam", "from_on": DAY - timedelta(days), "on_date": DAY, "model_id": "elm"}
    rows = table("lead", [{**lead, "before": "oak", "spans_breakpoint": False, "could_be_first": 2}])
    sources = table("source", [{"source_id": source, "kind": kind}])
    (row,) = first_places(rows, table("breakpoint", breaks or []), sources, MODELS).to_dicts()
    return row


def test_a_first_place_that_a_copy_shows_after_a_gap_is_no_news() -> None:
    assert not moved(GAP.days)["late"]
    assert moved(GAP.days + 1)["late"]
    assert not moved(GAP.days + 1, kind="board")["late"], "the benchmark's own board said nothing else meanwhile"
    reread = {"board_id": "copy/quiz", "on_date": DAY, "kind": "data"}
    assert moved(12, breaks=[reread])["late"], "its source began to read other documents"
    assert not moved(12, breaks=[{**reread, "on_date": DAY - timedelta(12)}])["late"]


def silent(cadence: str, looks: list[date], known_until: date, newest: date, kind: str = "board") -> Rows:
    source = [
        {"source_id": "lab", "cadence": cadence, "kind": kind, "known_until": known_until},
        {"source_id": "other", "cadence": "once", "kind": "paper", "known_until": newest},
    ]
    seen = [
        {"source_id": "lab", "observed_at": datetime(look.year, look.month, look.day, 4), "snapshot_id": f"{look}"}
        for look in looks
    ]
    return silences(table("source", source), table("snapshot", seen)).sort("on_day").to_dicts()


def test_a_source_falls_silent_after_three_of_its_cadences_and_at_least_four_weeks() -> None:
    later = DAY + timedelta(100)
    (row,) = silent("some times a month", [DAY], later, later)
    assert (row["after"], row["until_day"], row["on_day"]) == (SILENT, DAY, DAY + timedelta(30))
    (row,) = silent("daily", [DAY], later, later)
    assert row["on_day"] == DAY + SHORTEST_SILENCE
    assert silent("some times a month", [DAY, DAY + timedelta(29)], DAY + timedelta(50), DAY + timedelta(50)) == []
    assert silent("once", [DAY], later, later) == []
    assert silent("daily", [DAY], later, later, kind="retired") == []


def test_who_was_not_looked_at_is_not_called_silent() -> None:
    (row,) = silent("some times a month", [DAY], DAY + timedelta(10), DAY + timedelta(100))
    assert (row["after"], row["until_day"], row["on_day"]) == (NOT_SEEN, DAY + timedelta(10), DAY + timedelta(40))


def test_a_silence_that_ended_is_one() -> None:
    later = DAY + timedelta(60)
    rows = silent("weekly", [DAY, later], later, later)
    assert [(row["after"], row["on_day"]) for row in rows] == [(SILENT, DAY + timedelta(28))]


def test_nothing_makes_an_empty_table() -> None:
    names = ("verdict_history", "corroboration", "lead", "breakpoint", "benchmark", "verdict", "model", "source")
    tables = {name: empty(name) for name in (*names, "snapshot")}
    board = pl.DataFrame(schema={"benchmark_id": pl.String, "model_id": pl.String})
    made = dated_changes(frontier_steps=pl.DataFrame(schema=STEPS), leaderboard=board, **tables)
    assert made.schema == PUBLISHED["dated_change"]
    assert made.is_empty()
