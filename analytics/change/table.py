"""The table `change`, of the tables that two generations are compared by."""

from datetime import date

import polars as pl

from benchhealth.analytics.change.changes import changes
from benchhealth.analytics.change.previous import RESULT_COMPARED, Previous


def change_table(  # noqa: PLR0913, PLR0917 - the tables that two generations are compared by
    previous: Previous,
    as_of: date,
    benchmark: pl.DataFrame,
    model: pl.DataFrame,
    verdict: pl.DataFrame,
    indicator: pl.DataFrame,
    frontier: pl.DataFrame,
    rank: pl.DataFrame,
    breakpoint: pl.DataFrame,
    incident: pl.DataFrame,
    source: pl.DataFrame,
    snapshot: pl.DataFrame,
    kept_out: pl.DataFrame,
    result: pl.LazyFrame,
) -> pl.DataFrame:
    """Table `change`: what this generation says that the one before did not."""
    if previous.name is None:
        result = result.clear()
    now = {
        "benchmark": benchmark,
        "model": model,
        "verdict": verdict,
        "indicator": indicator,
        "frontier": frontier,
        "rank": rank,
        "breakpoint": breakpoint,
        "incident": incident,
        "source": source,
        "snapshot": snapshot,
        "kept_out": kept_out,
        "result": result.select(RESULT_COMPARED).collect(),
    }
    return changes(previous, as_of, now)
