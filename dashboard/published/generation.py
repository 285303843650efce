"""The published generation that pages read, opened once and kept until a newer one is published; tables made of it."""

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import wraps
from itertools import count
from pathlib import Path
from sys import maxsize
from types import MappingProxyType
from typing import Concatenate, ParamSpec, TypeVar, cast
from urllib.parse import quote, urlencode

import polars as pl

from benchhealth.analytics.record.sharing import Terms, with_terms
from benchhealth.analytics.record.tables import TABLES
from benchhealth.dashboard.words.text import listed
from benchhealth.warehouse.read import Generation, NoGeneration
from benchhealth.warehouse.reader import Reader
from benchhealth.warehouse.sharing.generation import SharedGeneration

Arguments = ParamSpec("Arguments")
Built = TypeVar("Built")


ROOM = 40 * 2**20
"""How many bytes all remembered objects may take together."""

LARGEST_KEPT = ROOM // 4
"""Larger things are not kept: they would drive out what many readers share."""

_ASSUMED_BYTES = 1_000
"""Bytes of a thing that says nothing of its size."""


def weight(built: object) -> int:
    """About how many bytes a thing takes: a frame what its columns do, a chart what it says in `weight`."""
    if isinstance(built, pl.DataFrame):
        return _ASSUMED_BYTES + int(built.estimated_size())
    if isinstance(built, str):
        return len(built)
    if isinstance(built, tuple | list) and len(built) < _ASSUMED_BYTES:
        return sum((weight(element) for element in built), _ASSUMED_BYTES)
    if isinstance(built, tuple | list | dict):
        return _ASSUMED_BYTES + 100 * len(built)
    return _ASSUMED_BYTES + int(getattr(built, "weight", 0))


class Recent:
    """Things by key, the ones asked for last; safe for threads, and one is built while others are read."""

    def __init__(self, room: int = ROOM, largest: int = LARGEST_KEPT) -> None:
        self._room, self._largest = room, largest
        self._things: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()
        self._taken = 0
        self._lock = threading.Lock()
        self._building: dict[Hashable, threading.RLock] = {}

    def get(self, key: Hashable, build: Callable[[], Built]) -> Built:
        """What is kept under `key`, else what `build` returns, once for all that ask meanwhile."""
        with self._lock:
            if key in self._things:
                self._things.move_to_end(key)
                return cast(Built, self._things[key][0])
            building = self._building.setdefault(key, threading.RLock())
        with building:
            with self._lock:
                if key in self._things:
                    return cast(Built, self._things[key][0])
            try:
                built = build()
                self._keep(key, built)
            finally:
                with self._lock:
                    self._building.pop(key, None)
            return built

    def _keep(self, key: Hashable, built: object) -> None:
        size = weight(built)
        if size > self._largest:
            return
        with self._lock:
            self._things[key] = (built, size)
            self._taken += size
            while self._taken > self._room:
                _, (_, freed) = self._things.popitem(last=False)
                self._taken -= freed


_SERIALS = count()


