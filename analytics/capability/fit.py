"""Fitting the curves of all benchmarks and the capabilities of all models together.

Penalised weighted least squares: a cell's variance is its squared standard error plus a misfit of its benchmark,
because one number for a model does not explain all of its scores. Gauss-Newton steps with analytic derivatives
(`analytics.capability.newton`), shortened where the objective would rise. All copies of `Cells` are fitted at once,
each for itself: one array operation for many fits.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from benchhealth.analytics.capability.cells import Cells
from benchhealth.analytics.capability.newton import (
    ConjugateGradients,
    Curvature,
    View,
    WeightedCells,
    expected,
    newton_steps,
)
from benchhealth.analytics.statistics.arrays import Numbers


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
    """Capabilities by model; difficulties, log slopes and misfit variances by benchmark; one copy after another.

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
        """The score that the model expects in each cell, on the scale of its benchmark."""
        index = cells.benchmark
        capability, difficulty = self.capability[cells.model], self.difficulty[index]
        return expected(capability, difficulty, self.slope[index], cells.floor[index], cells.span[index])

    def variance(self, cells: Cells) -> Numbers:
        """The variance of each cell's score around its expectation: standard error and misfit."""
        return cells.error**2 + self.misfit[cells.benchmark]


def joined(fits: Sequence[Fit]) -> Fit:
    """Fits of the same models and benchmarks as those of the copies in one (`stacked`)."""
    return Fit(
        capability=np.concatenate([fit.capability for fit in fits]),
        difficulty=np.concatenate([fit.difficulty for fit in fits]),
        log_slope=np.concatenate([fit.log_slope for fit in fits]),
        misfit=np.concatenate([fit.misfit for fit in fits]),
    )


@dataclass(frozen=True)
class Priors:
    """Means of the priors, by model and by benchmark: 0, except in a randomised replicate."""

    capability: Numbers
    difficulty: Numbers
    log_slope: Numbers


MOST_STEPS = 60
MISFIT_ROUNDS = 12
"""Fits between which the misfit is estimated anew; it settles within a few."""
SETTLED_CHANGE = 1e-7
"""Relative change of the objective at which a fit is done."""
CURVE = 2
"""Parameters of a benchmark's curve: this many fewer of its cells say something about its misfit."""
LEAST_MISFIT = 1e-5
"""(0.3 points)^2: no benchmark is explained better than scores are rounded and settings differ."""
FIRST_MISFIT = 0.05**2
LONGEST_STEP = 2.0
"""In logits: beyond, the linearised curve says nothing."""
STEEPEST_STEP = 0.7
"""The same of a log slope: about a doubling."""
SHORTENED = 0.3
"""The share that is left of a step that raised the objective."""
SHORTEST_STEP = 1e-4
"""A step is given up once it is shortened to this share and the objective still rises."""
SAME_MISFIT = 0.01
"""Relative change of the misfit at which it has settled."""
CELLS_AT_ONCE = 200_000
"""Cells of copies that are computed in one array operation: what a step needs of them stays near the processor."""
STEPS_BETWEEN = 6
"""Steps between two estimates of the misfit: the last fit alone is carried to the end."""


@dataclass(frozen=True)
class Search:
    """How far a solution is sought: `steps` at most, until the objective falls by less than the share `settled`.

    The equations of a step are solved until the share `close` of them is left, in at most `iterations` iterations.
    """

    steps: int = MOST_STEPS
    settled: float = SETTLED_CHANGE
    close: float = 0.01
    iterations: int = 60


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


def identified(fitted: Fit, copies: int = 1) -> Fit:
    """The same curves on the scale on which the mean capability of the models and the mean log slope are 0.

    Scores determine a capability only up to a shift and a stretch; with these conventions a unit is a logit on a
    benchmark of typical slope, and 0 the capability of a typical model. Each copy has its own scale. Its origin is not
    the mean difficulty: of benchmarks that nearly all or nearly no models solve it is known badly, and every interval
    would hold that.
    """
    if not fitted.difficulty.size:
        return fitted
    capability, difficulty, log_slope = (
        values.reshape(copies, -1) for values in (fitted.capability, fitted.difficulty, fitted.log_slope)
    )
    origin, log_unit = capability.mean(axis=1, keepdims=True), log_slope.mean(axis=1, keepdims=True)
    unit = np.exp(log_unit)
    return replace(
        fitted,
        capability=((capability - origin) * unit).ravel(),
        difficulty=((difficulty - origin) * unit).ravel(),
        log_slope=(log_slope - log_unit).ravel(),
    )


def no_shift(cells: Cells) -> Priors:
    """Priors with mean 0 for every capability, difficulty and log slope."""
    n = len(cells.benchmark_ids)
    return Priors(np.zeros(len(cells.model_ids)), np.zeros(n), np.zeros(n))


