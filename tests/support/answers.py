"""Answers for tests: of facts in small frames and of derived tables written down, through the graph."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import polars as pl

from benchhealth.analytics.aging.lives import LIFE
from benchhealth.analytics.answers.cases import AssessedTables
from benchhealth.analytics.answers.instead import alternative_table, standing_of
from benchhealth.analytics.answers.table import QUESTIONS, answer_rows
from benchhealth.analytics.graph import ENTRIES
from benchhealth.analytics.indicators import INDICATORS, indicate
from benchhealth.analytics.record.evidence import OUTLOOK, Evidence
from benchhealth.analytics.record.frames import LABEL_ERROR, Frames
from benchhealth.analytics.record.tables import DERIVED, PUBLISHED, empty
from benchhealth.analytics.saturation.activity import N_MODELS
from benchhealth.analytics.schedule import run
from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.analytics.verdict.verdict import judge, rule_outcomes
from tests.support.frames import Row, evidence_of
from tests.support.verdicts import JUDGED_BY

AS_OF = date(2026, 1, 1)
JUDGED = ("room", "order", "looked", "stage", "outlook", "instead")
"""Questions that read indicators and rules."""
READ = [one for one in INDICATORS if one in JUDGED_BY or one.key in {"frontier", "resolution_top5_paired"}]
"""The indicators that these questions read."""

_COMPUTED = ("answer", "alternative", "indicator", "verdict", "verdict_history")
_COUNTED = ("decision", "position", "board", "measuring_party")


def answer_table(
    facts: Frames,
    as_of: date = AS_OF,
    *,
    outlook: Iterable[Mapping[str, Any]] = (),
    label_error: Iterable[Mapping[str, Any]] = (),
    successor: Iterable[Mapping[str, Any]] = (),
    **tables: Iterable[Mapping[str, Any]],
) -> pl.DataFrame:
    """The table `answer` of these facts; derived tables are as they are written down here, all others empty."""
    return _table("answer", facts, as_of, outlook, label_error, successor, tables)


def decision_table(
    facts: Frames, as_of: date = AS_OF, *, label_error: Iterable[Mapping[str, Any]] = (), **tables: Iterable[Row]
) -> pl.DataFrame:
    """The table `decision` of these facts, likewise; who measured is counted from the facts."""
    return _table("decision", facts, as_of, (), label_error, (), tables)


def _table(  # noqa: PLR0917
    wanted: str,
    facts: Frames,
    as_of: date,
    outlook: Iterable[Mapping[str, Any]],
    label_error: Iterable[Mapping[str, Any]],
    successor: Iterable[Mapping[str, Any]],
    tables: Mapping[str, Iterable[Mapping[str, Any]]],
) -> pl.DataFrame:
    audited = _audited(facts, label_error, successor)
    written = {name: rows_of(PUBLISHED[name], rows) for name, rows in tables.items()}
    evidence = _evidence(audited, as_of, written, outlook)
    computed = (*_COMPUTED, *_COUNTED) if wanted == "decision" else _COMPUTED
    derived = {name: empty(name) for name in DERIVED if name not in computed} | written
    given = {**derived, "frames": audited, "as_of": as_of, "evidence": evidence, "full_evidence": evidence}
    table: pl.DataFrame = run(ENTRIES, given, (wanted,))[wanted]
    return table


def _audited(facts: Frames, label_error: Iterable[Row], successor: Iterable[Row]) -> Frames:
    return replace(
        facts,
        label_error=rows_of(LABEL_ERROR, label_error),
        successor=rows_of(PUBLISHED["successor"], successor),
    )


def answer(facts: Frames, question: str, benchmark_id: str = "a", as_of: date = AS_OF, **more: Any) -> Row:  # noqa: ANN401
    """One row of that table, with no more computed than the question reads: no `since`, no lives."""
    assessed = _assessed(facts, as_of, judged=question in JUDGED, **more)
    about = assessed.rows.select("benchmark_id", of_condition="condition", of_known_until="known_until")
    rows = answer_rows(next(one for one in QUESTIONS if one.key == question), assessed, about)
    return rows.row(by_predicate=pl.col("benchmark_id") == benchmark_id, named=True)


def _assessed(
    facts: Frames,
    as_of: date,
    *,
    judged: bool,
    outlook: Iterable[Mapping[str, Any]] = (),
    label_error: Iterable[Mapping[str, Any]] = (),
    successor: Iterable[Mapping[str, Any]] = (),
    **tables: Iterable[Mapping[str, Any]],
) -> AssessedTables:
    written = {name: rows_of(PUBLISHED[name], rows) for name, rows in tables.items()}
    evidence = _evidence(facts, as_of, written, outlook)
    counted = N_MODELS.compute(evidence).with_columns(indicator=pl.lit(N_MODELS.key))
    indicator = (
        indicate(evidence, indicators=READ)
        if judged
        else counted.join(evidence.known_until, on="benchmark_id", how="left")
    )
    assessed = AssessedTables(
        frames=_audited(facts, label_error, successor),
        full_evidence=evidence,
        ruled=rule_outcomes(indicator, Thresholds()),
        indicator=indicator,
        verdict=judge(indicator, Thresholds(), as_of),
        transfer=written.get("transfer", empty("transfer")),
        lives=pl.DataFrame(schema=LIFE),
        reporter_frontier=written.get("reporter_frontier", empty("reporter_frontier")),
    )
    if not judged:
        return assessed
    return replace(assessed, alternative=alternative_table(standing_of(assessed), assessed))


def _evidence(
    facts: Frames, as_of: date, written: Mapping[str, pl.DataFrame], outlook: Iterable[Mapping[str, Any]]
) -> Evidence:
    return replace(
        evidence_of(facts, as_of, written),
        risk=written.get("contamination_risk", empty("contamination_risk")),
        outlook=rows_of(OUTLOOK, outlook),
    )


def rows_of(schema: pl.Schema, rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """A frame of that schema; what a row does not name is null."""
    return pl.DataFrame([{name: row.get(name) for name in schema} for row in rows], schema=schema, orient="row")
