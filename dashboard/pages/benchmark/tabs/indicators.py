"""The reasons for the verdict, and all indicators in words and rounded numbers."""

from collections.abc import Mapping

import polars as pl
import streamlit as st

from benchhealth.analytics.indicators import INDICATORS
from benchhealth.analytics.record.tables.declared import count as counts
from benchhealth.analytics.record.tables.declared import link, sentence, text
from benchhealth.dashboard.pages.benchmark import card
from benchhealth.dashboard.pages.benchmark.facts import Facts, indicators_of, verdict_of
from benchhealth.dashboard.published.generation import Params, PublishedTable, View
from benchhealth.dashboard.published.results import known_benchmark, of_benchmark
from benchhealth.dashboard.widgets import empty, links, tables
from benchhealth.dashboard.widgets.tables import GridColumn
from benchhealth.dashboard.words.indicators import (
    TITLES,
    draws_sentence,
    interval_text,
    reasons_in_words,
    stability_sentence,
    value_text,
)
from benchhealth.dashboard.words.prose.cases import row_sentence
from benchhealth.dashboard.words.prose.judged.known_then import revisions_sentence
from benchhealth.dashboard.words.sentences import growth_sentence
from benchhealth.dashboard.words.stages import FLAG_MEANING, FLAG_WORDS, STAGE_WORDS
from benchhealth.dashboard.words.text import count, known, markdown

_NEEDED = ("n_models", "headroom", "resolution_top5")
"""The indicators without which there is no verdict."""


COLUMNS = (
    GridColumn(text("indicator", "What is computed.", label="Indicator"), pinned=True, width=290),
    GridColumn(text("value", "The value with its unit.", label="Value"), width=110, right_aligned=True),
    GridColumn(text("interval", "The 95% interval of the value.", label="95% interval"), width=140, right_aligned=True),
    GridColumn(counts("n", "What it rests on.", label="n"), width=62),
    GridColumn(
        sentence("why", "Why it is not known, or what it rests on.", label="Why, or what it rests on"), width=400
    ),
    GridColumn(link("method", "How it is computed.", label="Method"), link_text="method", width=70),
)


def indicators(view: View, params: Params) -> pl.DataFrame:
    """All indicators of a benchmark: value, interval, n, status and the reason for it."""
    return view.rows("indicator", benchmark_id=known_benchmark(view, params)).drop("benchmark_id")


ALL = PublishedTable("indicators", indicators)


def show(view: View, facts: Facts) -> None:
    """Draw the reasons for the verdict, and the table of all indicators."""
    by_name, verdict = (lookup(view, facts["benchmark_id"]) for lookup in (indicators_of, verdict_of))
    _draw_reasons(view, facts, verdict, by_name)
    card.draw_answer(view, facts, "room")
    _redrawn_stages(view, facts, verdict)
    _stability(view, facts)
    _earlier_verdicts(view, facts)
    _table(view, facts, by_name)


def _draw_reasons(view: View, facts: Facts, verdict: Facts, by_name: Mapping[str, Facts]) -> None:
    """Draw the answer with flags and their meaning, every rule that applied, and what is missing where none did."""
    stage = str(verdict["stage"])
    card.draw_answer(view, facts, "stage")
    flags = " ".join(f"**{FLAG_WORDS[flag].capitalize()}**: {FLAG_MEANING[flag]}." for flag in verdict["flags"])
    term = "" if STAGE_WORDS[stage].lower() == stage else f"In data and methods this stage is called {stage}."
    if text := " ".join(phrase for phrase in (flags, term) if phrase):
        st.markdown(text)
    if verdict["verdict_reason"]:
        reasons = reasons_in_words(verdict["verdict_reason"], by_name, facts)
        because = "\n".join(f"- {markdown(reason)}" for reason in reasons)
        st.markdown(f"What this rests on{known(verdict['known_until'])}:\n\n{because}")
    if growth := growth_sentence(by_name, facts["unit"]):
        st.markdown(f"{markdown(growth)} [How growth is classified]({links.address('methods')}#growth)")
    lacking = [by_name[name] for name in _NEEDED if name in by_name and by_name[name]["status"] != "ok"]
    if stage == "unknown" and lacking:
        lines = [
            f"- {markdown(TITLES.get(row['indicator'], row['indicator']))}: "
            f"{markdown(row_sentence(row, facts['unit']) or str(row['status']).replace('_', ' '))}"
            for row in lacking
        ]
        empty.nothing("What is missing for a verdict", "\n".join(lines))


def _redrawn_stages(view: View, facts: Facts, verdict: Facts) -> None:
    """How often each stage results when all measurements are drawn anew."""
    probabilities = view.table("stage_probability").filter(pl.col("benchmark_id") == facts["benchmark_id"])
    text = draws_sentence(list(probabilities.iter_rows(named=True)), verdict["stage"])
    st.markdown(f"{markdown(text)} [How it is drawn]({links.address('methods')}#probability)")


def _stability(view: View, facts: Facts) -> None:
    """Whether the stage depends on where the thresholds were set."""
    stabilities = view.table("verdict_stability").filter(pl.col("benchmark_id") == facts["benchmark_id"])
    for row in stabilities.iter_rows(named=True):
        st.markdown(f"{markdown(stability_sentence(row))} [The limits]({links.address('methods')}#thresholds)")


REVISIONS = PublishedTable("revisions", of_benchmark("verdict_revision", "basis", "from_on"))
"""The verdicts that a benchmark would have had on past days, and which of them were taken back."""


def _earlier_verdicts(view: View, facts: Facts) -> None:
    """Which verdicts would have been given earlier, and which of these were taken back."""
    params = {"benchmark": facts["benchmark_id"]}
    if text := revisions_sentence(list(REVISIONS.build(view, params).iter_rows(named=True))):
        method_url = f"{links.address('methods', topic='verdict_revision')}#verdict_revision"
        st.markdown(f"{markdown(text)} [How]({method_url}) · [CSV](<{REVISIONS.address(params)}>)")


def rows_of(by_name: Mapping[str, Facts], facts: Facts) -> pl.DataFrame:
    """The table: each indicator in the order of the list, the known ones first."""
    rows = [
        {
            "known": by_name[indicator.key]["status"] == "ok",
            "indicator": indicator.title,
            "value": value_text(indicator.key, by_name[indicator.key]["value"], facts),
            "interval": interval_text(indicator.key, by_name[indicator.key], facts),
            "n": by_name[indicator.key]["n"],
            "why": row_sentence(by_name[indicator.key], facts["unit"]),
            "method": f"{links.address('methods')}#{indicator.key}",
        }
        for indicator in INDICATORS
        if indicator.key in by_name
    ]
    kinds = {"known": pl.Boolean, "n": pl.Int64}
    names = ("known", "indicator", "value", "interval", "n", "why", "method")
    frame = pl.DataFrame(rows, schema={name: kinds.get(name, pl.String) for name in names})
    return frame.sort("known", descending=True, maintain_order=True)


def _table(view: View, facts: Facts, by_name: Mapping[str, Facts]) -> None:
    params = {"benchmark": facts["benchmark_id"]}
    rows = rows_of(by_name, facts)
    n_known = rows["known"].sum()
    st.header(f"{n_known} of {count(rows.height, 'indicator')} are known", anchor="indicators")
    st.markdown(":small[:gray[Where one is not known, the reason says why. Each has its method.]]")
    tables.show(
        view,
        rows.drop("known"),
        ALL,
        params,
        alt="Indicators of this benchmark with value, 95% interval, number of observations, and reason or basis",
        columns=COLUMNS,
        visible_rows=24,
    )
