"""The first screen of a benchmark: the verdict as a title, its flags, one sentence and four tiles."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import polars as pl
import streamlit as st

from dashboard.figures.base import is_bounded
from dashboard.published.generation import View
from dashboard.words.numbers import UNKNOWN, day_of, month_of, of, percent, percent_interval, points, score
from dashboard.words.stages import FLAG_MEANING, flag_badge, stage_badge
from dashboard.words.text import count, markdown

Facts = Mapping[str, Any]


def title(facts: Facts, verdict: Facts) -> str:
    """The verdict as a sentence."""
    name, stage, since = facts["name"], verdict["stage"], verdict["since"]
    when = "" if since is None else f" since {month_of(since)}"
    return {
        "discriminating": f"{name} still measures",
        "compressing": f"{name} is running out of room",
        "saturated": f"{name} has been saturated{when}" if when else f"{name} is saturated",
        "emerging": f"{name} is too new to judge",
        "unknown": f"{name}: not enough is known",
    }[stage]


def badges(facts: Facts, verdict: Facts) -> None:
    """Stage, flags, and until when all of it is known."""
    about = [
        f"Known until {day_of(verdict['known_until'])}",
        f"{facts['n_items']:,} items" if facts["n_items"] else "",
        facts["metric"] or "",
        f"since {month_of(facts['released_on'])}" if facts["released_on"] else "",
    ]
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.markdown(stage_badge(verdict["stage"]), width="content")
        for flag in verdict["flags"]:
            st.markdown(flag_badge(flag), width="content", help=FLAG_MEANING[flag])
        st.markdown(f":small[:gray[{markdown(' · '.join(part for part in about if part))}]]", width="content")


def sentence(facts: Facts, indicators: Mapping[str, Facts]) -> str:
    """What is left, when people were passed, what is documented: one sentence of what is known."""
    parts = []
    room = _known(indicators, "headroom")
    if room:
        parts.append(f"{percent(room['value'])} of the range from chance to the ceiling is left")
    elif least := _known(indicators, "headroom_of_ceiling"):
        parts.append(f"at least {percent(least['value'])} of the range is left (chance is not known)")
    if passed := _known(indicators, "months_since_human_passed"):
        on = _day_in(passed["reason"])
        parts.append(f"the human line of {score(facts['human'], facts['unit'])} was passed in {month_of(on)}")
    elif facts["human"] is not None:
        parts.append(f"the human line of {score(facts['human'], facts['unit'])} was not passed")
    if seen := _known(indicators, "contamination_max_share"):
        parts.append(f"a report documents that {percent(seen['value'])} of the items were in training data")
    said = "; ".join(parts)
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def _day_in(text: str | None) -> date | None:
    word = (text or "").rsplit(" ", 1)[-1]
    return date.fromisoformat(word) if len(word) == 10 and word[4] == "-" else None


def _known(indicators: Mapping[str, Facts], name: str) -> Facts | None:
    row = indicators.get(name)
    return row if row and row["status"] == "ok" and row["value"] is not None else None


def tiles(view: View, facts: Facts, verdict: Facts, indicators: Mapping[str, Facts]) -> None:
    """Four fixed questions, each with its answer and the evidence behind it."""
    answers = (
        ("How much room is left?", *_room(facts, verdict, indicators)),
        ("Can the top be told apart?", *_resolution(indicators)),
        ("Does a second measurement agree?", *_twin(indicators)),
        ("Have models seen the answers?", *_seen(view, facts, indicators)),
    )
    for column, (question, answer, evidence) in zip(st.columns(4, border=True), answers, strict=True):
        with column, st.container(gap="xxsmall"):
            st.markdown(f":small[:gray[{question}]]")
            st.markdown(f"## {answer}")
            st.markdown(f":small[{evidence}]")


def _room(facts: Facts, verdict: Facts, indicators: Mapping[str, Facts]) -> tuple[str, str]:
    best = _known(indicators, "frontier")
    said = f"best {score(best['value'], facts['unit'])}" if best else ""
    colour = {"saturated": "red", "compressing": "orange", "discriminating": "blue"}.get(verdict["stage"])
    if not is_bounded(facts["unit"]):
        return ":gray[No ceiling]", said or "a rating has none; see the churn instead"
    room, least = _known(indicators, "headroom"), _known(indicators, "headroom_of_ceiling")
    if room:
        interval = percent_interval(room["low"], room["high"])
        value = percent(room["value"])
        return (f":{colour}[{value}]" if colour else value), "; ".join(
            part for part in (f"{interval} with error" if interval else "error not known", said) if part
        )
    if least:
        return f"At least {percent(least['value'])}", f"chance is not known; {said}"
    return f":gray[{UNKNOWN}]", markdown(_why(indicators, "headroom"))


def _resolution(indicators: Mapping[str, Facts]) -> tuple[str, str]:
    row = _known(indicators, "resolution_top5")
    if not row:
        return f":gray[{UNKNOWN}]", markdown(_why(indicators, "resolution_top5"))
    pairs = int(row["n"] or 10)
    return of(round(row["value"] * pairs), pairs), "pairs of the top five differ beyond error"


def _twin(indicators: Mapping[str, Facts]) -> tuple[str, str]:
    row = _known(indicators, "twin_gap")
    if not row:
        return f":gray[{UNKNOWN}]", markdown(_why(indicators, "twin_gap"))
    gap = row["value"] / 100
    if row["low"] is not None and row["low"] <= 0 <= row["high"]:
        answer = "It agrees"
    else:
        answer = f"{points(gap)} {'lower' if gap > 0 else 'higher'}"
    ends = "" if row["low"] is None else f"{row['low']:.1f} to {row['high']:.1f} points, "
    return answer, f"{ends}{count(int(row['n'] or 0), 'model')} on both".replace("-", "\u2212")


def _seen(view: View, facts: Facts, indicators: Mapping[str, Facts]) -> tuple[str, str]:
    documented, anomaly = _known(indicators, "contamination_max_share"), _known(indicators, "anomaly_share")
    if documented:
        return (
            f"{percent(documented['value'])} documented",
            "the largest share of items that a report found in training data",
        )
    exposed = _exposed(view, facts["benchmark_id"])
    could = f"; {exposed} could have" if exposed else ""
    if anomaly:
        tested = int(anomaly["n"] or 0)
        found = round(anomaly["value"] * tested)
        return ("No trace" if found == 0 else f"{found} stand out"), f"{found} of {tested} models stand out{could}"
    labels = {"public": "the answers are public", "private": "the answers are private"}.get(facts["labels"] or "", "")
    return f":gray[{UNKNOWN}]", f"no report, no test{f'; {labels}' if labels else ''}{could}"


def _exposed(view: View, benchmark_id: str) -> int:
    risk = view.table("contamination_risk")
    raised = (pl.col("rung") == "exposure") & (pl.col("level") == "raised") & pl.col("model_id").is_not_null()
    return risk.filter((pl.col("benchmark_id") == benchmark_id) & raised).height


def _why(indicators: Mapping[str, Facts], name: str) -> str:
    row = indicators.get(name)
    return (row["reason"] or row["status"]) if row else "not computed for it"
