"""The command that makes the edition of a month, of a generation of its end that is never put in service, and keeps it,
writes it to a folder, or pushes what is kept.
"""

import logging
import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, time, timedelta
from pathlib import Path

import numpy as np
import polars as pl

from benchhealth.analytics.assess import Ledgers, assess
from benchhealth.analytics.packed import Rows
from benchhealth.analytics.statistics.random_streams import SEED
from benchhealth.dashboard.words.prose.tables import with_prose
from benchhealth.ingest.run.progress import shown_on
from benchhealth.pipeline import watching
from benchhealth.pipeline.errors import UsageError
from benchhealth.pipeline.export.edition import files
from benchhealth.pipeline.export.edition.files import last_day
from benchhealth.pipeline.settings import MB, Settings, now
from benchhealth.warehouse.forecasts.issued import issued
from benchhealth.warehouse.forecasts.verdicts import FORECASTS, VERDICTS, ledger
from benchhealth.warehouse.keeping import editions
from benchhealth.warehouse.keeping.editions import NAME, Edition
from benchhealth.warehouse.loading.load import load_apart
from benchhealth.warehouse.objects.access import Access
from benchhealth.warehouse.objects.bucket import Bucket
from benchhealth.warehouse.objects.editions import push
from benchhealth.warehouse.publish import fact_tables, publish
from benchhealth.warehouse.registry import Registry, read_registry
from benchhealth.warehouse.status import kept_out_table, run_table
from benchhealth.warehouse.store import fact_table
from benchhealth.warehouse.watch.reasons import PUBLISHING

LOGGER = logging.getLogger(__name__)

ADDRESS = "s3://"


def run(settings: Settings, *, month: str | None, to: Path | None, address: str | None, doi: str | None) -> None:
    """Keep the edition of a month, the last complete one where none is named; then write, push or note what is asked.

    With an `address` alone every edition that is kept is pushed. Raises UsageError, EditionError, AddressError and
    ObjectsError.
    """
    if doi is not None:
        if month is None:
            raise UsageError("of which month is it the DOI? --month 2026-08")
        editions.note_doi(settings.home, month, doi)
        LOGGER.info("edition %s: cited as https://doi.org/%s", month, doi)
        return
    if address is not None and to is None and month is None:
        if not editions.months(settings.home):
            raise UsageError("no edition is kept here yet; `benchhealth edition --month 2026-08` makes one")
        chosen = [_kept_edition(settings, chosen_month) for chosen_month in reversed(editions.months(settings.home))]
    else:
        chosen = [keep(settings, month or last_complete(now()))]
    if to is not None:
        editions.copy(chosen[0], to)
        LOGGER.info("edition %s: %d files in %s", chosen[0].month, len(chosen[0].files), to)
    if address is not None:
        bucket = Bucket(address, Access.of(settings.aws))
        for edition in chosen:
            sent = push(edition, bucket)
            LOGGER.info("edition %s: %d files sent to %s/%s", edition.month, sent, bucket.address, edition.month)


def keep_last(settings: Settings) -> Edition | None:
    """Keep the edition of the last month that is over, where it is not kept; None where it says nothing of its own.

    That is so in a home whose first generation came later: what it would have said in a month before, nobody was told.
    """
    month = last_complete(now())
    if month in editions.months(settings.home) or not was_at_work(settings.home, month):
        return None
    return keep(settings, month)


def keep(settings: Settings, month: str) -> Edition:
    """The edition of a month, made where none is kept yet. Raises UsageError as `replay` does."""
    stored = editions.kept_edition(settings.home, month)
    if stored is not None:
        LOGGER.info("edition %s: kept already, %d files, %.1f MB", month, len(stored.files), stored.size / MB)
        return stored
    with tempfile.TemporaryDirectory(prefix=".edition-", dir=settings.home) as folder, shown_on(sys.stderr) as bar:
        bar.begin(f"edition {month}", "step")
        bar.expect(2)
        generation = replay(settings, month, Path(folder) / "replayed")
        bar.advance("what was known then")
        files.write(generation, month, Path(folder) / "files", settings.address or "")
        bar.advance("files")
        edition = editions.keep(settings.home, month, Path(folder) / "files")
        bar.end(f"{len(edition.files)} files, {edition.size / MB:.1f} MB, manifest {edition.sha256}")
    LOGGER.info("edition %s: %d files, %.1f MB, kept", month, len(edition.files), edition.size / MB)
    return edition


def _kept_edition(settings: Settings, month: str) -> Edition:
    edition = editions.kept_edition(settings.home, month)
    assert edition is not None, "a month that was listed"
    return edition


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


def replay(settings: Settings, month: str, folder: Path) -> Path:
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
