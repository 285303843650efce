"""What became of benchmarks by age: saturated, abandoned or in use, and what the naive curve would say."""

from datetime import date

import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.aging.lives import OVERALL
from benchhealth.analytics.answers.counts import Saturated
from benchhealth.dashboard.figures.base import numbers
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.language import Drawing, line_labels
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.field.figures.survival import band, shares_laid_out
from benchhealth.dashboard.words.answers.counts import while_watched
from benchhealth.dashboard.words.known import known_at_latest
from benchhealth.dashboard.words.text import count

HEIGHT = 420
MARK = 60
"""Months at which the shares are told; the last month of the watch where it is shorter."""


def row_at_mark(rows: pl.DataFrame) -> dict[str, object]:
    """The last row of the curve up to the age of MARK months."""
    curve = rows.sort("months")
    by_then = curve.filter(pl.col("months") <= MARK)
    return (by_then if by_then.height else curve.head(1)).row(-1, named=True)


def chart(rows: pl.DataFrame, counted: Saturated, until: date | None, palette: Palette) -> Chart | Nothing:
    """The shares of all benchmarks that have met either of two competing ends by age, from the table `survival`."""
    curve = rows.filter(pl.col("cohort") == OVERALL).sort("months")
    if curve.is_empty():
        return Nothing(
            "What became of benchmarks cannot be drawn yet.",
            "It takes five benchmarks with a day of release, a chance level and dated results.",
        )
    mark = row_at_mark(curve)
    age = min(MARK, int(curve["months"][-1]))
    saturated = while_watched(int(curve["events"].sum()), counted)
    ended = f"{saturated} and {curve['abandonments'].sum():,} abandoned"
    over = f"{count(int(curve['n'][0]), 'benchmark')} that could be watched, {ended}"
    naive = 1 - float(mark["share"])  # type: ignore[arg-type]
    figure = Drawing()
    ends = []
    longest = float(curve["months"][-1])
    for name, colour, dash in (("saturated", palette.accent, "solid"), ("abandoned", palette.ink3, "dash")):
        band(figure, curve.drop_nulls(f"{name}_low"), colour, palette, f"{name}_")
        _line(figure, curve, pl.col(name), name, colour, dash)
        ends.append((longest, float(curve[name][-1]), name, colour))
    _line(figure, curve, 1 - pl.col("share"), "saturated, were none abandoned", palette.ink3, "dot")
    ends.append((longest, 1 - float(curve["share"][-1]), "were none abandoned", palette.ink3))
    shares_laid_out(figure, longest, HEIGHT, palette)
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
        known_until=until,
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
