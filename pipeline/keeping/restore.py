"""The command that puts a home back from a backup; what was there is moved aside, never deleted."""

import logging
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from benchhealth.ingest.network import raw
from benchhealth.pipeline.keeping.archive import BackupError, Manifest, manifest_of, unpack
from benchhealth.pipeline.keeping.backup import PREFIX, SUFFIX
from benchhealth.pipeline.settings import Settings, now
from benchhealth.pipeline.watching import run_id_of
from benchhealth.warehouse.keeping import editions
from benchhealth.warehouse.keeping.transfer import FACTS_FILES, beside_tables, fill, read_generation, refuse_facts
from benchhealth.warehouse.locking import exclusive
from benchhealth.warehouse.migrations import MIGRATIONS, NewerHome
from benchhealth.warehouse.places.disk import put_on_disk
from benchhealth.warehouse.publish import put_back
from benchhealth.warehouse.read import CURRENT, PUBLISHED_FOLDER
from benchhealth.warehouse.store import LOCK, Store

LOGGER = logging.getLogger(__name__)
STAGING = ".restoring"


def restore(settings: Settings, *, source: Path, replace: bool) -> None:
    """Put the home into the state of a backup: a file, or the newest one of a folder.

    The backup is unpacked and read to its end, and its facts are migrated, before anything of the home changes. Facts
    and raw bodies that are there go to `replaced-<instant>` in the home if `replace` is set; generations stay where
    they are, because readers may have them open, and later nights let them go. A restore that is killed is run again.
    Where facts lie in a lake, which has to be empty, those of the backup are put into it: the way from file to lake.
    What a killed restore of the same backup put there stays, if nothing was added since.
    Raises Locked while a run is at work, BackupError where the backup is not whole or the home is not empty, NewerHome
    for a backup of a later edition, FactError where the lake is not empty.
    """
    home, begun_at = settings.home, now()
    backup = _newest(source)
    with exclusive(home / LOCK, wait=False):
        manifest = manifest_of(backup)
        _refuse_untrue(backup, manifest)
        begun = bool(settings.store) and refuse_facts(home, unless=_ledger_entry(backup, manifest))
        facts_files = () if settings.store else FACTS_FILES
        present = [
            name for name in (*facts_files, raw.FOLDER, f"{PUBLISHED_FOLDER}/{CURRENT}") if _is_there(home / name)
        ]
        if present and not replace and not begun:
            raise BackupError(
                f"{home} is not empty ({', '.join(present)}); with --replace what is there is moved aside"
            )
        if manifest.edition > len(MIGRATIONS):
            raise NewerHome(
                f"{backup} is of edition {manifest.edition} and this program knows edition {len(MIGRATIONS)}: "
                "use the later version of benchhealth that wrote it"
            )
        with _unpacked_backup(home, backup) as staging:
            _make_ready(staging, manifest, backup, begun_at)
            _take_editions(home, staging)
            aside = home / f"replaced-{begun_at:%Y%m%dT%H%M%S%fZ}"
            _put_back(settings, staging, manifest, aside)
    LOGGER.info("restored %s from %s, as of %s", home, backup, manifest.made_at)
    if aside.exists():
        LOGGER.info("what was there is in %s; delete it when you are content", aside)


def _newest(source: Path) -> Path:
    if not source.exists():
        raise BackupError(f"there is no {source}; --from names a backup, or the folder of `benchhealth backup --to`")
    if not source.is_dir():
        return source
    backups = sorted(source.glob(f"{PREFIX}*{SUFFIX}"))
    if not backups:
        raise BackupError(f"no {PREFIX}*{SUFFIX} in {source}")
    return backups[-1]


