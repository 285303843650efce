"""Tables on a page: a grid that shows texts without reading markup in them, and a link to the rows as CSV."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict, Unpack, cast

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables import TABLES
from benchhealth.analytics.record.tables.declared import Column, Form, heading
from benchhealth.dashboard.published.generation import Params, PublishedTable, View
from benchhealth.dashboard.widgets import empty, links
from benchhealth.dashboard.words.columns import texts
from benchhealth.dashboard.words.numbers import months
from benchhealth.dashboard.words.text import one_line

ROW_LIMIT = 5_000
ROW_HEIGHT = 35
WRAPPED_HEIGHT = 66
"""Pixels; Streamlit wraps texts in rows higher than 64 alone."""
TEXT_AFTER_HASH = r"#(.*)$"
"""A `link_text`: the text of a link is what follows `#` in its address."""
_NO_COUNTS = frozenset({"year", "rank", "rank_low", "rank_high", "rank_low_joint", "rank_high_joint", "k"})
"""Whole numbers that are no counts and are written without separators."""


class Look(TypedDict, total=False):
    """How a grid looks, as far as it is not as usual: the options of `grid` by their names."""

    columns: Sequence["Column | GridColumn"]
    visible_rows: int
    wrapped: bool
    declared_in: Sequence[str]


def show(
    view: View, rows: pl.DataFrame, table: PublishedTable, params: Params, *, alt: str, **look: Unpack[Look]
) -> None:
    """Draw the rows, and below them a link to all as CSV. Tables longer than ROW_LIMIT are cut, as a sentence says."""
    grid(rows.head(ROW_LIMIT), key=table.name, alt=alt, **look)
    cut = f"The first {ROW_LIMIT:,} of {rows.height:,} rows are shown. " if rows.height > ROW_LIMIT else ""
    without = "" if view.all_open() else ", without rows that may not be passed on"
    st.markdown(f"{cut}{links.csv('Download as CSV', table.address(params))}, generation {view.name}{without}.")


@dataclass(frozen=True)
class Listing:
    """A table with a heading and a sentence over it; texts are markdown.

    `sentence` makes the sentence from the view and all rows; `nothing` are the two sentences that stand in place of a
    table without rows; `select` are the columns that are shown (all where none are named).
    """

    title: str
    anchor: str
    table: PublishedTable
    nothing: tuple[str, str]
    sentence: Callable[[View, pl.DataFrame], str]
    alt: str
    select: Sequence[str] = ()
    look: Look = field(default_factory=Look)

    def show(self, view: View) -> None:
        """Draw heading, sentence and table."""
        st.header(self.title, anchor=self.anchor)
        rows = self.table.build(view, {})
        if rows.is_empty():
            empty.nothing(*self.nothing)
            return
        st.markdown(self.sentence(view, rows))
        show(view, rows.select(self.select or pl.all()), self.table, {}, alt=self.alt, **self.look)


def grid(  # noqa: PLR0913
    rows: pl.DataFrame,
    *,
    key: str,
    alt: str,
    columns: Sequence["Column | GridColumn"] = (),
    visible_rows: int = 12,
    wrapped: bool = False,
    declared_in: Sequence[str] = (),
) -> None:
    """The rows alone, scrolling within `visible_rows`. Cells are drawn as text: markup in them stays text.

    A column has the label, format and meaning that `columns` declare, else those of the first table of the contract
    among `declared_in` that has a column of its name; else it is drawn by its type.
    """
    height = WRAPPED_HEIGHT if wrapped else ROW_HEIGHT
    declared = {**columns_in(declared_in, rows.columns), **_by_name(columns, rows.columns)}
    rows = with_stated_precision(_in_display_units(rows, declared))
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
        column_config=cast(
            "dict[str, Any]",
            {
                **_by_type(rows.schema),
                **column_configs(declared.values()),
                **{
                    name: _as_text(declared.get(name), name)
                    for name in DAY_PRECISION
                    if rows.schema.get(name) == pl.String()
                },
            },
        ),
        key=f"grid_{key}",
        alt=alt,
        placeholder="",
    )


@dataclass(frozen=True)
class GridColumn:
    """A declared column with what one grid needs beyond its declaration.

    `width` in pixels; `format` of a number in place of that of its form; `link_text` is the text of a link, or
    TEXT_AFTER_HASH; `right_aligned` for texts that hold numbers; `as_chart` draws a share as a bar and a list of
    numbers as a line, both from 0 to 1.
    """

    column: Column
    width: int | None = None
    pinned: bool = False
    format: str | None = None
    link_text: str = "open"
    right_aligned: bool = False
    as_chart: bool = False


def sized(table: str, **widths: int) -> list[GridColumn]:
    """Columns of this table of the contract by their names, each with its width in pixels."""
    return [GridColumn(TABLES[table].by_name[name], width) for name, width in widths.items()]


def column_configs(columns: Iterable[Column | GridColumn]) -> dict[str, Any]:
    """Streamlit's configuration of each column, by its name."""
    return {_grid_column(column).column.name: column_config(column) for column in columns}


