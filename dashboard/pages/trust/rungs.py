"""The tests of single models: on the chosen benchmark, and of one model on all benchmarks."""

from collections.abc import Mapping

import polars as pl
import streamlit as st

from benchhealth.analytics.contamination.findings import LEVELS
from benchhealth.analytics.record.tables.declared import link, sentence, text
from benchhealth.dashboard.pages.trust import charts, rung_tables
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.widgets import block, empty, filters, links, tables
from benchhealth.dashboard.widgets.boxes import doors
from benchhealth.dashboard.widgets.tables import GridColumn
from benchhealth.dashboard.words.text import code, count, known_at_latest, markdown

LEVEL_SHAPE: Mapping[str, str] = dict(zip(LEVELS, ("·", "○", "▲", "■"), strict=True))
"""The shapes of the matrix: a dot for unknown, filled from a hint on."""

OWN_COLUMNS = (
    GridColumn(text("benchmark", "The benchmark.", label="Benchmark"), pinned=True, width=170),
    GridColumn(text("title", "The rung.", label="Kind of evidence"), width=200),
    GridColumn(text("level", "How much speaks for items seen in training.", label="Level"), width=105),
    GridColumn(sentence("reason", "What was found.", label="Reason"), width=520),
    GridColumn(link("source_url", "Where that is said.", label="Source"), width=80),
)


def one_benchmark(view: View, benchmark_id: str) -> None:
    """The tests of single models on the chosen benchmark; each kind of evidence about it is on its own page."""
    url = links.address("benchmark", benchmark=benchmark_id, tab="Contamination")
    st.markdown(
        f"[Each kind of evidence about {markdown(charts.name_of(view, benchmark_id))}]({url}); "
        f"{links.csv('as CSV', rung_tables.RUNGS_OF.address({'benchmark': benchmark_id}))}"
    )
    tests = rung_tables.tests_with_results(view, benchmark_id)
    if not tests:
        st.markdown("No model on it was tested.")
        return
    rung = filters.id_picker("rung", "Test", {test: rung_tables.TITLES[test] for test in tests})
    block.show(view, charts.EXCESS, {"benchmark": benchmark_id, "rung": rung})
    st.markdown(
        "*Higher than expected* is all that a mark says. Other causes: a model built for such tasks, another "
        "prompt, tuning to the format, or chance, which 5% of the marks are expected to be. [Every model as "
        f"CSV](<{rung_tables.EXCESSES.address({'benchmark': benchmark_id, 'rung': rung})}>)"
    )


def one_model(view: View) -> None:
    """The evidence about one model over all benchmarks: how many of its tests stand out, and every rung."""
    requested_id, options = st.query_params.get("model"), rung_tables.tested_models(view)
    if requested_id and requested_id not in options:
        empty.nothing(f"No test says anything of {code(requested_id)}.", "It may have been renamed; choose one below.")
    model_id = filters.id_picker(
        "model", f"Model, of {count(len(options), 'tested one')}", options, placeholder="Type a part of its name"
    )
    if model_id is None:
        st.markdown("Choose a model: what its own scores say, benchmark by benchmark, and what they cannot say.")
        tab = {"more": "model"}
        st.markdown(
            doors.examples_and_opened(view, doors.MODELS, lambda key: links.address("trust", **tab, model=key), options)
        )
        return
    params = {"model": model_id}
    block.show(view, charts.MODEL_TESTS, params)
    st.markdown(
        "*Higher than expected* is all that a mark says, and no finding about anybody's conduct: a model built for "
        "such tasks, another prompt, tuning to the format, or chance would look the same."
    )
    rows = rung_tables.own_rungs(view, params)
    with_evidence = rows.filter(pl.col("rung").is_in(rung_tables.KEYS[1:]) & (pl.col("level") != "unknown"))
    until = rung_tables.latest(view, rows["benchmark_id"].to_list())
    st.markdown(
        f"{count(with_evidence['benchmark_id'].n_unique(), 'benchmark')} with evidence of its own beyond the dates, of "
        f"{rows['benchmark_id'].n_unique():,} on which it could have seen the items or not{known_at_latest(until)}."
    )
    tables.show(
        view,
        with_evidence.with_columns(pl.format("{} {}", pl.col("level").replace_strict(LEVEL_SHAPE), "level")).select(
            "benchmark", "title", "level", "reason", "source_url"
        ),
        rung_tables.RUNGS_OF_MODEL,
        params,
        key="own",
        alt="Every rung of evidence about this model, with benchmark, level and reason",
        columns=OWN_COLUMNS,
    )
