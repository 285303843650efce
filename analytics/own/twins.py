"""Models of one's own on twins: each alone against public models, which do not move with it."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from benchhealth.analytics.record.boards import rankable
from benchhealth.analytics.record.by_item.item_results import item_results
from benchhealth.analytics.record.conditions.references import in_reference, references
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import empty
from benchhealth.analytics.statistics.regression import least_squares
from benchhealth.analytics.twins.expected import FEWEST_FOR_RESIDUALS
from benchhealth.analytics.twins.pairs import BY_MODEL, RERUN, Pairs, matched_among, matched_pairs, of_twins
from benchhealth.analytics.twins.residuals import over_all_twins, residuals


def own_pairs(own_frames: Frames) -> pl.DataFrame:
    """The twins declared with results of one's own, with the source that the original is read from.

    That is one's own too where both sides have own results of ten models, so that all were run alike; else anybody's.
    """
    declared = own_frames.twin_pair.filter(pl.col("twin_id").str.starts_with("import-"))
    rows = own_frames.result.filter(pl.col("kind") == "model").select("benchmark_id", "model_id").unique().collect()
    measured = (
        declared.join(rows, left_on="original_id", right_on="benchmark_id")
        .join(rows, left_on=["other_id", "model_id"], right_on=["benchmark_id", "model_id"])
        .group_by("twin_id")
        .agg(models=pl.len())
    )
    own_source = pl.when(pl.col("models") >= FEWEST_FOR_RESIDUALS).then("other_source_id")
    return (
        declared.join(measured, on="twin_id", how="left", maintain_order="left")
        .with_columns(source_id=own_source)
        .select(declared.columns)
    )


def own_residuals(public: Frames, own_frames: Frames, models: Collection[str], residual: pl.DataFrame) -> pl.DataFrame:
    """Rows of `twin_residual` for `models` on public twins, both of whose sides have results in `own_frames`.

    Each is tested as if it were the only one beside the public models: what is expected of a model is what it would be
    without the others here. `residual` is the public table; q-values are over its models and these, and over all twins
    of a model (`over_all_twins`). Both sides are one's own results of one setting, in the condition by which the
    benchmark is judged.
    """
    own_results = own_frames.result.filter(pl.col("model_id").is_in(list(models)))
    measured_ids = own_results.select("benchmark_id").unique().collect()["benchmark_id"].implode()
    connected = public.twin_pair.filter(
        pl.col("original_id").is_in(measured_ids)
        & pl.col("other_id").is_in(measured_ids)
        & (pl.col("original_id") != pl.col("other_id"))
        & (pl.col("kind") != RERUN)
    )
    if connected.is_empty():
        return empty("twin_residual")
    declared = replace(public, twin_pair=connected)
    declared = replace(declared, result=of_twins(declared))
    of_mine = replace(own_frames, benchmark=public.benchmark, result=own_results)
    rows = in_reference(rankable(of_mine), references(declared))
    source = own_frames.result.select("source_id").first().collect().item()
    no_day = pl.lit(None, dtype=pl.Date)
    ours = connected.with_columns(source_id=pl.lit(source), other_source_id=pl.lit(source), observed_on=no_day)
    frames = []
    for (row, public_pair), (_, own_pair) in zip(
        matched_pairs(declared), matched_among(rows, ours, item_results(own_frames)), strict=True
    ):
        if public_pair.sign != own_pair.sign or public_pair.bounded != own_pair.bounded:
            continue
        line = least_squares(public_pair.original, public_pair.other)
        for index in range(own_pair.original.size):
            own_rows = residuals(row["twin_id"], _appended(public_pair, own_pair, index), line, row["test"])
            frames.append(own_rows.tail(1).with_columns(kind=pl.lit(row["kind"])))
    if not frames:
        return empty("twin_residual")
    kinds = public.twin_pair.select("twin_id", "kind")
    own_pair_rows = pl.concat(frames)
    public_rows = residual.join(kinds, on="twin_id", maintain_order="left").select(own_pair_rows.columns)
    all_residuals = over_all_twins(pl.concat([public_rows, own_pair_rows]))
    return all_residuals.filter(pl.col("model_id").is_in(list(models)))


def _appended(theirs: Pairs, brought: Pairs, index: int) -> Pairs:
    """The public pairs with one of one's own after them."""
    arrays: dict[str, Any] = {
        name: np.append(getattr(theirs, name), getattr(brought, name)[index]) for name in BY_MODEL
    }
    public_scores = theirs._replace(
        setting=[*theirs.setting, brought.setting[index]], dated_on=(), outcomes_original=None, outcomes_other=None
    )
    return public_scores._replace(model_id=[*theirs.model_id, brought.model_id[index]], **arrays)
