"""Which benchmarks truly have little room left, and which ceilings are made by tools, attempts, subsets or judges."""

from datetime import date

import polars as pl
import streamlit as st

from analytics.verdict.thresholds import Thresholds
from dashboard.figures.colours import BLUE, ORANGE
from dashboard.pages.goodhart import figures, provenance
from dashboard.published.generation import View
from dashboard.published.known import last_known
from dashboard.published.tables import Params, PublishedTable
from dashboard.widgets import chart, empty
from dashboard.words.known import known_at_latest
from dashboard.words.text import count, listed, markdown, plotly

DRAWN = 25
NAMED = 12
LITTLE = Thresholds().exhausted_headroom
WITHIN = figures.Series("in the condition it is judged by", "within", None, None, "circle", BLUE)
RAW = figures.Series("all results thrown together", "raw", None, None, "diamond-open", ORANGE)


def ceilings(view: View, _params: Params) -> pl.DataFrame:
    """Each benchmark with what is left of its scale within its condition and over all, widest difference first.

    `changes` whether its stage would be another if all results were one curve. The curated ones come first.
    """
    return view.kept("ceilings", lambda: _ceilings(view))


def _ceilings(view: View) -> pl.DataFrame:
    names = view.table("benchmark").select("benchmark_id", "name", is_curated="curated")
    difference = (pl.col("headroom") - pl.col("headroom_raw")).fill_null(0.0)
    return (
        view.table("condition_headroom")
        .filter(~pl.col("benchmark_id").str.contains("/", literal=True))
        .join(names, on="benchmark_id", how="left")
        .with_columns(name=pl.coalesce("name", "benchmark_id"), changes=pl.col("stage") != pl.col("stage_raw"))
        .with_columns(difference=difference)
        .sort("is_curated", "difference", "benchmark_id", descending=[True, True, False])
        .drop("curated")
    )


CEILINGS = PublishedTable("ceilings", ceilings)


def show(view: View) -> None:
    """The chart of both kinds of headroom, those whose stage changes, and those with little room either way."""
    st.header("Which ceilings are real, and which are made?", anchor="ceilings")
    rows = ceilings(view, {})
    curated = rows.filter("is_curated")
    mixed = curated.filter(pl.col("others") > 0)
    st.markdown(
        "A curve may reach its ceiling because models got better, or because results came in with tools, with several "
        "attempts, on an easier subset or from another judge. Each benchmark is judged within one condition; beside "
        "it stands what would be left if all results were one curve."
    )
    st.markdown(_little(curated, last_known(view)))
    drawn = mixed.filter(pl.col("headroom").is_not_null() & pl.col("headroom_raw").is_not_null()).head(DRAWN)
    if drawn.is_empty():
        empty.nothing("No curated benchmark has results under two conditions.", "It takes results that state them.")
        return
    placed = drawn.with_columns(within=pl.col("headroom") * 100, raw=pl.col("headroom_raw") * 100)
    chart.show(
        view,
        chart.Chart(
            key="ceilings",
            finding=finding(mixed, last_known(view)),
            alt="For each curated benchmark that has results under several conditions, two points: the share "
            "of its scale that is left within the condition it is judged by, and the share that would be left if all "
            "results were one curve. Where they are apart, another condition makes the ceiling.",
            figure=figures.rows_of(
                placed, (WITHIN, RAW), [_hover(row) for row in placed.iter_rows(named=True)], axis="Headroom, %"
            ),
            table=CEILINGS,
            method="ceilings",
            sources=provenance.of_benchmarks(view, drawn["benchmark_id"].to_list()),
        ),
    )
    _changed(view, rows)


def finding(mixed: pl.DataFrame, until: date | None) -> str:
    """How many of the curated benchmarks have another stage within their condition, and which."""
    of = f"{count(mixed.height, 'curated benchmark')} with results under several conditions"
    changed = mixed.filter("changes")
    if changed.is_empty():
        return f"Of {of}, none has another stage once one condition counts{known_at_latest(until)}"
    verb = "has" if changed.height == 1 else "have"
    named = listed(list(changed["name"]))
    return f"Of {of}, {changed.height} {verb} another stage once one condition counts: {named}{known_at_latest(until)}"


def _little(curated: pl.DataFrame, until: date | None) -> str:
    """The benchmarks that have little room left within their condition."""
    known = curated.filter(pl.col("headroom").is_not_null())
    little = known.filter(pl.col("headroom") < LITTLE).sort("headroom", "benchmark_id")
    said = (
        f"Of {count(known.height, 'curated benchmark')} whose headroom is known, {little.height} have less than "
        f"{LITTLE:.0%} of the scale left within the condition they are judged by"
    )
    if little.is_empty():
        return f"{said}{known_at_latest(until)}."
    named = [markdown(name) for name in little["name"].head(NAMED)]
    more = [f"{little.height - NAMED} more"] if little.height > NAMED else []
    return f"{said}: {listed([*named, *more])}{known_at_latest(until)}."


def _changed(view: View, rows: pl.DataFrame) -> None:
    """One line for each benchmark whose stage changes, with what makes the difference."""
    changed = rows.filter("changes", pl.col("made_by").is_not_null())
    if changed.is_empty():
        return
    lines = "\n".join(f"- {_line(row)}" for row in changed.head(DRAWN).iter_rows(named=True))
    st.markdown(f"Another stage once one condition counts{known_at_latest(last_known(view))}:\n\n{lines}")


def _line(row: dict[str, object]) -> str:
    room = "" if row["headroom"] is None else f", {row['headroom']:.0%} of the scale left"
    raw = "" if row["headroom_raw"] is None else f", {row['headroom_raw']:.0%} left"
    return (
        f"**{markdown(str(row['name']))}**: {row['stage']} under *{markdown(str(row['condition']))}*{room}; "
        f"{row['stage_raw']} with *{markdown(str(row['made_by']))}*{raw}."
    )


def _hover(row: dict[str, object]) -> str:
    made = f"<br>made by: {plotly(str(row['made_by']))}" if row["made_by"] else ""
    return (
        f"{plotly(str(row['name']))}<br>{plotly(str(row['condition']))}: {row['within']:.1f}% left, {row['stage']}<br>"
        f"all results: {row['raw']:.1f}% left, {row['stage_raw']}{made}"
    )
