"""Why a benchmark is in its stage, in one phrase, from the case of the rules that applied."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from benchhealth.analytics.verdict.rule import Rule, Unknown
from benchhealth.analytics.verdict.rules import RULES, STAGE_RULES
from benchhealth.dashboard.words.numbers import percent

Facts = Mapping[str, Any]

PHRASES: Mapping[str, tuple[str, ...]] = {
    "saturated": (
        "hardly anything of the scale is left",
        "hardly anything of the scale is left, and the top five can hardly be told apart",
        "above the human line, and the top five cannot be told apart",
        "at the human line or above, and no new model improved the best beyond error for a year",
        "at the human line or above, and less than a quarter of the scale is left",
    ),
    "compressing": (
        "less than a quarter of the scale is left",
        "not even the best and the tenth can be told apart",
        "the top five can hardly be told apart",
        "the top five can hardly be told apart",
    ),
}
"""One for each case of a stage, in the order of `analytics.verdict.rules.STAGE_RULES`."""

ROOM = 0.10
"""From here on it is said beside another reason that so much of the scale is left, or that no more is."""
LITTLE = 0.25


def why(verdict: Facts, indicators: Mapping[str, Facts]) -> str:
    """The phrase, such as `the top five can hardly be told apart, though 60% of the scale is left`; empty without."""
    stage, room = verdict["stage"], _room(indicators)
    if stage == "discriminating":
        return _measuring(indicators, room)
    at = _case(stage, verdict.get("reasons") or (), indicators)
    if at is None:
        return ""
    phrase = PHRASES[stage][at]
    left = room is not None and room[0] >= ROOM and "scale" not in phrase
    return f"{phrase}, though {room[1]} of the scale is left" if left and room else phrase


def _measuring(indicators: Mapping[str, Facts], room: tuple[float, str] | None) -> str:
    """What still measures with little room does so because models differ; said only where that needs saying."""
    apart = _known(indicators, "resolution_top5")
    if room is None or room[0] >= LITTLE or apart is None:
        return ""
    pairs = int(apart["n"] or 10)
    differing = round(apart["value"] * pairs)
    return f"{differing} of {pairs} pairs of the top five differ beyond error, though {room[1]} of the scale is left"


def _room(indicators: Mapping[str, Facts]) -> tuple[float, str] | None:
    if room := _known(indicators, "headroom"):
        return room["value"], percent(max(0.0, room["value"]))
    if least := _known(indicators, "headroom_of_ceiling"):
        return least["value"], f"at least {percent(max(0.0, least['value']))}"
    return None


def _case(stage: str, reasons: Sequence[str], indicators: Mapping[str, Facts]) -> int | None:
    """Which case of the stage applied: the first whose rules all hold by what the verdict says."""
    cases = next((cases for name, cases in STAGE_RULES if name == stage), ())
    if stage not in PHRASES:
        return None
    return next((at for at, case in enumerate(cases) if all(_holds(r, reasons, indicators) for r in case)), None)


def _holds(rule: Rule, reasons: Sequence[str], indicators: Mapping[str, Facts]) -> bool:
    """Whether the rule, or a stricter one about the same, is among the reasons."""
    if isinstance(rule.tests[0], Unknown):
        return _known(indicators, rule.tests[0].indicator) is None
    same = [one for one in RULES if one.about == rule.about]
    stricter = [*takewhile(lambda one: one is not rule, same), rule]
    meanings = {one.meaning for one in stricter if one.meaning}
    return any(reason.endswith(f": {text}") or f": {text} (" in reason for reason in reasons for text in meanings)


def _known(indicators: Mapping[str, Facts], name: str) -> Facts | None:
    row = indicators.get(name)
    return row if row and row["status"] == "ok" and row["value"] is not None else None
