"""How the kinds of change become rows of one table."""

import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED

SCHEMA = PUBLISHED["change"]
BY_WHOM = ("made_on", "against")
"""Columns that say which generation the change was made in: filled for all rows at once."""

ANOTHER_SCALE = "scale|moved|reset|rules"
"""Breaks, as a pattern of their kinds, across which two best scores are not compared."""


def filled(part: pl.DataFrame) -> pl.DataFrame:
    """The rows with every column of the table `change` but BY_WHOM; those that a kind does not have are null."""
    return part.select(
        (pl.col(name) if name in part.columns else pl.lit(None)).cast(kind).alias(name)
        for name, kind in SCHEMA.items()
        if name not in BY_WHOM
    )