class View:
    """One generation with what was read from it. Frames are shared by all sessions and never changed."""

    def __init__(self, published: Generation) -> None:
        self.published = published
        self.name = published.name
        self.serial = next(_SERIALS)
        """A number that no other view of this process has: names of generations repeat between homes."""
        self._kept = Recent(room=maxsize, largest=maxsize)
        self._recent = Recent()
        self._shared: dict[str | None, SharedView] = {}
        self._sharing = threading.Lock()

    def table(self, name: str) -> pl.DataFrame:
        """A published table, whole; only for the small ones (use `query` for results, ranks and rejections)."""
        return self.kept(("table", name), lambda: self.published.table(name))

    def rows(self, name: str, **values: object) -> pl.DataFrame:
        """The rows of a published table that have these values, in its order; for tables too large to hold whole."""
        same = " AND ".join(f'"{column}" = ${column}' for column in values)
        return self.query(f'FROM "{name}" WHERE {same}', **values)

    def query(self, sql: str, **params: object) -> pl.DataFrame:
        """The rows that the SQL selects, kept as `recent`; `$name` in it stands for the parameter of that name."""
        key = ("query", sql, repr(sorted(params.items())))
        return self.recent(key, lambda: self.published.query(sql, params or None))

    def kept(self, key: Hashable, build: Callable[[], Built]) -> Built:
        """What `build` returned the first time it was asked for under `key` in this generation.

        It stays as long as the generation: for what is small, or needed by all.
        """
        return self._kept.get(key, build)

    def recent(self, key: Hashable, build: Callable[[], Built]) -> Built:
        """As `kept`, but only what was asked for last, as much as has room: for what depends on what readers choose."""
        return self._recent.get(key, build)

    def all_open(self) -> bool:
        """Whether every source that has said anything in this generation may be passed on."""
        spoken = self.table("source").filter(pl.col("last_observed_at").is_not_null())
        return len(with_terms(spoken, Terms.OPEN)) == spoken.height

    def shared(self, source_id: str | None = None) -> "SharedView":
        """What may leave of this generation, or leave under the licence of `source_id` alone.

        Raises NotShareable, UnknownSource and NoGeneration as `SharedGeneration` does.
        """
        with self._sharing:
            if source_id not in self._shared:
                try:
                    self._shared[source_id] = SharedView(SharedGeneration(self.published.path, source_id))
                except NoGeneration:
                    self.published.is_damaged = True
                    raise
            return self._shared[source_id]

    def notice_damage(self) -> None:
        """What was damaged where it was read as a part is damaged as a whole: the reader then looks for another."""
        if any(view.published.is_damaged for view in self._shared.values()):
            self.published.is_damaged = True


def recently(build: Callable[Concatenate[View, Arguments], Built]) -> Callable[Concatenate[View, Arguments], Built]:
    """The function with its answers kept as `View.recent`: what it says depends on the generation and its arguments."""
    return _remembered(View.recent, build)


def always(build: Callable[Concatenate[View, Arguments], Built]) -> Callable[Concatenate[View, Arguments], Built]:
    """As `recently`, with its answers kept as `View.kept`: for arguments of which there are few."""
    return _remembered(View.kept, build)


