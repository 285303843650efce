"""The one block every chart of the dashboard goes through."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

import plotly.graph_objects as go
import streamlit as st

from dashboard.figures.colours import CHART_TEXT
from dashboard.published.generation import View
from dashboard.published.tables import Params, PublishedTable
from dashboard.widgets import links, tables
from dashboard.words.text import count, day, listed, markdown

CONFIG: Mapping[str, object] = {"displayModeBar": False, "scrollZoom": False, "responsive": True, "showTips": False}


@dataclass(frozen=True)
class SourceLine:
    """Where the numbers of a chart come from: the source's title and address, and when it said them."""

    title: str
    url: str
    observed_at: date | datetime | None


@dataclass(frozen=True)
class Chart:
    """A chart with all that makes it readable without seeing it and citable without asking.

    `finding` is the title, a sentence computed from the numbers; `alt` says what the chart shows; `table` with
    `params` is what it is drawn from, shown with it and served as CSV; `method` is the anchor on the Methods page.
    All texts are plain: the block escapes them.
    """

    key: str
    finding: str
    alt: str
    figure: go.Figure
    table: PublishedTable
    method: str
    params: Params = field(default_factory=dict)
    sources: Sequence[SourceLine] = ()
    column_config: Mapping[str, object] = field(default_factory=dict)


def show(view: View, chart: Chart) -> None:
    """Draw the chart with its finding, source, numbers, explanation, link and citation."""
    with st.container(key=f"chart_{chart.key}"):
        st.subheader(markdown(chart.finding), anchor=chart.key)
        colour = CHART_TEXT["dark" if st.context.theme.type == "dark" else "light"]
        chart.figure.update_layout(font={"color": colour}, legend={"font": {"color": colour}})
        chart.figure.update_xaxes(tickfont={"color": colour}, title={"font": {"color": colour}})
        chart.figure.update_yaxes(tickfont={"color": colour}, title={"font": {"color": colour}})
        st.plotly_chart(chart.figure, theme="streamlit", config=dict(CONFIG), alt=chart.alt, key=f"plot_{chart.key}")
        st.markdown(_source_text(view, chart.sources))
        _details(view, chart)


def _details(view: View, chart: Chart) -> None:
    """The chart's numbers, explanation and citation: closed, and not sent, until wanted; reachable by keyboard."""
    rows = chart.table.build(view, chart.params)
    label = f"The numbers ({count(rows.height, 'row')}), what this shows, how to cite it"
    details = st.expander(label, key=f"details_{chart.key}", on_change="rerun")
    if not details.open:
        return
    with details:
        st.markdown(f"{markdown(chart.alt)} [How it is computed]({links.address('methods')}#{chart.method})")
        tables.show(view, rows, chart.table, chart.params, key=chart.key, alt=chart.alt, config=chart.column_config)
        permalink = links.permalink(chart.key)
        st.markdown("A link to this view:")
        st.code(permalink, language=None, wrap_lines=True)
        st.markdown("A citation:")
        st.code(citation(view, chart, permalink), language=None, wrap_lines=True)


def citation(view: View, chart: Chart, permalink: str) -> str:
    """The chart as a reference: finding, sources with their dates, generation and address."""
    sources = "; ".join(f"{source.title} ({day(source.observed_at)}), {source.url}" for source in chart.sources)
    drawn_from = f" Drawn from: {sources}." if sources else ""
    return f"benchhealth: {chart.finding.rstrip('.')}. Generation {view.name}.{drawn_from} {permalink}".strip()


def _source_text(view: View, sources: Sequence[SourceLine]) -> str:
    """The sources as one line of markdown; a chart over everything says so, and up to when they were heard."""
    if not sources:
        days = view.table("source")["last_observed_at"].drop_nulls()
        until = f", observed up to {day(days.max())}" if len(days) else ""  # type: ignore[arg-type]
        listing = f"[the Data page]({links.address('data')}#sources)"
        return f"Source: all sources of this generation{until}, listed on {listing}."
    named = [f"{_titled(source)}, observed {day(source.observed_at)}" for source in sources[:4]]
    if len(sources) > 4:
        named.append(f"{len(sources) - 4} more, listed with the numbers")
    return f"Source: {listed(named)}."


def _titled(source: SourceLine) -> str:
    title = markdown(source.title)
    return f"[{title}](<{source.url}>)" if source.url.startswith(("https://", "http://")) else title
