"""From a line of the catalogue to the versions that are not stored yet, with as few requests as possible."""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, time
from pathlib import Path, PurePosixPath
from tempfile import TemporaryFile
from typing import BinaryIO, cast

from benchhealth.ingest import source
from benchhealth.ingest.network import archive, raw
from benchhealth.ingest.network.fetch import Fetcher
from benchhealth.ingest.network.github import (
    Commit,
    archive_url,
    folder_url,
    listing_url,
    raw_url,
    tree_paths,
    tree_url,
)
from benchhealth.ingest.network.payload import HttpStatus, Payload, RateLimited, Unchanged, UnexpectedAnswer
from benchhealth.ingest.run.context import RunContext
from benchhealth.ingest.run.source_state import Journal, SourceState, Version
from benchhealth.warehouse.ledger import LedgerEntry

NOT_FOUND = 404


@dataclass(frozen=True)
class Gone:
    """An anchor of an archive that is not there, while others are."""

    path: str
    error: HttpStatus


@dataclass(frozen=True)
class Plan:
    """The versions of one file (or archive) to ingest, oldest first, and what the ledger learns once all were fetched.

    `expected` counts what will be fetched (versions, or archives of many); `newest` is the commit that the branch shows
    now, where it is known. `looked_at` is the look: until when what is stored after these versions is known to be what
    the upstream says (None: nobody was asked).
    """

    versions: Iterator[Version]
    closing: tuple[LedgerEntry, ...]
    expected: int
    newest: str = ""
    gone: tuple[Gone, ...] = ()
    looked_at: datetime | None = None


@dataclass(frozen=True)
class _Trail:
    """What is new about one followed path: commits newest first, and the entries that make them known.

    `looked_at` is the look of the answer about the file; `newest` is the commit that the branch shows, where that was
    asked; `first` says that the path was never followed.
    """

    commits: list[Commit]
    closing: tuple[LedgerEntry, ...]
    looked_at: datetime
    newest: str = ""
    first: bool = False


