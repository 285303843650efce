"""What a program is answered with: sentences as on pages, codes and numbers, until when, and how to cite it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import date
from typing import Any, cast

import orjson

from benchhealth.dashboard.figures.chart import SourceLine
from benchhealth.dashboard.published.generation import ParameterError, Params, View
from benchhealth.dashboard.words.terms.citing import citation, drawn_from

SOURCES_NAMED = 3
"""Sources that a reply's citation names; the page has all."""

MOST_ROWS = 100
"""Rows that a reply holds; tables hold all."""

LONGEST_VALUE = 400
"""The longest value of a parameter that is accepted, in characters."""


@dataclass(frozen=True)
class Reply:
    """One reply, the same wherever it was asked for.

    `text` are the sentences that pages print, `data` the codes and numbers that they are made of (plain values of JSON:
    days as `2025-11-21`). `known_until` is the day until which all of it is known, None where none is on record.
    `conditions` are those that the results share (empty: nothing is stated). `citation` is a reference in one line, and
    `page` the view that shows the same, relative to the address of a dashboard until `at` names that.

    >>> import benchhealth as bh
    >>> reply = bh.open(HOME).answer("exam", "order")
    >>> reply.known_until.isoformat(), reply.conditions, reply.page.partition("#")[2]
    ('2024-12-20', (), 'order')
    >>> bh.Reply.of(reply.as_dict()) == reply
    True
    """

    asked: str
    text: str
    data: Mapping[str, Any]
    known_until: date | None
    conditions: tuple[str, ...]
    citation: str
    page: str
    generation: str

    def __str__(self) -> str:
        return self.text

    def at(self, base: str) -> "Reply":
        """The same with a page that can be opened, of the dashboard at this address, which ends with a slash."""
        return replace(self, page=f"{base}{self.page}", citation=f"{self.citation} {base}{self.page}")

    def as_dict(self) -> dict[str, Any]:
        """The reply as plain values of JSON."""
        return cast("dict[str, Any]", plain(asdict(self)))

    @classmethod
    def of(cls, written: Mapping[str, Any]) -> "Reply":
        """The reply that was written as `as_dict`. Raises KeyError and ValueError for anything else."""
        values = {column.name: written[column.name] for column in fields(cls)}
        until = values["known_until"]
        days = {"known_until": None if until is None else date.fromisoformat(until)}
        return cls(**{**values, **days, "conditions": tuple(values["conditions"])})


@dataclass(frozen=True)
class ReplySpec:
    """A question under its address, `/reply/<name>.json`: what it gives, and its parameters with their meaning.

    `build` gets what may leave of a generation; it raises ParameterError where parameters name nothing. `required` are
    the parameters without which there is nothing to reply to.
    """

    name: str
    gives: str
    params: Mapping[str, str]
    build: Callable[[View, Params], Reply] = field(repr=False)
    required: tuple[str, ...] = ()
    open_ended: bool = False
    """Whether other parameters are read too: those of the chart that is cited."""

    def of(self, view: View, params: Params) -> Reply:
        """The reply to these parameters. Raises ParameterError for one that is not read, too long or missing."""
        values = {name: value for name, value in params.items() if value}
        unread = [] if self.open_ended else [name for name in values if name not in self.params]
        if unread:
            raise ParameterError(f"{self.name} reads {', '.join(self.params)}, not {unread[0][:40]!r}")
        for name, value in values.items():
            if len(value) > LONGEST_VALUE:
                raise ParameterError(f"the parameter {name[:40]} is longer than {LONGEST_VALUE} letters")
        for name in self.required:
            if name not in values:
                raise ParameterError(f"the parameter {name} is missing")
        return self.build(view, values)


def reply(  # noqa: PLR0913 - what a reply is made of
    view: View,
    asked: str,
    text: str,
    data: Mapping[str, Any],
    *,
    cites: str,
    known_until: date | None,
    page: str,
    conditions: Sequence[str | None] = (),
    sources: Sequence[SourceLine] = (),
) -> Reply:
    """The reply of this generation; `cites` is the sentence that its citation repeats."""
    named = drawn_from([(source.title, source.url) for source in sources], SOURCES_NAMED)
    return Reply(
        asked=asked,
        text=text,
        data=plain(data),
        known_until=known_until,
        conditions=tuple(dict.fromkeys(condition for condition in conditions if condition)),
        citation=citation(cites, known_until, named, view.name),
        page=page,
        generation=view.name,
    )


def some(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The first rows, and how many are left out."""
    return {"rows": list(rows[:MOST_ROWS]), "rows_left_out": max(0, len(rows) - MOST_ROWS)}


def plain(value: Any) -> Any:  # noqa: ANN401 - JSON
    """The value as JSON has it: days and instants as text, tuples as lists, what is not finite as null."""
    return orjson.loads(orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY, default=str))
