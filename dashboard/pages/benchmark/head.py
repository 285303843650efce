"""The first lines of a benchmark: the verdict as a title, what else is known in a sentence, and its badges."""

from collections.abc import Mapping

import polars as pl
import streamlit as st

from benchhealth.dashboard.figures.base import is_bounded
from benchhealth.dashboard.figures.language import months_between
from benchhealth.dashboard.pages.benchmark.card import passed_on
from benchhealth.dashboard.pages.benchmark.facts import Facts, facts_of, indicators_of, known_indicator, verdict_of
from benchhealth.dashboard.published.answers import answers_of, words_of
from benchhealth.dashboard.published.benchmarks import FRESH_MONTHS
from benchhealth.dashboard.published.generation import View, recently
from benchhealth.dashboard.published.results import frontier
from benchhealth.dashboard.words.answers.room import NOT_LOADED, passed_by_makers_alone, two_numbers
from benchhealth.dashboard.words.answers.sentences import REPLY_WORDS, Words
from benchhealth.dashboard.words.numbers import day_of, month_of, points, score
from benchhealth.dashboard.words.prose.judged.since import how_set, since
from benchhealth.dashboard.words.stages import FLAG_MEANING, flag_badge, stage_badge, stage_label, stage_words
from benchhealth.dashboard.words.text import capital, markdown, one_line, short

LONGEST_TITLE = 70
"""The longest title to which the number of headroom is still added, in characters."""

CROWDED_TOP = ("bunched", "crowded_and_room_unknown", "crowded_and_spread_unknown")
"""The cases of a benchmark that is running out of differences at the top, whatever room is left."""


def title(facts: Facts, verdict: Facts) -> str:
    """The verdict as a title: `MMLU: saturated since Sep 2024`."""
    words = stage_words(verdict["stage"], verdict["between"]).lower() if verdict["between"] else _stage(verdict)
    dated = verdict["stage"] in ("compressing", "saturated") and not verdict["between"]
    when = since(verdict["since"], verdict["since_case"]) if dated else ""
    data_until = f" (data to {month_of(verdict['known_until'])})" if is_old(verdict) else ""
    return f"{subject(facts)}: {words}{f' {when}' if when else ''}{data_until}"


def subject(facts: Facts) -> str:
    """The benchmark's short name, which no other curated one has."""
    return one_line(facts.get("label") or short(facts["name"]))


def _stage(verdict: Facts) -> str:
    return {
        "discriminating": "still measures",
        "compressing": "top within error" if verdict.get("case") in CROWDED_TOP else "running out of room",
        "saturated": "saturated",
        "emerging": "too few models to judge" if verdict.get("case") == "few_models" else "too new to judge",
        "unknown": "not enough is known",
    }[str(verdict["stage"])]


def is_old(verdict: Facts) -> bool:
    """Whether no source was read within six months, so that the verdict may be outdated: the map draws it grey."""
    known_until, as_of = verdict["known_until"], verdict["as_of"]
    return known_until is not None and as_of is not None and months_between(known_until, as_of) > FRESH_MONTHS


@recently
def of_benchmark(view: View, benchmark_id: str) -> tuple[str, str]:
    """The title of a benchmark's page and the sentence below it (`finding`).

    Where what is measured and what is claimed are apart, both are in the title: the badge below it has the stage.
    """

    facts, room = facts_of(view, benchmark_id), answers_of(view, benchmark_id).get("room")
    makers_note = passed_by_makers_alone(room, facts["human"], facts["higher_is_better"]) if room else ""
    finding_text, sentence = finding(
        {**facts, "passed_by": makers_note},
        verdict_of(view, benchmark_id),
        words_of(view, benchmark_id).get("room"),
        indicators_of(view, benchmark_id),
        frontier(view, {"benchmark": benchmark_id}),
    )
    both_numbers = two_numbers(room) if room else ""
    return (f"{subject(facts)}: {both_numbers}" if both_numbers else finding_text), sentence


