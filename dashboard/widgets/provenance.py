"""Which sources numbers are from, for the line below a chart and its citation."""

from collections.abc import Callable, Sequence

import polars as pl

from benchhealth.dashboard.figures.chart import Chart, Params, SourceLine
from benchhealth.dashboard.published import standings
from benchhealth.dashboard.published.generation import View

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
    return view.recent(("provenance", tuple(ids), tuple(named)), lambda: _looked_up(view, ids, named))


def of_board(view: View, board_id: str) -> list[SourceLine]:
    """Where a leaderboard is from, the source that leads now first."""
    sources = pl.DataFrame({"source_id": standings.sources(view, board_id)})
    return _lines(sources.join(view.table("source"), on="source_id", how="left", maintain_order="left"))


def of_models(view: View, model_ids: Sequence[str], benchmark_ids: Sequence[str]) -> list[SourceLine]:
    """The sources that hold results of these models on these benchmarks, the one that is known latest first."""
    ids, named = sorted(set(model_ids)), sorted(set(benchmark_ids))

    def read() -> list[SourceLine]:
        source_ids = view.query(_OF_MODELS, models=ids, benchmarks=named)
        rows = view.table("source").join(source_ids, on="source_id", how="semi")
        return _lines(rows.sort("known_until", "source_id", descending=[True, False], nulls_last=True))

    return view.recent(("sources of models", tuple(ids), tuple(named)), read)


def every_source(view: View) -> list[SourceLine]:
    """The sources that hold results at all, the one that can speak for the latest day first."""
    return view.kept("every source", lambda: _every(view))


def everywhere(view: View, _params: Params, _chart: Chart) -> list[SourceLine]:
    """The same as the declaration of a chart names it."""
    return every_source(view)


def of_column(name: str) -> Callable[[View, Params, Chart], list[SourceLine]]:
    """The sources of the benchmarks in this column of what is drawn, as the declaration of a chart names them."""
    return lambda view, _params, chart: of_benchmarks(view, chart.rows[name].to_list())


def of_parameter(name: str) -> Callable[[View, Params, Chart], list[SourceLine]]:
    """The sources of the benchmark that this parameter names, as the declaration of a chart names them."""
    return lambda view, params, _chart: of_benchmarks(view, [params[name]])


def _every(view: View) -> list[SourceLine]:
    spoken = view.table("source").filter(pl.col("last_observed_at").is_not_null())
    return _lines(spoken.sort("known_until", "source_id", descending=[True, False], nulls_last=True))


def _looked_up(view: View, ids: list[str], only: list[str]) -> list[SourceLine]:
    if not ids:
        return []
    source_ids = view.query(_SQL, ids=ids, only=only)
    titled = source_ids.join(view.table("source"), on="source_id", how="left", maintain_order="left")
    return _lines(titled)


def _lines(rows: pl.DataFrame) -> list[SourceLine]:
    return [
        SourceLine(title or source_id, homepage or "", known_until)
        for source_id, title, homepage, known_until in rows.select(
            "source_id", "title", "homepage", "known_until"
        ).iter_rows()
    ]
