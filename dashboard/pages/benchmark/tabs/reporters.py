"""Who reports the benchmark, by what the documents of makers say that were read, each with its day."""

import polars as pl
import streamlit as st

from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, Params
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.pages.benchmark.figures import reporters
from benchhealth.dashboard.published.answers import words_of
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.results import known_benchmark
from benchhealth.dashboard.widgets import block, provenance
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.text import count, markdown


def documents(view: View, benchmark_id: str) -> pl.DataFrame:
    """Every document of a maker that was read, once, with whether it mentions the benchmark."""
    every = view.table("mention")
    key = ["source_id", "document"]
    naming = every.filter(pl.col("benchmark_id") == benchmark_id).select(key).unique()
    once = every.sort("mentioned_on").unique(key, keep="first", maintain_order=True).drop_nulls("mentioned_on")
    return once.join(naming.with_columns(mentions=pl.lit(value=True)), on=key, how="left").with_columns(
        pl.col("mentions").fill_null(value=False)
    )


def _reporters(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    benchmark_id = known_benchmark(view, params)
    rows = documents(view, benchmark_id)
    read = view.table("source").join(rows.select("source_id").unique(), on="source_id", how="semi")
    sources = provenance.lines(read)
    until = max((source.known_until for source in sources if source.known_until), default=None)
    answer = words_of(view, benchmark_id).get("reporters")
    if answer is None:
        return Nothing("Who reports it is not among what may be passed on.", "The page of the benchmark has it.")
    return reporters.chart(rows, answer, until, sources, palette)


REPORTERS = ChartSpec("reporters", _reporters, ("benchmark",))


def show(view: View, facts: Facts) -> None:
    """Draw the documents, and of each maker when one showed it last and what the last one that was read says."""
    if block.show(view, REPORTERS, {"benchmark": facts["benchmark_id"]}) is None:
        return
    makers = reporters.last_mentions(documents(view, facts["benchmark_id"])).reverse()
    lines = [
        f"| {markdown(row['organisation'])} | {day_of(row['last'])} | {row['mentions']} of "
        f"{count(row['documents'], 'document')} | {'shows it' if row['shows'] else 'leaves it out'}, "
        f"{day_of(row['newest'])} |"
        for row in makers.iter_rows(named=True)
    ]
    heads = "| Maker | Showed it last | In | Its last document that was read |\n|---|---|---|---|"
    st.markdown("\n".join([heads, *lines]))
    st.markdown(markdown(words_of(view, facts["benchmark_id"])["reporters"].paragraph))
