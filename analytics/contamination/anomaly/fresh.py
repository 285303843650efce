"""What benchmarks that a model cannot have seen say about its capability, on the curves of the stitched scale."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import expit

from benchhealth.analytics.capability.cells import Cells
from benchhealth.analytics.statistics.arrays import Flags, Numbers

SHARED_MISFIT_CELLS = 5.0
"""Cells' worth of the common misfit that each benchmark's own is mixed with."""
LEAST_MISFIT = 1e-5
PRIOR = 0.25
"""Precision of the normal prior around 0 in which a capability begins: weak beside one score."""
NEWTON_STEPS = 15
LONGEST_STEP = 1.0
"""The longest step of an estimate, in logits."""
DATED = r"-\d{4}(?:-\d{2}){0,2}$"
"""The end of an id that tells editions of one benchmark apart; editions share items."""


@dataclass(frozen=True)
class Scale:
    """The stitched cells with their curves; `is_fresh` and `is_exposed` are by cell, `family` by benchmark."""

    cells: Cells
    difficulty: Numbers
    slope: Numbers
    variance: Numbers
    is_fresh: Flags
    is_exposed: Flags
    family: list[str]

    def without(self, family: str) -> Flags:
        """Which cells are fresh and of another family of benchmarks than this one."""
        is_other = np.array([name != family for name in self.family])
        return np.asarray(self.is_fresh & is_other[self.cells.benchmark])


def stitched_scale(
    cells: Cells, capability: pl.DataFrame, difficulty: pl.DataFrame, exposed: pl.DataFrame
) -> Scale | None:
    """The stitched cells with the published tables of their curves and who could have seen what (`exposure.exposures`).

    None where the tables do not cover the cells, or nothing is stitched.
    """
    curve = dict(difficulty.select("benchmark_id", pl.struct("difficulty", "slope")).iter_rows())
    capability_of = dict(capability.select("model_id", "score").iter_rows())
    if not len(cells) or not set(cells.benchmark_ids) <= set(curve) or not set(cells.model_ids) <= set(capability_of):
        return None
    difficulties = np.array([curve[name]["difficulty"] for name in cells.benchmark_ids])
    slope = np.array([curve[name]["slope"] for name in cells.benchmark_ids])
    capabilities_of_models = np.array([capability_of[name] for name in cells.model_ids])
    is_exposed = {(b, m): flag for b, m, flag in exposed.select("benchmark_id", "model_id", "is_exposed").rows()}
    flags = [
        is_exposed.get((cells.benchmark_ids[b], cells.model_ids[m]))
        for b, m in zip(cells.benchmark, cells.model, strict=True)
    ]
    return Scale(
        cells=cells,
        difficulty=difficulties,
        slope=slope,
        variance=_variance(cells, capabilities_of_models, difficulties, slope),
        is_fresh=np.array([flag is False for flag in flags]),
        is_exposed=np.array([flag is True for flag in flags]),
        family=[pl.Series([name]).str.replace(DATED, "")[0] for name in cells.benchmark_ids],
    )


def _variance(cells: Cells, capability: Numbers, difficulty: Numbers, slope: Numbers) -> Numbers:
    """The variance of each cell's score around its curve: its standard error and the misfit, shrunk to that of all."""
    b = cells.benchmark
    rise = expit(slope[b] * (capability[cells.model] - difficulty[b]))
    excess = (cells.score - cells.floor[b] - cells.span[b] * rise) ** 2 - cells.error**2
    count = np.bincount(b, minlength=len(cells.benchmark_ids))
    common = max(float(excess.mean()), LEAST_MISFIT)
    misfit = (np.bincount(b, excess, count.size) + SHARED_MISFIT_CELLS * common) / (count + SHARED_MISFIT_CELLS)
    return np.asarray(np.maximum(misfit, LEAST_MISFIT)[b] + cells.error**2)


@dataclass(frozen=True)
class Placed:
    """By model: capability, its variance, and how many cells it rests on."""

    capability: Numbers
    variance: Numbers
    count: NDArray[np.int64]


def capabilities(scale: Scale, used: Flags, begin: Numbers | None = None) -> Placed:
    """Where the cells `used` alone place each model, the curves taken as known.

    Penalised least squares by Gauss-Newton; without a cell the capability is the prior's 0.
    """
    cells = scale.cells.where(used)
    m, b, weight = cells.model, cells.benchmark, 1 / scale.variance[used]
    slope, difficulty, span, score = scale.slope[b], scale.difficulty[b], cells.span[b], cells.score - cells.floor[b]
    n = len(cells.model_ids)
    theta = np.zeros(n) if begin is None else begin.copy()
    bend = np.full(n, PRIOR)
    for _ in range(NEWTON_STEPS):
        rise = expit(slope * (theta[m] - difficulty))
        risen = span * rise
        steep = risen * (1 - rise) * slope
        pull = weight * steep * (score - risen)
        bend = np.bincount(m, weight * steep**2, n) + PRIOR
        step = np.clip((np.bincount(m, pull, n) - PRIOR * theta) / bend, -LONGEST_STEP, LONGEST_STEP)
        theta = theta + step
        if np.abs(step).max(initial=0.0) < 1e-6:
            break
    return Placed(theta, 1 / bend, np.bincount(m, minlength=n))
