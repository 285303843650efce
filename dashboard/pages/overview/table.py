"""The table of the overview: a row a benchmark, shaded by the age of what is known."""

import polars as pl
import streamlit as st

from dashboard.published.benchmarks import benchmarks, is_old
from dashboard.published.generation import View
from dashboard.published.tables import Params, PublishedTable
from dashboard.widgets import block, links, tables
from dashboard.words.numbers import month_of, percent, percent_interval
from dashboard.words.stages import FLAG_WORDS, stage_badge, stage_label
from dashboard.words.text import count, markdown

ORDERS = {
    "room": ("Most room", ["headroom", "name"], [True, False]),
    "lately": ("Saturated lately", ["is_saturated", "since", "name"], [True, True, False]),
    "makers": ("Most reported", ["makers", "name"], [True, False]),
    "known": ("Known latest", ["known_until", "name"], [True, False]),
    "name": ("A to Z", ["name_folded"], [False]),
}
ROWS = 400
"""So many rows are sent; the rest is in the CSV."""


def _list(view: View, _params: Params) -> pl.DataFrame:
    return benchmarks(view).drop("frontier", "as_of", "age_months")


LIST = PublishedTable("benchmarks", _list)


def show(view: View, chosen: pl.DataFrame, params: Params) -> None:
    """Draw the table; on a phone a list of the same rows takes its place (see document.css)."""
    heading, order_box = st.columns([2, 3], vertical_alignment="bottom")
    with heading:
        st.header("Every benchmark" if not params else count(chosen.height, "benchmark"), anchor="benchmarks")
    with order_box:
        order = st.segmented_control(
            "Order",
            list(ORDERS),
            default="room",
            key="order",
            format_func=lambda key: ORDERS[key][0],
            label_visibility="collapsed",
            bind="query-params",
            width="stretch",
        )
    rows = ordered(chosen, order or "room").head(ROWS)
    with st.container(key="wide_list"):
        _grid(rows)
    with st.container(key="narrow_list"):
        _narrow(rows)
    cut = f"The first {ROWS} of {chosen.height:,}. " if chosen.height > ROWS else ""
    st.markdown(
        f":small[{cut}[Download all {benchmarks(view).height:,} as CSV]({LIST.address({})}) · grey: not looked at for "
        "eighteen months]"
    )


def ordered(rows: pl.DataFrame, order: str) -> pl.DataFrame:
    """The rows of `published.benchmarks` in one of ORDERS; what was not looked at for long comes last in each."""
    _, by, descending = ORDERS[order]
    ready = rows.with_columns(
        is_saturated=pl.col("stage") == "saturated", name_folded=pl.col("name").str.to_lowercase()
    )
    return ready.sort(is_old(), *by, descending=[False, *descending], nulls_last=True)


def _grid(rows: pl.DataFrame) -> None:
    config = st.column_config
    opened = [
        f"{links.address('benchmark', benchmark=key)}#{links.fragment(name)}"
        for key, name in rows.select("benchmark_id", "name").iter_rows()
    ]
    cells = pl.DataFrame(
        {
            "Benchmark": opened,
            "Stage": [stage_label(stage) for stage in rows["stage"]],
            "Best so far": rows["frontier"],
            "Headroom": rows["headroom"].round(2),
            "95% interval": [
                ("at least" if at_least else "") or percent_interval(low, high)
                for at_least, low, high in rows.select("at_least", "headroom_low", "headroom_high").iter_rows()
            ],
            "Models": rows["models"],
            "Flags": [", ".join(FLAG_WORDS[flag] for flag in flags) for flags in rows["flags"]],
            "Known until": [month_of(day) for day in rows["known_until"]],
        }
    )
    old = rows.select(is_old()).to_series().to_list()
    colour = block.palette().ink3
    shaded = cells.to_pandas().style.apply(lambda row: [f"color: {colour}" if old[row.name] else ""] * len(row), axis=1)
    st.dataframe(
        shaded,
        hide_index=True,
        height=min(rows.height, 20) * tables.ROW_HEIGHT + tables.ROW_HEIGHT + 3,
        row_height=tables.ROW_HEIGHT,
        column_config={
            "Benchmark": config.LinkColumn(
                "Benchmark", display_text=r"#(.*)$", pinned=True, width=208, alignment="left"
            ),
            "Stage": config.TextColumn("Stage", width=130),
            "Best so far": config.LineChartColumn("Best so far, chance to ceiling", width=150, y_min=0, y_max=1),
            "Headroom": config.ProgressColumn("Headroom", format="percent", min_value=0, max_value=1, width=120),
            "95% interval": config.TextColumn("95% interval", width=95),
            "Models": config.NumberColumn("Models", width=66, format="localized"),
            "Flags": config.TextColumn("Flags", width=190),
            "Known until": config.TextColumn("Known until", width=90),
        },
        key="grid_benchmarks",
        alt="Benchmarks with stage, curve, headroom, models, flags and the month until which they are known",
        placeholder="",
    )


def _narrow(rows: pl.DataFrame) -> None:
    """The rows for a phone: name, stage, room and date, two lines each, in one text."""
    lines = []
    for row in rows.head(60).iter_rows(named=True):
        room = "" if row["headroom"] is None else f" · {percent(row['headroom'])} left"
        to = links.address("benchmark", benchmark=row["benchmark_id"])
        lines.append(
            f"[{markdown(row['name'])}]({to})  \n{stage_badge(row['stage'])} :small[:gray[{room} · known until "
            f"{month_of(row['known_until'])}]]"
        )
    st.markdown("\n\n".join(lines))
