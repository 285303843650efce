"""One run over the catalogue: fetch, save, parse, resolve, write; a fault stays with the file that has it."""

import logging
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from ingest.network.fetch import Fetcher
from ingest.network.github import GithubApi, archive_url, is_plain, raw_url, tree_url
from ingest.network.payload import FetchError, HttpStatus, Payload, RateLimited, UnexpectedAnswer
from ingest.rows import PayloadError
from ingest.run import raw
from ingest.run.gate import Gate
from ingest.run.known import GONE, Known, Saved, Version, snapshot_id, timeless
from ingest.run.progress import Progress, shown_on
from ingest.run.resolve import resolve
from ingest.run.walk import Plan, Walker, archive_label, board_of
from ingest.source import BundledFile, Files, GithubArchive, GithubFile, GithubTree, Source
from warehouse.batch import Batch
from warehouse.faults import DatabaseFault
from warehouse.ledger import LedgerEntry
from warehouse.registry import Registry
from warehouse.store import Store

log = logging.getLogger(__name__)

CLOCK_SKEW = timedelta(days=1)
"""How far the clocks of a committer and of this machine may be apart."""

Status = Literal["ok", "failed"]


@dataclass(frozen=True)
class SourceReport:
    """What a run did for one source.

    `unchanged` counts files that the upstream still serves in the version that was stored before, `refused` old
    versions that the parser would not read (or that were held) and that a later one has replaced, `deferred` files
    that wait for the next run because the API limit is reached (no failure). `held` names the files whose newest
    version drifted too far from the last good one, which stays in service (no failure either: `status` says so, and a
    curator decides). `errors` names every failure with its file.
    """

    source_id: str
    snapshots: int = 0
    results: int = 0
    rejections: int = 0
    unchanged: int = 0
    refused: int = 0
    deferred: int = 0
    errors: tuple[str, ...] = ()
    held: tuple[str, ...] = ()

    @property
    def status(self) -> Status:
        """Failed where any file could not be brought up to date through a fault, its own or of the way to it."""
        return "failed" if self.errors else "ok"

    def summary(self) -> str:
        """One line for a log."""
        parts = [f"{self.snapshots} new snapshots, {self.results} results, {self.rejections} rejections"]
        parts.append(f"{self.unchanged} files unchanged")
        if self.refused:
            parts.append(f"{self.refused} superseded versions refused or held")
        if self.deferred:
            parts.append(f"API limit reached; {self.deferred} files wait for the next night")
        if self.held:
            parts.append(f"quarantined: {'; '.join(self.held)}")
        if self.errors:
            parts.append(f"failed: {'; '.join(self.errors)}")
        return ", ".join(parts)


@dataclass(frozen=True)
class IngestReport:
    """What a run did, source by source."""

    sources: tuple[SourceReport, ...]

    @property
    def deferred(self) -> int:
        """Files that wait for the next run because the API limit is reached."""
        return sum(source.deferred for source in self.sources)

    def __str__(self) -> str:
        failed = [source.source_id for source in self.sources if source.status == "failed"]
        held = [source.source_id for source in self.sources if source.held]
        quarantined = f"; quarantined: {', '.join(held)}" if held else ""
        counts = (
            f"{sum(source.snapshots for source in self.sources)} new snapshots with "
            f"{sum(source.results for source in self.sources)} results from {len(self.sources)} sources"
        )
        waiting = f"; API limit reached, {self.deferred} files wait for the next night" if self.deferred else ""
        return counts + waiting + quarantined + (f"; failed: {', '.join(failed)}" if failed else "")


def exit_code(report: IngestReport) -> int:
    """0 if all sources went well, 2 if some failed, 1 if all did."""
    failed = sum(source.status == "failed" for source in report.sources)
    if not failed:
        return 0
    return 1 if failed == len(report.sources) else 2


