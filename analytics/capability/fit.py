"""Fitting the curves of all benchmarks and the capabilities of all models together.

Penalised weighted least squares: a cell's variance is its squared standard error plus a misfit of its benchmark,
because one number for a model does not explain all of its scores. Gauss-Newton steps with analytic derivatives;
capabilities are eliminated first (each meets only its own cells), so that a step costs little more than the cells.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.sparse import csr_array
from scipy.special import expit, logit

from analytics.capability.cells import Cells
from analytics.capability.curve import expected

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Penalty:
    """Precisions of normal priors around 0: of capabilities and difficulties (`place`), and of log slopes (`slope`).

    `sharing` is how many cells' worth of the common misfit each benchmark's own is mixed with.
    """

    place: float
    slope: float
    sharing: float = 5.0


@dataclass(frozen=True)
class Fit:
    """Capabilities by model; difficulties, log slopes and misfit variances by benchmark.

    While fitting the priors hold the scale; `identified` moves it to the published convention.
    """

    capability: Numbers
    difficulty: Numbers
    log_slope: Numbers
    misfit: Numbers

    @property
    def slope(self) -> Numbers:
        """Logits of score for each unit of capability."""
        return np.exp(self.log_slope)

    def predict(self, cells: Cells) -> Numbers:
        """The expected score of each cell."""
        b = cells.benchmark
        return expected(self.capability[cells.model], self.difficulty[b], self.slope[b], cells.floor[b], cells.span[b])

    def variance(self, cells: Cells) -> Numbers:
        """The variance of each cell's score around its expectation: standard error and misfit."""
        return cells.error**2 + self.misfit[cells.benchmark]


@dataclass(frozen=True)
class Priors:
    """Means of the priors, by model and by benchmark: 0, except in a randomised replicate."""

    capability: Numbers
    difficulty: Numbers
    log_slope: Numbers


STEPS = 60
ROUNDS = 12
"""Fits between which the misfit is estimated anew; it settles within a few."""
SETTLED = 1e-7
"""Relative change of the objective at which a fit is done."""
FIRST_DAMPING = 1e-3
LEAST_MISFIT = 1e-5
"""(0.3 points)^2: no benchmark is explained better than scores are rounded and settings differ."""
FIRST_MISFIT = 0.05**2
LONGEST_STEP = 2.0
"""In logits: beyond, the linearised curve says nothing."""
STIFFEST = 1e8
DENSE_UP_TO = 5e7
"""Multiplications of a dense product that cost no more than a sparse one's overhead."""
STEPS_BETWEEN = 6
"""Steps between two estimates of the misfit: the last fit alone is carried to the end."""


@dataclass(frozen=True)
class Search:
    """How far a solution is sought: `steps` at most, until the objective falls by less than the share `settled`.

    `first` is the curvature where it begins, if known: it depends neither on scores nor on the means of priors.
    """

    steps: int = STEPS
    settled: float = SETTLED
    first: "Curvature | None" = None


def start(cells: Cells) -> Fit:
    """Where a fit begins: additive effects of models and benchmarks on the logits of the scores."""
    rise = (cells.score - cells.floor[cells.benchmark]) / cells.span[cells.benchmark]
    height = logit(np.clip(rise, 0.02, 0.98))
    n_model = np.bincount(cells.model, minlength=len(cells.model_ids)) + 0.5
    n_benchmark = np.bincount(cells.benchmark, minlength=len(cells.benchmark_ids)) + 0.5
    capability, difficulty = np.zeros(n_model.size), np.zeros(n_benchmark.size)
    for _ in range(20):
        residual = height + difficulty[cells.benchmark]
        capability = np.bincount(cells.model, residual, n_model.size) / n_model
        residual = capability[cells.model] - height
        difficulty = np.bincount(cells.benchmark, residual, n_benchmark.size) / n_benchmark
    misfit = np.full(n_benchmark.size, FIRST_MISFIT)
    return Fit(capability, difficulty, np.zeros(n_benchmark.size), misfit)


def identified(fitted: Fit) -> Fit:
    """The same curves on the scale on which the mean difficulty of the benchmarks and their mean log slope are 0.

    Scores determine a capability only up to a shift and a stretch; with these conventions a unit is a logit on a
    benchmark of typical slope, and 0 the difficulty of a typical benchmark.
    """
    if not fitted.difficulty.size:
        return fitted
    origin, log_unit = fitted.difficulty.mean(), fitted.log_slope.mean()
    unit = np.exp(log_unit)
    return replace(
        fitted,
        capability=(fitted.capability - origin) * unit,
        difficulty=(fitted.difficulty - origin) * unit,
        log_slope=fitted.log_slope - log_unit,
    )


