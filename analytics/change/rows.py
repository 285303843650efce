"""How the kinds of change become rows of one table."""

import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED

SCHEMA = PUBLISHED["change"]
BY_WHOM = ("made_on", "against")
"""Columns that say which generation the change was made in: filled for all rows at once."""


def filled(part: pl.DataFrame) -> pl.DataFrame:
    """The rows with every column of the table `change` but BY_WHOM; those that a kind does not have are null."""
    return part.select(
        (pl.col(name) if name in part.columns else pl.lit(None)).cast(kind).alias(name)
        for name, kind in SCHEMA.items()
        if name not in BY_WHOM
    )


def counted(number: pl.Expr, one: str, many: str | None = None) -> pl.Expr:
    """A count with its noun, as text: `1 model`, `12 models`."""
    noun = pl.when(number == 1).then(pl.lit(one)).otherwise(pl.lit(many or f"{one}s"))
    return pl.format("{} {}", number, noun)


def day_words(day: pl.Expr) -> pl.Expr:
    """A day as text: `21 Nov 2025`."""
    return pl.concat_str(day.dt.day().cast(pl.String), day.dt.strftime(" %b %Y"))


def whole(column: str = "benchmark_id") -> pl.Expr:
    """Whether the benchmark is a whole one: of parts nothing is said on their own."""
    return ~pl.col(column).str.contains("/", literal=True)
