"""Survival curves of cohorts of benchmarks: steps with their bands, and what they say in a sentence."""

from datetime import date

import plotly.graph_objects as go
import polars as pl

from analytics.aging.lives import OVERALL
from analytics.aging.survival import NAIVE
from analytics.statistics.kaplan_meier import HalfLife, half_life
from dashboard.figures.base import laid_out, level, numbers
from dashboard.figures.colours import CATEGORICAL, GREY
from dashboard.words.known import known_at_latest
from dashboard.words.text import count, listed, plotly

MOST = 6
"""So many curves can still be distinguished; the table has them all."""

BAND_OPACITY = 0.12


def drawn_cohorts(rows: pl.DataFrame) -> list[str]:
    """The cohorts that are drawn: those with the most deaths, in the order of their names, the naive count last."""
    deaths = rows.group_by("cohort").agg(pl.col("events").sum()).sort("events", "cohort", descending=[True, False])
    return sorted(deaths["cohort"].head(MOST).to_list(), key=lambda name: (name == NAIVE, name))


def finding(rows: pl.DataFrame, on_record: int, until: date | None) -> str:
    """The sentence: how many of the benchmarks that could be watched saturated, and by what age half are estimated to.

    `on_record` is how many benchmarks there are, watched or not; `until` the last day that any of them is known of.
    """
    halves = {name: half_life(rows.filter(pl.col("cohort") == name)) for name in drawn_cohorts(rows)}
    if OVERALL in halves:
        watched = rows.filter(pl.col("cohort") == OVERALL)
        return (
            f"{watched['events'].sum():,} of {count(int(watched['n'][0]), 'benchmark')} that could be watched (of "
            f"{on_record:,} on record) are saturated; by the estimate half of such benchmarks are "
            f"{_by(halves[OVERALL])}{known_at_latest(until)}"
        )
    reached = {name: half for name, half in halves.items() if half.months is not None}
    if not reached:
        return f"Half of no cohort is saturated yet{known_at_latest(until)}"
    first = min(reached, key=lambda name: reached[name].months or 0.0)
    half = f"Half of {_of(rows, first)} is estimated to be saturated {_by(reached[first])}"
    if len(reached) == 1:
        return f"{half}; of no other cohort is half{known_at_latest(until)}"
    last = max(reached, key=lambda name: reached[name].months or 0.0)
    return f"{half}, of {_of(rows, last)} {_by(reached[last])}{known_at_latest(until)}"


def _of(rows: pl.DataFrame, cohort: str) -> str:
    watched = int(rows.filter(pl.col("cohort") == cohort)["n"][0])
    return f"the cohort “{_short(cohort)}” ({count(watched, 'benchmark')} watched)"


def contrast(rows: pl.DataFrame, until: date | None) -> str | None:
    """What counting the dead alone would say, and the estimate; None where either is unknown."""
    dead, every = (rows.filter(pl.col("cohort") == name) for name in (NAIVE, OVERALL))
    naive, right = half_life(dead), half_life(every)
    if naive.months is None or right.months is None:
        return None
    return (
        f"Counting only the {count(int(dead['n'][0]), 'benchmark')} that saturated gives a median life of "
        f"{naive.months:.0f} months. With those that live on, {count(int(every['n'][0]), 'benchmark')} in all, "
        f"and each counted from when it was watched, it is {right.months:.0f} {_interval(right)}"
        f"{known_at_latest(until)}."
    )


def alt_text(rows: pl.DataFrame) -> str:
    """What the curves show, in words."""
    names = drawn_cohorts(rows)
    every = rows["cohort"].n_unique()
    left = f" {count(every - len(names), 'cohort')} with fewer deaths only in the table." if every > len(names) else ""
    lowest = dict(rows.group_by("cohort").agg(pl.col("share").min()).iter_rows())
    ends = [f"{_short(name)} falls to {lowest[name] * 100:.0f}%" for name in names]
    return (
        "Falling steps of the share of benchmarks not yet saturated by months since release, with 95% bands: "
        f"{listed(ends)}.{left}"
    )


def figure(rows: pl.DataFrame) -> go.Figure:
    """Steps and bands of each drawn cohort, in percent; the naive count dashed and without a band."""
    drawn = go.Figure()
    for name, colour in zip(drawn_cohorts(rows), CATEGORICAL, strict=False):
        curve = rows.filter(pl.col("cohort") == name).sort("months")
        if name == NAIVE:
            drawn.add_trace(_line(curve, name, GREY, "dash"))
            continue
        drawn.add_traces(_band(curve, name, colour))
        drawn.add_trace(_line(curve, name, colour, "solid"))
    level(drawn, 50, "half", GREY, "dot")
    drawn = laid_out(drawn, height=420)
    drawn.update_yaxes(title="Not yet saturated, %", range=[0, 102], zeroline=False)
    drawn.update_xaxes(title={"text": "Months since release", "standoff": 4}, rangemode="tozero", zeroline=False)
    drawn.update_layout(legend={"y": -0.22})
    return drawn


def _line(curve: pl.DataFrame, name: str, colour: str, dash: str) -> go.Scatter:
    return go.Scatter(
        x=numbers(curve["months"]),
        y=numbers(curve["share"] * 100),
        name=plotly(_short(name)),
        legendgroup=name,
        mode="lines",
        line={"color": colour, "dash": dash, "width": 2.2, "shape": "hv"},
        customdata=curve.select("at_risk", "events").rows(),
        hovertemplate="%{x:.0f} months: %{y:.0f}% live on<br>%{customdata[0]} watched, %{customdata[1]} saturated"
        f"<extra>{plotly(_short(name))}</extra>",
    )


def _band(curve: pl.DataFrame, name: str, colour: str) -> list[go.Scatter]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    look = {"mode": "lines", "legendgroup": name, "showlegend": False, "hoverinfo": "skip"}
    line = {"width": 0, "shape": "hv", "color": colour}
    months = numbers(curve["months"])
    return [
        go.Scatter(x=months, y=numbers(curve["high"] * 100), line=line, **look),
        go.Scatter(
            x=months,
            y=numbers(curve["low"] * 100),
            line=line,
            fill="tonexty",
            fillcolor=f"rgba({red},{green},{blue},{BAND_OPACITY})",
            **look,
        ),
    ]


def _short(cohort: str) -> str:
    return cohort.split(": ", 1)[-1]


def _by(half: HalfLife) -> str:
    return "at no age yet" if half.months is None else f"{half.months:.0f} months {_interval(half)} after release"


def _interval(half: HalfLife) -> str:
    low = "?" if half.low is None else f"{half.low:.0f}"
    return f"(95%: from {low})" if half.high is None else f"(95%: {low} to {half.high:.0f})"
