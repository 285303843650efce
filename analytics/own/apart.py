"""Public facts and one's own, held together without either changing the other."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import polars as pl

from benchhealth.analytics.own.twins import own_pairs
from benchhealth.analytics.record.frames import Frames

_RUN = ("benchmark_id", "model_id", "setting", "reporter", "condition")


@dataclass(frozen=True)
class PublicAndOwn:
    """The facts of public sources and the imported ones, each without the other."""

    public: Frames
    own: Frames

    @cached_property
    def sources(self) -> frozenset[str]:
        """The ids of the sources under which results of one's own were imported."""
        return frozenset(self.own.snapshot["source_id"])

    @cached_property
    def benchmarks(self) -> frozenset[str]:
        """The ids of one's own benchmarks that are in no public source."""
        return frozenset(self.own.benchmark["benchmark_id"]) - frozenset(self.public.benchmark["benchmark_id"])

    @cached_property
    def models(self) -> frozenset[str]:
        """The models without any public result; statements about all others rest on public results."""
        public_models = frozenset(_models(self.public.result))
        return frozenset(_models(self.own.result.filter(pl.col("kind") == "model"))) - public_models

    @cached_property
    def twins(self) -> pl.DataFrame:
        """The pairs that were declared with the results."""
        return own_pairs(self.own)

    @cached_property
    def judged_own(self) -> Frames:
        """One's own facts by which models are judged: of several files with one run the largest (see `_largest`)."""
        return replace(self.own, result=_largest(self.own))

    @cached_property
    def all_frames(self) -> Frames:
        """All facts: the public ones as they are, then what was brought."""
        all_results = pl.concat([self.public.result, self.own.result])
        return self._combined(all_results, _with_own_rows(self.public.twin_pair, self.twins, "twin_id"))

    @cached_property
    def frames_of_benchmarks(self) -> Frames:
        """All facts on the benchmarks that anything was brought on, and on those that they are twins of."""
        mine = self.own.result.select("benchmark_id").unique().collect()["benchmark_id"]
        sides = pl.concat([self.twins["original_id"], self.twins["other_id"], mine]).unique()
        of_these = self.public.result.filter(pl.col("benchmark_id").is_in(sides.implode()))
        return self._combined(pl.concat([of_these, self.judged_own.result]), self.twins)

    def _combined(self, result: pl.LazyFrame, twin_pair: pl.DataFrame) -> Frames:
        return replace(
            self.public,
            benchmark=_with_own_rows(self.public.benchmark, self.own.benchmark, "benchmark_id"),
            model=_with_own_rows(self.public.model, self.own.model, "model_id"),
            model_claim=_with_own_rows(self.public.model_claim, self.own.model_claim, "model_id"),
            cutoff=_with_own_rows(self.public.cutoff, self.own.cutoff, "model_id"),
            snapshot=pl.concat([self.public.snapshot, self.own.snapshot]),
            result=result,
            look=pl.concat([self.public.look, self.own.look]),
            twin_pair=twin_pair,
        )


def is_in_newest_version() -> pl.Expr:
    """Whether a line of an imported `file` is of the newest version of it that has the benchmark."""
    return pl.col("observed_at") == pl.col("observed_at").max().over("file", "benchmark_id")


def _largest(own_frames: Frames) -> pl.LazyFrame:
    """The results without those that a file tells again of more items, else with a smaller standard error.

    A model's best file would be its smallest: few items scatter most. Lines that a file no longer has decide nothing.
    """
    files = own_frames.snapshot.select("snapshot_id", file="board_id").lazy()
    listed = own_frames.benchmark.select("benchmark_id", listed="n_items").lazy()
    items = pl.when("newest").then(pl.coalesce("n_items", "listed", 0))
    error = pl.when(newest=True, items=pl.col("items").max().over(_RUN)).then(pl.col("std_error").fill_null(math.inf))
    return (
        own_frames.result.join(files, on="snapshot_id", how="left", maintain_order="left")
        .join(listed, on="benchmark_id", how="left", maintain_order="left")
        .with_columns(newest=is_in_newest_version())
        .with_columns(items=items)
        .with_columns(error_of_largest=error)
        .filter(~pl.col("newest") | (pl.col("error_of_largest") == pl.col("error_of_largest").min().over(_RUN)))
        .select(own_frames.result.collect_schema().names())
    )


def _models(result: pl.LazyFrame) -> pl.Series:
    return result.select("model_id").unique().collect()["model_id"]


def _with_own_rows(public: pl.DataFrame, own_rows: pl.DataFrame, key: str) -> pl.DataFrame:
    return pl.concat([public, own_rows.join(public, on=key, how="anti", maintain_order="left")])
