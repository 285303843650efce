"""Where a person can see what a number was read from: the file, its commit, the line."""

import re
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

_RAW = re.compile(r"https://raw\.githubusercontent\.com/([^/]+/[^/]+)/([^/]+)/(.+)")
_FOLDER = re.compile(r"https://github\.com/([^/]+/[^/]+)/tree/(.+)")
_IN_FOLDER = re.compile(r"([^#]+)#/.*")
_LINE = re.compile(r"line (\d+)")
_CITED = re.compile(r", (https?://[^ ]+)$")
_AT_LINE = re.compile(r"#L(\d+)$")
_COMMIT = re.compile(r"[0-9a-f]{7,40}")


class Place(NamedTuple):
    """The file that a row stands in, its commit or version, the row, what the row itself cites, where to look."""

    file: str
    ref: str
    row: str
    cites: str
    address: str

    def text(self) -> str:
        """As `results.csv, commit 4e5207c, line 12`."""
        version = f"commit {self.ref[:7]}" if _COMMIT.fullmatch(self.ref) else f"version {self.ref}" if self.ref else ""
        stands = ", ".join(phrase for phrase in (self.file, version, self.row) if phrase)
        return f"{stands}, which cites {self.cites}" if self.cites else stands


def file_address(url: str | None, source_row: str | None) -> str | None:
    """Where a person can see the row: the page that it cites, else the file; on GitHub at its commit.

    At the line where the row names one and the file is on GitHub; nowhere else has a line an address.
    """
    if cited := _CITED.search(source_row or ""):
        return cited[1]
    if url is None or not url.startswith(("https://", "http://")):
        return None
    folder, inside = _FOLDER.fullmatch(url), _IN_FOLDER.fullmatch(source_row or "")
    if folder and inside:
        return f"https://github.com/{folder[1]}/blob/{folder[2]}/{quote(inside[1])}"
    raw = _RAW.fullmatch(url)
    if raw is None:
        return url
    line = _LINE.search(source_row or "")
    return f"https://github.com/{raw[1]}/blob/{raw[2]}/{raw[3]}{f'?plain=1#L{line[1]}' if line else ''}"


def opens_at(address: str | None) -> str:
    """What of the file an address of `file_address` shows at once."""
    if address is None:
        return "has no address"
    if line := _AT_LINE.search(address):
        return f"line {line[1]}"
    return "whole file" if "github.com/" in address else "a page"


def place(url: str | None, source_row: str | None, ref: str | None = None) -> Place | None:
    """The place of a row, or None where its file has no address that can be opened."""
    address = file_address(url, source_row)
    if url is None or address is None:
        return None
    raw = _RAW.fullmatch(url)
    row, _, cited = (source_row or "").partition(", http")
    path = unquote(urlsplit(url).path).strip("/")
    return Place(
        path.rsplit("/", 1)[-1],
        raw[2] if raw else (ref or ""),
        row,
        cited.partition("://")[2],
        f"http{cited}" if cited else address,
    )
