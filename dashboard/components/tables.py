"""Tables of published text: drawn on a grid that knows no markup, with a CSV that holds no formulas."""

from collections.abc import Mapping
from typing import Any, cast

import polars as pl
import streamlit as st

from dashboard.components.text import one_line
from dashboard.generation import View
from dashboard.page import Params, PublishedTable

ROW_LIMIT = 5_000
ROW_HEIGHT = 35


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
) -> None:
    """The rows with a link to all of them as CSV. Longer tables than ROW_LIMIT are cut on screen, and say so."""
    grid(rows.head(ROW_LIMIT), key=key, alt=alt, config=config, visible_rows=visible_rows)
    cut = f"The first {ROW_LIMIT:,} of {rows.height:,} rows are shown. " if rows.height > ROW_LIMIT else ""
    st.markdown(f"{cut}[Download as CSV](<{table.address(params)}>), generation {view.name}.")


def grid(
    rows: pl.DataFrame,
    *,
    key: str,
    alt: str,
    config: Mapping[str, object] | None = None,
    visible_rows: int = 12,
) -> None:
    """The rows alone, scrolling within `visible_rows`. Cells are drawn as text: markup in them stays text."""
    clean = rows.with_columns(
        pl.col(name).map_elements(one_line, return_dtype=pl.String)
        for name, kind in rows.schema.items()
        if kind == pl.String() and _has_control(rows[name])
    )
    st.dataframe(
        clean,
        hide_index=True,
        height=(min(rows.height, visible_rows) + 1) * ROW_HEIGHT + 3,
        column_config=cast("dict[str, Any]", {**_calendar(rows.schema), **(config or {})}),
        key=f"grid_{key}",
        alt=alt,
        placeholder="",
    )


def _calendar(schema: pl.Schema) -> dict[str, object]:
    """Days as days and instants to the minute, both in ISO order."""
    columns = st.column_config
    days = {name: columns.DateColumn(name, format="YYYY-MM-DD") for name, kind in schema.items() if kind == pl.Date()}
    instants = {
        name: columns.DatetimeColumn(name, format="YYYY-MM-DD HH:mm")
        for name, kind in schema.items()
        if isinstance(kind, pl.Datetime)
    }
    return {**days, **instants}


def _has_control(texts: pl.Series) -> bool:
    return bool(texts.str.contains(r"[\x00-\x1f\u{2028}\u{2029}\u{202a}-\u{202e}\u{2066}-\u{2069}]").any())