def no_shift(cells: Cells) -> Priors:
    """Priors around 0."""
    n = len(cells.benchmark_ids)
    return Priors(np.zeros(len(cells.model_ids)), np.zeros(n), np.zeros(n))


def fit(
    cells: Cells, penalty: Penalty, begin: Fit | None = None, rounds: int = ROUNDS, settled: float = SETTLED
) -> Fit:
    """The most probable capabilities and curves, with the misfit that the residuals show. An empty input fits empty."""
    found = start(cells) if begin is None else begin
    if not len(cells):
        return found
    priors = no_shift(cells)
    for _ in range(rounds):
        found = solve(cells, penalty, found, priors, Search(STEPS_BETWEEN, settled))
        misfit = _misfit(cells, penalty, found)
        change = np.abs(np.log(misfit / found.misfit)).max()
        found = replace(found, misfit=misfit)
        if change < 0.01:
            break
    return solve(cells, penalty, found, priors, Search(settled=settled))


def solve(cells: Cells, penalty: Penalty, begin: Fit, priors: Priors, search: Search = Search()) -> Fit:
    """The most probable parameters for the misfit that `begin` holds: damped Gauss-Newton (Levenberg 1944)."""
    weight = 1 / begin.variance(cells)
    found, damping = begin, FIRST_DAMPING
    value = objective(cells, penalty, found, priors, weight)
    known = search.first
    for _ in range(search.steps):
        bend = known or curvature(cells, penalty, found, weight, damping)
        known = None
        tried = _moved(found, bend.step(*gradient(cells, penalty, found, priors, weight)))
        reached = objective(cells, penalty, tried, priors, weight)
        if reached > value:
            damping *= 8
            if damping > STIFFEST:
                break
            continue
        gain, found, value, damping = value - reached, tried, reached, max(damping / 4, 1e-9)
        if gain <= search.settled * (1 + value):
            break
    return found


def objective(cells: Cells, penalty: Penalty, at: Fit, priors: Priors, weight: Numbers) -> float:
    """Half the weighted squared residuals plus half the penalised squared distances from the priors."""
    places = np.sum((at.capability - priors.capability) ** 2) + np.sum((at.difficulty - priors.difficulty) ** 2)
    slopes = np.sum((at.log_slope - priors.log_slope) ** 2)
    squares = np.sum(weight * (cells.score - at.predict(cells)) ** 2)
    return float(squares + penalty.place * places + penalty.slope * slopes) / 2


def derivatives(cells: Cells, at: Fit) -> tuple[Numbers, Numbers]:
    """Of each cell's expected score: by capability (by difficulty it is the negative), and by log slope."""
    b = cells.benchmark
    slope = at.slope[b]
    height = slope * (at.capability[cells.model] - at.difficulty[b])
    rise = expit(height)
    steep = cells.span[b] * rise * (1 - rise)
    return steep * slope, steep * height


def gradient(cells: Cells, penalty: Penalty, at: Fit, priors: Priors, weight: Numbers) -> tuple[Numbers, Numbers]:
    """Of the objective: by capability, and by difficulty followed by log slope."""
    by_place, by_slope = derivatives(cells, at)
    pull = weight * (at.predict(cells) - cells.score)
    b, n = cells.benchmark, len(cells.benchmark_ids)
    own = np.bincount(cells.model, pull * by_place, at.capability.size)
    difficulty = -np.bincount(b, pull * by_place, n) + penalty.place * (at.difficulty - priors.difficulty)
    slope = np.bincount(b, pull * by_slope, n) + penalty.slope * (at.log_slope - priors.log_slope)
    return own + penalty.place * (at.capability - priors.capability), np.concatenate([difficulty, slope])


@dataclass(frozen=True)
class Curvature:
    """The Gauss-Newton matrix of the objective, factored.

    `own`: its diagonal for the capabilities, which meet each other only through the curves. `across`: capabilities by
    curves (difficulties, then log slopes). `reduced`: the Cholesky factor of what is left when they are eliminated,
    null where it is not positive definite.
    """

    own: Numbers
    across: csr_array | Numbers
    reduced: Numbers | None

    def step(self, to_own: Numbers, to_curves: Numbers) -> tuple[Numbers, Numbers]:
        """Minus the inverse times the gradient by capabilities and by curves."""
        right = (to_own / self.own) @ self.across - to_curves
        if self.reduced is None:
            change = np.zeros(right.shape)
        else:
            change = cho_solve((self.reduced, False), right, check_finite=False)
        return -(to_own + self.across @ change) / self.own, change


