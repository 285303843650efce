"""Indicators to verdicts: the stage, the flags and the reasons, by the rules of one `Thresholds`."""

from datetime import date

import polars as pl

from analytics.record.tables import FLAGS, PUBLISHED
from analytics.verdict.hysteresis import BANDS, UNKNOWN, wide
from analytics.verdict.reasons import flag_reasons, stage_reasons
from analytics.verdict.thresholds import RULES_VERSION, Thresholds

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
    "tries_since_advance",
    "contamination_max_share",
    "twin_gap",
    "twin_flagged_share",
    "turnover_excess_12m",
    "self_reported_share",
)
"""The indicators that verdicts rest on; the published S index is none of them."""

BEFORE = pl.Schema({"benchmark_id": pl.String(), **{f"was_{name}": pl.Boolean() for name in BANDS}})
"""Which conditions held before, where that is known and matters."""


def judge(
    indicators: pl.DataFrame, thresholds: Thresholds, as_of: date, before: pl.DataFrame | None = None
) -> pl.DataFrame:
    """One verdict for each benchmark of the indicator table, by its indicators and on which side of a limit it stood.

    Stages, the first that applies:
    unknown - fewer models than a top five and nobody reports now, or neither headroom nor resolution is known;
    emerging - fewer models than a top five, or released less than `young_months` ago;
    saturated - the upper end of headroom is below `exhausted_headroom`; or the top five cannot be told apart and
    headroom is below `exhausted_headroom`, or below `narrow_headroom` with the human baseline passed beyond error and
    results of `stalled_models` models coming in for `stalled_months` without an advance beyond error;
    compressing - headroom below `narrow_headroom`; or a crowded top five while headroom is below `wide_headroom` or
    unknown;
    discriminating - otherwise.

    Where chance is unknown, headroom counted from the worst score stands in with both its bounds: for `saturated` the
    largest headroom that `highest_chance` allows, for `compressing` the smallest.
    A dormant benchmark is not thereby saturated.

    Limits of headroom, resolution and human margin have a margin: `before` (of `analytics.verdict.hysteresis.stood`)
    says where a benchmark stood, and it changes sides only when it is past the limit by the margin. Without it the
    limits decide.
    """
    remembered = pl.DataFrame(schema=BEFORE) if before is None else before.match_to_schema(BEFORE)
    values = wide(indicators, USED, thresholds).join(remembered, on="benchmark_id", how="left")
    ruled = values.with_columns(_rules(thresholds)).with_columns(_kept(thresholds))
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


def _rules(limits: Thresholds) -> list[pl.Expr]:
    """Every condition of the stages and flags as a column; what is not known does not hold."""
    quiet = pl.col("months_since_result") - pl.col("months_since_look")
    flat = pl.col("months_since_advance") - pl.col("months_since_result")
    conditions = {
        "is_few": pl.col("n_models").fill_null(0) < limits.min_models,
        "is_young": pl.col("age_months") < limits.young_months,
        **{name: band.met(limits, pl.col(f"was_{name}")) for name, band in BANDS.items()},
        "is_blind": pl.col("left_min").is_null() & pl.col("resolution_top5").is_null(),
        "is_stalled": (flat >= limits.stalled_months) & (pl.col("tries_since_advance") >= limits.stalled_models),
        "is_dormant": quiet > limits.dormant_months,
        "is_stale": pl.col("months_since_look") > limits.stale_months,
        "is_contaminated": pl.col("contamination_max_share") >= limits.contaminated_share,
        "is_gap": (pl.col("twin_gap.low") > 0) & (pl.col("twin_flagged_share") >= limits.twin_flagged_share),
        "is_unstable": pl.col("turnover_excess_12m") >= limits.turnover_excess,
        "is_self_reported": pl.col("self_reported_share") > limits.self_reported_share,
    }
    conditions["is_not_wide"] = conditions["is_not_wide"].fill_null(True)
    return [condition.fill_null(False).alias(name) for name, condition in conditions.items()]


def _kept(limits: Thresholds) -> list[pl.Expr]:
    """`kept_<condition>`: whether it is as it was and the limit alone would have said otherwise."""
    return [
        (pl.col(name) != band.met(limits, UNKNOWN)).fill_null(False).alias(f"kept_{name}")
        for name, band in BANDS.items()
    ]


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
