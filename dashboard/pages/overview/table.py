"""The table of the overview: one row a benchmark, in grey where no source was read for six months."""

from collections.abc import Mapping
from html import escape
from typing import Any, NamedTuple

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables.declared import count as counts
from benchhealth.analytics.record.tables.declared import link, numbers, percent, text
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.overview.figures.lanes import sparkline
from benchhealth.dashboard.published.answers import numbers_to
from benchhealth.dashboard.published.benchmarks import benchmarks, is_fresh, is_old, named_stage
from benchhealth.dashboard.published.generation import Params, PublishedTable, View
from benchhealth.dashboard.widgets import block, filters, links, replay, tables
from benchhealth.dashboard.widgets.tables import TEXT_AFTER_HASH, GridColumn, column_configs
from benchhealth.dashboard.words.answers.parts import room
from benchhealth.dashboard.words.numbers import month_of, room_interval
from benchhealth.dashboard.words.stages import FLAG_WORDS, ORDER, STAGE_WORDS, stage_cell, stage_label
from benchhealth.dashboard.words.text import count, markdown, one_line

ORDERS = {
    "room": ("Most room", ["headroom", "name"], [True, False]),
    "lately": ("Saturated lately", ["is_saturated", "since", "name"], [True, True, False]),
    "makers": ("Most reported", ["makers", "name"], [True, False]),
    "known": ("Known latest", ["known_until", "name"], [True, False]),
    "name": ("A to Z", ["name_folded"], [False]),
}
ROWS = 400
"""How many rows are sent to the browser; the rest is in the CSV."""

MOST_NAMED = 24
"""How many benchmarks that pass the filters are named in text above the table."""

PHONE_ROWS, PHONE_ROWS_CHOSEN = 12, 60
"""How many rows a narrow screen lists, without filters and with them."""


COLUMNS = (
    GridColumn(link("Benchmark", "The benchmark."), link_text=TEXT_AFTER_HASH, pinned=True, width=272),
    GridColumn(text("Stage", "Whether it still measures."), width=125),
    GridColumn(numbers("Best so far", "The best score by date, as a share of the scale."), width=110, as_chart=True),
    GridColumn(
        percent("Headroom", "The share of the way from chance to the ceiling that is left."), width=115, as_chart=True
    ),
    GridColumn(text("95% interval", "The 95% interval of the headroom."), width=95),
    GridColumn(counts("Models", "Models with a result."), width=66),
    GridColumn(text("Flags", "What else is known of it."), width=212),
    GridColumn(text("Known until", "The month until which results are known."), width=85),
)


LIST = PublishedTable(
    "benchmarks", lambda view, _params: benchmarks(view).drop("frontier", "label", "of_curated", "as_of", "age_months")
)


class _Contents(NamedTuple):
    """What `show` draws.

    `cells` are those of the wide table, `is_fresh` whether a source of each row was read lately. `narrow_rows` are the
    rows for narrow screens as HTML, and `links_to_the_rest` is a sentence with links to the rows that these omit.
    `names_in_text` has the names of the benchmarks where few are chosen, else nothing.
    """

    cells: pl.DataFrame
    is_fresh: list[bool]
    names_in_text: str
    narrow_rows: str
    links_to_the_rest: str


def show(view: View, chosen: pl.DataFrame, params: Params) -> None:
    """Draw the table; on a phone a list of the same rows takes its place (see document.css)."""
    heading, order_box = st.columns([2, 3], vertical_alignment="bottom")
    with heading:
        st.header("Every benchmark" if not params else count(chosen.height, "benchmark"), anchor="benchmarks")
    with order_box:
        order = filters.segments("order", "Order", {key: label for key, (label, *_) in ORDERS.items()}, wide=True)
    key = ("table of the map", block.palette().dark, *params.items(), order)
    contents = view.recent(key, lambda: _contents(chosen, numbers_to(view, "room"), order, params))
    with st.container(key="wide_list"):
        if contents.names_in_text:
            st.markdown(contents.names_in_text)
        replay.once(view, key, lambda: _grid(contents.cells, contents.is_fresh))
    with st.container(key="narrow_list"):
        st.html(contents.narrow_rows)
        st.markdown(contents.links_to_the_rest)
    first_rows = f"The first {ROWS} of {chosen.height:,}. " if chosen.height > ROWS else ""
    st.markdown(
        f":small[{first_rows}{links.csv(f'Download all {benchmarks(view).height:,} as CSV', LIST.address({}))} · grey: "
        "no source read for six months or more]"
    )


def ordered_benchmarks(rows: pl.DataFrame, order: str) -> pl.DataFrame:
    """The rows of `published.benchmarks` in one of ORDERS; those that were not read for six months come last."""
    _, columns, descending = ORDERS[order]
    ready = rows.with_columns(
        is_saturated=pl.col("stage") == "saturated", name_folded=pl.col("name").str.to_lowercase()
    )
    return ready.sort(is_old(), *columns, descending=[False, *descending], nulls_last=True)


