"""Tables in Markdown, as readme files and pages of documentation have them."""

import re
from typing import NamedTuple

from benchhealth.ingest.names.identity import printable

_RULE = re.compile(r"\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)+\|?")


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
    """A table with the heading above it."""

    heading: str
    header: list[str]
    lines: list[TableLine]


def read_tables(text: str) -> list[MarkdownTable]:
    """All tables of a page, in its order."""
    heading, tables, is_inside = "", list[MarkdownTable](), False
    lines = text.splitlines()
    for index, line in enumerate(lines):
        if line.startswith("#"):
            heading = line.strip("# \t").rstrip(".")
        if "|" not in line:
            is_inside = False
        elif index and _RULE.fullmatch(line.strip()):
            tables.append(MarkdownTable(heading, _cells(lines[index - 1]), []))
            is_inside = True
        elif is_inside:
            tables[-1].lines.append(TableLine(index + 1, tables[-1].header, _cells(line)))
    return tables


def _cells(line: str) -> list[str]:
    return [printable(cell) for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]
