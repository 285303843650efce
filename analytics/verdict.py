"""Indicators to verdicts: the stage, the flags and the reasons, by the rules of one `Thresholds`."""

from datetime import date

import polars as pl

from analytics.reasons import flag_reasons, stage_reasons
from analytics.tables import FLAGS, PUBLISHED
from analytics.thresholds import RULES_VERSION, Thresholds

USED = (
    "headroom",
    "headroom_of_ceiling",
    "human_margin",
    "resolution_top5",
    "n_models",
    "age_months",
    "months_since_result",
    "months_since_look",
    "months_since_advance",
    "contamination_max_share",
    "twin_gap",
    "twin_flagged_share",
    "turnover_excess_12m",
    "self_reported_share",
)
"""The indicators that verdicts rest on; the published S index is none of them."""


def judge(indicators: pl.DataFrame, thresholds: Thresholds, as_of: date) -> pl.DataFrame:
    """One verdict for each benchmark of the indicator table, by its indicators alone.

    Stages, the first that applies:
    unknown - fewer models than a top five and nobody reports now, or neither headroom nor resolution is known;
    emerging - fewer models than a top five, or released less than `young_months` ago;
    saturated - the upper end of headroom is below `exhausted_headroom`; or the top five cannot be told apart and
    headroom is below `exhausted_headroom`, or below `narrow_headroom` with the human baseline passed beyond error and
    results coming in for `stalled_months` without an advance beyond error;
    compressing - headroom below `narrow_headroom`; or a crowded top five while headroom is below `wide_headroom` or
    unknown;
    discriminating - otherwise.

    Where chance is unknown, headroom counted from the worst score stands in with both its bounds: for `saturated` the
    largest headroom that `highest_chance` allows, for `compressing` the smallest.
    A dormant benchmark is not thereby saturated.
    """
    wide = _headroom_bounds(_wide(indicators), thresholds)
    ruled = wide.with_columns(_rules(thresholds))
    staged = ruled.with_columns(stage=_stage())
    reasons = pl.concat_list(stage_reasons(thresholds) + flag_reasons(thresholds)).list.drop_nulls()
    return (
        staged.with_columns(
            flags=pl.concat_list(_flags()).list.drop_nulls(),
            reasons=reasons,
            rules_version=pl.lit(RULES_VERSION),
            as_of=pl.lit(as_of),
        )
        .select(PUBLISHED["verdict"].names())
        .cast(PUBLISHED["verdict"])
        .sort("benchmark_id")
    )


def _wide(indicators: pl.DataFrame) -> pl.DataFrame:
    """One row for each benchmark; columns `<indicator>`, `<indicator>.low`, `.high`, `.reason` of those used."""
    ids = indicators.select("benchmark_id").unique(maintain_order=True)
    for name in USED:
        one = indicators.filter(pl.col("indicator") == name).select(
            "benchmark_id",
            pl.col("value").alias(name),
            pl.col("low").alias(f"{name}.low"),
            pl.col("high").alias(f"{name}.high"),
            pl.col("reason").alias(f"{name}.reason"),
        )
        ids = ids.join(one, on="benchmark_id", how="left")
    return ids


def _headroom_bounds(wide: pl.DataFrame, thresholds: Thresholds) -> pl.DataFrame:
    """`left_min`, `left_max`, `left_high`: headroom at least, at most, and its upper confidence bound at most."""
    known = pl.col("headroom").is_not_null()
    share = 1 - thresholds.highest_chance
    of_ceiling = pl.col("headroom_of_ceiling")
    return wide.with_columns(
        left_min=pl.when(known).then("headroom").otherwise(of_ceiling),
        left_max=pl.when(known).then("headroom").otherwise(of_ceiling / share),
        left_high=pl.when(known).then("headroom.high").otherwise(pl.col("headroom_of_ceiling.high") / share),
    )


def _rules(limits: Thresholds) -> list[pl.Expr]:
    """Every condition of the stages and flags as a column; what is not known does not hold."""
    apart = pl.col("resolution_top5")
    quiet = pl.col("months_since_result") - pl.col("months_since_look")
    conditions = {
        "is_few": pl.col("n_models").fill_null(0) < limits.min_models,
        "is_young": pl.col("age_months") < limits.young_months,
        "is_exhausted": pl.col("left_high") < limits.exhausted_headroom,
        "is_nearly": pl.col("left_max") < limits.exhausted_headroom,
        "is_narrow": pl.col("left_min") < limits.narrow_headroom,
        "is_surely_narrow": pl.col("left_max") < limits.narrow_headroom,
        "is_not_wide": (pl.col("left_min") < limits.wide_headroom).fill_null(True),
        "is_unresolved": apart <= limits.unresolved_pairs,
        "is_crowded": apart <= limits.crowded_pairs,
        "is_human_passed": pl.col("human_margin.low") > 0,
        "is_blind": pl.col("left_min").is_null() & apart.is_null(),
        "is_stalled": (pl.col("months_since_advance") - pl.col("months_since_result")) >= limits.stalled_months,
        "is_dormant": quiet > limits.dormant_months,
        "is_stale": pl.col("months_since_look") > limits.stale_months,
        "is_contaminated": pl.col("contamination_max_share") >= limits.contaminated_share,
        "is_gap": (pl.col("twin_gap.low") > 0) & (pl.col("twin_flagged_share") >= limits.twin_flagged_share),
        "is_unstable": pl.col("turnover_excess_12m") >= limits.turnover_excess,
        "is_self_reported": pl.col("self_reported_share") > limits.self_reported_share,
    }
    return [condition.fill_null(False).alias(name) for name, condition in conditions.items()]


def _stage() -> pl.Expr:
    passed = pl.col("is_human_passed") & pl.col("is_surely_narrow") & pl.col("is_stalled")
    used_up = pl.col("is_exhausted") | (pl.col("is_unresolved") & (pl.col("is_nearly") | passed))
    crowded = pl.col("is_crowded") & pl.col("is_not_wide")
    abandoned = pl.col("is_few") & (pl.col("is_dormant") | pl.col("months_since_result").is_null())
    return (
        pl.when(pl.col("is_blind") | abandoned)
        .then(pl.lit("unknown"))
        .when(pl.col("is_few") | pl.col("is_young"))
        .then(pl.lit("emerging"))
        .when(used_up)
        .then(pl.lit("saturated"))
        .when(pl.col("is_narrow") | crowded)
        .then(pl.lit("compressing"))
        .otherwise(pl.lit("discriminating"))
    )


def _flags() -> list[pl.Expr]:
    return [pl.when(pl.col(f"is_{name}")).then(pl.lit(name)) for name in FLAGS]