def curvature(cells: Cells, penalty: Penalty, at: Fit, weight: Numbers, damping: float) -> Curvature:
    """The Gauss-Newton matrix at a fit, its diagonal raised by the share `damping`."""
    by_place, by_slope = derivatives(cells, at)
    b, n = cells.benchmark, len(cells.benchmark_ids)
    stiff = 1 + damping
    pulled = weight * by_place**2
    own: Numbers = np.asarray(
        stiff * (np.bincount(cells.model, pulled, at.capability.size) + penalty.place), dtype=np.float64
    )
    reduced: Numbers = np.zeros((2 * n, 2 * n))
    places = np.arange(n)
    reduced[places, places] = stiff * (np.bincount(b, pulled, n) + penalty.place)
    reduced[n + places, n + places] = stiff * (np.bincount(b, weight * by_slope**2, n) + penalty.slope)
    mixed = -np.bincount(b, weight * by_place * by_slope, n)
    reduced[places, n + places] = reduced[n + places, places] = mixed
    across = _across(cells, weight, by_place, by_slope)
    reduced -= _square(across, 1 / own)
    try:
        factor: Numbers = cho_factor(reduced, check_finite=False)[0].astype(np.float64)
        return Curvature(own, across, factor)
    except LinAlgError:
        return Curvature(own, across, None)


def _square(across: csr_array | Numbers, by: Numbers) -> Numbers:
    """across' diag(by) across."""
    if isinstance(across, np.ndarray):
        return np.asarray(across.T @ (across * by[:, None]))
    return np.asarray((across.T @ (across * by[:, None])).toarray())


def _across(cells: Cells, weight: Numbers, by_place: Numbers, by_slope: Numbers) -> csr_array | Numbers:
    """Second derivatives between capabilities (rows) and difficulties, then log slopes (columns).

    Dense where its square is small, because sparse products have a price of their own.
    """
    n = len(cells.benchmark_ids)
    values = np.concatenate([-weight * by_place**2, weight * by_place * by_slope])
    rows = np.concatenate([cells.model, cells.model])
    columns = np.concatenate([cells.benchmark, n + cells.benchmark])
    shape = (len(cells.model_ids), 2 * n)
    if shape[0] * shape[1] ** 2 > DENSE_UP_TO:
        return csr_array((values, (rows, columns)), shape=shape)
    dense = np.zeros(shape)
    dense[rows, columns] = values
    return dense


def _moved(at: Fit, step: tuple[Numbers, Numbers]) -> Fit:
    own, curves = (np.clip(part, -LONGEST_STEP, LONGEST_STEP) for part in step)
    n = at.difficulty.size
    return replace(
        at,
        capability=at.capability + own,
        difficulty=at.difficulty + curves[:n],
        log_slope=at.log_slope + np.clip(curves[n:], -0.7, 0.7),
    )


def _misfit(cells: Cells, penalty: Penalty, at: Fit) -> Numbers:
    """Variance of each benchmark's scores around its curve beyond their errors, mixed with that of all.

    A residual is smaller than the misfit by what its own cell pulled the fit towards it (its leverage on the
    model's capability and an equal share of the curve's two parameters), so both are set against what is left.
    """
    weight = 1 / at.variance(cells)
    by_place, _ = derivatives(cells, at)
    b, n = cells.benchmark, len(cells.benchmark_ids)
    pulled = weight * by_place**2
    total = np.bincount(cells.model, pulled, at.capability.size) + penalty.place
    count = np.bincount(b, minlength=n)
    free = np.clip(1 - pulled / total[cells.model] - np.minimum(2 / count, 0.5)[b], 0.05, 1)
    excess = (cells.score - at.predict(cells)) ** 2 - free * cells.error**2
    common = max(excess.sum() / free.sum(), LEAST_MISFIT)
    each = (np.bincount(b, excess, n) + penalty.sharing * common) / (np.bincount(b, free, n) + penalty.sharing)
    return np.asarray(np.maximum(each, LEAST_MISFIT))
