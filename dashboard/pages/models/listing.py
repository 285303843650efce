"""The page without a model: the newest with results, and how they ranked at their release."""

from datetime import date, timedelta

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.record.tables.declared import link, place, text
from benchhealth.dashboard.published.benchmarks import assessed_on
from benchhealth.dashboard.published.generation import PublishedTable, View
from benchhealth.dashboard.published.models import models
from benchhealth.dashboard.widgets import empty, links, tables
from benchhealth.dashboard.widgets.tables import TEXT_AFTER_HASH, GridColumn, column_configs
from benchhealth.dashboard.words.models import ends_text, gap_text
from benchhealth.dashboard.words.numbers import UNKNOWN, day_of, month_of
from benchhealth.dashboard.words.text import count, markdown, model_within

FEWEST_TO_LIST = 3
"""Curated benchmarks from which on a model is listed: on fewer its position depends on which ones they are."""

FEWEST_TO_RANK = 5
"""Benchmarks with others to compare from which on a model can be called most often the best."""

YEAR = timedelta(days=365)
ROWS, NARROW_ROWS = 120, 30
ORDERS = {
    "new": ("Newest", ["released_on", "benchmarks", "model_id"], [True, True, False]),
    "best": ("Most often best", ["best", "beyond", "model_id"], [True, True, False]),
    "able": ("Highest overall", ["place", "model_id"], [False, False]),
    "tested": ("Most tested", ["benchmarks", "model_id"], [True, False]),
}
WEIGHTS = {"open": "Open weights", "closed": "Closed weights"}


COLUMNS = (
    GridColumn(link("Model", "The model."), link_text=TEXT_AFTER_HASH, pinned=True, width=228),
    GridColumn(text("Maker", "Who made it."), width=112),
    GridColumn(text("Out since", "The month of its release."), width=84),
    GridColumn(text("Best of its day", "On how many benchmarks nothing dated before it was better."), width=100),
    GridColumn(place("Beyond error", "On how many of them it was the best beyond error."), width=88),
    GridColumn(
        text("On items it could have seen", "The median distance from the best, with its 95% interval."),
        width=176,
    ),
    GridColumn(
        text("On fresh or private ones", "The median distance from the best, with its 95% interval."), width=156
    ),
    GridColumn(text("Overall", "Place on the common scale of ability."), width=76),
    GridColumn(place("Benchmarks", "Benchmarks that it has results on."), width=84),
)


LIST = PublishedTable("models", lambda view, _params: models(view).filter(pl.col("benchmarks") > 0))


def most_often_best(rows: pl.DataFrame, assessed: date | None) -> Row | None:
    """The model that, of the last year's, was most often the best of its day; None where too little is known of all."""
    since = (assessed or date.max) - YEAR
    lately = rows.filter((pl.col("n") >= FEWEST_TO_RANK) & (pl.col("released_on") > since))
    ordered = lately.sort("best", "beyond", "model_id", descending=[True, True, False])
    return next(ordered.iter_rows(named=True), None)


def finding(rows: pl.DataFrame, assessed: date | None) -> tuple[str, str]:
    """The title, which names the model that was most often the best, and the sentence on the models that it is of."""
    top = most_often_best(rows, assessed)
    if top is None:
        return f"{count(rows.height, 'model')} with results on {FEWEST_TO_LIST} curated benchmarks or more", ""
    return (
        f"{model_within(top['name'], 34)} was best of its day on {top['best']} of {top['n']} benchmarks",
        f"No other model that came out in the year to {day_of(assessed)} was best so often. ",
    )


def page(view: View) -> None:
    """Draw the list with its filters."""
    all_models = models(view)
    rows = all_models.filter(pl.col("benchmarks") >= FEWEST_TO_LIST)
    title, population = finding(rows, assessed_on(view))
    st.title(markdown(title), anchor=False)
    if rows.is_empty():
        empty.nothing(
            "No model has results on enough curated benchmarks.",
            f"A generation with more sources lists them. See [which sources there are]({links.address('data')}).",
        )
        return
    st.markdown(
        f"{population}"
        f"{rows.height:,} of {all_models.height:,} models have results on {FEWEST_TO_LIST} curated benchmarks or more."
    )
    order, weights, maker = _filters(rows)
    selected = chosen_models(rows, weights, maker)
    if selected.is_empty():
        empty.nothing("No model matches these filters.", f"[Clear all filters]({links.address('models')})")
        return
    _, columns, descending = ORDERS[order]
    ordered = selected.sort(columns, descending=descending, nulls_last=True)
    with st.container(key="wide_list"):
        _grid(ordered.head(ROWS))
        _how_many(selected.height, ROWS)
    with st.container(key="narrow_list"):
        _narrow(ordered.head(NARROW_ROWS))
        _how_many(selected.height, NARROW_ROWS)


