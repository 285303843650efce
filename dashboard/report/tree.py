"""What a printed report says, before any format: plain values that the HTML and the PDF writer both draw.

Every text in here is literal: nothing is markup yet, and each writer escapes for its own format.
"""

from dataclasses import dataclass
from datetime import date

import plotly.graph_objects as go

from benchhealth.dashboard.published.benchmarks import assessed_on
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.words.terms.citing import published_as


@dataclass(frozen=True)
class Link:
    """A text with the address it leads to, http or https."""

    text: str
    url: str


Cell = str | Link


@dataclass(frozen=True)
class Table:
    """Rows under heads; `widths` are the columns' shares of the page, `right` the columns set to the right."""

    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    widths: tuple[float, ...]
    right: tuple[int, ...] = ()


@dataclass(frozen=True)
class Section:
    """A heading with paragraphs, points, then a table and what is to be known to read it; each may be absent.

    One that is `framed` is what a reader in a hurry reads.
    """

    title: str
    paragraphs: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    table: Table | None = None
    note: str = ""
    framed: bool = False


@dataclass(frozen=True)
class Tile:
    """A question that is put to every benchmark, its answer, and what the answer rests on."""

    question: str
    answer: str
    evidence: str


@dataclass(frozen=True)
class Picture:
    """A still chart of this figure (`still.svg`)."""

    title: str
    subtitle: str
    alt: str
    source: str
    figure: go.Figure


Block = Section | tuple[Tile, ...] | Picture | str
"""What a page is made of; a text alone is a paragraph."""


@dataclass(frozen=True)
class Part:
    """Two pages: the verdict and what it means in front, evidence at the back; `stage` colours the head.

    `line` is what stands below the title: the stage, what is flagged, until when it is known. Where `goes_on`, each of
    the two may go on over further pages: for lists of which none may be left out.
    """

    key: str
    title: str
    stage: str | None
    line: str
    front: tuple[Block, ...]
    back: tuple[Block, ...]
    goes_on: bool = False


@dataclass(frozen=True)
class Report:
    """Everything asked for, from one generation, or of a file of somebody's own (`made_of`)."""

    title: str
    generation: str
    as_of: date
    rules_version: str
    parts: tuple[Part, ...]
    made_of: str = ""

    @property
    def origin(self) -> str:
        """The generation, day and rules that all numbers of the report come from, or the file."""
        return (
            self.made_of
            or f"{published_as(self.generation)}, assessed as of {self.as_of}, rules version {self.rules_version}"
        )


def of_generation(view: View, title: str, parts: tuple[Part, ...]) -> Report:
    """The report of these parts, all from this generation, with its day and the rules of its verdicts."""
    rules = ", ".join(view.table("verdict")["rules_version"].drop_nulls().unique().sort())
    return Report(title, view.name, assessed_on(view) or date(1970, 1, 1), rules, parts)


INFERENCES = (
    "Stages, flags and gaps are inferences from published numbers, not accusations: a model may score higher than a "
    "twin predicts for several reasons, and nothing in this report says that anybody cheated. What is not known is "
    "said to be unknown; a benchmark without evidence is unknown, never healthy."
)
"""Closes every part."""
