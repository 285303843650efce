"""Verdicts for tests: from indicators written down, or from results through the indicators alone."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

import polars as pl

from benchhealth.analytics.indicators import INDICATORS, indicate
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import DERIVED, empty
from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.analytics.verdict.verdict import SIDES_BEFORE, USED, judge, reasons, sides_before
from benchhealth.dashboard.words.prose.tables import with_prose
from tests.support.frames import Row, evidence_of

LIMITS = Thresholds()
Interval = tuple[float, float | None, float | None]
"""Value, low and high."""
Indicators = Mapping[str, float | Interval | None]
Before = Mapping[str, bool | None]
AS_OF = date(2026, 1, 1)
JUDGED_BY = [one for one in INDICATORS if one.key in USED]
"""The indicators that verdicts rest on: to compute all others takes half the time of a verdict."""


def indicator_table(benchmarks: Iterable[Indicators]) -> pl.DataFrame:
    """The indicators of one benchmark after the other, named by their place: a number has no interval."""
    rows = []
    for number, values in enumerate(benchmarks):
        for name, stated in values.items():
            value, low, high = stated if isinstance(stated, tuple) else (stated, None, None)
            row = {"benchmark_id": f"{number:04}", "indicator": name, "value": value, "low": low, "high": high}
            rows.append({**row, "reason": f"why {name}"})
    return pl.DataFrame(rows, schema=empty("indicator").schema)


def judged_all(benchmarks: Sequence[tuple[Indicators, Before]]) -> list[Row]:
    """The verdicts on benchmarks with these indicators; of each, which rules with a margin held before, or did not."""
    memory = [
        {"benchmark_id": f"{number:04}", **{f"was_{rule}": held for rule, held in before.items()}}
        for number, (_, before) in enumerate(benchmarks)
        if before
    ]
    table = indicator_table(indicators for indicators, _ in benchmarks)
    return _judged(table, AS_OF, pl.DataFrame(memory, schema=SIDES_BEFORE)).rows(named=True)


def _judged(table: pl.DataFrame, as_of: date, memory: pl.DataFrame | None) -> pl.DataFrame:
    """The verdicts with the sentences of their reasons, as they are published."""
    made = {
        "indicator": table,
        "verdict": judge(table, LIMITS, as_of, memory),
        "verdict_reason": reasons(table, LIMITS, memory),
    }
    return with_prose({**{name: empty(name) for name in DERIVED}, **made})["verdict"]


def judged(**indicators: float | Interval | None) -> Row:
    """The verdict on a benchmark with these indicators, of which nothing was known before."""
    return judged_all([(indicators, {})])[0]


def verdict(facts: Frames, as_of: date, *, remembers: bool = True) -> Row:
    """The verdict on the one benchmark of `facts` by what was known at the end of a day."""
    seen = pl.col("observed_at").dt.date() <= as_of
    seen_by_then = Frames(**{**vars(facts), "result": facts.result.filter(seen)})
    evidence = evidence_of(seen_by_then, as_of)
    table = indicate(evidence, indicators=JUDGED_BY)
    memory = sides_before(seen_by_then, evidence, table, LIMITS) if remembers else None
    return _judged(table, as_of, memory).row(0, named=True)
