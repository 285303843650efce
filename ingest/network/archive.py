"""The members of a repository's archive, one by one: nothing is unpacked to disk, and memory holds one member."""

import gzip
import io
import re
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import BinaryIO

from benchhealth.ingest.formats.folders import join_files
from benchhealth.ingest.network.github import is_plain
from benchhealth.ingest.network.payload import Limits, TooLarge, Truncated, UnexpectedAnswer

MEDIA_TYPES = ("application/x-gzip", "application/gzip", "application/octet-stream")
LIMITS = Limits(
    wire_bytes=4 * 2**30, body_bytes=4 * 2**30, attempt_seconds=1800.0, total_seconds=5400.0, stall_seconds=120.0
)
"""A host that packs a large repository when it is asked is silent meanwhile."""

UNPACKED_BYTES = 32 * 2**30
MEMBER_BYTES = 64 * 2**20
_LABEL_BYTES = 2**20
"""How large a record that only names or describes the next member may be: the library reads it whole."""


@dataclass(frozen=True)
class Member:
    """One file of an archive; `path` is its path in the repository."""

    path: str
    match: re.Match[str]
    body: bytes


def members(
    url: str,
    archive: BinaryIO,
    pattern: str,
    *,
    unpacked_bytes: int = UNPACKED_BYTES,
    member_bytes: int = MEMBER_BYTES,
) -> Iterator[Member]:
    """Yield the regular files of a tar.gz whose path below its top folder fully matches `pattern`.

    Raises TooLarge past a cap, Truncated where the archive ends early or is not one.
    """
    wanted = re.compile(pattern)
    try:
        with (
            gzip.GzipFile(fileobj=archive, mode="rb") as unpacked,
            tarfile.open(fileobj=_Capped(url, unpacked, unpacked_bytes), mode="r|", tarinfo=_Header) as tar,
        ):
            while (header := tar.next()) is not None:
                tar.members.clear()  # type: ignore[attr-defined]  # the library remembers every member: 100,000 of them are not nothing
                match = wanted.fullmatch(header.name.partition("/")[2])
                if match is None or not header.isreg():
                    continue
                if not is_plain(match.string):
                    raise UnexpectedAnswer(url, f"a path that is no text: {match.string[:100]!r}")
                if header.size > member_bytes:
                    raise TooLarge(url, f"{header.name} has {header.size} bytes")
                opened = tar.extractfile(header)
                assert opened is not None, "a regular file can be opened"
                yield Member(match.string, match, opened.read())
    except _NOT_AN_ARCHIVE as error:
        raise Truncated(url, f"not a whole archive: {error}") from error


def folders(
    url: str, contents: Iterator[Member], pattern: str, *, folder_bytes: int = MEMBER_BYTES
) -> Iterator[Member]:
    """Yield as one the members whose paths begin with the same match of the pattern, up to a slash or a dot.

    That is a folder, or a folder and the file beside it that has its name. Path and match are those of the beginning.
    Git writes them at one stretch, so memory holds one folder. Raises TooLarge past the cap, UnexpectedAnswer where a
    folder comes a second time.
    """
    wanted = re.compile(rf"(?:{pattern})(?=[/.])")
    finished: set[str] = set()
    for path, members_of in groupby(contents, lambda member: _beginning(wanted, member.path)):
        match = re.fullmatch(pattern, path)
        if match is None:
            continue
        if path in finished:
            raise UnexpectedAnswer(url, f"the folder {path} is not at one place in the archive")
        finished.add(path)
        yield Member(path, match, join_files(_checked_size(url, path, members_of, folder_bytes)))


def _beginning(wanted: re.Pattern[str], path: str) -> str:
    match = wanted.match(path)
    return match[0] if match else ""


def _checked_size(url: str, path: str, contents: Iterator[Member], limit: int) -> Iterator[tuple[str, bytes]]:
    size = 0
    for member in contents:
        size += len(member.body)
        if size > limit:
            raise TooLarge(url, f"the folder {path} has more than {limit} bytes")
        yield member.path.rpartition("/")[2], member.body


# The library lets what its number parsing raises come through.
_NOT_AN_ARCHIVE = (tarfile.TarError, EOFError, OSError, zlib.error, ValueError, ArithmeticError, RecursionError)


class _Header(tarfile.TarInfo):
    """The head of a member, refused where it announces a label of gigabytes."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str | None, errors: str) -> "_Header":
        """Read a header as the library does, and refuse one with too long a label. Raises ReadError."""
        header = super().frombuf(buf, encoding, errors)  # type: ignore[arg-type]
        if header.type not in tarfile.REGULAR_TYPES and header.size > _LABEL_BYTES:
            raise tarfile.ReadError(f"a label of {header.size} bytes")
        return header


class _Capped(io.RawIOBase):
    """A stream that ends in TooLarge when more than `limit` bytes come out of it."""

    def __init__(self, url: str, stream: gzip.GzipFile, limit: int) -> None:
        self._url = url
        self._stream = stream
        self._left = limit

    def read(self, size: int = -1, /) -> bytes:
        piece = self._stream.read(size)
        self._left -= len(piece)
        if self._left < 0:
            raise TooLarge(self._url, "the archive unpacks to more than its cap")
        return piece
