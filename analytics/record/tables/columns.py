"""The types of columns that tables are declared with."""

import polars as pl

TEXT = pl.String()
NUMBER = pl.Float64()
COUNT = pl.Int64()
FLAG = pl.Boolean()
DAY = pl.Date()
INSTANT = pl.Datetime("us")
TEXTS = pl.List(pl.String())
NUMBERS = pl.List(pl.Float64())


def schema(**columns: pl.DataType) -> pl.Schema:
    """A table: its columns in their order, each with its type."""
    return pl.Schema(columns)
