"""What was taken back, why, and how late a stage was known: by hand."""

from dataclasses import replace
from datetime import date

import polars as pl
import pytest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.of_verdicts import CAUSES
from benchhealth.analytics.verdict.history import BY_DATE, KNOWN_THEN
from benchhealth.analytics.verdict.known_then.revisions import revision_counts, revisions
from tests.analytics.verdict.known_then.test_ledger import JULY, JUNE, MAY, NOW, then, verdict_row
from tests.support.frames import Row, benchmark, evidence_of, frames, result

BEGAN = date(2025, 6, 8)


def by_date(*stages: tuple[date, str], benchmark_id: str = "a") -> pl.DataFrame:
    """A history by date of one benchmark: each stage from its day on."""
    ends = [day for day, _ in stages[1:]] + [None] * bool(stages)
    rows = [
        {"benchmark_id": benchmark_id, "from_on": day, "until_on": end, "stage": stage, "basis": BY_DATE}
        for (day, stage), end in zip(stages, ends, strict=True)
    ]
    return pl.DataFrame(rows, schema=PUBLISHED["verdict_history"])


def judged(days: pl.DataFrame, history: pl.DataFrame, rows: list[Row]) -> pl.DataFrame:
    evidence = evidence_of(frames(rows, [benchmark("a")]), date(2026, 1, 1))
    return revisions(days, history, evidence)


def one(**more: object) -> Row:
    """The best of the ledger, seen in time, and as it was."""
    return result("a", "m", 0.5, dated_on=date(2025, 1, 1), observed_on=date(2025, 2, 1), **more)  # type: ignore[arg-type]


BACK = then(verdict_row(MAY, "saturated"), verdict_row(JUNE, "saturated"), verdict_row(JULY, "compressing"))


def test_a_stage_that_ended_because_the_benchmark_went_on_was_not_taken_back() -> None:
    table = judged(BACK, by_date((date(2024, 1, 1), "saturated"), (date(2025, 7, 9), "compressing")), [one()])
    assert table.select("stage", "fate", "cause", "days").rows() == [
        ("saturated", "moved_on", None, 61),
        ("compressing", "holds", None, None),
    ]


@pytest.mark.parametrize(
    ("rows", "days", "cause"),
    [
        ([one()], then(verdict_row(MAY, "saturated"), verdict_row(JUNE, "compressing", rules_version="9")), "rules"),
        ([{**one(), "model_id": "m-renamed"}], BACK, "names"),
        ([{**one(), "score": 0.45}], BACK, "edits"),
        (
            [one(), result("a", "n", 0.9, dated_on=date(2025, 5, 1), observed_on=date(2025, 7, 20), source_id="other")],
            BACK,
            "late",
        ),
        ([one()], BACK, "facts"),
    ],
    ids=["rules", "names", "edits", "late", "facts"],
)
def test_what_took_a_stage_back(rows: list[Row], days: pl.DataFrame, cause: str) -> None:
    table = judged(days, by_date((date(2024, 1, 1), "compressing")), rows)
    row = table.row(0, named=True)
    assert (row["fate"], row["cause"], row["stage_by_date"]) == ("taken_back", cause, "compressing")
    assert row["late"] == (1 if cause == "late" else 0)
    assert set(CAUSES) >= {cause}


def test_a_result_seen_by_the_last_day_is_not_late() -> None:
    rows = [one(), result("a", "n", 0.9, dated_on=date(2025, 5, 1), observed_on=JUNE, source_id="other")]
    assert judged(BACK, by_date((date(2024, 1, 1), "compressing")), rows)["late"][0] == 0


def test_what_no_dated_result_tells_of_is_not_judged() -> None:
    assert judged(BACK, by_date(), [one()])["fate"].to_list() == ["unjudged", "holds"]
    unknown = by_date((date(2024, 1, 1), "unknown"))
    assert judged(BACK, unknown, [one()])["fate"].to_list() == ["unjudged", "holds"]


def test_the_lag_runs_from_the_day_on_which_the_stage_began() -> None:
    days = then(
        verdict_row(MAY, "emerging"),
        verdict_row(JUNE, "emerging"),
        verdict_row(JULY, "saturated"),
        now=(verdict_row(NOW, "saturated"),),
    )
    history = by_date((date(2024, 1, 1), "emerging"), (BEGAN, "saturated"))
    table = judged(days, history, [one()])
    assert table.select("stage", "began_on", "lag").rows() == [
        ("emerging", date(2024, 1, 1), None),
        ("saturated", BEGAN, (JULY - BEGAN).days),
    ]
    facts = evidence_of(frames([one()], [benchmark("a")]), date(2026, 1, 1)).facts
    counted = revision_counts(table, days, facts.with_columns(curated=pl.lit(value=True)))
    row = counted.row(by_predicate=(pl.col("stage") == "saturated") & (pl.col("of") == "all"), named=True)
    assert (row["lags"], row["lag"], row["first_on"], row["last_on"]) == (1, float((JULY - BEGAN).days), MAY, NOW)


def test_counts_are_of_judged_stretches_and_their_interval_holds_the_share() -> None:
    history = by_date((date(2024, 1, 1), "compressing"))
    table = judged(BACK, history, [one()])
    facts = evidence_of(frames([one()], [benchmark("a")]), date(2026, 1, 1)).facts
    counted = revision_counts(table, BACK, facts.with_columns(curated=pl.lit(value=True)))
    row = counted.row(by_predicate=(pl.col("stage") == "any") & (pl.col("of") == "curated"), named=True)
    assert (row["basis"], row["said"], row["taken_back"], row["by_facts"]) == (KNOWN_THEN, 2, 1, 1)
    assert row["share_low"] < 0.5 < row["share_high"]
    assert row["days"] == 61


def test_what_is_said_now_holds() -> None:
    evidence = evidence_of(frames([one()], [benchmark("a")]), date(2026, 1, 1))
    days = then(verdict_row(MAY, "saturated"), now=(verdict_row(NOW, "saturated"),))
    table = revisions(days, by_date((date(2024, 1, 1), "compressing")), replace(evidence))
    assert table["fate"].to_list() == ["holds"]
