"""Across a proposed breakpoint nothing is computed until a curator decides: no curve, no verdict, no change."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from functools import cache

import numpy as np
import polars as pl
import pytest

from benchhealth.analytics.assess import Assessment, assess
from benchhealth.analytics.change.previous import CARRIED_TABLE, COMPARED, RESULT_COMPARED, Previous
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.words.prose.cases import with_sentences
from benchhealth.dashboard.words.prose.tables import with_prose
from tests.support.frames import Row, benchmark, frames, result

FIRST, SECOND = date(2025, 1, 10), date(2025, 7, 16)
AS_OF = date(2025, 9, 1)
TABLES = ("frontier", "verdict", "indicator", "breakpoint", "benchmark", "change")
SCORES = [0.10 + 0.01 * place for place in range(20)]
REGRADED = [score + 0.03 + 0.02 * (place % 5) for place, score in enumerate(SCORES)]


def board(scores: list[float], on: date, source_id: str = "lab", **more: object) -> list[Row]:
    return [
        result(
            "exam",
            f"m{place}",
            score,
            observed_on=on,
            dated_on=FIRST - timedelta(days=90 - place),
            source_id=source_id,
            n_items=100,
            **more,
        )
        for place, score in enumerate(scores)
    ]


def facts_with_step(*rows: Row, kind: str = "") -> Frames:
    """Two states of a board of which the second is graded anew; `kind` is what a curator says of it."""
    came = result("exam", "newcomer", 0.6, observed_on=SECOND, dated_on=SECOND, n_items=100)
    old = [{**row, "stands": False} for row in board(SCORES, FIRST)]
    proposal = {"board_id": "lab/exam", "on_date": SECOND, "kind": kind, "note": "seen", "source_url": "https://a.org"}
    benchmarks = [benchmark("exam", released_on=date(2024, 1, 1))]
    rows = [*old, *board(REGRADED, SECOND), came, *rows]
    return frames(rows, benchmarks, breakpoints=[proposal] if kind else [], looked_on=AS_OF)


@cache
def assessed(kind: str = "", *, elsewhere: bool = False) -> Assessment:
    rows = [result("exam", "other", 0.45, source_id="club", dated_on=SECOND, observed_on=AS_OF)] if elsewhere else []
    return assess(facts_with_step(*rows, kind=kind), AS_OF, np.random.default_rng(0), tables=TABLES)


def verdict(assessment: Assessment) -> dict[str, object]:
    return assessment.tables["verdict"].row(by_predicate=pl.col("benchmark_id") == "exam", named=True)


def test_the_curve_stops_the_day_before() -> None:
    steps = assessed().tables["frontier"]
    assert assessed().breakpoint["kind"].to_list() == ["proposed data"]
    assert steps["dated_on"].max() == SECOND - timedelta(days=1)
    assert steps["score"].max() == pytest.approx(max(SCORES))
    assert assessed().tables["benchmark"]["known_until"].item() == SECOND - timedelta(days=1)


def test_there_is_no_verdict_and_the_reason_says_which_step_waits() -> None:
    assert verdict(assessed())["stage"] == "unknown"
    tables = with_prose(assess(facts_with_step(), AS_OF, np.random.default_rng(0)).tables)
    (reasons,) = tables["verdict"].filter(benchmark_id="exam")["reasons"].to_list()
    assert isinstance(reasons, list)
    assert reasons[0].startswith("proposed_breaks is 1, above 0: what came since may be another measurement")
    assert "data of lab/exam on 2025-07-16: 20 of 20 past scores edited" in reasons[0]


def test_what_other_boards_say_goes_on() -> None:
    steps = assessed(elsewhere=True).tables["frontier"]
    assert steps.filter("carried").select("dated_on", "model_id").row(0) == (AS_OF, "other")
    assert verdict(assessed(elsewhere=True))["stage"] == "unknown"


@pytest.mark.parametrize("kind", ["rules", "none"])
def test_a_curator_decides_and_all_goes_on(kind: str) -> None:
    assessment = assessed(kind)
    assert assessment.tables["frontier"].filter("carried").select("dated_on", "model_id").row(0) == (AS_OF, "newcomer")
    assert verdict(assessment)["stage"] != "unknown"
    assert assessment.breakpoint["kind"].to_list() == ([] if kind == "none" else [kind])


def test_a_change_across_it_is_told_as_the_step_alone() -> None:
    first = frames(board(SCORES, FIRST), [benchmark("exam", released_on=date(2024, 1, 1))], looked_on=FIRST)
    tables = (*COMPARED[:-1], CARRIED_TABLE)
    before = assess(first, FIRST, np.random.default_rng(0), tables=TABLES).tables
    tables_before = {name: before.get(name, pl.DataFrame(schema=PUBLISHED[name])).lazy() for name in tables}
    tables_before |= {"snapshot": first.snapshot.lazy(), "result": first.result.select(RESULT_COMPARED)}
    changed = assess(
        facts_with_step(),
        AS_OF,
        np.random.default_rng(0),
        previous=Previous("gen-1", tables_before),
        tables=("change",),
    )
    change = with_sentences(changed.tables["change"], "text")
    assert not {"best", "best_late", "best_lost", "correction", "leader"} & set(change["kind"])
    (step,) = change.filter(kind="break").iter_rows(named=True)
    assert step["text"].startswith("looks like a change of data (20 of 20 past scores edited")
    (stage,) = change.filter(kind="stage").iter_rows(named=True)
    assert "a proposed break of a board awaits a curator" in stage["text"]


@pytest.mark.parametrize(("kind", "counts"), [("data", True), ("rules", False)])
def test_after_a_change_of_rules_what_was_not_said_again_is_no_step(kind: str, counts: bool) -> None:
    pruned = result("exam", "gone", 0.41, observed_on=FIRST, dated_on=FIRST, n_items=100)
    steps = assess(facts_with_step(pruned, kind=kind), AS_OF, np.random.default_rng(0), tables=("frontier",)).tables[
        "frontier"
    ]
    assert ("gone" in steps["model_id"].to_list()) is counts


def test_a_board_that_was_not_seen_since_the_change_keeps_its_curve() -> None:
    """The registry knows of a break that this home has not fetched yet."""
    decided = facts_with_step(kind="rules")
    before = replace(decided, result=decided.result.filter(pl.col("observed_at") < SECOND).with_columns(stands=True))
    steps = assess(before, AS_OF, np.random.default_rng(0), tables=("frontier",)).tables["frontier"]
    assert steps["score"].max() == pytest.approx(max(SCORES))
