"""Lives and deaths: whoever is saturated by the verdict is dead since that day, or it is said why it does not count."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta

import polars as pl
import pytest

from benchhealth.analytics.aging.lives import (
    AT_ONCE,
    CASES,
    NO_BEGINNING,
    NO_CHANCE,
    NO_RELEASE,
    ONLY_JUST,
    OPEN_ENDED,
    WATCHED,
    life_table,
    lives,
)
from benchhealth.analytics.record.evidence import MONTH_DAYS
from benchhealth.analytics.record.frames import FAMILY
from benchhealth.analytics.record.tables import PUBLISHED
from tests.support.frames import Row, benchmark, frames, result
from tests.support.histories import histories_of as history_of

AS_OF = date(2026, 1, 1)
RELEASE = date(2020, 1, 1)
MAKERS = [
    {"model_id": name, "organisation": maker} for name, maker in (("own-1", "Oak"), ("own-2", "oak"), ("elm", "Elm"))
]


def on(months: float) -> date:
    return RELEASE + timedelta(days=round(months * MONTH_DAYS))


def result_at(model: str, score: float, months: float, reporter: str = "third_party") -> Row:
    return result("exam", model, score, dated_on=on(months), reporter=reporter, n_items=5_000)


FIVE = [result_at(f"m{number}", 0.4 + 0.05 * number, 4 + number) for number in range(5)]
"""Five models by month 8, far from the end of the scale."""


def life(*rows: Row, **about: object) -> dict[str, object]:
    facts = frames([*FIVE, *rows], [benchmark("exam", **{"released_on": RELEASE, **about})], models=MAKERS)
    return history_of(facts, AS_OF).lives.row(0, named=True)


def died_at(*rows: Row, **about: object) -> int | None:
    life_of = life(*rows, **about)
    return round(float(life_of["exit"])) if life_of["died"] else None  # type: ignore[arg-type]


def test_a_third_party_is_believed_at_once() -> None:
    assert died_at(result_at("elm", 0.96, 20), result_at("m0", 0.5, 30)) == 20


def test_a_single_self_reported_score_kills_no_benchmark_that_others_measure() -> None:
    """As for the verdict: what others measured decides while enough of them did, and lately."""
    alone = result_at("own-1", 0.99, 11, "self")
    others = [result_at(f"o{index}", 0.6, 12 + index) for index in range(5)]
    assert died_at(alone, *others) is None
    assert died_at(alone, result_at("own-2", 0.99, 16, "self"), *others) is None


def test_it_counts_from_the_day_on_which_others_measured_as_much() -> None:
    alone = result_at("own-1", 0.99, 11, "self")
    others = [result_at(f"o{index}", 0.6, 12 + index) for index in range(5)]
    assert died_at(alone, *others, result_at("elm", 0.97, 20)) == 20


def test_where_others_have_stopped_makers_decide() -> None:
    """Before, a maker's word never counted alone, so that a benchmark lived on whose verdict was saturated."""
    judged = history_of(
        frames(
            [*FIVE, result_at("own-1", 0.99, 33, "self"), result_at("elm", 0.97, 34, "self")],
            [benchmark("exam", released_on=RELEASE)],
            models=MAKERS,
        ),
        AS_OF,
    )
    assert judged.verdict["stage"].to_list() == ["saturated"]
    assert judged.lives.select("died", "exit_on").rows() == [(True, on(33))]


def test_watched_from_the_fifth_model_and_the_third_month_on() -> None:
    assert life()["entry_on"] == on(8)
    early = [result_at(f"e{index}", 0.5, 1) for index in range(5)]
    assert round(float(life(*early)["entry"])) == 3  # type: ignore[arg-type]
    at_once = life(*early, result_at("elm", 0.97, 2), result_at("m0", 0.2, 2.5))
    assert (at_once["case"], at_once["died"]) == (AT_ONCE, True)  # once three months are over
    assert at_once["entry"] == at_once["exit"]


def test_within_error_of_the_limit_is_not_beyond_it() -> None:
    near = {**result_at("elm", 0.905, 20), "n_items": 100}
    assert died_at(near, result_at("m0", 0.5, 30)) is None


