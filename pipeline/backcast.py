"""Verdicts and forecasts as of the ends of past months, computed once from what sources had published by then."""

import logging
import os
import sys
from calendar import monthrange
from datetime import date, datetime, timedelta
from functools import partial
from time import monotonic

import numpy as np
import polars as pl

from benchhealth.analytics.assess import Assessment, assess
from benchhealth.analytics.graph import ENTRIES
from benchhealth.analytics.record.tables import empty
from benchhealth.analytics.schedule import Entry
from benchhealth.analytics.statistics.random_streams import SEED
from benchhealth.ingest.run.progress import shown_on
from benchhealth.pipeline.errors import UsageError
from benchhealth.pipeline.run import Outcome, Run, as_run
from benchhealth.pipeline.settings import Settings, end_of, now
from benchhealth.warehouse.forecasts.verdicts import FORECASTS, VERDICTS, fill, ledger
from benchhealth.warehouse.loading.load import load, seen_sources
from benchhealth.warehouse.registry import Registry, read_registry
from benchhealth.warehouse.status import newest_look
from benchhealth.warehouse.store import Store, fact_table

LOGGER = logging.getLogger(__name__)
_STEPS = ("stated", "forecasts")
CLAIM = "backcast"
"""What a backcast has for itself, where several write facts."""


def backcast(settings: Settings, *, months: int) -> None:
    """Fill the ledgers of verdicts and of backcast forecasts with so many past month ends, in one run.

    Each is assessed by the rules, curated facts and names of today on what sources had said by its end: once of all
    sources, once of those alone that had said anything by the first of the months. Results of one's own are left out.
    A month is entered whole or not at all, so a run that is stopped is taken up again where it was. Raises UsageError
    where there are no facts of any of them.
    """
    with Store.open(settings.home) as store:

        def work(_run: Run) -> Outcome:
            return Outcome(0, _filled_up(settings, store, months))

        with store.claims.hold(CLAIM):
            as_run(settings, store, "backcast", work)


def _filled_up(settings: Settings, store: Store, months: int) -> str:
    """Enter the months that are not there yet, the oldest first; returns how many there are of both."""
    registry = read_registry(settings.registry)
    days = _month_ends(settings, months)
    held_on = _held_on(settings, days[0])
    on_record = set(ledger(settings.home, VERDICTS).filter("backcast", held_on=held_on)["issued_on"])
    wanted = [day for day in days if day not in on_record]
    with shown_on(sys.stderr) as bar:
        bar.begin("past months", "month")
        bar.expect(len(wanted))
        for day in wanted:
            began = monotonic()
            entered = fill(store, _rows_of_day(settings, registry, day, held_on), now())
            LOGGER.info("backcast: %s, %d rows in %.0f s", day, entered, monotonic() - began)
            bar.advance(str(day))
        bar.end(f"{len(wanted)} entered")
    return f"{len(wanted)} months entered, {len(days) - len(wanted)} were there; `benchhealth assess` publishes them"


def _month_ends(settings: Settings, months: int) -> list[date]:
    """The last `months` month ends that are past, of which anything is known and no generation was published."""
    known_until = newest_look(settings.home)
    versions = fact_table(settings.home, "snapshot")["observed_at"]
    first = versions.min()
    if known_until is None or not isinstance(first, datetime):
        raise UsageError("no facts to backcast from: run `benchhealth init` or `ingest --history` first")
    first_issued = ledger(settings.home, VERDICTS).filter(~pl.col("backcast"))["issued_on"].min()
    last = min(known_until.date(), now().date(), first_issued if isinstance(first_issued, date) else date.max)
    ends: list[date] = []
    day = last.replace(day=1) - timedelta(days=1) if last.day < monthrange(last.year, last.month)[1] else last
    while len(ends) < months and day >= first.date():
        ends.append(day)
        day = day.replace(day=1) - timedelta(days=1)
    if not ends:
        raise UsageError(f"no month has ended between {first.date()} and {last}")
    return ends[::-1]


def _held_on(settings: Settings, first: date) -> date:
    """The day by which the same sources had spoken: that of the ledger that was begun, else the first of these."""
    begun = ledger(settings.home, VERDICTS)["held_on"].min()
    return begun if isinstance(begun, date) and begun <= first else first


def _rows_of_day(settings: Settings, registry: Registry, day: date, held_on: date) -> dict[str, pl.DataFrame]:
    """The rows that both ledgers would have got on a day, computed from what was known then."""
    sources, of_first = (seen_sources(settings.home, end_of(known_on)) for known_on in (day, held_on))
    same = sources & of_first
    assessed = _assess_as_known(settings, registry, day, sources, ENTRIES)
    of_same = assessed if same == sources else _assess_as_known(settings, registry, day, same, _STAGES_ALONE)
    stages = of_same.steps["stated"].with_columns(
        held_on=pl.lit(held_on), flags=pl.lit([], dtype=pl.List(pl.String)), p=pl.lit(None, pl.Float64)
    )
    verdicts = pl.concat([assessed.steps["stated"], stages]).with_columns(backcast=pl.lit(value=True))
    return {VERDICTS: verdicts, FORECASTS: assessed.steps["forecasts"].attempt}


_OF_FLAGS = ("twin", "twin_residual", "churn")
"""Tables that flags rest on and stages do not."""

_STAND_INS = {
    **{name: Entry(name, partial(empty, name)) for name in _OF_FLAGS},
    "forecasts": Entry("forecasts", partial(empty, "forecast")),
}
_STAGES_ALONE = tuple(_STAND_INS.get(entry.name, entry) for entry in ENTRIES)
"""What stages are computed of: of the same sources no flags and no forecasts are kept, and these take half the time."""


def _assess_as_known(
    settings: Settings, registry: Registry, day: date, source_ids: set[str], entries: tuple[Entry, ...]
) -> Assessment:
    """Verdicts and forecasts as known at the end of a day by these sources; the generator is that of such a night."""
    frames = load(settings.home, registry, end_of(day), source_ids)
    rng = np.random.default_rng(SEED)
    return assess(frames, day, rng, workers=os.cpu_count() or 1, entries=entries, tables=(), steps=_STEPS)
