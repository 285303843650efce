"""A report as plain text for a terminal: sentences wrapped, tables in columns, no pictures."""

from collections.abc import Iterator
from itertools import zip_longest
from textwrap import wrap

from benchhealth.dashboard.report.tree import Block, Link, Part, Picture, Report, Section, Table
from benchhealth.dashboard.words.text import one_line

WIDTH = 110
CELL = 34
"""The widest column of a table; longer cells go on in the next line."""


def text(report: Report) -> str:
    """The whole report; whatever others wrote stands in one line, without control characters."""
    lines = [line for part in report.parts for line in _part_lines(part)]
    return "\n".join([*lines, report.origin, ""])


def _part_lines(part: Part) -> Iterator[str]:
    yield one_line(part.title)
    yield one_line(part.line)
    yield ""
    for block in (*part.front, *part.back):
        yield from _block(block)


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Picture):
        return
    if isinstance(block, str):
        yield from wrap(one_line(block), WIDTH)
    elif isinstance(block, Section):
        yield from _section(block)
    else:
        for tile in block:
            yield from wrap(one_line(f"{tile.question} {tile.answer}. {tile.evidence}"), WIDTH)
    yield ""


def _section(section: Section) -> Iterator[str]:
    yield one_line(section.title).upper()
    for paragraph in section.paragraphs:
        yield from wrap(one_line(paragraph), WIDTH)
    for point in section.points:
        yield from wrap(one_line(point), WIDTH, initial_indent="- ", subsequent_indent="  ")
    if section.table and section.table.rows:
        yield from _table(section.table)
    if section.note:
        yield from wrap(one_line(section.note), WIDTH)


def _table(table: Table) -> Iterator[str]:
    rows = [
        [one_line(cell.text if isinstance(cell, Link) else cell) for cell in row] for row in (table.heads, *table.rows)
    ]
    widths = [min(CELL, max(len(cell) for cell in column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [wrap(cell, width) or [""] for cell, width in zip(row, widths, strict=True)]
        for line in zip_longest(*cells, fillvalue=""):
            columns = [
                part.rjust(width) if column in table.right else part.ljust(width)
                for column, (part, width) in enumerate(zip(line, widths, strict=True))
            ]
            yield "  ".join(columns).rstrip()
