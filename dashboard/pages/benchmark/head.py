"""The first lines of a benchmark: the verdict as a title, what else is known in a sentence, and its badges."""

from collections.abc import Mapping

import polars as pl
import streamlit as st

from benchhealth.analytics.statistics.errors import Z95
from benchhealth.dashboard.figures.base import is_bounded
from benchhealth.dashboard.figures.language import months_between
from benchhealth.dashboard.pages.benchmark.facts import Facts, known
from benchhealth.dashboard.published.benchmarks import FRESH_MONTHS
from benchhealth.dashboard.words.numbers import day_of, month_of, percent, points, score
from benchhealth.dashboard.words.stages import FLAG_MEANING, flag_badge, stage_badge, stage_label
from benchhealth.dashboard.words.text import count, markdown, short
from benchhealth.dashboard.words.why import Why, why

LONGEST = 70
"""Characters of the title of a page."""


def title(facts: Facts, verdict: Facts) -> str:
    """The verdict as a title: `MMLU: saturated since Sep 2024`."""
    since = verdict["since"]
    words = {
        "discriminating": "still measures",
        "compressing": "running out of room",
        "saturated": "saturated",
        "emerging": "too new to judge",
        "unknown": "not enough is known",
    }[verdict["stage"]]
    dated = since is not None and verdict["stage"] in ("compressing", "saturated")
    then = f" (known until {month_of(verdict['known_until'])})" if is_old(verdict) else ""
    return f"{short(facts['name'])}: {words}{f' since {month_of(since)}' if dated else ''}{then}"


def is_old(verdict: Facts) -> bool:
    """Whether nobody looked within six months, so that it may not hold any more: the map draws it grey."""
    known_until, as_of = verdict["known_until"], verdict["as_of"]
    return known_until is not None and as_of is not None and months_between(known_until, as_of) > FRESH_MONTHS


def finding(
    facts: Facts, verdict: Facts, indicators: Mapping[str, Facts], steps: pl.DataFrame | None = None
) -> tuple[str, str]:
    """The title with as much of what is known as it holds, and the rest as a sentence.

    `steps` is the running best: what it rose by since the stage began is said where it did.
    """
    said, rest = title(facts, verdict), clauses(facts, indicators, verdict)
    if steps is not None and (meant := since(facts, verdict, steps)):
        rest.append(meant)
    while rest and len(said) + 2 + len(rest[0]) <= LONGEST:
        said = f"{said}; {rest.pop(0)}"
    return said, _sentence(rest)


def sentence(facts: Facts, indicators: Mapping[str, Facts]) -> str:
    """What is left, when people were passed, what is documented: one sentence of what is known."""
    return _sentence(clauses(facts, indicators))


def clauses(facts: Facts, indicators: Mapping[str, Facts], verdict: Facts | None = None) -> list[str]:
    """The parts of that sentence, each only where it is known; first why the stage is so, if not for the room."""
    reason = why(verdict, indicators) if verdict else Why()
    left = "" if reason.says_room else _room(facts, indicators)
    phrase = "" if left and reason.is_room else reason.text
    return [part for part in (phrase, left, _people(facts, indicators), _seen(indicators)) if part]


def since(facts: Facts, verdict: Facts, steps: pl.DataFrame) -> str:
    """How `since` is meant where records came after it: the rules hold without a break, the best rose by so much."""
    began, stage = verdict["since"], verdict["stage"]
    if began is None or stage not in ("compressing", "saturated") or not is_bounded(facts["unit"]):
        return ""
    dated = steps.filter(~pl.col("carried")).sort("dated_on")
    before = dated.filter(pl.col("dated_on") <= began)["score"]
    if before.is_empty() or dated["score"][-1] == before[-1]:
        return ""
    rose = points(dated["score"][-1] - before[-1])
    return f"it has this stage without a break since {month_of(began)}; the best has improved by {rose} since"


def _room(facts: Facts, indicators: Mapping[str, Facts]) -> str:
    if not is_bounded(facts["unit"]):
        return "its scale has no ceiling"
    if room := known(indicators, "headroom"):
        left, (low, high) = max(0.0, room["value"]), (room["low"], room["high"])
        error = None if low is None or high is None else (high - low) / (2 * Z95)
        return f"{percent(left, error)} of the range is left" if left else "nothing of the range is left"
    if least := known(indicators, "headroom_of_ceiling"):
        return f"at least {percent(max(0.0, least['value']))} of the range is left"
    return ""


def _people(facts: Facts, indicators: Mapping[str, Facts]) -> str:
    if facts["human"] is None:
        return ""
    line = f"the human line of {score(facts['human'], facts['unit'])}"
    if passed := known(indicators, "months_since_human_passed"):
        return f"{line} was passed in {month_of(passed['on_day'])}"
    margin = known(indicators, "human_margin")
    if margin is None:
        return ""
    return f"{line} stands" if margin["value"] < 0 else f"{line} was passed"


def _seen(indicators: Mapping[str, Facts]) -> str:
    found = known(indicators, "contamination_max_share")
    if found is None:
        return ""
    reports = int(found["n"] or 1)
    every = int((known(indicators, "contamination_reports") or {"value": reports})["value"] or reports)
    of = "the largest of" if reports > 1 else "in"
    said = count(reports, "report") if every == reports else f"{count(reports, 'share')} in {count(every, 'report')}"
    by = f"by {month_of(found.get('known_until'))}, {of} {said}"
    return f"documented overlap of {percent(found['value'])} {by}"


def _sentence(parts: list[str]) -> str:
    said = "; ".join(parts)
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def badges(facts: Facts, verdict: Facts) -> None:
    """Stage, flags, and until when all of it is known."""
    until = verdict["known_until"]
    about = [
        f"Known until {day_of(until)}" if until else "Until when any of it is known is not on record",
        f"{facts['n_items']:,} items" if facts["n_items"] else "",
        facts["metric"] or "",
        f"released in {month_of(facts['released_on'])}" if facts["released_on"] else "",
    ]
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        stage = verdict["stage"]
        badge = f":gray-badge[{stage_label(stage)}, {month_of(until)}]" if is_old(verdict) else stage_badge(stage)
        st.markdown(badge, width="content")
        for flag in verdict["flags"]:
            st.markdown(flag_badge(flag), width="content", help=FLAG_MEANING[flag])
        st.markdown(f":small[:gray[{markdown(' · '.join(part for part in about if part))}]]", width="content")
