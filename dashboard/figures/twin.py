"""Two measurements of the same thing: every model on both, the line of the same score and the line through all."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.statistics.regression import logit, probit
from benchhealth.analytics.statistics.summaries.ends import extent
from benchhealth.dashboard.figures.base import SVG_LIMIT, is_bounded, numbers
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.labels import LEADER_FROM, Box, Point, placed_labels
from benchhealth.dashboard.figures.language import LABEL, OPENS_MODEL, laid_out, led, on_hover, write
from benchhealth.dashboard.figures.lettering.axes import FEWEST_TICKS
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.answers.parts import amount
from benchhealth.dashboard.words.numbers import fixed, probability, signed
from benchhealth.dashboard.words.text import count, known, listed, plotly, short, shorten, without_maker

Twin = Mapping[str, Any]
"""One row of `twin_pairs.twins`."""

HEIGHT = 340
WIDTH, PLOT_HEIGHT = 340, 290
"""Pixels of the plot in its card, for which labels are placed."""

POINTS_NAMED = 2
LONGEST_NAME = 38
"""Letters; a longer name is not written into the plot, as names are not broken. Hover and the text have it."""

MANY_FLAGGED = 0.05
"""From this share of flagged models on they are the finding, below it the gap is."""

_CURVED = {"probit": probit, "logit": logit}
_SCALE_UNIT = {"probit": "standard normal units", "logit": "units of log odds"}
_FINER = (2, 1, 0.5, 0.2, 0.1)
MOST_ON_CURVE = 8
_TICKS = (0.1, 0.5, 1, 2, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 98, 99, 99.5, 99.9)


def unit(twin: Twin) -> str:
    """The word for the unit of gap and residuals: points where both scales have a range, else units."""
    return "points" if is_bounded(twin["original_unit"]) and is_bounded(twin["other_unit"]) else "units"


def title(twin: Twin) -> str:
    """The finding: how many results stand out where many do, else how far scores fall."""
    original, second = side_name(twin["original"]), other_named(twin)
    if not twin["n_models"] or twin["gap"] is None:
        return f"{original}: no model was measured on {second} too"
    if twin["tested"] and twin["flagged"] >= MANY_FLAGGED * twin["tested"]:
        verb = "is" if twin["flagged"] == 1 else "are"
        return f"{original}: {twin['flagged']:,} of {twin['tested']:,} results {verb} lower on {second} than expected"
    return f"{original}: scores are {mean_gap_text(twin)} on {second}{_certainty(twin)}"


def expectation(twin: Twin) -> str:
    """What scores on the second are held against: `scores on GSM8K lead to expect`."""
    return f"scores on {twin['original']} lead to expect"


def side_name(name: str) -> str:
    """The name of one side of a twin, shortened to 34 characters for a title."""
    return shorten(short(name), 34)


def other_named(twin: Twin) -> str:
    """The second side as titles say it; of the same benchmark measured again, that it was."""
    if twin["original_id"] == twin["other_id"]:
        return "a rerun"
    name = side_name(twin["other"])
    return name if name != side_name(twin["original"]) else shorten(twin["other"], 34)


def mean_gap_text(twin: Twin) -> str:
    """The mean gap in its unit: `3.6 points lower`."""
    gap = float(twin["gap"])
    direction = "lower" if gap > 0 else "higher"
    if twin["scale"] in _SCALE_UNIT:
        return f"{abs(gap):.2f} {_SCALE_UNIT[twin['scale']]} {direction}"
    return f"{amount(abs(gap), unit(twin))} {direction}"


def gap_interval(twin: Twin) -> str:
    """The 95% interval of what `mean_gap_text` says, with a space before it; empty where none is known."""
    low, high = twin["gap_low"], twin["gap_high"]
    if low is None or high is None:
        return ""
    ends = (low, high) if float(twin["gap"]) > 0 else (-high, -low)
    return f" [{fixed(ends[0])}, {fixed(ends[1])}]"


def _certainty(twin: Twin) -> str:
    """What the interval says in a title: nothing where the gap is beyond it."""
    low, high = twin["gap_low"], twin["gap_high"]
    if low is None or high is None:
        return "" if twin["scale"] in _SCALE_UNIT else "; its error is not known"
    return ", within error" if low <= 0 <= high else ""


def order_sentence(twin: Twin) -> str:
    """How far the order of models is the same, overall and at the top."""
    if twin["kendall_tau"] is None:
        return ""
    top = "" if twin["kendall_tau_top"] is None else f", {twin['kendall_tau_top']:.2f} at the top"
    return f"order agrees with tau {twin['kendall_tau']:.2f}{top}"


def subtitle(twin: Twin, *, with_own: bool = False) -> str:
    """How many models there are, until when, and what a mark is."""
    population = (
        ""
        if twin["gap"] is None
        else f"Mean over {count(twin['n_models'], 'result')}: {mean_gap_text(twin)}{gap_interval(twin)}"
    )
    order = order_sentence(twin)
    finding = "; ".join(phrase for phrase in (population, order) if phrase)
    mine = " A diamond is your own." if with_own else ""
    return f"{finding}{known(twin['known_until'])}. A mark is a model; a square is off by more than its error.{mine}"


def chart(twin: Twin, rows: pl.DataFrame, palette: Palette) -> Chart | Nothing:
    """The scatter; `rows` are `twin_pairs.residuals`."""
    if rows.is_empty():
        return Nothing(
            "There is nothing to compare yet.",
            "The pair is declared, but no model has a result on both sides in the sources of this generation.",
        )
    return Chart(
        title=title(twin),
        subtitle=subtitle(twin, with_own=bool(rows["own"].any())),
        figure=figure(twin, rows, palette),
        rows=rows,
        alt=alt_text(twin, rows),
        known_until=twin["known_until"],
    )


def alt_text(twin: Twin, rows: pl.DataFrame) -> str:
    """The alternative text of the scatter: its line, and which models are flagged."""
    flagged = rows.filter("flagged")
    furthest = flagged.sort(pl.col("residual").abs(), descending=True)["model"].head(3).to_list()
    off = f" Squares: {count(flagged.height, 'model')} flagged, {listed(furthest)} furthest." if flagged.height else ""
    line = (
        ""
        if twin["slope"] is None
        else f" The line through all has slope {twin['slope']:.2f} [{twin['slope_low']:.2f}, {twin['slope_high']:.2f}]."
    )
    return (
        f"Points for {count(rows.height, 'result')}: score on {twin['other']} across, on {twin['original']} up, "
        f"{twin['scale']} scale. The dashed line is the same score on both.{line}{off}"
    )


def figure(twin: Twin, rows: pl.DataFrame, palette: Palette) -> go.Figure:
    """The scatter with both lines; flagged models are squares, the two furthest of them named."""
    placed = _with_positions(twin, rows)
    drawn = go.Figure(_lines(twin, placed, palette))
    flagged = pl.col("flagged").fill_null(value=False)
    colour = palette.stages["saturated"].mark
    public_models, own_models = placed.filter(~pl.col("own")), placed.filter("own")
    drawn.add_trace(_points(twin, public_models.filter(~flagged), "circle", palette.paper, palette.ink3))
    if (off := public_models.filter(flagged)).height:
        drawn.add_trace(_points(twin, off, "square", colour, colour))
    if own_models.height:
        drawn.add_trace(_points(twin, own_models, "diamond", palette.accent, palette.accent))
    laid_out(drawn, palette, HEIGHT)
    # Plotly's own title of an axis, so that a phone keeps it; the upper one stands above the axis, to be read level.
    across = {"text": plotly(f"{other_named(twin)}, {_axis_unit(twin)}"), "standoff": 4}
    drawn.update_xaxes(
        title={**across, "font": {"color": palette.ink2, "size": LABEL}}, showgrid=True, **_axis(twin, placed["x"])
    )
    drawn.update_yaxes(**_axis(twin, placed["y"]))
    above = {"xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom", "yshift": 3}
    write(drawn, plotly(f"{side_name(twin['original'])}, {_axis_unit(twin)}"), (0, 1), palette.ink2, **above)
    drawn.update_layout(margin={"t": 26})
    _names(drawn, placed, colour, palette)
    return drawn


def _axis_unit(twin: Twin) -> str:
    return "%" if unit(twin) == "points" else "as published"


def _with_positions(twin: Twin, rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with `x` (second) and `y` (first) on the twin's scale; 0 or 100 have no place on a curved one."""
    scale = twin["scale"]
    if scale not in _CURVED:
        return rows.with_columns(x=pl.col("other"), y=pl.col("original"))
    x, y = (pl.Series(_curved(scale, rows[side].to_numpy() / 100)) for side in ("other", "original"))
    return rows.with_columns(x=x, y=y).filter(pl.col("x").is_finite() & pl.col("y").is_finite())