class Walker:
    """Plans the ingestion of one source. Everything it asks GitHub's API is asked only after a file's own 200."""

    def __init__(self, context: RunContext, state: SourceState, journal: Journal) -> None:
        self._state = state
        self._journal = journal
        self._fetcher = context.fetcher
        self._api = context.api
        self._home = context.home
        self._registry_folder = context.registry_folder
        self._history = context.history

    def expand(self, files: source.GithubTree) -> list[source.GithubFile]:
        """The single files of a tree: what its listing shows now.

        With the API budget spent, the listing of the last run is used, if there was one. Raises FetchError.
        """
        matches = [(path, re.fullmatch(files.pattern, path)) for path in self._tree(files)]
        singles = [
            source.GithubFile(_board(files.board_id, match), files.repo, files.branch, path, files.media_types)
            for path, match in matches
            if match
        ]
        if not singles:
            raise UnexpectedAnswer(tree_url(files.repo, files.branch), f"no path matches {files.pattern}")
        return singles

    def plan(self, single: source.GithubFile | source.GithubArchive | source.BundledFile) -> Plan:
        """What to ingest of one file. Raises FetchError, RateLimited where the API is needed and spent."""
        if isinstance(single, source.BundledFile):
            return self._bundled(single)
        if isinstance(single, source.GithubArchive):
            return self._archive(single)
        return self._file(single)

    def _tree(self, files: source.GithubTree) -> list[str]:
        url = tree_url(files.repo, files.branch)
        last = self._state.last(url)
        last_listing = last if last is not None and last.sha256 and raw.is_whole(self._home, last.sha256) else None
        try:
            answer = self._api.get(url, etag=last_listing.etag if last_listing else "")
        except RateLimited:
            if last_listing is None:
                raise
            return self._kept_tree(url, last_listing)
        if isinstance(answer, Unchanged):
            assert last_listing is not None, "a 304 answers a version that was named"
            self._journal.record(replace(last_listing, state="unchanged", detail="", at=answer.fetched_at))
            return self._kept_tree(url, last_listing)
        paths = tree_paths(answer)
        raw.save(self._home, answer)
        listed = self._journal.entry(url, files.pattern, "listed", etag=answer.etag)
        self._journal.record(replace(listed, sha256=answer.sha256))
        return paths

    def _kept_tree(self, url: str, listing: LedgerEntry) -> list[str]:
        body = raw.load(self._home, listing.sha256)
        return tree_paths(Payload(url, "", listing.at, listing.sha256, "application/json", body))

    def _file(self, file: source.GithubFile) -> Plan:
        trail = self._trail(file, lambda commit: self._holds(file, commit))
        if trail.first and not self._history:
            self._begin(file, trail.newest, "started")
        versions = [
            Version(
                url=raw_url(file.repo, commit.sha, file.path),
                path=file.path,
                board_id=file.board_id,
                commit=commit.sha,
                committed_at=commit.committed_at,
            )
            for commit in reversed(trail.commits)
            if not self._holds(file, commit)
        ]
        fresh = [version for version in versions if not self._state.is_gone(version.url)]
        return Plan(
            iter(fresh),
            trail.closing,
            len(fresh),
            trail.newest,
            looked_at=trail.looked_at,
        )

    def _trail(self, file: source.GithubFile, holds: Callable[[Commit], bool]) -> _Trail:
        """The commits of a file that this run should look at; none if its newest version is the one of last time."""
        url = raw_url(file.repo, file.branch, file.path)
        listing = listing_url(file.repo, file.branch, file.path)
        last, listed = self._state.last(url), self._state.last(listing)
        head = self._fetcher.head(url, media_types=file.media_types, etag=last.etag if last else "")
        if isinstance(head, Unchanged) and (listed is not None or not self._history):
            assert last is not None, "a 304 answers a version that was named"
            return _Trail([], (replace(last, state="unchanged", detail="", at=head.fetched_at),), head.looked_at)
        followed_to = listed.ref if listed is not None else ""
        if not followed_to and not self._history and last is not None:
            followed_to = last.ref
        commits, newest = self._commits(file, followed_to, holds)
        closing = [self._journal.entry(url, file.path, "unchanged", etag=head.etag, ref=newest)]
        if self._history or listed is not None:
            closing.append(self._journal.entry(listing, file.path, "listed", ref=newest))
        return _Trail(commits, tuple(closing), head.looked_at, newest, first=not followed_to)

    def _commits(
        self, file: source.GithubFile, followed_to: str, holds: Callable[[Commit], bool]
    ) -> tuple[list[Commit], str]:
        """The commits after `followed_to`, newest first, and the newest one of all.

        Where that is empty, with `history` all of them. Without it those after the newest version held (a bundle may
        have brought some), or the newest alone where none of the first page is held.
        """
        followed: list[Commit] = []
        for page in self._api.pages(file.repo, file.branch, file.path):
            if not followed and not page:
                raise UnexpectedAnswer(listing_url(file.repo, file.branch, file.path), "no commit names this file")
            for commit in page:
                if commit.sha == followed_to and not holds(commit) and self._is_begun(file):
                    followed.append(commit)
                if commit.sha == followed_to or (not followed_to and not self._history and holds(commit)):
                    return followed, followed[0].sha if followed else commit.sha
                followed.append(commit)
            if not followed_to and not self._history:
                return followed[:1], followed[0].sha
        return followed, followed[0].sha

    def _begin(self, file: source.GithubFile, commit: str, state: str) -> None:
        """Note with which version the following of a file begins: if that fails, the next night begins there too."""
        url = raw_url(file.repo, file.branch, file.path)
        last = self._state.last(url)
        if last is None or last.ref != commit:
            self._journal.record(self._journal.entry(url, file.path, state, ref=commit))

    def _is_begun(self, file: source.GithubFile) -> bool:
        """Whether the following of a file was begun and has not got its first version yet."""
        last = self._state.last(raw_url(file.repo, file.branch, file.path))
        return last is not None and last.state in ("started", "failed")

    def _holds(self, file: source.GithubFile, commit: Commit) -> bool:
        url = raw_url(file.repo, commit.sha, file.path)
        return self._state.is_stored(file.path, commit.sha) or self._state.is_saved(url, commit.sha)

    def _archive(self, files: source.GithubArchive) -> Plan:
        """All anchors' commits, in one order; each is one archive, marked in the ledger when it was read to its end."""
        commits: dict[str, Commit] = {}
        closing = [self._journal.entry(archive_url(files.repo, files.branch), archive_label(files), "unchanged")]
        trails: list[tuple[source.GithubFile, _Trail]] = []
        gone: list[Gone] = []
        for anchor in files.anchors:
            single = source.GithubFile(files.board_id, files.repo, files.branch, anchor)
            try:
                trail = self._trail(single, lambda commit: self._unpacked(files, commit))
            except HttpStatus as error:
                gone.append(Gone(anchor, error))
                if error.status != NOT_FOUND or len(gone) == len(files.anchors):
                    raise
                continue
            closing += trail.closing
            commits |= {commit.sha: commit for commit in trail.commits}
            trails.append((single, trail))
        in_order = sorted(commits.values(), key=lambda commit: commit.committed_at)
        if all(trail.first for _, trail in trails) and not self._history:
            in_order = in_order[-1:]
            for single, trail in trails:
                self._begin(single, trail.newest, "started" if trail.newest == in_order[0].sha else "unchanged")
        fresh = [commit for commit in in_order if not self._unpacked(files, commit)]
        looked_at = min(trail.looked_at for _, trail in trails)
        versions = self._members(files, fresh)
        return Plan(versions, tuple(closing), len(fresh), gone=tuple(gone), looked_at=looked_at)

    def _unpacked(self, files: source.GithubArchive, commit: Commit) -> bool:
        return self._state.is_read(archive_url(files.repo, commit.sha))

    def _members(self, files: source.GithubArchive, commits: list[Commit]) -> Iterator[Version]:
        for commit in commits:
            url = archive_url(files.repo, commit.sha)
            members = fetched_members(self._fetcher, self._home / "raw", url, files.pattern)
            if files.keep is not None:
                members = _reduced(members, files.keep)
            for member in archive.folders(url, members, files.folder) if files.folder else members:
                version = self._member(files, commit, member)
                if version is not None:
                    yield version
            self._journal.record(self._journal.entry(url, archive_label(files), "written", ref=commit.sha))

    def _member(self, files: source.GithubArchive, commit: Commit, member: archive.Member) -> Version | None:
        """The member as a version, unless it is stored, saved, or the same bytes as the version before it."""
        address = folder_url if files.folder else raw_url
        url = address(files.repo, commit.sha, member.path)
        if self._state.is_stored(member.path, commit.sha) or self._state.is_saved(url, commit.sha):
            return None
        sha256 = hashlib.sha256(member.body).hexdigest()
        if self._state.body_before(url, commit.sha, commit.committed_at) == sha256:
            return None
        payload = Payload(url, commit.sha, self._fetcher.now(), sha256, "application/octet-stream", member.body)
        board_id = _board(files.board_id, member.match)
        return Version(url, member.path, board_id, commit.sha, commit.committed_at, payload)

    def _bundled(self, file: source.BundledFile) -> Plan:
        """The file as a version of its day: of the same bytes with a corrected day too, which are another version."""
        body = (self._registry_folder / PurePosixPath(file.path).name).read_bytes()
        sha256 = hashlib.sha256(body).hexdigest()
        ref = sha256[:12]
        published_at = datetime.combine(file.published_on, time())
        if self._state.is_stored_of_another_day(file.path, ref, published_at):
            ref = hashlib.sha256(f"{sha256} {file.published_on}".encode()).hexdigest()[:12]
        payload = Payload(file.url, ref, self._fetcher.now(), sha256, "text/csv", body)
        version = Version(file.url, file.path, file.board_id, ref, published_at, payload)
        is_held = self._state.is_stored(file.path, ref) or self._state.is_saved(file.url, ref)
        fresh = [] if is_held else [version]
        return Plan(iter(fresh), (), len(fresh))


