"""Tables of published text: drawn on a grid that knows no markup, with a CSV that holds no formulas."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables import TABLES
from benchhealth.analytics.record.tables.declared import Column, Form, heading
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.tables import Params, PublishedTable
from benchhealth.dashboard.widgets import empty, links
from benchhealth.dashboard.words.columns import texts
from benchhealth.dashboard.words.numbers import months
from benchhealth.dashboard.words.text import one_line

ROW_LIMIT = 5_000
ROW_HEIGHT = 35
WRAPPED_HEIGHT = 66
"""Pixels; Streamlit wraps texts in rows higher than 64 alone."""
NAMED = r"#(.*)$"
"""Says a link by what stands behind `#` in its address."""
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
    columns: Sequence["Column | Shown"] = (),
    visible_rows: int = 12,
    wrapped: bool = False,
    of: Sequence[str] = (),
) -> None:
    """The rows with a link to all of them as CSV. Longer tables than ROW_LIMIT are cut on screen, and say so."""
    grid(rows.head(ROW_LIMIT), key=key, alt=alt, columns=columns, visible_rows=visible_rows, wrapped=wrapped, of=of)
    cut = f"The first {ROW_LIMIT:,} of {rows.height:,} rows are shown. " if rows.height > ROW_LIMIT else ""
    without = "" if view.all_open() else ", without rows that may not be passed on"
    st.markdown(f"{cut}{links.csv('Download as CSV', table.address(params))}, generation {view.name}{without}.")


@dataclass(frozen=True)
class Listing:
    """A table with its heading and a sentence over it, and what is said where it has no rows; texts are markdown.

    `sentence` gets the view and all rows; `select` are the columns that are shown, without any all of them.
    """

    title: str
    anchor: str
    table: PublishedTable
    nothing: tuple[str, str]
    sentence: Callable[[View, pl.DataFrame], str]
    alt: str
    select: Sequence[str] = ()
    columns: Sequence["Column | Shown"] = ()
    of: Sequence[str] = ()
    visible_rows: int = 12

    def show(self, view: View) -> None:
        """Draw heading, sentence and table."""
        st.header(self.title, anchor=self.anchor)
        rows = self.table.build(view, {})
        if rows.is_empty():
            empty.nothing(*self.nothing)
            return
        st.markdown(self.sentence(view, rows))
        show(
            view,
            rows.select(self.select or pl.all()),
            self.table,
            {},
            key=self.anchor.replace("-", "_"),
            alt=self.alt,
            columns=self.columns,
            visible_rows=self.visible_rows,
            of=self.of,
        )


def grid(  # noqa: PLR0913
    rows: pl.DataFrame,
    *,
    key: str,
    alt: str,
    columns: Sequence["Column | Shown"] = (),
    visible_rows: int = 12,
    wrapped: bool = False,
    of: Sequence[str] = (),
) -> None:
    """The rows alone, scrolling within `visible_rows`. Cells are drawn as text: markup in them stays text.

    Columns of the tables `of` the contract have the label, format and meaning that they are declared with, the first
    that has a column of that name; what is declared in `columns` goes before that. A column that is
    neither is drawn by its type.
    """
    height = WRAPPED_HEIGHT if wrapped else ROW_HEIGHT
    declared = {**columns_in(of, rows.columns), **_by_name(columns, rows.columns)}
    rows = as_stated(_written(rows, declared))
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
                **_usual(rows.schema),
                **configured(declared.values()),
                **{name: _as_text(declared.get(name), name) for name in STATED if rows.schema.get(name) == pl.String()},
            },
        ),
        key=f"grid_{key}",
        alt=alt,
        placeholder="",
    )


@dataclass(frozen=True)
class Shown:
    """A declared column with what one grid needs beyond its declaration.

    `width` in pixels; `format` of a number in place of that of its form; `says` is the text of a link, or NAMED;
    `right` sets texts that hold numbers as numbers are; `picture` draws a share as a bar, numbers as a line, 0 to 1.
    """

    column: Column
    width: int | None = None
    pinned: bool = False
    format: str | None = None
    says: str = "open"
    right: bool = False
    picture: bool = False


def configured(columns: Iterable[Column | Shown]) -> dict[str, Any]:
    """The columns by name as Streamlit is told of them."""
    return {one.column.name if isinstance(one, Shown) else one.name: drawn(one) for one in columns}


def _by_name(columns: Iterable[Column | Shown], names: Iterable[str]) -> dict[str, Column | Shown]:
    """The columns, by name, of which the rows have cells; in the order of `names`."""
    named = {one.column.name if isinstance(one, Shown) else one.name: one for one in columns}
    return {name: named[name] for name in names if name in named}


def _written(rows: pl.DataFrame, declared: Mapping[str, Column | Shown]) -> pl.DataFrame:
    """The rows with durations in words, shares in percent, and instants without their time where a day is declared."""
    forms = {name: _shown(one).column.form for name, one in declared.items() if not _shown(one).picture}
    shares = [name for name, form in forms.items() if form is Form.PERCENT]
    days = [name for name, form in forms.items() if form is Form.DAY]
    lasting = [name for name, form in forms.items() if form is Form.MONTHS]
    return durations(rows, *lasting).with_columns(pl.col(shares) * 100, pl.col(days).cast(pl.Date))


STATED: Mapping[str, str] = {
    "dated_on": "date_precision",
    "independent_on": "independent_precision",
    "released_on": "released_precision",
}
"""Days that a source may state by the month or the year, and the column that says so."""

_SIGNS: Mapping[str, str] = {"month": "%Y-%m", "year": "%Y"}


def as_stated(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with each of the STATED days as exactly as its source states it, `2021-01`; files keep both columns."""
    pairs = {day: exact for day, exact in STATED.items() if {day, exact} <= set(rows.columns)}
    stated = [
        pl.coalesce(
            *(pl.when(pl.col(exact) == kind).then(pl.col(day).dt.strftime(sign)) for kind, sign in _SIGNS.items()),
            pl.col(day).dt.strftime("%Y-%m-%d"),
        ).alias(day)
        for day, exact in pairs.items()
    ]
    return rows.with_columns(stated).drop(pairs.values())


