"""What a printed report says, before any format: plain values that the HTML and the PDF writer both draw.

Every text in here is literal: nothing is markup yet, and each writer escapes for its own format.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import polars as pl


@dataclass(frozen=True)
class Link:
    """A text with the address it leads to, http or https."""

    text: str
    url: str


Cell = str | Link


@dataclass(frozen=True)
class Table:
    """Rows under a head; `widths` are the columns' shares of the page, `right` the columns set to the right."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    widths: tuple[float, ...]
    right: tuple[int, ...] = ()


@dataclass(frozen=True)
class Section:
    """A heading with paragraphs, points, then a table and what is to be known to read it; each may be absent."""

    title: str
    paragraphs: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    table: Table | None = None
    note: str = ""


@dataclass(frozen=True)
class Curve:
    """A benchmark's results by date: the finding, what the chart shows in words, and the frames it is drawn from.

    `facts` is the benchmark's row; `results` has `dated_on`, `date_basis` and `score`; `steps` is its frontier,
    oldest first, the row carried to the day until which it is known last.
    """

    finding: str
    alt: str
    facts: Mapping[str, Any]
    results: pl.DataFrame
    steps: pl.DataFrame


@dataclass(frozen=True)
class Sheet:
    """One benchmark, on two pages at most. Pairs are a label and its text."""

    benchmark_id: str
    name: str
    stage: str
    stage_meaning: str
    flags: tuple[tuple[str, str], ...]
    reasons: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    curve: Curve | None
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class Report:
    """Everything asked for, from one generation; `cover` is there where more than one benchmark is."""

    title: str
    generation: str
    as_of: date
    rules_version: str
    cover: Table | None
    sheets: tuple[Sheet, ...]

    @property
    def origin(self) -> str:
        """The generation, day and rules that all numbers of the report come from."""
        return f"Generation {self.generation}, assessed as of {self.as_of}, rules version {self.rules_version}"


INFERENCES = (
    "Stages, flags and gaps are inferences from published numbers, not accusations: a model may score higher than a "
    "twin predicts for several reasons, and nothing in this report says that anybody cheated. What is not known is "
    "said to be unknown; a benchmark without evidence is unknown, never healthy."
)
"""Closes every report."""
