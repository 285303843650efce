"""The run of one source: find its files and their new versions, fetch and save each, hand it to the reader."""

import logging
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256

import polars as pl

from benchhealth.analytics.record.frames import EVERY_BOARD, LOOK
from benchhealth.ingest.network import raw
from benchhealth.ingest.network.github import archive_url, is_plain, raw_url, tree_url
from benchhealth.ingest.network.payload import FetchError, HttpStatus, Payload, RateLimited, UnexpectedAnswer
from benchhealth.ingest.rows import PayloadError
from benchhealth.ingest.run.context import RunContext
from benchhealth.ingest.run.reader import Reader
from benchhealth.ingest.run.report import SourceReport
from benchhealth.ingest.run.source_state import DELETED_REASON, Journal, Saved, SourceState, Version
from benchhealth.ingest.run.walk import Plan, Walker, archive_label
from benchhealth.ingest.run.web.walk import WebWalker
from benchhealth.ingest.source import (
    BundledFile,
    Files,
    FromWeb,
    GithubArchive,
    GithubFile,
    GithubTree,
    Source,
    WebArchive,
)
from benchhealth.warehouse.faults import DatabaseFault, masked
from benchhealth.warehouse.places.catalogue import LakeError
from benchhealth.warehouse.places.claims import LeaseLost

log = logging.getLogger(__name__)

_OF_ALL_FILES = (LakeError, LeaseLost)
"""Where one file meets these, no other of the source could be stored either."""

SingleFile = GithubFile | GithubArchive | BundledFile | FromWeb


