"""Numbers as readers meet them: two significant digits, or what their error bears; unknown is a word."""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

from benchhealth.analytics.record.model_facts.precision import MONTH, YEAR
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.record.tables.declared import Form


def p_value(name: str, value: float | None) -> str:
    """A p- or q-value after its name: `p = 0.051`, `q below 0.001`, `p not known`."""
    number = probability(value)
    return f"{name} = {number}" if number[0].isdigit() else f"{name} {number}"


UNKNOWN = "Not known"
_MINUS = "\u2212"
NO_DISTANCE = 0.0005
"""Less than a twentieth of a point is no distance."""

YEARS_FROM = 24
"""Months from which on a duration is said in years."""


def _minus(text: str) -> str:
    return text.replace("-", _MINUS)


def signed(value: float, digits: int = 1) -> str:
    """A distance that may lie on either side, with its sign: `+4.2`, `−0.3`."""
    return _minus(f"{value:+.{digits}f}")


def fixed(value: float, digits: int = 1) -> str:
    """A number with so many decimals, and a minus sign where it is below nothing: `4.2`, `−0.3`."""
    return _minus(f"{value:.{digits}f}")


def with_minus_signs(text: str) -> str:
    """A text in which hyphens that subtract or negate are minus signs: `a - b` and `-0.01`, not `top-5`."""
    return re.sub(r"(?<= )-(?= )|(?<![\w)])-(?=\d|inf|[A-Z]\^)", _MINUS, text)


def percent(share: float | None, error: float | None = None) -> str:
    """A share as percent without decimals; with one where its standard error is under half a point.

    Above 99% and below 1% what is left keeps one digit, so that a remainder is never shown as none.
    """
    if share is None:
        return UNKNOWN
    value = share * 100
    near_an_end = 0 < abs(value) < 0.95 or 99.05 < abs(value) < 100
    decimals = 1 if near_an_end or (error is not None and error < 0.005) else 0
    if 0 < abs(value) < 0.05:
        return f"below {_minus('-') if value < 0 else ''}0.1%"
    return _minus(f"{value:.{decimals}f}%")


def percent_interval(low: float | None, high: float | None) -> str:
    """An interval of shares in words: `10 to 26%`; empty where an end is unknown."""
    if low is None or high is None:
        return ""
    decimals = 1 if high - low < 0.02 else 0
    ends = (_minus(f"{low * 100:.{decimals}f}"), _minus(f"{high * 100:.{decimals}f}"))
    return f"{ends[0]}%" if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}%"


def interval_of(row: Row, digits: int = 1, factor: float = 1.0) -> str:
    """The ends `low` and `high` of a row's interval, times `factor`: `−1.6 to 4.7`."""
    return f"{fixed(factor * row['low'], digits)} to {fixed(factor * row['high'], digits)}"


def room_interval(low: float | None, high: float | None) -> str:
    """An interval of headroom: never below zero, with enough digits to tell an end near zero from zero."""
    if low is None or high is None or low >= 0.0095:
        return percent_interval(low, high)
    if low <= 0:
        return f"at most {percent(max(0.0, high))}"
    return f"{percent(low).removesuffix('%')} to {percent(high)}"


def points(share: float) -> str:
    """A difference of shares in percentage points with two significant digits at most: `3 points`, `0.7 points`."""
    number = points_number(share)
    return f"{number} point{'' if number == '1' else 's'}"


def points_between(one: float, other: float) -> str:
    """The difference of two shares that are shown as whole percents, with a decimal where those differ by another."""
    share = abs(one - other)
    if 100 * share < 9.95 or round(100 * share) == abs(round(100 * one) - round(100 * other)):
        return points(share)
    return f"{100 * share:.1f} points"


def points_number(share: float) -> str:
    """The number of `points` alone, for a column that says what it counts."""
    value = abs(share) * 100
    number = "less than 0.1" if 0 < value < 0.05 else f"{value:.1f}" if value < 9.95 else f"{value:.0f}"
    return number.removesuffix(".0")


def months(count: float) -> str:
    """A duration, given in months, as all are written: in months, from two years on in years."""
    if abs(count) < 0.5:
        return "less than a month"
    if abs(count) < YEARS_FROM:
        rounded = round(count)
        return _minus(f"{rounded} month{'' if abs(rounded) == 1 else 's'}")
    years = f"{count / 12:.1f}".removesuffix(".0")
    return _minus(f"{years} years")


