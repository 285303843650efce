"""Contamination: every rung of evidence that items were seen in training, for benchmarks and for models on them."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import polars as pl
import streamlit as st

from analytics.contamination.findings import LEVELS
from analytics.contamination.table import RUNGS
from dashboard.pages.contamination import figures, leakage
from dashboard.pages.contamination import tables as contamination_tables
from dashboard.published import generation
from dashboard.published.generation import View
from dashboard.published.known import known_until, last_known
from dashboard.widgets import chart, empty, filters, links, shell, tables
from dashboard.widgets.page import PageSpec
from dashboard.words import definitions
from dashboard.words.known import known
from dashboard.words.probability import p_value
from dashboard.words.text import code, count, markdown

_MEANING = (
    ("high", "strong evidence that some scores here rest on items, or much like them, seen in training"),
    ("moderate", "some evidence: overlap without a share, training on the task declared, or single models off"),
    ("low", "the items were withheld or came later, or a test that would have shown a leak of 30% showed none"),
    ("unknown", "too little evidence to say. **No level says clean**: nothing could show that"),
)


def render() -> None:
    """Draw the page."""
    view = generation.current()
    st.title("Contamination: could scores rest on items seen in training?", anchor=False)
    st.markdown(
        "Six kinds of evidence, the rungs of a ladder, from *could have been seen* to *the scores look as if it was*. "
        "A level says how much speaks for it. It is **no finding about what anybody did**: public items end up in "
        "training material by themselves, and training on a task's own training split is open practice."
    )
    scope = shell.Scope()
    params = contamination_tables.scope_params(scope)
    counts = contamination_tables.counts(view, params)
    if not counts["benchmarks"].sum():
        empty.nothing(
            "No benchmark has been looked at here.",
            "No curated benchmark is on record.",
        )
        _rungs()
        return
    chart.show(
        view,
        chart.Chart(
            key="levels",
            finding=figures.finding(counts, last_known(view)),
            alt=figures.alt_text(counts),
            figure=figures.figure(counts),
            table=contamination_tables.COUNTS,
            params=params,
            method="contamination",
        ),
    )
    st.markdown(
        "\n".join(f"- **{figures.level_label(level)}**: {said}" for level, said in _MEANING)
        + "\n\nThe first kind, *could be seen*, is drawn pale: it makes contamination possible, is no sign of it, and "
        "never raises the overall level. [What each kind asks](#rungs-defined)"
    )
    _every(view, params)
    _benchmark(view)
    _calibration(view)
    leakage.draw(view)
    _rungs()


def _every(view: View, scope_params: Mapping[str, str]) -> None:
    st.header("Risk by benchmark", anchor="risk")
    level = filters.one("level", "Overall level", [contamination_tables.EVERY, *reversed(LEVELS)])
    params = {**scope_params, "level": level}
    rows = contamination_tables.risks(view, params)
    if rows.is_empty():
        empty.nothing(f"No benchmark in scope is at the level *{level}*.", "Choose another level above.")
        return
    opened = [
        f"{links.address('contamination', benchmark=one)}#{links.fragment(name)}"
        for one, name in rows["benchmark_id", "benchmark"].iter_rows()
    ]
    config = st.column_config
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
        config={
            "benchmark": config.LinkColumn("Benchmark", display_text=r"#(.*)$", pinned=True, width=150),
            "risk": config.TextColumn("Risk", width=105),
            "raised_by": config.TextColumn("Raised by", width=185),
            **{rung.key: config.TextColumn(figures.SHORT[rung.key], width=112, help=rung.title) for rung in RUNGS},
        },
    )
    st.markdown(f"[Download as CSV](<{contamination_tables.RISKS.address(params)}>), generation {view.name}.")


def _labels() -> dict[str, str]:
    return {level: figures.level_label(level) for level in LEVELS}


def _benchmark(view: View) -> None:
    st.header("One benchmark, rung by rung", anchor="ladder")
    asked = st.query_params.get("benchmark")
    every = set(view.table("benchmark")["benchmark_id"])
    if asked and asked not in every:
        empty.nothing(
            f"This generation holds no benchmark {code(asked)}.",
            f"It may have been renamed. [Open the page without it]({links.address('contamination')}).",
        )
        return
    options = shell.named_in_scope(view, also=asked)
    benchmark_id = filters.named("benchmark", "Benchmark", options, placeholder="Type a part of its name or id")
    if benchmark_id is None:
        empty.nothing("No benchmark is chosen.", "Choose one above, or open one from the table.")
        return
    name = view.table("benchmark").row(by_predicate=pl.col("benchmark_id") == benchmark_id, named=True)["name"]
    model_id = _model(view, benchmark_id)
    params = {"benchmark": benchmark_id, **({"model": model_id} if model_id else {})}
    rows = contamination_tables.rungs(view, params)
    chart.show(
        view,
        chart.Chart(
            key="rungs",
            finding=figures.ladder_finding(name or benchmark_id, rows, _model_name(view, benchmark_id, model_id)),
            alt=figures.ladder_alt(rows),
            figure=figures.ladder_figure(rows),
            table=contamination_tables.RUNGS_OF,
            params=params,
            method="contamination",
        ),
    )
    st.markdown(_evidence(rows, known_until(view, [benchmark_id])))
    _tests(view, benchmark_id)
    _pairs(view, benchmark_id)
    links.page_link("benchmark", f"Everything else about {markdown(name or benchmark_id)}", benchmark=benchmark_id)


def _model(view: View, benchmark_id: str) -> str | None:
    """The model asked for, if anything is known of it here; another benchmark's model is dropped in words."""
    options = contamination_tables.models(view, benchmark_id)
    asked = st.query_params.get("model")
    if asked and asked not in options:
        st.markdown(f"Nothing is known of {code(asked)} on this benchmark, so no model is chosen.")
    if not options:
        st.markdown("No model on this benchmark has evidence of its own.")
        return None
    return filters.one("model", "Model", options, placeholder="A model on it, if you like")


