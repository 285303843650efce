"""From an address of its own to versions not stored yet, one conditional request an address; tables split by day."""

import hashlib
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from benchhealth.ingest.formats.numbers import UnreadableError, read_day
from benchhealth.ingest.network import archive, zipped
from benchhealth.ingest.network.fetch import Fetcher
from benchhealth.ingest.network.github import archive_url, raw_url
from benchhealth.ingest.network.payload import Limits, Payload, Unchanged
from benchhealth.ingest.run.context import RunContext
from benchhealth.ingest.run.source_state import Journal, SourceState, Version
from benchhealth.ingest.run.walk import Plan, fetched_members
from benchhealth.ingest.source import DatedCopy, DatedTable, FromWeb, WebArchive, WebFile
from benchhealth.warehouse.ledger import LedgerEntry

MEDIA_TYPES = ("application/octet-stream", "binary/octet-stream", "application/vnd.apache.parquet")
MOST_ROWS = 5_000_000
_REFUSALS = (pa.ArrowException, pl.exceptions.PolarsError, pl.exceptions.PanicException)
"""The errors of the reader, and of turning its table into ours; a panic is no Exception and would end the night."""


class Edition(NamedTuple):
    """What a table says of one day; `day` is null where the body is not such a table and stands as it came."""

    day: date | None
    body: bytes


def editions(body: bytes, column: str) -> Iterator[Edition]:
    """Yield the rows of each day, oldest first, as CSV with all columns, and numbers in their shortest form.

    A body that is not Parquet, has no such column of days, or is larger than any board, is yielded whole and unread:
    the parser says what is wrong with it.
    """
    rows = _read_parquet(body, column)
    if rows is None:
        yield Edition(None, body)
        return
    for (day,), of_day in rows.sort(column, maintain_order=True).group_by(column, maintain_order=True):
        yield Edition(read_day(str(day)), of_day.write_csv().encode())


def _read_parquet(body: bytes, column: str) -> pl.DataFrame | None:
    # By Arrow: some damaged bytes end a process in which Polars reads them.
    try:
        file = pq.ParquetFile(BytesIO(body))
        if file.metadata.num_rows > MOST_ROWS:
            return None
        table = file.read(use_threads=False)
        table.validate(full=True)
        rows = pl.DataFrame(pl.from_arrow(table))
        unlisted = any(dtype.is_nested() or dtype in (pl.Binary, pl.Object) for dtype in rows.schema.values())
        if unlisted or rows.schema.get(column) not in (pl.String, pl.Date):
            return None
        rows = rows.with_columns(pl.col(column).cast(pl.String))
        for day in rows[column].unique():
            read_day(str(day))
    except (*_REFUSALS, UnreadableError, OSError, ValueError, MemoryError):
        return None
    return rows if rows.height else None


_DAY = re.compile(r"\b20\d\d-\d\d-\d\d(?!\d)", re.ASCII)
_READ_LATER = timedelta(days=7)

LIMITS = Limits(wire_bytes=256 * 2**20, body_bytes=256 * 2**20, attempt_seconds=300.0, total_seconds=900.0)


