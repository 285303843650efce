"""Which sources numbers are from, for the line below a chart and its citation."""

from collections.abc import Callable, Mapping, Sequence

import polars as pl

from benchhealth.dashboard.figures.chart import Chart, SourceLine
from benchhealth.dashboard.published import standings
from benchhealth.dashboard.published.generation import Params, View, always
from benchhealth.dashboard.published.models import known_model

_SQL = """
SELECT s.source_id, count(DISTINCT r.benchmark_id) AS n
FROM result r JOIN snapshot s USING (snapshot_id)
WHERE r.benchmark_id = ANY($ids) AND (len($only) = 0 OR s.source_id = ANY($only))
GROUP BY s.source_id ORDER BY n DESC, s.source_id
"""
_OF_MODELS = """
SELECT DISTINCT source_id FROM result JOIN snapshot USING (snapshot_id)
WHERE model_id = ANY($models) AND benchmark_id = ANY($benchmarks)
"""


def of_benchmarks(view: View, benchmark_ids: Sequence[str], only: Sequence[str] = ()) -> list[SourceLine]:
    """The sources that hold results of these benchmarks, those of most of them first; `only` some where named."""
    ids, named = sorted(set(benchmark_ids)), sorted(set(only))
    if not ids:
        return []
    source_ids = view.query(_SQL, ids=ids, only=named)
    return lines(source_ids.join(view.table("source"), on="source_id", how="left", maintain_order="left"))


def of_board(view: View, board_id: str) -> list[SourceLine]:
    """The sources of a leaderboard, the one that leads now first."""
    sources = pl.DataFrame({"source_id": standings.sources(view, board_id)})
    return lines(sources.join(view.table("source"), on="source_id", how="left", maintain_order="left"))


def of_models(view: View, model_ids: Sequence[str], benchmark_ids: Sequence[str]) -> list[SourceLine]:
    """The sources that hold results of these models on these benchmarks, the one that is known latest first."""
    ids, named = sorted(set(model_ids)), sorted(set(benchmark_ids))
    source_ids = view.query(_OF_MODELS, models=ids, benchmarks=named)
    return lines(latest_first(view.table("source").join(source_ids, on="source_id", how="semi")))


@always
def every_source(view: View) -> list[SourceLine]:
    """The sources that hold results at all, the one that can speak for the latest day first."""
    return lines(latest_first(view.table("source").filter(pl.col("last_observed_at").is_not_null())))


@always
def titles(view: View) -> Mapping[str, str]:
    """The titles of all sources by their ids; the id itself where a source has none."""
    return dict(view.table("source").select("source_id", pl.coalesce("title", "source_id")).iter_rows())


def everywhere(view: View, _params: Params, _chart: Chart) -> list[SourceLine]:
    """The sources of all benchmarks, in the form in which a chart declares its sources."""
    return every_source(view)


def of_column(name: str) -> Callable[[View, Params, Chart], list[SourceLine]]:
    """The sources of the benchmarks in this column of what is drawn, as the declaration of a chart names them."""
    return lambda view, _params, chart: of_benchmarks(view, chart.rows[name].to_list())


def of_parameter(name: str) -> Callable[[View, Params, Chart], list[SourceLine]]:
    """The sources of the benchmark that this parameter names, as the declaration of a chart names them."""
    return lambda view, params, _chart: of_benchmarks(view, [params[name]])


def of_named_models(*names: str) -> Callable[[View, Params, Chart], list[SourceLine]]:
    """The sources of the models that these parameters name, on the benchmarks that are drawn."""
    return lambda view, params, chart: of_models(
        view, [known_model(view, params, name) for name in names], chart.rows["benchmark_id"].to_list()
    )


def of_board_in(name: str) -> Callable[[View, Params, Chart], list[SourceLine]]:
    """The sources of the leaderboard that this parameter names, as the declaration of a chart names them."""
    return lambda view, params, _chart: of_board(view, params[name])


def latest_first(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of the table `source`, the one that is known until the latest day first."""
    return rows.sort("known_until", "source_id", descending=[True, False], nulls_last=True)


def lines(rows: pl.DataFrame, address: str = "homepage") -> list[SourceLine]:
    """A source for each of these rows, in their order: `source_id`, `title`, `known_until`, and its `address`."""
    columns = rows.select("source_id", "title", address, "known_until")
    return [SourceLine(title or source_id, url or "", until) for source_id, title, url, until in columns.iter_rows()]
