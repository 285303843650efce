"""Charts that several pages show: who was first, a benchmark and its twin, two models, whether two scores differ."""

import polars as pl

from benchhealth.dashboard.figures import reign, twin, two_scores
from benchhealth.dashboard.figures.by_benchmark import two_models
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, SourceLine
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.published import models, reigns, twin_pairs
from benchhealth.dashboard.published.boards import difference
from benchhealth.dashboard.published.generation import ParameterError, Params, View, required
from benchhealth.dashboard.widgets import provenance
from benchhealth.dashboard.widgets.provenance import of_column, of_named_models


def _reign(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    board = reigns.board(view, required(params, "board"))
    tables = (reigns.firsts(view, board.board_id), reigns.reigns(view, params), reigns.leads(view, params))
    return reign.chart(board, tables, provenance.of_board(view, board.board_id), palette)


def twin_row(view: View, params: Params) -> twin.Twin:
    """The twin and scale that the parameters name; raises ParameterError for an unknown one."""
    twin_id = required(params, "twin")
    matching = twin_pairs.twins(view, {"scale": params.get("scale", "")}).filter(pl.col("twin_id") == twin_id)
    if matching.is_empty():
        raise ParameterError(f"no twin {twin_id!r} on this scale")
    return matching.row(0, named=True)


def of_twin(view: View, params: Params, _chart: Chart) -> list[SourceLine]:
    """The sources of the twin that the parameters name, as the declaration of a chart names them."""
    return twin_sources(view, twin_row(view, params))


def twin_sources(view: View, row: twin.Twin) -> list[SourceLine]:
    """The sources that the pair is read from; where the registry names none, all that hold results of its sides."""
    declared = [str(name) for name in (row["source_id"], row["other_source_id"]) if name]
    return provenance.of_benchmarks(view, [row["original_id"], row["other_id"]], declared)


def _twin(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    return twin.chart(twin_row(view, params), twin_pairs.residuals(view, params), palette)


def _two_scores(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    return two_scores.chart(difference.score_pair(view, params), palette)


def _two_models(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    ids = models.known_model(view, params), models.known_model(view, params, "other")
    rows = models.pair(view, *ids)
    names = models.facts_of(view, ids[0])["name"], models.facts_of(view, ids[1])["name"]
    elsewhere = models.apart_by_condition(view, *ids)["name"].to_list()
    return two_models.chart(rows, names, elsewhere, palette)


REIGN = ChartSpec("reign", _reign, ("board",), method="rank")
TWIN = ChartSpec("twin", _twin, ("twin", "scale"), method="twins", sources=of_twin)
TWO_MODELS = ChartSpec(
    "difference", _two_models, ("model", "other"), method="told_apart", sources=of_named_models("model", "other")
)
TWO_SCORES = ChartSpec(
    "two-scores", _two_scores, difference.PARAMS, method="difference", sources=of_column("benchmark_id")
)
