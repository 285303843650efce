"""Texts of a whole column, made by Python in the thread that asks for them.

Not by `map_elements` in an expression: Polars then runs Python on a thread of its pool, which waits for the lock of
the interpreter. `DataFrame.to_pandas`, which Streamlit calls for every table, waits for that pool and holds the lock
meanwhile. Two readers at the wrong moment, and no page is ever answered again.
"""

from collections.abc import Callable
from typing import Any

import polars as pl


def texts(values: pl.Series, say: Callable[[Any], str]) -> pl.Series:
    """The text of each value, as a column of the same name; null stays null. Of a struct, `say` gets a mapping."""
    sentences = [None if value is None else say(value) for value in values.to_list()]
    return pl.Series(values.name, sentences, dtype=pl.String)
