"""Words for findings about the whole field that readers may repeat: a title, and a line with counts and day of data.

The Field page says the same titles over its charts.
"""

from datetime import date

import polars as pl

from benchhealth.analytics.aging.lives import OVERALL
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.statistics.survival.kaplan_meier import HalfLife, half_life
from benchhealth.dashboard.words.numbers import fixed, months, months_interval, percent, percent_interval
from benchhealth.dashboard.words.text import count, known_at_latest


def half_title(rows: pl.DataFrame) -> str:
    """The age at which half are saturated with its 95% interval, or only the lower end where the interval is open."""
    curve = rows.filter(pl.col("cohort") == OVERALL)
    half = half_life(curve)
    population = f"estimated from {_population(curve)}"
    if half.months is None:
        return f"More than half are not saturated at any age yet, {population}"
    if half.low is None or half.high is None:
        least = "an unknown time" if half.low is None else months(half.low)
        return f"Half of {_population(curve)} are estimated to last at least {least} (95%)"
    interval = months_interval(half.low, half.high)
    return f"Half are saturated {months(half.months)} after release (95%: {interval}), {population}"


def _population(curve: pl.DataFrame) -> str:
    """What a curve rests on: how many benchmarks, and of how many families, each of which tends to be solved as one."""
    if curve.is_empty():
        return "no watched benchmarks"
    return f"{curve['n'][0]} watched benchmarks of {count(int(curve['families'][0]), 'family', 'families')}"


def short_half_life(half: HalfLife) -> str:
    """As `half_title`, in a few words; `half` must have a value and a lower end."""
    if half.high is None:
        return f"Half of benchmarks last at least {months(half.low or 0.0)}"
    return f"Half of benchmarks are saturated {months(half.months or 0.0)} after release"


def lasting_line(curve: pl.DataFrame, half: HalfLife, until: date | None) -> str:
    """The line below `short_half_life`: the interval, what it is estimated from, and until when."""
    if half.high is None:
        ends = f"Estimate {months(half.months or 0.0)}, no upper end at 95%"
    else:
        ends = f"{months_interval(half.low or 0.0, half.high)} at 95%"
    return f"{ends}; {_population(curve)}{known_at_latest(until)}."


def advances_title(last: Row) -> str:
    """What share of a year's new best scores rose by no more than their own error; `last` is the row of that year."""
    return f"{percent(last['value'])} of the advances of {last['year']} were within error"


def advances_line(last: Row, until: date | None) -> str:
    """A sentence with the counts behind the share of new best scores that lie within their error."""
    within_error = round(last["value"] * last["n"])
    return (
        f"{within_error} of {count(last['n'], 'new best score')} with a known error, "
        f"{percent_interval(last['low'], last['high'])} at 95%{known_at_latest(until)}."
    )


def order_title(last: Row) -> str:
    """On how many boards of a year the first leads beyond error; `last` is the row of that year in `order_census`."""
    return f"On {last['first_apart']} of {last['known']} boards of {last['group']} the first leads beyond error"


def order_line(last: Row, until: date | None) -> str:
    """The line below `order_title`: the share, its interval, and until when that is known."""
    return (
        f"{percent(last['share'])} of {last['known']} boards, {percent_interval(last['low'], last['high'])} at 95%"
        f"{known_at_latest(until)}."
    )


def makers_line(overall: Row, until: date | None) -> str:
    """The interval of what makers report beside others, and over how many scores."""
    return (
        f"{fixed(overall['low'])} to {fixed(overall['high'])} points at 95%; "
        f"{count(overall['n'], 'self-reported score')}{known_at_latest(until)}."
    )
