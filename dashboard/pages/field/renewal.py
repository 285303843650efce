"""Live, refreshed, private and static benchmarks side by side: one measure at a time, with their other differences."""

from datetime import date

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables import TABLES
from benchhealth.analytics.record.tables.declared import sentence
from benchhealth.analytics.renewal.kinds import KINDS, STATIC
from benchhealth.analytics.renewal.measures import AGREEMENT, ANOMALY, CHURN, HEADROOM_LOST, MEASURES, REPORTED
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing
from benchhealth.dashboard.figures.forest import PLAIN, forest
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.published.benchmarks import last_known
from benchhealth.dashboard.published.generation import Params, PublishedTable, View, one_of
from benchhealth.dashboard.widgets import block, filters, links
from benchhealth.dashboard.widgets import tables as grids
from benchhealth.dashboard.widgets.provenance import everywhere
from benchhealth.dashboard.widgets.tables import GridColumn
from benchhealth.dashboard.words.numbers import months, signed
from benchhealth.dashboard.words.text import count, known_at_latest, listed, plotly

UNITS = {
    HEADROOM_LOST: "share of the scale a year",
    REPORTED: "share of benchmarks with a report",
    ANOMALY: "share of models",
    CHURN: "turns of the top ten in a year among models that stay listed, beyond noise",
    AGREEMENT: "Kendall's tau",
}


_KINDS = TABLES["static_dynamic"].by_name
COLUMNS = (
    GridColumn(_KINDS["kind"], pinned=True, width=100),
    *(
        GridColumn(_KINDS[name], format="%.3f", width=90)
        for name in ("value", "low", "high", "matched", "matched_low", "matched_high")
    ),
    GridColumn(_KINDS["n_models"], format="%.0f", width=120),
    GridColumn(sentence("reason", "Why there is no value.", label="what is unknown"), width=320),
)


def side_by_side(view: View, params: Params) -> pl.DataFrame:
    """The rows of a measure (default: all), kinds in their order."""
    rows = view.table("static_dynamic")
    return rows.filter(measure=one_of(params, "measure", MEASURES)) if params.get("measure") else rows


SIDE_BY_SIDE = PublishedTable("static-dynamic", side_by_side)


def finding(rows: pl.DataFrame, measure: str) -> str:
    """The finding: which kinds of benchmarks differ beyond error from static ones of their age."""
    tested = rows.filter(pl.col("matched").is_not_null())
    above, below = tested.filter(pl.col("matched_low") > 0), tested.filter(pl.col("matched_high") < 0)
    differences = [
        f"{word} for {listed(kinds['kind'].to_list())} ones"
        for word, kinds in (("higher", above), ("lower", below))
        if kinds.height
    ]
    name = measure[0].upper() + measure[1:]
    if differences:
        return f"{name}: {' and '.join(differences)} than for static ones of their age"
    if tested.is_empty():
        return f"{name}: too few of one age to compare kinds"
    return f"{name}: no kind differs beyond error from static ones of its age"


def doubts(rows: pl.DataFrame, measure: str, until: date | None) -> str:
    """The numbers: how many of each kind, and by how much each exceeds static ones of its age."""
    kinds = listed([f"{row['n']} {row['kind']}" for row in rows.iter_rows(named=True)])
    differences = [
        f"{row['kind']} {signed(row['matched'], 2)} ({signed(row['matched_low'], 2)} to "
        f"{signed(row['matched_high'], 2)}, {count(row['matched_n'], 'benchmark')})"
        for row in rows.filter(pl.col("matched").is_not_null()).iter_rows(named=True)
    ]
    static = f" Difference to static ones released within a year: {listed(differences)}." if differences else ""
    return f"Mean with 95% interval, {UNITS[measure]}, of {kinds} benchmarks{known_at_latest(until)}.{static}"


def _chart(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    measure = params.get("measure") or MEASURES[0]
    rows, until = side_by_side(view, {"measure": measure}), last_known(view)
    measured = rows.filter(pl.col("value").is_not_null())
    if measured.is_empty():
        return Nothing(
            f"No kind can be given: {measure}.", "It takes five benchmarks of a kind that have been measured."
        )
    hovers = [_hover(row) for row in measured.iter_rows(named=True)]
    return Chart(
        title=finding(rows, measure),
        subtitle=doubts(rows, measure, until),
        figure=forest(measured.with_columns(name=pl.col("kind")), [PLAIN], hovers, palette, axis=UNITS[measure]),
        rows=measured,
        alt=f"For each kind of benchmark the mean with its 95% interval: {measure}, {UNITS[measure]}.",
        known_until=until,
    )


def _hover(row: dict[str, object]) -> str:
    ends = "" if row["low"] is None else f" ({row['low']:.2f} to {row['high']:.2f})"
    return f"<b>{plotly(str(row['kind']))}</b>, {row['n']} benchmarks<br>{row['value']:.2f}{ends}"


STATIC_DYNAMIC = ChartSpec("static-dynamic", _chart, ("measure",), method="static_dynamic", sources=everywhere)


def show(view: View) -> None:
    """Draw the chart of one measure, the other differences between the kinds, and every number."""
    measure = filters.pick_one("measure", "Compared by", MEASURES)
    block.show(view, STATIC_DYNAMIC, {"measure": measure})
    rows = side_by_side(view, {"measure": measure})
    st.markdown(
        f"{_otherwise(rows)} Kinds also differ in what they test, who runs them and how many look, so a difference "
        "is no effect of renewal. Where fewer than five have a static one of their age, the comparison is unknown. "
        f"[A published test of another kind]({links.address('reproduction')}): architectures trained anew on "
        "ImageNot rank as on ImageNet; its table is not public, so it is cited, not recomputed."
    )
    grids.show(
        view,
        rows.select(
            "kind", "value", "low", "high", "n", "matched", "matched_low", "matched_high", "matched_n", "age_months",
            "n_models", "domain", "interval", "reason",
        ),
        SIDE_BY_SIDE,
        {"measure": measure},
        visible_rows=len(KINDS),
        alt="Each kind's mean with interval, the difference to static ones of its age, and what else it differs in",
        columns=COLUMNS,
        declared_in=("static_dynamic",),
    )  # fmt: skip


def _otherwise(rows: pl.DataFrame) -> str:
    """How old the measured benchmarks of each kind are, static ones last."""
    aged = rows.filter(pl.col("age_months").is_not_null())
    static = aged.filter(pl.col("kind") == STATIC)
    not_static = aged.filter(pl.col("kind") != STATIC)
    if static.is_empty() or not_static.is_empty():
        return "What else the kinds differ in is not known."
    ages = listed([f"{row['kind']} ones {months(row['age_months'])}" for row in not_static.iter_rows(named=True)])
    younger = not_static.filter(pl.col("age_months") < static["age_months"].item()).height
    younger_text = f"{younger} of {count(not_static.height, 'other kind')} are"
    return (
        f"Static benchmarks measured here have a median age of {months(static['age_months'].item())}, {ages}: "
        f"{younger_text} younger{known_at_latest(rows['known_until'].item(0))}."
    )
