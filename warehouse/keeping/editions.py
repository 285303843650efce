"""Editions: what was published at the end of a month, kept for ever; bytes that two months share are stored once.

Below `editions/` of a home lie `<month>.sha256`, the manifest of each edition (a line a file: its hash, its path, as
`sha256sum` writes and checks them), `<month>.doi` where it was deposited, and `bodies/`, each body under its hash. An
edition that is kept is never written again: whoever cites it gets the bytes that were cited.
"""

import hashlib
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchhealth.warehouse.locking import exclusive
from benchhealth.warehouse.places.disk import put_on_disk

FOLDER = "editions"
BODIES = "bodies"
MANIFEST = "MANIFEST.sha256"
"""The name of the manifest among the files of an edition; it does not list itself."""

NAME = "edition-"
"""What the name of a published state begins with that is an edition; its month follows."""

MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])")
DOI = re.compile(r"10\.\d{4,9}/[\x21-\x7e]+")
_LINE = re.compile(r"([0-9a-f]{64})  (\S.*)")
_PART = ".part"


class EditionError(ValueError):
    """An edition is not as it was kept, or there is none, or another one of that month is there already."""


@dataclass(frozen=True)
class Body:
    """A file of an edition: where its bytes lie, their hash, and how many there are."""

    path: Path
    sha256: str
    size: int


@dataclass(frozen=True)
class Edition:
    """An edition that is kept: its month (`2026-08`), its files by path, the hash of its manifest, its DOI if any."""

    month: str
    files: Mapping[str, Body]
    sha256: str
    doi: str = ""

    @property
    def size(self) -> int:
        """The size of all files together, in bytes."""
        return sum(body.size for body in self.files.values())


def months(home: Path) -> list[str]:
    """The months of which an edition is kept, the newest first."""
    return sorted((path.stem for path in (home / FOLDER).glob("*.sha256") if MONTH.fullmatch(path.stem)), reverse=True)


def kept_edition(home: Path, month: str) -> Edition | None:
    """The edition of a month; None where none is kept. Raises EditionError for a manifest that is none."""
    if not MONTH.fullmatch(month):
        return None
    manifest = _manifest(home, month)
    try:
        text = manifest.read_bytes()
    except FileNotFoundError:
        return None
    files = {name: _body(home, sha256) for name, sha256 in read_manifest(text, str(manifest)).items()}
    digest = hashlib.sha256(text).hexdigest()
    files[MANIFEST] = Body(manifest, digest, len(text))
    doi = manifest.with_suffix(".doi")
    return Edition(month, files, digest, doi.read_text(encoding="utf-8").strip() if doi.exists() else "")


def keep(home: Path, month: str, folder: Path) -> Edition:
    """Keep the files below `folder` as the edition of a month, for ever.

    The manifest comes last, so that a run that is killed has kept nothing, and the next one uses what it left. Raises
    EditionError where an edition of that month with other bytes is kept.
    """
    written = manifest_of(folder)
    with exclusive(home / FOLDER / "lock", wait=True):
        stored = kept_edition(home, month)
        if stored is not None:
            if stored.sha256 != hashlib.sha256(written).hexdigest():
                raise EditionError(f"another edition of {month} is kept in {home / FOLDER}, and stays: it may be cited")
            return stored
        for name, sha256 in read_manifest(written, month).items():
            _store_body(folder / name, home / FOLDER / BODIES / sha256[:2] / sha256)
        unfinished = home / FOLDER / f"{month}{_PART}"
        unfinished.write_bytes(written)
        put_on_disk(unfinished)
        unfinished.replace(_manifest(home, month))
        put_on_disk(home / FOLDER)
    edition = kept_edition(home, month)
    assert edition is not None, "it was kept just now"
    return edition


def copy(edition: Edition, folder: Path) -> None:
    """Write the files of an edition below a folder, each compared with its hash. Raises EditionError."""
    for name, body in edition.files.items():
        check(body)
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(body.path, target)


def check(body: Body) -> None:
    """Read a body once. Raises EditionError where it is not what was kept."""
    if not body.path.exists() or digest_of(body.path) != body.sha256:
        raise EditionError(f"{body.path} is not what was kept; put it back from a backup or from where it was pushed")


def note_doi(home: Path, month: str, doi: str) -> None:
    """Note where the edition of a month was deposited. Raises EditionError for what is no DOI, or no edition."""
    if not DOI.fullmatch(doi):
        raise EditionError(f"{doi!r} is no DOI, such as 10.5281/zenodo.1234567")
    if kept_edition(home, month) is None:
        raise EditionError(f"no edition of {month} is kept")
    _manifest(home, month).with_suffix(".doi").write_text(f"{doi}\n", encoding="utf-8")


def manifest_of(folder: Path) -> bytes:
    """The manifest of the files below a folder, by path."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != MANIFEST)
    lines = [f"{digest_of(path)}  {path.relative_to(folder).as_posix()}\n" for path in paths]
    return "".join(lines).encode()


def read_manifest(text: bytes, where: str) -> dict[str, str]:
    """The hash of each file by its path. Raises EditionError for what is no manifest."""
    lines = [_LINE.fullmatch(line) for line in text.decode("utf-8", "replace").splitlines()]
    if not lines or not all(lines):
        raise EditionError(f"{where} is no manifest of an edition")
    return {line[2]: line[1] for line in lines if line}


def files(home: Path) -> Iterator[Path]:
    """Every file of all editions: what a backup takes along. Bodies come first, manifests last."""
    yield from sorted((home / FOLDER / BODIES).glob("??/*"))
    yield from sorted(path for path in (home / FOLDER).glob("*.*") if path.suffix in (".doi", ".sha256"))


def digest_of(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _manifest(home: Path, month: str) -> Path:
    return home / FOLDER / f"{month}.sha256"


def _body(home: Path, sha256: str) -> Body:
    path = home / FOLDER / BODIES / sha256[:2] / sha256
    return Body(path, sha256, path.stat().st_size if path.exists() else 0)


def _store_body(source: Path, target: Path) -> None:
    """Store a body where it is not stored yet, whole or not at all; what a disk has damaged is replaced."""
    if target.exists() and digest_of(target) == target.name:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f"{target.name}{_PART}")
    shutil.copyfile(source, unfinished)
    put_on_disk(unfinished)
    unfinished.replace(target)
