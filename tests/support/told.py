"""Tables of analytics with their sentences, as they are published."""

import polars as pl

from benchhealth.dashboard.words.prose.cases import with_sentences


def told(table: pl.DataFrame, column: str = "reason") -> pl.DataFrame:
    """The rows with the sentence of each one's case."""
    return with_sentences(table.with_columns(pl.lit(None, pl.String).alias(column)), column)
