"""What measures read, from rows of the builders."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

import numpy as np

from benchhealth.analytics.goodhart.measure import Compute, Finding, MeasureInputs
from benchhealth.analytics.goodhart.table import measure_inputs
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import DERIVED, empty
from benchhealth.analytics.twins.tables import twin_tables
from tests.support.frames import Row, evidence_of, frames

AS_OF = date(2026, 2, 1)


def inputs_of_facts(facts: Frames, as_of: date = AS_OF) -> MeasureInputs:
    tables = {name: empty(name) for name in DERIVED} | twin_tables(
        facts, np.random.default_rng(2), empty("design_effect")
    )._asdict()
    return measure_inputs(facts, evidence_of(facts, as_of, tables), tables["twin"])


def inputs(results: Iterable[Row], benchmarks: Iterable[Row] | None = None, **more: Any) -> MeasureInputs:  # noqa: ANN401
    return inputs_of_facts(frames(results, benchmarks, **more))


def measure_rows(compute: Compute, on: MeasureInputs, measure: str | None = None, seed: int = 0) -> list[Finding]:
    """What a measure finds, of one of its quantities where that is named."""
    rows = list(compute(on, np.random.default_rng(seed)))
    return [row for row in rows if measure is None or row.measure == measure]


def by_subject(rows: Iterable[Finding]) -> Mapping[str, Finding]:
    return {row.subject: row for row in rows}
