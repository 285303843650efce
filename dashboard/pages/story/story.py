"""What a story is: a moral and frames, made of one generation, and what it reads of that. Nothing is estimated here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
import polars as pl

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.figures.base import is_bounded
from benchhealth.dashboard.figures.chart import Chart, SourceLine
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.story.figures.pictures import Picture
from benchhealth.dashboard.pages.story.figures.slopes import beyond
from benchhealth.dashboard.published import twin_pairs
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.results import frontier, ids
from benchhealth.dashboard.widgets.shared import twin_sources
from benchhealth.dashboard.words.stories.parts import Caption, Rise, Twin


@dataclass(frozen=True)
class Frame:
    """One picture: its words, what draws it, the page that holds all its numbers, its topic of Methods, its sources."""

    caption: Caption
    draw: Callable[[Palette], Picture]
    numbers: str
    method: str
    sources: Sequence[SourceLine]
    until: date | None

    def chart(self, palette: Palette) -> Chart:
        """The picture as a chart with all that makes it citable."""
        drawn = self.draw(palette)
        return Chart(
            title=self.caption.title,
            subtitle=f"{self.caption.text} {self.caption.source[:1].upper()}{self.caption.source[1:]}.",
            figure=drawn.figure,
            rows=drawn.rows,
            alt=self.caption.alt,
            sources=self.sources,
            known_until=self.until,
            method=self.method,
        )


@dataclass(frozen=True)
class Content:
    """A story of one generation: its moral, and by their numbers those of its frames whose facts are known."""

    moral: str
    frames: Mapping[int, Frame]


@dataclass(frozen=True)
class Story:
    """The declaration of a story: its key in `words.stories.story_list.STORIES`, and what makes it of a generation."""

    key: str
    make: Callable[[View], Content]

    def of(self, view: View) -> Content:
        """The content of the story from the tables of a generation; made once for each."""
        return view.kept(("story", self.key), lambda: self.make(view))


def content(moral: str, *frames: Frame | None) -> Content:
    """A story with those of its frames that are not None; each keeps its number, by which addresses name it."""
    return Content(moral, {number: frame for number, frame in enumerate(frames, 1) if frame is not None})


WORTH_DRAWING = 0.05
"""The score by guessing from which on a picture has a line for it."""


def facts_of(view: View, benchmark_id: str) -> Row:
    """The row of a benchmark; empty where the generation has none."""
    if benchmark_id not in ids(view):
        return {}
    return view.table("benchmark").row(by_predicate=pl.col("benchmark_id") == benchmark_id, named=True)


def moves_of(view: View, benchmark_id: str) -> pl.DataFrame:
    """The dated steps of the best of a benchmark: model, dated_on, score; the oldest first."""
    rows = frontier(view, {"benchmark": benchmark_id}).filter(~pl.col("carried")).drop_nulls("dated_on")
    return rows.select(pl.coalesce("model", "model_id").alias("model"), "dated_on", "score").sort("dated_on")


def rise_of(view: View, benchmark_id: str, *, ceiling: bool = False) -> tuple[Rise, pl.DataFrame] | None:
    """How the best of a benchmark rose, with its steps; None where no step is dated or its scale has no ends.

    With `ceiling`, the score that known wrong labels leave attainable is drawn as a line.
    """
    facts = facts_of(view, benchmark_id)
    if not facts or not is_bounded(facts["unit"]) or facts["known_until"] is None:
        return None
    moves = moves_of(view, benchmark_id)
    if moves.is_empty():
        return None
    floor = facts["floor"] or 0.0
    rise = Rise(
        first=moves["score"][0],
        first_on=moves["dated_on"][0],
        best=moves["score"][-1],
        last_on=moves["dated_on"][-1],
        steps=moves.height,
        until=facts["known_until"],
        items=facts["n_items"],
        options=round(1 / floor) if floor > 0 else None,
        guess=floor if floor >= WORTH_DRAWING else None,
        people=facts["human"],
        ceiling=facts["ceiling"] if ceiling and facts["ceiling_kind"] == "audited" else None,
    )
    return rise, moves


@dataclass(frozen=True)
class Pair:
    """A second test as stories tell it: its facts, its row of `twin_pairs.twins`, its models, and where it is from."""

    twin: Twin
    row: Row
    models: pl.DataFrame
    sources: list[SourceLine]


def pair_of(view: View, twin_id: str, compared_id: str = "") -> Pair | None:
    """A second test; how far orders agree is that of `compared_id`, a larger set of models, where that is given.

    None where the generation has no two models on both tests.
    """
    row, larger = _twin_row(view, twin_id), _twin_row(view, compared_id or twin_id)
    if row is None or larger is None or row["gap"] is None:
        return None
    models = twin_pairs.residuals(view, {"twin": twin_id}).filter(~pl.col("own"))
    if models.height < 2:
        return None
    old, new = (facts_of(view, row[side]) for side in ("original_id", "other_id"))
    apart = models.filter(beyond())
    pairs, swapped = _n_swapped_pairs(models)
    twin = Twin(
        models=models.height,
        fell=models.filter(pl.col("other") < pl.col("original")).height,
        gap=row["gap"],
        gap_low=row["gap_low"],
        gap_high=row["gap_high"],
        pairs=pairs,
        swapped=swapped,
        furthest=_furthest(models),
        until=_until(view, row),
        items=old.get("n_items"),
        other_items=new.get("n_items"),
        other_on=new.get("released_on"),
        compared=larger["n_models"],
        agreement=larger["kendall_tau"],
        agreement_low=_agreement_low(view, row["original_id"], row["other_id"]),
        agreement_top=larger["kendall_tau_top"],
        flagged=row["flagged"],
        tested=row["tested"],
        not_drawn=(apart["original"][0], apart["other"][0]) if apart.height == 1 else None,
    )
    return Pair(twin, row, models, twin_sources(view, row))


def _twin_row(view: View, twin_id: str) -> Row | None:
    matches = twin_pairs.twins(view, {}).filter(pl.col("twin_id") == twin_id)
    return matches.row(0, named=True) if matches.height else None


def _n_swapped_pairs(models: pl.DataFrame) -> tuple[int, int]:
    """The number of pairs of models, and how many are in reverse order on the second test; a tie is no swap."""
    old, new = (models[side].round(6).to_numpy() for side in ("original", "other"))
    firsts, seconds = np.triu_indices(models.height, k=1)
    turned = np.sign(old[firsts] - old[seconds]) * np.sign(new[firsts] - new[seconds]) < 0
    return len(firsts), int(turned.sum())


def _furthest(models: pl.DataFrame) -> int:
    """The most places that a model fell; tied models share the better place."""
    old, new = (models[side].round(6).rank("min", descending=True).cast(pl.Int64) for side in ("original", "other"))
    return max(0, int((new - old).max()))  # type: ignore[arg-type]


def _until(view: View, row: Row) -> date | None:
    """Until when a second test is known: no later than the source that both sides are read from."""
    read_days = view.table("source").filter(pl.col("source_id") == (row["source_id"] or ""))["known_until"].to_list()
    days = [day for day in (*read_days, row["known_until"]) if day is not None]
    return min(days) if days else None


def _agreement_low(view: View, first_id: str, second_id: str) -> float | None:
    """The lower end of the interval of the rank agreement of two benchmarks, over all models on both."""
    ends = pl.col("original_id").is_in([first_id, second_id]) & pl.col("other_id").is_in([first_id, second_id])
    lows = view.table("transfer").filter(ends, pl.col("original_id") != pl.col("other_id"))["low"].drop_nulls()
    return float(lows[0]) if len(lows) else None
