"""A model's position in words: where it leads, ranks that errors allow, distances, medians; two beside each other."""

from collections import Counter
from collections.abc import Mapping
from datetime import date

import polars as pl

from benchhealth.analytics.corroboration.classes import CONFIRMED, CONTRADICTED, LOWER
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS
from benchhealth.analytics.statistics.summaries.ends import latest
from benchhealth.dashboard.words.numbers import NO_DISTANCE, month_of, points
from benchhealth.dashboard.words.sentences import Facts
from benchhealth.dashboard.words.text import count, known_at_latest, model_within

NAME = 34
"""Letters of a model's name where two stand in a title."""

COUNTED_IN: Mapping[str | None, str] = {"rating": "rating points", "minutes": "minutes"}
"""What differences in a benchmark's own unit are counted in."""


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


def distance(behind: float, unit: str | None, *, counted: bool = True) -> str:
    """How far behind or ahead, in points or in the benchmark's own unit, which `counted` alone names."""
    where = "behind" if behind > 0 else "ahead of" if counted else "ahead"
    if unit in BOUNDED_UNITS:
        return "level with" if abs(behind) < NO_DISTANCE else f"{points(behind)} {where}"
    number = f"{abs(behind):,.0f}" if abs(behind) >= 10 else f"{abs(behind):.2g}"
    kind = f" {COUNTED_IN.get(unit, 'points of its scale')}" if counted else ""
    return f"{number}{kind} {where}"


def title(facts: Facts, summary: Facts | None, clock: str) -> str:
    """The finding: of how many benchmarks with others to compare it was, or is, the best, and where beyond error."""
    name = model_within(facts["name"], NAME + 10)
    if summary is None:
        return f"{name} has no result on a curated benchmark"
    if not summary["n"]:
        return f"{name}: {why_not_compared(facts['released_on'], clock)}"
    best = f"{summary['best'] or 'none'} of {count(summary['n'], 'benchmark')}"
    beyond_text = f", beyond error on {summary['beyond'] or 'none'}" if summary["best"] else ""
    verb = "was the best of its day on" if clock == "then" else "is the best on"
    return f"{name} {verb} {best}{beyond_text}"


def lead(rows: pl.DataFrame, fates: Mapping[str, str], clock: str) -> str:
    """Where it leads, what others measured there and found, and where nobody else measured it.

    `rows` are those of `published.models.positions`, all of the page; `fates` the classes of best scores that its
    maker reports, by benchmark (`fates_of`).
    """
    leads = rows.filter(pl.col(f"behind_{clock}") <= 0)
    by_others = leads.filter(pl.col("reporter") != "self")
    n_led_alone, n_maker_alone = leads.height - by_others.height, rows.filter(pl.col("reporter") == "self").height
    by_fate = Counter(fates.get(benchmark_id) for benchmark_id in by_others["benchmark_id"])
    counted = ((by_fate[CONFIRMED], "as high as its maker"), (by_fate[LOWER] + by_fate[CONTRADICTED], "lower"))
    outcomes = " and ".join(f"{number} {outcome}" for number, outcome in counted if number)
    led = ""
    if leads.height:
        verb = "led" if clock == "then" else "leads"
        alone_text = f"; on {n_led_alone} nobody else did" if n_led_alone else ""
        led = (
            f"It {verb} {count(leads.height, 'benchmark')}, of which others measured "
            f"{by_others.height or 'none'}{f' ({outcomes})' if outcomes else ''}{alone_text}. "
        )
    until = latest(rows["known_until"])
    benchmarks = count(rows.height, "curated benchmark")
    alone_on = f"Of the {benchmarks} on which it has results its maker alone reports {n_maker_alone or 'none'}"
    return f"{led}{alone_on}{known_at_latest(until)}."


def model_line(facts: Facts, *, has_day: bool = False) -> str:
    """The maker, weights and release of a model in one line; `has_day` where it is held against the best of its day."""
    weights = {True: "open weights", False: "closed weights", None: "weights not known"}[facts["open_weights"]]
    since = f"out since {month_of(facts['released_on'])}" if facts["released_on"] else "release not known"
    if has_day and not facts["released_on"]:
        since += ", so its day is that of each result"
    return " · ".join((facts["organisation"] or "maker not known", weights, since))


def pair_title(rows: pl.DataFrame, names: tuple[str, str]) -> str:
    """The title of a comparison of two models: on how many shared benchmarks they differ beyond error."""
    first, second = (model_within(name, NAME) for name in names)
    apart = rows.filter(pl.col("ahead").is_in(["first", "other"])).height
    if rows.is_empty():
        return f"{first} and {second} share no benchmark"
    return f"{first} and {second} differ beyond error on {apart} of {rows.height}"
