"""The ledger of forecasts: what was published, stored on that day and never changed, so that time can judge it."""

from datetime import date, datetime
from pathlib import Path

import polars as pl

from benchhealth.analytics.record.tables.of_forecasts import ISSUED
from benchhealth.warehouse.sql import FACTS, select
from benchhealth.warehouse.store import Store, reading

TABLE = "forecast_issued"
KEY = ("benchmark_id", "horizon_months", "issued_on")


def issue(store: Store, forecasts: pl.DataFrame, *, generation: str, as_of: date, published_at: datetime) -> int:
    """Enter the forecasts of a generation that was published at that instant (naive UTC); returns how many are new.

    `forecasts` is its table `forecast`. Only a forecast of the future is entered: the generation is as of the day of
    publication itself (an assessment of a past day publishes no forecast of it), and the day that is forecast lies
    after it; `made_on`, until when the benchmark was known, stands beside. Of a day that has entries of a benchmark and
    horizon none is added and none changed; and where the ledger holds a later day than this, the clock is wrong and
    nothing is entered. So no entry can be made after the fact, by any command.
    """
    if as_of != published_at.date():
        return 0
    rows = forecasts.filter(
        (pl.col("made_on") <= published_at.date()) & (pl.col("target_on") > published_at.date())
    ).with_columns(
        issued_on=pl.lit(published_at.date()),
        generation=pl.lit(generation),
        issued_at=pl.lit(published_at, dtype=pl.Datetime("us")),
    )
    return store.append_new(TABLE, rows.select(FACTS[TABLE].names()), KEY, dated_by="issued_at")


def issued(home: Path) -> pl.DataFrame:
    """The ledger of forecasts, oldest first; schema `ISSUED`. Raises as `warehouse.store.reading` does."""
    columns = ", ".join(ISSUED)
    with reading(home) as connection:
        order = ", ".join(("issued_on", "benchmark_id", "horizon_months"))
        return select(connection, f"SELECT {columns} FROM {TABLE} ORDER BY {order}").cast(ISSUED)  # noqa: S608 - own
