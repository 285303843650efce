"""The gap of one twin broken down: by group of models, by the year of models, and by effective robustness."""

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go
import polars as pl

from analytics.twins.groups import FEWEST_RELEASED, FEWEST_YEARS
from dashboard.figures.base import laid_out, numbers
from dashboard.figures.colours import BLUE, GREY
from dashboard.pages.twins.figures import intervals
from dashboard.pages.twins.figures.scatter import unit
from dashboard.words.known import known
from dashboard.words.text import count, plotly

Twin = Mapping[str, Any]
GROUP_LIMIT = 30
EXTREMES = 12
_KIND = {"organisation": "organisation", "weights": "kind of weights", "family": "family"}


def largest(rows: pl.DataFrame) -> pl.DataFrame:
    """The groups to draw, by their shrunk means: those of most models, and the one that the title names."""
    named = furthest(rows)
    title = pl.lit(value=False) if named is None else pl.col("group") == named["group"]
    first = rows.with_columns(title=title).sort("title", "n_models", "group", descending=[True, True, False])
    return first.head(GROUP_LIMIT).drop("title").sort("shrunk", "group")


def furthest(rows: pl.DataFrame) -> Twin | None:
    """The group certainly off what is expected by most: the lowest, or the highest where none is below; or none."""
    below, above = rows.filter(pl.col("high") < 0).sort("shrunk"), rows.filter(pl.col("low") > 0).sort("shrunk")
    if below.height:
        return below.row(0, named=True)
    return above.row(-1, named=True) if above.height else None


def group_finding(twin: Twin, rows: pl.DataFrame, by: str) -> str:
    """The sentence: which groups are off what the twin leads to expect, once few models are not trusted too far."""
    sure = rows.filter((pl.col("high") < 0) | (pl.col("low") > 0))
    if rows["low"].count() == 0:
        return f"Too few models of a group to tell one {_KIND[by]} from another"
    named = furthest(rows)
    of = f"{count(rows.height, 'group')} of {count(int(rows['n_models'].sum()), 'result')}"
    if named is None:
        none = f"By {_KIND[by]}, of {of} none stands out: every interval holds what is expected"
        return none + known(twin["known_until"])
    end = "lowest" if named["high"] < 0 else "highest"
    return (
        f"By {_KIND[by]}: {sure.height:,} of {of} off what is expected, "
        f"{named['group']} {end} by {named['shrunk']:+.1f} {unit(twin)}{known(twin['known_until'])}"
    )


def group_alt(twin: Twin, rows: pl.DataFrame, by: str) -> str:
    """What the chart of groups shows, in words."""
    drawn = largest(rows)
    which = "all" if drawn.height == rows.height else "those of most models, and the one in the title"
    return (
        f"Mean difference of the models of each {_KIND[by]} between {twin['other']} and what is expected, "
        f"{drawn.height} of {count(rows.height, 'group')} ({which}), lowest first. Filled points are drawn towards the "
        "mean of all groups by as much as the group is uncertain, with 95% intervals; open points are as measured."
    )


def group_figure(twin: Twin, rows: pl.DataFrame) -> go.Figure:
    """A row for each group."""
    drawn = largest(rows)
    said = [
        f"{plotly(row['group'])}, {count(row['n_models'], 'result')}<br>{row['mean_residual']:+.2f} as measured, "
        f"{row['shrunk']:+.2f} shrunk"
        for row in drawn.iter_rows(named=True)
    ]
    named = drawn.rename({"group": "name", "shrunk": "value"})
    return intervals.figure(named, said, axis=f"On the second, less expected, {unit(twin)}", raw="mean_residual")


def age_finding(twin: Twin) -> str:
    """The sentence: whether the gap grows with the models' release, where enough of them have one."""
    drift, low, high = (twin[f"per_year{end}"] for end in ("", "_low", "_high"))
    if drift is None:
        return (
            f"Whether the gap is another for later models is not known: of {count(twin['n_models'], 'result')} "
            f"{twin['n_released']:,} are of models with a known day of release, and it takes {FEWEST_RELEASED} over "
            f"{FEWEST_YEARS} years; the points are by release or first listing{known(twin['known_until'])}"
        )
    of = f"over {count(twin['n_released'], 'result')} of models released in {twin['first_year']} to {twin['last_year']}"
    interval = f"{drift:+.1f} [{low:+.1f}, {high:+.1f}] {unit(twin)} a year, {of}{known(twin['known_until'])}"
    if low > 0:
        return f"The gap is larger for models released later: {interval}"
    if high < 0:
        return f"The gap is smaller for models released later: {interval}"
    return f"The gap is not found to be another for models released later: {interval}"


