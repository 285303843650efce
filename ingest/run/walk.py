"""From a line of the catalogue to the versions that are not stored yet, with as few requests as will do."""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, time
from pathlib import Path, PurePosixPath
from tempfile import TemporaryFile
from typing import BinaryIO, cast

from ingest.network import archive
from ingest.network.fetch import Fetcher
from ingest.network.github import Commit, GithubApi, archive_url, folder_url, listing_url, raw_url, tree_paths, tree_url
from ingest.network.payload import HttpStatus, Payload, RateLimited, Unchanged, UnexpectedAnswer
from ingest.run import raw
from ingest.run.known import Known, Version
from ingest.source import BundledFile, Files, GithubArchive, GithubFile, GithubTree
from warehouse.ledger import LedgerEntry

NOT_FOUND = 404


@dataclass(frozen=True)
class Plan:
    """The versions of one file (or archive) to ingest, oldest first, and what the ledger learns once all were fetched.

    `label` names the file in messages; `expected` counts what will be fetched (versions, or archives of many);
    `newest` is the commit that the branch shows now, where it is known; `gone` are anchors of an archive that are not
    there, while others are.
    """

    label: str
    versions: Iterator[Version]
    closing: tuple[LedgerEntry, ...]
    expected: int
    newest: str = ""
    gone: tuple[tuple[str, HttpStatus], ...] = ()


@dataclass(frozen=True)
class _Trail:
    """What is new about one followed path: commits newest first, and the entries that make them known.

    `newest` is the commit that the branch shows, where that was asked; `first` says that the path was never followed.
    """

    commits: list[Commit]
    closing: tuple[LedgerEntry, ...]
    newest: str = ""
    first: bool = False


