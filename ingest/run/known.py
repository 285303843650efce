"""What the warehouse and the ledger already know of one source, so that nothing is fetched or parsed for nothing."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import polars as pl

from ingest.network.payload import Payload
from warehouse.ledger import LedgerEntry
from warehouse.store import Store, fact_table


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
        return self.reason.startswith(HELD)


HELD = "held: "
"""How the reason of a version begins that is kept out of service; every other reason is a fault."""


@dataclass(frozen=True)
class Stored:
    """A version whose facts are stored: what a later one of its line is compared with."""

    snapshot_id: str
    observed_at: datetime


def snapshot_id(source_id: str, path: str, commit: str) -> str:
    """The id of one version of one file: the same on every machine and in every run."""
    return hashlib.sha256("\n".join((source_id, path, commit)).encode()).hexdigest()[:16]


class Known:
    """The memory of one source; keeps up with what this run adds to it."""

    def __init__(self, store: Store, home: Path, source_id: str) -> None:
        self._store = store
        self._source_id = source_id
        self._snapshots = fact_table(home, "snapshot").filter(pl.col("source_id") == source_id)
        self._stored = set(self._snapshots["snapshot_id"])
        entries = store.ledger.entries(source_id)
        self._last = {
            row["url"]: LedgerEntry(**row)
            for row in entries.unique("url", keep="last").drop("seq").iter_rows(named=True)
        }
        self._saved = {(saved.url, saved.commit): saved for saved in _saved(entries)}
        self._bodies: dict[str, list[tuple[datetime, str]]] = {}
        self._lines: dict[str, list[tuple[datetime, str, str]]] = {}
        columns = ("url", "ref", "observed_at", "sha256", "snapshot_id", "board_id")
        for url, ref, observed_at, sha256, known_id, board_id in self._snapshots.select(columns).iter_rows():
            self._remember(timeless(url, ref), observed_at, sha256, known_id, board_id)

    def last(self, url: str) -> LedgerEntry | None:
        """The newest ledger entry of this source about an address; another source may follow the same file."""
        return self._last.get(url)

    def record(self, entry: LedgerEntry) -> None:
        """Append to the ledger."""
        self._store.ledger.record(entry)
        self._last[entry.url] = entry

    def stored(self, path: str, commit: str) -> bool:
        """Whether the facts of this version are in the warehouse."""
        return snapshot_id(self._source_id, path, commit) in self._stored

    def saved(self, url: str, commit: str) -> bool:
        """Whether the bytes of this version are kept and its facts are not stored."""
        return (url, commit) in self._saved

    def waiting(self) -> Iterator[Saved]:
        """The saved versions, those committed first before the others."""
        yield from sorted(self._saved.values(), key=lambda saved: saved.committed_at)

    def is_gone(self, url: str) -> bool:
        """Whether the host said that this version of the file does not exist: a commit that deleted it."""
        entry = self.last(url)
        return entry is not None and entry.state == "failed" and entry.detail == GONE

    def body_before(self, url: str, ref: str, at: datetime) -> str:
        """The sha256 of the stored version of the same file that was current just before `at`; empty if none."""
        earlier = [body for body in self._bodies.get(timeless(url, ref), ()) if body[0] < at]
        return max(earlier)[1] if earlier else ""

    def before(self, saved: Saved, line: str = "") -> Stored | None:
        """The stored version that was current just before this one: of its file, or of the board named as `line`."""
        file = timeless(saved.url, saved.commit)
        earlier = [known for known in self._lines.get(line or file, ()) if known[:2] < (saved.committed_at, file)]
        return Stored(max(earlier)[2], max(earlier)[0]) if earlier else None

    def is_newest(self, saved: Saved, line: str = "") -> bool:
        """Whether no later version of the same file (of the board `line`) is stored.

        A version that claims to be of the future was there when it was fetched, and no later.
        """
        known = self._lines.get(line or timeless(saved.url, saved.commit), ())
        since = min(saved.committed_at, saved.fetched_at)
        return all(at < since for at, _, _ in known)

    def note_saved(self, saved: Saved) -> None:
        """Remember that bytes are kept, or why they could not be parsed."""
        self._saved[saved.url, saved.commit] = saved

    def note_stored(self, version: Saved, board_id: str) -> None:
        """Remember that facts are stored."""
        self._saved.pop((version.url, version.commit), None)
        known_id = snapshot_id(self._source_id, version.path, version.commit)
        self._stored.add(known_id)
        file = timeless(version.url, version.commit)
        self._remember(file, version.committed_at, version.sha256, known_id, board_id)

    def _remember(self, file: str, at: datetime, sha256: str, known_id: str, board_id: str) -> None:
        self._bodies.setdefault(file, []).append((at, sha256))
        for line in (file, board_id):
            self._lines.setdefault(line, []).append((at, file, known_id))


GONE = "HTTP status 404"


def timeless(url: str, ref: str) -> str:
    """The address of a file without the version in it."""
    return url.replace(f"/{ref}/", "/*/", 1)


def _saved(entries: pl.DataFrame) -> Iterator[Saved]:
    """The versions whose story has a fetch and no later end: the run was cut, the parser refused, or it is held."""
    fetched = entries.filter(pl.col("state") == "fetched").unique(["url", "ref"], keep="last")
    last = entries.unique(["url", "ref"], keep="last").select("url", "ref", last_state="state", last_detail="detail")
    open_ends = fetched.join(last, on=["url", "ref"]).filter(
        pl.col("last_state").is_in(["started", "fetched", "parsed", "failed", "held"])
    )
    for row in open_ends.iter_rows(named=True):
        yield Saved(
            url=row["url"],
            path=row["path"],
            commit=row["ref"],
            committed_at=datetime.fromisoformat(row["detail"]),
            sha256=row["sha256"],
            fetched_at=row["at"],
            reason=row["last_detail"] if row["last_state"] in ("failed", "held") else "",
        )
