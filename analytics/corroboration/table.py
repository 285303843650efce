"""The table `corroboration`: of each best score who measured it, and what others found for the same model."""

import polars as pl

from benchhealth.analytics.corroboration.best_scores import best_scores
from benchhealth.analytics.corroboration.classes import (
    CLAIMED,
    CONFIRMED,
    CONTRADICTED,
    LOWER,
    MEASURED,
    QUOTED,
    compared_pairs,
)
from benchhealth.analytics.corroboration.differing import condition_difference, with_conditions, with_efforts
from benchhealth.analytics.corroboration.standing_results import SELF
from benchhealth.analytics.record.by_item.clusters import ItemClusters
from benchhealth.analytics.record.by_item.item_results import ItemResults
from benchhealth.analytics.record.by_item.two_results import with_item_errors
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.origins.houses import measurer_ids, with_houses
from benchhealth.analytics.record.origins.sides import is_by_others, is_claim, is_makers
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.float_noise import without_float_noise

_BENCHMARK_AND_MODEL = ["benchmark_id", "model_id"]
_BY = (
    *("score", "merit", "error", "condition", "setting", "dated_on", "date_precision"),
    *("source_id", "snapshot_id", "source_row"),
)
_TESTED = (CONFIRMED, LOWER, CONTRADICTED, MEASURED)
_ADDRESS = ["snapshot_id", "benchmark_id", "source_row"]
_EQUAL_WITHIN = 1e-9
_CITED = r", (https?://\S+)$"
"""Where the row of a collection names the page that its number is from."""


def corroboration(  # noqa: PLR0913, PLR0917 - the steps that it is made of
    frames: Frames,
    standing: pl.DataFrame,
    frontier_steps: pl.DataFrame,
    leaderboard: pl.DataFrame,
    condition_frontier: pl.DataFrame,
    copy: pl.DataFrame,
    items: ItemResults,
    item_clusters: ItemClusters,
) -> pl.DataFrame:
    """Table `corroboration`, sorted by its key."""
    all_rows = with_conditions(standing, frames.condition)
    rows = with_efforts(all_rows, all_rows)
    of_interest = best_scores(standing, frontier_steps, leaderboard, condition_frontier)
    claims = with_efforts(with_conditions(of_interest, frames.condition), all_rows)
    by_makers = claims.filter(is_claim()).with_row_index("claim")
    pairs = compared_pairs(with_item_errors(_claims_with_checks(by_makers, rows), items, item_clusters, "_by"))
    judged = pl.concat(
        [_independent_results(claims), _passed_on(claims), _makers(by_makers, pairs, copy)], how="diagonal_relaxed"
    )
    schema = PUBLISHED["corroboration"]
    printed = frames.snapshot.select("snapshot_id", source_url="url")
    return (
        judged.join(printed, on="snapshot_id", how="left")
        .join(_houses(judged, frames), on=_ADDRESS, how="left")
        .rename({f"{name}_by": f"independent_{name}" for name in ("condition", "setting", "source_id", "snapshot_id")})
        .with_columns(source_url=pl.coalesce(pl.col("source_row").str.extract(_CITED), "source_url"))
        .rename({"score_by": "independent", "dated_on_by": "independent_on", "source_row_by": "independent_row"})
        .rename({"date_precision_by": "independent_precision"})
        .rename({"seen_by": "seen_on"})
        .cast(schema)
        .sort("benchmark_id", "kind", "rank", "condition")
        .match_to_schema(schema, extra_columns="ignore")
    )


def _houses(judged: pl.DataFrame, frames: Frames) -> pl.DataFrame:
    """`measured_by` of each address that a third party's result has: the house that measured it, or null."""
    addresses = judged.filter(~is_claim()).select(_ADDRESS).unique()
    rows = frames.result.select(*_ADDRESS, "source_id", "board_id", "printed_in").join(
        addresses.lazy(), on=_ADDRESS, how="semi"
    )
    with_house = with_houses(rows.unique(_ADDRESS).collect().with_columns(measurer_ids()), frames.measurer)
    return with_house.select(*_ADDRESS, measured_by="named")


def _independent_results(claims: pl.DataFrame) -> pl.DataFrame:
    """The results that somebody else than the maker reports; a rating is counted by the board."""
    independent = claims.filter(is_by_others())
    return independent.with_columns(
        *(pl.col(name).alias(f"{name}_by") for name in _BY),
        pl.lit(MEASURED).alias("class"),
        pl.lit(0, pl.Int64).alias("lag_days"),
    )


def _passed_on(claims: pl.DataFrame) -> pl.DataFrame:
    """The results that a place only passes on: nobody says who measured them."""
    return claims.filter(~is_by_others(), ~is_claim()).with_columns(pl.lit(QUOTED).alias("class"))


def _makers(by_makers: pl.DataFrame, pairs: pl.DataFrame, copy: pl.DataFrame) -> pl.DataFrame:
    """The results of makers, and those handed in to a list, each beside the independent one that decides."""
    columns = [f"{name}_by" for name in _BY]
    deciding = (
        pairs.with_columns(better=-pl.col("merit_by"))
        .sort("claim", "order", "better", "dated_on_by", *columns[-3:])
        .unique("claim", keep="first", maintain_order=True)
        .select("claim", *columns, "class", "reason", "difference", "low", "high")
    )
    quoted, is_passed_on = _quoted_claims(copy), pl.col("is_quoted").fill_null(value=False) | ~is_makers()
    return (
        by_makers.join(deciding, on="claim", how="left", maintain_order="left")
        .join(_first_days(pairs), on=["claim", "class"], how="left", maintain_order="left")
        .join(quoted, on=["snapshot_id", *_BENCHMARK_AND_MODEL, "setting"], how="left", maintain_order="left")
        .with_columns(
            pl.coalesce("class", pl.when(is_passed_on).then(pl.lit(QUOTED)).otherwise(pl.lit(CLAIMED))).alias("class"),
            lag_days=(pl.col("first_on") - pl.col("dated_on")).dt.total_days(),
        )
    )


def _claims_with_checks(by_makers: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Each claim with every independent result of its model; a number that is the same to the last digit is a copy
    where its source prints the maker's too."""
    independent = rows.filter(is_by_others())
    pairs = by_makers.join(independent, on=_BENCHMARK_AND_MODEL, suffix="_by", how="inner").with_columns(
        differs=condition_difference("_by")
    )
    same = (without_float_noise(pl.col("merit")) - without_float_noise(pl.col("merit_by"))).abs() < _EQUAL_WITHIN
    return pairs.filter(~(same & (pl.col("source_id") == pl.col("source_id_by"))))


def _first_days(pairs: pl.DataFrame) -> pl.DataFrame:
    """`first_on` of each claim and class: the first day of an independent result that makes it of that class."""
    tested = pairs.filter(pl.col("class").is_in(_TESTED))
    return tested.group_by("claim", "class").agg(first_on=pl.col("dated_on_by").min())


def _quoted_claims(copy: pl.DataFrame) -> pl.DataFrame:
    """The rows of makers whose number a third party prints as well."""
    number = [*_BENCHMARK_AND_MODEL, "origin"]
    printed = copy.filter("quoted").select(number).unique()
    counted = copy.filter(pl.col("origin_reporter") == SELF).join(printed, on=number, how="semi")
    return (
        counted.select("snapshot_id", *_BENCHMARK_AND_MODEL, "setting")
        .unique()
        .with_columns(is_quoted=pl.lit(value=True))
    )
