"""Who reports the benchmark: the documents of makers that were read, in time, with a mention of it or without."""

from collections.abc import Sequence
from datetime import date, timedelta

import plotly.graph_objects as go
import polars as pl
import streamlit as st

from benchhealth.analytics.statistics.summaries.ends import day_span
from benchhealth.dashboard.figures.base import days
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, SourceLine
from benchhealth.dashboard.figures.language import laid_out, named_rows, on_hover
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.published.answers import words_of
from benchhealth.dashboard.published.generation import Params, View
from benchhealth.dashboard.published.results import known_benchmark
from benchhealth.dashboard.widgets import block, provenance
from benchhealth.dashboard.words.answers.sentences import Words
from benchhealth.dashboard.words.numbers import day_of, over_days
from benchhealth.dashboard.words.text import count, markdown, plotly

ROW = 24


def last_mentions(documents: pl.DataFrame) -> pl.DataFrame:
    """For each maker with a mention the day of its `newest` document, whether that `shows` it, and the `last` that did.

    `documents`: `organisation`, `document`, `mentioned_on`, `mentions`.
    """
    by_maker = documents.sort("mentioned_on", "document").group_by("organisation", maintain_order=True)
    mentioning = by_maker.agg(
        last=pl.col("mentioned_on").filter("mentions").max(),
        newest=pl.col("mentioned_on").max(),
        mentions=pl.col("mentions").sum().cast(pl.Int64),
        documents=pl.len().cast(pl.Int64),
        shows=pl.col("mentions").filter(pl.col("mentioned_on") == pl.col("mentioned_on").max()).any(),
    ).drop_nulls("last")
    return mentioning.sort("shows", "last", "organisation", descending=[False, False, True])


def chart(
    documents: pl.DataFrame, answer: Words, known_until: date | None, sources: Sequence[SourceLine], palette: Palette
) -> Chart | Nothing:
    """One row a maker, its documents in time: filled where the benchmark is in them. Titled with the answer."""
    makers = last_mentions(documents)
    if makers.is_empty():
        return Nothing(markdown(f"{answer.question} {answer.tile}"), markdown(answer.paragraph))
    rows = documents.filter(pl.col("organisation").is_in(makers["organisation"].implode()))
    row_of = {maker: index + 1 for index, maker in enumerate(makers["organisation"])}
    figure = go.Figure()
    for mentions in (False, True):
        trace_rows = rows.filter(pl.col("mentions") == mentions)
        if trace_rows.is_empty():
            continue
        figure.add_scatter(
            x=days(trace_rows["mentioned_on"]),
            y=[row_of[maker] for maker in trace_rows["organisation"]],
            mode="markers",
            marker={
                "size": 10,
                "color": palette.accent if mentions else palette.paper,
                "line": {"width": 1.4, "color": palette.accent if mentions else palette.ink3},
            },
            **on_hover(
                f"<b>{plotly(row['model'] or row['document'])}</b> · {plotly(row['organisation'])}<br>"
                f"{'reports it' if mentions else 'leaves it out'}<br>{day_of(row['mentioned_on'])}"
                for row in trace_rows.iter_rows(named=True)
            ),
        )
    laid_out(figure, palette, ROW * makers.height + 60)
    first, last = day_span(rows["mentioned_on"], rows["mentioned_on"])
    pad = timedelta(days=max(20, (last - first).days // 40))
    named_rows(figure, map(plotly, row_of), row_of.values(), (0.3, makers.height + 0.7), palette)
    figure.update_xaxes(range=[first - pad, last + pad], hoverformat="%-d %b %Y")
    return Chart(
        title=f"{answer.question} {answer.tile}",
        subtitle=(
            f"{count(rows.height, 'document')} of {count(makers.height, 'maker')} {over_days(first, last)}: "
            "cards, reports and posts that were read. Filled: reports it. Open: leaves it out."
        ),
        figure=figure,
        rows=rows.select("organisation", "model", "document", "document_kind", "mentioned_on", "mentions", "url"),
        alt=f"{answer.alt} {rows['mentions'].sum()} of {rows.height} documents mention it.",
        sources=sources,
        known_until=known_until or last,
    )


def documents(view: View, benchmark_id: str) -> pl.DataFrame:
    """Every document of a maker that was read, once, with whether it mentions the benchmark."""
    mentions = view.table("mention")
    key = ["source_id", "document"]
    naming = mentions.filter(pl.col("benchmark_id") == benchmark_id).select(key).unique()
    once = mentions.sort("mentioned_on").unique(key, keep="first", maintain_order=True).drop_nulls("mentioned_on")
    return once.join(naming.with_columns(mentions=pl.lit(value=True)), on=key, how="left").with_columns(
        pl.col("mentions").fill_null(value=False)
    )


def _reporters(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    benchmark_id = known_benchmark(view, params)
    rows = documents(view, benchmark_id)
    sources_read = view.table("source").join(rows.select("source_id").unique(), on="source_id", how="semi")
    sources = provenance.lines(sources_read)
    until = max((source.known_until for source in sources if source.known_until), default=None)
    answer = words_of(view, benchmark_id).get("reporters")
    if answer is None:
        return Nothing("Who reports it is not among what may be passed on.", "The page of the benchmark has it.")
    return chart(rows, answer, until, sources, palette)


REPORTERS = ChartSpec("reporters", _reporters, ("benchmark",), method="makers_mentioning_12m")


def show(view: View, facts: Facts) -> None:
    """Draw the documents, and for each maker the last one with the benchmark and whether the newest has it."""
    if block.show(view, REPORTERS, {"benchmark": facts["benchmark_id"]}) is None:
        return
    makers = last_mentions(documents(view, facts["benchmark_id"])).reverse()
    lines = [
        f"| {markdown(row['organisation'])} | {day_of(row['last'])} | {row['mentions']} of "
        f"{count(row['documents'], 'document')} | {'shows it' if row['shows'] else 'leaves it out'}, "
        f"{day_of(row['newest'])} |"
        for row in makers.iter_rows(named=True)
    ]
    heads = "| Maker | Showed it last | In | Its last document that was read |\n|---|---|---|---|"
    st.markdown("\n".join([heads, *lines]))
    st.markdown(markdown(words_of(view, facts["benchmark_id"])["reporters"].paragraph))
