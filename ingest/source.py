"""What a source is: who publishes, what may be done with it, where its files are and how they are read."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Literal

from benchhealth.ingest.rows import Parsed

Parse = Callable[[bytes, str], Parsed]
Keep = Callable[[bytes], bytes]

TEXT_TYPES = ("text/plain", "text/csv", "application/json")
"""The media types under which a host may serve a file of text."""

ZIP_TYPES = ("application/zip", "application/x-zip-compressed", "application/octet-stream", "text/plain")
"""The media types under which a host may serve a zip; GitHub guesses that of a raw file from its first bytes."""


@dataclass(frozen=True)
class GithubFile:
    """One file of a public repository, followed commit by commit."""

    board_id: str
    repo: str
    branch: str
    path: str
    media_types: tuple[str, ...] = TEXT_TYPES


@dataclass(frozen=True)
class GithubTree:
    """All files of a repository whose path matches `pattern` (a full regex match).

    `board_id` may hold `{0}`, `{1}` ... for the groups of the pattern.
    """

    board_id: str
    repo: str
    branch: str
    pattern: str
    media_types: tuple[str, ...] = TEXT_TYPES


@dataclass(frozen=True)
class GithubArchive:
    """A repository taken whole: at every commit of an anchor file, all members matching `pattern`, from one archive.

    `board_id` may hold `{0}`, `{1}` ... for the groups of the pattern. With `folder`, a full regex match too, the
    members of each folder whose path it matches, and files beside it that have its name, are one file under that path,
    and `board_id` takes the groups of `folder`: for repositories of very many small files. `keep` is that of a Source,
    for each member, before they are joined; it raises nothing.
    """

    board_id: str
    repo: str
    branch: str
    anchors: tuple[str, ...]
    pattern: str
    folder: str = ""
    keep: Keep | None = None


@dataclass(frozen=True)
class BundledFile:
    """Facts of a paper that the project keeps in data/registry; `url` is the paper, `published_on` its date."""

    board_id: str
    path: str
    url: str
    published_on: date


@dataclass(frozen=True)
class DatedCopy:
    """What an archive held on a day, kept by others: `folder` (ends in a slash) of a public repository at `commit`."""

    repo: str
    commit: str
    folder: str
    on: date


@dataclass(frozen=True)
class WebArchive:
    """A zip at an address of its own: every member whose path fully matches `pattern` is one file.

    `board_id` may hold `{0}`, `{1}` ... for the groups of the pattern; all versions of a board are one line. The
    address serves the present alone, so `copies` are its history, oldest first.
    """

    board_id: str
    url: str
    pattern: str
    copies: tuple[DatedCopy, ...] = ()


@dataclass(frozen=True)
class WebFile:
    """One file at an address of its own, which serves the present alone: a version for each change that was seen."""

    board_id: str
    url: str
    path: str
    media_types: tuple[str, ...] = ("application/json",)


@dataclass(frozen=True)
class DatedTable:
    """A Parquet table at an address of its own whose rows say in `day` which edition of the board they belong to.

    Each day is one version, as CSV. `url` serves the newest day, `history` every one.
    """

    board_id: str
    url: str
    history: str
    path: str
    day: str


Kind = Literal["board", "collection", "crawl", "paper", "retired"]
"""What a look at a source proves. `board` is a benchmark's own board and `collection` one that somebody maintains: an
answer without anything new says that nothing new came. `crawl` is a copy made by others, `paper` a table that was
published once, `retired` an upstream that has ended or moved: however often it is fetched, it speaks only until the
newest scrape or version inside it. `paper` and `retired` are not asked every night."""

ENDED: tuple[Kind, ...] = ("paper", "retired")
"""The kinds of source that publish nothing new any more."""

FromWeb = WebArchive | WebFile | DatedTable
Files = GithubFile | GithubTree | GithubArchive | BundledFile | FromWeb


@dataclass(frozen=True)
class Source:
    """One upstream: who it is, what may be done with it, where its files are and how they are read.

    Without `default` it is asked only when it is named. Where files hold what must not lie here (generated code),
    `keep` gives what of a body is saved and parsed; it raises PayloadError for what is no such file.
    """

    key: str
    title: str
    homepage: str
    licence: str
    redistributable: bool
    cadence: str
    files: tuple[Files, ...]
    parse: Parse
    kind: Kind = "board"
    default: bool = True
    keep: Keep | None = None
