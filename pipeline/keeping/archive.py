"""The file that a backup is: a tar of a home's files, and last a manifest with the hash of each."""

import hashlib
import io
import json
import os
import re
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, NamedTuple

from benchhealth.warehouse.locking import exclusive, is_held
from benchhealth.warehouse.places.disk import put_on_disk

MANIFEST = "manifest.json"
FORMAT = 1
_BLOCK = 2**20
_PARTIAL = ".{}.part"
_NAME = re.compile(
    r"warehouse\.duckdb(\.wal)?|raw/[0-9a-f]{2}/[0-9a-f]{64}\.gz|published/gen-\d{8}T\d{6}Z-\d{6}\.duckdb"
    r"|editions/(bodies/[0-9a-f]{2}/[0-9a-f]{64}|\d{4}-\d{2}\.(sha256|doi))"
)
"""The files that a backup may hold, so that none can be put anywhere else than below the home."""


class BackupError(ValueError):
    """A backup cannot be made, or is not whole, or cannot be put back here; the home is as it was."""


class Digest(NamedTuple):
    """The size of a file in bytes, and its SHA-256."""

    size: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """What a backup holds: every file with its digest, and of which edition its facts are.

    `generation` is the file name of the one in service, empty where there was none. `pruned` counts the raw bodies
    that retention has let go; `missing` names those that should be there and are not.
    """

    made_at: str
    program: str
    edition: int
    generation: str
    pruned: int
    missing: tuple[str, ...]
    files: Mapping[str, Digest]
    format: int = FORMAT


class Writer:
    """A backup that is being written; `add` files, then `close` it with their description."""

    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar
        self.files: dict[str, Digest] = {}

    def add(self, name: str, path: Path) -> None:
        """Add a file that no other process writes to meanwhile. Raises BackupError where it changes all the same."""
        with path.open("rb") as body:
            header = tarfile.TarInfo(name)
            status = os.fstat(body.fileno())
            header.size, header.mtime = status.st_size, int(status.st_mtime)
            hashed = _Hashed(body)
            self._tar.addfile(header, hashed)
        if hashed.size != header.size:
            raise BackupError(f"{path} changed while it was copied; run the command again")
        self.files[name] = Digest(hashed.size, hashed.digest.hexdigest())

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest, which comes last: a backup that was cut has none."""
        body = json.dumps(asdict(manifest) | {"files": manifest.files}, indent=1, sort_keys=True).encode()
        header = tarfile.TarInfo(MANIFEST)
        header.size = len(body)
        self._tar.addfile(header, io.BytesIO(body))


class _Hashed(io.RawIOBase):
    """A readable stream that counts and hashes the bytes that are read from it."""

    def __init__(self, body: IO[bytes]) -> None:
        super().__init__()
        self._body = body
        self.digest = hashlib.sha256()
        self.size = 0

    def read(self, size: int = -1) -> bytes:
        """Read the next bytes of the file, at most as many as are asked for."""
        piece = self._body.read(size)
        self.digest.update(piece)
        self.size += len(piece)
        return piece


@contextmanager
def write_backup(target: Path) -> Iterator[Writer]:
    """A new backup at `target`, which takes its place when it is whole, on the disk and read back.

    Until then it is a file of another name, locked, so that `remove_partial` leaves it. Raises Locked where another
    backup writes the same, BackupError where `target` is no file that can be replaced.
    """
    if target.exists() and not target.is_file():
        raise BackupError(f"{target} is neither a folder nor a file; name one of them")
    partial = target.with_name(_PARTIAL.format(target.name))
    with exclusive(partial, wait=False):
        try:
            with partial.open("wb") as file:
                with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as tar:
                    yield Writer(tar)
                file.flush()
                os.fsync(file.fileno())
            check(partial)
            partial.replace(target)
            put_on_disk(target.parent)
        finally:
            partial.unlink(missing_ok=True)


def remove_partial(folder: Path, names: str) -> None:
    """Remove what killed backups of such names (a pattern) had begun in a folder: one that is written is locked."""
    for partial in folder.glob(_PARTIAL.format(names)):
        with suppress(OSError):  # one of another user stays
            if partial.is_file() and not is_held(partial):
                partial.unlink()


def manifest_of(backup: Path) -> Manifest:
    """What a backup says that it holds. Raises BackupError where it was cut or is none."""
    with _open_archive(backup) as tar:
        return _manifest(backup, tar)


def check(backup: Path) -> None:
    """Read a backup to its end and compare every file with the manifest. Raises BackupError where anything differs."""
    with _open_archive(backup) as tar:
        manifest = _manifest(backup, tar)
        for name, body in _members(backup, tar, manifest):
            hashed = _Hashed(body)
            while hashed.read(_BLOCK):
                pass
            _compare(backup, name, hashed, manifest)


def unpack(backup: Path, folder: Path) -> None:
    """Write the files of a backup below `folder`, each compared with the manifest. Raises BackupError."""
    with _open_archive(backup) as tar:
        manifest = _manifest(backup, tar)
        for name, body in _members(backup, tar, manifest):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            hashed = _Hashed(body)
            with target.open("wb") as file:
                while block := hashed.read(_BLOCK):
                    file.write(block)
                file.flush()
                os.fsync(file.fileno())
            _compare(backup, name, hashed, manifest)


@contextmanager
def _open_archive(backup: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(backup, "r:") as tar:
            yield tar
    except (tarfile.TarError, EOFError) as error:
        raise BackupError(f"{backup} is no whole backup ({error}); take another one") from error


def _manifest(backup: Path, tar: tarfile.TarFile) -> Manifest:
    try:
        body = tar.extractfile(MANIFEST)
        assert body is not None, "a member that is no file"
        fields = json.loads(body.read())
        if fields["format"] != FORMAT:
            raise BackupError(
                f"{backup} is a backup of format {fields['format']!r} and this program knows format {FORMAT}: "
                "use the version of benchhealth that wrote it"
            )
        files = {name: Digest(*digest) for name, digest in fields["files"].items()}
        return Manifest(**(fields | {"files": files, "missing": tuple(fields["missing"])}))
    except (KeyError, TypeError, AssertionError, ValueError) as error:
        if isinstance(error, BackupError):
            raise
        raise BackupError(f"{backup} is no whole backup (no manifest at its end); take another one") from error


def _members(backup: Path, tar: tarfile.TarFile, manifest: Manifest) -> Iterator[tuple[str, IO[bytes]]]:
    members = [member for member in tar.getmembers() if member.name != MANIFEST]
    names = [member.name for member in members]
    if sorted(names) != sorted(manifest.files):
        raise BackupError(f"{backup} does not hold the files that it lists; take another one")
    for member in members:
        body = tar.extractfile(member) if member.isfile() and _NAME.fullmatch(member.name) else None
        if body is None:
            raise BackupError(f"{backup} holds {member.name!r}, which no home has; take another one")
        yield member.name, body


def _compare(backup: Path, name: str, hashed: _Hashed, manifest: Manifest) -> None:
    if Digest(hashed.size, hashed.digest.hexdigest()) != manifest.files[name]:
        raise BackupError(f"{backup}: {name} is not what was backed up; take another backup")
