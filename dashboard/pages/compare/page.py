"""Compare: up to eight benchmarks on one scale, by calendar or by months since release."""

from datetime import date

import polars as pl
import streamlit as st

from dashboard.figures.chart import Chart, ChartSpec, Nothing, Params, SourceLine
from dashboard.figures.palette import Palette
from dashboard.pages.compare import figure
from dashboard.published import generation
from dashboard.published.benchmarks import benchmarks
from dashboard.published.generation import View
from dashboard.published.tables import ParameterError
from dashboard.widgets import block, empty
from dashboard.widgets.page import PageSpec
from dashboard.words.numbers import months, percent
from dashboard.words.stages import stage_label

CHOSEN, CLOCK = "benchmarks", "clock"
MOST = 8
DEFAULT = ("mmlu", "gpqa-diamond", "hle", "frontiermath")
CLOCKS = {"release": "Since release", "calendar": "By calendar"}


def comparable(view: View) -> pl.DataFrame:
    """The curated benchmarks that have a ceiling and a frontier."""
    rows = benchmarks(view).filter(pl.col("curated") & pl.col("ceiling").is_not_null())
    return rows.filter(pl.col("frontier").is_not_null())


def _compared(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    ids = [part for part in params.get(CHOSEN, ",".join(DEFAULT)).split(",") if part][:MOST]
    rows = benchmarks(view).filter(pl.col("benchmark_id").is_in(ids))
    if rows.is_empty():
        raise ParameterError("benchmarks names no benchmark of this generation")
    clock = params.get(CLOCK, "release")
    if clock not in CLOCKS:
        raise ParameterError(f"clock is one of {', '.join(CLOCKS)}")
    newest = rows["known_until"].drop_nulls().max()
    return figure.chart(
        figure.curves(view.table("frontier"), rows),
        clock,
        newest if isinstance(newest, date) else None,
        _sources(view, rows["benchmark_id"].to_list()),
        palette,
    )


def _sources(view: View, ids: list[str]) -> list[SourceLine]:
    sql = "SELECT DISTINCT source_id FROM result JOIN snapshot USING (snapshot_id) WHERE benchmark_id IN $ids"
    named = view.recent(("sources of", tuple(ids)), lambda: view.query(sql, ids=ids))
    rows = view.table("source").join(named, on="source_id", how="semi").sort("known_until", descending=True)
    return [SourceLine(*row) for row in rows.select("title", "homepage", "known_until").iter_rows()]


COMPARED = ChartSpec("compared", _compared, (CHOSEN, CLOCK))


def render() -> None:
    """Draw the page."""
    view = generation.current()
    rows = comparable(view)
    names = dict(rows.select("benchmark_id", "name").iter_rows())
    asked = [part for part in st.query_params.get(CHOSEN, "").split(",") if part in names]
    chosen = asked or [one for one in DEFAULT if one in names]
    head = st.container()
    chosen = _pickers(names, chosen)
    if not chosen:
        empty.nothing("Nothing is chosen.", "Choose up to eight benchmarks above.")
        return
    params = {CHOSEN: ",".join(chosen), CLOCK: st.session_state.get(CLOCK) or "release"}
    found = figure.times(figure.curves(view.table("frontier"), rows.filter(pl.col("benchmark_id").is_in(chosen))))
    with head:
        st.title("How fast benchmarks are used up", anchor=False)
    block.show(view, COMPARED, params)
    _table(found)


def _pickers(names: dict[str, str], chosen: list[str]) -> list[str]:
    picker, clock = st.columns([4, 1], vertical_alignment="bottom")
    with picker:
        st.session_state.setdefault("compare_box", chosen)

        def write_address() -> None:
            st.query_params[CHOSEN] = ",".join(st.session_state["compare_box"])

        picked = st.multiselect(
            "Benchmarks (those without a ceiling cannot be compared)",
            list(names),
            key="compare_box",
            format_func=lambda one: names[one],
            max_selections=MOST,
            on_change=write_address,
        )
    with clock:
        st.segmented_control(
            "Clock",
            list(CLOCKS),
            default="release",
            key=CLOCK,
            format_func=lambda one: CLOCKS[one],
            bind="query-params",
        )
    return list(picked)


def _table(found: pl.DataFrame) -> None:
    """Months to half and to nine tenths of the scale."""
    reached = {True: "not reached", False: ""}
    st.dataframe(
        pl.DataFrame(
            {
                "Benchmark": found["name"],
                "Stage": [stage_label(stage) for stage in found["stage"]],
                "Reached": [percent(share) for share in found["share"]],
                "To half": [months(value) if value is not None else reached[True] for value in found["months_to_half"]],
                "To nine tenths": [
                    months(value) if value is not None else reached[True] for value in found["months_to_nine_tenths"]
                ],
            }
        ),
        hide_index=True,
        alt="Months from release until half and nine tenths of the scale were reached, by benchmark",
    )


PAGE = PageSpec(url_path="compare", title="Compare", render=render, charts=(COMPARED,))
