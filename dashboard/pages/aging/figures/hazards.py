"""Hazard ratios as a forest: how much each trait multiplies the risk of saturating, with its interval."""

from datetime import date

import plotly.graph_objects as go
import polars as pl

from analytics.aging.hazards import COHORT, YEAR
from dashboard.figures.base import laid_out, numbers
from dashboard.figures.colours import BLUE, GREY, ORANGE
from dashboard.words.known import known_at_latest
from dashboard.words.probability import p_value
from dashboard.words.text import count, plotly

ROW_PIXELS = 40
WIDEST = (0.02, 50.0)
"""The axis ends here at the latest; an interval beyond it is cut, and the table has its ends."""

LINES = (-0.14, 0.14)
"""Where the two estimates of a row lie, in rows above and below its middle."""


def of_year(rows: pl.DataFrame) -> dict[str, object] | None:
    """The row about the release year; None where nothing was compared."""
    found = rows.filter(pl.col("covariate") == YEAR)
    return found.row(0, named=True) if found.height else None


def answer(row: dict[str, object] | None, until: date | None) -> str:
    """Does a younger benchmark die faster? One sentence with its uncertainty and what it rests on."""
    if row is None or row["status"] != "ok":
        why = "nothing was watched" if row is None else str(row["reason"])
        return f"Whether a younger benchmark saturates faster cannot be said: {why}"
    ratio, low, high = (float(row[name] or 0) for name in ("ratio", "low", "high"))  # type: ignore[arg-type]
    over = f"{row['deaths']} of {count(int(str(row['n'])), 'watched benchmark')} saturated"
    estimate = f"{_times(ratio)} ({_span(row)}; {over}){known_at_latest(until)}"
    if low > 1:
        return f"Younger benchmarks saturated sooner: each year later, the risk at any age is {estimate}"
    if row["high"] is not None and high < 1:
        return f"Younger benchmarks saturated later: each year later, the risk at any age is {estimate}"
    return f"Whether a younger benchmark saturates sooner is not settled: each year later, the risk is {estimate}"


def caveat(row: dict[str, object] | None, until: date | None) -> str:
    """What else must be known of that answer: whether the ratio holds at every age. That a test of few deaths rejects
    nothing is no evidence that it does."""
    if row is None or row["proportional_p"] is None:
        return ""
    p = float(str(row["proportional_p"]))
    test = f"test of proportional hazards, {p_value('p', p)}; {row['deaths']} of {row['n']} benchmarks saturated"
    if p >= 0.05:
        return (
            f"Whether one ratio holds at every age is not settled: a test does not reject it ({test}"
            f"{known_at_latest(until)}), and with so few deaths it would miss all but large differences."
        )
    return (
        f"The ratio is not the same at every age ({test}{known_at_latest(until)}): read it as an average over the ages "
        "that were watched."
    )


def by_cohort(rows: pl.DataFrame, until: date | None) -> str:
    """What the cohorts of release years say; the ratio for a year assumes the same step each year."""
    cohorts = rows.filter(pl.col("covariate") == COHORT, pl.col("status") == "ok")
    parts = [
        f"{row['level']}, {row['ratio']:.2f} times ({_span(row)}; {p_value('q', row['q_value'])})"
        for row in cohorts.iter_rows(named=True)
    ]
    reference = rows.filter(pl.col("covariate") == COHORT)["reference"].drop_nulls()
    if not parts:
        return ""
    of = f"{cohorts['deaths'][0]} of {cohorts['n'][0]} benchmarks saturated{known_at_latest(until)}"
    return f"The risk against benchmarks released {reference[0]} ({of}): {'; '.join(parts)}."


def drawn_rows(rows: pl.DataFrame) -> pl.DataFrame:
    """One row for each level: its ratio alone and, suffixed `_adjusted`, adjusted for the release year."""
    key = ["covariate", "level", "reference"]
    alone = rows.filter(pl.col("adjusted_for").is_null(), pl.col("status") == "ok")
    adjusted = rows.filter(pl.col("adjusted_for").is_not_null(), pl.col("status") == "ok")
    ends = [*key, "ratio", "low", "high", "p_value", "q_value", "per_variable"]
    return alone.join(
        adjusted.select(ends), on=key, how="left", suffix="_adjusted", nulls_equal=True, maintain_order="left"
    )


def alt_text(rows: pl.DataFrame) -> str:
    """What the chart shows, in words."""
    drawn = drawn_rows(rows)
    said = ", ".join(f"{_label(row)} {row['ratio']:.2g} ({_span(row)})" for row in drawn.iter_rows(named=True))
    return (
        f"Hazard ratios of {count(drawn.height, 'comparison')} with 95% profile likelihood intervals on a logarithmic "
        f"axis, alone and adjusted for the release year. Above 1: such a benchmark saturates sooner. {said}."
    )


