"""Two measurements of the same thing: every model on both, the line of no change and the line through all."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
import polars as pl

from analytics.statistics.regression import logit, probit
from dashboard.figures.base import SVG_LIMIT, is_bounded, laid_out, numbers
from dashboard.figures.colours import BLUE, GREY, ORANGE, VERMILLION
from dashboard.words.known import known
from dashboard.words.probability import p_value
from dashboard.words.text import count, listed, plotly

Twin = Mapping[str, Any]
"""One row of `pairs.twins`."""

ERROR_BAR_LIMIT = 150
"""With more models the error bars cover one another; the numbers beside the chart hold them all."""
LABELLED = 6
Z95 = 1.96
_CURVED = {"probit": probit, "logit": logit}
_SCALE_UNIT = {"probit": "standard normal units", "logit": "units of log odds"}
_TICKS = (0.1, 0.5, 1, 2, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 98, 99, 99.5, 99.9)


def unit(twin: Twin) -> str:
    """What gap and residuals are counted in."""
    return "points" if is_bounded(twin["original_unit"]) and is_bounded(twin["other_unit"]) else "units"


def finding(twin: Twin) -> str:
    """The sentence: how far scores fall, whether order holds, and how many models are off what is expected."""
    if not twin["n_models"] or twin["gap"] is None:
        return f"No model was measured on both {twin['original']} and {twin['other']}{known(twin['known_until'])}"
    said = f"{twin['original']} to {twin['other']}: {_gap(twin)}"
    if twin["kendall_tau"] is not None:
        said += f"; order holds with tau {twin['kendall_tau']:.2f}"
        said += "" if twin["kendall_tau_top"] is None else f", {twin['kendall_tau_top']:.2f} at the top"
    return f"{said}{known(twin['known_until'])}"


def _gap(twin: Twin) -> str:
    gap = twin["gap"]
    direction = "lower" if gap > 0 else "higher"
    measured = count(twin["n_models"], "result")
    if twin["scale"] in _SCALE_UNIT:
        return f"{measured} are on average {abs(gap):.2f} {_SCALE_UNIT[twin['scale']]} {direction} on the second"
    return f"{measured} are on average {abs(gap):.1f} {unit(twin)} {direction} on the second"


def alt_text(twin: Twin, rows: pl.DataFrame) -> str:
    """What the chart shows, in words."""
    flagged = rows.filter("flagged")
    named = listed(flagged["model"].head(LABELLED).to_list())
    more = "" if flagged.height <= LABELLED else f" and {flagged.height - LABELLED} more"
    off = f" Diamonds: {count(flagged.height, 'model')} flagged, {named}{more}." if flagged.height else ""
    line = (
        ""
        if twin["slope"] is None
        else f" The line through all has slope {twin['slope']:.3f} [{twin['slope_low']:.3f}, {twin['slope_high']:.3f}]"
        f" and intercept {twin['intercept']:.2f}" + ("." if twin["r2"] is None else f", R squared {twin['r2']:.3f}.")
    )
    bars = " Vertical bars: 95% error of the difference to what is expected." if _has_bars(twin, rows) else ""
    return (
        f"Points for {count(rows.height, 'result')}: score on {twin['original']} across, on {twin['other']} up, "
        f"{twin['scale']} scale. The dashed line is no change.{line}{bars}{off}"
    )


def figure(twin: Twin, rows: pl.DataFrame) -> go.Figure:
    """The scatter with both lines; flagged models are diamonds, the furthest of them named."""
    placed = _placed(twin, rows)
    drawn = go.Figure(_lines(twin, placed))
    flagged = pl.col("flagged").fill_null(value=False)
    for part, name, symbol, colour, size in (
        (placed.filter(~flagged), "as expected or not tested", "circle", BLUE, 7),
        (placed.filter(flagged), "flagged", "diamond", VERMILLION, 10),
    ):
        if part.height:
            drawn.add_trace(_points(twin, part, name, (symbol, colour, size), bars=_has_bars(twin, rows)))
    _name(drawn, placed.filter(flagged))
    laid_out(drawn, height=520)
    drawn.update_xaxes(title=f"{plotly(twin['original'])} ({_axis_unit(twin)})", **_axis(twin, placed["x"]))
    drawn.update_yaxes(title=f"{plotly(twin['other'])} ({_axis_unit(twin)})", **_axis(twin, placed["y"]))
    return drawn


def _axis_unit(twin: Twin) -> str:
    return "%" if unit(twin) == "points" else "as published"


def _has_bars(twin: Twin, rows: pl.DataFrame) -> bool:
    return twin["scale"] == "linear" and rows.height <= ERROR_BAR_LIMIT and rows["std_error"].count() > 0


def _placed(twin: Twin, rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with `x` and `y` on the twin's scale; scores of 0 or 100 have no place on a curved one."""
    scale = twin["scale"]
    if scale not in _CURVED:
        return rows.with_columns(x=pl.col("original"), y=pl.col("other"))
    x, y = (pl.Series(_curved(scale, rows[side].to_numpy() / 100)) for side in ("original", "other"))
    return rows.with_columns(x=x, y=y).filter(pl.col("x").is_finite() & pl.col("y").is_finite())


