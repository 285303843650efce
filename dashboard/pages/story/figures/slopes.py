"""Two measurements of the same models as slopes: left the first score or place, right the second, nine lines named.

After the slopegraphs of Tufte (The Visual Display of Quantitative Information, 1983).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.base import numbers
from benchhealth.dashboard.figures.labels import spread
from benchhealth.dashboard.figures.language import (
    ONLY_NARROW,
    ONLY_WIDE,
    OPENS_MODEL,
    Drawing,
    laid_out,
    led,
    on_hover,
    write,
)
from benchhealth.dashboard.figures.lettering.names import told_apart
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.figures.twin import other_named, side_name
from benchhealth.dashboard.words.numbers import ordinal
from benchhealth.dashboard.words.text import plotly, without_maker

Twin = Mapping[str, Any]
"""One row of `twin_pairs.twins`."""

EVEN_STEPS = 9
"""Steps of the first score, or place, from the lowest to the highest; the model nearest to each is named."""

HEIGHT, PLOT_HEIGHT, APART = 460, 400, 16
"""Pixels of the figure and of its plot, and from one label to the next."""

NAME, NARROW_NAME, NARROW_HEADING = 24, 12, 20
"""Letters of a model's name, of one on a phone, and of a heading there."""

GREY, FAINTEST, CROWD = 0.28, 0.06, 200
"""The opacity of lines that have no name; from this many lines on it falls, so that they do not become one field."""

LEFT, RIGHT = 0.32, 0.66
"""The positions of both vertical axes, as shares of the width; a phone has names at the right alone."""


def with_places(rows: pl.DataFrame) -> pl.DataFrame:
    """The models drawn, best first: `model`, `original`, `other`, the places on both and whether a line is `named`.

    `rows` are `twin_pairs.residuals`. A model whose expectation would be extrapolated lies apart from all others and
    would squeeze them: it is not drawn, and the subtitle says so.
    """
    drawn = rows.filter(~pl.col("own") & ~beyond()).sort("original", "model_id", descending=[True, False])
    first, second = (
        pl.col(side).rank("min", descending=True).cast(pl.Int64).alias(f"place_{side}")
        for side in ("original", "other")
    )
    return drawn.select("model_id", "model", "setting", "original", "other").with_columns(first, second)


def beyond() -> pl.Expr:
    """Whether a model lies beyond the range of the others."""
    return (pl.col("untested") == "extrapolated").fill_null(value=False)


def nearest_to_steps(values: Sequence[float] | npt.NDArray[np.float64], steps: int = EVEN_STEPS) -> list[int]:
    """The indices of the values nearest to even steps from the lowest to the highest, each once, in order.

    Of two that are equally near the first counts; one that is nearest to several steps is there once.
    """
    array = np.asarray(values, dtype=np.float64)
    if not array.size:
        return []
    wanted = np.linspace(array.min(), array.max(), steps)
    return sorted({int(np.abs(array - step).argmin()) for step in wanted})


def figure(twin: Twin, lines: pl.DataFrame, measure: str, palette: Palette) -> go.Figure:
    """The lines; `lines` are `with_places` with `named`."""
    columns = ("original", "other") if measure == "score" else ("place_original", "place_other")
    drawn = Drawing()
    thin = max(FAINTEST, GREY * min(1.0, CROWD / lines.height))
    _strokes(drawn, lines.filter(~pl.col("named")), columns, palette.faint(palette.ink3, thin), 1)
    _strokes(drawn, lines.filter("named"), columns, palette.accent, 2)
    ends = np.array([lines[column].to_numpy() for column in columns], dtype=np.float64)
    low, high = float(ends.min()), float(ends.max())
    pad = (high - low) * 0.05 or 1.0
    span = (low - pad, high + pad) if measure == "score" else (high + pad, low - pad)
    laid_out(drawn, palette, HEIGHT)
    drawn.update_layout(
        margin={"l": 4, "r": 4, "t": 30, "b": 4},
        xaxis={"range": [-LEFT / (RIGHT - LEFT), 1 + (1 - RIGHT) / (RIGHT - LEFT)], "visible": False},
        yaxis={"range": list(span), "visible": False},
    )
    drawn.layout.shapes = [
        {"type": "line", "x0": x, "x1": x, "yref": "paper", "y0": 0, "y1": 1, "layer": "below",
         "line": {"color": palette.line, "width": 1}}
        for x in (0, 1)
    ]  # fmt: skip
    _labels(drawn, twin, lines.filter("named"), columns, span, palette)
    return drawn


