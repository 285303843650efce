"""The command that copies a home into one file: consistent, read to the end before and after it is written."""

import logging
import os
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from benchhealth.ingest.network import raw
from benchhealth.pipeline.keeping.archive import BackupError, Manifest, Writer, remove_partial, write_backup
from benchhealth.pipeline.keeping.bodies import deleted_hashes, missing_hashes
from benchhealth.pipeline.settings import MB, Settings, now
from benchhealth.warehouse.keeping import editions
from benchhealth.warehouse.keeping.transfer import FACTS_FILES, edition_of_whole_facts, whole_generation
from benchhealth.warehouse.locking import exclusive
from benchhealth.warehouse.read import PUBLISHED_FOLDER
from benchhealth.warehouse.store import LOCK

LOGGER = logging.getLogger(__name__)
PREFIX = "benchhealth-"
SUFFIX = ".tar"
BACKUP_PATTERN = f"{PREFIX}????????T??????Z{SUFFIX}"
"""The name of a backup where only its folder is given."""


def backup(settings: Settings, *, destination: str | Path) -> Path:
    """Write facts, the generation in service, raw bodies and editions to a file, or to a new one in a folder.

    No run may write meanwhile, and none can begin; the dashboard reads on. Nothing is left where it does not succeed.
    Raises Locked while a run is at work, FileNotFoundError where there are no facts, DamagedError, NoGeneration or
    BackupError where a file of the home is damaged (an earlier backup must not be replaced by what cannot be read), or
    its facts lie elsewhere, or `destination` is no place for a backup.
    """
    refuse_lake(settings)
    home, begun_at = settings.home, now()
    target = _target(os.fspath(destination), begun_at)
    with exclusive(home / LOCK, wait=False):
        edition, generation = edition_of_whole_facts(home), whole_generation(home)
        remove_partial(target.parent, BACKUP_PATTERN)
        with write_backup(target) as writer:
            for name in FACTS_FILES:
                if (home / name).exists():
                    writer.add(name, home / name)
            if generation is not None:
                writer.add(f"{PUBLISHED_FOLDER}/{generation.name}", generation)
            _add_bodies(home, writer)
            for path in editions.files(home):
                writer.add(path.relative_to(home).as_posix(), path)
            manifest = _manifest(home, writer, edition, generation, begun_at)
            writer.finish(manifest)
    if manifest.missing:
        LOGGER.warning("backup: %d raw bodies are missing, such as %s", len(manifest.missing), manifest.missing[0])
    size = target.stat().st_size / MB
    LOGGER.info("backup: %s, %d files, %.1f MB, read back", target, len(manifest.files), size)
    return target


def _target(destination: str, begun_at: datetime) -> Path:
    """The file to write. What ends in a slash is a folder, which must be there: its disk may not be mounted."""
    if not destination:
        raise BackupError("a backup needs a file or a folder to go to; this is an empty name")
    if Path(destination).is_dir():
        return Path(destination) / f"{PREFIX}{begun_at:%Y%m%dT%H%M%SZ}{SUFFIX}"
    if destination.rpartition("/")[2] in ("", "."):  # a Path would not keep it
        raise BackupError(f"there is no folder {destination}; make it, or mount the disk that it is on")
    return Path(destination)


def refuse_lake(settings: Settings) -> None:
    """Raise BackupError where facts do not lie in the home."""
    if settings.store:
        raise BackupError(
            "the facts lie in BENCHHEALTH_STORE: save its PostgreSQL database by pg_dump, and then its files "
            "(OPERATIONS.md, Back up a lake)"
        )


def _add_bodies(home: Path, writer: Writer) -> None:
    for path in sorted((home / raw.FOLDER).glob("*/*.gz")):
        if not raw.is_whole(home, path.stem):
            raise BackupError(
                f"{path} is damaged; `benchhealth restore` from an earlier backup, or move it away and run this again"
            )
        writer.add(path.relative_to(home).as_posix(), path)


def _manifest(home: Path, writer: Writer, edition: int, generation: Path | None, made_at: datetime) -> Manifest:
    return Manifest(
        made_at=made_at.isoformat(),
        program=version("benchhealth"),
        edition=edition,
        generation="" if generation is None else generation.name,
        pruned=len(deleted_hashes(home)),
        missing=tuple(sorted(missing_hashes(home))),
        files=writer.files,
    )
