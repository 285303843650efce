"""The words of what became of the best scores that a model set."""

from collections.abc import Mapping
from datetime import date

import polars as pl

from benchhealth.analytics.corroboration.classes import (
    CLAIMED,
    CONFIRMED,
    CONTRADICTED,
    CONTRADICTS_BEYOND,
    LOWER,
    MEASURED,
    NOT_COMPARABLE,
    QUOTED,
)
from benchhealth.analytics.corroboration.standing import SELF
from benchhealth.dashboard.words.known import known_at_latest
from benchhealth.dashboard.words.text import count, listed

CLASSES: Mapping[str, str] = {
    CONFIRMED: "confirmed by an independent party",
    LOWER: f"measured lower, by less than the error plus {CONTRADICTS_BEYOND * 100:.0f} points",
    CONTRADICTED: "measured lower by more, under a comparable condition",
    NOT_COMPARABLE: "measured by others under another condition alone",
    QUOTED: "printed by others who did not measure it",
    CLAIMED: "reported by the maker alone",
}
"""What became of a best score that the maker reports."""


def sentence(steps: pl.DataFrame, until: date | None) -> str:
    """What became of the best scores of a model; `steps` are its rows of `corroboration` of that kind. Plain text."""
    if steps.is_empty():
        return ""
    is_passed_on = (pl.col("class") == QUOTED) & pl.col("reporter").ne_missing(SELF)
    passed_on = steps.filter(is_passed_on).height
    own = steps.filter(pl.col("class") != MEASURED, ~is_passed_on)
    unsaid = f"; {passed_on} only stand in a list of others' numbers" if passed_on else ""
    benchmarks = count(steps["benchmark_id"].n_unique(), "curated benchmark")
    of = f"It set the best score of its day {_times(steps.height)}, on {benchmarks}"
    if own.is_empty() and not passed_on:
        return f"{of}, as others measured{known_at_latest(until)}."
    if own.is_empty():
        return f"{of}: others measured {steps.height - passed_on}{unsaid}{known_at_latest(until)}."
    alone = (
        "its maker reports all of them"
        if own.height == steps.height
        else (f"others measured {steps.height - own.height - passed_on}, its maker reports {own.height}{unsaid}")
    )
    counts = dict(own.group_by("class").len().iter_rows())
    fates = [f"{counts[key]} {said}" for key, said in CLASSES.items() if counts.get(key)]
    none = "" if counts.get(CONFIRMED) else "none was confirmed yet: "
    return f"{of}: {alone}. Of these {none}{listed(fates)}{known_at_latest(until)}."


def _times(n: int) -> str:
    return "once" if n == 1 else "twice" if n == 2 else f"{n} times"
