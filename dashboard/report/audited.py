"""The card of anybody's leaderboard as a report, as Markdown for a pull request, and as JSON."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from hashlib import sha256
from importlib.metadata import version
from typing import Any, NamedTuple

import orjson

from benchhealth.analytics.audit.audit import Audit
from benchhealth.dashboard.report.html import page
from benchhealth.dashboard.report.tree import Part, Report, Section, Table
from benchhealth.dashboard.words.boards import audit as words
from benchhealth.dashboard.words.numbers import percent_interval, score_finely
from benchhealth.dashboard.words.text import one_line

MODELS_SHOWN = 30
"""How many models the table of the report lists; the JSON lists all."""

HEAD = ("Place", "Model", "Score", "95% of its own", "Could be", "Tier")


def on_board(audit: Audit, name: str, origin: str, as_of: date) -> Report:
    """The audit of the board of this file; `origin` is `made_of` its bytes, `as_of` the day."""
    title = words.title(audit)
    card = Table(("", "95% intervals"), tuple((field.name, field.value) for field in words.fields(audit)), (0.34, 0.66))
    more = audit.rows.height - MODELS_SHOWN
    models = Table(HEAD, tuple(_cells(audit)), (0.08, 0.36, 0.12, 0.2, 0.14, 0.1), right=(0, 2))
    note = f"{more} more are in the JSON." if more > 0 else ""
    front = (
        Section("The card", table=card, note=words.LIMITS),
        Section("Who could be where", table=models, note=note),
    )
    part = Part(name, title, None, f"{one_line(name)}: {words.size(audit)}", front, (), goes_on=True)
    return Report(title, "", as_of, "", (part,), origin)


def markdown(report: Report) -> str:
    """The report for a comment in a pull request: a heading, the card, the models behind a line."""
    (part,) = report.parts
    lines = [f"### {_without_markup(part.title)}", "", _without_markup(part.line), ""]
    for index, section in enumerate(part.front):
        assert isinstance(section, Section) and section.table is not None
        table = _table(section.table)
        folded = ["<details><summary>" + _without_markup(section.title) + "</summary>", "", *table, "", "</details>"]
        lines += [*(folded if index else table), "", _without_markup(section.note), ""]
    return "\n".join([*lines, f"<sub>{_without_markup(report.origin)}</sub>", ""])


def as_json(report: Report, audit: Audit) -> bytes:
    """The complete audit as JSON, for programs."""
    body: dict[str, Any] = {
        "file": report.parts[0].key,
        "made_of": report.made_of,
        "title": words.title(audit),
        "read_as": audit.board.format,
        "kind": audit.board.kind,
        "models": len(audit.board.models),
        "units": len(audit.board.units),
        "missing": {"cells": audit.missing, "of": audit.cells, "counted": audit.counted},
        "card": dict(audit.card),
        "over_clusters": audit.over_clusters,
        "counted_otherwise": audit.counted_otherwise,
        "first_without": audit.first_without,
        "of_parts": audit.of_parts,
        "fields": [field._asdict() for field in words.fields(audit)],
        "rows": audit.rows.to_dicts(),
    }
    return orjson.dumps(body, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY)


def as_pdf(report: Report, _audit: Audit) -> bytes:
    """The report on the audit as the bytes of a PDF."""
    from benchhealth.dashboard.report.pdf import document  # noqa: PLC0415  (half of the time of a command)

    return document(report)


class Form(NamedTuple):
    """A format of a card: its media type, and the function that writes the bytes."""

    media_type: str
    written: Callable[[Report, Audit], bytes]


FORMS: Mapping[str, Form] = {
    "html": Form("text/html; charset=utf-8", lambda report, _audit: page(report)),
    "pdf": Form("application/pdf", as_pdf),
    "md": Form("text/markdown; charset=utf-8", lambda report, _audit: markdown(report).encode()),
    "json": Form("application/json", as_json),
}
"""The forms of a card, by the ending of its file."""


def made_of(name: str, bodies: Sequence[bytes]) -> str:
    """The bytes that a card is made of, and the version that made it."""
    digest = sha256()
    for body in bodies:
        digest.update(body)
    return f"{one_line(name)}, SHA-256 {digest.hexdigest()[:16]}, benchhealth {version('benchhealth')}"


def _cells(audit: Audit) -> Sequence[tuple[str, ...]]:
    return [
        (
            f"{row['rank']}",
            one_line(row["model"]),
            score_finely(row["score"], "fraction"),
            percent_interval(row["low"], row["high"]) or "not known",
            words.could_be(row),
            "" if row["tier"] is None else f"{row['tier']}",
        )
        for row in audit.rows.head(MODELS_SHOWN).iter_rows(named=True)
    ]


def _table(table: Table) -> list[str]:
    rows = [table.heads, tuple("---" for _ in table.heads), *table.rows]
    return [f"| {' | '.join(_without_markup(str(cell)) for cell in row)} |" for row in rows]


def _without_markup(text: str) -> str:
    """The text without what Markdown or HTML would read in it."""
    line = one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{letter}" if letter in "\\`*_[]|!#" else letter for letter in line)