class SourceRun:
    """The run of one source; `report` does the work and says what came of it."""

    def __init__(self, source: Source, context: RunContext) -> None:
        self._source = source
        self._context = context
        self._report = SourceReport(source.key)
        self._state = SourceState(context.store, context.home, source.key)
        self._journal = Journal(source.key, self._state, context.store.ledger, context.fetcher.now)
        self._reader = Reader(source, context, self._state, self._journal, self._report)
        self._walker = Walker(context, self._state, self._journal)
        self._web = WebWalker(context, self._state, self._journal)
        self._looks: dict[str, datetime] = {}
        self._unseen: set[str] = set()

    def report(self) -> SourceReport:
        """Bring the source up to date. A fault stays with the file that has it. Raises LakeError, LeaseLost."""
        self._reader.read_waiting(cut_short=True)  # first: what follows is compared with what is stored
        for files in self._source.files:
            for single in self._expand(files):
                self._follow(single)
        self._reader.read_waiting()
        self._reader.flush()
        broken = self._reader.report_broken()
        self._reader.flush()
        self._note_looks(broken=broken)
        return self._report

    def _expand(self, files: Files) -> Sequence[SingleFile]:
        if not isinstance(files, GithubTree):
            return [files]
        url = tree_url(files.repo, files.branch)
        try:
            singles = self._walker.expand(files)
        except RateLimited:
            self._report.deferred += 1
            return []
        except _OF_ALL_FILES:
            raise
        except Exception as error:
            self._fail(url, files.pattern, error)
            return []
        for single in singles:
            if not is_plain(single.path):
                self._fail(url, files.pattern, UnexpectedAnswer(url, f"a path that is no text: {single.path[:100]!r}"))
        if self._context.api.limited and "{" not in files.board_id:
            self._unseen.add(files.board_id)  # the listing is that of another night: there may be a newer file
        return [single for single in singles if is_plain(single.path)]

    def _follow(self, single: SingleFile) -> None:
        url, path = _whole_file(single)
        board_id = EVERY_BOARD if isinstance(single, GithubArchive | WebArchive) else single.board_id
        try:
            plan = self._web.plan(single) if isinstance(single, FromWeb) else self._walker.plan(single)
            missing = self._carry_out(plan)
            if missing:
                self._journal.record_failure(url, path, f"{missing} versions could not be fetched")
                self._unseen.add(board_id)
            elif plan.looked_at is not None:
                self._looks[board_id] = max(plan.looked_at, self._looks.get(board_id, plan.looked_at))
        except RateLimited:
            self._report.deferred += 1
            self._unseen.add(board_id)
        except _OF_ALL_FILES:
            raise
        except Exception as error:
            # Whatever a host makes up, it costs this file, not the night.
            self._fail(url, path, error)
            self._unseen.add(board_id)

    def _note_looks(self, broken: Collection[str]) -> None:
        """Store until when each board is known; nothing new of one whose newest version did not come or is `broken`."""
        looks = {board_id: looked_at for board_id, looked_at in self._looks.items() if board_id not in self._unseen}
        if broken and EVERY_BOARD in looks:
            looks |= dict.fromkeys(self._state.boards(), looks.pop(EVERY_BOARD))
        rows = [
            (self._source.key, board_id, looked_at) for board_id, looked_at in looks.items() if board_id not in broken
        ]
        self._context.store.write_looks(pl.DataFrame(rows, schema=LOOK, orient="row"))

    def _carry_out(self, plan: Plan) -> int:
        """Take every version; the number of those whose bytes did not come."""
        self._context.progress.expect(plan.expected)
        for anchor in plan.gone:
            self._fail(anchor.error.url, anchor.path, anchor.error)
        if not plan.expected:
            self._report.unchanged += 1
        missing = 0
        for version in plan.versions:
            missing += not self._take(version, plan)
            self._context.progress.advance(version.path)
        for entry in () if missing else plan.closing:
            self._journal.record(replace(entry, at=self._context.fetcher.now()))
        return missing

    def _take(self, version: Version, plan: Plan) -> bool:
        """Fetch, save and read one version; whether its bytes are here (or are known not to exist)."""
        try:
            payload = self._reduced(version.payload or self._fetch(version))
            raw.save(self._context.home, payload)
        except HttpStatus as error:
            deleted_here = error.status == 404 and version.commit != plan.newest
            detail = DELETED_REASON if deleted_here else f"not served: {error.detail}"
            self._journal.record_failure(version.url, version.path, detail, ref=version.commit)
            if not deleted_here:
                self._report.errors += (str(error),)
            return deleted_here
        except (FetchError, raw.RawError) as error:
            self._journal.record_failure(version.url, version.path, str(error), ref=version.commit)
            self._report.errors += (str(error),)
            return False
        saved = Saved(
            url=version.url,
            path=version.path,
            commit=version.commit,
            committed_at=version.committed_at,
            sha256=payload.sha256,
            fetched_at=payload.fetched_at,
            reason="",
        )
        # The commit's date is in `detail`, so that a run that was cut here can be taken up without asking again.
        committed_at = version.committed_at.isoformat()
        self._journal.record_version(saved, "fetched", detail=committed_at, etag=payload.etag)
        if version.payload is None:
            self._journal.save()
        self._state.note_saved(saved)
        self._reader.read(saved, version.board_id, payload.body)
        return True

    def _fetch(self, version: Version) -> Payload:
        self._journal.record(self._journal.entry(version.url, version.path, "started", ref=version.commit))
        media_types = self._media_types(version.path)
        answer = self._context.fetcher.get(version.url, media_types=media_types, ref=version.commit)
        assert isinstance(answer, Payload), "no version was named, so none can be unchanged"
        return answer

    def _reduced(self, payload: Payload) -> Payload:
        """What of an answer may be saved, under its own hash. Raises UnexpectedAnswer for another kind of file."""
        if self._source.keep is None:
            return payload
        try:
            body = self._source.keep(payload.body)
        except PayloadError as error:
            raise UnexpectedAnswer(payload.url, str(error)) from error
        return replace(payload, body=body, sha256=sha256(body).hexdigest())

    def _media_types(self, path: str) -> tuple[str, ...]:
        for files in self._source.files:
            if isinstance(files, GithubFile) and files.path == path:
                return files.media_types
            if isinstance(files, GithubTree) and re.fullmatch(files.pattern, path):
                return files.media_types
        return GithubFile.media_types

    def _fail(self, url: str, path: str, error: Exception) -> None:
        foreseen = isinstance(error, FetchError | raw.RawError | OSError | DatabaseFault)
        log.error("%s: %s", self._source.key, masked(str(error)), exc_info=None if foreseen else error)
        message = masked(str(error) if foreseen else f"{url}: {type(error).__name__}: {error}")
        self._report.errors += (message,)
        self._journal.record_failure(url, path, message)


def _whole_file(single: SingleFile) -> tuple[str, str]:
    """The address and path under which the ledger keeps how a file as a whole is doing."""
    if isinstance(single, GithubFile):
        return raw_url(single.repo, single.branch, single.path), single.path
    if isinstance(single, GithubArchive):
        return archive_url(single.repo, single.branch), archive_label(single)
    return single.url, single.url if isinstance(single, WebArchive) else single.path
