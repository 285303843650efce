"""The command that makes the edition of a month and keeps it, writes it to a folder, or pushes what is kept."""

import logging
import sys
import tempfile
from pathlib import Path

from benchhealth.ingest.run.progress import shown_on
from benchhealth.pipeline.errors import UsageError
from benchhealth.pipeline.export.edition import files, replayed
from benchhealth.pipeline.settings import MB, Settings, now
from benchhealth.warehouse.keeping import editions
from benchhealth.warehouse.keeping.editions import Edition
from benchhealth.warehouse.objects.access import Access
from benchhealth.warehouse.objects.bucket import Bucket
from benchhealth.warehouse.objects.editions import push

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
        chosen = [keep(settings, month or replayed.last_complete(now()))]
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
    month = replayed.last_complete(now())
    if month in editions.months(settings.home) or not replayed.was_at_work(settings.home, month):
        return None
    return keep(settings, month)


def keep(settings: Settings, month: str) -> Edition:
    """The edition of a month, made where none is kept yet. Raises UsageError as `replayed.generation` does."""
    stored = editions.kept_edition(settings.home, month)
    if stored is not None:
        LOGGER.info("edition %s: kept already, %d files, %.1f MB", month, len(stored.files), stored.size / MB)
        return stored
    with tempfile.TemporaryDirectory(prefix=".edition-", dir=settings.home) as folder, shown_on(sys.stderr) as bar:
        bar.begin(f"edition {month}", "step")
        bar.expect(2)
        generation = replayed.generation(settings, month, Path(folder) / "replayed")
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
