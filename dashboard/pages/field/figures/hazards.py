"""Hazard ratios as a forest: how much each trait multiplies the risk of saturating, with its interval."""

from datetime import date

import polars as pl

from benchhealth.analytics.aging.hazards import COHORT, FEWEST_PER_VARIABLE, TOO_FEW_DEATHS, YEAR
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.forest import Mark, forest
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.numbers import p_value
from benchhealth.dashboard.words.text import capital, count, known_at_latest, plotly

WIDEST = (0.02, 50.0)
"""The axis ends here at the latest; an interval beyond it is cut, and the table has its ends."""

MARKS = (
    Mark("alone", "ratio"),
    Mark("adjusted for the release year", "ratio_adjusted", "low_adjusted", "high_adjusted", "diamond-open", "ink3"),
)


def of_year(rows: pl.DataFrame) -> Row | None:
    """The row about the release year; None where nothing was compared."""
    year_rows = rows.filter(pl.col("covariate") == YEAR)
    return year_rows.row(0, named=True) if year_rows.height else None


def finding(row: Row | None, until: date | None) -> str:
    """What a year does to the risk, with its uncertainty and its basis; the title says what that settles."""
    if row is None or row["status"] != "ok":
        return capital("nothing was watched" if row is None else str(row["reason"]))
    basis = (
        f"{row['deaths']} of {count(row['n'], 'benchmark')} saturated while watched, these of "
        f"{count(row['families'], 'family', 'families')}"
    )
    times = f"{row['ratio']:.2f} times that of a year before"
    return f"Each year later, the risk at any age is {times} ({_span(row)}; {basis}){known_at_latest(until)}"


def caveat(row: Row | None, until: date | None) -> str:
    """The limit of that answer: whether the ratio holds at every age. A test of few deaths that rejects nothing is no
    evidence that it does."""
    if row is None or row["proportional_p"] is None:
        return ""
    p = row["proportional_p"]
    saturated = f"{row['deaths']} of {row['n']} benchmarks saturated while watched"
    test = f"test of proportional hazards, {p_value('p', p)}; {saturated}"
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
    """The ratios by cohort of release years; the ratio for a year assumes the same step each year."""
    cohorts = rows.filter(pl.col("covariate") == COHORT, pl.col("status") == "ok")
    ratios = [
        f"{row['level']}, {row['ratio']:.2f} times ({_span(row)}; {p_value('q', row['q_value'])})"
        for row in cohorts.iter_rows(named=True)
    ]
    reference = rows.filter(pl.col("covariate") == COHORT)["reference"].drop_nulls()
    if not ratios:
        return ""
    basis = f"{cohorts['deaths'][0]} of {cohorts['n'][0]} benchmarks saturated while watched{known_at_latest(until)}"
    return f"The risk against benchmarks released {reference[0]} ({basis}): {'; '.join(ratios)}."


def drawn_rows(rows: pl.DataFrame) -> pl.DataFrame:
    """One row for each level: its ratio alone and, suffixed `_adjusted`, adjusted for the release year."""
    key = ["covariate", "level", "reference"]
    unadjusted = rows.filter(pl.col("adjusted_for").is_null(), pl.col("status") == "ok")
    adjusted = rows.filter(pl.col("adjusted_for").is_not_null(), pl.col("status") == "ok")
    ends = [*key, "ratio", "low", "high", "p_value", "q_value", "per_variable"]
    return unadjusted.join(
        adjusted.select(ends), on=key, how="left", suffix="_adjusted", nulls_equal=True, maintain_order="left"
    )


