"""When two scores count as equal: differences in the last bits of arithmetic or below the printed digits are none."""

import math

import polars as pl

DIGITS = 12
"""Significant digits in which scores that differ are different. 86.4 in percent and .864 as a fraction are one score,
but 86.4 / 100 is 0.8640000000000001. Arithmetic keeps 15 to 16 digits; no source prints more than ten of a score."""


def without_float_noise(value: pl.Expr) -> pl.Expr:
    """The number in `DIGITS` significant digits: to be compared and ranked by, so that equal scores are equal."""
    return value.round_sig_figs(DIGITS)


def is_same(first: float, second: float) -> bool:
    """Whether two numbers are equal in `DIGITS` significant digits.

    >>> 86.4 / 100 == 0.864, is_same(86.4 / 100, 0.864)
    (False, True)
    """
    return math.isclose(first, second, rel_tol=10.0**-DIGITS)


MOST_DIGITS = 6
"""Decimals that count as printed: a number with more of them comes of a division and was not rounded for print."""

PERCENT = 2
"""Decimals of a whole percentage that is read as a fraction: the coarsest print of a score with a range."""


def half_a_digit(value: pl.Expr, bounded: pl.Expr, together: list[str]) -> pl.Expr:
    """Half a unit of the last printed digit: by how much a printed value may differ from the true one.

    Values that are equal in the columns `together` (of one benchmark in one source, say) are printed with equally many
    decimals: those of the value with the most, because 70.0 may be stored as 70. Where that is more than `MOST_DIGITS`
    nothing was rounded, and the result is 0.
    """
    digits = pl.lit(MOST_DIGITS + 1)
    for power in reversed(range(MOST_DIGITS + 1)):
        shifted = value * 10.0**power
        digits = pl.when((shifted - shifted.round()).abs() < 10.0 ** (power - DIGITS + 2)).then(power).otherwise(digits)
    printed = pl.max_horizontal(digits.max().over(together), pl.when(bounded).then(PERCENT).otherwise(0))
    return pl.when(printed <= MOST_DIGITS).then(0.5 * pl.lit(10.0).pow(-printed.cast(pl.Float64))).otherwise(0.0)