def _remembered(
    keep: Callable[[View, Hashable, Callable[[], Built]], Built],
    build: Callable[Concatenate[View, Arguments], Built],
) -> Callable[Concatenate[View, Arguments], Built]:
    @wraps(build)
    def answer(view: View, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> Built:
        key = (*map(_hashable, arguments), *((name, _hashable(value)) for name, value in sorted(named.items())))
        return keep(view, (build.__module__, build.__qualname__, key), lambda: build(view, *arguments, **named))

    return cast("Callable[Concatenate[View, Arguments], Built]", answer)


def _hashable(argument: Hashable | Mapping[str, str]) -> Hashable:
    return tuple(sorted(argument.items())) if isinstance(argument, Mapping) else argument


class SharedView(View):
    """What may leave of a generation, read by the same tables as the whole."""

    def __init__(self, published: SharedGeneration) -> None:
        super().__init__(published)
        self._generation = published

    def withheld(self, name: str) -> int:
        """How many rows of a table of the contract may not leave."""
        return self.kept(("withheld", name), lambda: self._generation.withheld(name))

    @property
    def with_own_terms(self) -> tuple[str, ...]:
        """The sources whose rows leave in files of their own."""
        return self._generation.with_own_terms

    @property
    def lacking(self) -> frozenset[str]:
        """The tables of the contract that the generation is older than."""
        return self._generation.lacking


class _Home:
    """Where generations are published, and the newest one that was opened. One a process, shared by all sessions."""

    def __init__(self) -> None:
        self.reader: Reader | None = None
        self.view: View | None = None
        self.lock = threading.Lock()


_HOME = _Home()


def use(home: Path) -> None:
    """Read generations published under this folder from now on; what is open of it stays open."""
    with _HOME.lock:
        if _HOME.reader is None or _HOME.reader.home != home:
            _HOME.reader, _HOME.view = Reader(home), None


def current() -> View:
    """The generation in service, else what is read in its place; the same object until another is.

    Raises NoGeneration where none can be read, and RuntimeError before `use` was called.
    """
    with _HOME.lock:
        if _HOME.reader is None:
            raise RuntimeError("benchhealth.dashboard.published.generation.use(home) was not called")
        if _HOME.view is not None:
            _HOME.view.notice_damage()
        published = _HOME.reader.current()
        if _HOME.view is None or _HOME.view.published is not published:
            _HOME.view = View(published)
        return _HOME.view


def unread() -> str | None:
    """Why the generation in service is not the one that is read; None where it is, or nothing was read yet."""
    with _HOME.lock:
        return _HOME.reader.unread if _HOME.reader else None


Params = Mapping[str, str]


CLOSE_IDS_NAMED = 5
"""How many known ids are named beside one that is not known."""


class ParameterError(ValueError):
    """A table was asked for with parameters that name nothing it holds."""


@dataclass(frozen=True)
class PublishedTable:
    """A table that a chart is drawn from and that `/csv/<name>` serves: one definition for both.

    `build` gets the generation and the parameters of the address; it raises ParameterError where they name nothing.
    `published` is the table of the contract that this is as it stands, if it is one: the longest are served by parts.
    """

    name: str
    build: Callable[[View, Params], pl.DataFrame] = field(repr=False)
    published: str | None = None

    def address(self, params: Params) -> str:
        """The address of the table as CSV, relative to any page of the dashboard."""
        query = f"?{urlencode(dict(params), quote_via=quote)}" if params else ""
        return f"csv/{self.name}{query}"


def required(params: Params, name: str) -> str:
    """The parameter's value; raises ParameterError where it is absent or empty."""
    value = params.get(name, "")
    if not value:
        raise ParameterError(f"the parameter {name} is missing")
    return value


def slug(text: str) -> str:
    """The text spelt as an id: lower case, hyphens for blanks and underscores, at most 80 characters."""
    return text.strip().casefold().replace(" ", "-").replace("_", "-")[:80]


def did_you_mean(unknown: str, ids: Sequence[str], names: Mapping[str, str] = MappingProxyType({})) -> str:
    """The ids near to one that is not known, in brackets, or nothing where none is."""
    suggestions = near_ids(unknown, ids, names)
    return f" (did you mean {listed(suggestions, 'or')}?)" if suggestions else ""


def near_ids(unknown: str, ids: Sequence[str], names: Mapping[str, str] = MappingProxyType({})) -> list[str]:
    """The ids near to one that is not known; `names` are those of ids that have one.

    First the same letters and digits, then what begins with its words, holds them, is spelt alike, and holds its
    letters; of each the shortest first, and what stands under an owner last. A name with a second name after a slash
    counts as both.
    """
    wanted, close_matches = _words_of_name(unknown), get_close_matches(unknown, ids, n=CLOSE_IDS_NAMED, cutoff=0.7)
    placed = []
    for known_id in ids:
        name = names.get(known_id, known_id)
        words, called = _words_of_name(name), [_words_of_name(part) for part in (name, *name.split(" / "))]
        same = any(part.replace(" ", "") == wanted.replace(" ", "") for part in called)
        begins = any(part.startswith(wanted) for part in called)
        tests = (same, begins, wanted in words, known_id in close_matches, wanted.strip() in words)
        if wanted.strip() and any(tests):
            placed.append((tests.index(True), "/" in known_id, len(words), known_id))
    return [known_id for *_, known_id in sorted(placed)[:CLOSE_IDS_NAMED]]


def _words_of_name(name: str) -> str:
    """The words and numbers of a name, each between blanks."""
    return " ".join(["", *re.findall(r"[^\W\d_]+|\d+", name.casefold()), ""])


def one_of(params: Params, name: str, options: Sequence[str]) -> str:
    """The parameter's value, the first option where it is absent or empty; raises ParameterError for any other."""
    return known_value(name, params.get(name) or options[0], options)


def known_value(name: str, value: str, options: Collection[str]) -> str:
    """The value of the parameter; raises ParameterError, with what it may be, where it is none of the options."""
    if value not in options:
        raise ParameterError(f"{name} {value!r} is not known; {name} is one of {', '.join(options)}")
    return value


def columns_of(table: str) -> list[dict[str, str]]:
    """What is declared of each column of a table of the contract, as addresses and pages say it."""
    return [
        {
            "column": column.name,
            "label": column.title,
            "type": str(column.kind),
            "unit": column.unit,
            "format": column.form,
            "meaning": column.meaning,
        }
        for column in TABLES[table].columns
    ]