class Walker:
    """Plans the ingestion of one source. Everything it asks GitHub's API is asked only after a file's own 200."""

    def __init__(  # noqa: PLR0913  the parts of one run, put together in one place
        self, source_id: str, *, known: Known, fetcher: Fetcher, api: GithubApi, home: Path, history: bool
    ) -> None:
        self._source_id = source_id
        self._known = known
        self._fetcher = fetcher
        self._api = api
        self._home = home
        self._history = history

    def expand(self, files: GithubTree) -> list[GithubFile]:
        """The single files of a tree: what its listing shows now.

        With the API budget spent, the listing of the last run is used, if there was one. Raises FetchError.
        """
        found = [(path, re.fullmatch(files.pattern, path)) for path in self._tree(files)]
        singles = [
            GithubFile(_board(files.board_id, match), files.repo, files.branch, path) for path, match in found if match
        ]
        if not singles:
            raise UnexpectedAnswer(tree_url(files.repo, files.branch), f"no path matches {files.pattern}")
        return singles

    def plan(self, single: GithubFile | GithubArchive | BundledFile, registry_folder: Path) -> Plan:
        """What to ingest of one file. Raises FetchError, RateLimited where the API is needed and spent."""
        if isinstance(single, BundledFile):
            return self._bundled(single, registry_folder)
        if isinstance(single, GithubArchive):
            return self._archive(single)
        return self._file(single)

    def _tree(self, files: GithubTree) -> list[str]:
        url = tree_url(files.repo, files.branch)
        last = self._known.last(url)
        kept = last if last is not None and last.sha256 and raw.is_whole(self._home, last.sha256) else None
        try:
            answer = self._api.get(url, etag=kept.etag if kept else "")
        except RateLimited:
            if kept is None:
                raise
            return self._kept_tree(url, kept)
        if isinstance(answer, Unchanged):
            assert kept is not None, "a 304 answers a version that was named"
            self._known.record(replace(kept, state="unchanged", detail="", at=answer.fetched_at))
            return self._kept_tree(url, kept)
        paths = tree_paths(answer)
        raw.save(self._home, answer)
        listed = self._entry(url, files.pattern, "listed", etag=answer.etag)
        self._known.record(replace(listed, sha256=answer.sha256))
        return paths

    def _kept_tree(self, url: str, kept: LedgerEntry) -> list[str]:
        body = raw.load(self._home, kept.sha256)
        return tree_paths(Payload(url, "", kept.at, kept.sha256, "application/json", body))

    def _file(self, file: GithubFile) -> Plan:
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
        fresh = [version for version in versions if not self._known.is_gone(version.url)]
        return Plan(f"{file.repo}/{file.path}", iter(fresh), trail.closing, len(fresh), trail.newest)

    def _trail(self, file: GithubFile, holds: Callable[[Commit], bool]) -> _Trail:
        """The commits of a file that this run should look at; none if its newest version is the one of last time."""
        url = raw_url(file.repo, file.branch, file.path)
        listing = listing_url(file.repo, file.branch, file.path)
        last, listed = self._known.last(url), self._known.last(listing)
        head = self._fetcher.head(url, media_types=file.media_types, etag=last.etag if last else "")
        if isinstance(head, Unchanged) and (listed is not None or not self._history):
            assert last is not None, "a 304 answers a version that was named"
            return _Trail([], (replace(last, state="unchanged", detail="", at=head.fetched_at),))
        known = listed.ref if listed is not None else ""
        if not known and not self._history and last is not None:
            known = last.ref
        commits, newest = self._commits(file, known, holds)
        first = not known
        closing = [self._entry(url, file.path, "unchanged", etag=head.etag, ref=newest)]
        if self._history or listed is not None:
            closing.append(self._entry(listing, file.path, "listed", ref=newest))
        return _Trail(commits, tuple(closing), newest, first)

    def _commits(self, file: GithubFile, known: str, holds: Callable[[Commit], bool]) -> tuple[list[Commit], str]:
        """The commits after `known`, newest first, and the newest one of all.

        Where none is known, with `history` all of them. Without it those after the newest version held (a bundle may
        have brought some), or the newest alone where none of the first page is held.
        """
        seen: list[Commit] = []
        for page in self._api.pages(file.repo, file.branch, file.path):
            if not seen and not page:
                raise UnexpectedAnswer(listing_url(file.repo, file.branch, file.path), "no commit names this file")
            for commit in page:
                if commit.sha == known and not holds(commit) and self._is_begun(file):
                    seen.append(commit)
                if commit.sha == known or (not known and not self._history and holds(commit)):
                    return seen, seen[0].sha if seen else commit.sha
                seen.append(commit)
            if not known and not self._history:
                return seen[:1], seen[0].sha
        return seen, seen[0].sha

    def _begin(self, file: GithubFile, commit: str, state: str) -> None:
        """Note with which version the following of a file begins: if that fails, the next night begins there too."""
        url = raw_url(file.repo, file.branch, file.path)
        last = self._known.last(url)
        if last is None or last.ref != commit:
            self._known.record(self._entry(url, file.path, state, ref=commit))

    def _is_begun(self, file: GithubFile) -> bool:
        """Whether the following of a file was begun and has not got its first version yet."""
        last = self._known.last(raw_url(file.repo, file.branch, file.path))
        return last is not None and last.state in ("started", "failed")

    def _holds(self, file: GithubFile, commit: Commit) -> bool:
        url = raw_url(file.repo, commit.sha, file.path)
        return self._known.stored(file.path, commit.sha) or self._known.saved(url, commit.sha)

    def _archive(self, files: GithubArchive) -> Plan:
        """All anchors' commits, in one order; each is one archive, marked in the ledger when it was read to its end."""
        commits: dict[str, Commit] = {}
        label = archive_label(files)
        closing = [self._entry(archive_url(files.repo, files.branch), label, "unchanged")]
        trails: list[tuple[GithubFile, _Trail]] = []
        gone: list[tuple[str, HttpStatus]] = []
        for anchor in files.anchors:
            single = GithubFile(files.board_id, files.repo, files.branch, anchor)
            try:
                trail = self._trail(single, lambda commit: self._unpacked(files, commit))
            except HttpStatus as error:
                gone.append((anchor, error))
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
        return Plan(label, self._members(files, fresh), tuple(closing), len(fresh), gone=tuple(gone))

    def _unpacked(self, files: GithubArchive, commit: Commit) -> bool:
        entry = self._known.last(archive_url(files.repo, commit.sha))
        return entry is not None and entry.state == "written"

    def _members(self, files: GithubArchive, commits: list[Commit]) -> Iterator[Version]:
        for commit in commits:
            url = archive_url(files.repo, commit.sha)
            with cast(BinaryIO, TemporaryFile(dir=_made(self._home / "raw"))) as spooled:
                self._fetcher.spool(url, spooled, media_types=archive.MEDIA_TYPES, limits=archive.LIMITS)
                spooled.seek(0)
                found = archive.members(url, spooled, files.pattern)
                for member in archive.folders(url, found, files.folder) if files.folder else found:
                    version = self._member(files, commit, member)
                    if version is not None:
                        yield version
            self._known.record(self._entry(url, archive_label(files), "written", ref=commit.sha))

    def _member(self, files: GithubArchive, commit: Commit, member: archive.Member) -> Version | None:
        """The member as a version, unless it is stored, saved, or the same bytes as the version before it."""
        address = folder_url if files.folder else raw_url
        url = address(files.repo, commit.sha, member.path)
        if self._known.stored(member.path, commit.sha) or self._known.saved(url, commit.sha):
            return None
        sha256 = hashlib.sha256(member.body).hexdigest()
        if self._known.body_before(url, commit.sha, commit.committed_at) == sha256:
            return None
        payload = Payload(url, commit.sha, self._fetcher.now(), sha256, "application/octet-stream", member.body)
        board_id = _board(files.board_id, member.match)
        return Version(url, member.path, board_id, commit.sha, commit.committed_at, payload)

    def _bundled(self, file: BundledFile, registry_folder: Path) -> Plan:
        body = (registry_folder / PurePosixPath(file.path).name).read_bytes()
        sha256 = hashlib.sha256(body).hexdigest()
        ref = sha256[:12]
        payload = Payload(file.url, ref, self._fetcher.now(), sha256, "text/csv", body)
        published_at = datetime.combine(file.published_on, time())
        version = Version(file.url, file.path, file.board_id, ref, published_at, payload)
        held = self._known.stored(file.path, ref) or self._known.saved(file.url, ref)
        fresh = [] if held else [version]
        return Plan(file.path, iter(fresh), (), len(fresh))

    def _entry(self, url: str, path: str, state: str, *, ref: str = "", etag: str = "") -> LedgerEntry:
        return LedgerEntry(self._source_id, url, path, ref, etag, "", state, "", self._fetcher.now())


def archive_label(files: GithubArchive) -> str:
    """How messages and the ledger name an archive as a whole."""
    return f"{files.repo} (archive)"


def board_of(files: tuple[Files, ...], path: str) -> str | None:
    """The board of a path by the catalogue; None if no entry of the source covers it (any more)."""
    for entry in files:
        if isinstance(entry, GithubFile | BundledFile):
            if entry.path == path:
                return entry.board_id
            continue
        pattern = (isinstance(entry, GithubArchive) and entry.folder) or entry.pattern
        if match := re.fullmatch(pattern, path):
            return _board(entry.board_id, match)
    return None


def line_of(files: tuple[Files, ...], path: str) -> str:
    """The board that a path carries on together with others; empty where each path is a line of its own.

    A tree of dated files under one board is one line: the file of today follows that of yesterday.
    """
    for entry in files:
        if isinstance(entry, GithubTree) and "{" not in entry.board_id and re.fullmatch(entry.pattern, path):
            return entry.board_id
    return ""


def _board(template: str, match: re.Match[str]) -> str:
    return template.format(*(group or "" for group in match.groups()))


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
