"""Where a person can see what a number was read from: the file, its commit, the line."""

import re
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

_RAW = re.compile(r"https://raw\.githubusercontent\.com/([^/]+/[^/]+)/([^/]+)/(.+)")
_LINE = re.compile(r"line (\d+)")
_COMMIT = re.compile(r"[0-9a-f]{7,40}")


class Place(NamedTuple):
    """The file that a row stands in, its commit or version, the row, what the row itself cites, where to look."""

    file: str
    ref: str
    row: str
    cites: str
    address: str

    def said(self) -> str:
        """As `results.csv, commit 4e5207c, line 12`."""
        at = f"commit {self.ref[:7]}" if _COMMIT.fullmatch(self.ref) else f"version {self.ref}" if self.ref else ""
        stands = ", ".join(part for part in (self.file, at, self.row) if part)
        return f"{stands}, which cites {self.cites}" if self.cites else stands


def file_address(url: str | None, source_row: str | None) -> str | None:
    """Where a person can see the row: GitHub's page of the file at its commit, at its line where one is named."""
    if url is None or not url.startswith(("https://", "http://")):
        return None
    raw = _RAW.fullmatch(url)
    if raw is None:
        return url
    line = _LINE.search(source_row or "")
    return f"https://github.com/{raw[1]}/blob/{raw[2]}/{raw[3]}{f'?plain=1#L{line[1]}' if line else ''}"


def place(url: str | None, source_row: str | None, ref: str | None = None) -> Place | None:
    """The place of a row, or None where its file has no address that can be opened."""
    address = file_address(url, source_row)
    if url is None or address is None:
        return None
    raw = _RAW.fullmatch(url)
    row, _, own = (source_row or "").partition(", http")
    path = unquote(urlsplit(url).path).strip("/")
    return Place(
        path.rsplit("/", 1)[-1],
        raw[2] if raw else (ref or ""),
        row,
        own.partition("://")[2],
        f"http{own}" if own else address,
    )
