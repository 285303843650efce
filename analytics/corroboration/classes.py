"""Whether a score that a maker reports was confirmed: its class beside one independent result of the same model."""

import polars as pl

from benchhealth.analytics.corroboration.differing import DIFFERENT, SILENT
from benchhealth.analytics.record.tables.case import ALWAYS, first_case
from benchhealth.analytics.statistics.errors import Z95

MEASURED, CONFIRMED, LOWER, CONTRADICTED = "measured", "confirmed", "lower", "contradicted"
CLAIMED, QUOTED, NOT_COMPARABLE = "claimed", "quoted", "not_comparable"
CLASSES = (MEASURED, CONFIRMED, LOWER, CONTRADICTED, CLAIMED, QUOTED, NOT_COMPARABLE)
"""Every class. A result has exactly one:

- `measured`: somebody other than the maker reports it, or reported it first.
- `confirmed`: the maker's; an independent result of the same model lies within the error and AGREES_WITHIN, or above.
- `lower`: the maker's; the independent result lies below that.
- `contradicted`: the maker's; the independent result is comparable, and lower by more than the error and
  CONTRADICTS_BEYOND.
- `not_comparable`: the maker's; others measured the model under another condition.
- `claimed`: the maker's; nobody else measured the model.
- `quoted`: the maker's number printed again by somebody else, or a number that a place passes on without saying who
  measured it, or that somebody handed in to a list and nobody else measured. It confirms nothing."""

AGREES_WITHIN = 0.02
"""A share of the scale: an independent result confirms where it is lower by at most this and the 95% error of the
difference."""

CONTRADICTS_BEYOND = 0.05
"""A share of the scale: a comparable independent result contradicts where it is lower by more than
this and that error."""

ERROR_UNKNOWN = "error_unknown"
"""The reason where neither result has an error: then nothing is contradicted."""

_BEST_FIRST = "order"


def compared_pairs(pairs: pl.DataFrame) -> pl.DataFrame:
    """Pairs of a maker's result and an independent one, with `class`, `reason`, `difference`, `low`, `high`, `order`.

    A maker's best score is compared with each independent result of the same model on the same benchmark. A difference
    in tools, agent, attempts, subset, effort or examples makes the two not comparable. Where one of the two does not
    state these, the error is not allowed for: only an independent result within AGREES_WITHIN, or above, confirms. On
    scales without a range the error alone decides; where it is unknown nothing is contradicted.

    The columns of the independent result end in `_by`; `differs` is what differs between the two. `difference` is
    positive where the maker's is better, in the unit of the scores, with the 95% interval for two errors that are
    independent (those of two runs on the same items are smaller). Where both results are known item by item, the error
    is that of the difference item by item or over clusters of items, whichever is wider. The pair with the smallest
    `order` decides. Two numbers of one origin are one number, and no pair.
    """
    error, error_by = pl.coalesce("error", "error_by"), pl.coalesce("error_by", "error")
    by_item = pl.max_horizontal("error_by_item", "error_clustered")
    half = Z95 * pl.coalesce(by_item, (error**2 + error_by**2).sqrt())
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
        first_case(
            (MEASURED, agrees & earlier),
            (CONFIRMED, agrees),
            (NOT_COMPARABLE, ~comparable | ~decided),
            (CONTRADICTED, far & pl.col("has_error")),
            (LOWER, ALWAYS),
        ).alias("class"),
        reason=pl.coalesce("differs", pl.when(~agrees & ~pl.col("has_error")).then(pl.lit(ERROR_UNKNOWN))),
        low=pl.col("difference") - pl.col("half"),
        high=pl.col("difference") + pl.col("half"),
    ).with_columns(_order(agrees, comparable, earlier).alias(_BEST_FIRST))


def _order(agrees: pl.Expr, comparable: pl.Expr, earlier: pl.Expr) -> pl.Expr:
    """The place of a pair among those of one maker's result.

    First come pairs that agree (comparable before not stated, and of each those before the maker's day first), then
    those that are lower, then other comparable ones, then those where one side does not state its condition.
    """
    lowest = pl.col("class").is_in([LOWER, CONTRADICTED])
    silent = pl.col("differs").is_in(SILENT).fill_null(value=False)
    ranks = (agrees & comparable & earlier, agrees & comparable, agrees & earlier, agrees, lowest, comparable, silent)
    order: pl.Expr = pl.lit(len(ranks))
    for rank, holds in reversed(list(enumerate(ranks))):
        order = pl.when(holds).then(rank).otherwise(order)
    return order