def fit(
    cells: Cells, penalty: Penalty, begin: Fit | None = None, rounds: int = MISFIT_ROUNDS, search: Search = Search()
) -> Fit:
    """The most probable capabilities and curves, with the misfit that the residuals show. An empty input fits empty."""
    cells = cells.of_benchmarks()
    fitted = start(cells) if begin is None else begin
    if not len(cells):
        return fitted
    priors = no_shift(cells)
    for _ in range(rounds):
        fitted = solve(cells, penalty, fitted, priors, replace(search, steps=STEPS_BETWEEN))
        misfit = _misfit(cells, penalty, fitted)
        change = np.abs(np.log(misfit / fitted.misfit)).max()
        fitted = replace(fitted, misfit=misfit)
        if change < SAME_MISFIT:
            break
    return solve(cells, penalty, fitted, priors, search)


def debiased(cells: Cells, penalty: Penalty, fitted: Fit) -> Fit:
    """The fit once more with the priors around itself: it gets back what the penalty has taken from it.

    The penalty pulls the whole scale together, which held-out scores hardly notice and comparisons do. Twicing (Tukey
    1977, Exploratory Data Analysis, chapter 16); iterated Tikhonov regularisation (Engl, Hanke & Neubauer 1996, section
    5.1).
    """
    if not len(cells):
        return fitted
    return solve(cells.of_benchmarks(), penalty, fitted, priors_around(fitted))


def priors_around(fitted: Fit) -> Priors:
    """Priors whose means are the parameters of this fit."""
    return Priors(fitted.capability, fitted.difficulty, fitted.log_slope)


def view_at(weighted: WeightedCells, fitted: Fit) -> View:
    """The residuals and derivatives of the cells at the parameters of a fit."""
    return weighted.view(fitted.capability, fitted.difficulty, fitted.slope)


def objective(cells: Cells, penalty: Penalty, fitted: Fit, priors: Priors, view: View) -> Numbers:
    """By copy half the weighted squared residuals plus half the penalised squared distances from the priors."""

    def squares(distance: Numbers) -> Numbers:
        return np.asarray((distance.reshape(cells.copies, -1) ** 2).sum(axis=1))

    locations = squares(fitted.capability - priors.capability) + squares(fitted.difficulty - priors.difficulty)
    slopes = squares(fitted.log_slope - priors.log_slope)
    misses = cells.per_benchmark(view.residual**2).reshape(cells.copies, -1).sum(axis=1)
    return np.asarray((misses + penalty.place * locations + penalty.slope * slopes) / 2)


def gradient(cells: Cells, penalty: Penalty, fitted: Fit, priors: Priors, view: View) -> tuple[Numbers, Numbers]:
    """The objective's gradient by capability, and by difficulty and log slope, (2, copies, benchmarks of a copy)."""
    by_place = view.residual * view.by_place
    capability = cells.per_model(by_place) + penalty.place * (fitted.capability - priors.capability)
    difficulty = penalty.place * (fitted.difficulty - priors.difficulty) - cells.per_benchmark(by_place)
    slope = penalty.slope * (fitted.log_slope - priors.log_slope) + cells.per_benchmark(view.residual * view.by_slope)
    return capability, np.stack([difficulty, slope]).reshape(2, cells.copies, -1)


def solve(cells: Cells, penalty: Penalty, begin: Fit, priors: Priors, search: Search = Search()) -> Fit:
    """The most probable parameters for the misfit that `begin` holds; the cells lie in the order of their benchmarks.

    Inexact Gauss-Newton with backtracking (Nocedal & Wright 2006, sections 7.1 and 10.3). A copy in which a step would
    raise the objective stays where it is, and takes a shorter one while the others go on. All copies take as many
    steps, of as many iterations, in whatever blocks they are computed.
    """
    blocks = cells.blocks(CELLS_AT_ONCE)
    shares = [len(block.model_ids) for block in blocks], [len(block.benchmark_ids) for block in blocks]
    begins, means = _split(begin, *shares), _split(priors, *shares)
    descents = [Descent(*block, penalty) for block in zip(blocks, begins, means, strict=True)]
    for _ in range(search.steps):
        changes = newton_steps([descent.next_step(search.close) for descent in descents], search.iterations)
        done = [descent.take(*block, search.settled) for descent, block in zip(descents, changes, strict=True)]
        if all(done):
            break
    return joined([descent.fitted for descent in descents])


Parameters = TypeVar("Parameters", Fit, Priors)


def _split(values: Parameters, models: Sequence[int], benchmarks: Sequence[int]) -> list[Parameters]:
    """The numbers of each block, of so many models and so many benchmarks."""
    blocks = [
        np.split(getattr(values, field.name), np.cumsum(models if field.name == "capability" else benchmarks)[:-1])
        for field in fields(values)
    ]
    return [type(values)(*block) for block in zip(*blocks, strict=True)]


