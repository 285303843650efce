"""The words of the answer to: will it last another year?"""

from benchhealth.analytics.forecast.table import MONTHS_AHEAD, WIDEST
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.verdict.thresholds import LIMITS
from benchhealth.dashboard.words.answers.parts import Names, Wording
from benchhealth.dashboard.words.numbers import day_of, months, percent, points
from benchhealth.dashboard.words.text import count

_USED_UP = f"less than {percent(LIMITS.exhausted_headroom)} of the way from chance to the ceiling is left"
_YEARS = round(MONTHS_AHEAD / 12)
_UNKNOWN = {
    "no_skill": (
        "no forecast has proven itself",
        "Nothing is forecast: no method has proven better than no change on its kind",
    ),
    "anywhere": (
        "could be anywhere",
        "Nothing is forecast: if a stronger model is tested, the best could be anywhere on more than "
        f"{percent(WIDEST)} of the way from chance to the ceiling",
    ),
    "chance_unknown": (
        "chance level not known",
        "Nothing is forecast: what chance alone would score is not known",
    ),
    "day_passed": ("sources not read", "Nothing is forecast: its sources were last read more than a year ago"),
    "no_curve": (
        "nothing to go by",
        "Nothing is forecast: it takes five dated results, the newest of the last year, on a whole benchmark",
    ),
    "open_ended": ("no ceiling", "Its scale has no ceiling, so its room cannot be used up"),
}

_TRIED = ("no_skill", "anywhere")
"""Those of the cases that tell what forecasts were worth."""


def wording(row: Row, _names: Names) -> Wording:
    """When its room is expected to be used up, and how likely a stronger model is tested."""
    case, tried = row["case"], f" (tried on {count(row['n'], 'forecast')})" if row["n"] else ""
    event = "the best score is beaten" if case == "chance_beaten" else "a stronger model is tested"
    chance = (
        "" if row["second"] is None else f"the chance that {event} within a year is {percent(row['second'])}{tried}"
    )
    more = (f"T{chance[1:]}.",) if chance else ()
    if case in _UNKNOWN:
        number, sentence = _UNKNOWN[case]
        return Wording(number, f"{sentence}{tried if case in _TRIED else ''}", more)
    if case == "used_up":
        return Wording("used up", f"Its room is used up already: {_USED_UP}")
    if case == "at_limit":
        margin = f"its error or {points(LIMITS.headroom_margin)}"
        return Wording("at the limit", f"Its room is at the limit: {_USED_UP}, by less than {margin}", more)
    if case in {"chance_only", "chance_beaten"}:
        return Wording("only a chance", f"The best score is not forecast; {chance}")
    if case == "beyond_ten_years":
        sentence = f"At the expected rate it takes more than {_YEARS} years until {_USED_UP}{tried}"
        return Wording(f"more than {_YEARS} years", sentence, more)
    return Wording(_expected(row), f"{_wait(row)}{tried}", more)


def _expected(row: Row) -> str:
    return f"{'at least ' if row['bound'] else ''}{months(row['value'])}"


def _wait(row: Row) -> str:
    earliest = "now" if row["low"] is None else months(row["low"])
    latest = f"more than {_YEARS} years" if row["high"] is None else months(row["high"])
    return (
        f"If a stronger model is tested every year, it takes {_expected(row)} from {day_of(row['on_day'])} until "
        f"{_USED_UP}, in four of five such cases {earliest} to {latest}"
    )