def _by_name(columns: Iterable[Column | GridColumn], names: Iterable[str]) -> dict[str, Column | GridColumn]:
    """The declared columns that are among `names`, by name and in their order."""
    by_name = {_grid_column(column).column.name: column for column in columns}
    return {name: by_name[name] for name in names if name in by_name}


def _in_display_units(rows: pl.DataFrame, declared: Mapping[str, Column | GridColumn]) -> pl.DataFrame:
    """The rows as shown: durations in words, shares in percent, and instants as days where days are declared."""
    forms = {
        name: _grid_column(column).column.form for name, column in declared.items() if not _grid_column(column).as_chart
    }
    shares = [name for name, form in forms.items() if form is Form.PERCENT]
    days = [name for name, form in forms.items() if form is Form.DAY]
    durations = [name for name, form in forms.items() if form is Form.MONTHS]
    return months_in_words(rows, *durations).with_columns(pl.col(shares) * 100, pl.col(days).cast(pl.Date))


DAY_PRECISION: Mapping[str, str] = {
    "dated_on": "date_precision",
    "independent_on": "independent_precision",
    "released_on": "released_precision",
}
"""Each day that a source may state by the month or the year alone, and the column that holds how precise it is."""

_DAY_FORMATS: Mapping[str, str] = {"month": "%Y-%m", "year": "%Y"}


