"""The ranks that errors leave open, in words: of one model by itself, and of all at once."""

from collections.abc import Mapping
from typing import Any

import polars as pl

Facts = Mapping[str, Any]


def span(low: int, high: int) -> str:
    """A range of ranks as it is written: `3`, or `1 to 4`."""
    return f"{low}" if low == high else f"{low} to {high}"


def rank_line(row: Facts) -> str:
    """`rank 1 to 3; with all models at once 1 to 5`, and how many others it was compared with item by item."""
    if row["rank_low"] is None:
        return "ranks not known"
    alone = f"rank {span(row['rank_low'], row['rank_high'])}"
    if row["rank_low_joint"] is None:
        return alone
    paired = f"; item by item with {row['paired']}" if row["paired"] else ""
    return f"{alone}; all ranks at once: {span(row['rank_low_joint'], row['rank_high_joint'])}{paired}"


def how_compared(rows: pl.DataFrame) -> str:
    """What the ranks of a board rest on: `, compared item by item` where its models answered the same items."""
    with_items = rows.filter(pl.col("paired") > 0).height
    if not with_items:
        return ""
    return ", compared item by item" if with_items == rows.height else f", {with_items} compared item by item"
