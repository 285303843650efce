"""Tables in Markdown, as readme files and pages of documentation have them."""

import re
from collections.abc import Callable
from typing import NamedTuple

from benchhealth.ingest.names.identity import printable

_HEADING = re.compile(r"(#{1,6})\s+(\S.*)?")
_RULE = re.compile(r"\|?(?:\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?")
_CELL_END = re.compile(r"(?<!\\)\|")


class TableLine(NamedTuple):
    """A line below the header of a table: its number in the file, the names of the columns, and its cells."""

    number: int
    header: list[str]
    cells: list[str]

    @property
    def problem(self) -> str:
        """Why its cells cannot be told apart, empty where they can."""
        are_all = len(self.cells) == len(self.header)
        return "" if are_all else f"{len(self.cells)} cells under {len(self.header)} columns"

    @property
    def named(self) -> dict[str, str]:
        """The cells by the names of their columns, empty where the line has none."""
        return dict(zip(self.header, self.cells + [""] * len(self.header), strict=False))


class MarkdownTable(NamedTuple):
    """A table: the headings above it from the second level down, the number of its header's line, and the header."""

    headings: tuple[str, ...]
    number: int
    header: list[str]
    lines: list[TableLine]


Clean = Callable[[str], str]


def read_tables(text: str, plain: Clean = printable, plain_cell: Clean = printable) -> list[MarkdownTable]:
    """All tables of a page, in its order; `plain` takes off headings and names of columns what is no word of them."""
    headings, tables, is_inside = dict[int, str](), list[MarkdownTable](), False
    lines = text.splitlines()
    for index, line in enumerate(lines):
        if heading := _HEADING.fullmatch(line):
            level = len(heading[1])
            headings = {above: name for above, name in headings.items() if above < level}
            headings[level] = plain((heading[2] or "").rstrip().rstrip("#"))
        if "|" not in line:
            is_inside = False
        elif index and _RULE.fullmatch(line.strip()):
            above = tuple(name for level, name in headings.items() if level > 1)
            tables.append(MarkdownTable(above, index, [plain(cell) for cell in _cells(lines[index - 1])], []))
            is_inside = True
        elif is_inside:
            tables[-1].lines.append(TableLine(index + 1, tables[-1].header, [*map(plain_cell, _cells(line))]))
    return tables


def _cells(line: str) -> list[str]:
    cells = _CELL_END.split(line.strip().removeprefix("|"))
    return cells[:-1] if len(cells) > 1 and not cells[-1].strip() else cells
