"""Saved bodies: every byte that was ever parsed, under its own hash, so that parsing can be repeated."""

import gzip
import hashlib
import os
import zlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import NamedTemporaryFile

from benchhealth.ingest.network.payload import Payload
from benchhealth.warehouse.places.disk import put_on_disk

FOLDER = "raw"
_UNFINISHED = ".part"
ABANDONED = timedelta(hours=1)
_COMPRESSION_LEVEL = 1
"""The best compression takes ten times as long for a fifth less."""


class RawError(Exception):
    """A saved body is missing, unreadable, or not the one that its name says."""


def path_of(home: Path, sha256: str) -> Path:
    """Where the body with this hash lies: raw/<first two>/<sha256>.gz below `home`."""
    return home / FOLDER / sha256[:2] / f"{sha256}.gz"


def save(home: Path, payload: Payload) -> Path:
    """Keep the body under its hash; whole or not at all, also through a power cut. Saving twice writes once."""
    target = path_of(home, payload.sha256)
    if hashlib.sha256(payload.body).hexdigest() != payload.sha256:
        raise RawError(f"{payload.url}: the body is not the one that its hash names")
    if is_whole(home, payload.sha256):
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=target.parent, prefix=".", suffix=_UNFINISHED, delete=False) as unfinished:
        temporary = Path(unfinished.name)
        try:
            unfinished.write(gzip.compress(payload.body, compresslevel=_COMPRESSION_LEVEL, mtime=0))
            unfinished.flush()
            os.fsync(unfinished.fileno())
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    put_on_disk(target.parent)
    return target


def sweep(home: Path, now: datetime) -> int:
    """Remove what a killed run had begun to save; returns how many files.

    Nobody saves for as long as ABANDONED: another run may be saving into the same folder at `now` (naive UTC).
    """
    abandoned = (now - ABANDONED).replace(tzinfo=UTC).timestamp()
    begun = [path for path in (home / FOLDER).glob(f"*/.*{_UNFINISHED}") if path.stat().st_mtime < abandoned]
    for path in begun:
        path.unlink(missing_ok=True)
    return len(begun)


def load(home: Path, sha256: str) -> bytes:
    """The body with this hash. Raises RawError where it is missing or has changed."""
    try:
        body = gzip.decompress(path_of(home, sha256).read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise RawError(f"saved body {sha256}: {error}") from error
    if hashlib.sha256(body).hexdigest() != sha256:
        raise RawError(f"saved body {sha256}: the content does not match its hash")
    return body


def is_whole(home: Path, sha256: str) -> bool:
    """Whether the body with this hash is saved and can be read."""
    try:
        load(home, sha256)
    except RawError:
        return False
    return True
