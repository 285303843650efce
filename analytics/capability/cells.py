"""What the stitching reads: one score for each model and benchmark, of those that can be tied together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from benchhealth.analytics.record.frames import is_whole
from benchhealth.analytics.statistics.arrays import Numbers, Places

BENCHMARKS_PER_MODEL = 3
"""One score places a model only if the curve is known; with three, one of them can disagree."""

MODELS_PER_BENCHMARK = 5
"""Two parameters and a misfit are read off these; the same number as for any statement about a top five."""


@dataclass(frozen=True)
class Cells:
    """Scores as parallel arrays of length n: `model` and `benchmark` are places in `model_ids` and `benchmark_ids`.

    `score` is a fraction, `error` its standard error (0 where none is known). `floor` and `span` (best minus floor,
    negative where lower is better) are per benchmark. With `copies` above 1 the arrays are those of as many problems of
    the same models and benchmarks, one after another (`stacked`), and places count through.
    """

    model_ids: tuple[str, ...]
    benchmark_ids: tuple[str, ...]
    model: Places
    benchmark: Places
    score: Numbers
    error: Numbers
    floor: Numbers
    span: Numbers
    copies: int = 1

    def __len__(self) -> int:
        return self.score.size

    @cached_property
    def counts(self) -> Places:
        """The number of cells of each benchmark."""
        return np.bincount(self.benchmark, minlength=len(self.benchmark_ids))

    @cached_property
    def begins(self) -> Places:
        """Where the cells of each benchmark begin, and where the last ones end, when they are in order."""
        return np.concatenate([[0], np.cumsum(self.counts)])

    @cached_property
    def links(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The columns and where rows begin of a compressed matrix of the cells by benchmark and model, twice over.

        The second time its rows are below those of the first.
        """
        model, begins = self.model.astype(np.int32), self.begins.astype(np.int32)
        return np.concatenate([model, model]), np.concatenate([begins, begins[1:] + begins[-1]])

    def per_model(self, values: Numbers) -> Numbers:
        """The sum over each model's cells of these values."""
        return np.bincount(self.model, values, len(self.model_ids)).astype(np.float64, copy=False)

    def per_benchmark(self, values: Numbers) -> Numbers:
        """Sums of the cells' values by benchmark; the cells are `in_order`."""
        begins = self.begins[:-1]
        if begins.size and begins[-1] == values.size:
            values = np.append(values, 0.0)
        return np.asarray(np.where(self.counts > 0, np.add.reduceat(values, begins), 0.0), dtype=np.float64)

    @property
    def in_order(self) -> bool:
        """Whether the cells of each benchmark lie together, in the order of the benchmarks."""
        return bool(np.all(self.benchmark[1:] >= self.benchmark[:-1]))

    def blocks(self, at_once: int) -> "list[Cells]":
        """The copies in blocks of about `at_once` cells; the cells are `in_order`.

        A block has two copies at least: numpy adds up the products of a single one in another order.
        """
        size = max(at_once * self.copies // max(len(self), 1), 2)
        count = max(self.copies // size, 1)
        bounds = [self.copies * index // count for index in range(count + 1)]
        return [self._copies(first, end - first) for first, end in pairwise(bounds)] if count > 1 else [self]

    def _copies(self, first: int, count: int) -> "Cells":
        models, benchmarks = (
            slice(first * size, (first + count) * size)
            for size in (len(ids) // self.copies for ids in (self.model_ids, self.benchmark_ids))
        )
        rows = slice(*self.begins[[benchmarks.start, benchmarks.stop]])
        return Cells(
            model_ids=self.model_ids[models],
            benchmark_ids=self.benchmark_ids[benchmarks],
            model=self.model[rows] - models.start,
            benchmark=self.benchmark[rows] - benchmarks.start,
            score=self.score[rows],
            error=self.error[rows],
            floor=self.floor[benchmarks],
            span=self.span[benchmarks],
            copies=count,
        )

    def of_benchmarks(self) -> "Cells":
        """The same cells in the order of their benchmarks."""
        return self if self.in_order else self.where(np.argsort(self.benchmark, kind="stable"))

    def where(self, keep: NDArray[np.bool_] | Places) -> "Cells":
        """The same models and benchmarks with a part of the cells, or with another order of them."""
        return replace(
            self,
            model=self.model[keep],
            benchmark=self.benchmark[keep],
            score=self.score[keep],
            error=self.error[keep],
        )


def stacked(copies: Sequence[Cells]) -> Cells:
    """The copies, of the same models and benchmarks, as one: what is fitted to it is fitted to each copy alone."""
    first, count = copies[0], len(copies)
    return Cells(
        model_ids=first.model_ids * count,
        benchmark_ids=first.benchmark_ids * count,
        model=np.concatenate([copy.model + i * len(first.model_ids) for i, copy in enumerate(copies)]),
        benchmark=np.concatenate([copy.benchmark + i * len(first.benchmark_ids) for i, copy in enumerate(copies)]),
        score=np.concatenate([copy.score for copy in copies]),
        error=np.concatenate([copy.error for copy in copies]),
        floor=np.tile(first.floor, count),
        span=np.tile(first.span, count),
        copies=count,
    )


def attainable() -> tuple[pl.Expr, pl.Expr]:
    """The `floor` and the `best` score of a bounded benchmark, of the columns `sign`, `floor` and `ceiling`.

    Where chance is unknown the metric's worst value stands for it, where the ceiling is unknown its best value.
    """
    is_up = pl.col("sign") > 0
    return (
        pl.coalesce("floor", pl.when(is_up).then(0.0).otherwise(1.0)),
        pl.coalesce("ceiling", pl.when(is_up).then(1.0).otherwise(0.0)),
    )


def cells(leaderboard: pl.DataFrame, benchmark_facts: pl.DataFrame) -> Cells:
    """The cells of the current leaderboard that hang together: bounded wholes, best setting of each model.

    Benchmarks with fewer than `MODELS_PER_BENCHMARK` models and models with fewer than `BENCHMARKS_PER_MODEL`
    benchmarks are dropped until none is left, then all but one connected component: scores that share no model have
    no common scale. It is the one with the most curated benchmarks (then benchmarks, then models), because hundreds of
    corruptions of the same images are not as many benchmarks. Parts of a benchmark (ids with "/") would count twice.
    """
    floor, best = attainable()
    about = benchmark_facts.filter("bounded").select("benchmark_id", "sign", "curated", worst=floor, reach=best - floor)
    about = about.filter(pl.col("reach") * pl.col("sign") > 0).drop("sign")
    rows = (
        leaderboard.filter(is_whole())
        .join(about, on="benchmark_id")
        .select("benchmark_id", "curated", "model_id", "score", "worst", "reach", error=pl.col("error").fill_null(0.0))
        .sort("benchmark_id", "model_id")
    )
    return _largest(_core(rows))


def _core(rows: pl.DataFrame) -> pl.DataFrame:
    while True:
        enough = (pl.len().over("model_id") >= BENCHMARKS_PER_MODEL) & (
            pl.len().over("benchmark_id") >= MODELS_PER_BENCHMARK
        )
        connected = rows.filter(enough)
        if connected.height == rows.height:
            return rows
        rows = connected


def _largest(rows: pl.DataFrame) -> Cells:
    model_ids = rows["model_id"].unique().sort()
    benchmarks = rows.select("benchmark_id", "curated", "worst", "reach").unique().sort("benchmark_id")
    model = model_ids.search_sorted(rows["model_id"]).to_numpy().astype(np.int64)
    benchmark = benchmarks["benchmark_id"].search_sorted(rows["benchmark_id"]).to_numpy().astype(np.int64)
    in_model, in_benchmark = _components(model, benchmark, len(model_ids), benchmarks.height)
    component = _fullest(in_model, in_benchmark, benchmarks["curated"].fill_null(False).to_numpy())
    keep_model, keep_benchmark = in_model == component, in_benchmark == component
    keep = keep_model[model]
    return Cells(
        model_ids=tuple(model_ids.filter(pl.Series(keep_model))),
        benchmark_ids=tuple(benchmarks["benchmark_id"].filter(pl.Series(keep_benchmark))),
        model=(np.cumsum(keep_model) - 1)[model[keep]],
        benchmark=(np.cumsum(keep_benchmark) - 1)[benchmark[keep]],
        score=rows["score"].to_numpy()[keep],
        error=rows["error"].to_numpy()[keep],
        floor=benchmarks["worst"].to_numpy()[keep_benchmark],
        span=benchmarks["reach"].to_numpy()[keep_benchmark],
    )


def _components(model: Places, benchmark: Places, n_models: int, n_benchmarks: int) -> tuple[Places, Places]:
    """The component of each model and of each benchmark in the graph of who was tested on what."""
    size = n_models + n_benchmarks
    edges = coo_array((np.ones(model.size), (model, n_models + benchmark)), shape=(size, size))
    labels = connected_components(edges, directed=False)[1].astype(np.int64)
    return labels[:n_models], labels[n_models:]


def _fullest(in_model: Places, in_benchmark: Places, curated: NDArray[np.bool_]) -> int:
    if not in_benchmark.size:
        return 0
    benchmarks = np.bincount(in_benchmark)
    curated_cells = np.bincount(in_benchmark[curated], minlength=benchmarks.size)
    models = np.bincount(in_model, minlength=benchmarks.size)
    return int(np.lexsort((models, benchmarks, curated_cells))[-1])
