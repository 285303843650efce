"""Whether every saved body is the one that its name says, and all are there that may have to be read again."""

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from benchhealth.ingest.network.raw import path_of
from benchhealth.pipeline.doctor.findings import Finding
from benchhealth.pipeline.keeping.bodies import missing
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.facts import FactError
from benchhealth.warehouse.faults import DatabaseError
from benchhealth.warehouse.keeping import editions
from benchhealth.warehouse.locking import Locked
from benchhealth.warehouse.migrations import NewerHome

PIECE = 2**20


def check(settings: Settings, _at: datetime) -> Iterator[Finding]:
    """Bodies that are cut or changed, and as a note those that are gone: facts that were read from them stay."""
    bad = [path for path in sorted((settings.home / "raw").glob("*/*.gz")) if not _is_whole(path)]
    if bad:
        many = f"{len(bad)} saved bodies are not what their names say, such as {bad[0]}"
        what = many if len(bad) > 1 else f"{bad[0]} is not the body that its name says"
        mend = (
            "delete it: facts that were read from it stay, and what was not read yet is fetched again by the next night"
        )
        yield Finding("bodies", what, mend)
    yield from _of_editions(settings)
    try:
        gone = sorted(missing(settings.home))
    except (Locked, FileNotFoundError, DatabaseError, FactError, NewerHome):
        return  # `facts` or `editions` says so
    if gone:
        path = path_of(settings.home, gone[0])
        what = f"{len(gone)} saved bodies are gone, such as {path}" if len(gone) > 1 else f"{path} is gone"
        mend = "what was read from it stays; to read it again, `benchhealth restore` has it from a backup"
        yield Finding("bodies", what, mend, note=True)


def _of_editions(settings: Settings) -> Iterator[Finding]:
    """Files of editions that are cut, changed or gone: they are cited, and are not sent until they are put back."""
    for month in editions.months(settings.home):
        try:
            edition = editions.kept(settings.home, month)
            for body in edition.files.values() if edition else ():
                editions.check(body)
        except editions.EditionError as wrong:
            what, _, mend = str(wrong).partition("; ")
            yield Finding("bodies", f"edition {month}: {what}", mend or "put it back from a backup")


def _is_whole(path: Path) -> bool:
    """Piece by piece: an archive may unpack to more than fits into memory beside all else."""
    digest = hashlib.sha256()
    try:
        with gzip.open(path) as body:
            while piece := body.read(PIECE):
                digest.update(piece)
    except (OSError, EOFError, zlib.error):
        return False
    return digest.hexdigest() == path.name.removesuffix(".gz")
