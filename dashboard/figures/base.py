"""What all figures share: how numbers reach the browser, and how a score is written."""

import numpy as np
import numpy.typing as npt
import polars as pl

from benchhealth.analytics.statistics.errors import BOUNDED_UNITS, Z95
from benchhealth.dashboard.words.numbers import score as written_score

SVG_LIMIT = 2_000
"""More points than these are drawn by WebGL."""

Numbers = npt.NDArray[np.float32]
Days = npt.NDArray[np.datetime64]


def numbers(values: pl.Series) -> Numbers:
    """The values as 32-bit floats, null as NaN: half the bytes on the way to the browser, and never a list."""
    return values.cast(pl.Float32).to_numpy().astype(np.float32, copy=False)


def days(values: pl.Series) -> Days:
    """The values as days.

    Raises ValueError where one is unknown: on the way to the browser it would become the first of January 1970.
    """
    if values.null_count():
        raise ValueError(f"{values.null_count():,} of {values.len():,} days are unknown")
    return values.cast(pl.Date).to_numpy().astype("datetime64[D]")


def is_bounded(unit: str | None) -> bool:
    """Whether scores in this unit are fractions of a range, to be shown in percent."""
    return unit in BOUNDED_UNITS


def with_error(score: float, unit: str | None, std_error: float | None) -> str:
    """A score with its 95% error where that is known: `88.4% ± 1.2 points`."""
    text = written_score(score, unit, std_error)
    if std_error is None:
        return text
    return f"{text} ± {Z95 * std_error * 100:.2g} points" if is_bounded(unit) else f"{text} ± {Z95 * std_error:.2g}"
