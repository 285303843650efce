"""What a measure of this package reads and returns: stored facts in, findings with their uncertainty out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

import numpy as np
import polars as pl

from benchhealth.analytics.goodhart.pairs import Points
from benchhealth.analytics.goodhart.same_sources import RunOfYears
from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.tables import PUBLISHED

TABLE = "goodhart"
ALL = "all"
"""The subject of a finding over everything, and its kind."""


class Finding(NamedTuple):
    """One row of table `goodhart`; where `status` is not ok there is no value, and `case` says why.

    `on_day` to `names` are what belongs to the case (`analytics.record.tables.case`).
    """

    measure: str
    subject_kind: str
    subject: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    year: int | None = None
    on_date: date | None = None
    status: str = "ok"
    case: str | None = None
    on_day: date | None = None
    until_day: date | None = None
    numbers: Sequence[float] = ()
    names: Sequence[str] = ()


@dataclass(frozen=True)
class MeasureInputs:
    """The inputs of all measures.

    `evidence` as the indicators have it. `pairs`: proxies and targets, columns `pair_id`, `original_id`, `other_id`,
    `kind`, `source_id` (null: any) and `other_source_id` (null: the same); `points`: the models of each by `pair_id`.
    `twin`: the published table. `model`: the published table with `maker`, its organisation.
    `entries`: one row for each whole benchmark and model, the earliest by date, with `dated_on`, `date_basis`, `year`.
    `debut`: each model's day of release, or the first day that any source has it (no row where neither is known).
    `breaks`: the curated breakpoints by `benchmark_id` and `on_date`.
    `compared`: the years that can be compared over all benchmarks and the sources that report in all of them, and
    `same_sources`: like `entries`, of these years and sources alone, without what the snapshot dates.
    """

    evidence: Evidence
    pairs: pl.DataFrame
    points: Mapping[str, Points]
    twin: pl.DataFrame
    model: pl.DataFrame
    entries: pl.DataFrame
    debut: pl.DataFrame
    breaks: pl.DataFrame
    compared: RunOfYears
    same_sources: pl.DataFrame


Compute = Callable[[MeasureInputs, np.random.Generator], Iterable[Finding]]


@dataclass(frozen=True)
class Measure:
    """One way to look for what optimising does to a measurement.

    `units` names every quantity that `compute` returns, with what it is counted in. The definition and its source are
    the docstring of `compute`.
    """

    units: Mapping[str, str]
    compute: Compute


class FindingError(AssertionError):
    """A finding contradicts its status, repeats another, or is of a quantity that its measure does not name."""


def no_value(  # noqa: PLR0913, PLR0917 - as Finding
    measure: str,
    subject_kind: str,
    subject: str,
    case: str,
    n: int | None = None,
    numbers: Sequence[float] = (),
) -> Finding:
    """A finding without a value, with the case that says why it has none."""
    return Finding(measure, subject_kind, subject, n=n, status="insufficient", case=case, numbers=numbers)


def findings_table(findings: Iterable[Finding], units: Mapping[str, str]) -> pl.DataFrame:
    """The findings in the published schema, sorted; raises FindingError where they contradict themselves."""
    schema = PUBLISHED[TABLE]
    order = {name: schema[name] for name in Finding._fields}
    table = (
        pl.DataFrame(list(findings), schema=order, orient="row")
        .match_to_schema(schema, missing_columns="insert")
        .with_columns(pl.col("value", "low", "high").fill_nan(None))
        .sort("measure", "subject_kind", "subject", "year", "on_date", nulls_last=True)
    )
    key = ["measure", "subject_kind", "subject", "year"]
    if table.select(key).is_duplicated().any():
        raise FindingError(f"the same finding twice: {table.filter(table.select(key).is_duplicated()).head(3)}")
    if strange := set(table["measure"]) - set(units):
        raise FindingError(f"without a unit: {sorted(strange)}")
    is_ok = pl.col("status") == "ok"
    usable = pl.col("value").is_finite().fill_null(value=False)
    outside = ~pl.col("value").is_between(pl.col("low") - 1e-9, pl.col("high") + 1e-9).fill_null(value=True)
    silent = ~is_ok & (pl.col("value").is_not_null() | pl.col("case").is_null())
    wrong = table.filter((is_ok & ~usable) | silent | outside)
    if wrong.height:
        raise FindingError(f"value, interval and status disagree: {wrong.head(3).to_dicts()}")
    return table