def _strokes(plot: go.Figure, rows: pl.DataFrame, columns: tuple[str, str], colour: str, width: int) -> None:
    """All lines of one kind as one trace, separated by gaps."""
    if rows.is_empty():
        return
    ends = np.full((rows.height, 3), np.nan, dtype=np.float32)
    ends[:, 0], ends[:, 1] = (numbers(rows[column]) for column in columns)
    texts = [_hover(row) for row in rows.iter_rows(named=True)]
    plot.add_scatter(
        x=np.tile(np.array([0, 1, np.nan], dtype=np.float32), rows.height),
        y=ends.ravel(),
        mode="lines+markers",
        line={"color": colour, "width": width},
        marker={"size": 7 if width > 1 else 3, "color": colour},
        **on_hover(
            (text for hover in texts for text in (hover, hover, "")),
            OPENS_MODEL,
            (model_id for model_id in rows["model_id"] for _ in range(3)),
        ),
    )


def _hover(row: Mapping[str, Any]) -> str:
    return (
        f"<b>{plotly(without_maker(row['model']))}</b><br>{row['original']:.1f}, then {row['other']:.1f}<br>"
        f"{ordinal(row['place_original'])}, then {ordinal(row['place_other'])}"
    )


def _labels(  # noqa: PLR0913, PLR0917
    plot: go.Figure,
    twin: Twin,
    rows: pl.DataFrame,
    columns: tuple[str, str],
    span: tuple[float, float],
    palette: Palette,
) -> None:
    """Both headings, and each name with its value at both ends, moved apart, with a hairline to its true height."""
    full = [without_maker(name) for name in rows["model"]]
    names = list(zip(told_apart(full, NAME), told_apart(full, NARROW_NAME), strict=True))
    headings = (side_name(twin["original"]), other_named(twin))
    on_phone = told_apart(headings, NARROW_HEADING)
    for x, anchor, shift in ((0, "right", 20), (1, "left", -20)):
        for text, opacity in ((headings[x], ONLY_WIDE), (on_phone[x], ONLY_NARROW)):
            above = {"yref": "paper", "xanchor": anchor, "xshift": shift, "yanchor": "bottom", "yshift": 6}
            write(plot, f"<b>{plotly(text)}</b>", (x, 1), palette.ink, opacity=opacity, **above)
        values = rows[columns[x]].to_list()
        of_places = columns[x].startswith("place")
        texts = [ordinal(int(value)) if of_places else f"{value:.0f}" for value in values]
        per_pixel = (span[1] - span[0]) / PLOT_HEIGHT
        wanted = [(value - span[0]) / per_pixel for value in values]
        moved = spread(wanted, APART, 6, PLOT_HEIGHT - 6)
        for name, value, text, height, moved_to in zip(names, values, texts, wanted, moved, strict=True):
            _at_end(plot, x, value, (text, *(plotly(line) for line in name)), moved_to - height, palette)


def _at_end(  # noqa: PLR0913, PLR0917
    figure: go.Figure, x: int, value: float, texts: Sequence[str], up: float, palette: Palette
) -> None:
    """Value and name at one end; on a phone the left end has its value alone."""
    written, name, short = texts
    wide = f"{name} {written}" if x == 0 else f"{written} {name}"
    for text, opacity in ((wide, ONLY_WIDE), (written if x == 0 else f"{written} {short}", ONLY_NARROW)):
        side = {"xanchor": "left" if x else "right", "yanchor": "middle", "standoff": 5, "opacity": opacity}
        led(figure, text, (x, value), (18 * (1 if x else -1), -up), palette.ink, palette.line, **side)
