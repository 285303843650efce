"""How exactly a day is stated: some sources give the month or the year of a paper or of a release, and no day.

What is stored of a month or a year is its first day. A result counts in time from the last day of it, the first by
which it is certain to have been known; what else is of a day within it comes before or after it, nobody knows which.
"""

from collections.abc import Mapping

import polars as pl

DAY, MONTH, YEAR = "day", "month", "year"

IMPORTED_SOURCE = "import"
"""The `source_id` of results that a user imported."""

COARSEST: Mapping[str, str] = {
    "ito": MONTH,
    "milestones": MONTH,
    "nlp-progress": YEAR,
    "sota-extractor": YEAR,
    IMPORTED_SOURCE: MONTH,
}
"""Sources that date results by the month of a paper, or by the year of a citation alone. A first of a month of theirs
is the month, and a first of January of those with years the year: that may say less than they do, and never more."""

MONTHS_OF_RELEASES = ("models-dev", IMPORTED_SOURCE)
"""Lists that give the month of some releases: their first of a month is no day."""


def stated_precision() -> pl.Expr:
    """The precision of the day `dated_on` of a stored result, null without one."""
    day, source_id = pl.col("dated_on"), pl.col("source_id")
    is_month = (day.dt.day() == 1) & source_id.is_in(list(COARSEST))
    is_year = is_month & (day.dt.month() == 1) & source_id.is_in(_sources_with(YEAR))
    return (
        pl.when(is_year).then(pl.lit(YEAR)).when(is_month).then(pl.lit(MONTH)).when(day.is_not_null()).then(pl.lit(DAY))
    )


def last_day(day: pl.Expr, precision: pl.Expr) -> pl.Expr:
    """The last day that a date can be of: 31 January of a January."""
    return (
        pl.when(precision == YEAR)
        .then(day.dt.truncate("1y").dt.offset_by("1y").dt.offset_by("-1d"))
        .when(precision == MONTH)
        .then(day.dt.month_end())
        .otherwise(day)
    )


def first_day(day: pl.Expr, precision: pl.Expr) -> pl.Expr:
    """The first day that a date can be of: 1 January of a January."""
    return (
        pl.when(precision == YEAR)
        .then(day.dt.truncate("1y"))
        .when(precision == MONTH)
        .then(day.dt.month_start())
        .otherwise(day)
    )


def _sources_with(precision: str) -> list[str]:
    return [source_id for source_id, coarsest in COARSEST.items() if coarsest == precision]
