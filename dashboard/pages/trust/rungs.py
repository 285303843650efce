"""Every rung of evidence: of all benchmarks, of the chosen one, and of one model."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import polars as pl
import streamlit as st

from benchhealth.analytics.contamination.findings import LEVELS
from benchhealth.analytics.contamination.table import RUNGS
from benchhealth.analytics.record.tables.declared import count as counts
from benchhealth.analytics.record.tables.declared import link, sentence, text
from benchhealth.dashboard.pages.trust import charts, rung_tables
from benchhealth.dashboard.pages.trust.figures import ladder
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.known import known_until
from benchhealth.dashboard.widgets import block, empty, filters, links, tables
from benchhealth.dashboard.widgets.boxes import doors
from benchhealth.dashboard.widgets.tables import TEXT_AFTER_HASH, GridColumn
from benchhealth.dashboard.words.known import known, known_at_latest
from benchhealth.dashboard.words.numbers import fixed
from benchhealth.dashboard.words.probability import p_value
from benchhealth.dashboard.words.text import code, count, markdown

_MEANING = (
    ("high", "strong evidence that some scores here rest on items, or much like them, seen in training"),
    ("moderate", "some evidence: overlap without a share, training on the task declared, or single models off"),
    ("low", "the items were withheld or came later, or a test that would have shown a leak of 30% showed none"),
    ("unknown", "too little evidence to say. **No level says clean**: nothing could show that"),
)


_RISK = GridColumn(text("risk", "How much speaks for items seen in training.", label="Risk"), width=105)
RISK_COLUMNS = (
    GridColumn(
        link("benchmark", "The benchmark.", label="Benchmark"), link_text=TEXT_AFTER_HASH, pinned=True, width=150
    ),
    _RISK,
    GridColumn(text("raised_by", "The kinds of evidence that raise the level.", label="Raised by"), width=185),
    *(GridColumn(text(rung.key, rung.title, label=ladder.SHORT[rung.key]), width=112) for rung in RUNGS),
)
PAIR_COLUMNS = (
    GridColumn(text("model", "The model.", label="Model"), pinned=True, width=150),
    _RISK,
    GridColumn(counts("raised_by", "Kinds of evidence that raise the level.", label="Rungs that raise it"), width=130),
    GridColumn(counts("answered", "Kinds of evidence that say anything.", label="Rungs with an answer"), width=140),
    GridColumn(sentence("reasons", "What was found.", label="Reasons"), width=560),
)
OWN_COLUMNS = (
    GridColumn(text("benchmark", "The benchmark.", label="Benchmark"), pinned=True, width=170),
    GridColumn(text("title", "The rung.", label="Kind of evidence"), width=200),
    GridColumn(text("level", "How much speaks for items seen in training.", label="Level"), width=105),
    GridColumn(sentence("reason", "What was found.", label="Reason"), width=520),
    GridColumn(link("source_url", "Where that is said.", label="Source"), width=80),
)


def all_benchmarks(view: View) -> None:
    """How many benchmarks are at which level by rung, and each of them."""
    st.markdown(
        "Six kinds of evidence, the rungs of a ladder, from *could have been seen* to *the scores look as if it was*. "
        "A level says how much speaks for it. It is **no finding about what anybody did**: public items end up in "
        "training material by themselves, and training on a task's own training split is open practice."
    )
    if block.show(view, charts.LEVELS, {}) is None:
        return
    st.markdown("\n".join(f"- **{ladder.level_label(level)}**: {meaning}" for level, meaning in _MEANING))
    _every(view)


def _every(view: View) -> None:
    st.header("Risk by benchmark", anchor="risk")
    level = filters.one("level", "Overall level", [rung_tables.ALL_LEVELS, *reversed(LEVELS)])
    params = {"level": level}
    rows = rung_tables.risks(view, params)
    if rows.is_empty():
        empty.nothing(f"No benchmark in scope is at the level *{level}*.", "Choose another level above.")
        return
    opened = [
        f"{links.address('trust', benchmark=benchmark_id)}#{links.fragment(name)}"
        for benchmark_id, name in rows["benchmark_id", "benchmark"].iter_rows()
    ]
    shown = rows.head(tables.ROW_LIMIT)
    tables.grid(
        shown.select(
            pl.Series("benchmark", opened[: shown.height], dtype=pl.String),
            pl.col("risk").replace_strict(_labels(), return_dtype=pl.String),
            "raised_by",
            *(pl.col(rung.key).replace_strict(_labels(), return_dtype=pl.String) for rung in RUNGS),
        ),
        key="risks",
        alt="Every benchmark in scope with its overall level and that of each rung, the most evidence first",
        columns=RISK_COLUMNS,
    )
    st.markdown(f"{links.csv('Download as CSV', rung_tables.RISKS.address(params))}, generation {view.name}.")


def _labels() -> dict[str, str]:
    return {level: ladder.level_label(level) for level in LEVELS}


def one_benchmark(view: View, benchmark_id: str) -> None:
    """The chosen benchmark rung by rung, its tests of single models, and the models of which something is known."""
    name = charts.name_of(view, benchmark_id)
    model_id = _model(view, benchmark_id)
    params = {"benchmark": benchmark_id, **({"model": model_id} if model_id else {})}
    block.show(view, charts.LADDER, params)
    rows = rung_tables.rungs(view, params)
    st.markdown(_evidence(rows, known_until(view, [benchmark_id])))
    st.markdown(links.csv("The ladder as CSV", rung_tables.RUNGS_OF.address(params)))
    if tests := rung_tables.tested(view, benchmark_id):
        rung = filters.named("rung", "Test", {test: rung_tables.TITLES[test] for test in tests})
        block.show(view, charts.EXCESS, {"benchmark": benchmark_id, "rung": rung})
        st.markdown(
            "*Higher than expected* is all that a mark says. Other causes: a model built for such tasks, another "
            "prompt, tuning to the format, or chance, which 5% of the marks are expected to be. [Every model as "
            f"CSV](<{rung_tables.EXCESSES.address({'benchmark': benchmark_id, 'rung': rung})}>)"
        )
    _pairs(view, benchmark_id)
    links.page_link("benchmark", f"Everything else about {markdown(name)}", benchmark=benchmark_id)


def _model(view: View, benchmark_id: str) -> str | None:
    """The model asked for, if anything is known of it here; another benchmark's model is dropped in words."""
    asked = st.query_params.get("model")
    if not asked:
        return None
    if asked in rung_tables.models(view, benchmark_id):
        return asked
    st.markdown(f"Nothing is known of {code(asked)} on this benchmark, so no model is set beside it.")
    return None


