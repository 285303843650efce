"""The running best: by hand, by property, and SQuAD 2.0's human line."""

from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.record import dating
from benchhealth.analytics.record.current import benchmark_facts, leaderboard, newest, ranked_results
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.frontier import frontier, history_of
from benchhealth.analytics.record.looks import looks
from tests.support.frames import Row, benchmark, frames, result
from tests.support.soaking import examples

AS_OF = date(2026, 2, 1)


def steps(facts: Frames, as_of: date = AS_OF) -> pl.DataFrame:
    rows = ranked_results(facts, benchmark_facts(facts))
    return frontier(rows, history_of(rows, as_of), facts.breakpoint, looks(facts, rows, as_of).benchmark)


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


def test_a_run_of_before_the_release_counts_from_it_on_a_part_as_on_the_whole() -> None:
    rows = [
        result(name, "m", 0.5, dated_on=day(1), date_basis="evaluation", observed_on=day(9)) for name in ("a", "a/x")
    ]
    facts = frames(rows, [benchmark("a", released_on=day(5)), benchmark("a/x", released_on=None)])
    assert {row[0] for row in curve(facts) if not row[-1]} == {day(5)}
    known = frames(rows[1:], [benchmark("a", released_on=day(5)), benchmark("a/x", released_on=day(1))])
    assert curve(known)[0][0] == day(1)


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


@examples(8, soak=40)
@given(scores)
def test_it_is_the_running_maximum(values: list[float]) -> None:
    curve_steps = steps(frames(dated(values)))
    assert curve_steps["score"].to_list()[:-1] == sorted(set(np.maximum.accumulate(values).tolist()))
    assert curve_steps["score"].to_list()[-1] == max(values)
    assert curve_steps["carried"].sum() == 1


@examples(8, soak=40)
@given(scores)
def test_neither_order_nor_names_of_rows_move_it(values: list[float]) -> None:
    rows = dated(values)
    renamed = [{**row, "model_id": f"x-{row['model_id']}"} for row in reversed(rows)]
    before, after = steps(frames(rows)), steps(frames(renamed))
    assert before.select("dated_on", "score").equals(after.select("dated_on", "score"))


@examples(8, soak=40)
@given(scores)
def test_a_monotone_transform_keeps_the_days(values: list[float]) -> None:
    before, after = steps(frames(dated(values))), steps(frames(dated([value**2 for value in values])))
    assert before["dated_on"].to_list() == after["dated_on"].to_list()


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_scores_of_exactly_0_or_1(score: float) -> None:
    assert [row[1] for row in curve(frames(dated([score] * 3)))] == [score, score]


def test_a_step_exceeds_the_last_by_more_than_both_are_rounded() -> None:
    def of(source: str, model: str, score: float, on: date) -> Row:
        return {**result("a", model, score, dated_on=on), "source_id": source, "board_id": f"{source}/a"}

    facts = frames(
        [
            of("papers", "o1", 0.758, day(1)),
            of("runs", "o1-high", 0.757576, day(1, 2)),
            of("runs", "o1-later", 0.758081, day(2)),
            of("papers", "tenth-more", 0.759, day(3)),
            of("runs", "surely", 0.767677, day(4)),
        ]
    )
    assert [row[2] for row in curve(facts)] == ["o1", "tenth-more", "surely", "surely"]


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=12), st.integers(2, 5))
def test_no_step_lies_within_the_rounding_of_the_one_before(values: list[int], digits: int) -> None:
    rows = [
        result("a", f"m{number:02}", round(value / 1000, digits), dated_on=day(1) + timedelta(number))
        for number, value in enumerate(values)
    ]
    scores = [score for _, score, _, carried in curve(frames(rows)) if not carried]
    assert all(later - earlier >= 10.0**-3 - 1e-9 or digits == 2 for earlier, later in pairwise(scores))


OLD, BEGAN, NEW = date(2024, 3, 13), date(2024, 6, 1), date(2024, 9, 1)


def dated_on_a_release(rows: list[Row], release_days: dict[str, date]) -> pl.DataFrame:
    """The curve of a benchmark of June 2024, of results that nothing dates but their model's release."""
    models = [{"model_id": name, "released_on": on} for name, on in release_days.items()]
    facts = frames(rows, [benchmark("a", released_on=BEGAN)], models=models)
    placed = dating.date_results(facts.result.collect(), facts.model, facts.snapshot, facts.benchmark, facts.breakpoint)
    return steps(replace(facts, result=placed.lazy()))


def test_a_model_older_than_its_benchmark_is_no_step_but_must_be_beaten_from_the_start() -> None:
    unsaid = {"dated_on": None, "date_basis": None, "observed_on": date(2025, 3, 1)}
    rows = [
        result("a", "old", 0.6, **unsaid),
        result("a", "weaker", 0.5, **unsaid),
        result("a", "better", 0.7, **unsaid),
    ]
    curve_steps = dated_on_a_release(rows, {"old": OLD, "weaker": NEW, "better": date(2024, 12, 1)})
    assert curve_steps.filter(~pl.col("carried"))["model_id"].to_list() == ["better"]
    best = dated_on_a_release(rows[:2], {"old": OLD, "weaker": NEW})
    assert best.select("model_id", "carried").rows() == [("old", True)]


GPT_4O = {"gpt-4o-2024-08-06": date(2024, 8, 6), "gpt-4o-2024-11-20": date(2024, 11, 20), "r1": date(2025, 1, 20)}


@pytest.mark.parametrize(
    ("independent", "first"),
    [(0.492, []), (0.69, ["gpt-4o-2024-08-06"]), (None, ["gpt-4o-2024-08-06"])],
)
def test_a_number_of_another_version_is_not_dated_by_the_release(independent: float | None, first: list[str]) -> None:
    """GPQA Diamond, 198 items: 70.1 by its maker, first seen in August 2025, 49.2 by who ran that very version."""
    of_maker = {
        "reporter": "self",
        "dated_on": None,
        "date_basis": None,
        "observed_on": date(2025, 8, 7),
        "n_items": 198,
    }
    ran = {"n_items": 198, "observed_on": date(2025, 8, 7), "date_basis": "evaluation"}
    rows = [
        result("a", "gpt-4o-2024-08-06", 0.701, **of_maker),
        result("a", "gpt-4o-2024-11-20", 0.479, dated_on=date(2025, 2, 5), **ran),
        result("a", "r1", 0.733, **of_maker),
    ]
    if independent:
        again = {**ran, "source_id": "other"}
        rows.append(result("a", "gpt-4o-2024-08-06", independent, dated_on=date(2025, 2, 6), **again))
    curve_steps = dated_on_a_release(rows, GPT_4O).filter(~pl.col("carried"))
    assert curve_steps["model_id"].to_list() == [*first, "r1"]


@given(
    st.lists(
        st.tuples(st.dates(date(2024, 1, 1), date(2025, 2, 28)), st.sampled_from(["evaluation", "model_release", ""])),
        min_size=1,
        max_size=8,
    )
)
@examples(8, soak=40)
def test_nothing_counts_in_time_before_its_benchmark(dates: list[tuple[date, str]]) -> None:
    rows, release_days = [], {}
    for number, (on, basis) in enumerate(dates):
        stated = {"dated_on": on, "date_basis": basis} if basis else {"dated_on": None, "date_basis": None}
        rows.append(result("a", f"m{number}", 0.1 * (number + 1), observed_on=date(2025, 3, 1), **stated))
        if basis != "evaluation":
            release_days[f"m{number}"] = on
    assert (dated_on_a_release(rows, release_days)["dated_on"] >= BEGAN).all()
