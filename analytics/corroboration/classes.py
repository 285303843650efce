"""What became of a score that a maker reports: the class of it beside one independent result of the same model."""

import polars as pl

from benchhealth.analytics.corroboration.differing import DIFFERENT, SILENT
from benchhealth.analytics.statistics.errors import Z95

MEASURED, CONFIRMED, LOWER, CONTRADICTED = "measured", "confirmed", "lower", "contradicted"
CLAIMED, QUOTED, NOT_COMPARABLE = "claimed", "quoted", "not_comparable"
CLASSES = (MEASURED, CONFIRMED, LOWER, CONTRADICTED, CLAIMED, QUOTED, NOT_COMPARABLE)
"""Every class; a result is of one.

`measured`: somebody else than the maker reports it, or did first. Of a maker's: `confirmed` where an independent one of
the same model lies within the error and AGREES_WITHIN, or above; `lower` below that; `contradicted` where it is
comparable and below by more than the error and CONTRADICTS_BEYOND; `not_comparable` where others measured under another
condition; `claimed` where nobody else did, `quoted` where somebody prints the maker's number again. What a place only
passes on, and nobody says who measured it, is `quoted` as well: neither measured nor claimed; it confirms nothing."""

AGREES_WITHIN = 0.02
"""Of the scale, beyond the 95% error of the difference: an independent result so close confirms."""

CONTRADICTS_BEYOND = 0.05
"""Of the scale, beyond that error: a comparable independent result that is lower by more contradicts."""

ERROR_UNKNOWN = "error_unknown"
"""Neither result has an error, and without one nothing is contradicted."""

_BEST_FIRST = "order"


def compared(pairs: pl.DataFrame) -> pl.DataFrame:
    """Pairs of a maker's result and an independent one, with `class`, `reason`, `difference`, `low`, `high`, `order`.

    A maker's best score is held against each independent result of the same model on the same benchmark. It is
    `confirmed` where that one lies within the 95% error of the difference and AGREES_WITHIN, or above, `measured` where
    such a one came first, `lower` below that, and `contradicted` where it is lower by more than that error and
    CONTRADICTS_BEYOND. What differs between the two (tools, agent, attempts, subset, effort, examples) makes them not
    comparable; where one of the two does not say, the error excuses nothing, and only one within AGREES_WITHIN or above
    confirms. On scales without a range the error alone decides; where it is unknown nothing is contradicted.

    The columns of the independent result end in `_by`; `differs` is what differs between the two. `difference` is
    positive where the maker's is better, in the unit of the scores, with the 95% interval for two errors that are
    independent (those of two runs on the same items are smaller); where both are known item by item for that of the
    difference item by item or over clusters of items, whichever is wider. The pair of the least `order` decides: one
    that agrees and is comparable, one that agrees and does not say, one that is comparable and does not agree, the
    others;
    of those that agree one that came before the maker's. Two numbers of one origin are one number, and no pair.
    """
    one, two = pl.coalesce("error", "error_by"), pl.coalesce("error_by", "error")
    by_item = pl.max_horizontal("error_by_item", "error_clustered")
    half = Z95 * pl.coalesce(by_item, (one**2 + two**2).sqrt())
    measured = pairs.with_columns(difference=pl.col("merit") - pl.col("merit_by"), half=half).with_columns(
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
    return measured.with_columns(
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
