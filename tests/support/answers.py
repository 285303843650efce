"""Answers for tests: of facts in small frames and of derived tables written down, through the graph."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import polars as pl

from benchhealth.analytics.graph import ENTRIES
from benchhealth.analytics.record.evidence import OUTLOOK
from benchhealth.analytics.record.frames import LABEL_ERROR, Frames
from benchhealth.analytics.record.tables import DERIVED, PUBLISHED, empty
from benchhealth.analytics.schedule import run
from tests.support.frames import Row, evidence_of

AS_OF = date(2026, 1, 1)
_COMPUTED = ("answer", "indicator", "verdict")


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
    audited = replace(
        facts,
        label_error=rows_of(LABEL_ERROR, label_error),
        successor=rows_of(PUBLISHED["successor"], successor),
    )
    written = {name: rows_of(PUBLISHED[name], rows) for name, rows in tables.items()}
    evidence = replace(
        evidence_of(audited, as_of, written),
        risk=written.get("contamination_risk", empty("contamination_risk")),
        outlook=rows_of(OUTLOOK, outlook),
    )
    derived = {name: empty(name) for name in DERIVED if name not in _COMPUTED} | written
    given = {**derived, "frames": audited, "as_of": as_of, "evidence": evidence, "full_evidence": evidence}
    found: pl.DataFrame = run(ENTRIES, given, ("answer",))["answer"]
    return found


def answer(facts: Frames, question: str, benchmark_id: str = "a", as_of: date = AS_OF, **more: Any) -> Row:  # noqa: ANN401
    """One row of that table."""
    rows = answer_table(facts, as_of, **more)
    return rows.row(
        by_predicate=(pl.col("benchmark_id") == benchmark_id) & (pl.col("question") == question), named=True
    )


def rows_of(schema: pl.Schema, rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """A frame of that schema; what a row does not name is null."""
    return pl.DataFrame([{name: row.get(name) for name in schema} for row in rows], schema=schema, orient="row")
