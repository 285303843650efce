"""The members of a zip, each read in memory within bounds: what a header announces is never believed."""

import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from re import compile as pattern_of
from struct import error as StructError  # noqa: N812  an exception, whatever the library calls it

from benchhealth.ingest.network.archive import Member
from benchhealth.ingest.network.github import is_plain
from benchhealth.ingest.network.payload import TooLarge, Truncated, UnexpectedAnswer

MEDIA_TYPES = ("application/zip", "application/x-zip-compressed", "application/octet-stream")
MEMBER_BYTES = 32 * 2**20
UNPACKED_BYTES = 256 * 2**20
MOST_MEMBERS = 5_000

_MEMBER_MARK = b"PK\x01\x02"
_PLAIN_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1
# The library lets what its parts raise come through.
_NOT_A_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
    StructError,
)


def members(
    url: str,
    body: bytes,
    pattern: str,
    *,
    unpacked_bytes: int = UNPACKED_BYTES,
    member_bytes: int = MEMBER_BYTES,
) -> Iterator[Member]:
    """Yield the files of a zip whose path fully matches `pattern`, in the order of its directory.

    Raises TooLarge past a cap (on members, on one, on all that is read), UnexpectedAnswer for a path that is no text or
    stands there twice and for a member that is encrypted or packed in another way, Truncated where it is no whole zip.
    """
    # The library reads the whole directory at once, so its length is looked at first.
    if body.count(_MEMBER_MARK) > MOST_MEMBERS:
        raise TooLarge(url, f"the zip has more than {MOST_MEMBERS} members")
    wanted = pattern_of(pattern)
    names: set[str] = set()
    left = unpacked_bytes
    try:
        with zipfile.ZipFile(BytesIO(body)) as archive:
            for header in archive.infolist():
                match = wanted.fullmatch(header.filename)
                if match is None or header.is_dir():
                    continue
                _refuse_odd(url, header, names)
                names.add(header.filename)
                with archive.open(header) as member:
                    content = member.read(min(member_bytes, left) + 1)
                if len(content) > member_bytes:
                    raise TooLarge(url, f"{header.filename} has more than {member_bytes} bytes")
                left -= len(content)
                if left < 0:
                    raise TooLarge(url, "the zip unpacks to more than its cap")
                yield Member(header.filename, match, content)
    except _NOT_A_ZIP as error:
        raise Truncated(url, f"not a whole zip: {error}") from error


def _refuse_odd(url: str, header: zipfile.ZipInfo, names: set[str]) -> None:
    if not is_plain(header.filename):
        raise UnexpectedAnswer(url, f"a path that is no text: {header.filename[:100]!r}")
    if header.filename in names:
        raise UnexpectedAnswer(url, f"{header.filename} is in the zip twice")
    if header.flag_bits & _ENCRYPTED or header.compress_type not in _PLAIN_METHODS:
        raise UnexpectedAnswer(url, f"{header.filename} is encrypted, or packed in a way that is not read")
