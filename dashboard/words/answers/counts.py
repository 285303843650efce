"""How many benchmarks are saturated, in words, and why the survival curves count fewer."""

from benchhealth.analytics.answers.counts import Saturated
from benchhealth.dashboard.words.known import known_at_latest
from benchhealth.dashboard.words.text import count, listed


def saturated_said(counted: Saturated, what: str = "curated benchmark") -> str:
    """`36 of 190 curated benchmarks are saturated; of these, 17 by results that could be watched; known until ...`."""
    are = f"{counted.saturated:,} of {count(counted.benchmarks, what)} {'is' if counted.saturated == 1 else 'are'}"
    watched = f"{counted.watched:,} by results that could be watched"
    return f"{are} saturated; of these, {watched}{known_at_latest(counted.known_until)}."


def while_watched(deaths: int, counted: Saturated) -> str:
    """What the survival curves count, beside what is saturated: `22 saturated while watched (17 of the 36 ...)`."""
    parts = [f"{counted.watched:,} of the {counted.saturated:,} curated ones that are saturated now"]
    if counted.no_more:
        parts.append(f"{counted.no_more:,} that no longer {'is' if counted.no_more == 1 else 'are'}")
    if (others := deaths - counted.watched - counted.no_more) > 0:
        parts.append(f"{others:,} not curated")
    return f"{deaths:,} saturated while watched ({listed(parts)})"
