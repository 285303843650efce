"""The ledger of published verdicts, and the one of backcast forecasts."""

from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path

import polars as pl

from benchhealth.analytics.record.tables.of_forecasts import BACKCAST
from benchhealth.analytics.record.tables.of_verdicts import VERDICT_ISSUED
from benchhealth.warehouse.sql import FACTS, select
from benchhealth.warehouse.store import Store, reading

VERDICTS, FORECASTS = "verdict_issued", "forecast_backcast"
LEDGERS: Mapping[str, pl.Schema] = {VERDICTS: VERDICT_ISSUED, FORECASTS: BACKCAST}
"""The two ledgers by table, each with the columns that analytics reads."""

_ORDER = ("issued_on", "held_on", "backcast", "benchmark_id", "horizon_months")

KEY = ("benchmark_id", "issued_on", "backcast")
"""The columns that identify a row which a generation entered; its `backcast` is false."""


def enter(store: Store, stated: pl.DataFrame, *, generation: str, as_of: date, published_at: datetime) -> int:
    """Enter what a generation that was published at that instant (naive UTC) says; returns how many rows are new.

    `stated` are its verdicts as `verdict.known_then.stated` has them. Only a generation of the day itself is entered:
    an assessment of a past day says nothing of what a reader was told then. Of a day that has entries none is changed.
    """
    if as_of != published_at.date():
        return 0
    rows = stated.with_columns(generation=pl.lit(generation), issued_at=pl.lit(published_at, dtype=pl.Datetime("us")))
    return store.append_new(VERDICTS, rows.select(FACTS[VERDICTS].names()), KEY, dated_by="issued_at")


def fill(store: Store, tables: Mapping[str, pl.DataFrame], instant: datetime) -> int:
    """Enter rows of LEDGERS that are backcast, or come from a bundle, in one transaction; returns how many are new.

    A day that a ledger holds already is not changed; days issued, held until and backcast count as different days.
    """
    new = {name: _unknown(store, name, rows) for name, rows in tables.items()}
    entered_at = pl.lit(instant, dtype=pl.Datetime("us"))
    store.append_all({name: rows.with_columns(issued_at=entered_at) for name, rows in new.items()})
    return sum(rows.height for rows in new.values())


def _unknown(store: Store, name: str, rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of days that this ledger does not hold yet."""
    day = [column for column in ("issued_on", "held_on", "backcast") if column in rows.columns]
    return rows.join(store.days(name, day), on=day, how="anti", nulls_equal=True, maintain_order="left")


def ledger(home: Path, name: str) -> pl.DataFrame:
    """One of LEDGERS, in order of days; its schema. Raises as `warehouse.store.reading` does."""
    schema = LEDGERS[name]
    columns = ", ".join(f'"{column}"' for column in schema)
    order = ", ".join(name for name in _ORDER if name in schema)
    with reading(home) as connection:
        return select(connection, f"SELECT {columns} FROM {name} ORDER BY {order}").cast(schema)  # noqa: S608 - own