def finding(
    facts: Facts, verdict: Facts, room: Words | None, indicators: Mapping[str, Facts], steps: pl.DataFrame
) -> tuple[str, str]:
    """The title, with the room that is left where that is known and fits, and a sentence of what the card omits.

    `room` is the answer to how much is left; `steps` the running best, whose rise since the stage began is given.
    """
    headline = title(facts, verdict)
    if room and room.number == NOT_LOADED:
        headline = f"{subject(facts)}: {NOT_LOADED}"
    if room and room.reply != REPLY_WORDS["unknown"] and len(headline) + 2 + len(room.number) <= LONGEST_TITLE:
        headline = f"{headline}; {room.number}"
    sentences = ". ".join(
        capital(sentence)
        for sentence in (
            _where_else(facts, room),
            _missed_top(indicators),
            _people(facts, indicators),
            *([] if verdict["between"] else [_how_set(verdict), _rose(facts, verdict, steps)]),
        )
        if sentence
    )
    return headline, f"{sentences}." if sentences else ""


def _where_else(facts: Facts, room: Words | None) -> str:
    """Where a benchmark without loaded results is described, and the command that reads other sources."""
    if room is None or room.number != NOT_LOADED or not facts["paper_url"]:
        return ""
    command = "its sources may not be passed on here; the command benchhealth ingest reads them"
    return f"it is described at {facts['paper_url']}; {command}"


def _missed_top(indicators: Mapping[str, Facts]) -> str:
    """By how much the best score in papers is above the best here; empty where none is."""
    missed = known_indicator(indicators, "known_top_missing")
    if missed is None:
        return ""
    return f"papers print a score {points(missed['value'])} above the best of any board or other collection here"


def _how_set(verdict: Facts) -> str:
    """How the date in the title is set where it is not the day of the change."""
    if verdict["stage"] not in ("compressing", "saturated"):
        return ""
    return how_set(verdict["since"], verdict["since_case"], verdict["reached_on"], verdict["case"])


def _rose(facts: Facts, verdict: Facts, steps: pl.DataFrame) -> str:
    """What `since` means where records came after it: the rules held throughout, and the best rose by so much."""
    began, stage = verdict["since"], verdict["stage"]
    if began is None or stage not in ("compressing", "saturated") or not is_bounded(facts["unit"]):
        return ""
    dated = steps.filter(~pl.col("carried")).sort("dated_on")
    before = dated.filter(pl.col("dated_on") <= began)["score"]
    if before.is_empty() or dated["score"][-1] == before[-1]:
        return ""
    rose = points(dated["score"][-1] - before[-1])
    return f"it has had this stage since {month_of(began)}; the best has improved by {rose} since then"


def _people(facts: Facts, indicators: Mapping[str, Facts]) -> str:
    if facts["human"] is None:
        return ""
    line = f"the human line of {score(facts['human'], facts['unit'])}"
    if passed := known_indicator(indicators, "months_since_human_passed"):
        return f"{line} was passed in {month_of(passed['on_day'])}{facts.get('passed_by', '')}"
    margin = known_indicator(indicators, "human_margin")
    if margin is None:
        return ""
    until = f", by data to {month_of(facts['known_until'])}" if facts.get("known_until") else ""
    return f"{line} stands{until}" if margin["value"] < 0 else f"{line} was passed"


def badges(facts: Facts, verdict: Facts) -> None:
    """Stage, flags, the day of the data, and the links that share the card below."""
    until = verdict["known_until"]
    texts = [
        f"Data to {day_of(until)}" if until else "Until when any of it is known is not on record",
        f"{facts['n_items']:,} items" if facts["n_items"] else "",
        facts["metric"] or "",
        f"released in {month_of(facts['released_on'])}" if facts["released_on"] else "",
    ]
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="above_card"):
        stage = verdict["stage"]
        is_between = verdict["between"]
        old = f":gray-badge[{stage_label(stage, is_between)}, {month_of(until)}]"
        badge = old if is_old(verdict) else stage_badge(stage, is_between)
        st.markdown(badge, width="content")
        for flag in verdict["flags"]:
            st.markdown(flag_badge(flag), width="content", help=FLAG_MEANING[flag])
        st.markdown(f":small[:gray[{markdown(' · '.join(text for text in texts if text))}]]", width="content")
        with st.container(key="ways_of_card", width="content"):
            st.markdown(passed_on(facts["benchmark_id"]), width="content")
