"""Why a benchmark is in its stage, in one phrase, from the case of the rules that applied."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from benchhealth.analytics.verdict.rules import STAGE_OF
from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.dashboard.words.numbers import percent

Facts = Mapping[str, Any]
_LIMITS = Thresholds()
_LITTLE = f"less than {percent(_LIMITS.narrow_headroom)} of the scale is left"
_USED_UP = "hardly anything of the scale is left"
_CROWDED = "the top five hardly differ beyond error"


class WhyPhrase(NamedTuple):
    """The phrase; whether it says how much of the scale is left, and whether what is left is itself the reason."""

    text: str = ""
    says_room: bool = False
    is_room: bool = False


PHRASES: Mapping[str, WhyPhrase] = {
    "exhausted": WhyPhrase(_USED_UP, is_room=True),
    "exhausted_and_crowded": WhyPhrase(f"{_USED_UP}, and {_CROWDED}", is_room=True),
    "people_passed_and_unresolved": WhyPhrase("above the human line, and the top five do not differ beyond error"),
    "people_reached_and_stalled": WhyPhrase(
        "at the human line or above, and no new model improved the best beyond error for "
        f"{_LIMITS.stalled_months:.0f} months"
    ),
    "people_reached_and_order_unknown": WhyPhrase(f"at the human line or above, and {_LITTLE}", is_room=True),
    "narrow": WhyPhrase(_LITTLE, is_room=True),
    "bunched": WhyPhrase("not even the best and the tenth differ beyond error"),
    "crowded_and_spread_unknown": WhyPhrase(_CROWDED),
    "crowded_and_room_unknown": WhyPhrase(_CROWDED),
}
"""By the code of the case (`analytics.verdict.rules.STAGE_RULES`); the other cases have no phrase."""
assert set(PHRASES) <= set(STAGE_OF)

ROOM_WORTH_SAYING = 0.10
"""From here on it is said beside another reason that so much of the scale is left, or that no more is."""
LITTLE = _LIMITS.narrow_headroom
"""Below this it is said why a benchmark still measures: the same limit that calls the scale of another narrow."""


def why_phrase(verdict: Facts, indicators: Mapping[str, Facts]) -> WhyPhrase:
    """The phrase, such as `the top five hardly differ beyond error, though 60% of the scale is left`; empty without."""
    room = _room(indicators)
    if verdict["stage"] == "discriminating":
        return _models_differ_phrase(indicators, room)
    phrase = PHRASES.get(verdict["case"] or "", WhyPhrase())
    if not phrase.text or room is None or room[0] < ROOM_WORTH_SAYING or phrase.is_room:
        return phrase
    return WhyPhrase(f"{phrase.text}, though {room[1]} of the scale is left", says_room=True)


def _models_differ_phrase(indicators: Mapping[str, Facts], room: tuple[float, str] | None) -> WhyPhrase:
    """What still measures with little room does so because models differ; said only where that needs saying."""
    apart = _row_with_value(indicators, "resolution_top5")
    if room is None or room[0] >= LITTLE or apart is None:
        return WhyPhrase()
    pairs = int(apart["n"] or 10)
    differing = round(apart["value"] * pairs)
    finding = f"{differing} of {pairs} pairs of the top five differ beyond error, though {room[1]} of the scale is left"
    return WhyPhrase(finding, says_room=True)


def _room(indicators: Mapping[str, Facts]) -> tuple[float, str] | None:
    if room := _row_with_value(indicators, "headroom"):
        return room["value"], percent(max(0.0, room["value"]))
    if least := _row_with_value(indicators, "headroom_of_ceiling"):
        return least["value"], f"at least {percent(max(0.0, least['value']))}"
    return None


def _row_with_value(indicators: Mapping[str, Facts], name: str) -> Facts | None:
    row = indicators.get(name)
    return row if row and row["status"] == "ok" and row["value"] is not None else None