def _contents(chosen: pl.DataFrame, rooms: Mapping[str, str], order: str, params: Params) -> _Contents:
    """The first ROWS of the chosen benchmarks in this order; `rooms` has the answer about the room by benchmark_id."""
    rows = ordered_benchmarks(chosen, order).head(ROWS).with_columns(is_fresh=is_fresh())
    return _Contents(
        cells=_cells(rows),
        is_fresh=rows["is_fresh"].to_list(),
        names_in_text=_names_in_text(rows) if params and chosen.height <= MOST_NAMED else "",
        narrow_rows=_narrow_rows(rows, rooms, params),
        links_to_the_rest=_links_to_the_rest(chosen, params),
    )


def _names_in_text(rows: pl.DataFrame) -> str:
    """The names as links in text. The grid is drawn on a canvas, which screen readers and keyboards cannot reach."""
    named = (
        f"[{markdown(label)}](<{links.address('benchmark', benchmark=key)}>)"
        f"{'' if is_known else f' ({month_of(until)})' if until else ''}"
        for key, label, is_known, until in rows.select("benchmark_id", "label", "is_fresh", "known_until").iter_rows()
    )
    return f":small[{' · '.join(named)}]"


def _cells(rows: pl.DataFrame) -> pl.DataFrame:
    opened = [
        links.grid_address("benchmark", key, name) for key, name in rows.select("benchmark_id", "name").iter_rows()
    ]
    # As text: for a styled table Streamlit writes every cell out, and lists of numbers cost it half of a rerun.
    curves = rows["frontier"].list.eval(pl.element().round(2).cast(pl.String)).list.join(",").fill_null("")
    return pl.DataFrame(
        {
            "Benchmark": opened,
            "Stage": [stage_cell(*row) for row in rows.select("stage", "between").iter_rows()],
            "Best so far": curves,
            "Headroom": rows["headroom"].round(2),
            "95% interval": [
                (f"{room({'value': left, 'bound': 'at_least'})} left" if at_least and left is not None else "")
                or room_interval(low, high)
                or ("" if left is None else "not known")
                for at_least, low, high, left in rows.select(
                    "at_least", "headroom_low", "headroom_high", "headroom"
                ).iter_rows()
            ],
            "Models": rows["models"],
            "Flags": [", ".join(FLAG_WORDS[flag] for flag in flags) for flags in rows["flags"]],
            "Known until": [month_of(day) for day in rows["known_until"]],
        }
    )


def _grid(cells: pl.DataFrame, is_fresh: list[bool]) -> None:
    grey = f"color: {block.palette().ink3}"
    colours = ["" if fresh else grey for fresh in is_fresh]
    st.dataframe(
        # With a name of its own: a random one would make it another message each time.
        cells.to_pandas().style.set_uuid("benchmarks").apply(lambda _column: colours, axis=0),
        hide_index=True,
        height=min(len(is_fresh), 20) * tables.ROW_HEIGHT + tables.ROW_HEIGHT + 3,
        row_height=tables.ROW_HEIGHT,
        column_config=column_configs(COLUMNS),
        key="grid_benchmarks",
        alt="Benchmarks with stage, curve, headroom, models, flags and the month until which they are known",
        placeholder="",
    )


def _narrow_rows(rows: pl.DataFrame, rooms: Mapping[str, str], params: Params) -> str:
    """The rows for narrow screens as HTML: name and stage, curve, headroom, and the month until which it is known."""
    drawn = rows.head(PHONE_ROWS_CHOSEN if params else PHONE_ROWS)
    palette = block.palette()
    lines = [_narrow_line(row, rooms.get(row["benchmark_id"], ""), palette) for row in drawn.iter_rows(named=True)]
    return f'<div class="rows">{"".join(lines)}</div>'


def _links_to_the_rest(rows: pl.DataFrame, params: Params) -> str:
    """Links by stage to the rows that narrow screens omit, as markdown."""
    if params:
        return f":small[The first {PHONE_ROWS_CHOSEN} of {rows.height:,}.]" if rows.height > PHONE_ROWS_CHOSEN else ""
    counts = dict(rows.group_by(stage=named_stage()).len().iter_rows())
    stage_links = [
        f"[{STAGE_WORDS[stage].lower()} {counts[stage]:,}]({links.address('overview', stage=stage)})"
        for stage in ORDER
        if stage in counts
    ]
    return f":small[All {rows.height:,}, in use or not: {' · '.join(stage_links)}]"


def _narrow_line(row: Mapping[str, Any], left: str, palette: Palette) -> str:
    url = escape(links.address("benchmark", benchmark=row["benchmark_id"]), quote=True)
    colour = palette.stages["unknown" if row["between"] or not row["is_fresh"] else row["stage"]].text
    until = month_of(row["known_until"]) if row["known_until"] else "no result"
    first, _, detail = left.partition("; ")
    below = f"{detail}, {until}" if detail else until
    return (
        f'<div><span><a href="{url}">{escape(one_line(row["name"]))}</a>'
        f'<small style="color:{colour}">{stage_label(row["stage"], row["between"])}</small></span>'
        f"{sparkline(row['frontier'], palette)}"
        f"<span>{escape(first) or '&nbsp;'}<small>{escape(below)}</small></span></div>"
    )
