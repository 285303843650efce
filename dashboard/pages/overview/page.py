"""Overview: which benchmarks are still measuring anything."""

from dataclasses import replace
from datetime import date

import polars as pl
import streamlit as st

from analytics.record.tables import FLAGS, STAGES
from dashboard.pages.overview.figures import sparkline, stages
from dashboard.published import generation
from dashboard.published.generation import View
from dashboard.published.tables import Params, PublishedTable
from dashboard.widgets import chart, empty, filters, links, shell, tables
from dashboard.widgets.page import PageSpec
from dashboard.words import sentences
from dashboard.words.stages import FLAG_MEANING, STAGE_MEANING, stage_label
from dashboard.words.text import count, listed, markdown

SORTS = {
    "liveliest first": (["liveliness", "silent", "models", "name"], [False, False, True, False]),
    "most headroom": (["headroom", "name"], [True, False]),
    "least headroom": (["headroom", "name"], [False, False]),
    "most models": (["models", "name"], [True, False]),
    "newest result": (["months_since_result", "name"], [False, False]),
    "youngest": (["released_on", "name"], [True, False]),
    "name": (["name"], [False]),
}
_INDICATORS = {
    "headroom": "headroom",
    "n_models": "models",
    "months_since_result": "months_since_result",
}


NAMED = 8
"""Benchmarks that are called alive by name before the table is pointed at."""


def benchmarks(view: View) -> pl.DataFrame:
    """Every benchmark of the generation with its verdict, headroom and interval, models, age and frontier line."""
    return view.kept("overview", lambda: _benchmarks(view))


def _benchmarks(view: View) -> pl.DataFrame:
    joined = view.table("benchmark").join(
        view.table("verdict").select("benchmark_id", "stage", "flags", "reasons", "as_of"),
        on="benchmark_id",
        how="full",
        coalesce=True,
    )
    indicators = view.table("indicator").filter(pl.col("status") == "ok")
    for key, column in _INDICATORS.items():
        found = indicators.filter(pl.col("indicator") == key).select(
            "benchmark_id", pl.col("value").alias(column), pl.col("low", "high").name.prefix(f"{column}_")
        )
        joined = joined.join(found, on="benchmark_id", how="left")
    joined = joined.join(sentences.growth_words(indicators), on="benchmark_id", how="left")
    lines = sparkline.sparklines(view.table("frontier"))
    order = pl.Enum(stages.ORDER)
    return joined.join(lines, on="benchmark_id", how="left").with_columns(
        pl.coalesce("name", "benchmark_id").alias("name"),
        pl.col("stage").fill_null("unknown"),
        pl.col("flags").fill_null([]),
        pl.col("models").fill_null(0).cast(pl.Int64),
        silent=stages.silent().fill_null(value=False),
        liveliness=pl.when(stages.unseen().fill_null(value=False))
        .then(len(stages.ORDER))
        .otherwise(pl.col("stage").fill_null("unknown").cast(order).to_physical()),
        age_years=(pl.coalesce("known_until", "as_of") - pl.col("released_on")).dt.total_days() / 365.25,
    )


def _list_table(view: View, _params: Params) -> pl.DataFrame:
    return benchmarks(view).select(
        "benchmark_id",
        "name",
        "domain",
        "stage",
        "flags",
        "headroom",
        "headroom_low",
        "headroom_high",
        "models",
        "growth",
        "months_since_result",
        "released_on",
        "curated",
        "known_until",
        "as_of",
    )


def _stage_table(view: View, params: Params) -> pl.DataFrame:
    whole = benchmarks(view)
    chosen = shell.Scope(
        tuple(part for part in params.get("domains", "").split("\n") if part),
        params.get("uncurated") == "1",
        params.get("parts") == "1",
    )
    return stages.stage_counts(chosen.keep(whole))


LIST = PublishedTable("benchmarks", _list_table)
STAGE_COUNTS = PublishedTable("stages", _stage_table)


def render() -> None:
    """Draw the page."""
    view = generation.current()
    scope = shell.scope()
    in_scope = scope.keep(benchmarks(view))
    st.title("Are these benchmarks still measuring anything?", anchor=False)
    st.markdown(_living(in_scope))
    _summary(view, in_scope, scope)
    _list(view, in_scope, scope)


def _living(in_scope: pl.DataFrame) -> str:
    """Which benchmarks are alive, by name, with links; the answer before anything has to be read off a chart."""
    rows = stages.alive(in_scope).sort("models", "name", descending=[True, False])
    meaning = "results on them can still show that a model is better, and somebody still reports them"
    if rows.is_empty():
        return f"**Alive: none of these.** Of no benchmark here it holds that {meaning.replace('them', 'it')}."
    named = [
        f"[{markdown(name)}]({links.address('benchmark', benchmark=benchmark_id)})"
        for benchmark_id, name in rows.head(NAMED).select("benchmark_id", "name").iter_rows()
    ]
    if rows.height > NAMED:
        named.append(f"{rows.height - NAMED:,} more, which come first in the table below")
    return f"**Alive:** {listed(named)}; {meaning}."


def _summary(view: View, in_scope: pl.DataFrame, scope: shell.Scope) -> None:
    params = {
        "domains": "\n".join(scope.domains),
        "uncurated": "1" * scope.with_uncurated,
        "parts": "1" * scope.with_parts,
    }
    chosen = {name: value for name, value in params.items() if value}
    counts = stages.stage_counts(in_scope)
    days = view.table("verdict")["as_of"].drop_nulls()
    newest = days.max()
    chart.show(
        view,
        chart.Chart(
            key="stages",
            finding=stages.finding(counts, newest if isinstance(newest, date) else None),
            alt=stages.alt_text(counts),
            figure=stages.figure(counts),
            table=STAGE_COUNTS,
            params=chosen,
            method="stages",
        ),
    )
    said = [f"{stage_label(stage)}: {STAGE_MEANING[stage]}" for stage in stages.ORDER]
    st.markdown(
        f"{'; '.join(said)}. *Dormant*: {FLAG_MEANING['dormant']}; *stale*: {FLAG_MEANING['stale']}. "
        f"[How a stage is decided]({links.address('methods')}#verdict)"
    )


