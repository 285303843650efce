"""Behind the evidence: reports, labels, declared leakage, tests of known truth and of single models, each question."""

from collections.abc import Mapping
from typing import Any

import polars as pl
import streamlit as st

from benchhealth.analytics.contamination.declared_leakage import POINTS
from benchhealth.analytics.contamination.findings import LEVELS
from benchhealth.analytics.record.tables.declared import link, sentence, text
from benchhealth.analytics.twins.pairs import SAMPLED
from benchhealth.analytics.verdict.thresholds import LIMITS
from benchhealth.dashboard.pages.trust import charts, rung_tables, transfer_tables
from benchhealth.dashboard.pages.trust.rung_tables import LEAKAGE
from benchhealth.dashboard.published import twin_pairs
from benchhealth.dashboard.published.benchmarks import last_known, name_of
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.widgets import block, empty, filters, links, tables
from benchhealth.dashboard.widgets.boxes import suggestions
from benchhealth.dashboard.widgets.tables import GridColumn, Listing, Look, sized
from benchhealth.dashboard.words.numbers import fixed, percent
from benchhealth.dashboard.words.prose import contamination as prose
from benchhealth.dashboard.words.text import code, count, known, known_at_latest, listed, markdown

LEAKAGE_COLUMNS = (
    GridColumn(text("title", "Where makers declare what they trained on.", label="source"), pinned=True, width=220),
    GridColumn(sentence("reason", "Why there is no answer.", label="why there is no answer"), width=420),
)


def _declared_leakage(view: View) -> None:
    """Whether scores are higher where makers say that they trained on the task: a sentence a source, and the table."""
    st.header("Does declared leakage show?", anchor="declared")
    rows = LEAKAGE.build(view, {})
    if rows.is_empty():
        empty.nothing(
            "No source here lets makers declare what their models were trained on.",
            "GIFT-Eval, fev-bench and MTEB do; pull them to see it.",
        )
        return
    st.markdown("\n".join(f"- {source_sentence(row)}" for row in rows.iter_rows(named=True)))
    tables.show(
        view,
        rows.drop("source_id"),
        LEAKAGE,
        {},
        alt="For each source how much more is scored where training on the task is declared, with its interval",
        columns=LEAKAGE_COLUMNS,
        declared_in=("declared_leakage",),
    )
    st.markdown(
        "Makers choose what they train on: a higher score can come from a model built for such tasks as well as from "
        f"having seen them. [How it is computed]({links.address('methods')}#declared_leakage)"
    )


def source_sentence(row: Mapping[str, Any]) -> str:
    """One source: how much, with its interval, how many and until when, or why that is not known."""
    where = f"**{markdown(row['title'])}** ({row['n_declared']:,} of {count(row['n'], 'score')} declared, "
    where += f"{count(row['n_tasks'], 'task')}, {row['n_mixed']} of {count(row['n_models'], 'model')} with both kinds)"
    if row["value"] is None:
        return f"{where}: no answer; {markdown(row['reason'] or '')}."
    unit = "points" if row["unit"] == POINTS else "percent"
    effect = "scores are higher" if row["unit"] == POINTS else "losses are smaller"
    if row["low"] <= 0 <= row["high"]:
        finding = f"declaring does not show: the difference is {row['value']:.1f} {unit}"
    elif row["value"] > 0:
        finding = f"where training on the task is declared, {effect} by {row['value']:.1f} {unit}"
    else:
        finding = f"where training on the task is declared, it is the other way round, by {-row['value']:.1f} {unit}"
    return f"{where}: {finding} (95% interval {fixed(row['low'])} to {fixed(row['high'])}){known(row['known_until'])}."


HIGH = percent(LIMITS.contaminated_share)
"""The documented overlap from which on a report counts as high."""


REPORT_COLUMNS = (
    GridColumn(text("benchmark", "The benchmark."), pinned=True, width=150),
    *sized("contamination_report", share=110, method=360),
)


