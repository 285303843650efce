"""Blind spots: where only the maker measured the newest leading models, and what measuring them would take."""

from collections.abc import Mapping
from itertools import product
from typing import Any

import plotly.graph_objects as go
import polars as pl
import streamlit as st

from benchhealth.analytics.measurers.blind_spots import NOBODY
from benchhealth.analytics.measurers.numbers import INDEPENDENT, MAKER, NOT_SAID
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing
from benchhealth.dashboard.figures.language import ONLY_WIDE, OPENS_BENCHMARK, Drawing, laid_out, on_hover, write
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.published.benchmarks import last_known
from benchhealth.dashboard.published.generation import Params, View, always
from benchhealth.dashboard.widgets import block, links
from benchhealth.dashboard.widgets.provenance import of_column
from benchhealth.dashboard.words.measurers import blind_spots as words
from benchhealth.dashboard.words.measurers.houses import house_name
from benchhealth.dashboard.words.text import listed, markdown, model_within, one_line, plotly, short

ROW_HEIGHT, HEAD_HEIGHT = 20, 132
NAME_WIDTH = 10.4
"""Room at the left for the names of benchmarks, in widths of a column of the matrix."""
UNREAD_OPACITY = 0.55
"""The opacity of a pair where no independent source was read since the model came out."""
PRICE_WIDTH = 4.8
"""Room at the right for the cost of measuring the missing models, in widths of a column of the matrix."""


@always
def named_spots(view: View) -> pl.DataFrame:
    """The table `blind_spot` with the names `model` and `benchmark`, and `who_named`: each pair in words."""
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


def _chart(view: View, _params: Params, palette: Palette) -> Chart | Nothing:
    """The matrix of benchmarks and models: a shape for each pair shows who measured it."""
    rows, until = named_spots(view), last_known(view)
    if rows.is_empty():
        return Nothing(words.NOTHING, words.WHAT_IT_TAKES)
    return Chart(
        title=words.title(rows),
        subtitle=words.subtitle(rows, until),
        figure=_figure(rows, palette),
        rows=rows.drop("who_named"),
        alt=words.alt(rows),
        known_until=until,
    )


def _figure(rows: pl.DataFrame, palette: Palette) -> go.Figure:
    figure = Drawing()
    marks = {
        INDEPENDENT: ("square", 11, palette.accent, 0.0),
        NOT_SAID: ("diamond", 9, palette.paper, 1.5),
        MAKER: ("square", 9, palette.paper, 1.5),
        NOBODY: ("circle", 3, palette.ink3, 0.0),
    }
    for (measurer, (symbol, size, fill, line)), looked in product(marks.items(), (True, False)):
        trace_rows = rows.filter(pl.col("who") == measurer, pl.col("looked") == looked)
        figure.add_scatter(
            x=trace_rows["model_place"].to_list(),
            y=trace_rows["benchmark_place"].to_list(),
            mode="markers",
            marker={
                "symbol": symbol,
                "size": size,
                "color": fill,
                "line": {"color": palette.ink if looked else palette.ink3, "width": line},
                "opacity": 1.0 if looked or measurer == INDEPENDENT else UNREAD_OPACITY,
            },
            customdata=trace_rows.select("benchmark_id", "model_id").rows(),
            meta=OPENS_BENCHMARK,
            **on_hover(plotly(hover, 160) for hover in trace_rows["who_named"]),
        )
    _lay_out(figure, rows, palette)
    return figure


def _lay_out(figure: go.Figure, rows: pl.DataFrame, palette: Palette) -> None:
    models = rows.unique("model_id").sort("model_place")
    benchmarks = rows.unique("benchmark_id").sort("benchmark_place")
    lines = benchmarks.height
    laid_out(figure, palette, HEAD_HEIGHT + ROW_HEIGHT * lines + 10)
    figure.update_layout(margin={"l": 0, "r": 0, "t": HEAD_HEIGHT, "b": 4})
    figure.update_xaxes(range=[0.5 - NAME_WIDTH, models.height + 0.5 + PRICE_WIDTH], visible=False)
    figure.update_yaxes(range=[lines + 0.6, 0.4], visible=False)
    missing = rows.group_by("benchmark_id").agg((pl.col("who") != INDEPENDENT).sum().alias("missing"))
    counted = benchmarks.join(missing, on="benchmark_id", maintain_order="left")
    for name, position in models.select("model", "model_place").iter_rows():
        above = {"yref": "paper", "xanchor": "center", "yanchor": "bottom", "yshift": 2, "textangle": -90}
        write(figure, plotly(model_within(name, 20)), (position, 1), palette.ink2, 11, **above)
    for name, position, n_missing, n_items in counted.select(
        "benchmark", "benchmark_place", "missing", "n_items"
    ).iter_rows():
        write(figure, plotly(short(name), 17), (0.3, position), palette.ink, xanchor="right")
        price, place = words.row_price(n_missing, n_items), (models.height + 0.8, position)
        write(figure, price, place, palette.ink3, xanchor="left", opacity=ONLY_WIDE)


BLIND_SPOTS = ChartSpec("blind-spots", _chart, method="blind_spots", sources=of_column("benchmark_id"))


def show(view: View) -> None:
    """Draw the matrix and what filling it would take, in total and by benchmark; a phone has the title and a list."""
    with st.container(key="wide_blind_matrix"):
        drawn = block.show(view, BLIND_SPOTS, {})
    if drawn is None:
        return
    rows = named_spots(view)
    with st.container(key="narrow_blind_finding"):
        st.header(markdown(drawn.title))
        st.markdown(":small[:gray[Which model was measured by whom is drawn on a wider screen.]]")
    st.header("What filling it would take", anchor="blind-spots-price")
    st.markdown(markdown(words.price(rows)))
    with st.container(key="wide_blind_spots"):
        st.markdown(_by_benchmark(rows))
    with st.container(key="narrow_blind_spots"):
        st.markdown(
            "\n".join(f"- {_benchmark_link(row)}: {words.brief(row)}" for row in words.by_benchmark(rows).to_dicts())
        )
    st.markdown(f":small[{markdown(words.CHOSEN_BY)} [How]({links.address('methods')}#blind_spots)]")


def _by_benchmark(rows: pl.DataFrame) -> str:
    lines = [
        f"| {_benchmark_link(row)} | {' | '.join(words.of_benchmark(row))} |"
        for row in words.by_benchmark(rows).to_dicts()
    ]
    return "\n".join([words.HEADS, *lines])


def _benchmark_link(row: Mapping[str, Any]) -> str:
    return f"[{markdown(row['benchmark'])}](<{links.address('benchmark', benchmark=row['benchmark_id'])}>)"
