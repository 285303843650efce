"""What became of a score that a maker reports: the class of it beside one independent result of the same model."""

import polars as pl

from benchhealth.analytics.corroboration.differing import DIFFERENT, SILENT
from benchhealth.analytics.statistics.errors import Z95

MEASURED, CONFIRMED, LOWER, CONTRADICTED = "measured", "confirmed", "lower", "contradicted"
CLAIMED, QUOTED, NOT_COMPARABLE = "claimed", "quoted", "not_comparable"
CLASSES = (MEASURED, CONFIRMED, LOWER, CONTRADICTED, CLAIMED, QUOTED, NOT_COMPARABLE)
"""Every class; a result is of one."""

AGREES_WITHIN = 0.02
"""Of the scale, beyond the 95% error of the difference: an independent result so close confirms."""

CONTRADICTS_BEYOND = 0.05
"""Of the scale, beyond that error: a comparable independent result that is lower by more contradicts."""

ERROR_UNKNOWN = "error_unknown"
"""Neither result has an error, and without one nothing is contradicted."""

_BEST_FIRST = "order"


def compared(pairs: pl.DataFrame) -> pl.DataFrame:
    """Pairs of a maker's result and an independent one, with `class`, `reason`, `difference`, `low`, `high`, `order`.

    The columns of the independent result end in `_by`; `differs` is what differs between the two. `difference` is
    positive where the maker's is better, in the unit of the scores, with the 95% interval for two errors that are
    independent (those of two runs on the same items are smaller). Where one of the two does not say how it was run, the
    error excuses nothing: the difference may be no noise at all. The pair of the least `order` decides: one that
    agrees and is comparable, one that agrees and does not say, one that is comparable and does not agree, the others;
    of those that agree one that came before the maker's.
    """
    one, two = pl.coalesce("error", "error_by"), pl.coalesce("error_by", "error")
    half = Z95 * (one**2 + two**2).sqrt()
    told = pairs.with_columns(difference=pl.col("merit") - pl.col("merit_by"), half=half).with_columns(
        allowed=pl.col("half").fill_null(0.0), has_error=pl.col("half").is_not_null()
    )
    margin, beyond = (pl.when("bounded").then(limit).otherwise(0.0) for limit in (AGREES_WITHIN, CONTRADICTS_BEYOND))
    may_agree = ~pl.col("differs").is_in(DIFFERENT).fill_null(value=False)
    comparable = pl.col("differs").is_null()
    allowance = pl.when(comparable).then(pl.col("allowed")).otherwise(0.0)
    agrees = may_agree & (pl.col("difference") <= allowance + margin)
    earlier = (pl.col("dated_on_by") < pl.col("dated_on")).fill_null(value=False)
    far = pl.col("difference") > pl.col("allowed") + beyond
    decided = pl.col("bounded") | pl.col("has_error")
    return told.with_columns(
        pl.when(agrees & earlier)
        .then(pl.lit(MEASURED))
        .when(agrees)
        .then(pl.lit(CONFIRMED))
        .when(~comparable | ~decided)
        .then(pl.lit(NOT_COMPARABLE))
        .when(far & pl.col("has_error"))
        .then(pl.lit(CONTRADICTED))
        .otherwise(pl.lit(LOWER))
        .alias("class"),
        reason=pl.coalesce("differs", pl.when(~agrees & ~pl.col("has_error")).then(pl.lit(ERROR_UNKNOWN))),
        low=pl.col("difference") - pl.col("half"),
        high=pl.col("difference") + pl.col("half"),
    ).with_columns(_order(agrees, comparable, earlier).alias(_BEST_FIRST))


def _order(agrees: pl.Expr, comparable: pl.Expr, earlier: pl.Expr) -> pl.Expr:
    lowest = pl.col("class").is_in([LOWER, CONTRADICTED])
    silent = pl.col("differs").is_in(SILENT).fill_null(value=False)
    ranks = (agrees & comparable & earlier, agrees & comparable, agrees & earlier, agrees, lowest, comparable, silent)
    order: pl.Expr = pl.lit(len(ranks))
    for rank, holds in reversed(list(enumerate(ranks))):
        order = pl.when(holds).then(rank).otherwise(order)
    return order
