"""Since when a stage holds, in words, and how that day is set where it is not the day of the change."""

from collections.abc import Mapping
from datetime import date

from benchhealth.analytics.corroboration.running_bests import BEHIND_DAYS
from benchhealth.analytics.verdict import history
from benchhealth.analytics.verdict.thresholds import LIMITS
from benchhealth.dashboard.words.numbers import month_of

_HOW: Mapping[str, str] = {
    history.CROSSED: "",
    history.FIRST_DAY: "{since} has the first dated results, so it may have this stage for longer",
    history.MARGIN: (
        "room or order at the top was first below the limits of this stage in {reached}, and clearly so in {since}"
    ),
    history.FIFTH_MODEL: (
        "with {models} models, the fewest that a verdict takes, since {since}; the numbers of those before would have "
        "made it in {reached}"
    ),
    history.GROWN_UP: (
        "no verdict is given before it is {young} months old, in {since}; its numbers would have made it in {reached}"
    ),
    history.OTHERS_STOPPED: (
        "since {since} makers' reports decide: too few results of others lay within {behind} days of makers' newest"
    ),
    history.RISEN: (
        "the rules first gave this stage in {reached}. What was then left of the scale has more than halved since, "
        "beyond error, so the stage counts from {since}"
    ),
}
assert set(_HOW) == set(history.SINCE_CASES)
assert history.TAKEN_BACK == 0.5, "the words say half"


def since(day: date | None, case: str | None) -> str:
    """`since Sep 2024`, or `by Sep 2024` where it may hold for longer; nothing where no day is known."""
    if day is None:
        return ""
    return f"{'since' if case in (None, history.CROSSED, history.RISEN) else 'by'} {month_of(day)}"


STALLED = "people_reached_and_stalled"
"""The case of a stage that needs a time without an advance: its day is the end of that time."""


def how_set(day: date | None, case: str | None, reached: date | None, rule: str | None = None) -> str:
    """How the day is set, where it is not that of a change of the scores, without a full stop; else nothing.

    `rule` is the case of the rules that made the stage.
    """
    if day is not None and case == history.CROSSED and rule == STALLED:
        return (
            f"{month_of(day)} is the first month end at which results had come in for "
            f"{LIMITS.stalled_months:.0f} months after the last advance"
        )
    if day is None or case is None or (case in history.WAITED and reached is None):
        return ""
    values = {
        "models": LIMITS.min_models,
        "young": f"{LIMITS.young_months:.0f}",
        "behind": f"{BEHIND_DAYS}",
    }
    return _HOW[case].format(since=month_of(day), reached=month_of(reached) if reached else "", **values)