def _refuse_untrue(backup: Path, manifest: Manifest) -> None:
    """Raise BackupError where the manifest says what no backup says; its files are compared when they are unpacked."""
    generation, edition, made_at = manifest.generation, manifest.edition, str(manifest.made_at)
    if generation and f"{PUBLISHED_FOLDER}/{generation}" not in manifest.files:
        raise BackupError(f"{backup} names a generation that it does not hold; take another one")
    if FACTS_FILES[0] not in manifest.files:
        raise BackupError(f"{backup} does not hold facts; take another one")
    if type(edition) is not int or not made_at.isprintable():
        raise BackupError(f"{backup} does not say when and by which edition it was made; take another one")


def _is_there(path: Path) -> bool:
    """Whether there is anything at all; an empty folder is nothing."""
    if path.is_dir() and not path.is_symlink():
        return any(path.iterdir())
    return os.path.lexists(path)


@contextmanager
def _unpacked_backup(home: Path, backup: Path) -> Iterator[Path]:
    """The contents of the backup in a folder of the home: on the same disk, so that files can be moved."""
    staging = home / STAGING
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir()
    try:
        unpack(backup, staging)
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _make_ready(staging: Path, manifest: Manifest, backup: Path, begun_at: datetime) -> None:
    """Read all that was unpacked, bring the facts to this edition, and note in them where they come from."""
    for file in (staging / name for name in manifest.files if name.endswith(".duckdb")):
        if more := beside_tables(file):
            raise BackupError(f"{backup}: {file.name} holds {more[0]}, which no home has; take another backup")
    if manifest.generation:
        read_generation(staging / PUBLISHED_FOLDER / manifest.generation)
    with Store.open(staging) as store:
        run_id = run_id_of(begun_at)
        store.ledger.start_run(run_id, "restore", begun_at)
        store.ledger.end_run(run_id, now(), "ok", _ledger_entry(backup, manifest))


def _ledger_entry(backup: Path, manifest: Manifest) -> str:
    """What the ledger says of the restore of this backup."""
    return f"{backup.name}, made at {manifest.made_at}"


def _take_editions(home: Path, staging: Path) -> None:
    """Copy the editions of the backup that are missing here; a complete edition is not replaced."""
    for path in editions.files(staging):
        target = home / path.relative_to(staging)
        is_body = path.suffix == ""
        if not target.exists() or (is_body and editions.digest_of(target) != path.name):
            target.parent.mkdir(parents=True, exist_ok=True)
            path.rename(target)


def _put_back(settings: Settings, staging: Path, manifest: Manifest, aside: Path) -> None:
    """Raw bodies, facts, generation: each in one step, so that no run that begins after a kill finds no facts.

    Into a lake the facts come first, all at once: where it refuses them nothing of the home has changed.
    """
    home = settings.home
    if settings.store:
        moved = fill(home, staging / FACTS_FILES[0])
        LOGGER.info("into the lake: %s", ", ".join(f"{rows:,} rows of {name}" for name, rows in moved.items() if rows))
    _swap(home / raw.FOLDER, staging / raw.FOLDER, aside)
    if not settings.store:
        facts, wal = (home / name for name in FACTS_FILES)
        _keep(facts, aside)
        _keep(wal, aside)
        wal.unlink(missing_ok=True)
        (staging / facts.name).replace(facts)
    put_on_disk(home)
    if manifest.generation:
        published = home / PUBLISHED_FOLDER
        if _is_there(published) and not published.is_dir():
            _move(published, aside)
        put_back(home, staging / PUBLISHED_FOLDER / manifest.generation)


def _swap(target: Path, new: Path, aside: Path) -> None:
    if _is_there(target):
        _move(target, aside)
    elif target.exists():
        target.rmdir()
    if new.exists():
        new.rename(target)


def _keep(target: Path, aside: Path) -> None:
    """A second name for a file, which stays where it is until another takes its place in one step."""
    if target.is_file() and not target.is_symlink():
        aside.mkdir(exist_ok=True)
        os.link(target, aside / target.name)
    elif os.path.lexists(target):
        _move(target, aside)


def _move(target: Path, aside: Path) -> None:
    aside.mkdir(exist_ok=True)
    target.rename(aside / target.name)