def ingest(  # noqa: PLR0913  the composition root passes what a run works with
    sources: Sequence[Source],
    store: Store,
    registry: Registry,
    fetcher: Fetcher,
    *,
    history: bool,
    home: Path,
    registry_folder: Path,
    progress: Progress | None = None,
) -> IngestReport:
    """Bring every source up to date; with `history` back to its first version.

    `home` holds the warehouse and the raw bodies, `registry_folder` the facts of papers. Without `progress` a bar is
    drawn on a terminal and lines are logged elsewhere. Never raises for a fault of a source or of its parser.
    """
    if progress is None:
        with shown_on(sys.stderr) as shown:
            return ingest(
                sources,
                store,
                registry,
                fetcher,
                history=history,
                home=home,
                registry_folder=registry_folder,
                progress=shown,
            )
    around = _Around(store, registry, registry_folder, fetcher, GithubApi(fetcher), home, progress)
    unfinished = raw.sweep(home)
    if unfinished:
        log.info("removed %d bodies that a killed run had begun to save", unfinished)
    reports = []
    for source in sources:
        progress.begin(source.title)
        done = _OneSource(source, around, history=history).run()
        progress.end(done.summary())
        reports.append(done)
    report = IngestReport(tuple(reports))
    if report.deferred:
        log.warning("API limit reached; %d files wait for the next night", report.deferred)
    return report


@dataclass(frozen=True)
class _Around:
    store: Store
    registry: Registry
    registry_folder: Path
    fetcher: Fetcher
    api: GithubApi
    home: Path
    progress: Progress


@dataclass
class _Tally:
    snapshots: int = 0
    results: int = 0
    rejections: int = 0
    unchanged: int = 0
    deferred: int = 0
    errors: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)


