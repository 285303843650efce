"""A model's position in words: ranks that errors allow, distances, medians."""

from datetime import date

from benchhealth.analytics.statistics.errors import BOUNDED_UNITS
from benchhealth.dashboard.words.numbers import NO_DISTANCE, points
from benchhealth.dashboard.words.sentences import Facts


def why_not_compared(out_on: date | None, clock: str) -> str:
    """Why nothing says how far a model was behind the best of its day (`then`), or is behind that of today."""
    if clock == "now":
        return "too few other models to compare"
    return "too few other models by then" if out_on else "its release is not known"


def rank_text(row: Facts) -> str:
    """`3`, `1 to 6` or, where the error of the score is not known, `3, no error`."""
    low, high = row["rank_low"], row["rank_high"]
    if low is None:
        return f"{row['rank']}, no error"
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def gap_text(gap: float | None) -> str:
    """A median distance: `level with the best`, `3 points behind`; empty where it is not known."""
    if gap is None:
        return ""
    return "level with the best" if gap < NO_DISTANCE else f"{points(gap)} behind"


def ends_text(low: float | None, high: float | None) -> str:
    """The 95% interval of a median distance in points: `0.4 to 6`; empty where there is none."""
    if low is None or high is None:
        return ""
    ends = [f"{end * 100:.{1 if end < 0.0995 else 0}f}".removesuffix(".0") for end in (low, high)]
    return f"{ends[0]} to {ends[1]}" if ends[0] != ends[1] else ends[0]


def distance(behind: float, unit: str | None) -> str:
    """How far behind or ahead, in points or in the benchmark's own unit."""
    where = "behind" if behind > 0 else "ahead of"
    if unit in BOUNDED_UNITS:
        return "level with" if abs(behind) < NO_DISTANCE else f"{points(behind)} {where}"
    number = f"{abs(behind):,.0f}" if abs(behind) >= 10 else f"{abs(behind):.2g}"
    kind = {"rating": "rating points", "minutes": "minutes"}.get(unit or "", "points of its scale")
    return f"{number} {kind} {where}"
