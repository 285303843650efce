"""Versions of files, what warehouse and ledger hold of a source, and how its run writes the ledger."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import polars as pl

from benchhealth.ingest.network import raw
from benchhealth.ingest.network.payload import Payload
from benchhealth.warehouse.ledger import Ledger, LedgerEntry
from benchhealth.warehouse.store import Store, fact_table

DELETED_REASON = "HTTP status 404"
"""What the ledger says of a version that its commit deleted."""

HELD_PREFIX = "held: "
"""How the reason of a version begins that is kept out of service; every reason but this and REFUSED is a fault."""

REFUSED = "refused for good: "
"""How the reason of a version begins that a curator refused in `data/registry/refused.csv`."""


@dataclass(frozen=True)
class Version:
    """One dated version of one file. `payload` is set where its bytes came with something larger."""

    url: str
    path: str
    board_id: str
    commit: str
    committed_at: datetime
    payload: Payload | None = None


@dataclass(frozen=True)
class Saved:
    """A version whose bytes are kept but whose facts are not stored; `reason` is why, where parsing failed."""

    url: str
    path: str
    commit: str
    committed_at: datetime
    sha256: str
    fetched_at: datetime
    reason: str

    @property
    def held(self) -> bool:
        """Whether the version can be read and is kept out of service until a curator has looked."""
        return self.reason.startswith(HELD_PREFIX)

    @property
    def refused(self) -> bool:
        """Whether a curator refused the version for good: nobody has to look at it."""
        return self.reason.startswith(REFUSED)

    @property
    def state(self) -> str:
        """What the ledger calls a version that is kept out for its reason."""
        return "held" if self.held else "refused" if self.refused else "failed"

    @property
    def file(self) -> str:
        """The address of the file without the version."""
        return timeless(self.url, self.commit)


@dataclass(frozen=True)
class Stored:
    """A version whose facts are stored; `file` is its address without the version."""

    observed_at: datetime
    file: str
    sha256: str
    snapshot_id: str


def snapshot_id(source_id: str, path: str, commit: str) -> str:
    """The id of one version of one file: the same on every machine and in every run."""
    return hashlib.sha256("\n".join((source_id, path, commit)).encode()).hexdigest()[:16]


def timeless(url: str, ref: str) -> str:
    """The address of a file without the version in it."""
    return url.replace(f"/{ref}/", "/*/", 1)


UNFINISHED = ("started", "fetched", "parsed", "failed", "held", "refused")
"""States in which the story of a fetched version ends where its facts are not stored."""


class SourceState:
    """What is there of one source before a run; keeps up with what the run adds to it."""

    def __init__(self, store: Store, home: Path, source_id: str) -> None:
        self._source_id = source_id
        entries = store.ledger.entries(source_id)
        self._last = {
            row["url"]: LedgerEntry(**row)
            for row in entries.unique("url", keep="last").drop("seq").iter_rows(named=True)
        }
        # The bytes may lie on another machine, or be gone: what is not here is fetched again.
        present = (saved for saved in saved_versions(entries) if raw.path_of(home, saved.sha256).exists())
        self._saved = {(saved.url, saved.commit): saved for saved in present}
        self._stored: dict[str, datetime] = {}
        self._versions: dict[str, list[Stored]] = {}
        self._boards: set[str] = set()
        snapshots = fact_table(home, "snapshot").filter(pl.col("source_id") == source_id)
        columns = ("url", "ref", "observed_at", "sha256", "snapshot_id", "board_id")
        for row in snapshots.select(columns).iter_rows(named=True):
            file = timeless(row["url"], row["ref"])
            self._add(Stored(row["observed_at"], file, row["sha256"], row["snapshot_id"]), row["board_id"])

    def last(self, url: str) -> LedgerEntry | None:
        """The newest ledger entry of this source about an address; another source may follow the same file."""
        return self._last.get(url)

    def note(self, entry: LedgerEntry) -> None:
        """Take an entry into account that the ledger is about to record."""
        self._last[entry.url] = entry

    def is_read(self, url: str) -> bool:
        """Whether an archive was read to its end."""
        entry = self.last(url)
        return entry is not None and entry.state == "written"

    def is_stored(self, path: str, commit: str) -> bool:
        """Whether the facts of this version are in the warehouse."""
        return snapshot_id(self._source_id, path, commit) in self._stored

    def is_stored_of_another_day(self, path: str, commit: str, instant: datetime) -> bool:
        """Whether the facts of this version are in the warehouse as said at another instant."""
        return self._stored.get(snapshot_id(self._source_id, path, commit), instant) != instant

    def is_saved(self, url: str, commit: str) -> bool:
        """Whether the bytes of this version are kept and its facts are not stored."""
        return (url, commit) in self._saved

    def boards(self) -> set[str]:
        """The ids of the boards of which the warehouse has a version."""
        return set(self._boards)

    def waiting(self) -> list[Saved]:
        """The saved versions, those committed first before the others."""
        return sorted(self._saved.values(), key=lambda saved: saved.committed_at)

    def is_gone(self, url: str) -> bool:
        """Whether the host said that this version of the file does not exist: a commit that deleted it."""
        entry = self.last(url)
        return entry is not None and entry.state == "failed" and entry.detail == DELETED_REASON

    def body_before(self, url: str, ref: str, instant: datetime) -> str:
        """The sha256 of the stored version of the same file that was current just before `instant`; empty if none."""
        earlier = [version for version in self._versions.get(timeless(url, ref), ()) if version.observed_at < instant]
        return max(earlier, key=lambda version: (version.observed_at, version.sha256)).sha256 if earlier else ""

    def body_of(self, board_id: str, instant: datetime) -> str:
        """The sha256 of the version of a board that is current at `instant`, in whatever file; empty if none."""
        earlier = [version for version in self._versions.get(board_id, ()) if version.observed_at <= instant]
        return max(earlier, key=lambda version: (version.observed_at, version.sha256)).sha256 if earlier else ""

    def is_waiting(self, path: str, sha256: str) -> bool:
        """Whether these bytes of a file are kept under any address, and its facts are not stored."""
        return any((saved.path, saved.sha256) == (path, sha256) for saved in self._saved.values())

    def is_said_otherwise(self, saved: Saved, board_id: str) -> bool:
        """Whether other bytes of the board are stored for the very instant of this version."""
        return any(
            version.observed_at == saved.committed_at and version.sha256 != saved.sha256
            for version in self._versions.get(board_id, ())
        )

    def version_before(self, saved: Saved, line: str = "") -> Stored | None:
        """The stored version that was current just before this one: of its file, or of the board named as `line`."""
        position = (saved.committed_at, saved.file)
        earlier = [
            version
            for version in self._versions.get(line or saved.file, ())
            if (version.observed_at, version.file) < position
        ]
        return max(earlier, key=lambda version: (version.observed_at, version.file, version.snapshot_id), default=None)

    def is_newest(self, saved: Saved, line: str = "") -> bool:
        """Whether no later version of the same file (of the board `line`) is stored.

        A version that claims to be of the future was there when it was fetched, and no later.
        """
        since = min(saved.committed_at, saved.fetched_at)
        return all(version.observed_at < since for version in self._versions.get(line or saved.file, ()))

    def note_saved(self, saved: Saved) -> None:
        """Remember that bytes are kept, or why they could not be parsed."""
        self._saved[saved.url, saved.commit] = saved

    def note_stored(self, saved: Saved, board_id: str) -> None:
        """Remember that facts are stored, or about to be."""
        self._saved.pop((saved.url, saved.commit), None)
        self._add(self._as_stored(saved), board_id)

    def note_unstored(self, saved: Saved, board_id: str) -> None:
        """Remember that the facts could not be stored after all."""
        version = self._as_stored(saved)
        self._stored.pop(version.snapshot_id, None)
        for line in (version.file, board_id):
            self._versions[line].remove(version)

    def _as_stored(self, saved: Saved) -> Stored:
        stored_as = snapshot_id(self._source_id, saved.path, saved.commit)
        return Stored(saved.committed_at, saved.file, saved.sha256, stored_as)

    def _add(self, version: Stored, board_id: str) -> None:
        self._stored[version.snapshot_id] = version.observed_at
        self._boards.add(board_id)
        for line in (version.file, board_id):
            self._versions.setdefault(line, []).append(version)


def saved_versions(entries: pl.DataFrame) -> Iterator[Saved]:
    """The versions whose story in the ledger of one source has a fetch and no later end.

    The run was cut, the parser refused, it is held, or a curator refused it: who takes that back gets it read.
    """
    fetched = entries.filter(pl.col("state") == "fetched").unique(["url", "ref"], keep="last")
    last = entries.unique(["url", "ref"], keep="last").select("url", "ref", last_state="state", last_detail="detail")
    open_ends = fetched.join(last, on=["url", "ref"]).filter(pl.col("last_state").is_in(UNFINISHED))
    for row in open_ends.iter_rows(named=True):
        yield Saved(
            url=row["url"],
            path=row["path"],
            commit=row["ref"],
            committed_at=datetime.fromisoformat(row["detail"]),
            sha256=row["sha256"],
            fetched_at=row["at"],
            reason=row["last_detail"] if row["last_state"] in ("failed", "held", "refused") else "",
        )


_OF_BYTES = ("started", "fetched")
"""States that speak of bytes alone: they may be on disk before the facts of an earlier version are."""


class Journal:
    """Makes the ledger entries of one source, dated by the clock, and keeps them until they are stored."""

    def __init__(self, source_id: str, state: SourceState, ledger: Ledger, now: Callable[[], datetime]) -> None:
        self._source_id = source_id
        self._state = state
        self._ledger = ledger
        self._now = now
        self._of_bytes: list[LedgerEntry] = []
        self._waiting: list[LedgerEntry] = []

    def entry(self, url: str, path: str, state: str, *, ref: str = "", etag: str = "") -> LedgerEntry:
        """Make an entry of the ledger about an address, without recording it."""
        return LedgerEntry(
            source_id=self._source_id,
            url=url,
            path=path,
            ref=ref,
            etag=etag,
            sha256="",
            state=state,
            detail="",
            at=self._now(),
        )

    def record(self, entry: LedgerEntry) -> None:
        """Append an entry as it is: known to this run at once, on disk with the facts that are stored next."""
        self._state.note(entry)
        (self._of_bytes if entry.state in _OF_BYTES else self._waiting).append(entry)

    def save(self) -> None:
        """Put on disk what bytes came: a run that is killed from here on does not fetch them again."""
        of_bytes, self._of_bytes = self._of_bytes, []
        self._ledger.record(*of_bytes)

    def take_entries(self) -> list[LedgerEntry]:
        """Hand over the entries that are not on disk yet; the caller stores them."""
        unwritten = [*self._of_bytes, *self._waiting]
        self._of_bytes, self._waiting = [], []
        return unwritten

    def record_version(self, saved: Saved, state: str, *, detail: str = "", etag: str = "") -> None:
        """Record how the parsing or storing of a version ended whose bytes are saved."""
        entry = self.entry(saved.url, saved.path, state, ref=saved.commit, etag=etag)
        self.record(replace(entry, sha256=saved.sha256, detail=detail))

    def record_failure(self, url: str, path: str, detail: str, *, ref: str = "") -> None:
        """A failure keeps what the ledger knows of an address: what is stored is still that version."""
        last = self._state.last(url)
        entry = self.entry(url, path, "failed", ref=ref) if last is None else replace(last, path=path, state="failed")
        self.record(replace(entry, detail=detail, at=self._now()))
