"""What to use instead: what measures the same and still has room, then what a curator names with what it lacks."""

import polars as pl
import streamlit as st

from benchhealth.dashboard.pages.benchmark.alternatives import SHOWN, alternatives, lacks, standing
from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.published.answers import words_of
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.widgets import links
from benchhealth.dashboard.words.numbers import correlation, month_of, percent
from benchhealth.dashboard.words.stages import STAGE_BADGE, STAGE_SHAPE, stage_words
from benchhealth.dashboard.words.text import count, markdown, short, words_within

FEWER = 0.5
"""With less than this share of the models of the benchmark, an alternative has lost models to compare with."""


def lost(row: Facts, facts: Facts, models: int) -> list[str]:
    """What who changes to this one loses, at most two things."""
    parts = []
    if 0 < row["models"] < FEWER * models:
        parts.append(f"{count(row['models'], 'model was', 'models were')} measured on it, {models:,} here")
    if facts["domain"] and row["domain"] != facts["domain"]:
        parts.append(f"another domain: {row['domain'] or 'not stated'}")
    if row["kendall_tau"] is not None and row["kendall_tau"] < FEWER:
        parts.append("ranks models differently")
    if facts["ceiling"] is not None and row["ceiling"] is None:
        parts.append("no ceiling is known")
    if facts["human"] is not None and row["human"] is None:
        parts.append("no human line is known")
    if facts["floor"] is not None and row["floor"] is None and row["ceiling"] is not None:
        parts.append("its chance level is not known")
    return parts[:2]


def section(view: View, facts: Facts, verdict: Facts) -> None:
    """Draw the cards; what still measures has benchmarks beside it."""
    found = alternatives(view, facts)
    still = verdict["stage"] in ("discriminating", "emerging")
    st.header("Use beside it" if still else "Use instead", anchor="instead")
    if answer := words_of(view, facts["benchmark_id"]).get("instead"):
        st.markdown(f":small[{markdown(answer.paragraph)}]")
    if found.is_empty():
        return
    cards = view.recent(("cards beside", facts["benchmark_id"]), lambda: _cards(view, facts))
    for column, card in zip(st.columns(SHOWN), cards, strict=False):
        with column, st.container(border=True, height="stretch", gap="xxsmall"):
            for said in card:
                st.markdown(said)


def _cards(view: View, facts: Facts) -> list[list[str]]:
    """The lines of each card, in markdown."""
    own = standing(view).filter(pl.col("benchmark_id") == facts["benchmark_id"])["models"]
    models = int(own[0]) if len(own) else 0
    cards = []
    for row in alternatives(view, facts).iter_rows(named=True):
        named = row["label"]
        named = words_within(row["name"], 48) if named == short(facts["name"]) else named
        cards.append(_card(row, named, lost(row, facts, models)))
    return cards


def room(row: Facts) -> str:
    """How much of its scale is left, in a few words; nothing where that is not known."""
    if row["headroom"] is not None:
        return f"{'at least ' if row['at_least'] else ''}{percent(max(0.0, row['headroom']))} of the scale left"
    return "no ceiling" if row["ceiling"] is None and row["unit"] is not None and row["models"] else ""


def _card(row: Facts, name: str, loses: list[str]) -> list[str]:
    to = links.address("benchmark", benchmark=row["benchmark_id"])
    mark = f":{STAGE_BADGE[row['stage']]}[{STAGE_SHAPE[row['stage']]}]"
    doubted = bool(row["between"])
    stage = (
        "" if row["stage"] == "discriminating" and not doubted else stage_words(row["stage"], row["between"]).lower()
    )
    until = f"{count(row['models'], 'model')}, known until {month_of(row['known_until'])}" if row["models"] else ""
    state = "; ".join(part for part in (", ".join(part for part in (stage, room(row)) if part), until) if part)
    reason = "" if row["why"] is None else f": {row['why']}"
    alike = (
        "rank agreement not known: too few shared models"
        if row["kendall_tau"] is None
        else f"rank agreement {correlation(row['kendall_tau'])} over {count(row['shared'], 'shared model')}"
    )
    but = [*lacks(row), *loses][:3]
    return [
        f"{mark} **[{markdown(name)}]({to})**",
        f":small[{markdown(f'{state[:1].upper()}{state[1:]}{reason}')}]",
        f":small[:gray[{markdown(alike)}]]",
        *([f":small[But: {markdown('; '.join(but))}]"] if but else []),
    ]
