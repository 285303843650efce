"""Whose number a result is: the maker's claim, what others measured, or one of which nobody says who measured."""

import polars as pl

from benchhealth.analytics.record.origins.houses import SELF
from benchhealth.analytics.record.origins.origins import RESULT_KEY, with_passed_on

SUBMITTED = ("alpaca-eval", "mteb", "swe-bench")
"""Sources in which a result counts as self-reported when whoever submitted it ran it, who need not be the maker; on
swe-bench the score is moreover that of a scaffold."""


def is_claim() -> pl.Expr:
    """Whether a maker reports a result of its own model, or whoever handed it in to a board that did not run it."""
    return pl.col("reporter").eq_missing(SELF)


def is_by_others() -> pl.Expr:
    """Whether a result is measured by somebody else than the maker: what confirms, and all that is confirmed.

    What a place only passes on (`passed_on`: a paper on others' models, a collection that does not say who measured) is
    neither that nor a claim.
    """
    return ~is_claim() & ~pl.col("passed_on").fill_null(value=False)


def is_makers() -> pl.Expr:
    """Whether it is certain that the maker itself reports a result: a claim, and not one that anybody may hand in."""
    return is_claim() & ~pl.col("source_id").is_in(SUBMITTED)


def with_sides(results: pl.LazyFrame, measurer: pl.DataFrame, copy: pl.DataFrame) -> pl.LazyFrame:
    """Results with `side`: `self`, `others`, or null where nobody says who measured.

    `results` have the columns of `frames.RESULT`, `measurer` is the frame and `copy` the table of that name: a number
    that is printed again is of who reported and measured the original.
    """
    named = ["board_id", "source_id", "printed_in"]
    passed_on = with_passed_on(results.select(*named, "reporter").unique().collect(), measurer)
    origin = copy.select(*RESULT_KEY, "origin_reporter", known=pl.col("measured_by").is_not_null())
    side = pl.when(is_makers()).then(pl.lit(SELF)).when(is_by_others()).then(pl.lit("others"))
    of_original = (
        results.join(passed_on.lazy(), on=[*named, "reporter"], how="left", nulls_equal=True, maintain_order="left")
        .join(origin.lazy(), on=RESULT_KEY, how="left", maintain_order="left")
        .with_columns(
            printed_by="reporter",
            reporter=pl.coalesce("origin_reporter", "reporter"),
            passed_on=pl.col("passed_on") & ~pl.col("known").fill_null(value=False),
        )
    )
    return of_original.with_columns(side=side, reporter="printed_by").drop(
        "printed_by", "passed_on", "origin_reporter", "known"
    )