def _model_name(view: View, benchmark_id: str, model_id: str | None) -> str | None:
    if model_id is None:
        return None
    rows = contamination_tables.pairs(view, {"benchmark": benchmark_id})
    return str(rows.row(by_predicate=pl.col("model_id") == model_id, named=True)["model"])


def _evidence(rows: pl.DataFrame, until: date | None) -> str:
    """Each rung with its level, what was found and its source, as a numbered list; first until when it is known."""
    lines = [f"Rung by rung{known(until)}:\n"]
    for number, rung in enumerate(RUNGS, 1):
        found = rows.filter(pl.col("rung") == rung.key).sort("who")
        lines.append(f"{number}. **{rung.title}**")
        lines.extend(f"    - {_said(row, found['who'].n_unique() > 1)}" for row in found.iter_rows(named=True))
    return "\n".join(lines)


def _said(row: Mapping[str, Any], with_who: bool) -> str:
    who = ("the model: " if row["who"] == "model" else "the benchmark: ") if with_who else ""
    text = f"{who}**{figures.level_label(row['level'])}**. {markdown(row['reason'])}"
    if row["low"] is not None and row["value"] is not None:
        text += f" ({_interval(row)})"
    if row["q_value"] is not None:
        text += f"; {p_value('q', row['q_value'])}"
    text += f". {_power(row)}" if row["rung"] in contamination_tables.TESTS and row["value"] is not None else "."
    url = str(row["source_url"] or "")
    return f"{text} [Source](<{url}>)" if url.startswith(("https://", "http://")) else text


def _interval(row: Mapping[str, Any]) -> str:
    if row["who"] == "model":
        return f"95% interval {row['low']:.1f} to {row['high']:.1f} points"
    return f"95% interval of the share {row['low']:.0%} to {row['high']:.0%}"


def _power(row: Mapping[str, Any]) -> str:
    typical = " for the typical model" if row["who"] == "benchmark" else ""
    if row["detectable"] is None:
        return f"Not even a leak of every item would be shown with 80% probability{typical}"
    return f"A leak of {row['detectable']:.0%} of the items would be shown with 80% probability{typical}."


