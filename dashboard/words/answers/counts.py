"""How many benchmarks are saturated, in words, and why the survival curves count fewer."""

from benchhealth.analytics.answers.counts import Saturated
from benchhealth.dashboard.words.known import known_at_latest
from benchhealth.dashboard.words.text import count


def saturated_said(counted: Saturated, what: str = "curated benchmark") -> str:
    """`36 of 190 curated benchmarks are saturated; of these, 17 by results that could be watched; known until ...`."""
    are = f"{counted.saturated:,} of {count(counted.benchmarks, what)} {'is' if counted.saturated == 1 else 'are'}"
    watched = f"{counted.watched:,} by results that could be watched"
    return f"{are} saturated; of these, {watched}{known_at_latest(counted.known_until)}."


def deaths_said(counted: Saturated, what: str = "curated benchmark") -> str:
    """What the survival curves count, for a page that shows them beside the stages."""
    deaths = counted.watched + counted.no_more
    parts = [f"{counted.watched:,} of the {counted.saturated:,} that are saturated"]
    if counted.no_more:
        parts.append(f"{counted.no_more:,} that were by the results of an earlier day and have another stage now")
    left = counted.saturated - counted.watched - counted.at_once
    out = f"{counted.at_once:,} were saturated when watching began, and of {left:,} no result shows the day"
    return (
        f"Of {count(counted.benchmarks, what)} the curves count {deaths:,} as saturated while watched: "
        f"{' and '.join(parts)}; {out}{known_at_latest(counted.known_until)}."
    )
