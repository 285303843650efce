"""The one block that every chart of the dashboard goes through."""

from collections.abc import Mapping

import streamlit as st

from benchhealth.dashboard.figures import moved
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing
from benchhealth.dashboard.figures.palette import DARK, LIGHT, Palette
from benchhealth.dashboard.published.generation import Params, View
from benchhealth.dashboard.widgets import empty, links, replay, wrong
from benchhealth.dashboard.words.text import markdown

CONFIG: Mapping[str, object] = {"displayModeBar": False, "scrollZoom": False, "responsive": True, "showTips": False}


def palette() -> Palette:
    """The palette of the theme that the reader has chosen, light or dark."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def show(view: View, spec: ChartSpec, params: Params, *, level: int = 2) -> Chart | None:
    """Draw the chart with its finding, its source and the toolbar; where there is none, say why."""
    chart = spec.of(view, params, palette())
    if isinstance(chart, Nothing):
        empty.nothing(chart.reason, chart.advice)
        return None
    with st.container(key=f"chart_{spec.name}", gap="xsmall"):
        if anchors := moved.anchors(spec.name):
            st.html(anchors)
        title(chart, spec.name, level)
        draw(view, spec, params, chart)
        toolbar(view, spec, params, chart)
    return chart


def title(chart: Chart, anchor: str, level: int = 2) -> None:
    """Draw the heading of a chart, which is its finding, and its subtitle."""
    heading = {2: st.header, 3: st.subheader}[level]
    heading(markdown(chart.title), anchor=anchor)
    if chart.subtitle:
        st.markdown(f":small[:gray[{markdown(chart.subtitle)}]]")


def draw(view: View, spec: ChartSpec, params: Params, chart: Chart) -> None:
    """The figure alone, of the chart that the spec has for these parameters."""

    def plot() -> None:
        st.plotly_chart(chart.figure, theme=None, config=dict(CONFIG), alt=chart.alt, key=f"plot_{spec.name}")

    replay.once(view, spec.key(params, palette()), plot)


def toolbar(view: View, spec: ChartSpec, params: Params, chart: Chart) -> None:
    """Source and day at left; at right links that a script of the document turns into saving and copying.

    PNG and SVG are made in the reader's browser; the others are addresses that work without the script too. The table
    is the way to what is drawn for who has no pointer: no mark of a chart can be tabbed to.
    """
    origin = chart.source_text() or f"generation {view.name}"
    permalink = links.permalink(spec.name)
    tools = [
        ("PNG", f"#png-{spec.name}"),
        ("SVG", f"#svg-{spec.name}"),
        ("CSV", spec.address("csv", params)),
        ("Table", f"{spec.address('csv', params)}#table"),
        ("Cite", spec.address("txt", params)),
        ("Link", permalink),
        ("Embed", spec.embed_address(params)),
        ("Method", f"{links.address('methods')}#{chart.method}"),
    ]
    about = params.get("benchmark") or params.get("benchmarks") or params.get("board") or ""
    if report := wrong.address(generation=view.name, benchmark=about, chart=spec.name, view=permalink):
        tools.append(("Something wrong?", report))
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small"):
        st.markdown(f":small[:gray[{markdown(origin)}]]", width="content")
        st.markdown(f":small[{'&ensp;'.join(f'[{name}](<{address}>)' for name, address in tools)}]", width="content")