def archive_label(files: source.GithubArchive) -> str:
    """The name of an archive as a whole, in messages and in the ledger."""
    return f"{files.repo} (archive)"


def board_of(files: tuple[source.Files, ...], path: str) -> str | None:
    """The board of a path by the catalogue; None if no entry of the source covers it (any more)."""
    for entry in files:
        if isinstance(entry, source.GithubFile | source.BundledFile | source.WebFile | source.DatedTable):
            if entry.path == path:
                return entry.board_id
            continue
        pattern = (isinstance(entry, source.GithubArchive) and entry.folder) or entry.pattern
        if match := re.fullmatch(pattern, path):
            return _board(entry.board_id, match)
    return None


def line_of(files: tuple[source.Files, ...], path: str) -> str:
    """The board that a path carries on together with others; empty where each path is a line of its own.

    A tree of dated files under one board is one line: the file of today follows that of yesterday. So is what comes
    from an address of its own and from copies of it.
    """
    if board := board_of(tuple(entry for entry in files if isinstance(entry, source.FromWeb)), path):
        return board
    for entry in files:
        if isinstance(entry, source.GithubTree) and "{" not in entry.board_id and re.fullmatch(entry.pattern, path):
            return entry.board_id
    return ""


def _board(template: str, match: re.Match[str]) -> str:
    return template.format(*(group or "" for group in match.groups()))


def _reduced(members: Iterator[archive.Member], keep: source.Keep) -> Iterator[archive.Member]:
    for member in members:
        yield replace(member, body=keep(member.body))


def fetched_members(fetcher: Fetcher, folder: Path, url: str, pattern: str) -> Iterator[archive.Member]:
    """The members of the archive at `url` that match the pattern; it lies in the folder only while they are read."""
    folder.mkdir(parents=True, exist_ok=True)
    with cast(BinaryIO, TemporaryFile(dir=folder)) as spooled:
        fetcher.spool(url, spooled, media_types=archive.MEDIA_TYPES, limits=archive.LIMITS)
        spooled.seek(0)
        yield from archive.members(url, spooled, pattern)