def refusals(rows: pl.DataFrame) -> str:
    """A sentence on which comparisons are not made, and why; empty where all are."""
    lacking = rows.filter(pl.col("status") != "ok").unique(["covariate", "adjusted_for", "reason"], maintain_order=True)
    comparisons = []
    for row in lacking.iter_rows(named=True):
        adjustment = f" adjusted for the {row['adjusted_for']}" if row["adjusted_for"] else ""
        per_coefficient = f": {row['per_variable']:.1f} for each coefficient" if row["case"] == TOO_FEW_DEATHS else ""
        comparisons.append(f"{row['covariate']}{adjustment} ({row['reason']}{per_coefficient})")
    return f"Not compared: {'; '.join(comparisons)}." if comparisons else ""


def title(row: Row | None) -> str:
    """Does a younger benchmark die faster, in a few words."""
    if row is None or row["status"] != "ok":
        return "Whether a younger benchmark saturates faster cannot be said"
    n = f"{row['deaths']} of {row['n']} saturated while watched"
    if (row["low"] or 0) > 1:
        return f"Younger benchmarks saturated sooner: {row['ratio']:.2f} times a year ({_span(row)}; {n})"
    if row["high"] is not None and row["high"] < 1:
        return f"Younger benchmarks saturated later: {row['ratio']:.2f} times a year ({_span(row)}; {n})"
    return f"Whether a younger benchmark saturates sooner is not settled ({n})"


def chart(rows: pl.DataFrame, until: date | None, palette: Palette) -> Chart | Nothing:
    """A row for each level; a filled point alone, an open one adjusted for the release year."""
    drawn = drawn_rows(rows)
    if drawn.is_empty():
        return Nothing(
            "No ratio of risks can be given yet.",
            f"It takes {FEWEST_PER_VARIABLE} deaths for each coefficient, among benchmarks watched while alive.",
        )
    named = [f"{row['level']} against {row['reference']}" if row["reference"] else str(row["level"])
             for row in drawn.iter_rows(named=True)]  # fmt: skip
    ends = [column for mark in MARKS for column in (mark.low, mark.high) if column is not None]
    cut = drawn.with_columns(pl.Series("name", named, dtype=pl.String)).with_columns(
        *(pl.col(mark.low or "").fill_null(WIDEST[0]) for mark in MARKS),
        *(pl.col(mark.high or "").fill_null(WIDEST[1]) for mark in MARKS),
    ).with_columns(pl.col(*ends).clip(*WIDEST))  # fmt: skip
    hovers = [
        f"<b>{plotly(_label(row), 90)}</b><br>alone {_estimate(row)}<br>adjusted {_estimate(row, '_adjusted')}"
        for row in drawn.iter_rows(named=True)
    ]
    year = of_year(rows)
    return Chart(
        title=title(year),
        subtitle=(
            f"{finding(year, until)}. Hazard ratios with 95% profile likelihood intervals, a family counted once, "
            f"of {count(drawn.height, 'comparison')}; above 1 such a benchmark saturates sooner. Filled: alone; open: "
            "adjusted for the release year."
        ),
        figure=forest(
            cut, MARKS, hovers, palette, axis="Hazard ratio (log scale)", reference=1.0, logarithmic=True,
        ),
        rows=drawn,
        alt="Hazard ratios with their intervals on a logarithmic axis, alone and adjusted for the release year.",
        known_until=until,
    )  # fmt: skip


def _estimate(row: Row, suffix: str = "") -> str:
    if row[f"ratio{suffix}"] is None:
        return "not made"
    return (
        f"{row[f'ratio{suffix}']:.2f} ({_span(row, suffix)}), {p_value('p', row[f'p_value{suffix}'])}, "
        f"{p_value('q', row[f'q_value{suffix}'])}"
    )


def _label(row: Row) -> str:
    reference = f" against {row['reference']}" if row["reference"] else ""
    return f"{row['covariate']}: {row['level']}{reference}"


def _span(row: Row, suffix: str = "") -> str:
    low, high = row[f"low{suffix}"], row[f"high{suffix}"]
    ends = ["?" if end is None else f"{end:.2f}" for end in (low, high)]
    return f"95%: {ends[0]} to {ends[1]}"
