"""Tables of published text: drawn on a grid that knows no markup, with a CSV that holds no formulas."""

from collections.abc import Mapping
from typing import Any, cast

import polars as pl
import streamlit as st

from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.tables import Params, PublishedTable
from benchhealth.dashboard.words.columns import texts
from benchhealth.dashboard.words.text import one_line

ROW_LIMIT = 5_000
ROW_HEIGHT = 35
WRAPPED_HEIGHT = 66
"""Pixels; Streamlit wraps texts in rows higher than 64 alone."""
PERCENT = "%.1f%%"
"""The format of a column that went through `percents`."""
_NO_COUNTS = frozenset({"year", "rank", "rank_low", "rank_high", "rank_low_joint", "rank_high_joint", "k"})
"""Whole numbers that are no counts and are written without separators."""


def show(  # noqa: PLR0913
    view: View,
    rows: pl.DataFrame,
    table: PublishedTable,
    params: Params,
    *,
    key: str,
    alt: str,
    config: Mapping[str, object] | None = None,
    visible_rows: int = 12,
    wrapped: bool = False,
) -> None:
    """The rows with a link to all of them as CSV. Longer tables than ROW_LIMIT are cut on screen, and say so."""
    grid(rows.head(ROW_LIMIT), key=key, alt=alt, config=config, visible_rows=visible_rows, wrapped=wrapped)
    cut = f"The first {ROW_LIMIT:,} of {rows.height:,} rows are shown. " if rows.height > ROW_LIMIT else ""
    without = "" if view.all_open() else ", without rows that may not be passed on"
    st.markdown(f"{cut}[Download as CSV](<{table.address(params)}>), generation {view.name}{without}.")


def grid(  # noqa: PLR0913
    rows: pl.DataFrame,
    *,
    key: str,
    alt: str,
    config: Mapping[str, object] | None = None,
    visible_rows: int = 12,
    wrapped: bool = False,
) -> None:
    """The rows alone, scrolling within `visible_rows`. Cells are drawn as text: markup in them stays text.

    Long texts are cut at the width of their column, or `wrapped` in rows that are higher for all.
    """
    height = WRAPPED_HEIGHT if wrapped else ROW_HEIGHT
    clean = rows.with_columns(
        texts(rows[name], one_line)
        for name, kind in rows.schema.items()
        if kind == pl.String() and _has_control(rows[name])
    )
    st.dataframe(
        clean,
        hide_index=True,
        height=min(rows.height, visible_rows) * height + ROW_HEIGHT + 3,
        row_height=height,
        column_config=cast("dict[str, Any]", {**_usual(rows.schema), **(config or {})}),
        key=f"grid_{key}",
        alt=alt,
        placeholder="",
    )


def percents(rows: pl.DataFrame, *names: str) -> pl.DataFrame:
    """The rows with these shares in percent, for columns of the format PERCENT; the CSV keeps them as shares."""
    return rows.with_columns(pl.col(*names) * 100)


def spans(rows: pl.DataFrame, low: str, high: str, form: str = ",.1f", factor: float = 1.0) -> pl.Series:
    """Intervals as text, each end in `form`: `1.0 to 2.5`, `from 1.0` where only that end is known, or null."""
    said = []
    for ends in rows.select(pl.col(low, high) * factor).iter_rows():
        first, last = (None if end is None else f"{end:{form}}" for end in ends)
        both = f"{first} to {last}" if first and last else None
        said.append(both or (first and f"from {first}") or (last and f"up to {last}"))
    return pl.Series("interval", said, dtype=pl.String)


def _usual(schema: pl.Schema) -> dict[str, object]:
    """Days as days and instants to the minute, both in ISO order; counts with the reader's own separators.

    No identifier reaches a reader: its parts are words.
    """
    columns = st.column_config
    worded = {name: columns.Column(name.replace("_", " ")) for name in schema if "_" in name}
    counts = {
        name: columns.NumberColumn(name.replace("_", " "), format="localized")
        for name, kind in schema.items()
        if kind.is_integer() and name not in _NO_COUNTS
    }
    days = {
        name: columns.DateColumn(name.replace("_", " "), format="YYYY-MM-DD")
        for name, kind in schema.items()
        if kind == pl.Date()
    }
    instants = {
        name: columns.DatetimeColumn(name.replace("_", " "), format="YYYY-MM-DD HH:mm")
        for name, kind in schema.items()
        if isinstance(kind, pl.Datetime)
    }
    return {**worded, **counts, **days, **instants}


def _has_control(texts: pl.Series) -> bool:
    return bool(texts.str.contains(r"[\x00-\x1f\u{2028}\u{2029}\u{202a}-\u{202e}\u{2066}-\u{2069}]").any())
