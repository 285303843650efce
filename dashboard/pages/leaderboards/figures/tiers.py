"""A board on one day in tiers: score with its 95% error, printed place grey, the places that each could hold black."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.dashboard.figures import language
from benchhealth.dashboard.figures.base import is_bounded
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.effort import with_effort
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.published.reigns import Board
from benchhealth.dashboard.words.answers.parts import stated_condition
from benchhealth.dashboard.words.boards.ties import headline, tier_name, tiers_sentence
from benchhealth.dashboard.words.numbers import day_of, score
from benchhealth.dashboard.words.ranks import how_compared, rank_line, span
from benchhealth.dashboard.words.text import count, model_within, plotly

MODELS_SHOWN, ROW_HEIGHT, NAME_LETTERS = 17, 28, 30
"""Models that are drawn, the height of one in pixels, and the letters of its name."""

TIER_SPACE = 0.75
"""The space above a tier, as a share of a row: on a phone its name is there."""

AT_LEFT, AT_RIGHT = 0.3, 0.16
"""Shares of the plot that names and places take, left and right of the scores."""

PRINTED, COULD_BE = 0.905, 0.99
"""Where the columns of places end, as a share of the plot."""


class Band(NamedTuple):
    """A tier (None: models of unknown error) with its drawn rows, the height of its upper edge, and its size."""

    tier: int | None
    rows: pl.DataFrame
    top: float
    size: int

    @property
    def places(self) -> list[float]:
        """The height of each of its scores: a little below the middle of a row, as a phone has the name above it."""
        return [self.top - index - 0.66 for index in range(self.rows.height)]


def chart(board: Board, rows: pl.DataFrame, card: Row | None, palette: Palette) -> Chart | Nothing:
    """The first MODELS_SHOWN of a board in tiers, on the day of `rows` (`published.reigns.board_on`) and of `card`."""
    if rows.is_empty() or card is None:
        return Nothing("Nothing is on record for that day.", "Choose a later day.")
    ordered = rows.sort("tier", "rank", maintain_order=True, nulls_last=True)
    drawn, seen_at = ordered.head(MODELS_SHOWN), rows["observed_at"][0]
    bands = list(_bands(ordered))
    figure, low, high = _draw_scores(board, bands, palette)
    height = bands[0].top - bands[-1].top + bands[-1].rows.height
    wide = (high - low) / (1 - AT_LEFT - AT_RIGHT)
    language.laid_out(figure, palette, round(ROW_HEIGHT * (height + TIER_SPACE) + 34))
    figure.update_layout(
        yaxis={"range": [-height, TIER_SPACE], "showgrid": False, "showticklabels": False, "automargin": False},
        xaxis={
            "range": [low - AT_LEFT * wide, high + AT_RIGHT * wide],
            **_ticks(low, high, board.unit),
            "showgrid": True,
            "showline": False,
        },
        margin={"l": 0, "r": 0, "t": 4, "b": 4},
    )
    for band in bands:
        _texts(figure, band, palette)
    for x, text, opacity in ((PRINTED, "printed", language.ONLY_WIDE), (COULD_BE, "could be", 1.0)):
        _write_at(figure, (x, TIER_SPACE / 2), text, palette.ink2, opacity)
    n_more = rows.height - drawn.height
    return Chart(
        title=tiers_sentence(drawn["tier"].to_list(), n_more),
        subtitle=(
            f"{headline(card, board.name)}; look of {day_of(seen_at)}{_under(rows)}{how_compared(rows)}. {_note(card)}"
            f"{f'. {n_more} more below' if n_more else ''}."
        ),
        figure=figure,
        rows=drawn,
        alt=f"{headline(card, board.name)}, of {count(rows.height, 'model')} on {day_of(seen_at)}: "
        f"{', '.join(drawn['model'].head(3))} are printed first.",
        known_until=seen_at.date(),
    )


def _under(rows: pl.DataFrame) -> str:
    """The condition that the board is ranked under, where one is stated."""
    condition = stated_condition(rows.row(0, named=True))
    return f" (under: {condition})" if condition else ""


def _note(card: Row) -> str:
    """How the chart is read: without errors it has no bands, and only printed places."""
    if card["ties_reason"] is not None:
        return "Scores in printed order"
    return (
        "Score with its 95% error. A band holds all that could take its first place; at right the places that each "
        "could hold, all at once"
    )


def _bands(ordered: pl.DataFrame) -> Iterator[Band]:
    sizes = dict(ordered.group_by("tier").len().iter_rows())
    top = 0.0
    for (tier,), rows in ordered.head(MODELS_SHOWN).group_by("tier", maintain_order=True):
        yield Band(tier, rows, top, sizes[tier])
        top -= rows.height + TIER_SPACE


def _draw_scores(board: Board, bands: Sequence[Band], palette: Palette) -> tuple[go.Figure, float, float]:
    """Draw bands, errors and scores; returns the range that they cover."""
    figure = language.Drawing()
    ends: list[float] = []
    for band in bands:
        colour = palette.accent if band.tier == 1 else palette.ink3
        rows = band.rows.with_columns(half=Z95 * pl.col("error").fill_null(0.0))
        low, high = (rows["score"] - rows["half"]).to_list(), (rows["score"] + rows["half"]).to_list()
        if is_bounded(board.unit):
            low, high = [max(0.0, end) for end in low], [min(1.0, end) for end in high]
        ends += [*low, *high]
        x = [x for begin, end in zip(low, high, strict=True) for x in (begin, end, None)]
        y = [y for height in band.places for y in (height, height, None)]
        language.quiet_line(figure, x, y, width=6, color=palette.faint(colour, 0.45))
        figure.add_scatter(
            x=rows["score"].to_list(),
            y=band.places,
            mode="markers",
            marker={"size": 9, "color": colour},
            **language.on_hover(
                (_hover(row, board.unit) for row in rows.iter_rows(named=True)), language.OPENS_MODEL, rows["model_id"]
            ),
        )
        fill = palette.chosen if band.tier == 1 else palette.faint(palette.ink3, 0.07)
        language.field(figure, fill, y=(band.top, band.top - rows.height))
    lowest, highest = min(ends), max(ends)
    room = (highest - lowest) * 0.03 or abs(highest) * 0.05 or 1.0
    return figure, lowest - room, highest + room


def _ticks(low: float, high: float, unit: str | None) -> dict[str, object]:
    """Round scores within the range of the scores, none under the names."""
    steps = [base * 10**power for power in range(-6, 7) for base in (1, 2, 5)]
    step = next(candidate for candidate in steps if (high - low) / candidate <= 6)
    first = int(low // step) + 1
    ticks = [step * multiple for multiple in range(first, int(high // step) + 1)]
    if low <= 0 <= high and 0 not in ticks:
        ticks.append(0.0)
    return {"tickvals": ticks, "ticktext": [score(value, unit) for value in ticks]}


def _texts(figure: go.Figure, band: Band, palette: Palette) -> None:
    """The band's name and those of its models: at left, on a phone above; its places at right."""
    name = tier_name(band.tier, band.rows.height if band.tier is None else band.size)
    colour = palette.accent if band.tier == 1 else palette.ink
    at_left = {"xref": "paper", "x": 0, "xanchor": "left", "showarrow": False}
    size = f"{count(band.size, 'model')}" + (f", {band.rows.height} shown" if band.rows.height < band.size else "")
    bold = {"text": f"<b>{name}</b>", "font": {"size": language.LABEL, "color": colour}}
    figure.add_annotation(**at_left, **bold, y=band.places[0], xshift=10, opacity=language.ONLY_WIDE)
    if band.rows.height > 1:
        small = {"text": size, "font": {"size": language.LABEL - 1, "color": palette.ink2}}
        figure.add_annotation(**at_left, **small, y=band.places[1], xshift=10, opacity=language.ONLY_WIDE)
    figure.add_annotation(
        **{**at_left, **bold, "text": f"<b>{name}</b>, {size}"}, y=band.top, yanchor="bottom", xshift=2,
        opacity=language.ONLY_NARROW,
    )  # fmt: skip
    for height, row in zip(band.places, band.rows.iter_rows(named=True), strict=True):
        label = with_effort(plotly(model_within(row["model"], NAME_LETTERS), 60), row["setting"], palette.ink2)
        ink = {"font": {"size": language.LABEL, "color": palette.ink}, "showarrow": False, "y": height}
        figure.add_annotation(
            **ink, xref="paper", x=AT_LEFT, xanchor="right", xshift=-8, text=label, opacity=language.ONLY_WIDE
        )
        figure.add_annotation(
            **ink, xref="paper", x=0, xanchor="left", xshift=4, yshift=10, text=label, opacity=language.ONLY_NARROW
        )
        _write_at(figure, (PRINTED, height), str(row["rank"]), palette.ink2, language.ONLY_WIDE)
        low = row["rank_low_joint"]
        could = "not known" if low is None else f"<b>{span(low, row['rank_high_joint'])}</b>"
        _write_at(figure, (COULD_BE, height), could, palette.ink, 1.0)


def _write_at(figure: go.Figure, position: tuple[float, float], text: str, colour: str, opacity: float) -> None:
    x, y = position
    language.write(figure, text, (x, y), colour, xref="paper", xanchor="right", opacity=opacity)


def _hover(row: dict[str, Any], unit: str | None) -> str:
    return f"<b>{plotly(row['model'])}</b><br>{score(row['score'], unit)}, printed at {row['rank']}<br>{rank_line(row)}"