def _how_many(n_models: int, n_shown: int) -> None:
    cut = f"The first {n_shown} of {n_models:,}. " if n_models > n_shown else ""
    st.markdown(
        f":small[{cut}{links.csv('All as CSV', LIST.address({}))} · [How it is computed](methods#model_position)]"
    )


def chosen_models(rows: pl.DataFrame, weights: str | None, maker: str | None) -> pl.DataFrame:
    """The rows of models with these weights (open or closed) and of this maker, where either is given."""
    if weights:
        rows = rows.filter(pl.col("open_weights") == (weights == "open"))
    return rows.filter(pl.col("organisation") == maker) if maker else rows


def _filters(rows: pl.DataFrame) -> tuple[str, str | None, str | None]:
    makers = rows["organisation"].drop_nulls().value_counts(sort=True)["organisation"].to_list()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        order = st.segmented_control(
            "Order", list(ORDERS), default="new", key="order", format_func=lambda key: ORDERS[key][0],
            label_visibility="collapsed", bind="query-params",
        )  # fmt: skip
        weights = st.pills(
            "Weights", list(WEIGHTS), key="weights", format_func=lambda key: WEIGHTS[key],
            label_visibility="collapsed", bind="query-params", width="content",
        )  # fmt: skip
        maker = st.selectbox(
            "Maker", makers, index=None, key="maker", placeholder="Any maker", label_visibility="collapsed",
            bind="query-params", width=210,
        )  # fmt: skip
    return order or "new", weights, maker


def _grid(rows: pl.DataFrame) -> None:
    cells = pl.DataFrame(
        {
            "Model": [
                links.grid_address("models", key, name) for key, name in rows.select("model_id", "name").iter_rows()
            ],
            "Maker": rows["organisation"].fill_null(UNKNOWN),
            "Out since": [month_of(day).capitalize() for day in rows["released_on"]],
            "Best of its day": [f"{best} of {n}" if n else UNKNOWN for best, n in rows.select("best", "n").iter_rows()],
            "Beyond error": rows["beyond"],
            "On items it could have seen": _gaps(rows, "seen"),
            "On fresh or private ones": _gaps(rows, "fresh"),
            "Overall": [f"{overall:,}" if overall else UNKNOWN for overall in rows["place"]],
            "Benchmarks": rows["benchmarks"],
        }
    )
    st.dataframe(
        cells,
        hide_index=True,
        height=min(rows.height, 17) * tables.ROW_HEIGHT + tables.ROW_HEIGHT + 3,
        row_height=tables.ROW_HEIGHT,
        column_config=column_configs(COLUMNS),
        key="grid_models",
        alt="Models with maker, release, how often they were the best of their day, and how far behind it they were",
    )


def _gaps(rows: pl.DataFrame, kind: str) -> list[str]:
    """Median distances, each with its interval where there is one."""
    return [
        f"{gap_text(gap) or UNKNOWN}{f' ({ends_text(low, high)})' if ends_text(low, high) else ''}"
        for gap, low, high in rows.select(f"{kind}_gap", f"{kind}_low", f"{kind}_high").iter_rows()
    ]


def _narrow(rows: pl.DataFrame) -> None:
    """Draw the rows for narrow screens, in two lines each."""
    lines = []
    for row in rows.iter_rows(named=True):
        best = f"best of its day on {row['best']} of {row['n']}" if row["n"] else f"{row['benchmarks']} benchmarks"
        url = links.address("models", model=row["model_id"])
        on = month_of(row["released_on"]) if row["released_on"] else "release not known"
        maker = markdown(row["organisation"] or "maker not known")
        lines.append(f"[{markdown(row['name'])}]({url})  \n:small[:gray[{maker} · {on} · {best}]]")
    st.markdown("\n\n".join(lines))
