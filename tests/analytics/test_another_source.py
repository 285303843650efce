"""A source that is wrong about everything moves no curve of another source."""

from dataclasses import replace
from datetime import date, timedelta
from functools import cache

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.analytics.graph import ENTRIES
from benchhealth.analytics.record.conditions.recognise import with_condition
from benchhealth.analytics.record.conditions.standing import standing
from benchhealth.analytics.record.dating import date_results
from benchhealth.analytics.record.frames import MODEL_CLAIM, Frames
from benchhealth.analytics.record.model_facts.reconcile import first_seen, reconcile
from benchhealth.analytics.schedule import run
from tests.support.frames import OBSERVED, Row, benchmark, frame, frames, result

AS_OF = OBSERVED + timedelta(days=200)
LAB = "lab"
CURVES = ("frontier", "condition_frontier", "rank")
RULES = [
    {"benchmark_id": of, "condition": condition, "kind": kind, "is_reference": of == "exam", "field": "setting"}
    | {"pattern": pattern}
    for of, condition, kind, pattern in (
        ("exam", "no tools", "help", "^no tools"),
        ("*", "tools", "help", "tools"),
        ("*", "{}", "subset", "subset=([^,]+)"),
    )
]


def results_of_lab() -> list[Row]:
    """A curated benchmark within one condition, one that nobody curated, and a rating: all of one source."""
    exams = [
        result(
            "exam",
            f"m{number}",
            0.40 + number / 50,
            setting="no tools",
            dated_on=OBSERVED - timedelta(days=300 - 20 * number),
            n_items=200,
        )
        for number in range(7)
    ]
    plain = [
        result("quiz", f"m{number}", 0.50 + number / 50, dated_on=OBSERVED - timedelta(days=200 - 20 * number))
        for number in range(7)
    ]
    arena = [result("arena", f"m{number}", 1000.0 + number, date_basis="snapshot") for number in range(7)]
    return [*exams, *plain, *arena]


def claim(model_id: str, released_on: date, source_id: str = "crank") -> dict[str, object]:
    return {"model_id": model_id, "released_on": released_on, "organisation": "Maker", "source_id": source_id}


CLAIMS = [
    claim(f"m{number}", OBSERVED - timedelta(days=400 - 20 * number), source)
    for number in range(7)
    for source in (LAB, "other-lab")
]

DAYS = st.dates(date(1970, 1, 1), OBSERVED)
NAMES = st.sampled_from([*(f"m{number}" for number in range(7)), "m-6", "NewModel", "=cmd()"])
WORDS = st.sampled_from(["tools", "tools, subset=easy", "subset=mine", "tools, best of 64"])


@st.composite
def absurd(draw: st.DrawFn) -> Row:
    """A row of a source that is wrong: about a test of its own, or about another's under another condition."""
    own_test = draw(st.booleans())
    of = draw(st.sampled_from(["mine", "mine/part"])) if own_test else draw(st.sampled_from(["exam", "quiz"]))
    score = draw(st.sampled_from([0.0, 1.0, 0.999, 97.1, -3.0, float("nan"), float("inf")]))
    return result(
        of,
        draw(NAMES),
        score,
        setting="" if own_test else draw(WORDS),
        source_id="crank",
        dated_on=draw(DAYS),
        date_basis=draw(st.sampled_from(["evaluation", "model_release", "snapshot", "paper"])),
        observed_on=draw(st.sampled_from([OBSERVED - timedelta(days=30), OBSERVED, OBSERVED + timedelta(days=60)])),
        n_items=draw(st.sampled_from([None, 1, 10**9])),
        reporter=draw(st.sampled_from(["self", "third_party"])),
        kind=draw(st.sampled_from(["model", "human"])),
    )


def loaded(rows: list[Row], claims: list[dict[str, object]]) -> Frames:
    """The facts as `warehouse.loading.load` makes them of what sources say."""
    distinct = {
        (row["snapshot_id"], row["benchmark_id"], row["model_id"], row["setting"], row["reporter"]): row for row in rows
    }
    plain = frames(
        distinct.values(),
        [
            benchmark("exam", released_on=date(2025, 1, 1)),
            benchmark("quiz"),
            benchmark("arena", unit="rating"),
            benchmark("mine"),
        ],
    )
    table = frame("condition", RULES)
    model_claims = pl.DataFrame([{name: one.get(name) for name in MODEL_CLAIM} for one in claims], schema=MODEL_CLAIM)
    stored = plain.result.collect()
    results = with_condition(stored, table)
    reconciled = reconcile(model_claims, first_seen(results.lazy()).collect())
    in_time = date_results(results, reconciled.model, plain.snapshot, plain.benchmark, plain.breakpoint)
    results = standing(in_time, plain.snapshot).select(stored.columns)
    return replace(plain, result=results.lazy(), model=reconciled.model, condition=table, model_claim=model_claims)


def curves(facts: Frames) -> dict[str, list[tuple[object, ...]]]:
    """The published curves of what the lab measures: those of its benchmarks and boards within its conditions."""
    tables = run(ENTRIES, {"frames": facts, "as_of": AS_OF}, CURVES)
    ranks = tables["rank"].filter(pl.col("board_id").str.starts_with(f"{LAB}/"))
    others = tables["condition_frontier"].filter(pl.col("condition") == "no tools").select(tables["frontier"].columns)
    frontier = tables["frontier"].filter(pl.col("benchmark_id").is_in(["exam", "quiz", "arena"]))
    return {
        "frontier": frontier.sort(frontier.columns).rows(),
        "within": others.filter(pl.col("benchmark_id") != "exam").rows(),
        "rank": ranks.sort(ranks.columns).rows(),
    }


@cache
def curves_of_lab_alone() -> dict[str, list[tuple[object, ...]]]:
    """The curves of the lab where nobody else says anything."""
    return curves(loaded(results_of_lab(), CLAIMS))


@pytest.mark.soak
@settings(max_examples=25, deadline=None)
@given(
    rows=st.lists(absurd(), min_size=1, max_size=6),
    dates=st.dictionaries(st.sampled_from([f"m{number}" for number in range(7)]), DAYS, max_size=4),
)
def test_a_source_that_is_wrong_about_everything_moves_no_curve_of_another(
    rows: list[Row], dates: dict[str, date]
) -> None:
    beside = loaded([*results_of_lab(), *rows], [*CLAIMS, *(claim(name, day) for name, day in dates.items())])
    assert curves(beside) == curves_of_lab_alone()
