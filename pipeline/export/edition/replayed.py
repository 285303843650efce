"""What was known at the end of a month, as a generation that is never put in service."""

import os
from calendar import monthrange
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from pathlib import Path

import numpy as np
import polars as pl

from benchhealth.analytics.assess import Ledgers, assess
from benchhealth.analytics.packed import Rows
from benchhealth.analytics.statistics.random_streams import SEED
from benchhealth.dashboard.words.prose.tables import with_prose
from benchhealth.pipeline import watching
from benchhealth.pipeline.errors import UsageError
from benchhealth.pipeline.settings import Settings, now
from benchhealth.warehouse.forecasts.issued import issued
from benchhealth.warehouse.forecasts.verdicts import FORECASTS, VERDICTS, ledger
from benchhealth.warehouse.keeping.editions import MONTH, NAME
from benchhealth.warehouse.loading.load import load_apart
from benchhealth.warehouse.publish import fact_tables, publish
from benchhealth.warehouse.registry import Registry, read_registry
from benchhealth.warehouse.status import kept_out_table, run_table
from benchhealth.warehouse.store import fact_table
from benchhealth.warehouse.watch.reasons import PUBLISHING


def last_day(month: str) -> date:
    """The last day of a month such as `2026-08`. Raises UsageError for what is no month."""
    if not MONTH.fullmatch(month):
        raise UsageError(f"{month!r} is no month, such as 2026-08")
    year, number = (int(part) for part in month.split("-"))
    return date(year, number, monthrange(year, number)[1])


def last_complete(instant: datetime) -> str:
    """The last month that is over at an instant."""
    return f"{instant.date().replace(day=1) - timedelta(days=1):%Y-%m}"


def end_of(month: str) -> datetime:
    """The last instant of a month, naive UTC. Raises UsageError for what is no month."""
    return datetime.combine(last_day(month), time.max)


def was_at_work(home: Path, month: str) -> bool:
    """Whether this home had begun to publish by the end of a month."""
    begun = run_table(home).filter(pl.col("command").is_in(PUBLISHING))["started_at"].min()
    return isinstance(begun, datetime) and begun <= end_of(month)


def generation(settings: Settings, month: str, folder: Path) -> Path:
    """Publish what was known at the end of a month below `folder`, and return the file, which is named by the month.

    The same facts and curated ones give the same tables, whenever it is asked for: what was entered in a ledger or
    kept out later is left out, and nothing is compared with a generation before. What somebody imported is no part of
    it. Raises UsageError for a month that is not over, or of which nothing is known here.
    """
    as_of = end_of(month)
    if as_of >= now():
        raise UsageError(f"{month} is not over: an edition is what was known at the end of a month")
    registry = read_registry(settings.registry)
    first = fact_table(settings.home, "snapshot")["observed_at"].min()
    if not isinstance(first, datetime) or first > as_of:
        raise UsageError(
            f"nothing is known here of {month}; `benchhealth ingest --history` asks for what was said then"
        )
    path = publish(folder, _tables(settings, registry, as_of), as_of)
    return path.rename(path.with_name(f"{NAME}{month}.duckdb"))


def _tables(settings: Settings, registry: Registry, as_of: datetime) -> Mapping[str, Rows]:
    home = settings.home
    public, _own = load_apart(home, registry, as_of)
    kept_out = kept_out_table(home, watching.board_of)
    public = replace(public, kept_out=kept_out.filter(pl.col("since") <= as_of))
    ledgers = (issued(home), ledger(home, FORECASTS), ledger(home, VERDICTS))
    until = (rows.filter(pl.col("issued_on") <= as_of.date()) for rows in ledgers)
    rng = np.random.default_rng(SEED)
    assessed = assess(public, as_of.date(), rng, ledgers=Ledgers(*until), workers=os.cpu_count() or 1)
    tables = {**fact_tables(home, registry, public, assessed.tables["copy"]), **with_prose(assessed.tables)}
    runs = tables["run"]
    return {**tables, "run": runs.filter(pl.col("ended_at") <= as_of)}
