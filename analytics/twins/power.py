"""How likely a twin is to show a leak, by how many models leaked: its own models with leaks put in by simulation."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from scipy import special

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.false_discovery import benjamini_hochberg
from benchhealth.analytics.twins.expected import (
    FEWEST_FOR_RESIDUALS,
    OnScale,
    of_models,
    straight,
    testable,
    tested_anew,
)
from benchhealth.analytics.twins.pairs import Matched, Pairs
from benchhealth.analytics.twins.shared import SAMPLED
from benchhealth.analytics.twins.twin import FALSE_DISCOVERIES, worse

SIMULATED = ((0.1, 1), (0.3, 1), (0.3, 3), (0.3, 8), (0.3, 15))
"""Shares of the original's items that are put into models, and how many models they are put into."""

AT_MOST = 3
"""No more than one in so many models is made to leak: beyond two fifths the line is that of the leaks."""

LEAKS_DRAWN = 30
"""Leaks that each power rests on, in at least FEWEST_RUNS simulations: its standard error is at most .09."""

FEWEST_RUNS = 6

MOST_MODELS = 200
"""Of a larger twin so many models are drawn for each simulation."""

WANTED = 0.8
"""The probability of a flag at which a shortfall counts as one that the twin can show."""


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
    other = twin_items or n_items
    shown = accuracy + leaked_share * (1 - accuracy)
    noise = accuracy * (1 - accuracy)
    believed = math.sqrt(shown * (1 - shown) / n_items + noise / other)
    actual = math.sqrt((1 - leaked_share) * noise / n_items + noise / other)
    needed = -float(special.ndtri(FALSE_DISCOVERIES / tests)) * believed
    return float(special.ndtr((shown - accuracy - needed) / actual))


def detectable(error: float, tests: int, degrees: float = math.inf) -> float:
    """How far below what is expected a model must be for a flag with probability WANTED, in the unit of the error.

    One test at 5% that is to flag four of five, 1.645 + .842 errors:

    >>> round(detectable(1.0, tests=1), 3)
    2.486
    """
    return error * (_needed(tests, degrees) + float(special.ndtri(WANTED)))


def degrees_of(test: str, tests: int) -> float:
    """The degrees of freedom of a test of so many models: those of a line, or none to count where none is drawn."""
    return tests - 3.0 if test == "fit" else math.inf


def powers(twin_pairs: Sequence[Matched], rng: np.random.Generator) -> pl.DataFrame:
    """Table `twin_power`: for each twin of new items how many of the models that leaked its test would flag.

    Each simulation takes the models' own scores on the original, draws what each would score on the twin from the line
    and the scatter found, puts the leak into some models drawn by lot (the items known come out right) and tests all
    models anew. `power` is the share of leaks flagged, `false` of the models without one, over `runs` simulations.
    Only bounded scores of which more is better have a leak of known size; a twin with too few models has no row.
    """
    rows = [
        {"twin_id": declared["twin_id"], **row}
        for declared, pairs in twin_pairs
        if declared["kind"] in SAMPLED and pairs.bounded and pairs.sign > 0
        for row in _simulated(declared, pairs, rng)
    ]
    return pl.DataFrame(rows, schema=PUBLISHED["twin_power"], orient="row")


def _simulated(declared: Mapping[str, Any], pairs: Pairs, rng: np.random.Generator) -> list[dict[str, object]]:
    order = np.lexsort((pairs.other_error, pairs.original_error, pairs.other, pairs.original))
    pairs = of_models(pairs, order[testable(pairs)[order]])
    errors = np.isfinite(pairs.original_error) & np.isfinite(pairs.other_error)
    fitted = declared["test"] == "fit"
    if pairs.original.size < FEWEST_FOR_RESIDUALS or not (fitted or errors.all()):
        return []
    line = straight(pairs) if fitted else None
    if fitted and line is None:
        return []
    rows: list[dict[str, object]] = []
    for share, leaked in SIMULATED:
        models = min(pairs.original.size, MOST_MODELS)
        if leaked * AT_MOST > models:
            continue
        runs = max(FEWEST_RUNS, LEAKS_DRAWN // leaked)
        leak = _Leak(share, leaked, models)
        flags = np.array([_flags(pairs, line, leak, rng) for _ in range(runs)])
        power, false = float(flags[:, :leaked].mean()), float(flags[:, leaked:].mean())
        rows.append({"share": share, "leaked": leaked, "models": models, "power": power, "false": false, "runs": runs})
    return rows


class _Leak(NamedTuple):
    """The share of the items that the first so many of so many models know."""

    share: float
    leaked: int
    models: int


def _flags(pairs: Pairs, line: OnScale | None, leak: _Leak, rng: np.random.Generator) -> np.ndarray:
    """Which models of one simulation are flagged; the first ones leaked. They lie about the line that was `line`."""
    models = leak.models
    drawn = rng.choice(pairs.original.size, models, replace=False)
    truth = of_models(pairs, drawn)
    shown = truth.original.copy()
    shown[: leak.leaked] += leak.share * (100 - shown[: leak.leaked])
    if line is None:
        scatter = np.hypot(truth.original_error, truth.other_error)
        p = worse(truth.original + scatter * rng.standard_normal(models) - shown, scatter)
    else:
        p = tested_anew(truth, line, line.off_line.shape[drawn] * line.off_line.noise.drawn(rng, models), shown)
    return np.asarray(benjamini_hochberg(p) <= FALSE_DISCOVERIES)


def _needed(tests: int, degrees: float) -> float:
    """How many standard errors the first flag takes."""
    level = FALSE_DISCOVERIES / tests
    return -float(special.ndtri(level)) if math.isinf(degrees) else float(student.quantile(1 - level, degrees))
