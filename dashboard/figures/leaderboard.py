"""The top of a leaderboard with error bars, and who may as well be first."""

import plotly.graph_objects as go
import polars as pl

from analytics.statistics.errors import BOUNDED_UNITS, Z95, true_error
from dashboard.figures.base import is_bounded, laid_out, numbers, score_text, shown
from dashboard.figures.colours import BLUE, GREY, ORANGE
from dashboard.words.text import count, day, plotly, shorten

TOP = 15
_STANDING = {
    "first": ("may be first: nobody is certainly better", BLUE, "circle"),
    "behind": ("somebody is certainly better", ORANGE, "circle-open"),
    "unknown": ("error unknown: cannot say", GREY, "x-thin-open"),
}


def top(leaders: pl.DataFrame, unit: str | None, listed_items: int | None) -> pl.DataFrame:
    """The first TOP rows of a leaderboard with `error` (standard error or null) and `standing`.

    `standing` is first where rank 1 is among the ranks that the errors leave open, behind where it is not, and
    unknown where the error is.
    """
    return (
        leaders.head(TOP)
        .with_columns(
            bounded=pl.lit(unit in BOUNDED_UNITS), n_items=pl.coalesce("n_items", pl.lit(listed_items, dtype=pl.Int64))
        )
        .with_columns(
            error=true_error(),
            standing=pl.when(pl.col("rank_low").is_null())
            .then(pl.lit("unknown"))
            .when(pl.col("rank_low") == 1)
            .then(pl.lit("first"))
            .otherwise(pl.lit("behind")),
        )
    )


def finding(rows: pl.DataFrame, leaders: pl.DataFrame, unit: str | None) -> str:
    """The sentence: who leads with what, and how many cannot be distinguished from the first."""
    best = rows.row(0, named=True)
    of = f"of {count(leaders.height, 'model')} listed on {day(best['observed_at'])}"
    said = f"{best['model']} leads with {score_text(best['score'], unit)}, first {of}"
    if best["rank_low"] is None:
        return f"{said}; without known errors nobody can say who else may be first"
    others = leaders.filter(pl.col("rank_low") == 1).height - 1
    if others < 1:
        return f"{said}, by more than the errors"
    return f"{said}; {count(others, 'other model')} cannot be distinguished from it at 95%"


def alt_text(rows: pl.DataFrame, leaders: pl.DataFrame) -> str:
    """What the chart shows, in words."""
    return (
        f"The first {rows.height} of {count(leaders.height, 'model')}, best on top: a point for each score, bars of "
        "1.96 standard errors, filled where the model may be first (nobody is certainly better, at 95% with "
        "Bonferroni's correction), open where somebody is, a cross where no error is known."
    )


def figure(rows: pl.DataFrame, unit: str | None, metric: str | None = None) -> go.Figure:
    """Scores with error bars, best on top; standing shown by fill and shape as well as colour."""
    names = [f"{place}. {plotly(model, 26)}" for place, model in rows.select("rank", "model").rows()]
    placed = rows.with_columns(label=pl.Series(names, dtype=pl.String), place=pl.int_range(pl.len()))
    drawn = go.Figure()
    for standing, (name, colour, symbol) in _STANDING.items():
        part = placed.filter(pl.col("standing") == standing)
        if part.is_empty():
            continue
        drawn.add_trace(
            go.Scatter(
                x=numbers(shown(part["score"], unit)),
                y=numbers(part["place"]),
                mode="markers",
                name=name,
                marker={"color": colour, "symbol": symbol, "size": 10, "line": {"width": 2, "color": colour}},
                error_x={"array": numbers(shown(part["error"] * Z95, unit).fill_null(0)), "color": colour, "width": 3},
                text=[plotly(model) for model in part["model"]],
                hovertemplate=f"%{{text}}<br>%{{x:.2f}}{'%' if is_bounded(unit) else ''}<extra></extra>",
            )
        )
    laid_out(drawn, height=130 + 26 * rows.height, showlegend=True)
    drawn.update_yaxes(
        tickmode="array",
        tickvals=list(range(rows.height)),
        ticktext=names,
        range=[rows.height - 0.4, -0.6],
        showgrid=False,
        zeroline=False,
    )
    bars = ", bars: 95%" if rows["error"].count() else ""
    axis = shorten(metric or "score", 22) if is_bounded(unit) else unit or "score, unit unknown"
    drawn.update_xaxes(ticksuffix="%" if is_bounded(unit) else "", nticks=5, title=plotly(f"{axis}{bars}"))
    # Above, as below a board of one row it would lie on the axis: its place counts in heights of the plot.
    drawn.update_layout(legend={"y": 1.0, "yanchor": "bottom"})
    return drawn
