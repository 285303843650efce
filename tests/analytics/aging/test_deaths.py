"""When a benchmark counts as saturated: the verdict's rules on past days, and whose word is taken for a score."""

from collections.abc import Iterable
from datetime import date, timedelta

import polars as pl
import pytest
from benchhealth.analytics.aging.deaths import believed

from benchhealth.analytics.aging.lives import lives
from benchhealth.analytics.record.evidence import MONTH_DAYS
from tests.support.frames import Row, benchmark, evidence_of, frames, result

AS_OF = date(2026, 1, 1)
RELEASE = date(2020, 1, 1)
MAKERS = [
    {"model_id": name, "organisation": maker} for name, maker in (("own-1", "Oak"), ("own-2", "oak"), ("elm", "Elm"))
]


def on(months: float) -> date:
    return RELEASE + timedelta(days=round(months * MONTH_DAYS))


def told(model: str, score: float, months: float, reporter: str = "third_party") -> Row:
    return result("exam", model, score, dated_on=on(months), reporter=reporter, n_items=5_000)


FIVE = [told(f"m{at}", 0.4 + 0.05 * at, 4 + at) for at in range(5)]
"""Five models by month 8, far from the end of the scale."""


def life(*rows: Row, **about: object) -> dict[str, object]:
    known = frames([*FIVE, *rows], [benchmark("exam", **{"released_on": RELEASE, **about})], models=MAKERS)
    found = lives(evidence_of(known, AS_OF), known.model)
    return found.row(0, named=True)


def died_at(*rows: Row, **about: object) -> int | None:
    found = life(*rows, **about)
    return round(float(found["exit"])) if found["died"] else None  # type: ignore[arg-type]


def test_a_third_party_is_believed_at_once() -> None:
    assert died_at(told("elm", 0.96, 20), told("m0", 0.5, 30)) == 20


def test_a_single_self_reported_score_kills_no_benchmark() -> None:
    alone = told("own-1", 0.99, 20, "self")
    assert died_at(alone, told("m0", 0.5, 30)) is None
    assert died_at(alone, told("own-2", 0.99, 25, "self"), told("m0", 0.5, 30)) is None  # the same maker again


@pytest.mark.parametrize(("reporter", "age"), [("self", None), ("third_party", 33)])
def test_it_counts_from_the_day_on_which_others_measured_as_much(reporter: str, age: int | None) -> None:
    """Others measured five models here, so that another maker's word about its own model confirms nothing."""
    assert died_at(told("own-1", 0.99, 20, "self"), told("elm", 0.97, 33, reporter)) == age


def test_what_others_say_counts_up_to_what_they_say() -> None:
    claimed, confirmed = told("own-1", 0.99, 20, "self"), told("elm", 0.7, 25, "self")
    assert died_at(claimed, confirmed, told("m0", 0.5, 40)) is None
    known = frames([claimed, confirmed], models=MAKERS)
    evidence = evidence_of(known, AS_OF)
    assert believed(evidence.past, known.model).select("model_id", "believed_on").rows() == [("elm", on(25))]


def test_watched_from_the_fifth_model_and_the_third_month_on() -> None:
    assert round(float(life()["entry"])) == 8  # type: ignore[arg-type]
    early = [told(f"e{at}", 0.5, 1) for at in range(5)]
    assert life(*early)["entry"] == 3.0
    assert died_at(*early, told("elm", 0.97, 2), told("m0", 0.2, 2.5)) == 3  # once three months are over


def test_within_error_of_the_limit_is_not_beyond_it() -> None:
    near = {**told("elm", 0.905, 20), "n_items": 100}
    assert died_at(near, told("m0", 0.5, 30)) is None


def test_humans_passed_and_nothing_since_is_an_end_as_in_the_verdict() -> None:
    bunch: Iterable[Row] = [told(f"b{at}", 0.83 + 0.001 * at, 20 + at) for at in range(5)]
    later = [told(f"l{at}", 0.80, 40 + at) for at in range(6)]
    rows = [{**row, "n_items": 900} for row in (*bunch, *later)]
    assert died_at(*rows) is None
    assert died_at(*rows, human=0.70) == 24  # the five that passed the human line cannot be told apart


def test_no_ceiling_no_floor_no_life() -> None:
    known = frames(FIVE, [benchmark("exam", released_on=RELEASE, floor=None)])
    assert lives(evidence_of(known, AS_OF), known.model).is_empty()
    nothing = frames()
    assert lives(evidence_of(nothing, AS_OF), nothing.model).is_empty()


def test_believed_keeps_every_result_of_a_third_party() -> None:
    known = frames(FIVE, models=MAKERS)
    past = evidence_of(known, AS_OF).past
    found = believed(past, known.model)
    assert found.height == past.height
    assert found.select((pl.col("believed_on") == pl.col("dated_on")).all()).item()