def _curved(scale: str, shares: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return _CURVED[scale](shares, np.full(shares.size, np.nan))


def _points(twin: Twin, rows: pl.DataFrame, symbol: str, fill: str, outline: str) -> go.Scatter | go.Scattergl:
    kind = go.Scatter if rows.height <= SVG_LIMIT else go.Scattergl
    return kind(
        x=numbers(rows["x"]),
        y=numbers(rows["y"]),
        mode="markers",
        marker={
            "symbol": symbol,
            "size": 9 if symbol == "square" else 7,
            "color": fill,
            "line": {"color": outline, "width": 1.2},
        },
        **on_hover((_hover(twin, row) for row in rows.iter_rows(named=True)), OPENS_MODEL, rows["model_id"]),
    )


def _hover(twin: Twin, row: Mapping[str, Any]) -> str:
    text = (
        f"<b>{plotly(row['model'])}</b><br>{row['original']:.1f} on {plotly(side_name(twin['original']))}, "
        f"{row['other']:.1f} on {plotly(other_named(twin))}"
    )
    if row["own"]:
        text += "<br>your own"
    if row["residual"] is not None:
        side = "below" if row["residual"] < 0 else "above"
        text += f"<br>{abs(row['residual']):.1f} {side} what is expected on the second"
    return text if row["q_value"] is None else f"{text}<br>corrected p {probability(row['q_value'])}"


def _lines(twin: Twin, placed: pl.DataFrame, palette: Palette) -> list[go.Scatter]:
    if placed.is_empty():
        return []
    (left, right), (bottom, top) = extent(placed["x"]), extent(placed["y"])
    ends = np.array([max(left, bottom), min(right, top)], dtype=np.float32)
    lines = [_line(ends, ends, palette.ink3, "dash")] if ends[0] < ends[1] else []
    if twin["slope"] is not None:
        lines.append(_line(*_fitted_line(twin, placed), palette.ink3, "solid"))
    return lines


def _fitted_line(twin: Twin, placed: pl.DataFrame) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """The fit of the second by the first over the models' range, cut where it leaves the scores that models have:
    points that bend away from a line shall not be squeezed by it."""
    first, second = placed["y"].to_numpy(), placed["x"].to_numpy()
    margin = 0.05 * float(np.ptp(second))
    up = np.linspace(first.min(), first.max(), 200)
    across = twin["intercept"] + twin["slope"] * up
    inside = (across >= second.min() - margin) & (across <= second.max() + margin)
    return across[inside].astype(np.float32), up[inside].astype(np.float32)


def _line(x: npt.NDArray[np.float32], y: npt.NDArray[np.float32], colour: str, dash: str) -> go.Scatter:
    return go.Scatter(x=x, y=y, mode="lines", line={"color": colour, "dash": dash, "width": 1}, hoverinfo="skip")


def _names(drawn: go.Figure, placed: pl.DataFrame, colour: str, palette: Palette) -> None:
    """Names at the flagged models furthest off, where there is room."""
    if placed.is_empty():
        return
    furthest = placed.filter(pl.col("flagged").fill_null(value=False)).sort(pl.col("residual").abs(), descending=True)
    wanted = set(furthest["model_id"].head(POINTS_NAMED))
    extents = [extent(placed[side]) for side in ("x", "y")]
    low, wide = [least for least, _ in extents], [most - least or 1.0 for least, most in extents]
    marks = [
        Point((x - low[0]) / wide[0] * WIDTH, (y - low[1]) / wide[1] * PLOT_HEIGHT, 5.0, _label(row, wanted))
        for x, y, row in zip(placed["x"], placed["y"], placed.iter_rows(named=True), strict=True)
    ]
    area = Box(-10, -10, WIDTH, PLOT_HEIGHT + 10)
    for label in placed_labels(marks, area, LABEL):
        mark = marks[label.index]
        place = low[0] + mark.x / WIDTH * wide[0], low[1] + mark.y / PLOT_HEIGHT * wide[1]
        line = palette.ink3 if label.leader or abs(label.y - mark.y) > LEADER_FROM else None
        led(drawn, plotly(mark.text), place, (label.x - mark.x, -(label.y - mark.y)), colour, line)


def _label(row: Mapping[str, Any], wanted: set[str]) -> str:
    if row["model_id"] not in wanted or not row["flagged"]:
        return ""
    name = without_maker(row["model"])
    off = signed(row["residual"], 0)
    return f"{name} {off}" if len(name) <= LONGEST_NAME else ""


def _axis(twin: Twin, values: pl.Series) -> dict[str, object]:
    if twin["scale"] not in _CURVED or values.is_empty():
        return {"nticks": 6}
    low, high = extent(values)
    ticks, positions = next(
        (ticks, positions)
        for ticks in (np.array(_TICKS), *(np.arange(step, 100, step) for step in _FINER))
        for positions in [_curved(twin["scale"], ticks / 100)]
        if ((low <= positions) & (positions <= high)).sum() >= FEWEST_TICKS or ticks.size > 100 / _FINER[-2]
    )
    inside = np.flatnonzero((low - 0.3 <= positions) & (positions <= high + 0.3))
    indices = inside[:: -(-inside.size // MOST_ON_CURVE)]
    return {"tickvals": positions[indices], "ticktext": [f"{tick:.4g}" for tick in ticks[indices]]}
