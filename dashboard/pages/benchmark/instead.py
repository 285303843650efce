"""What to use instead: what a curator names, then what still measures in the domain and ranks models alike."""

import polars as pl
import streamlit as st

from dashboard.pages.benchmark.facts import Facts
from dashboard.published.benchmarks import benchmarks, is_alive
from dashboard.published.generation import View
from dashboard.widgets import links
from dashboard.words.numbers import correlation, month_of, percent
from dashboard.words.stages import STAGE_BADGE, STAGE_SHAPE, STAGE_WORDS
from dashboard.words.text import count, markdown, short, words_within

SHOWN = 4
FEWER = 0.5
"""With less than this share of the models of the benchmark, an alternative has lost models to compare with."""


def alternatives(view: View, facts: Facts) -> pl.DataFrame:
    """Curated successors in whatever stage, then benchmarks that still measure: of its domain, else ranking alike.

    Of these what is most exposed comes last, and otherwise what ranks models alike comes first. Columns of
    `published.benchmarks`, `kendall_tau` with `shared` models, `exposure` (the level of the ladder of evidence), and
    `why` of a curated successor.
    """
    return view.recent(("alternatives", facts["benchmark_id"]), lambda: _alternatives(view, facts))


def _alternatives(view: View, facts: Facts) -> pl.DataFrame:
    benchmark_id = facts["benchmark_id"]
    alike = view.table("transfer").filter(
        (pl.col("original_id") == benchmark_id) | (pl.col("other_id") == benchmark_id)
    )
    other = pl.when(pl.col("original_id") == benchmark_id).then("other_id").otherwise("original_id")
    order = alike.select(benchmark_id=other, kendall_tau="kendall_tau", shared="n_models").unique("benchmark_id")
    named = view.table("successor").filter(pl.col("benchmark_id") == benchmark_id)
    why = named.select(benchmark_id="successor_id", why="why")
    whole = pl.col("curated") & ~pl.col("benchmark_id").str.contains("/", literal=True)
    rows = benchmarks(view).filter(pl.col("benchmark_id") != benchmark_id)
    rows = rows.filter((is_alive() & whole) | pl.col("benchmark_id").is_in(why["benchmark_id"].implode()))
    joined = (
        rows.join(order, on="benchmark_id", how="left")
        .join(why, on="benchmark_id", how="left")
        .join(_exposure(view), on="benchmark_id", how="left")
    )
    same = (pl.col("domain") == pl.lit(facts["domain"], dtype=pl.String)).fill_null(value=False)
    near = joined.filter(same | pl.col("kendall_tau").is_not_null() | pl.col("why").is_not_null())
    seen = (pl.col("exposure").is_in(["moderate", "high"])).fill_null(value=False)
    by = (pl.col("why").is_null(), ~same, seen, -pl.col("kendall_tau"), "name")
    return near.sort(*by, nulls_last=True).head(SHOWN)


def _exposure(view: View) -> pl.DataFrame:
    """The level of the ladder of each benchmark as a whole."""
    risk = view.table("contamination_risk").filter((pl.col("rung") == "overall") & pl.col("model_id").is_null())
    return risk.select("benchmark_id", exposure="level").unique("benchmark_id")


def lost(row: Facts, facts: Facts, models: int) -> list[str]:
    """What who changes to this one loses, at most two things."""
    parts = []
    if row["models"] < FEWER * models:
        parts.append(f"{count(row['models'], 'model')} instead of {models:,}")
    if facts["domain"] and row["domain"] != facts["domain"]:
        parts.append(f"another domain: {row['domain'] or 'not stated'}")
    if row["kendall_tau"] is not None and row["kendall_tau"] < FEWER:
        parts.append("ranks models differently")
    if facts["ceiling"] is not None and row["ceiling"] is None:
        parts.append("a scale with a ceiling")
    if facts["human"] is not None and row["human"] is None:
        parts.append("the human line")
    if facts["floor"] is not None and row["floor"] is None and row["ceiling"] is not None:
        parts.append("a known chance level")
    return parts[:2]


def section(view: View, facts: Facts, verdict: Facts) -> None:
    """Draw the cards; what still measures has benchmarks beside it."""
    found = alternatives(view, facts)
    still = verdict["stage"] in ("discriminating", "emerging")
    st.header("Use beside it" if still else "Use instead", anchor="instead")
    if found.is_empty():
        st.markdown(":small[:gray[No curated benchmark of its domain, looked at within six months, still measures.]]")
        return
    own = benchmarks(view).filter(pl.col("benchmark_id") == facts["benchmark_id"])["models"]
    for column, row in zip(st.columns(SHOWN), found.iter_rows(named=True), strict=False):
        with column, st.container(border=True, height="stretch", gap="xxsmall"):
            named = short(row["name"])
            named = words_within(row["name"], 48) if named == short(facts["name"]) else named
            _card(row, named, lost(row, facts, int(own[0]) if len(own) else 0))


def _card(row: Facts, name: str, loses: list[str]) -> None:
    to = links.address("benchmark", benchmark=row["benchmark_id"])
    mark = f":{STAGE_BADGE[row['stage']]}[{STAGE_SHAPE[row['stage']]}]"
    st.markdown(f"{mark} **[{markdown(name)}]({to})**")
    room = (
        "no ceiling"
        if row["headroom"] is None
        else f"{'at least ' if row['at_least'] else ''}{percent(max(0.0, row['headroom']))} room"
    )
    stage = "" if row["stage"] == "discriminating" else f"{STAGE_WORDS[row['stage']]}, "
    reason = "" if row["why"] is None else f": {row['why']}"
    alike = (
        "order not compared: too few shared models"
        if row["kendall_tau"] is None
        else f"orders models alike: {correlation(row['kendall_tau'])} over {row['shared']}"
    )
    models = f"{count(row['models'], 'model')}, known until {month_of(row['known_until'])}"
    st.markdown(f":small[{markdown(f'{stage}{room}; {models}{reason}')}]")
    st.markdown(f":small[:gray[{markdown(alike)}]]")
    if loses:
        st.markdown(f":small[Lost: {markdown('; '.join(loses))}]")
