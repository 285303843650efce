"""What to use instead: benchmarks of the same construct with room left, then those a curator names with flaws."""

import polars as pl
import streamlit as st

from benchhealth.dashboard.pages.benchmark.facts import Facts, facts_of
from benchhealth.dashboard.published.answers import words_of
from benchhealth.dashboard.published.benchmarks import benchmarks, is_alive, is_fresh, is_in_use, named_stage
from benchhealth.dashboard.published.generation import View, recently
from benchhealth.dashboard.widgets import links
from benchhealth.dashboard.words.answers import instead as words
from benchhealth.dashboard.words.numbers import correlation, month_of, percent
from benchhealth.dashboard.words.stages import STAGE_BADGE, STAGE_SHAPE, stage_words
from benchhealth.dashboard.words.text import capital, count, markdown, short, words_within

ALTERNATIVES_SHOWN = 4


@recently
def reservations(view: View) -> pl.DataFrame:
    """`published.benchmarks` with `fresh`, `in_use`, `alive`, the `named` stage, and the `reservations` against a
    better result on each.
    """
    stands = {"fresh": is_fresh(), "in_use": is_in_use(), "alive": is_alive(), "named": named_stage()}
    rows = benchmarks(view).with_columns(**stands)
    return rows.join(view.table("reservation"), on="benchmark_id", how="left", maintain_order="left")


@recently
def alternatives(view: View, benchmark_id: str) -> pl.DataFrame:
    """The alternatives that fit, then (`fits` false) those a curator names although they do not, in table order.

    Columns of `reservations` for the other benchmark, with those of the table `alternative`.
    """
    placed = view.table("alternative").filter(pl.col("benchmark_id") == benchmark_id, pl.col("place").is_not_null())
    ranked = placed.sort("place").head(ALTERNATIVES_SHOWN).drop("benchmark_id").rename({"other_id": "benchmark_id"})
    return ranked.join(reservations(view), on="benchmark_id", how="left", maintain_order="left")


LOSSES, AGAINST = 2, 3
"""How many losses, and how many reservations in all, a card names."""


def section(view: View, facts: Facts, verdict: Facts) -> None:
    """Draw the cards: to use instead, or beside a benchmark that still measures."""
    offered = alternatives(view, facts["benchmark_id"])
    still = verdict["stage"] in ("discriminating", "emerging")
    st.header("Use beside it" if still else "Use instead", anchor="instead")
    if answer := words_of(view, facts["benchmark_id"]).get("instead"):
        st.markdown(f":small[{markdown(answer.paragraph)}]")
    if offered.is_empty():
        return
    for column, card in zip(st.columns(ALTERNATIVES_SHOWN), _cards(view, facts["benchmark_id"]), strict=False):
        with column, st.container(border=True, height="stretch", gap="xxsmall"):
            for line in card:
                st.markdown(line)


@recently
def _cards(view: View, benchmark_id: str) -> list[list[str]]:
    """The lines of the card of each alternative, in markdown."""
    facts = facts_of(view, benchmark_id)
    results_here = reservations(view).filter(pl.col("benchmark_id") == benchmark_id)["models"]
    models = int(results_here[0]) if len(results_here) else 0
    cards = []
    for row in alternatives(view, benchmark_id).iter_rows(named=True):
        label = row["label"]
        label = words_within(row["name"], 48) if label == short(facts["name"]) else label
        cards.append(_card(row, label, facts, models))
    return cards


def room(row: Facts) -> str:
    """How much of its scale is left, in a few words; nothing where that is not known."""
    if row["headroom"] is not None:
        return f"{'at least ' if row['at_least'] else ''}{percent(max(0.0, row['headroom']))} of the scale left"
    return "no ceiling" if row["ceiling"] is None and row["unit"] is not None and row["models"] else ""


def _card(row: Facts, name: str, facts: Facts, models: int) -> list[str]:
    url = links.address("benchmark", benchmark=row["benchmark_id"])
    mark = f":{STAGE_BADGE[row['stage']]}[{STAGE_SHAPE[row['stage']]}]"
    doubted = bool(row["between"])
    stage = (
        "" if row["stage"] == "discriminating" and not doubted else stage_words(row["stage"], row["between"]).lower()
    )
    until = f"{count(row['models'], 'model')}, data to {month_of(row['known_until'])}" if row["models"] else ""
    state = "; ".join(text for text in (", ".join(text for text in (stage, room(row)) if text), until) if text)
    agreement = (
        "rank agreement not known: too few shared models"
        if row["kendall_tau"] is None
        else f"rank agreement {correlation(row['kendall_tau'])} over {count(row['shared'], 'shared model')}"
    )
    but = [*words.reservations(row), *words.losses(row, models, LOSSES)][:AGAINST]
    return [
        f"{mark} **[{markdown(name)}]({url})**",
        f":small[{markdown(f'{capital(state)}: {words.reason(row, facts)}')}]",
        f":small[:gray[{markdown(agreement)}]]",
        *([f":small[But: {markdown('; '.join(but))}]"] if but else []),
    ]
