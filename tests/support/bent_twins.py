"""Twins whose relation is straight on log odds alone: easier, as hard or harder; some models learnt the original."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy import special

from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.twins.pairs import Pairs
from tests.support.simulated_twins import residuals_of

MODELS, ITEMS, SHARE, SCATTER = 47, 500, 0.3, 0.2
BEST, BEST_LEAKED = 0.97, 0.8


class Cell(NamedTuple):
    """How much easier the twin is in log odds, the floor, how many models leaked, the degrees of freedom of scatter."""

    easier: float
    floor: float
    leaked: int
    degrees: float = np.inf


class Rates(NamedTuple):
    """Shares flagged of the leaked, of the clean and of the lowest third of the clean, each with its Monte Carlo error,
    and the share of twins of which nobody was tested."""

    leaked: float
    clean: float
    lowest: float
    errors: tuple[float, float, float]
    untested: float


def drawn(rng: np.random.Generator, cell: Cell) -> tuple[Numbers, Pairs]:
    """What each model masters of the original, and the twin; the first models leaked."""
    truth = rng.uniform(cell.floor, BEST, MODELS)
    truth[: cell.leaked] = rng.uniform(cell.floor, BEST_LEAKED, cell.leaked)
    unit = rng.standard_normal(MODELS)
    if np.isfinite(cell.degrees):
        unit = rng.standard_t(cell.degrees, MODELS) / np.sqrt(cell.degrees / (cell.degrees - 2))
    room = 1 - cell.floor
    odds = special.logit((truth - cell.floor) / room) + cell.easier + SCATTER * unit
    items_leaked = np.where(np.arange(MODELS) < cell.leaked, round(SHARE * ITEMS), 0)
    original = (items_leaked + rng.binomial(ITEMS - items_leaked, truth)) / ITEMS
    other = rng.binomial(ITEMS, cell.floor + room * special.expit(odds)) / ITEMS
    errors = [100 * np.sqrt(side * (1 - side) / ITEMS) for side in (original, other)]
    size, ends = np.full(MODELS, float(ITEMS)), (cell.floor, 1.0)
    names = [f"m{index:02}" for index in range(MODELS)]
    return truth, Pairs(
        names, 100 * original, 100 * other, *errors, original, other, size, size, 1, True,
        ends_original=ends, ends_other=ends,
    )  # fmt: skip


def _flagged(rng: np.random.Generator, cell: Cell, runs: int) -> Iterator[tuple[float, float, float, bool]]:
    for _ in range(runs):
        truth, pairs = drawn(rng, cell)
        table = residuals_of(pairs)
        flags, clean = table["flagged"].fill_null(value=False).to_numpy(), truth[cell.leaked :]
        lowest = flags[cell.leaked :][clean <= np.quantile(clean, 1 / 3)]
        share_of_leaked = flags[: cell.leaked].mean() if cell.leaked else np.nan
        yield share_of_leaked, flags[cell.leaked :].mean(), lowest.mean(), bool(table["p_value"].is_null().all())


def rates(cell: Cell, runs: int, seed: int) -> Rates:
    """Over so many twins; a model that is not tested is not flagged."""
    *parts, untested = zip(*_flagged(np.random.default_rng(seed), cell, runs), strict=True)
    means = [float(np.mean(part)) for part in parts]
    errors = [float(np.std(part) / np.sqrt(runs)) for part in parts]
    return Rates(*means, errors=(errors[0], errors[1], errors[2]), untested=float(np.mean(untested)))
