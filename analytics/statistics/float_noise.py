"""Where two numbers are one: what the last bits of a computer's arithmetic add to a score says nothing."""

import math

import polars as pl

DIGITS = 12
"""Significant digits in which scores that differ are different. 86.4 in percent and .864 as a fraction are one score,
but 86.4 / 100 is 0.8640000000000001. Arithmetic keeps 15 to 16 digits; no source prints more than ten of a score."""


def settled(value: pl.Expr) -> pl.Expr:
    """The number in `DIGITS` significant digits: to be compared and ranked by, so that equal scores are equal."""
    return value.round_sig_figs(DIGITS)


def is_same(one: float, other: float) -> bool:
    """Whether two numbers are one, to as many digits."""
    return math.isclose(one, other, rel_tol=10.0**-DIGITS)