def _as_text(one: "Column | Shown | None", name: str) -> object:
    """A day that is drawn as text, as days are drawn beside it."""
    shown = None if one is None else _shown(one)
    title = _worded(name) if shown is None else shown.column.title
    return st.column_config.TextColumn(title, help=None if shown is None else shown.column.meaning, width=90)


def _shown(one: Column | Shown) -> Shown:
    return one if isinstance(one, Shown) else Shown(one)


def columns_in(of: Sequence[str], names: Iterable[str]) -> dict[str, Column]:
    """Those of the names that are columns of these tables of the contract, the first table that has one."""
    declared = {name: column for table in reversed(of) for name, column in TABLES[table].by_name.items()}
    return {name: declared[name] for name in names if name in declared}


_DRAWN: Mapping[Form, tuple[str, Mapping[str, object]]] = {
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
"""How a grid draws a column of each form; the others as they are."""
_PICTURES: Mapping[Form, tuple[str, Mapping[str, object]]] = {
    Form.PERCENT: ("ProgressColumn", {"format": "percent", "min_value": 0, "max_value": 1}),
    Form.NUMBERS: ("LineChartColumn", {"y_min": 0, "y_max": 1}),
}


def drawn(one: Column | Shown) -> object:
    """A declared column as a grid draws it: title, format and width by its form, its meaning on its head."""
    shown = _shown(one)
    column = shown.column
    kind, options = (_PICTURES if shown.picture else _DRAWN).get(column.form, ("Column", {}))
    settings: dict[str, object] = {
        "width": shown.width,
        "pinned": shown.pinned or None,
        "format": shown.format,
        "alignment": "right" if shown.right else "left" if shown.says == NAMED else None,
        "display_text": shown.says if column.form is Form.LINK else None,
    }
    given = {name: value for name, value in settings.items() if value is not None}
    return getattr(st.column_config, kind)(column.title, help=column.meaning, **{**options, **given})


def durations(rows: pl.DataFrame, *names: str) -> pl.DataFrame:
    """The rows with these columns of months as durations are written, `6.4 years`; the CSV keeps the numbers."""
    return rows.with_columns(texts(rows[name], months) for name in names)


def spans(rows: pl.DataFrame, low: str, high: str, form: str = ",.1f", factor: float = 1.0) -> pl.Series:
    """Intervals as text, each end in `form`: `1.0 to 2.5`, `from 1.0` where only that end is known, or null."""
    intervals = []
    for ends in rows.select(pl.col(low, high) * factor).iter_rows():
        first, last = (None if end is None else f"{end:{form}}" for end in ends)
        both = f"{first} to {last}" if first and last else None
        intervals.append(both or (first and f"from {first}") or (last and f"up to {last}"))
    return pl.Series("interval", intervals, dtype=pl.String)


def _usual(schema: pl.Schema) -> dict[str, object]:
    """Days as days and instants to the minute, both in ISO order; counts with the reader's own separators.

    No identifier reaches a reader: its parts are words.
    """
    columns = st.column_config
    worded = {name: columns.Column(_worded(name)) for name in schema}
    counts = {
        name: columns.NumberColumn(_worded(name), format="localized")
        for name, kind in schema.items()
        if kind.is_integer() and name not in _NO_COUNTS
    }
    days = {
        name: columns.DateColumn(_worded(name), format="YYYY-MM-DD")
        for name, kind in schema.items()
        if kind == pl.Date()
    }
    instants = {
        name: columns.DatetimeColumn(_worded(name), format="YYYY-MM-DD HH:mm")
        for name, kind in schema.items()
        if isinstance(kind, pl.Datetime)
    }
    return {**worded, **counts, **days, **instants}


def _worded(name: str) -> str:
    """The head of a column that nobody declared: its name in words."""
    return heading(name.replace("_", " "))


def _has_control(texts: pl.Series) -> bool:
    return bool(texts.str.contains(r"[\x00-\x1f\u{2028}\u{2029}\u{202a}-\u{202e}\u{2066}-\u{2069}]").any())
