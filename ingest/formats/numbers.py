"""How published numbers, errors and dates are read: strictly, and with a reason when they cannot be."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from math import log

Z95 = 1.96
"""Half the width of a 95% interval, in standard errors."""

_PLAIN = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?", re.ASCII)
_DAY = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?", re.ASCII)
_LOOSE_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_NOTHING = frozenset({"", "-", "--", "–", "—", "nan", "n/a", "na", "none", "null", "inf", "+inf", "-inf", "?", "tbd"})
_LARGEST_COUNT = 10**12
"""No test has more items than this: a larger count is rejected."""

_FIRST_YEAR = 1950
_LAST_YEAR = 2100
_FIRST_SECOND = 100_000_000
_MINUS = "\N{MINUS SIGN}"


class UnreadableError(ValueError):
    """What was published is not what it should be, such as a number or a date; the message says why."""


def is_nothing(text: str) -> bool:
    """Whether the text is one of the ways in which tables say that there is no value."""
    return text.strip().casefold() in _NOTHING


def read_number(text: str, *, percent_sign: bool = False) -> float:
    """Read one finite number: `77.4`, `+1`, `1,013.01`, and `77.4%` where `percent_sign` allows it.

    Raises UnreadableError for everything else: nothing is guessed of a decimal comma, two numbers in one cell or an
    overflow.
    """
    stripped = text.strip().replace(_MINUS, "-")
    if stripped.endswith("%"):
        if not percent_sign:
            raise UnreadableError(f"a percent sign where the unit is not percent: {text!r}")
        stripped = stripped[:-1].rstrip()
    if _THOUSANDS.fullmatch(stripped):
        stripped = stripped.replace(",", "")
    elif not _PLAIN.fullmatch(stripped):
        raise UnreadableError(f"not a number: {text!r}")
    number = float(stripped)
    if number in (float("inf"), float("-inf")):
        raise UnreadableError(f"too large a number: {text!r}")
    return number


def number_or_none(text: str) -> float | None:
    """The number that `read_number` reads, None where it reads none."""
    try:
        return read_number(text)
    except UnreadableError:
        return None


def read_count(text: str) -> int:
    """Read a whole number of at least one and not absurdly many: `805`, `1,319`, `500.0`."""
    number = read_number(text)
    if number < 1 or number != int(number) or number > _LARGEST_COUNT:
        raise UnreadableError(f"not a count: {text!r}")
    return int(number)


def read_day(text: str) -> date:
    """Read `YYYY-MM-DD`, or `YYYY-MM` as the first of that month, which is how months are stored.

    Nothing before 1950 or after 2100 is a date here.
    """
    match = _DAY.fullmatch(text.strip())
    if match is None:
        raise UnreadableError(f"not a date: {text!r}")
    year, month, day = match.groups(default="1")
    if not _FIRST_YEAR <= int(year) <= _LAST_YEAR:
        raise UnreadableError(f"not a plausible date: {text!r}")
    try:
        return date(int(year), int(month), int(day))
    except ValueError as error:
        raise UnreadableError(f"not a date: {text!r}") from error


def error_of_half(half_width: str) -> str:
    """The standard error from half the width of a 95% interval, empty where there is none.

    What is no number is passed on to be rejected.
    """
    try:
        return f"{read_number(half_width) / Z95:.4f}" if half_width else ""
    except UnreadableError:
        return half_width


def error_of_bounds(low: str, high: str) -> str:
    """The standard error from the bounds of a 95% interval, empty where one is not given.

    Bounds that are no numbers are passed on to be rejected.
    """
    try:
        return f"{(read_number(high) - read_number(low)) / 2 / Z95:.4f}" if low and high else ""
    except UnreadableError:
        return f"{low} to {high}"


def error_of_ratio(estimate: str, low: str, high: str) -> str:
    """The standard error of an estimate whose 95% interval is even on the logarithm.

    It is estimate x ln(high / low) / (2 x 1.96). Bounds that are no numbers, or not around the
    estimate, are passed on to be rejected.
    """
    try:
        middle, bounds = read_number(estimate), (read_number(low), read_number(high))
    except UnreadableError:
        return f"{low} to {high}"
    if not 0 < bounds[0] <= middle <= bounds[1]:
        return f"{low} to {high}"
    return f"{middle * log(bounds[1] / bounds[0]) / 2 / Z95:.6g}"


def readable(text: str, reader: Callable[[str], object]) -> str:
    """The text where `reader` reads it, else nothing: for a fact beside the scores, which its file may hold spoilt."""
    try:
        reader(text)
    except UnreadableError:
        return ""
    return text


def loose_day(text: str) -> str:
    """A day whose month and day lack their zeros, `2024-4-2`, as ISO; anything else as it is."""
    match = _LOOSE_DAY.fullmatch(text.strip())
    return f"{match[1]}-{int(match[2]):02d}-{int(match[3]):02d}" if match else text


def is_month(text: str) -> bool:
    """Whether the text is a month without a day: `2024-03`."""
    match = _DAY.fullmatch(text.strip())
    return match is not None and match[3] is None


def day_of_instant(text: str) -> str:
    """The UTC day, as YYYY-MM-DD, of seconds since 1970 or of an ISO instant; other text as it is, to be rejected."""
    stripped = text.strip()
    try:
        if _PLAIN.fullmatch(stripped):
            # A small number is a year or a count of something else.
            seconds = float(stripped)
            return datetime.fromtimestamp(seconds, UTC).date().isoformat() if seconds >= _FIRST_SECOND else text
        instant = datetime.fromisoformat(stripped)
    except (ValueError, OverflowError, OSError):
        return text
    return (instant if instant.tzinfo is None else instant.astimezone(UTC)).date().isoformat()
