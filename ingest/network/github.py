"""GitHub's addresses, and the two questions asked of its API: which commits touched a file, which files there are."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote

from benchhealth.ingest.network.fetch import Fetcher
from benchhealth.ingest.network.payload import Payload, RateLimited, Unchanged, UnexpectedAnswer

JSON = ("application/json",)
PAGE = 100
"""Commits on one page of a listing: the most that the API gives."""

_LONGEST_LISTING = 100
_LONGEST_PATH = 500


@dataclass(frozen=True)
class Commit:
    """One commit of a branch that touched a file. `committed_at` is naive UTC, the committer's date."""

    sha: str
    committed_at: datetime


def raw_url(repo: str, ref: str, path: str) -> str:
    """Where one version of a file is served; immutable where `ref` is a commit."""
    return f"https://raw.githubusercontent.com/{repo}/{quote(ref)}/{quote(path)}"


def archive_url(repo: str, commit: str) -> str:
    """Where the whole repository at a commit is served as a compressed tar."""
    return f"https://codeload.github.com/{repo}/tar.gz/{commit}"


def folder_url(repo: str, commit: str, path: str) -> str:
    """The address of the page that shows a folder at a commit."""
    return f"https://github.com/{repo}/tree/{quote(commit)}/{quote(path)}"


def is_plain(path: str) -> bool:
    """Whether a path can stand in an address, a ledger and on a terminal."""
    return path.isprintable() and len(path) <= _LONGEST_PATH


def listing_url(repo: str, branch: str, path: str) -> str:
    """Where the commits of a branch that touched a file are listed, newest first."""
    return f"https://api.github.com/repos/{repo}/commits?path={quote(path)}&sha={quote(branch)}&per_page={PAGE}"


def tree_url(repo: str, branch: str) -> str:
    """The address of GitHub's API that lists all paths of a branch."""
    return f"https://api.github.com/repos/{repo}/git/trees/{quote(branch)}?recursive=1"


class GithubApi:
    """The API within its hourly budget: once it says that the budget is spent, it is not asked again."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self.limited = False

    def get(self, url: str, etag: str = "") -> Payload | Unchanged:
        """One answer. Raises RateLimited, now and from now on, when the budget is spent, else FetchError."""
        if self.limited:
            raise RateLimited(url, "the API limit was reached before")
        try:
            return self._fetcher.get(url, media_types=JSON, etag=etag)
        except RateLimited:
            self.limited = True
            raise

    def pages(self, repo: str, branch: str, path: str) -> Iterator[list[Commit]]:
        """The commits that touched a file, newest first, a page at a time and one request a page."""
        url = listing_url(repo, branch, path)
        listed_shas: set[str] = set()
        for page in range(1, _LONGEST_LISTING + 1):
            answer = self.get(f"{url}&page={page}")
            if not isinstance(answer, Payload):
                raise UnexpectedAnswer(url, "unchanged, although no version was named")
            # A commit that arrives during the listing pushes others to the next page, where they come again.
            fresh = [commit for commit in _commits(answer) if commit.sha not in listed_shas]
            if answer.has_next and not fresh:
                raise UnexpectedAnswer(url, f"page {page} says nothing new and names a next one")
            listed_shas |= {commit.sha for commit in fresh}
            yield fresh
            if not answer.has_next:
                return
        raise UnexpectedAnswer(url, f"more than {_LONGEST_LISTING} pages of commits")


def _commits(answer: Payload) -> list[Commit]:
    try:
        return [Commit(_sha(item["sha"]), _instant(item["commit"]["committer"]["date"])) for item in _json(answer)]
    except _NOT_WHAT_WAS_ASKED as error:
        raise UnexpectedAnswer(answer.url, f"not a list of commits: {error!r}") from error


def tree_paths(answer: Payload) -> list[str]:
    """The paths of all files in an answer of the tree listing. Raises UnexpectedAnswer, also for a partial list."""
    try:
        tree = _json(answer)
        if tree["truncated"]:
            raise UnexpectedAnswer(answer.url, "the repository is too large for its listing")
        return [_path(item["path"]) for item in tree["tree"] if item["type"] == "blob"]
    except _NOT_WHAT_WAS_ASKED as error:
        raise UnexpectedAnswer(answer.url, f"not a tree: {error!r}") from error


_NOT_WHAT_WAS_ASKED = (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError)


def _json(answer: Payload):  # type: ignore[no-untyped-def]  # noqa: ANN202  whatever the host sent, checked by use
    return json.loads(answer.body)


def _sha(text: str) -> str:
    # It becomes part of addresses and ids.
    if len(text) not in (40, 64) or not set(text) <= set("0123456789abcdef"):
        raise ValueError(f"not a commit: {text!r}")
    return text


def _path(text: str) -> str:
    if not isinstance(text, str):
        raise TypeError(f"not a path: {text!r}")
    return text


def _instant(text: str) -> datetime:
    instant = datetime.fromisoformat(text)
    return (instant if instant.tzinfo is None else instant.astimezone(UTC)).replace(tzinfo=None)