def refused(rows: pl.DataFrame) -> str:
    """Which comparisons are not made, and why."""
    lacking = rows.filter(pl.col("status") != "ok").unique(["covariate", "adjusted_for", "reason"], maintain_order=True)
    parts = []
    for row in lacking.iter_rows(named=True):
        adjustment = f" adjusted for the {row['adjusted_for']}" if row["adjusted_for"] else ""
        here = f"; {row['per_variable']:.1f} here" if "each coefficient" in row["reason"] else ""
        parts.append(f"{row['covariate']}{adjustment} ({row['reason']}{here})")
    return f"Not compared: {'; '.join(parts)}." if parts else ""


def figure(rows: pl.DataFrame) -> go.Figure:
    """A row for each level; a filled point alone, an open one adjusted for the release year."""
    drawn = drawn_rows(rows).with_row_index("place")
    adjusted = drawn.drop_nulls("ratio_adjusted")
    chart = go.Figure(
        [
            _points(drawn, "", "alone", ("circle", BLUE), LINES[0]),
            _points(adjusted, "_adjusted", "adjusted for release year", ("diamond-open", ORANGE), LINES[1]),
        ]
    )
    chart.add_vline(x=1, line={"color": GREY, "dash": "dash", "width": 1.5})
    laid_out(chart, height=150 + ROW_PIXELS * drawn.height)
    chart.update_layout(legend={"y": 1.0, "yanchor": "bottom"}, margin={"t": 40})
    ends = [drawn[name].drop_nulls() for name in ("low", "high", "low_adjusted", "high_adjusted")]
    drawn_values = pl.concat([*ends, drawn["ratio"]])
    low = max(WIDEST[0], float(drawn_values.min() or 0.1))  # type: ignore[arg-type]
    high = min(WIDEST[1], float(drawn_values.max() or 10))  # type: ignore[arg-type]
    chart.update_xaxes(
        title="Hazard ratio (log scale)",
        type="log",
        range=[float(pl.Series([low / 1.3]).log10()[0]), float(pl.Series([high * 1.3]).log10()[0])],
        tickvals=[0.03, 0.1, 0.3, 1, 3, 10, 30],
        ticktext=["0.03", "0.1", "0.3", "1", "3", "10", "30"],
        zeroline=False,
    )
    chart.update_yaxes(
        tickvals=numbers(drawn["place"]),
        ticktext=[_tick(row) for row in drawn.iter_rows(named=True)],
        range=[drawn.height - 0.4, -0.6],
        zeroline=False,
        tickfont={"size": 11},
    )
    return chart


def _points(rows: pl.DataFrame, suffix: str, name: str, look: tuple[str, str], shift: float) -> go.Scatter:
    symbol, colour = look
    ratio = rows[f"ratio{suffix}"]
    low, high = rows[f"low{suffix}"].fill_null(WIDEST[0]), rows[f"high{suffix}"].fill_null(WIDEST[1])
    said = [
        f"{plotly(_label(row))}, {name}<br>{row[f'ratio{suffix}']:.2f} ({_span(row, suffix)})<br>"
        f"{p_value('p', row[f'p_value{suffix}'])}, {p_value('q', row[f'q_value{suffix}'])}, "
        f"{row[f'per_variable{suffix}']:.1f} deaths a coefficient"
        for row in rows.iter_rows(named=True)
    ]
    errors = {"type": "data", "symmetric": False, "array": numbers(high - ratio), "arrayminus": numbers(ratio - low)}
    return go.Scatter(
        x=numbers(ratio),
        y=numbers(rows["place"].cast(pl.Float64) + shift),
        name=name,
        mode="markers",
        marker={"symbol": symbol, "size": 9, "color": colour},
        error_x={**errors, "thickness": 1.4, "width": 0, "color": colour},
        customdata=said,
        hovertemplate="%{customdata}<extra></extra>",
    )


def _label(row: dict[str, object]) -> str:
    against = f" against {row['reference']}" if row["reference"] else ""
    return f"{row['covariate']}: {row['level']}{against}"


def _tick(row: dict[str, object]) -> str:
    against = f"<br>against {plotly(str(row['reference']), 24)}" if row["reference"] else ""
    return f"{plotly(str(row['level']), 22)}{against}"


def _span(row: dict[str, object], suffix: str = "") -> str:
    low, high = row[f"low{suffix}"], row[f"high{suffix}"]
    ends = ["?" if end is None else f"{float(str(end)):.2f}" for end in (low, high)]
    return f"95%: {ends[0]} to {ends[1]}"


def _times(ratio: float) -> str:
    return f"{ratio:.2f} times that of a year before"