def _curved(scale: str, shares: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return _CURVED[scale](shares, np.full(shares.size, np.nan))


def _points(
    twin: Twin, part: pl.DataFrame, name: str, look: tuple[str, str, int], *, bars: bool
) -> go.Scatter | go.Scattergl:
    symbol, colour, size = look
    kind = go.Scatter if part.height <= SVG_LIMIT else go.Scattergl
    errors = {"type": "data", "array": numbers(part["std_error"] * Z95), "thickness": 1, "width": 0, "color": colour}
    return kind(
        x=numbers(part["x"]),
        y=numbers(part["y"]),
        name=name,
        mode="markers",
        marker={"symbol": symbol, "size": size, "color": colour, "opacity": 0.75},
        error_y={**errors, "visible": bars},
        customdata=[_said(twin, row) for row in part.iter_rows(named=True)],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _said(twin: Twin, row: Mapping[str, Any]) -> str:
    text = f"{plotly(row['model'])}<br>{row['original']:.2f} and {row['other']:.2f}"
    if row["residual"] is not None:
        text += f"<br>{row['residual']:+.2f} to what is expected"
    return text if row["q_value"] is None else f"{text}, {p_value('q', row['q_value'])}"


def _lines(twin: Twin, placed: pl.DataFrame) -> list[go.Scatter]:
    if placed.is_empty():
        return []
    both = pl.concat([placed["x"], placed["y"]])
    ends = np.array([both.min(), both.max()], dtype=np.float32)
    lines = [_line(ends, ends, "no change", GREY, "dash")]
    if twin["slope"] is not None:
        lines.append(_line(*_fitted(twin, placed), f"fit, slope {twin['slope']:.2f}", ORANGE, "solid"))
    return lines


def _fitted(twin: Twin, placed: pl.DataFrame) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """The fit over the models' range, cut where it leaves the heights at which models stand: points that bend away
    from a line shall not be squeezed by it."""
    x, y = placed["x"].to_numpy(), placed["y"].to_numpy()
    margin = 0.05 * float(np.ptp(y))
    across = np.linspace(x.min(), x.max(), 200)
    up = twin["intercept"] + twin["slope"] * across
    inside = (up >= y.min() - margin) & (up <= y.max() + margin)
    return across[inside].astype(np.float32), up[inside].astype(np.float32)


def _line(x: npt.NDArray[np.float32], y: npt.NDArray[np.float32], name: str, colour: str, dash: str) -> go.Scatter:
    return go.Scatter(x=x, y=y, name=name, mode="lines", line={"color": colour, "dash": dash}, hoverinfo="skip")


def _name(drawn: go.Figure, flagged: pl.DataFrame) -> None:
    """Names at the flagged models furthest off, each on the side with room."""
    for row in flagged.sort(pl.col("residual").abs(), descending=True).head(LABELLED).iter_rows(named=True):
        drawn.add_annotation(
            x=row["x"],
            y=row["y"],
            text=plotly(row["model"], 22),
            showarrow=True,
            arrowhead=0,
            arrowwidth=1,
            arrowcolor=GREY,
            ax=24,
            ay=22,
            xanchor="left",
            font={"size": 11},
        )


def _axis(twin: Twin, values: pl.Series) -> dict[str, object]:
    if twin["scale"] not in _CURVED or values.is_empty():
        return {}
    at = _curved(twin["scale"], np.array(_TICKS) / 100)
    low, high = values.min(), values.max()
    inside = [place for place, tick in enumerate(at) if low - 0.3 <= tick <= high + 0.3]  # type: ignore[operator]
    kept = inside if len(inside) <= 12 else inside[::2]
    return {"tickvals": at[kept], "ticktext": [f"{_TICKS[place]:g}" for place in kept]}