def _hidden(view: View, scope: shell.Scope) -> str:
    """How many benchmarks the default view leaves out, and how to see them."""
    whole = replace(scope, with_uncurated=True).keep(benchmarks(view))
    others = whole.filter(~pl.col("curated").fill_null(value=False)).height
    if not others:
        return ""
    return f" {others:,} more are known only as their sources describe them: switch on *Uncurated too* {shell.WHERE}."


def _list(view: View, in_scope: pl.DataFrame, scope: shell.Scope) -> None:
    st.header("Every benchmark", anchor="benchmarks")
    chosen = _filtered(in_scope)
    if chosen.is_empty():
        empty.nothing(
            "No benchmark matches these filters.",
            f"There are {in_scope.height:,} without the filters above this box. Try fewer words, another stage, or "
            f"switch on *Uncurated too* or *Parts too* {shell.WHERE}. [Clear all filters]({links.address('.')})",
        )
        return
    hidden = "" if scope.with_uncurated else _hidden(view, scope)
    st.markdown(
        f"{count(chosen.height, 'benchmark')}. Open one by its name; every column sorts. More columns, to the right: "
        f"best score, growth, age and domain. Where a cell is empty, the page of the benchmark says why.{hidden}"
    )
    tables.grid(
        _cells(chosen),
        key="benchmarks",
        alt="Benchmarks with stage, headroom, number of models and last result",
        config=_columns(),
        visible_rows=20,
    )
    st.markdown(f"[Download all {benchmarks(view).height:,} as CSV]({LIST.address({})}), generation {view.name}.")


def _filtered(in_scope: pl.DataFrame) -> pl.DataFrame:
    """The rows that the page's own filters keep, sorted as asked."""
    words, stage, flag, order = st.columns(4)
    with words:
        text = filters.search("search", "Search", "name or id")
    with stage:
        wanted_stages = filters.several("stage", "Stage", STAGES)
    with flag:
        wanted_flags = filters.several("flag", "Flag", FLAGS)
    with order:
        by, descending = SORTS[filters.one("sort", "Order", list(SORTS))]
    kept = in_scope
    for word in text.casefold().split():
        kept = kept.filter(
            pl.concat_str("name", "benchmark_id", separator=" ").str.to_lowercase().str.contains(word, literal=True)
        )
    if wanted_stages:
        kept = kept.filter(pl.col("stage").is_in(wanted_stages))
    if wanted_flags:
        kept = kept.filter(pl.col("flags").list.set_intersection(wanted_flags).list.len() > 0)
    return kept.sort(by, descending=descending, nulls_last=True)


def _cells(rows: pl.DataFrame) -> pl.DataFrame:
    """The columns as the grid shows them."""
    opened = [
        f"{links.address('benchmark', benchmark=benchmark_id)}#{links.fragment(name)}"
        for benchmark_id, name in rows.select("benchmark_id", "name").iter_rows()
    ]
    return rows.select(
        pl.Series("benchmark", opened, dtype=pl.String),
        pl.when(stages.unseen())
        .then(pl.lit(stages.UNSEEN.capitalize()))
        .otherwise(pl.col("stage").replace_strict({name: stage_label(name) for name in STAGES}))
        .alias("stage"),
        pl.col("flags").list.join(", "),
        pl.col("months_since_result").round(1),
        "known_until",
        (pl.col("headroom") * 100).round(1),
        tables.spans(rows, "headroom_low", "headroom_high", factor=100.0),
        "models",
        "frontier",
        "growth",
        pl.col("age_years").round(1),
        "domain",
    )


def _columns() -> dict[str, object]:
    config = st.column_config
    flags = "; ".join(f"{flag}: {FLAG_MEANING[flag]}" for flag in FLAGS)
    return {
        "benchmark": config.LinkColumn("Benchmark", display_text=r"#(.*)$", pinned=True, width=208, alignment="left"),
        "stage": config.TextColumn("Stage", width=116, help="What is left to measure; the words stand under the chart"),
        "flags": config.TextColumn("Flags", width=165, help=flags),
        "months_since_result": config.NumberColumn(
            "Last result",
            format="%.1f months",
            width=96,
            help="Months from the newest result to the day until which it is known",
        ),
        "known_until": config.DateColumn(
            "Known until", format="YYYY-MM-DD", width=90, help="When a source of it was last looked at"
        ),
        "headroom": config.NumberColumn(
            "Headroom", help="(ceiling - best) / (ceiling - chance), in percent", format="%.1f%%", width=80
        ),
        "interval": config.TextColumn("95% interval", width=100, help="Of the headroom, in percent"),
        "models": config.NumberColumn("Models", width=66, format="localized", help="Models with a result on it"),
        "frontier": config.LineChartColumn("Best score", width=80, help="The best score over time, each on its scale"),
        "growth": config.TextColumn(
            "Growth", width=95, help="How the best score rose up to the last look: continuous, burst or stagnant"
        ),
        "age_years": config.NumberColumn("Age", format="%.1f years", width=80, help="Since its release"),
        "domain": config.TextColumn("Domain", width=150),
    }


PAGE = PageSpec(
    url_path="overview",
    title="Overview",
    icon=":material/monitor_heart:",
    render=render,
    tables=(LIST, STAGE_COUNTS),
)
