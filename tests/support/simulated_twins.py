"""Twins simulated item by item, of which some models have learnt part of the original's items."""

import math

import numpy as np
import polars as pl
from scipy import special

from benchhealth.analytics.statistics.regression import least_squares
from benchhealth.analytics.twins.expected import FALSE_DISCOVERIES
from benchhealth.analytics.twins.pairs import Pairs
from benchhealth.analytics.twins.residuals import over_all_twins, residuals


def residuals_of(pairs: Pairs, test: str = "fit") -> pl.DataFrame:
    """Table `twin_residual` of one twin of new items."""
    table = residuals("t", pairs, least_squares(pairs.original, pairs.other), test)
    return over_all_twins(table.with_columns(kind=pl.lit("fresh sample")))


def leaky(
    rng: np.random.Generator,
    models: int,
    leaked: int,
    *,
    items: int = 500,
    share: float = 0.3,
    scatter: float = 0.0,
    degrees: float = np.inf,
    accuracy: tuple[float, float] = (0.2, 0.75),
) -> Pairs:
    """Models of which the first `leaked` know a share of the original's items by heart; the others' twin has as many.

    What a model masters of the twin scatters by `scatter` about what it masters of the original, normally or as
    Student's t of so many degrees of freedom with that standard deviation.
    """
    truth = rng.uniform(*accuracy, models)
    unit = rng.standard_normal(models)
    if np.isfinite(degrees):
        unit = rng.standard_t(degrees, models) / np.sqrt(degrees / (degrees - 2))
    items_leaked = np.zeros(models, dtype=np.int64)
    items_leaked[:leaked] = round(share * items)
    original = (items_leaked + rng.binomial(items - items_leaked, truth)) / items
    other = rng.binomial(items, np.clip(truth + scatter * unit, 0.01, 0.99)) / items
    errors = [100 * np.sqrt(side * (1 - side) / items) for side in (original, other)]
    names = [f"m{number:03}" for number in range(models)]
    size = np.full(models, float(items))
    return Pairs(names, 100 * original, 100 * other, *errors, original, other, size, size, 1, True)


def flagged_shares(runs: int, seed: int, models: int, leaked: int, **given: object) -> tuple[float, float]:
    """Over that many simulations the shares of the leaked (NaN if none) and of the clean models that are flagged.

    Where nobody is tested, nobody is flagged.
    """
    rng = np.random.default_rng(seed)
    tables = [residuals_of(leaky(rng, models, leaked, **given)) for _ in range(runs)]  # type: ignore[arg-type]
    flags = np.array([table["flagged"].fill_null(value=False) for table in tables])
    return float(flags[:, :leaked].mean()) if leaked else float("nan"), float(flags[:, leaked:].mean())


def power(
    n_items: int,
    leaked_share: float,
    accuracy: float = 0.6,
    twin_items: int | None = None,
    tests: int = 1,
) -> float:
    """The probability that a model which knows `leaked_share` of the original's items is flagged against its twin.

    Such a model answers those right and the others with its `accuracy`, so the original shows
    accuracy + leaked_share * (1 - accuracy). The twin has `twin_items` (default: as many). The sides are taken to
    differ by chance alone; where models differ in more, or where the line is fitted to models that leak too, a leak is
    harder to see. The level is that of the smallest p-value among `tests` models under Benjamini-Hochberg,
    FALSE_DISCOVERIES / tests: where many leak it is less strict. Normal approximation of the one-sided test of the
    difference. Raises ValueError for impossible inputs.

    What leaks nothing is flagged as often as the level says:

    >>> round(power(1_000, leaked_share=0.0), 3), round(power(1_000, leaked_share=0.1), 2)
    (0.05, 0.58)
    """
    if n_items < 1 or tests < 1 or (twin_items is not None and twin_items < 1):
        raise ValueError("at least one item and one test")
    if not (0 <= leaked_share <= 1 and 0 < accuracy < 1):
        raise ValueError(f"shares lie between 0 and 1, got a leak of {leaked_share} and an accuracy of {accuracy}")
    other_items = twin_items or n_items
    leaked_accuracy = accuracy + leaked_share * (1 - accuracy)
    noise = accuracy * (1 - accuracy)
    believed = math.sqrt(leaked_accuracy * (1 - leaked_accuracy) / n_items + noise / other_items)
    actual = math.sqrt((1 - leaked_share) * noise / n_items + noise / other_items)
    needed = -float(special.ndtri(FALSE_DISCOVERIES / tests)) * believed
    return float(special.ndtr((leaked_accuracy - accuracy - needed) / actual))
