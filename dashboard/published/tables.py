"""The named tables that pages show and offer as CSV."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType
from urllib.parse import quote, urlencode

import polars as pl

from benchhealth.analytics.record.tables import TABLES
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.words.text import listed

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
    near = near_ids(unknown, ids, names)
    return f" (did you mean {listed(near, 'or')}?)" if near else ""


def near_ids(unknown: str, ids: Sequence[str], names: Mapping[str, str] = MappingProxyType({})) -> list[str]:
    """The ids near to one that is not known; `names` are those of ids that have one.

    First the same letters and digits, then what begins with its words, holds them, is spelt alike, and holds its
    letters; of each the shortest first, and what stands under an owner last.
    """
    wanted, alike = _words_of_name(unknown), get_close_matches(unknown, ids, n=CLOSE_IDS_NAMED, cutoff=0.7)
    placed = []
    for known_id in ids:
        words = _words_of_name(names.get(known_id, known_id))
        same = words.replace(" ", "") == wanted.replace(" ", "")
        tests = (same, words.startswith(wanted), wanted in words, known_id in alike, wanted.strip() in words)
        if wanted.strip() and any(tests):
            placed.append((tests.index(True), "/" in known_id, len(words), known_id))
    return [known_id for *_, known_id in sorted(placed)[:CLOSE_IDS_NAMED]]


def _words_of_name(name: str) -> str:
    """The words and numbers of a name, each between blanks."""
    return " ".join(["", *re.findall(r"[^\W\d_]+|\d+", name.casefold()), ""])


def one_of(params: Params, name: str, options: Sequence[str]) -> str:
    """The parameter's value, the first option where it is absent or empty; raises ParameterError for any other."""
    value = params.get(name) or options[0]
    if value not in options:
        raise ParameterError(f"{name} is one of {', '.join(options)}")
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
