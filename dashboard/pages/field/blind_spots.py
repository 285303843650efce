"""Blind spots: where nobody but the maker measured the newest leading models, and what measuring them would take."""

from collections.abc import Mapping
from typing import Any

import polars as pl
import streamlit as st

from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, Params
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.field.figures import blind_spots
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.known import last_known
from benchhealth.dashboard.widgets import block, links, provenance
from benchhealth.dashboard.words.measurers import blind_spots as words
from benchhealth.dashboard.words.measurers.houses import house_name
from benchhealth.dashboard.words.text import listed, markdown, one_line


def spots(view: View) -> pl.DataFrame:
    """The table `blind_spot` with the names `model` and `benchmark`, and `who_named`: each pair in words."""
    return view.kept("blind spots", lambda: _spots(view))


def _spots(view: View) -> pl.DataFrame:
    titles = dict(view.table("source").select("source_id", pl.coalesce("title", "source_id")).iter_rows())
    models = view.table("model").select("model_id", model=pl.coalesce("name", "model_id"))
    benchmarks = view.table("benchmark").select("benchmark_id", benchmark=pl.coalesce("name", "benchmark_id"))
    rows = (
        view.table("blind_spot")
        .join(models, on="model_id", how="left", maintain_order="left")
        .join(benchmarks, on="benchmark_id", how="left", maintain_order="left")
    )
    cells = [
        words.cell(
            one_line(row["model"]),
            one_line(row["benchmark"]),
            row["who"],
            listed([house_name(house, titles) for house in row["houses"]]),
            looked=row["looked"],
        )
        for row in rows.iter_rows(named=True)
    ]
    return rows.with_columns(who_named=pl.Series(cells, dtype=pl.String))


def _blind_spots(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    rows = spots(view)
    if rows.is_empty():
        return Nothing(words.NOTHING, words.WHAT_IT_TAKES)
    sources = provenance.of_benchmarks(view, rows["benchmark_id"].unique().to_list())
    return blind_spots.chart(rows, last_known(view), sources, palette)


BLIND_SPOTS = ChartSpec("blind-spots", _blind_spots)


def show(view: View) -> None:
    """Draw the matrix, what filling it would take, and the same by benchmark; a phone has the finding and the list."""
    with st.container(key="wide_blind_matrix"):
        drawn = block.show(view, BLIND_SPOTS, {})
    if drawn is None:
        return
    rows = spots(view)
    with st.container(key="narrow_blind_finding"):
        st.header(markdown(drawn.title))
        st.markdown(":small[:gray[Which model was measured by whom is drawn on a wider screen.]]")
    st.header("What filling it would take", anchor="blind-spots-price")
    st.markdown(markdown(words.price(rows)))
    with st.container(key="wide_blind_spots"):
        st.markdown(_by_benchmark(rows))
    with st.container(key="narrow_blind_spots"):
        st.markdown("\n".join(f"- {_to(row)}: {words.brief(row)}" for row in words.by_benchmark(rows).to_dicts()))
    st.markdown(f":small[{markdown(words.CHOSEN_BY)} [How]({links.address('methods')}#blind_spots)]")


def _by_benchmark(rows: pl.DataFrame) -> str:
    lines = [f"| {_to(row)} | {' | '.join(words.of_benchmark(row))} |" for row in words.by_benchmark(rows).to_dicts()]
    return "\n".join([words.HEADS, *lines])


def _to(row: Mapping[str, Any]) -> str:
    return f"[{markdown(row['benchmark'])}](<{links.address('benchmark', benchmark=row['benchmark_id'])}>)"