def order(view: View) -> None:
    """Whether an order of models carries over from one benchmark to others, with its choice of benchmark."""
    originals = transfer_tables.originals(view)
    if not originals:
        empty.nothing(
            "No two benchmarks can be compared.",
            "It takes ten models that are listed under one name on two benchmarks that are described in the registry.",
        )
        return
    names = dict(view.table("benchmark").select("benchmark_id", "name").iter_rows())
    params = {
        "from": filters.id_picker(
            "from", "From", {original_id: names.get(original_id) or original_id for original_id in originals}
        )
    }
    rows = transfer_tables.transfers(view, params)
    block.show(view, charts.TRANSFER, params)
    st.markdown(links.csv("Every pair as CSV", transfer_tables.TRANSFERS.address(params)))
    unknown = rows.filter(rows["kendall_tau"].is_null())
    if not unknown.is_empty():
        pairs = [f"{markdown(name)} ({count(n, 'model')})" for name, n in unknown.select("other", "n_models").rows()]
        st.markdown(f"Not known, with fewer than ten models in common or no order on one side: {listed(pairs)}.")


def checks(view: View) -> None:
    """How the tests fare where the truth is known, and whether declared leakage shows."""
    rows = rung_tables.calibration(view, {})
    if block.show(view, charts.CALIBRATION, {}) is not None:
        documented = rows.filter(pl.col("truth") == "documented")
        pointed_at = [
            f"{title}: {round(flagged * n)} of {n} pairs with a documented overlap of {HIGH} or more are pointed at"
            for title, flagged, n in documented["title", "flagged", "n"].iter_rows()
        ]
        st.markdown(
            "At 0% nothing leaked, so that whatever is pointed at is a false alarm (single tests at 5%, before the "
            "correction for many). The other points are a leak put in by us. "
            + (f"{'; '.join(pointed_at)}{known_at_latest(last_known(view))}." if pointed_at
               else f"No tested pair has a documented overlap of {HIGH} or more.")
        )  # fmt: skip
        st.markdown(links.csv("All of it as CSV", rung_tables.CALIBRATION.address({})))
    _declared_leakage(view)


REPORTS = Listing(
    "Documented contamination",
    "reports",
    twin_pairs.REPORTS,
    ("No report is on record.", "None found is no proof of absence."),
    lambda _, rows: (
        f"{count(rows.height, 'published measurement')} of overlap with training material, for "
        f"{count(rows['benchmark_id'].n_unique(), 'benchmark')}. Methods differ, so shares of different methods do not "
        "compare; a benchmark that is not listed has not been shown to be free of overlap."
    ),
    "Documented contamination reports, the largest share first",
    ("benchmark", "subject", "subject_kind", "split", "share", "method", "reference_url"),
    Look(columns=REPORT_COLUMNS, declared_in=("contamination_report",)),
)
"""Every documented measurement of overlap with training material."""


def own_model(view: View) -> None:
    """How to compare one's own model with a second measurement, and which second measurements exist."""
    st.header("Is my model contaminated?", anchor="own")
    st.markdown(prose.OWN_MODEL)
    st.code(prose.OWN_FILES, language="csv")
    st.code(prose.OWN_COMMANDS, language="sh")
    of_new_items = twin_pairs.twins(view, {}).filter(pl.col("kind").is_in(SAMPLED)).sort("original", "other")
    pairs = [f"{markdown(first)} and {markdown(second)}" for first, second in of_new_items["original", "other"].rows()]
    st.markdown(prose.own_pairs(list(dict.fromkeys(pairs))))


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
        f"[Each kind of evidence about {markdown(name_of(view, benchmark_id))}]({url}); "
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
            suggestions.examples_and_opened(
                view, suggestions.MODELS, lambda key: links.address("trust", **tab, model=key), options
            )
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
    until = rung_tables.last_known_of(view, rows["benchmark_id"].to_list())
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
        alt="Every rung of evidence about this model, with benchmark, level and reason",
        columns=OWN_COLUMNS,
    )
