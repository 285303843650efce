"""The running best: by hand, by property, and SQuAD 2.0's human line."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.analytics.record.current import benchmark_facts, leaderboard, newest, ranked_results
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.frontier import frontier, history
from benchhealth.analytics.record.looks import looks
from tests.support.frames import Row, benchmark, frames, result

AS_OF = date(2026, 2, 1)


def steps(facts: Frames, as_of: date = AS_OF) -> pl.DataFrame:
    rows = ranked_results(facts, benchmark_facts(facts))
    return frontier(rows, history(rows, as_of), facts.breakpoint, looks(facts, rows, as_of).benchmark)


def curve(facts: Frames, as_of: date = AS_OF) -> list[tuple[date, float, str, bool]]:
    return steps(facts, as_of).select("dated_on", "score", "model_id", "carried").rows()


def day(month: int, of: int = 1) -> date:
    return date(2025, month, of)


def test_only_strict_improvements_and_a_carried_end() -> None:
    facts = frames(
        [
            result("a", "first", 0.5, dated_on=day(1)),
            result("a", "lower", 0.4, dated_on=day(2)),
            result("a", "equal", 0.5, dated_on=day(3)),
            result("a", "better", 0.7, dated_on=day(4)),
        ]
    )
    assert curve(facts) == [
        (day(1), 0.5, "first", False),
        (day(4), 0.7, "better", False),
        (AS_OF, 0.7, "better", True),
    ]


def test_the_noise_of_arithmetic_is_no_step() -> None:
    noisy = 86.4 / 100
    assert noisy > 0.864
    facts = frames(
        [
            result("a", "first", 0.864, dated_on=day(1)),
            result("a", "same", noisy, dated_on=day(2)),
            result("a", "better", 0.8641, dated_on=day(3)),
        ]
    )
    assert [row[2] for row in curve(facts)] == ["first", "better", "better"]


def test_lower_is_better_runs_downwards() -> None:
    facts = frames(
        [result("a", "m1", 0.3, dated_on=day(1)), result("a", "m2", 0.2, dated_on=day(2))],
        [benchmark("a", higher_is_better=False)],
    )
    assert [row[1] for row in curve(facts)] == [0.3, 0.2, 0.2]


def test_a_tie_on_one_day_goes_to_the_first_model_id() -> None:
    facts = frames([result("a", name, 0.5, dated_on=day(1)) for name in ("z", "b", "c")])
    assert {row[2] for row in curve(facts)} == {"b"}


def test_humans_and_baselines_are_not_ranked() -> None:
    facts = frames([result("a", "m", 0.5), result("a", "expert", 0.9, kind="human")])
    assert {row[2] for row in curve(facts)} == {"m"}


def test_a_correction_changes_the_past_but_not_the_day() -> None:
    first, later = day(1), day(6)
    facts = frames(
        [
            result("a", "m", 0.9, observed_on=first, dated_on=first, date_basis="snapshot"),
            result("a", "m", 0.6, observed_on=later, dated_on=first, date_basis="snapshot"),
        ]
    )
    assert curve(facts) == [(first, 0.6, "m", False), (AS_OF, 0.6, "m", True)]


def test_a_withdrawn_record_does_not_stand_but_withdrawn_history_does() -> None:
    old, new = day(1), day(6)
    facts = frames(
        [
            result("a", "early", 0.3, observed_on=old, dated_on=date(2024, 1, 1)),
            result("a", "retracted", 0.99, observed_on=old, dated_on=old),
            result("a", "listed", 0.7, observed_on=new, dated_on=new),
        ]
    )
    assert [(row[1], row[2]) for row in curve(facts)] == [(0.3, "early"), (0.7, "listed"), (0.7, "listed")]


def test_a_model_older_than_the_benchmark_is_dated_by_the_benchmark() -> None:
    facts = frames(
        [result("a", "m", 0.5, dated_on=date(2020, 1, 1), date_basis="model_release")],
        [benchmark("a", released_on=day(5))],
    )
    assert curve(facts)[0][0] == day(5)


def test_ratings_take_the_top_of_each_snapshot_and_start_anew_at_a_breakpoint() -> None:
    tops = [(day(1), 1200.0), (day(2), 1190.0), (day(3), 1210.0), (day(4), 1000.0), (day(5), 1020.0)]
    facts = frames(
        [result("a", "m", score, observed_on=on, dated_on=day(1), date_basis="model_release") for on, score in tops],
        [benchmark("a", unit="rating", floor=None, ceiling=None)],
        breakpoints=[{"board_id": "lab/a", "on_date": day(4), "kind": "rescaled"}],
    )
    assert [(row[0], row[1]) for row in curve(facts)] == [
        (day(1), 1200.0),
        (day(3), 1210.0),
        (day(4), 1000.0),
        (day(5), 1020.0),
        (AS_OF, 1020.0),
    ]


def test_ratings_of_two_boards_are_never_mixed() -> None:
    facts = frames(
        [
            result("a", "m", 1500.0, source_id="one", observed_on=day(1)),
            result("a", "m", 1100.0, source_id="two", observed_on=day(2)),
        ],
        [benchmark("a", unit="rating", floor=None, ceiling=None)],
    )
    assert {row[1] for row in curve(facts)} == {1100.0}


def test_what_was_there_at_the_first_look_is_no_step_but_must_be_beaten_and_is_carried() -> None:
    first = date(2025, 3, 1)
    undated = {"dated_on": None, "date_basis": "snapshot", "observed_on": first}
    facts = frames(
        [
            result("a", "early", 0.5, dated_on=day(1), observed_on=first),
            result("a", "there", 0.8, **undated),  # type: ignore[arg-type]
            result("a", "early", 0.5, dated_on=day(1), observed_on=day(6)),
            result("a", "there", 0.8, **{**undated, "observed_on": day(6)}),  # type: ignore[arg-type]
            result("a", "lower", 0.7, dated_on=day(4), observed_on=day(6)),
        ]
    )
    assert curve(facts) == [(day(1), 0.5, "early", False), (AS_OF, 0.8, "there", True)]
    beaten = result("a", "better", 0.9, dated_on=day(5), observed_on=day(7))
    later = frames([*facts.result.collect().to_dicts(), beaten])
    assert curve(later)[1:] == [(day(5), 0.9, "better", False), (AS_OF, 0.9, "better", True)]


def test_it_is_carried_to_the_last_look_and_no_further() -> None:
    facts = frames([result("a", "m", 0.5, dated_on=day(1), observed_on=day(2))], looked_on=day(8))
    assert curve(facts)[-1] == (day(8), 0.5, "m", True)


def test_a_model_is_listed_once_by_its_best_setting_in_the_newest_snapshot() -> None:
    facts = frames(
        [
            result("a", "gone", 0.9, observed_on=day(1)),
            result("a", "m", 0.5, observed_on=day(2), setting="low"),
            result("a", "m", 0.6, observed_on=day(2), setting="high"),
        ]
    )
    board = leaderboard(newest(ranked_results(facts, benchmark_facts(facts))))
    assert board.select("model_id", "setting", "place").rows() == [("m", "high", 1)]


scores = st.lists(st.integers(0, 100).map(lambda percent: percent / 100), min_size=1, max_size=30)


def dated(values: list[float]) -> list[Row]:
    return [result("a", f"m{i:02}", score, dated_on=day(1) + timedelta(days=i)) for i, score in enumerate(values)]


@settings(max_examples=40, deadline=None)
@given(scores)
def test_it_is_the_running_maximum(values: list[float]) -> None:
    found = steps(frames(dated(values)))
    assert found["score"].to_list()[:-1] == sorted(set(np.maximum.accumulate(values).tolist()))
    assert found["score"].to_list()[-1] == max(values)
    assert found["carried"].sum() == 1


@settings(max_examples=40, deadline=None)
@given(scores)
def test_neither_order_nor_names_of_rows_move_it(values: list[float]) -> None:
    rows = dated(values)
    renamed = [{**row, "model_id": f"x-{row['model_id']}"} for row in reversed(rows)]
    before, after = steps(frames(rows)), steps(frames(renamed))
    assert before.select("dated_on", "score").equals(after.select("dated_on", "score"))


@settings(max_examples=40, deadline=None)
@given(scores)
def test_a_monotone_transform_keeps_the_days(values: list[float]) -> None:
    before, after = steps(frames(dated(values))), steps(frames(dated([value**2 for value in values])))
    assert before["dated_on"].to_list() == after["dated_on"].to_list()


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_scores_of_exactly_0_or_1(score: float) -> None:
    assert [row[1] for row in curve(frames(dated([score] * 3)))] == [score, score]
