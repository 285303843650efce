"""The charts of the page under their addresses: what each is built from."""

from datetime import date

import polars as pl

from benchhealth.analytics.twins.residuals import GROUPINGS
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, SourceLine
from benchhealth.dashboard.figures.forest import Mark, forest
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.trust import rung_tables, transfer_tables
from benchhealth.dashboard.pages.trust.figures import breakdown, matrix, tested
from benchhealth.dashboard.published import twin_pairs
from benchhealth.dashboard.published.benchmarks import known_until, last_known, name_of
from benchhealth.dashboard.published.generation import Params, View, required
from benchhealth.dashboard.published.results import known_benchmark
from benchhealth.dashboard.widgets import provenance
from benchhealth.dashboard.widgets.provenance import everywhere, of_column, of_parameter
from benchhealth.dashboard.widgets.shared import TWIN, of_twin, twin_row
from benchhealth.dashboard.words.text import count, known_at_latest, plotly, short, shorten

TRANSFER_ROWS = 40


def transfer_rows(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows to draw, most alike first: all where they fit, else as many from either end."""
    compared = rows.drop_nulls("kendall_tau")
    half = TRANSFER_ROWS // 2
    return compared if compared.height <= TRANSFER_ROWS else pl.concat([compared.head(half), compared.tail(half)])


def transfer_title(name: str, rows: pl.DataFrame) -> str:
    """The title: which other benchmark orders models most like this one."""
    compared = rows.drop_nulls("kendall_tau")
    if compared.is_empty():
        return f"Whether the order on {shorten(short(name), 34)} carries over is not known"
    own_name, best = short(name), short(compared["other"][0].split(": ")[-1])
    best = compared["other"][0] if best == own_name else best
    return f"The order on {shorten(own_name, 24)} is most like that on {shorten(best, 26)}"


def transfer_finding(name: str, rows: pl.DataFrame, until: date | None) -> str:
    """The sentence: how much of the order carries over at best, in the middle and at worst."""
    compared = rows.drop_nulls("kendall_tau")
    if compared.is_empty():
        return f"Whether the order on {name} carries over is not known: too few models in common with any other"
    if compared.height == 1:
        only = compared.row(0, named=True)
        basis = f"over {count(only['n_models'], 'model')}{known_at_latest(until)}"
        return f"The order on {name} carries over to {only['other']} with tau {only['kendall_tau']:.2f} {basis}"
    best, worst = compared.row(0, named=True), compared.row(-1, named=True)
    middle = compared.select(pl.col("kendall_tau").median()).item()
    return (
        f"The order on {name} carries over with a median tau of {middle:.2f} to "
        f"{count(compared.height, 'other benchmark')} with ten models in common or more: {best['kendall_tau']:.2f} to "
        f"{best['other']}, {worst['kendall_tau']:.2f} to {worst['other']}{known_at_latest(until)}"
    )


def transfer_chart(name: str, rows: pl.DataFrame, until: date | None, palette: Palette) -> Chart | Nothing:
    """The chart of Kendall's tau with each other benchmark, a row for each."""
    drawn = transfer_rows(rows)
    if drawn.is_empty():
        return Nothing(
            f"Whether the order on {plotly(name)} carries over is not known.",
            "It takes ten models that are listed under one name on both.",
        )
    compared = rows.drop_nulls("kendall_tau").height
    note = "all" if drawn.height == compared else "the most and the least alike"
    hovers = [
        f"<b>{plotly(row['other'])}</b><br>tau {row['kendall_tau']:.2f} over {count(row['n_models'], 'model')}"
        for row in drawn.iter_rows(named=True)
    ]
    tail = pl.col("other").str.split(": ").list.last()
    labelled = drawn.with_columns(name=pl.when(pl.col("other").str.len_chars() > 26).then(tail).otherwise("other"))
    mark = Mark("with 95% interval", value="kendall_tau")
    return Chart(
        title=transfer_title(name, rows),
        subtitle=f"{transfer_finding(name, rows, until)}. {drawn.height} of {compared} ({note}), with 95% intervals.",
        figure=forest(labelled, [mark], hovers, palette, axis="Kendall's tau: 1 the same order, 0 none", reference=0.0),
        rows=drawn,
        alt=f"Kendall's tau between the order of models on {name} and on each other benchmark, most alike first.",
        known_until=until,
    )


def groupings(view: View, twin_id: str) -> list[str]:
    """The ways in which the models of a twin can be grouped."""
    return [kind for kind in GROUPINGS if not twin_pairs.groups(view, {"twin": twin_id, "by": kind}).is_empty()]


def _groups(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    row = twin_row(view, params)
    grouping = params.get("by") or next(iter(groupings(view, row["twin_id"])), GROUPINGS[0])
    rows = twin_pairs.groups(view, {**params, "by": grouping})
    return breakdown.groups(row, rows, grouping, palette)


def clocks(view: View, twin_id: str) -> list[str]:
    """The clocks by which the gap of a twin can be followed over time."""
    all_clocks = twin_pairs.CLOCKS
    return [clock for clock in all_clocks if not twin_pairs.ages(view, {"twin": twin_id, "clock": clock}).is_empty()]


def _ages(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    row = twin_row(view, params)
    clock = params.get("clock") or next(iter(clocks(view, row["twin_id"])), twin_pairs.CLOCKS[0])
    rows = twin_pairs.ages(view, {**params, "clock": clock})
    return breakdown.ages(row, rows, clock, palette)


def _transfer(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    rows = transfer_tables.transfers(view, params)
    key = params.get("from") or next(iter(transfer_tables.originals(view)), "")
    return transfer_chart(name_of(view, key), rows, last_known(view), palette)


def _excess(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    benchmark_id = known_benchmark(view, params)
    rung = params.get("rung") or next(iter(rung_tables.tests_with_results(view, benchmark_id)), rung_tables.TESTS[0])
    rows = rung_tables.excesses(view, {"benchmark": benchmark_id, "rung": rung})
    until = known_until(view, [benchmark_id])
    return tested.excess(rung_tables.TITLES[rung], name_of(view, benchmark_id), rows, until, palette)


def _own_tests_chart(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    rows = rung_tables.own_tests(view, params)
    until = rung_tables.last_known_of(view, rows["benchmark_id"].to_list())
    return tested.of_model(rung_tables.model_name(view, required(params, "model")), rows, until, palette)


def _of_own(view: View, params: Params, _chart: Chart) -> list[SourceLine]:
    return provenance.of_benchmarks(view, rung_tables.own_tests(view, params)["benchmark_id"].to_list())


def _calibration(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    rows = rung_tables.calibration(view, params)
    return tested.calibration(rows, last_known(view), palette)


MATRIX = ChartSpec("evidence", matrix.chart, ("evidence", "benchmark"), method="contamination", sources=everywhere)
GROUPS = ChartSpec("twin-groups", _groups, ("twin", "by"), method="twin_groups", sources=of_twin)
AGES = ChartSpec("twin-ages", _ages, ("twin", "clock"), method="twin_ages", sources=of_twin)
TRANSFER = ChartSpec("order-transfer", _transfer, ("from",), method="transfer", sources=of_column("original_id"))
EXCESS = ChartSpec(
    "contamination-excess",
    _excess,
    ("benchmark", "rung"),
    method="contamination_levels",
    sources=of_parameter("benchmark"),
)
MODEL_TESTS = ChartSpec("model-tests", _own_tests_chart, ("model",), method="contamination_levels", sources=_of_own)
CALIBRATION = ChartSpec(
    "contamination-calibration", _calibration, method="contamination_calibration", sources=everywhere
)
CHARTS = (MATRIX, TWIN, GROUPS, AGES, TRANSFER, EXCESS, MODEL_TESTS, CALIBRATION)