def _tests(view: View, benchmark_id: str) -> None:
    tests = contamination_tables.tested(view, benchmark_id)
    if not tests:
        return
    rung = filters.one("test", "Test", tests)
    params = {"benchmark": benchmark_id, "rung": rung}
    rows = contamination_tables.excesses(view, params)
    chart.show(
        view,
        chart.Chart(
            key="excess",
            finding=figures.excess_finding(contamination_tables.TITLES[rung], rows, known_until(view, [benchmark_id])),
            alt=figures.excess_alt(rows),
            figure=figures.excess_figure(rows),
            table=contamination_tables.EXCESSES,
            params=params,
            method="contamination_levels",
        ),
    )
    st.markdown(
        "*Higher than expected* is all that a mark says. Other causes: a model built for such tasks, another prompt, "
        "tuning to the format, or chance, which 5% of the marks are expected to be."
    )


def _pairs(view: View, benchmark_id: str) -> None:
    params = {"benchmark": benchmark_id}
    rows = contamination_tables.pairs(view, params)
    if rows.is_empty():
        return
    raised = rows.filter(pl.col("risk").is_in(["moderate", "high"])).height
    st.subheader("Models on this benchmark", anchor="pairs")
    st.markdown(
        f"Evidence raises the risk for {raised:,} of {count(rows.height, 'model')} of which something is known"
        f"{known(known_until(view, [benchmark_id]))}. A model that is not listed is unknown."
    )
    config = st.column_config
    tables.show(
        view,
        rows.with_columns(pl.col("risk").replace_strict(_labels(), return_dtype=pl.String)),
        contamination_tables.PAIRS,
        params,
        key="pairs",
        alt="Every model of which something is known on this benchmark, with its level and the reasons",
        config={
            "model": config.TextColumn("Model", pinned=True, width=150),
            "risk": config.TextColumn("Risk", width=105),
            "raised_by": config.NumberColumn("Rungs that raise it", width=130),
            "answered": config.NumberColumn("Rungs with an answer", width=140),
            "reasons": config.TextColumn("Reasons", width=560),
            "model_id": None,
        },
    )


def _calibration(view: View) -> None:
    st.header("Are the tests right where the truth is known?", anchor="calibration")
    rows = contamination_tables.calibration(view, {})
    if rows.is_empty():
        empty.nothing(
            "No test could be held against a known truth.",
            "It takes models on benchmarks that they cannot have seen, dated items, or a twin of new items.",
        )
        return
    chart.show(
        view,
        chart.Chart(
            key="calibration",
            finding=figures.calibration_finding(rows, last_known(view)),
            alt=figures.calibration_alt(rows),
            figure=figures.calibration_figure(rows),
            table=contamination_tables.CALIBRATION,
            method="contamination_calibration",
        ),
    )
    documented = rows.filter(pl.col("truth") == "documented")
    said = [
        f"{title}: {round(flagged * n)} of {n} pairs with a documented overlap of a tenth or more are pointed at"
        for title, flagged, n in documented["title", "flagged", "n"].iter_rows()
    ]
    st.markdown(
        "At 0% nothing leaked, so that whatever is pointed at is a false alarm (single tests at 5%, before the "
        "correction for many). The other points are a leak put in by us. "
        + ("; ".join(said) + "." if said else "No tested pair has a documented overlap of a tenth or more.")
    )


def _rungs() -> None:
    st.header("What each rung asks", anchor="rungs-defined")
    for number, rung in enumerate(RUNGS, 1):
        st.markdown(
            f"**{number}. {rung.title}.** {markdown(rung.definition)} Reference: {definitions.linked(rung.reference)}."
        )


PAGE = PageSpec(
    url_path="contamination",
    title="Contamination",
    render=render,
    tables=(
        contamination_tables.COUNTS,
        contamination_tables.RISKS,
        contamination_tables.RUNGS_OF,
        contamination_tables.PAIRS,
        contamination_tables.EXCESSES,
        contamination_tables.CALIBRATION,
        contamination_tables.LEAKAGE,
    ),
)
