"""What is said of the map at the end of a month: its finding, what makes it whole, and what it rests on."""

from collections.abc import Mapping, Sequence
from datetime import date

from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.text import count, listed

Counts = Mapping[str, int]
"""A row of `states.counted`."""

STAGES: Mapping[str, str] = {
    "compressing": "running out",
    "saturated": "saturated",
    "emerging": "too new",
    "unknown": "not known well enough",
}
"""What those are that do not measure."""

AGES = ("", "no result for 6 months", "no result for 18 months")
"""What the age of the newest result is called, from fresh to old."""

LANE = ("released, no dated result yet", "released, no result")
"""What those in the lane are, and the same where there is little room."""

NONE = "No benchmark had a dated result by then"
TAIL_SAID = "A tail is the fall of the last twelve months."


def month_name(day: date) -> str:
    """The month in full: `June 2019`."""
    return f"{day:%B %Y}"


def title(counts: Counts, on: date) -> str:
    """How many could tell models apart at the end of a month that is over."""
    benchmarks, measuring = counts["benchmarks"], counts["measuring"]
    if not benchmarks:
        return f"{month_name(on)}: no benchmark had a dated result"
    return f"{month_name(on)}: {measuring} of {count(benchmarks, 'benchmark')} could still tell models apart"


def rest(counts: Counts, *, is_last: bool) -> str:
    """Those that did not measure, or do not now, by stage; they add up to all that count."""
    others = counts["benchmarks"] - counts["measuring"]
    if not counts["benchmarks"]:
        return f"{NONE}, by what is on record here."
    if not others:
        return f"None was anything else. {TAIL_SAID}"
    parts = [f"{number} {_be(number, is_last=is_last)} {words}" for number, words in _parts(counts) if number]
    head = "Of the other" if counts["measuring"] else "Of all"
    return f"{head} {others}, {listed(parts)}. {TAIL_SAID}"


def _be(number: int, *, is_last: bool) -> str:
    one, several = ("is", "are") if is_last else ("was", "were")
    return one if number == 1 else several


def _parts(counts: Counts) -> list[tuple[int, str]]:
    return [
        *((counts[stage], words) for stage, words in STAGES.items()),
        (counts["dormant"], "no longer reported by anybody"),
        (counts["unsure"], "too near the next stage to say"),
    ]


def basis(counts: Counts, on: date, *, is_last: bool, today_alone: int, curated: int) -> str:
    """By which rules and from which results the month is told, and what counts without having a place.

    `today_alone` is how many have a stage on the last day and none before, `curated` of how many all months are.
    """
    parts = [
        f"By the rules of today, from results dated to {day_of(on)}, whenever they were seen, of the "
        f"{count(curated, 'benchmark')} that are curated today"
    ]
    if counts["open"]:
        parts.append(f"{counts['open']} without a ceiling or a known release count and have no place")
    if is_last and today_alone:
        parts.append(f"{today_alone}, ratings and those without dated results, have a stage on this day alone")
    return "; ".join(parts)


def first_said(day: date) -> str:
    """Where to go from a month without results."""
    return f"First: {month_name(day)}"


def share(counts: Counts) -> str:
    """How many of how many measured."""
    return f"{counts['measuring']} of {counts['benchmarks']}"


def six(counts: Counts) -> str:
    """One of the small maps in words."""
    return f"{share(counts)} still measured"


def strip_alt(maps: Sequence[tuple[str, Counts]]) -> str:
    """The small maps for who does not see them."""
    return f"Small maps: {', '.join(f'{head} {six(counts)}' for head, counts in maps)}."


def strip_title(before: Counts, now: Counts, year: int) -> str:
    """How many the map held at the end of a year, and holds today."""
    return f"{count(before['benchmarks'], 'benchmark')} counted at the end of {year}, {now['benchmarks']} do today"


def strip_subtitle(now: Counts) -> str:
    """What the six maps are."""
    return (
        f"{now['measuring']} of the {now['benchmarks']} still measure. The same map at the ends of years, by the rules "
        "of today from results dated until then; beside each year how many still measured, of those that counted"
    )