class WebWalker:
    """Plans the ingestion of what is not followed by commit. With `history` what is kept of the past is read too."""

    def __init__(self, context: RunContext, state: SourceState, journal: Journal) -> None:
        self._state = state
        self._journal = journal
        self._fetcher: Fetcher = context.fetcher
        self._raw: Path = context.home / "raw"
        self._history = context.history

    def plan(self, single: FromWeb) -> Plan:
        """The versions to ingest from one address. Raises FetchError."""
        if isinstance(single, WebArchive):
            return self._archive(single)
        if isinstance(single, DatedTable):
            return self._table(single)
        return self._file(single)

    def _archive(self, files: WebArchive) -> Plan:
        of_past = files.copies if self._history else ()
        copies = [copy for copy in of_past if not self._state.is_read(archive_url(copy.repo, copy.commit))]
        current, closing, looked_at = self._ask(files.url, files.url, zipped.MEDIA_TYPES)
        expected = len(copies) + (current is not None)
        return Plan(self._members(files, copies, current), (closing,), expected, looked_at=looked_at)

    def _members(self, files: WebArchive, copies: list[DatedCopy], current: Payload | None) -> Iterator[Version]:
        for copy in copies:
            yield from self._copied(files, copy)
        if current is not None:
            looked_at = current.looked_at or current.fetched_at
            for member in zipped.members(files.url, current.body, files.pattern):
                version = self._version(files.url, files.board_id, member, looked_at)
                if version is not None:
                    yield version

    def _copied(self, files: WebArchive, copy: DatedCopy) -> Iterator[Version]:
        url = archive_url(copy.repo, copy.commit)
        on = datetime.combine(copy.on, time())
        # The pattern is about paths in the zip, and its groups must be the first ones here too.
        pattern = re.escape(copy.folder) + rf"(?:{files.pattern})"
        for member in fetched_members(self._fetcher, self._raw, url, pattern):
            inside = replace(member, path=member.path.removeprefix(copy.folder))
            version = self._version(url, files.board_id, inside, on)
            if version is not None:
                address = raw_url(copy.repo, copy.commit, member.path)
                if not self._state.is_saved(address, copy.commit):
                    yield replace(version, url=address, commit=copy.commit)
        self._journal.record(self._journal.entry(url, f"{copy.repo} ({copy.folder})", "written", ref=copy.commit))

    def _file(self, file: WebFile) -> Plan:
        answer, closing, looked_at = self._ask(file.url, file.path, file.media_types)
        body = None if answer is None else answer.body
        version = None if body is None else self._version_of(file.url, file.path, file.board_id, body, looked_at)
        versions = [version] if version is not None else []
        return Plan(iter(versions), (closing,), len(versions), looked_at=looked_at)

    def _table(self, table: DatedTable) -> Plan:
        closing: list[LedgerEntry] = []
        answers: list[Payload] = []
        looks: list[datetime] = []
        for url in (table.history, table.url) if self._history else (table.url,):
            answer, entry, looked_at = self._ask(url, table.path, MEDIA_TYPES)
            closing.append(entry)
            looks.append(looked_at)
            if answer is not None:
                answers.append(answer)
        return Plan(self._editions(table, answers), tuple(closing), len(answers), looked_at=min(looks))

    def _editions(self, table: DatedTable, answers: list[Payload]) -> Iterator[Version]:
        for answer in answers:
            for day, body in editions(answer.body, table.day):
                observed_at = datetime.combine(day, time()) if day else answer.looked_at or answer.fetched_at
                version = self._version_of(answer.url, table.path, table.board_id, body, observed_at)
                if version is not None:
                    yield version

    def _ask(self, url: str, path: str, media_types: tuple[str, ...]) -> tuple[Payload | None, LedgerEntry, datetime]:
        """The body where it is another than the last one that was read, what the ledger learns then, and the look."""
        last = self._state.last(url)
        answer = self._fetcher.get(url, media_types=media_types, etag=last.etag if last else "", limits=LIMITS)
        if isinstance(answer, Unchanged):
            assert last is not None, "a 304 answers a version that was named"
            return None, replace(last, state="unchanged", detail="", at=answer.fetched_at), answer.looked_at
        looked_at = answer.looked_at or answer.fetched_at
        return answer, self._journal.entry(url, path, "unchanged", etag=answer.etag), looked_at

    def _version(self, url: str, board_id: str, member: archive.Member, observed_at: datetime) -> Version | None:
        board = board_id.format(*(group or "" for group in member.match.groups()))
        return self._version_of(url, member.path, board, member.body, observed_at)

    def _version_of(self, url: str, path: str, board_id: str, body: bytes, observed_at: datetime) -> Version | None:
        """The body as a version of its board; None where the board says the same already, or the bytes wait."""
        observed_at = _spoken_at(body, observed_at, self._fetcher.now())
        sha256 = hashlib.sha256(body).hexdigest()
        ref = f"{observed_at:%Y-%m-%d}-{sha256[:12]}"
        is_current = self._state.body_of(board_id, observed_at) == sha256 or self._state.is_waiting(path, sha256)
        if is_current or self._state.is_stored(path, ref):
            return None
        address = f"{url}#/{ref}/{path}"
        payload = Payload(address, ref, self._fetcher.now(), sha256, "application/octet-stream", body)
        return Version(address, path, board_id, ref, observed_at, payload)


def _spoken_at(body: bytes, observed_at: datetime, now: datetime) -> datetime:
    """When a file spoke: `observed_at`, or the newest day written in it where that lies a few days later.

    An archive is as old as its newest part that bears a date; boards in it may have been read some days after that.
    """
    latest = min(observed_at + _READ_LATER, now)
    return max([observed_at, *(day for day in _days(body.decode("latin-1")) if day <= latest)])


def _days(text: str) -> Iterator[datetime]:
    for day in set(_DAY.findall(text)):
        with suppress(ValueError):
            yield datetime.combine(date.fromisoformat(day), time())
