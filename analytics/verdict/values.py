"""The numbers that the rules compare, one row for each benchmark."""

import polars as pl

from benchhealth.analytics.verdict.thresholds import InColumns, Thresholds, limit

USED = (
    "headroom",
    "headroom_of_ceiling",
    "human_margin",
    "resolution_top5",
    "spread_top10",
    "n_models",
    "condition_stated",
    "models_elsewhere",
    "proposed_breaks",
    "constant_answer_margin",
    "best_has_error",
    "age_months",
    "months_since_result",
    "months_since_look",
    "months_since_advance",
    "tries_since_advance",
    "contamination_max_share",
    "twin_gap",
    "twin_flagged_share",
    "maker_premium",
    "turnover_excess_12m",
    "self_reported_share",
    "makers_mentioning_12m",
)
"""The indicators that verdicts rest on; the published S index is none of them."""


def values(indicators: pl.DataFrame, limits: Thresholds) -> pl.DataFrame:
    """One row for each benchmark of the indicator table; `<indicator>`, `.low`, `.high` and `.n` of those USED.

    An indicator that the table lacks is null; `n_models` is then 0. Further columns, which the rules compare:
    `headroom_min` and `headroom_max`, headroom, or where that is unknown the least and the most it can be: headroom
    counted from the worst possible score, and that over 1 - `highest_chance`; `headroom_max.high`, the upper end of the
    interval of the latter;
    `makers_known`, `makers_mentioning_12m`, or 0 where no document is known: no mention is known then;
    `months_without_advance`, from the last advance to the newest result; `months_since_release`, from the release to
    the day of the assessment; `human_margin_low`, the lower end of the interval of human margin, or the margin itself
    where the error is not known.
    """
    numbers = ("value", "low", "high", "n")
    columns = {f"{number}_{key}": f"{key}.{number}".removesuffix(".value") for key in USED for number in numbers}
    by_indicator = indicators.filter(pl.col("indicator").is_in(USED)).pivot(
        on="indicator", on_columns=USED, index="benchmark_id", values=numbers
    )
    table = (
        indicators.select("benchmark_id")
        .unique(maintain_order=True)
        .join(by_indicator, on="benchmark_id", how="left", maintain_order="left")
        .select("benchmark_id", *(pl.col(name).alias(alias) for name, alias in columns.items()))
    )
    return with_headroom(table, limits).with_columns(
        n_models=pl.col("n_models").fill_null(0),
        makers_known=pl.col("makers_mentioning_12m").fill_null(0),
        months_without_advance=pl.col("months_since_advance") - pl.col("months_since_result"),
        months_since_release=pl.col("age_months") + pl.col("months_since_look"),
        human_margin_low=pl.coalesce("human_margin.low", "human_margin"),
    )


def with_headroom(table: pl.DataFrame, limits: Thresholds | InColumns) -> pl.DataFrame:
    """The rows of `values` with what their headroom can be under these limits."""
    return table.with_columns(_headroom(limits))


def _headroom(limits: Thresholds | InColumns) -> list[pl.Expr]:
    highest_chance = limit(limits, "highest_chance")
    above_chance = 1 - highest_chance
    of_ceiling, high = pl.col("headroom_of_ceiling"), pl.col("headroom_of_ceiling.high")
    if_unknown = {
        "headroom_min": ("headroom", of_ceiling),
        "headroom_max": ("headroom", of_ceiling / above_chance),
        "headroom_max.high": ("headroom.high", high / above_chance),
    }
    is_known = pl.col("headroom").is_not_null()
    return [
        *(
            pl.when(is_known).then(if_known).otherwise(otherwise).alias(name)
            for name, (if_known, otherwise) in if_unknown.items()
        ),
        highest_chance.alias("highest_chance"),
    ]