def with_stated_precision(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with the days of DAY_PRECISION as texts, as precise as their source states them (`2021-01`).

    The columns with the precision are dropped; the CSV keeps both.
    """
    pairs = {day: precision for day, precision in DAY_PRECISION.items() if {day, precision} <= set(rows.columns)}
    stated = [
        pl.coalesce(
            *(
                pl.when(pl.col(precision) == kind).then(pl.col(day).dt.strftime(day_format))
                for kind, day_format in _DAY_FORMATS.items()
            ),
            pl.col(day).dt.strftime("%Y-%m-%d"),
        ).alias(day)
        for day, precision in pairs.items()
    ]
    return rows.with_columns(stated).drop(pairs.values())


def _as_text(column: "Column | GridColumn | None", name: str) -> object:
    """The configuration of a column of days that `with_stated_precision` turned into texts."""
    grid_column = None if column is None else _grid_column(column)
    title = _heading_in_words(name) if grid_column is None else grid_column.column.title
    return st.column_config.TextColumn(
        title, help=None if grid_column is None else grid_column.column.meaning, width=90
    )


def _grid_column(column: Column | GridColumn) -> GridColumn:
    return column if isinstance(column, GridColumn) else GridColumn(column)


def columns_in(declared_in: Sequence[str], names: Iterable[str]) -> dict[str, Column]:
    """The declaration of each of the names in these tables of the contract: in the first table that has the column."""
    declared = {name: column for table in reversed(declared_in) for name, column in TABLES[table].by_name.items()}
    return {name: declared[name] for name in names if name in declared}


_KINDS: Mapping[Form, tuple[str, Mapping[str, object]]] = {
    Form.SENTENCE: ("TextColumn", {"width": 340}),
    Form.LINK: ("LinkColumn", {"width": 90}),
    Form.FLAG: ("CheckboxColumn", {"width": 80}),
    Form.DAY: ("DateColumn", {"format": "YYYY-MM-DD"}),
    Form.INSTANT: ("DatetimeColumn", {"format": "YYYY-MM-DD HH:mm"}),
    Form.COUNT: ("NumberColumn", {"format": "localized"}),
    Form.NUMBER: ("NumberColumn", {}),
    Form.SCORE: ("NumberColumn", {}),
    Form.PERCENT: ("NumberColumn", {"format": "%.1f%%"}),
    Form.POINTS: ("NumberColumn", {"format": "%.1f"}),
    Form.PROBABILITY: ("NumberColumn", {"format": "%.3f"}),
}
"""Streamlit's kind of column for each form and its options; columns of other forms are drawn by their type."""
_CHARTS: Mapping[Form, tuple[str, Mapping[str, object]]] = {
    Form.PERCENT: ("ProgressColumn", {"format": "percent", "min_value": 0, "max_value": 1}),
    Form.NUMBERS: ("LineChartColumn", {"y_min": 0, "y_max": 1}),
}


def column_config(column_: Column | GridColumn) -> object:
    """Streamlit's configuration of a declared column: title, format and width by its form, the meaning as help."""
    boxed = _grid_column(column_)
    column = boxed.column
    kind, options = (_CHARTS if boxed.as_chart else _KINDS).get(column.form, ("Column", {}))
    settings: dict[str, object] = {
        "width": boxed.width,
        "pinned": boxed.pinned or None,
        "format": boxed.format,
        "alignment": "right" if boxed.right_aligned else "left" if boxed.link_text == TEXT_AFTER_HASH else None,
        "display_text": boxed.link_text if column.form is Form.LINK else None,
    }
    set_values = {name: value for name, value in settings.items() if value is not None}
    return getattr(st.column_config, kind)(column.title, help=column.meaning, **{**options, **set_values})


def months_in_words(rows: pl.DataFrame, *names: str) -> pl.DataFrame:
    """The rows with these columns of months in words (`6.4 years`); the CSV keeps the numbers."""
    return rows.with_columns(texts(rows[name], months) for name in names)


def intervals_as_text(rows: pl.DataFrame, low: str, high: str, form: str) -> pl.Series:
    """Intervals as text, each end in `form`: `1.0 to 2.5`, `from 1.0` where only that end is known, or null."""
    intervals = []
    for ends in rows.select(low, high).iter_rows():
        first, last = (None if end is None else f"{end:{form}}" for end in ends)
        text = f"{first} to {last}" if first and last else None
        intervals.append(text or (first and f"from {first}") or (last and f"up to {last}"))
    return pl.Series("interval", intervals, dtype=pl.String)


def _by_type(schema: pl.Schema) -> dict[str, object]:
    """How columns without a declaration are drawn: counts, days and instants in their forms, others by Streamlit.

    Their heads are their names in words, since no reader should meet an identifier.
    """
    configs = {}
    for name, kind in schema.items():
        is_count = kind.is_integer() and name not in _NO_COUNTS
        is_instant = isinstance(kind, pl.Datetime)
        form = Form.COUNT if is_count else Form.DAY if kind == pl.Date() else Form.INSTANT if is_instant else None
        column_type, options = ("Column", {}) if form is None else _KINDS[form]
        configs[name] = getattr(st.column_config, column_type)(_heading_in_words(name), **options)
    return configs


def _heading_in_words(name: str) -> str:
    """The head of a column without a declaration: its name in words."""
    return heading(name.replace("_", " "))


def _has_control(texts: pl.Series) -> bool:
    return bool(texts.str.contains(r"[\x00-\x1f\u{2028}\u{2029}\u{202a}-\u{202e}\u{2066}-\u{2069}]").any())