class Descent:
    """The descent of all copies of a block of cells to their most probable parameters; `fitted` is the present fit."""

    def __init__(self, cells: Cells, begin: Fit, priors: Priors, penalty: Penalty) -> None:
        """At the beginning. ValueError: the cells are not in the order of their benchmarks."""
        self._cells, self._priors, self._penalty = cells, priors, penalty
        self._weighted = WeightedCells.by(cells, begin.variance(cells))
        self.fitted, self._view = begin, view_at(self._weighted, begin)
        self._value = objective(cells, penalty, begin, priors, self._view)
        self._length = np.ones(cells.copies)

    def next_step(self, close: float) -> ConjugateGradients:
        """The search for the next step, until the share `close` of its equations is left."""
        curvature = Curvature.at(self._cells, (self._penalty.place, self._penalty.slope), self._view)
        gradients = gradient(self._cells, self._penalty, self.fitted, self._priors, self._view)
        return curvature.conjugate_gradients(*gradients, close)

    def take(self, capability: Numbers, curve: Numbers, settled: float) -> bool:
        """Take the step where it is better, and say whether every copy is done: the objective fell by `settled`."""
        tried = _stepped(self.fitted, (capability, curve), self._length)
        new_view = view_at(self._weighted, tried)
        reached = objective(self._cells, self._penalty, tried, self._priors, new_view)
        value, length = self._value, self._length
        better = reached <= value
        done = np.where(better, value - reached <= settled * (1 + value) * length, length < SHORTEST_STEP)
        self._length = np.where(better, np.minimum(length / SHORTENED, 1), length * SHORTENED)
        self.fitted, self._view, self._value = _better_state(
            self._cells, better, (tried, new_view, reached), (self.fitted, self._view, value)
        )
        return bool(done.all())


State = tuple[Fit, View, Numbers]


def _better_state(cells: Cells, better: NDArray[np.bool_], where_better: State, elsewhere: State) -> State:
    """For each copy of the problem the first state where `better` is set, else the second."""
    if better.all():
        return where_better
    (tried, new_view, reached), (current, view, value) = where_better, elsewhere

    def copies(first: Numbers, second: Numbers) -> Numbers:
        shape = (cells.copies, -1)
        return np.where(better[:, None], first.reshape(shape), second.reshape(shape)).ravel()

    of_cell = np.repeat(np.repeat(better, len(cells.benchmark_ids) // cells.copies), cells.counts)
    fit = replace(
        current,
        capability=copies(tried.capability, current.capability),
        difficulty=copies(tried.difficulty, current.difficulty),
        log_slope=copies(tried.log_slope, current.log_slope),
    )
    chosen_view = View(
        np.where(of_cell, new_view.residual, view.residual),
        np.where(of_cell, new_view.by_place, view.by_place),
        np.where(of_cell, new_view.by_slope, view.by_slope),
    )
    return fit, chosen_view, np.where(better, reached, value)


def _stepped(fitted: Fit, step: tuple[Numbers, Numbers], length: Numbers) -> Fit:
    """The fit after the share `length`, by copy, of a step.

    Cut to the longest after it is shortened: a step that is cut in some places alone may lead uphill however short.
    """
    capability, (location, slope) = step[0].reshape(length.size, -1), step[1]
    share = length[:, None]
    return replace(
        fitted,
        capability=fitted.capability + np.clip(share * capability, -LONGEST_STEP, LONGEST_STEP).ravel(),
        difficulty=fitted.difficulty + np.clip(share * location, -LONGEST_STEP, LONGEST_STEP).ravel(),
        log_slope=fitted.log_slope + np.clip(share * slope, -STEEPEST_STEP, STEEPEST_STEP).ravel(),
    )


def _misfit(cells: Cells, penalty: Penalty, fitted: Fit) -> Numbers:
    """Variance of each benchmark's scores around its curve beyond their errors, mixed with that of all of its copy.

    A residual is smaller than the misfit by what its own cell pulled the fit towards it (its leverage on the
    model's capability and an equal share of the curve's two parameters), so both are set against what is left.
    Squares weigh by the inverse of their variance, squared (restricted likelihood, Patterson & Thompson 1971,
    doi:10.1093/biomet/58.3.545): else a few scores with large errors decide, and the rounds never settle.
    """
    variance = fitted.variance(cells)
    view = view_at(WeightedCells.by(cells, variance), fitted)
    pulled = view.by_place**2
    total = cells.per_model(pulled) + penalty.place
    curve = np.repeat(np.minimum(CURVE / np.maximum(cells.counts, 1), 0.5), cells.counts)
    free = np.clip(1 - pulled / total[cells.model] - curve, 0.05, 1)
    squared_precision = variance**-2.0
    squared_precision /= np.repeat(cells.per_benchmark(squared_precision) / np.maximum(cells.counts, 1), cells.counts)
    excess = cells.per_benchmark(squared_precision * (view.residual**2 * variance - free * cells.error**2))
    weight = cells.per_benchmark(squared_precision * free)
    shape = (cells.copies, -1)
    common = excess.reshape(shape).sum(axis=1) / weight.reshape(shape).sum(axis=1)
    common = np.repeat(np.maximum(common, LEAST_MISFIT), excess.size // cells.copies)
    mixed = (excess + penalty.sharing * common) / (weight + penalty.sharing)
    return np.asarray(np.maximum(mixed, LEAST_MISFIT))
