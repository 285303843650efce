"""What all figures share: how much is drawn, how it is laid out, and how a score is written."""

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
import polars as pl
from tsdownsample import MinMaxLTTBDownsampler

from analytics.statistics.errors import BOUNDED_UNITS

LINE_LIMIT = 2_000
SVG_LIMIT = 2_000
POINT_LIMIT = 20_000
BINS = (120, 60)

Numbers = npt.NDArray[np.float32]
Days = npt.NDArray[np.datetime64]


def numbers(values: pl.Series) -> Numbers:
    """The values as 32-bit floats, null as NaN: half the bytes on the way to the browser, and never a list."""
    return values.cast(pl.Float32).to_numpy().astype(np.float32, copy=False)


def days(values: pl.Series) -> Days:
    """The values as days.

    Raises ValueError where one is unknown: on the way to the browser it would become the first of January 1970.
    """
    if values.null_count():
        raise ValueError(f"{values.null_count():,} of {values.len():,} days are unknown")
    return values.cast(pl.Date).to_numpy().astype("datetime64[D]")


def thinned(x: Days, y: Numbers, limit: int = LINE_LIMIT) -> tuple[Days, Numbers]:
    """At most `limit` of the points of a line, chosen so that peaks stay (MinMaxLTTB, Van Der Donckt et al. 2023)."""
    if len(x) <= limit:
        return x, y
    sampler = MinMaxLTTBDownsampler()  # type: ignore[no-untyped-call]
    chosen = sampler.downsample(x.astype(np.int64), y, n_out=limit)
    return x[chosen], y[chosen]


def points(x: Days, y: Numbers, **look: object) -> go.Scatter | go.Scattergl | go.Heatmap:
    """Points as they suit their number: SVG for few, WebGL for thousands, counted in bins above POINT_LIMIT.

    Bins need no hover text of their own; `look` is dropped for them except for the trace's name.
    """
    if len(x) > POINT_LIMIT:
        return _binned(x, y, str(look.get("name", "")))
    kind = go.Scatter if len(x) <= SVG_LIMIT else go.Scattergl
    return kind(x=x, y=y, mode="markers", **look)


def _binned(x: Days, y: Numbers, name: str) -> go.Heatmap:
    finite = ~np.isnan(y)
    counts, x_edges, y_edges = np.histogram2d(x[finite].astype(np.int64), y[finite], bins=BINS)
    shown = np.where(counts.T > 0, counts.T, np.nan).astype(np.float32)
    middle = ((y_edges[:-1] + y_edges[1:]) / 2).astype(np.float32)
    return go.Heatmap(
        x=((x_edges[:-1] + x_edges[1:]) / 2).astype("datetime64[D]"),
        y=middle,
        z=shown,
        name=name,
        colorscale="Blues",
        showscale=False,
        hovertemplate="%{z} results near %{y:.1f}, %{x}<extra></extra>",
    )


def laid_out(figure: go.Figure, height: int, **more: object) -> go.Figure:
    """The layout that all figures share: no title (the block has it), no drag, legend below, room for labels."""
    figure.update_layout(
        height=height,
        dragmode=False,
        hovermode="closest",
        margin={"l": 8, "r": 8, "t": 24, "b": 8},
        legend={"orientation": "h", "yanchor": "top", "y": -0.16, "x": 0, "title": None},
        uirevision="kept",
        **more,
    )
    figure.update_xaxes(automargin=True, fixedrange=True)
    figure.update_yaxes(automargin=True, fixedrange=True)
    return figure


def level(  # noqa: PLR0913
    figure: go.Figure, at: float, label: str, colour: str, dash: str, *, above: bool = True
) -> None:
    """A horizontal line over the whole width with its label on it."""
    figure.add_hline(y=at, line={"color": colour, "dash": dash, "width": 1.5})
    figure.add_annotation(
        x=0,
        xref="paper",
        xanchor="left",
        y=at,
        yanchor="bottom" if above else "top",
        text=label,
        showarrow=False,
        font={"size": 12},
    )


def is_bounded(unit: str | None) -> bool:
    """Whether scores in this unit are fractions of a range, to be shown in percent."""
    return unit in BOUNDED_UNITS


def shown(scores: pl.Series, unit: str | None) -> pl.Series:
    """Scores as they are drawn: percent where the unit is bounded, as they are otherwise."""
    return scores * 100 if is_bounded(unit) else scores


def score_text(score: float | None, unit: str | None, digits: int = 1) -> str:
    """A score as it is written: `88.4%`, `1,251`, `unknown`."""
    if score is None or np.isnan(score):
        return "unknown"
    if is_bounded(unit):
        return f"{score * 100:.{digits}f}%"
    if abs(score) >= 100:
        return f"{score:,.0f}"
    return f"{score:,.{digits}f}"
