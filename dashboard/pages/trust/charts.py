"""The charts of the page under their addresses: what each is built from."""

import polars as pl

from benchhealth.analytics.twins.groups import GROUPINGS
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, Params, SourceLine
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.trust import rung_tables, transfer_tables
from benchhealth.dashboard.pages.trust.figures import breakdown, ladder, matrix, order_transfer, residuals, tested
from benchhealth.dashboard.published import twin_pairs
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.known import known_until, last_known
from benchhealth.dashboard.published.results import known_benchmark
from benchhealth.dashboard.published.tables import required
from benchhealth.dashboard.widgets import provenance
from benchhealth.dashboard.widgets.provenance import everywhere, of_parameter
from benchhealth.dashboard.widgets.shared import SLOPES, TWIN, twin_row, twin_sources


def _residuals(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    return residuals.chart(twin_row(view, params), twin_pairs.residuals(view, params), palette)


def groupings(view: View, twin_id: str) -> list[str]:
    """The ways in which the models of a twin can be grouped."""
    return [by for by in GROUPINGS if not twin_pairs.groups(view, {"twin": twin_id, "by": by}).is_empty()]


def _groups(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    row = twin_row(view, params)
    by = params.get("by") or next(iter(groupings(view, row["twin_id"])), GROUPINGS[0])
    rows = twin_pairs.groups(view, {**params, "by": by})
    return breakdown.groups(row, rows, by, palette)


def clocks(view: View, twin_id: str) -> list[str]:
    """The clocks by which the gap of a twin can be followed over time."""
    all_clocks = twin_pairs.CLOCKS
    return [clock for clock in all_clocks if not twin_pairs.ages(view, {"twin": twin_id, "clock": clock}).is_empty()]


def _ages(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    row = twin_row(view, params)
    clock = params.get("clock") or next(iter(clocks(view, row["twin_id"])), twin_pairs.CLOCKS[0])
    rows = twin_pairs.ages(view, {**params, "clock": clock})
    return breakdown.ages(row, rows, clock, palette)


def _robustness(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    return breakdown.robustness(twin_row(view, params), twin_pairs.robustness(view, params), palette)


def _transfer(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    rows = transfer_tables.transfers(view, params)
    asked = params.get("from") or next(iter(transfer_tables.originals(view)), "")
    names = dict(view.table("benchmark").select("benchmark_id", "name").iter_rows())
    return order_transfer.chart(
        names.get(asked) or asked, rows, last_known(view), provenance.of_benchmarks(view, [asked]), palette
    )


def _levels(view: View, _params: Params, palette: Palette) -> Chart | Nothing:
    return ladder.levels(rung_tables.counts(view, {}), last_known(view), palette)


def name_of(view: View, benchmark_id: str) -> str:
    """The benchmark's name, its id where it has none."""
    named = view.table("benchmark").filter(pl.col("benchmark_id") == benchmark_id)["name"]
    return (named[0] if named.len() else None) or benchmark_id


def _ladder(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    benchmark_id, rows = known_benchmark(view, params), rung_tables.rungs(view, params)
    model = rung_tables.model_name(view, params["model"]) if params.get("model") else None
    return ladder.ladder(name_of(view, benchmark_id), rows, model, known_until(view, [benchmark_id]), palette)


def _excess(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    benchmark_id = known_benchmark(view, params)
    rung = params.get("rung") or next(iter(rung_tables.tested(view, benchmark_id)), rung_tables.TESTS[0])
    rows = rung_tables.excesses(view, {"benchmark": benchmark_id, "rung": rung})
    until = known_until(view, [benchmark_id])
    return tested.excess(rung_tables.TITLES[rung], name_of(view, benchmark_id), rows, until, palette)


def _own(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    rows = rung_tables.own_tests(view, params)
    until = rung_tables.latest(view, rows["benchmark_id"].to_list())
    return tested.of_model(rung_tables.model_name(view, required(params, "model")), rows, until, palette)


def _of_own(view: View, params: Params, _chart: Chart) -> list[SourceLine]:
    return provenance.of_benchmarks(view, rung_tables.own_tests(view, params)["benchmark_id"].to_list())


def _of_twin(view: View, params: Params, _chart: Chart) -> list[SourceLine]:
    return twin_sources(view, twin_row(view, params))


def _calibration(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    rows = rung_tables.calibration(view, params)
    return tested.calibration(rows, last_known(view), palette)


MATRIX = ChartSpec("evidence", matrix.chart, ("evidence", "benchmark"), method="contamination", sources=everywhere)
RESIDUALS = ChartSpec("twin-residuals", _residuals, ("twin", "scale"), method="residuals", sources=_of_twin)
GROUPS = ChartSpec("twin-groups", _groups, ("twin", "by"), method="twin_groups", sources=_of_twin)
AGES = ChartSpec("twin-ages", _ages, ("twin", "clock"), method="twin_ages", sources=_of_twin)
ROBUSTNESS = ChartSpec("twin-robustness", _robustness, ("twin",), method="robustness", sources=_of_twin)
TRANSFER = ChartSpec("order-transfer", _transfer, ("from",), method="transfer")
LEVELS = ChartSpec("contamination-levels", _levels, method="contamination", sources=everywhere)
LADDER = ChartSpec(
    "contamination-ladder", _ladder, ("benchmark", "model"), method="contamination", sources=of_parameter("benchmark")
)
EXCESS = ChartSpec(
    "contamination-excess",
    _excess,
    ("benchmark", "rung"),
    method="contamination_levels",
    sources=of_parameter("benchmark"),
)
MODEL_TESTS = ChartSpec("model-tests", _own, ("model",), method="contamination_levels", sources=_of_own)
CALIBRATION = ChartSpec(
    "contamination-calibration", _calibration, method="contamination_calibration", sources=everywhere
)
CHARTS = (
    MATRIX, TWIN, SLOPES, RESIDUALS, GROUPS, AGES, ROBUSTNESS, TRANSFER, LEVELS, LADDER, EXCESS, MODEL_TESTS,
    CALIBRATION,
)  # fmt: skip
