"""Whether two printed scores are one number: equal digits, or one the rounding of the other."""

import polars as pl

MOST_DECIMALS = 6
"""Decimals that are looked at; no source prints more of a measured score."""

ENOUGH_DIGITS = 3
"""Digits in which two numbers must agree to be one: with two, one pair in ten agrees by chance."""

FEW_DIGITS = 2
"""Digits that are enough between places that only pass numbers on, where they are the same digits."""

_NOISE = 1e-9


def decimals(score: pl.Expr) -> pl.Expr:
    """How many decimals a score was printed with, at most MOST_DECIMALS; a zero at the end was lost in reading."""
    shown = [
        pl.when((score.round(places) - score).abs() < _NOISE).then(pl.lit(places, pl.Int64))
        for places in range(MOST_DECIMALS)
    ]
    return pl.coalesce(*shown, pl.lit(MOST_DECIMALS, pl.Int64))


def digits(score: pl.Expr, places: pl.Expr) -> pl.Expr:
    """How many digits that is, without zeros in front: 0.851 has three, 1344.5 has five."""
    before = (score.abs().log10().floor() + 1).clip(lower_bound=0).cast(pl.Int64)
    return pl.when(score == 0).then(pl.lit(0, pl.Int64)).otherwise(places + before)


def same_number(score: str, places: str, other: str, other_places: str) -> pl.Expr:
    """Whether two scores (names of columns) are one number as printed: equal, or the coarser is the finer rounded."""
    fewest = pl.min_horizontal(places, other_places)
    unlike = pl.col(places) != pl.col(other_places)
    rounding = pl.when(unlike).then(pl.lit(0.5) * pl.lit(10.0).pow(-fewest)).otherwise(0.0)
    return (pl.col(score) - pl.col(other)).abs() <= rounding + _NOISE