def months_interval(low: float, high: float) -> str:
    """An interval of durations: `4.9 to 8.2 years`, the unit once where both ends have it."""
    first, last = months(low), months(high)
    unit = last.partition(" ")[2]
    return f"{first.removesuffix(f' {unit}')} to {last}"


def month_of(day: date | datetime | None) -> str:
    """The month of a date as it is written: `Nov 2025`; `not known` for None."""
    return UNKNOWN.lower() if day is None else f"{day:%b %Y}"


def day_of(day: date | datetime | None) -> str:
    """A date where the day matters: `21 Nov 2025`."""
    return UNKNOWN.lower() if day is None else f"{day.day} {day:%b %Y}"


def stated_day(day: date | datetime | None, precision: str | None) -> str:
    """A date as exactly as its source states it: `26 Jan 2021`, `Jan 2021`, `2021`."""
    if day is None or precision not in (MONTH, YEAR):
        return day_of(day)
    return month_of(day) if precision == MONTH else f"{day:%Y}"


def over_days(first: date, last: date) -> str:
    """A stretch of days: `from 16 Jun 2026 to 3 Jul 2026`, `on 16 Jun 2026` where it is one."""
    return f"on {day_of(last)}" if first == last else f"from {day_of(first)} to {day_of(last)}"


def ordinal(place: int) -> str:
    """A place as an ordinal number: `1st`, `12th`, `1,023rd`."""
    ending = "th" if 10 <= place % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place:,}{ending}"


def probability(p: float | None) -> str:
    """A p-value: two digits, `below 0.001` under that."""
    if p is None:
        return UNKNOWN.lower()
    if p < 0.001:
        return "below 0.001"
    return f"{p:.3f}" if p < 0.0995 else f"{p:.2f}"


def correlation(value: float | None) -> str:
    """A correlation with two decimals; `not known` for None."""
    return UNKNOWN.lower() if value is None else _minus(f"{value:.2f}")


def count_or_share(number: int, total: int) -> str:
    """A part of few as a count, of many as a share: `3 of 10`, `31%`."""
    return f"{number:,} of {total:,}" if total < 30 else percent(number / total)


def score(value: float | None, unit: str | None, error: float | None = None) -> str:
    """A score as it is written in its unit: `88%`, `1,480`, `137 minutes`."""
    if value is None:
        return UNKNOWN
    if unit in ("percent", "fraction"):
        return percent(value, error)
    number = _number_text(value)
    return f"{number} {unit}" if unit in ("minutes", "hours", "dollars") else number


def score_beside(value: float | None, unit: str | None, *peers: float | None) -> str:
    """A score as `score`, with a digit more where it lies within two points of another number that it differs from."""
    near = value is not None and any(peer is not None and 0 < abs(value - peer) < 0.02 for peer in peers)
    if value is not None and near and unit in ("percent", "fraction"):
        return f"{value * 100:.1f}%".replace(".0%", "%")
    return score(value, unit)


def score_finely(value: float | None, unit: str | None) -> str:
    """A score with one decimal, to tell near ones apart: `88.4%`, `1,251.2`."""
    if value is None:
        return UNKNOWN.lower()
    return _minus(f"{value * 100:.1f}%" if unit in ("percent", "fraction") else f"{value:,.1f}")


def _number_text(value: float) -> str:
    return _minus(f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}")


_FORMATTERS: Mapping[Form, Callable[[Any], str]] = {
    **dict.fromkeys((Form.TEXT, Form.SENTENCE, Form.LINK), str),
    **dict.fromkeys((Form.TEXTS, Form.NUMBERS), lambda values: ", ".join(map(str, values))),
    Form.FLAG: lambda value: "yes" if value else "no",
    Form.DAY: day_of,
    Form.INSTANT: lambda value: f"{value:%Y-%m-%d %H:%M}",
    Form.COUNT: lambda value: f"{value:,}",
    Form.PLACE: str,
    **dict.fromkeys((Form.NUMBER, Form.SCORE), _number_text),
    Form.PERCENT: percent,
    Form.POINTS: lambda value: f"{_MINUS if value < 0 else ''}{points(value / 100)}",
    Form.MONTHS: months,
    Form.PROBABILITY: probability,
}


def written(form: Form, value: object) -> str:
    """A value of a column as readers meet it, by the form that the column is declared with; unknown is a word."""
    return UNKNOWN.lower() if value is None else _FORMATTERS[form](value)
