"""What to use instead: what a curator names, then what still measures in the domain and ranks models alike."""

from collections.abc import Mapping
from typing import Any

import polars as pl
import streamlit as st

from dashboard.published.benchmarks import benchmarks, is_alive
from dashboard.published.generation import View
from dashboard.widgets import links
from dashboard.words.numbers import correlation, month_of, percent
from dashboard.words.stages import STAGE_BADGE, STAGE_SHAPE, stage_badge
from dashboard.words.text import count, markdown, short

Facts = Mapping[str, Any]
SHOWN = 4


def alternatives(view: View, facts: Facts) -> pl.DataFrame:
    """Curated successors in whatever stage, then benchmarks that still measure: of its domain, else ranking alike.

    Columns of `published.benchmarks`, `kendall_tau` with `shared` models, and `why` of a curated successor.
    """
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
    joined = rows.join(order, on="benchmark_id", how="left").join(why, on="benchmark_id", how="left")
    same = (pl.col("domain") == pl.lit(facts["domain"], dtype=pl.String)).fill_null(value=False)
    near = joined.filter(same | pl.col("kendall_tau").is_not_null() | pl.col("why").is_not_null())
    return near.sort(pl.col("why").is_null(), ~same, -pl.col("kendall_tau"), "name", nulls_last=True).head(SHOWN)


def section(view: View, facts: Facts) -> None:
    """Draw the cards."""
    found = alternatives(view, facts)
    st.header("Use instead", anchor="instead")
    if found.is_empty():
        st.markdown(":small[:gray[No curated benchmark of its domain, looked at within six months, still measures.]]")
        return
    for column, row in zip(st.columns(SHOWN, border=True), found.iter_rows(named=True), strict=False):
        with column, st.container(gap="xxsmall"):
            to = links.address("benchmark", benchmark=row["benchmark_id"])
            mark = f":{STAGE_BADGE[row['stage']]}[{STAGE_SHAPE[row['stage']]}]"
            st.markdown(f"{mark} **[{markdown(short(row['name']))}]({to})**")
            if row["stage"] != "discriminating":
                st.markdown(stage_badge(row["stage"]))
            room = (
                "no ceiling"
                if row["headroom"] is None
                else f"{'at least ' if row['at_least'] else ''}{percent(row['headroom'])} room"
            )
            alike = (
                "order not compared: too few shared models"
                if row["kendall_tau"] is None
                else f"orders models alike: {correlation(row['kendall_tau'])} over {row['shared']}"
            )
            reason = "" if row["why"] is None else f": {row['why']}"
            st.markdown(f":small[{markdown(f'{room}{reason}')}]")
            st.markdown(f":small[:gray[{markdown(alike)}]]")
            st.markdown(f":small[:gray[{count(row['models'], 'model')} · known until {month_of(row['known_until'])}]]")
