"""The charts of the page under their addresses: what each is built from."""

from datetime import date

import polars as pl

from benchhealth.analytics.twins.groups import GROUPINGS
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, Params
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.trust import evidence, rung_tables, transfer_tables
from benchhealth.dashboard.pages.trust.figures import breakdown, ladder, matrix, order_transfer, residuals, tested
from benchhealth.dashboard.published import twin_pairs
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.known import known_until, last_known
from benchhealth.dashboard.published.results import known_benchmark
from benchhealth.dashboard.published.tables import ParameterError, required
from benchhealth.dashboard.widgets import provenance
from benchhealth.dashboard.widgets.shared import SLOPES, TWIN, twin_row, twin_sources

SHOWN = tuple(one for one in evidence.STRENGTHS if one not in evidence.FOLDED)
"""Without a choice, rows of which nothing can be said fold."""


def known_at_latest(view: View) -> date | None:
    """The last day that any curated benchmark is known of."""
    newest = evidence.benchmarks(view)["known_until"].max()
    return newest if isinstance(newest, date) else None


def _matrix(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    asked = [part for part in params.get("evidence", "").split(",") if part]
    if unknown := set(asked) - set(evidence.STRENGTHS):
        raise ParameterError(f"evidence is some of {', '.join(evidence.STRENGTHS)}, not {', '.join(sorted(unknown))}")
    return matrix.chart(
        evidence.benchmarks(view),
        evidence.cells(view),
        asked or SHOWN,
        params.get("benchmark"),
        known_at_latest(view),
        provenance.every_source(view),
        palette,
    )


def _residuals(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    row = twin_row(view, params)
    return residuals.chart(row, twin_pairs.residuals(view, params), twin_sources(view, row), palette)


def groupings(view: View, twin_id: str) -> list[str]:
    """The ways in which the models of a twin can be grouped."""
    return [by for by in GROUPINGS if not twin_pairs.groups(view, {"twin": twin_id, "by": by}).is_empty()]


def _groups(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    row = twin_row(view, params)
    by = params.get("by") or next(iter(groupings(view, row["twin_id"])), GROUPINGS[0])
    rows = twin_pairs.groups(view, {**params, "by": by})
    return breakdown.groups(row, rows, by, twin_sources(view, row), palette)


def clocks(view: View, twin_id: str) -> list[str]:
    """The clocks by which the gap of a twin can be followed over time."""
    all_clocks = twin_pairs.CLOCKS
    return [clock for clock in all_clocks if not twin_pairs.ages(view, {"twin": twin_id, "clock": clock}).is_empty()]


def _ages(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    row = twin_row(view, params)
    clock = params.get("clock") or next(iter(clocks(view, row["twin_id"])), twin_pairs.CLOCKS[0])
    rows = twin_pairs.ages(view, {**params, "clock": clock})
    return breakdown.ages(row, rows, clock, twin_sources(view, row), palette)


def _robustness(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    row = twin_row(view, params)
    return breakdown.robustness(row, twin_pairs.robustness(view, params), twin_sources(view, row), palette)


def _transfer(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    rows = transfer_tables.transfers(view, params)
    asked = params.get("from") or next(iter(transfer_tables.originals(view)), "")
    names = dict(view.table("benchmark").select("benchmark_id", "name").iter_rows())
    return order_transfer.chart(
        names.get(asked) or asked, rows, last_known(view), provenance.of_benchmarks(view, [asked]), palette
    )


def _levels(view: View, _params: Params, palette: Palette) -> Chart | Nothing:
    return ladder.levels(rung_tables.counts(view, {}), last_known(view), provenance.every_source(view), palette)


def name_of(view: View, benchmark_id: str) -> str:
    """The benchmark's name, its id where it has none."""
    named = view.table("benchmark").filter(pl.col("benchmark_id") == benchmark_id)["name"]
    return (named[0] if named.len() else None) or benchmark_id


def _ladder(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    benchmark_id, rows = known_benchmark(view, params), rung_tables.rungs(view, params)
    model = rung_tables.model_name(view, params["model"]) if params.get("model") else None
    sources = provenance.of_benchmarks(view, [benchmark_id])
    name = name_of(view, benchmark_id)
    return ladder.ladder(name, rows, model, known_until(view, [benchmark_id]), sources, palette)


def _excess(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    benchmark_id = known_benchmark(view, params)
    rung = params.get("rung") or next(iter(rung_tables.tested(view, benchmark_id)), rung_tables.TESTS[0])
    rows = rung_tables.excesses(view, {"benchmark": benchmark_id, "rung": rung})
    sources = provenance.of_benchmarks(view, [benchmark_id])
    until = known_until(view, [benchmark_id])
    return tested.excess(rung_tables.TITLES[rung], name_of(view, benchmark_id), rows, until, sources, palette)


def _own(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    rows = rung_tables.own_tests(view, params)
    ids = rows["benchmark_id"].to_list()
    name = rung_tables.model_name(view, required(params, "model"))
    return tested.of_model(name, rows, rung_tables.latest(view, ids), provenance.of_benchmarks(view, ids), palette)


def _calibration(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    rows = rung_tables.calibration(view, params)
    return tested.calibration(rows, last_known(view), provenance.every_source(view), palette)


MATRIX = ChartSpec("evidence", _matrix, ("evidence", "benchmark"))
RESIDUALS = ChartSpec("twin-residuals", _residuals, ("twin", "scale"))
GROUPS = ChartSpec("twin-groups", _groups, ("twin", "by"))
AGES = ChartSpec("twin-ages", _ages, ("twin", "clock"))
ROBUSTNESS = ChartSpec("twin-robustness", _robustness, ("twin",))
TRANSFER = ChartSpec("order-transfer", _transfer, ("from",))
LEVELS = ChartSpec("contamination-levels", _levels)
LADDER = ChartSpec("contamination-ladder", _ladder, ("benchmark", "model"))
EXCESS = ChartSpec("contamination-excess", _excess, ("benchmark", "rung"))
OWN = ChartSpec("model-tests", _own, ("model",))
CALIBRATION = ChartSpec("contamination-calibration", _calibration)
CHARTS = (
    MATRIX, TWIN, SLOPES, RESIDUALS, GROUPS, AGES, ROBUSTNESS, TRANSFER, LEVELS, LADDER, EXCESS, OWN, CALIBRATION,
)  # fmt: skip