def test_humans_passed_and_nothing_since_is_an_end_as_in_the_verdict() -> None:
    bunch: Iterable[Row] = [result_at(f"b{index}", 0.83 + 0.001 * index, 20 + index) for index in range(5)]
    later = [result_at(f"l{index}", 0.80, 40 + index) for index in range(6)]
    rows = [{**row, "n_items": 900} for row in (*bunch, *later)]
    assert died_at(*rows) is None
    assert died_at(*rows, human=0.60) == 24  # the five that passed the human line cannot be told apart
    assert died_at(*rows, human=0.70) == 40  # within the line's error until later


def test_a_stretch_that_ended_was_no_death() -> None:
    """Saturated by what others measured, until a new edition of the board took the best away."""
    best = result_at("elm", 0.97, 20)
    life_of = life(best, result_at("m0", 0.5, 30), ceiling=None)
    assert life_of["died"] and life_of["exit_on"] == on(20)
    gone = {**best, "stands": False}
    assert not life(gone, result_at("m0", 0.5, 30))["died"]


def test_what_later_progress_took_back_is_no_death_yet() -> None:
    steps = (result_at("elm", 0.96, 20), result_at("ash", 0.99, 40), result_at("m0", 0.5, 50))
    assert died_at(*steps) == 40
    assert died_at(*(step for step in steps if step["model_id"] != "ash")) == 20


@pytest.mark.parametrize(
    ("about", "case"),
    [
        ({"floor": None}, NO_CHANCE),
        ({"released_on": None}, NO_RELEASE),
        ({"unit": "points"}, OPEN_ENDED),
        ({}, WATCHED),
    ],
)
def test_who_does_not_count_is_named_with_the_reason(about: dict[str, object], case: str) -> None:
    life_of = life(result_at("elm", 0.97, 20), **about)
    assert life_of["case"] == case
    assert (life_of["entry"] is None) == (case != WATCHED)
    if case != WATCHED:
        assert not life_of["died"] and not life_of["abandoned"]


def test_a_stage_that_no_day_tells_has_no_life() -> None:
    first = [{**row, "dated_on": None, "date_basis": "snapshot"} for row in (*FIVE, result_at("elm", 0.97, 20))]
    judged = history_of(frames(first, [benchmark("exam", released_on=RELEASE)]), AS_OF)
    assert judged.verdict.select("stage", "since").rows() == [("saturated", None)]
    assert judged.lives["case"].to_list() == [NO_BEGINNING]


def test_who_could_be_judged_on_the_last_day_alone_says_nothing() -> None:
    late = [result_at(f"m{index}", 0.4, 4) for index in range(4)]
    facts = frames([*late, result_at("m4", 0.4, 72)], [benchmark("exam", released_on=RELEASE)])
    assert on(72) == AS_OF
    assert history_of(facts, AS_OF).lives["case"].to_list() == [ONLY_JUST]


def test_every_saturated_benchmark_is_a_death_or_named_and_no_other_is() -> None:
    many = [
        {**row, "benchmark_id": name, "board_id": f"lab/{name}", "source_row": f"{name}:{row['model_id']}"}
        for name, top in (("full", 0.97), ("open", 0.6), ("full/part", 0.97))
        for row in (*FIVE, result_at("elm", top, 20))
    ]
    judged = history_of(
        frames(many, [benchmark(name, released_on=RELEASE) for name in ("full", "open", "full/part")]), AS_OF
    )
    saturated = judged.verdict.filter(pl.col("stage") == "saturated")["benchmark_id"].to_list()
    assert saturated == ["full", "full/part"]
    assert judged.lives.filter("died")["benchmark_id"].to_list() == ["full"], "a part is no life of its own"
    assert set(judged.lives["case"]) <= set(CASES)
    assert life_table(judged.lives).schema == PUBLISHED["life"]
    assert life_table(judged.lives)["fate"].to_list() == ["saturated", "abandoned"]


def test_families_are_those_that_are_declared_and_else_each_its_own() -> None:
    facts = frames(FIVE, [benchmark("exam", released_on=RELEASE)])
    rows = {"benchmark_id": ["exam"], "family": ["exams"], "why": ["one pool"], "source_url": ["https://example.org"]}
    judged = history_of(facts, AS_OF)
    assert judged.lives["family"].to_list() == ["exam"]
    kin = replace(facts, family=pl.DataFrame(rows, schema=FAMILY))
    assert lives(judged.evidence, judged.verdict, judged.history, kin)["family"].to_list() == ["exams"]


def test_no_facts_no_lives() -> None:
    assert history_of(frames(), AS_OF).lives.is_empty()
