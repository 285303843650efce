"""How one cell of a registry file is read: text in; out a typed value, None where it is empty, or CellError."""

import math
import re
from collections.abc import Callable, Mapping
from datetime import date

import polars as pl

Cell = str | float | int | bool | date | None

_SLUG = re.compile(r"[a-z0-9][a-z0-9._+-]*(/[a-z0-9][a-z0-9._+-]*){0,2}")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_PARTIAL_DAY = re.compile(r"(\d{4})(-\d{2})?(-\d{2})?")


class CellError(ValueError):
    """A cell that does not hold what its column is for."""


def text(cell: str) -> str | None:
    """The text, or None."""
    return cell or None


def text_or_blank(cell: str) -> str:
    """The text, where an empty one is a value too."""
    return cell


def required(cell: str) -> str:
    """The text, which must be there."""
    if not cell:
        raise CellError("empty")
    return cell


def slug(cell: str) -> str:
    """A benchmark_id: lower case, digits, `.`, `_`, `+`, `-`, and a `/` before a part and before a part of that."""
    if not _SLUG.fullmatch(cell):
        raise CellError(f"{cell!r} is not an id")
    return cell


def one_of(*known: str) -> Callable[[str], str | None]:
    """A reader for one of the known words, or None."""

    def read(cell: str) -> str | None:
        if cell and cell not in known:
            raise CellError(f"{cell!r} is not one of {', '.join(known)}")
        return cell or None

    return read


def required_one_of(*known: str) -> Callable[[str], str]:
    """A reader for one of the known words."""
    read_known = one_of(*known)

    def read(cell: str) -> str:
        return read_known(cell) or required(cell)

    return read


def number(cell: str) -> float | None:
    """A finite number, or None."""
    if not cell:
        return None
    try:
        value = float(cell)
    except ValueError as error:
        raise CellError(f"{cell!r} is not a number") from error
    if not math.isfinite(value):
        raise CellError(f"{cell!r} is not finite")
    return value


def share(cell: str) -> float | None:
    """A fraction of a whole, or None."""
    value = number(cell)
    if value is not None and not 0 <= value <= 1:
        raise CellError(f"{cell} is not a share between 0 and 1")
    return value


def count(cell: str) -> int | None:
    """A whole number of at least 0, or None."""
    if cell and not (cell.isascii() and cell.isdigit()):
        raise CellError(f"{cell!r} is not a whole number")
    return int(cell) if cell else None


def positive_count(cell: str) -> int | None:
    """A whole number of at least 1, or None."""
    value = count(cell)
    if value == 0:
        raise CellError("0 is not a size")
    return value


def flag(cell: str) -> bool | None:
    """`true`, `false`, or None."""
    if cell not in ("", "true", "false"):
        raise CellError(f"{cell!r} is neither true nor false")
    return cell == "true" if cell else None


def required_flag(cell: str) -> bool:
    """`true` or `false`."""
    return flag(required(cell)) is True


def day(cell: str) -> date | None:
    """An ISO date (YYYY-MM-DD), or None."""
    if not cell:
        return None
    if not _DAY.fullmatch(cell):
        raise CellError(f"{cell!r} is not an ISO date")
    return _date(cell)


def required_day(cell: str) -> date:
    """An ISO date (YYYY-MM-DD)."""
    required(cell)
    found = day(cell)
    assert found is not None
    return found


def partial_day(cell: str) -> date | None:
    """YYYY-MM-DD, YYYY-MM or YYYY, the latter two as their first day, or None."""
    if not cell:
        return None
    parts = _PARTIAL_DAY.fullmatch(cell)
    if parts is None:
        raise CellError(f"{cell!r} is not an ISO date")
    year, month, day_of_month = parts.groups()
    return _date(f"{year}{month or '-01'}{day_of_month or '-01'}")


def _date(iso: str) -> date:
    try:
        return date.fromisoformat(iso)
    except ValueError as error:
        raise CellError(f"{iso!r}: {error}") from error


FOR_TYPE: Mapping[type[pl.DataType], Callable[[str], Cell]] = {
    pl.String: text,
    pl.Float64: number,
    pl.Int64: count,
    pl.Boolean: flag,
    pl.Date: day,
}
"""The reader of a column that has no rule of its own."""
