"""The results that are asked about: steps of the best score, first places, the ten best, other conditions' bests."""

import polars as pl

from benchhealth.analytics.corroboration.standing_results import STANDING
from benchhealth.analytics.record.origins.sides import is_by_others, is_makers

STEP, FIRST, TOP_TEN, CONDITION, UNDATED = "step", "first", "top_ten", "condition", "undated"
"""Why a result is asked about; see the table `corroboration`."""

TOP = 10

_PRINTED = ("benchmark_id", "model_id", "condition", "merit")


def best_scores(
    standing: pl.DataFrame, frontier_steps: pl.DataFrame, leaderboard: pl.DataFrame, condition_frontier: pl.DataFrame
) -> pl.DataFrame:
    """The results that the table `corroboration` is about: STANDING with `kind` and `rank`.

    A step of a rating is a state of a whole board, which no standing result is: it has nothing but its score.
    """
    curated = standing.select("benchmark_id").unique()
    steps = (
        frontier_steps.filter(~pl.col("carried"))
        .join(curated, on="benchmark_id", how="semi")
        .sort("benchmark_id", "dated_on", "merit")
        .with_columns(kind=pl.lit(STEP), rank=pl.int_range(1, pl.len() + 1).over("benchmark_id"))
        .select("kind", "rank", "score", "error", "dated_on", "source_id", *_PRINTED)
    )
    first = pl.when(pl.col("place") == 1).then(pl.lit(FIRST)).otherwise(pl.lit(TOP_TEN))
    listed = (
        leaderboard.join(curated, on="benchmark_id", how="semi")
        .filter(pl.col("place") <= TOP)
        .select("snapshot_id", "setting", "reporter", "source_row", *_PRINTED, kind=first, rank="place")
    )
    keyed = ["snapshot_id", "setting", "reporter", "source_row", *_PRINTED]
    kinds = [
        _with_row(steps, standing),
        _standing_columns(listed.join(standing, on=keyed, how="inner")),
        _standing_columns(_bests(condition_frontier, standing, frontier_steps)),
        _standing_columns(_undated_claims(standing, frontier_steps)),
    ]
    return pl.concat(kinds).sort("benchmark_id", "kind", "rank", "condition", "model_id")


def _with_row(steps: pl.DataFrame, standing: pl.DataFrame) -> pl.DataFrame:
    """The steps as the standing result that each is."""
    keys = [*_PRINTED, "source_id", "dated_on"]
    rows = standing.unique(keys, keep="first", maintain_order=True)
    joined = steps.join(rows, on=keys, how="left", suffix="_row", maintain_order="left")
    return _standing_columns(joined.with_columns(pl.col("bounded").fill_null(value=False)))


def _bests(condition_frontier: pl.DataFrame, standing: pl.DataFrame, frontier_steps: pl.DataFrame) -> pl.DataFrame:
    """The best of each condition that its benchmark is not judged by."""
    judged = frontier_steps.select("benchmark_id", "condition").unique()
    bests = condition_frontier.filter("carried").join(judged, on=["benchmark_id", "condition"], how="anti")
    named = ["benchmark_id", "condition", "model_id", "score"]
    rows = standing.sort("dated_on", nulls_last=True).unique(named, keep="first", maintain_order=True)
    return (
        bests.select(named)
        .join(rows, on=named, how="inner", maintain_order="left")
        .with_columns(kind=pl.lit(CONDITION), rank=pl.lit(1))
    )


def _undated_claims(standing: pl.DataFrame, frontier_steps: pl.DataFrame) -> pl.DataFrame:
    """What a maker reports, in the condition that counts, on no day that holds, of models that others measured.

    It is no step, as its day is not known; what others found of the same model may agree with it or not all the same.
    """
    judged = frontier_steps.select("benchmark_id", "condition").unique()
    independent = standing.filter(is_by_others()).select("benchmark_id", "model_id").unique()
    return (
        standing.filter(is_makers(), pl.col("dated_on").is_null(), "bounded")
        .join(judged, on=["benchmark_id", "condition"], how="semi", maintain_order="left")
        .join(independent, on=["benchmark_id", "model_id"], how="semi", maintain_order="left")
        .sort("benchmark_id", "merit", "model_id", "setting", descending=[False, True, False, False])
        .with_columns(kind=pl.lit(UNDATED), rank=pl.int_range(1, pl.len() + 1).over("benchmark_id"))
    )


def _standing_columns(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.select(*STANDING, "kind", pl.col("rank").cast(pl.Int64))
