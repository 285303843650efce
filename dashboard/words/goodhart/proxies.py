"""Sentences on a target and its proxy: where the two part, since when, and whether gaps widen under pressure."""

from datetime import date

import polars as pl

from benchhealth.analytics.goodhart.correlation import BELOW
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.numbers import interval_of, signed
from benchhealth.dashboard.words.text import count, known_at_latest, listed, markdown


def frontier(rows: pl.DataFrame, until: date | None) -> str:
    """How many pairs part at the frontier beyond what range restriction explains."""
    unexplained = rows.filter(pl.col("case") == BELOW)
    lower = rows.filter(pl.col("at_top") < pl.col("over_all")).height
    opening = f"Among the best quarter of models, {lower} of {count(rows.height, 'pair')} agree less than over all; "
    if unexplained.is_empty():
        return f"{opening}for none by clearly more than the best being alike would bring about{known_at_latest(until)}"
    named = unexplained["name"].head(3).to_list()
    return f"{opening}for {listed(named)} by more than the best being alike would bring about{known_at_latest(until)}"


def frontier_alt(rows: pl.DataFrame, drawn_pairs: pl.DataFrame) -> str:
    """The alternative text of the chart of correlations at the frontier."""
    drawn = "every pair" if drawn_pairs.height == rows.height else f"the {drawn_pairs.height} pairs of most models"
    return (
        f"For {drawn}, most models first: the correlation of proxy and target over all models (open circle), among the "
        "best quarter by the proxy (diamond), and that one corrected for range restriction (square), with 95% "
        "intervals. Scores are on the probit scale where they are shares."
    )


def dates(rows: pl.DataFrame, until: date | None) -> str:
    """How many pairs were tested for a date at which they diverged, and which have one."""
    tested = rows.filter(pl.col("p").is_not_null())
    too_few = rows.height - tested.height
    pairs_with_date = [
        f"{markdown(row['name'])} from {row['on_date']} (between {row['on_day']} and {row['until_day']}), "
        f"{row['lower_by']:.1f} {'points' if row['in_points'] else 'rating points'} lower (95%: {row['lower_low']:.1f} "
        f"to {row['lower_high']:.1f}) at the same proxy, over {count(row['n_points'], 'model')}"
        for row in rows.filter(pl.col("status") == "ok").iter_rows(named=True)
    ]
    dated = (
        f"A date is given for {listed(pairs_with_date)}." if pairs_with_date else "For none of them a date is given."
    )
    untested = f" For {too_few} more there are too few models over time." if too_few else ""
    return (
        f"{count(tested.height, 'pair')} are tested for every date at once, with the false discoveries over all pairs "
        f"held at 5%{known_at_latest(until)}. {dated}{untested}"
    )


def pressure(row: Row | None, rows: pl.DataFrame, kind: str, until: date | None) -> str:
    """Whether gaps are wider under more pressure."""
    gap_name = {"twins": "gap to a second measurement", "self-reports": "premium of self-reports"}.get(
        kind, "gap to equal preparation"
    )
    if row is None or row["value"] is None:
        reason = "" if row is None else f" ({row['reason']})"
        return f"Whether the {gap_name} is wider under more pressure is not known{reason}"
    population = f"over {count(rows.height, 'benchmark')}{known_at_latest(until)}"
    size = f"rank correlation {signed(row['value'], 2)} ({interval_of(row, 2)}) {population}"
    if row["low"] > 0:
        return f"The {gap_name} is wider where more is tried: {size}"
    if row["high"] < 0:
        return f"The {gap_name} is narrower where more is tried: {size}"
    return f"No link is found between how much is tried and the {gap_name}: {size}"


def gap_of(kind: str) -> str:
    """What the gap of a benchmark is a mean or a median of."""
    if kind == "self-reports":
        return "the median over models of makers' score less others', in the condition that counts"
    return "the mean over its twins of that kind"


def pressure_title(row: Row | None) -> str:
    """The title on whether gaps are wider under more pressure."""
    if row is None or row["value"] is None:
        return "Whether gaps are wider under more pressure is not known"
    if row["low"] > 0:
        return "Gaps are wider where more is tried"
    if row["high"] < 0:
        return "Gaps are narrower where more is tried"
    return "No link is found between how much is tried and the gap"