def age_alt(twin: Twin, rows: pl.DataFrame, clock: str) -> str:
    """What the chart over time shows, in words."""
    first, last = rows.row(0, named=True), rows.row(-1, named=True)
    when = "years after the release of the original" if clock == "age" else "the year of the models"
    return (
        f"Mean gap between {twin['original']} and {twin['other']} by {when}, with 95% intervals: {first['gap']:.1f} at "
        f"{first['at']} ({count(first['n_models'], 'result')}), {last['gap']:.1f} at {last['at']} "
        f"({count(last['n_models'], 'result')}). A model's year is that of its release, or else of its first listing; "
        "models without either are left out."
    )


def age_figure(twin: Twin, rows: pl.DataFrame, clock: str) -> go.Figure:
    """Points with intervals, joined."""
    above, below = rows["high"] - rows["gap"], rows["gap"] - rows["low"]
    drawn = go.Figure(
        go.Scatter(
            x=numbers(rows["at"]),
            y=numbers(rows["gap"]),
            mode="lines+markers",
            line={"color": BLUE, "width": 1.5},
            marker={"color": BLUE, "size": 8},
            error_y={
                "type": "data",
                "symmetric": False,
                "array": numbers(above),
                "arrayminus": numbers(below),
                "thickness": 1.2,
                "width": 0,
            },
            customdata=rows["n_models"].to_list(),
            hovertemplate="%{x}: %{y:.2f}, %{customdata} results<extra></extra>",
            showlegend=False,
        )
    )
    drawn.add_hline(y=0, line={"color": GREY, "dash": "dash", "width": 1.5})
    laid_out(drawn, height=340)
    title = "Full years after the release of the original" if clock == "age" else "Year of the models"
    drawn.update_xaxes(title=title, tickformat="d", dtick=1 if rows.height < 12 else None, zeroline=False)
    drawn.update_yaxes(title=f"Mean gap, {unit(twin)}", zeroline=False)
    return drawn


def ends(rows: pl.DataFrame) -> pl.DataFrame:
    """The most and the least robust of the rows, which come highest first."""
    return rows if rows.height <= 2 * EXTREMES else pl.concat([rows.head(EXTREMES), rows.tail(EXTREMES)])


def robustness_finding(twin: Twin, rows: pl.DataFrame) -> str:
    """The sentence: who keeps most on the second of what its score on the first leads to expect."""
    best, worst = rows.row(0, named=True), rows.row(-1, named=True)
    return (
        f"Effective robustness of {count(rows.height, 'result')} on {twin['other']} reaches from "
        f"{worst['robustness']:+.1f} points ({worst['model']}) to {best['robustness']:+.1f} ({best['model']})"
        f"{known(twin['known_until'])}"
    )


def robustness_alt(rows: pl.DataFrame) -> str:
    """What the chart of robustness shows, in words."""
    drawn = ends(rows)
    which = "all" if drawn.height == rows.height else "the most and the least robust"
    return (
        "Points a model scores above or below the probit line through all models (Taori et al. 2020), "
        f"{drawn.height} of {count(rows.height, 'result')} ({which}), most robust first."
    )


def robustness_figure(rows: pl.DataFrame) -> go.Figure:
    """A row for each model of the two ends."""
    drawn = ends(rows)
    said = [
        f"{plotly(row['model'])}<br>{row['original']:.2f} and {row['other']:.2f}, expected {row['expected']:.2f}"
        for row in drawn.iter_rows(named=True)
    ]
    named = drawn.select(name="model", value="robustness", low="robustness", high="robustness")
    figure = intervals.figure(named, said, axis="Effective robustness, points")
    return figure.update_layout(showlegend=False)
