"""What a source is: who publishes, what may be done with it, where its files are and how they are read."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Literal

from ingest.rows import Parsed

Parse = Callable[[bytes, str], Parsed]


@dataclass(frozen=True)
class GithubFile:
    """One file of a public repository, followed commit by commit."""

    board_id: str
    repo: str
    branch: str
    path: str
    media_types: tuple[str, ...] = ("text/plain", "text/csv", "application/json")


@dataclass(frozen=True)
class GithubTree:
    """All files of a repository whose path matches `pattern` (a full regex match).

    `board_id` may hold `{0}`, `{1}` ... for the groups of the pattern.
    """

    board_id: str
    repo: str
    branch: str
    pattern: str


@dataclass(frozen=True)
class GithubArchive:
    """A repository taken whole: at every commit of an anchor file, all members matching `pattern`, from one archive.

    `board_id` may hold `{0}`, `{1}` ... for the groups of the pattern. With `folder`, a full regex match too, the
    members of each folder whose path it matches are one file under that path, and `board_id` takes the groups of
    `folder`: for repositories of very many small files.
    """

    board_id: str
    repo: str
    branch: str
    anchors: tuple[str, ...]
    pattern: str
    folder: str = ""


@dataclass(frozen=True)
class BundledFile:
    """Facts of a paper that the project keeps in data/registry; `url` is the paper, `published_on` its date."""

    board_id: str
    path: str
    url: str
    published_on: date


Kind = Literal["board", "collection", "crawl", "paper", "retired"]
"""What a look at a source proves. `board` is a benchmark's own board and `collection` one that somebody maintains: an
answer without anything new says that nothing new came. `crawl` is a copy made by others, `paper` a table that was
published once, `retired` an upstream that has ended or moved: however often it is fetched, it speaks only until the
newest scrape or version inside it. `paper` and `retired` are not asked every night."""

ENDED: tuple[Kind, ...] = ("paper", "retired")
"""The kinds of which nothing new comes."""

Files = GithubFile | GithubTree | GithubArchive | BundledFile


@dataclass(frozen=True)
class Source:
    """One upstream: who it is, what may be done with it, where its files are and how they are read."""

    key: str
    title: str
    homepage: str
    licence: str
    redistributable: bool
    kind: Kind
    cadence: str
    files: tuple[Files, ...]
    parse: Parse
