"""Why a benchmark is in its stage, in one phrase, from the case of the rules that applied."""

from collections.abc import Mapping

from benchhealth.analytics.verdict.rules import STAGE_OF
from benchhealth.analytics.verdict.thresholds import LIMITS
from benchhealth.dashboard.words.numbers import percent

_LITTLE = f"less than {percent(LIMITS.narrow_headroom)} of the scale is left"
_USED_UP = "hardly anything of the scale is left"
_CROWDED = "the top five hardly differ beyond error"

PHRASES: Mapping[str, str] = {
    "exhausted": _USED_UP,
    "exhausted_and_crowded": f"{_USED_UP}, and {_CROWDED}",
    "people_passed_and_unresolved": "above the human line, and the top five do not differ beyond error",
    "people_reached_and_stalled": (
        "at the human line or above, and no new model improved the best beyond error for "
        f"{LIMITS.stalled_months:.0f} months"
    ),
    "people_reached_and_order_unknown": f"at the human line or above, and {_LITTLE}",
    "narrow": _LITTLE,
    "bunched": "not even the best and the tenth differ beyond error",
    "crowded_and_spread_unknown": _CROWDED,
    "crowded_and_room_unknown": _CROWDED,
}
"""By the code of the case (`analytics.verdict.rules.STAGE_RULES`); the other cases have no phrase."""
assert set(PHRASES) <= set(STAGE_OF)