class _OneSource:
    """The run of one source."""

    def __init__(self, source: Source, around: _Around, *, history: bool) -> None:
        self._source = source
        self._around = around
        self._store = around.store
        self._tally = _Tally()
        self._tried: set[tuple[str, str]] = set()
        self._changed: set[tuple[str, str]] = set()
        self._units = dict(around.registry.benchmark.select("benchmark_id", "unit").iter_rows())
        self._aliases = around.registry.aliases()
        self._known = Known(around.store, around.home, source.key)
        self._gate = Gate(source, self._store, self._known, self._units, around.registry.breakpoint)
        self._walker = Walker(
            source.key,
            known=self._known,
            fetcher=around.fetcher,
            api=around.api,
            home=around.home,
            history=history,
        )

    def run(self) -> SourceReport:
        self._parse_again(cut_short=True)  # first: what follows is compared with what is stored
        for files in self._source.files:
            for single in self._expand(files):
                self._follow(single)
        self._parse_again()
        refused = self._settle()
        tally = self._tally
        return SourceReport(
            self._source.key,
            tally.snapshots,
            tally.results,
            tally.rejections,
            tally.unchanged,
            refused,
            tally.deferred,
            tuple(tally.errors),
            tuple(tally.held),
        )

    def _expand(self, files: Files) -> Sequence[GithubFile | GithubArchive | BundledFile]:
        if not isinstance(files, GithubTree):
            return [files]
        url = tree_url(files.repo, files.branch)
        try:
            found = self._walker.expand(files)
        except RateLimited:
            self._tally.deferred += 1
            return []
        except Exception as error:
            self._fail(url, files.pattern, error)
            return []
        for single in found:
            if not is_plain(single.path):
                self._fail(url, files.pattern, UnexpectedAnswer(url, f"a path that is no text: {single.path[:100]!r}"))
        return [single for single in found if is_plain(single.path)]

    def _follow(self, single: GithubFile | GithubArchive | BundledFile) -> None:
        try:
            missing = self._carry_out(self._walker.plan(single, self._around.registry_folder))
            if missing:
                self._record_failure(*_address(single), f"{missing} versions could not be fetched")
        except RateLimited:
            self._tally.deferred += 1
        except Exception as error:
            # Whatever a host makes up, it costs this file, not the night.
            self._fail(*_address(single), error)

    def _carry_out(self, plan: Plan) -> int:
        """Take every version; the number of those whose bytes did not come."""
        self._around.progress.expect(plan.expected)
        for path, error in plan.gone:
            self._fail(error.url, path, error)
        if not plan.expected:
            self._tally.unchanged += 1
        missing = 0
        for version in plan.versions:
            missing += not self._take(version, plan)
            self._around.progress.advance(version.path)
        for entry in () if missing else plan.closing:
            self._known.record(replace(entry, at=self._around.fetcher.now()))
        return missing

    def _take(self, version: Version, plan: Plan) -> bool:
        """Fetch, save and read one version; whether its bytes are here (or are known not to exist)."""
        try:
            payload = version.payload or self._fetch(version)
            raw.save(self._around.home, payload)
        except HttpStatus as error:
            deleted_here = error.status == 404 and version.commit != plan.newest
            detail = GONE if deleted_here else f"not served: {error.detail}"
            self._record_failure(version.url, version.path, detail, ref=version.commit)
            if not deleted_here:
                self._tally.errors.append(str(error))
            return deleted_here
        except (FetchError, raw.RawError) as error:
            self._record_failure(version.url, version.path, str(error), ref=version.commit)
            self._tally.errors.append(str(error))
            return False
        saved = Saved(
            version.url,
            version.path,
            version.commit,
            version.committed_at,
            payload.sha256,
            payload.fetched_at,
            reason="",
        )
        # The commit's date is in `detail`, so that a run that was cut here can be taken up without asking again.
        self._record(saved, "fetched", version.committed_at.isoformat(), etag=payload.etag)
        self._known.note_saved(saved)
        self._read(saved, version.board_id)
        return True

    def _fetch(self, version: Version) -> Payload:
        self._known.record(self._entry(version.url, version.path, version.commit, "started"))
        answer = self._around.fetcher.get(version.url, media_types=self._media_types(version.path), ref=version.commit)
        assert isinstance(answer, Payload), "no version was named, so none can be unchanged"
        return answer

    def _media_types(self, path: str) -> tuple[str, ...]:
        for files in self._source.files:
            if isinstance(files, GithubFile) and files.path == path:
                return files.media_types
        return GithubFile.media_types

    def _read(self, saved: Saved, board_id: str) -> None:
        """Parse the saved bytes and store what they say; a refusal is remembered with its reason."""
        self._tried.add((saved.url, saved.commit))
        try:
            _refuse_future(saved, self._around.fetcher.now())
            body = raw.load(self._around.home, saved.sha256)
            parsed = self._source.parse(body, saved.path)
            resolved = resolve(
                parsed,
                source_id=self._source.key,
                benchmarks=self._units,
                aliases=self._aliases,
                observed_on=saved.committed_at.date(),
            )
            batch = Batch(
                snapshot_id=snapshot_id(self._source.key, saved.path, saved.commit),
                source_id=self._source.key,
                board_id=board_id,
                observed_at=saved.committed_at,
                fetched_at=saved.fetched_at,
                url=saved.url,
                ref=saved.commit,
                sha256=saved.sha256,
                rows_in=resolved.rows_in,
                results=resolved.results,
                rejections=resolved.rejections,
                models=resolved.models,
                benchmarks=resolved.benchmarks,
                reports=resolved.reports,
            )
            held = self._gate.reason_to_hold(saved, batch)
            if held:
                # Nothing of it is stored; it is read again the next time, beside the breakpoints of then.
                self._keep_out(saved, held)
                return
            self._record(saved, "parsed")
            new = self._store.write(batch)
        except PayloadError as error:
            self._keep_out(saved, f"refused: {error}")
        except DatabaseFault as error:
            self._keep_out(saved, f"not stored: {error}")
        except Exception as error:
            # A parser's fault must not take the night with it; it is on record with its kind and its traceback.
            log.exception("%s: %s", self._source.key, saved.url)
            self._keep_out(saved, f"{type(error).__name__}: {error}")
        else:
            self._record(saved, "written")
            self._known.note_stored(saved, board_id)
            self._gate.stored(batch)
            self._tally.snapshots += new
            self._tally.results += batch.results.height if new else 0
            self._tally.rejections += batch.rejections.height if new else 0

    def _keep_out(self, saved: Saved, reason: str) -> None:
        """A version that is refused or held is remembered with its reason."""
        kept = replace(saved, reason=reason)
        if reason != saved.reason:
            self._record(kept, "held" if kept.held else "failed", reason)
            self._changed.add((saved.url, saved.commit))
        self._known.note_saved(kept)

    def _parse_again(self, *, cut_short: bool = False) -> None:
        """Read what is saved but not stored: a run that was `cut_short`, or a parser that has learnt since."""
        for saved in list(self._known.waiting()):
            if (saved.url, saved.commit) in self._tried or (cut_short and saved.reason):
                continue
            board_id = board_of(self._source.files, saved.path)
            if board_id is not None:
                self._read(saved, board_id)

    def _settle(self) -> int:
        """Name the files whose newest version is not in service; count the versions kept out that are superseded."""
        superseded = 0
        for saved in self._known.waiting():
            if (saved.url, saved.commit) not in self._tried:
                continue
            if self._gate.is_superseded(saved):
                superseded += 1
                self._pass_over(saved)
                continue
            (self._tally.held if saved.held else self._tally.errors).append(f"{saved.url}: {saved.reason}")
            # The last word about a file decides its status, and "unchanged" may have been said after the refusal.
            self._record(saved, "held" if saved.held else "failed", saved.reason)
        return superseded

    def _pass_over(self, saved: Saved) -> None:
        """Say once that a later version is in service: else the last word about the file would be the refusal."""
        address = timeless(saved.url, saved.commit)
        if self._known.last(address) is None or (saved.url, saved.commit) in self._changed:
            entry = self._entry(address, saved.path, saved.commit, "unchanged")
            self._known.record(replace(entry, detail="a later version is in service"))

    def _fail(self, url: str, path: str, error: Exception) -> None:
        foreseen = isinstance(error, FetchError | raw.RawError | OSError | DatabaseFault)
        log.error("%s: %s", self._source.key, error, exc_info=None if foreseen else error)
        said = str(error) if foreseen else f"{url}: {type(error).__name__}: {error}"
        self._tally.errors.append(said)
        self._record_failure(url, path, said)

    def _record_failure(self, url: str, path: str, detail: str, ref: str = "") -> None:
        """A failure keeps what the ledger knows of an address: what is stored is still that version."""
        last = self._known.last(url)
        entry = self._entry(url, path, ref, "failed") if last is None else replace(last, path=path, state="failed")
        self._known.record(replace(entry, detail=detail, at=self._around.fetcher.now()))

    def _record(self, saved: Saved, state: str, detail: str = "", etag: str = "") -> None:
        entry = self._entry(saved.url, saved.path, saved.commit, state)
        self._known.record(replace(entry, sha256=saved.sha256, detail=detail, etag=etag))

    def _entry(self, url: str, path: str, ref: str, state: str) -> LedgerEntry:
        return LedgerEntry(self._source.key, url, path, ref, "", "", state, "", self._around.fetcher.now())


def _refuse_future(saved: Saved, now: datetime) -> None:
    """A version of tomorrow would stand in for every later one until its day comes."""
    if saved.committed_at > now + CLOCK_SKEW:
        raise PayloadError(f"committed at {saved.committed_at}, and by this machine's clock it is {now:%Y-%m-%d %H:%M}")


def _address(single: GithubFile | GithubArchive | BundledFile) -> tuple[str, str]:
    """The address and path under which the ledger keeps how a file as a whole is doing."""
    if isinstance(single, GithubFile):
        return raw_url(single.repo, single.branch, single.path), single.path
    if isinstance(single, GithubArchive):
        return archive_url(single.repo, single.branch), archive_label(single)
    return single.url, single.path