def _evidence(rows: pl.DataFrame, until: date | None) -> str:
    """Each rung with its level, what was found and its source, as a numbered list; first until when it is known."""
    lines = [f"Rung by rung{known(until)}:\n"]
    for number, rung in enumerate(RUNGS, 1):
        of_rung = rows.filter(pl.col("rung") == rung.key).sort("who")
        lines.append(f"{number}. **{rung.title}**")
        lines.extend(f"    - {_rung_text(row, of_rung['who'].n_unique() > 1)}" for row in of_rung.iter_rows(named=True))
    return "\n".join(lines)


def _rung_text(row: Mapping[str, Any], with_who: bool) -> str:
    who = ("the model: " if row["who"] == "model" else "the benchmark: ") if with_who else ""
    text = f"{who}**{ladder.level_label(row['level'])}**. {markdown(row['reason'])}"
    if row["low"] is not None and row["value"] is not None:
        text += f" ({_interval(row)})"
    if row["q_value"] is not None:
        text += f"; {p_value('q', row['q_value'])}"
    text += f". {_power(row)}" if row["rung"] in rung_tables.TESTS and row["value"] is not None else "."
    url = str(row["source_url"] or "")
    return f"{text} [Source](<{url}>)" if url.startswith(("https://", "http://")) else text


def _interval(row: Mapping[str, Any]) -> str:
    if row["who"] == "model":
        return f"95% interval {fixed(row['low'])} to {fixed(row['high'])} points"
    return f"95% interval of the share {row['low']:.0%} to {row['high']:.0%}"


def _power(row: Mapping[str, Any]) -> str:
    typical = " for the typical model" if row["who"] == "benchmark" else ""
    if row["detectable"] is None:
        return f"Not even a leak of every item would be shown with 80% probability{typical}"
    return f"A leak of {row['detectable']:.0%} of the items would be shown with 80% probability{typical}."


def _pairs(view: View, benchmark_id: str) -> None:
    params = {"benchmark": benchmark_id}
    rows = rung_tables.pairs(view, params)
    if rows.is_empty():
        return
    raised = rows.filter(pl.col("risk").is_in(["moderate", "high"])).height
    st.header("Models on this benchmark", anchor="pairs")
    st.markdown(
        f"Evidence raises the risk for {raised:,} of {count(rows.height, 'model')} of which something is known"
        f"{known(known_until(view, [benchmark_id]))}. A model that is not listed is unknown."
    )
    tables.show(
        view,
        rows.drop("model_id").with_columns(pl.col("risk").replace_strict(_labels(), return_dtype=pl.String)),
        rung_tables.PAIRS,
        params,
        key="pairs",
        alt="Every model of which something is known on this benchmark, with its level and the reasons",
        columns=PAIR_COLUMNS,
    )


def one_model(view: View) -> None:
    """What is said of one model over all benchmarks: how many of its tests stand out, and every rung."""
    asked, options = st.query_params.get("model"), rung_tables.tested_models(view)
    if asked and asked not in options:
        empty.nothing(f"No test says anything of {code(asked)}.", "It may have been renamed; choose one below.")
    model_id = filters.named(
        "model", f"Model, of {count(len(options), 'tested one')}", options, placeholder="Type a part of its name"
    )
    if model_id is None:
        st.markdown("Choose a model: what its own scores say, benchmark by benchmark, and what they cannot say.")
        to = {"more": "model"}
        st.markdown(
            doors.examples_and_opened(view, doors.MODELS, lambda one: links.address("trust", **to, model=one), options)
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
        with_evidence.with_columns(pl.col("level").replace_strict(_labels(), return_dtype=pl.String)).select(
            "benchmark", "title", "level", "reason", "source_url"
        ),
        rung_tables.RUNGS_OF_MODEL,
        params,
        key="own",
        alt="Every rung of evidence about this model, with benchmark, level and reason",
        columns=OWN_COLUMNS,
    )
