"""Why a benchmark is in its stage, in one phrase, from the case of the rules that applied."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from benchhealth.analytics.verdict.reasons import BY_MARGIN, HOLDS
from benchhealth.analytics.verdict.rule import Rule, Unknown
from benchhealth.analytics.verdict.rules import RULES, STAGE_RULES
from benchhealth.dashboard.words.numbers import percent

Facts = Mapping[str, Any]


class Why(NamedTuple):
    """The phrase; whether it says how much of the scale is left, and whether what is left is itself the reason."""

    text: str = ""
    says_room: bool = False
    is_room: bool = False


PHRASES: Mapping[str, tuple[Why, ...]] = {
    "saturated": (
        Why("hardly anything of the scale is left", is_room=True),
        Why("hardly anything of the scale is left, and the top five can hardly be told apart", is_room=True),
        Why("above the human line, and the top five cannot be told apart"),
        Why("at the human line or above, and no new model improved the best beyond error for a year"),
        Why("at the human line or above, and less than a quarter of the scale is left", is_room=True),
    ),
    "compressing": (
        Why("less than a quarter of the scale is left", is_room=True),
        Why("not even the best and the tenth can be told apart"),
        Why("the top five can hardly be told apart"),
        Why("the top five can hardly be told apart"),
    ),
}
"""One for each case of a stage, in the order of `analytics.verdict.rules.STAGE_RULES`."""

ROOM = 0.10
"""From here on it is said beside another reason that so much of the scale is left, or that no more is."""
LITTLE = 0.25


def why(verdict: Facts, indicators: Mapping[str, Facts]) -> Why:
    """The phrase, such as `the top five can hardly be told apart, though 60% of the scale is left`; empty without.

    `verdict` has its rows of the table `verdict_reason` under that name.
    """
    stage, room = verdict["stage"], _room(indicators)
    if stage == "discriminating":
        return _measuring(indicators, room)
    at = _case(stage, verdict["verdict_reason"], indicators)
    if at is None:
        return Why()
    phrase = PHRASES[stage][at]
    if room is None or room[0] < ROOM or phrase.is_room:
        return phrase
    return Why(f"{phrase.text}, though {room[1]} of the scale is left", says_room=True)


def _measuring(indicators: Mapping[str, Facts], room: tuple[float, str] | None) -> Why:
    """What still measures with little room does so because models differ; said only where that needs saying."""
    apart = _known(indicators, "resolution_top5")
    if room is None or room[0] >= LITTLE or apart is None:
        return Why()
    pairs = int(apart["n"] or 10)
    differing = round(apart["value"] * pairs)
    said = f"{differing} of {pairs} pairs of the top five differ beyond error, though {room[1]} of the scale is left"
    return Why(said, says_room=True)


def _room(indicators: Mapping[str, Facts]) -> tuple[float, str] | None:
    if room := _known(indicators, "headroom"):
        return room["value"], percent(max(0.0, room["value"]))
    if least := _known(indicators, "headroom_of_ceiling"):
        return least["value"], f"at least {percent(max(0.0, least['value']))}"
    return None


def _case(stage: str, reasons: Sequence[Facts], indicators: Mapping[str, Facts]) -> int | None:
    """Which case of the stage applied: the first whose rules all hold by the reasons of the verdict."""
    if stage not in PHRASES:
        return None
    held = {row["rule"] for row in reasons if row["how"] in (HOLDS, BY_MARGIN)}
    cases = range(len(PHRASES[stage]))
    return next((at for at in cases if all(_holds(rule, held, indicators) for rule in _rules(stage, at))), None)


def _rules(stage: str, at: int) -> tuple[Rule, ...]:
    """The rules of a case of a stage."""
    return next(cases for name, cases in STAGE_RULES if name == stage)[at]


def _holds(rule: Rule, held: set[str], indicators: Mapping[str, Facts]) -> bool:
    """Whether the rule, or a stricter one about the same, is among those that hold; that nothing is known is none."""
    if isinstance(rule.tests[0], Unknown):
        return _known(indicators, rule.tests[0].indicator) is None
    same = [one for one in RULES if one.about == rule.about and not isinstance(one.tests[0], Unknown)]
    return not held.isdisjoint(one.name for one in (*takewhile(lambda one: one is not rule, same), rule))


def _known(indicators: Mapping[str, Facts], name: str) -> Facts | None:
    row = indicators.get(name)
    return row if row and row["status"] == "ok" and row["value"] is not None else None
