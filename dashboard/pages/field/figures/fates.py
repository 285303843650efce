"""What became of benchmarks by age: saturated, abandoned or in use, and what the naive curve would say."""

from collections.abc import Sequence
from datetime import date

import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.aging.lives import OVERALL
from benchhealth.analytics.answers.counts import Saturated
from benchhealth.dashboard.figures.base import numbers
from benchhealth.dashboard.figures.chart import Chart, Nothing, SourceLine
from benchhealth.dashboard.figures.language import laid_out, line_labels
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.answers.counts import while_watched
from benchhealth.dashboard.words.known import known_at_latest
from benchhealth.dashboard.words.text import count

HEIGHT = 420
MARK = 60
"""Months at which the shares are told; the last month of the watch where it is shorter."""

BAND_OPACITY = 0.14


def row_at_mark(rows: pl.DataFrame) -> dict[str, object]:
    """The last row of the curve up to the age of MARK months."""
    curve = rows.sort("months")
    by_then = curve.filter(pl.col("months") <= MARK)
    return (by_then if by_then.height else curve.head(1)).row(-1, named=True)


def chart(
    rows: pl.DataFrame, counted: Saturated, until: date | None, sources: Sequence[SourceLine], palette: Palette
) -> Chart | Nothing:
    """The shares of all benchmarks that have met either of two competing ends by age, from the table `survival`."""
    curve = rows.filter(pl.col("cohort") == OVERALL).sort("months")
    if curve.is_empty():
        return Nothing(
            "What became of benchmarks cannot be drawn yet.",
            "It takes five benchmarks with a day of release, a chance level and dated results.",
        )
    mark = row_at_mark(curve)
    age = min(MARK, int(float(curve["months"][-1])))
    saturated = while_watched(int(curve["events"].sum()), counted)
    ended = f"{saturated} and {curve['abandonments'].sum():,} abandoned"
    over = f"{count(int(curve['n'][0]), 'benchmark')} that could be watched, {ended}"
    naive = 1 - float(mark["share"])  # type: ignore[arg-type]
    figure = go.Figure()
    ends = []
    for name, label, colour, dash in (
        ("saturated", "saturated", palette.accent, "solid"),
        ("abandoned", "abandoned", palette.ink3, "dash"),
    ):
        _band(figure, curve, name, colour, palette)
        _line(figure, curve, pl.col(name), label, colour, dash)
        ends.append((float(curve["months"][-1]), float(curve[name][-1]), label, colour))
    _line(figure, curve, 1 - pl.col("share"), "saturated, were none abandoned", palette.ink3, "dot")
    ends.append((float(curve["months"][-1]), 1 - float(curve["share"][-1]), "were none abandoned", palette.ink3))
    laid_out(figure, palette, HEIGHT)
    longest = float(curve["months"][-1])
    figure.update_yaxes(range=[0, 1.02], tickformat=".0%", nticks=5)
    figure.update_xaxes(
        range=[0, longest * 1.02], dtick=12 if longest <= 60 else 24 if longest <= 120 else 48, ticksuffix=" mo"
    )
    figure.update_layout(margin={"r": 20 + 7 * max(len(name) for _, _, name, _ in ends)})
    line_labels(figure, ends, (0, 1.02), HEIGHT - 34, palette)
    return Chart(
        title=f"{_interval(mark, 'saturated')} are saturated {age} months after release, "
        f"{_interval(mark, 'abandoned')} abandoned, estimated from {curve['n'][0]} watched benchmarks",
        subtitle=(
            f"Cumulative incidence by age over {over}; at {age} months saturated {_interval(mark, 'saturated')}, "
            f"abandoned {_interval(mark, 'abandoned')}: no result for a year. Dotted: had none of the "
            f"{count(int(curve['n'][0]), 'benchmark')} been abandoned, {naive:.0%} would be saturated"
            f"{known_at_latest(until)}."
        ),
        figure=figure,
        rows=curve,
        alt=f"Rising steps with 95% bands: shares saturated and abandoned by months since release, {over}.",
        sources=sources,
        known_until=until,
        method="aalen_johansen",
    )


def _share(row: dict[str, object], name: str) -> str:
    return f"{float(row[name]):.0%}"  # type: ignore[arg-type]


def _interval(row: dict[str, object], name: str) -> str:
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    if low is None or high is None:
        return _share(row, name)
    return f"{_share(row, name)} (95%: {float(str(low)):.0%} to {float(str(high)):.0%})"


def _line(figure: go.Figure, curve: pl.DataFrame, value: pl.Expr, name: str, colour: str, dash: str) -> None:  # noqa: PLR0913, PLR0917
    figure.add_scatter(
        x=numbers(curve["months"]),
        y=numbers(curve.select(value.alias("value"))["value"]),
        name=name,
        mode="lines",
        line={"color": colour, "dash": dash, "width": 2, "shape": "hv"},
        customdata=curve.select("at_risk").rows(),
        hovertemplate=f"<b>{name}</b><br>%{{x:.0f}} months: %{{y:.0%}}<br>%{{customdata[0]}} watched<extra></extra>",
    )


def _band(figure: go.Figure, curve: pl.DataFrame, name: str, colour: str, palette: Palette) -> None:
    bounded = curve.drop_nulls(f"{name}_low")
    look = {"mode": "lines", "hoverinfo": "skip", "line": {"width": 0, "shape": "hv", "color": colour}}
    months, fill = numbers(bounded["months"]), palette.faint(colour, BAND_OPACITY)
    figure.add_scatter(x=months, y=numbers(bounded[f"{name}_high"]), **look)
    figure.add_scatter(x=months, y=numbers(bounded[f"{name}_low"]), fill="tonexty", fillcolor=fill, **look)
