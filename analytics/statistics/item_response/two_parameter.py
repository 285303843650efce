"""The two-parameter logistic model with a known floor: items have a slope and an intercept, answerers a strength.

A right answer is floor + (1 - floor) / (1 + exp(-(slope * strength + intercept))) likely. One side is drawn from a
population and integrated out on a grid, the other has parameters: with many answerers and few items the strengths are
drawn, with few answerers and many items the items are. Both are fitted by EM (Bock & Aitkin 1981, Marginal maximum
likelihood estimation of item parameters, doi:10.1007/BF02293801).
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import special

from benchhealth.analytics.statistics.arrays import Numbers

MOST_ROUNDS = 500
"""The fit ends after at most this many rounds of the algorithm."""

GRID_REACH = 5.0
"""The grid of a strength reaches this many standard deviations to either side, in STRENGTHS points."""

STRENGTHS = 61
ITEM_REACH = 4.5
"""That of an item's slope and intercept this many, in SLOPES and INTERCEPTS points."""

SLOPES, INTERCEPTS = 13, 31

FARTHEST = 1.0
"""The farthest that a parameter moves in one step."""

LARGEST_PARAMETER = 15.0
"""No slope, intercept or deviation goes beyond it: where answers leave one infinite, this is as good."""

CELLS_AT_ONCE = 32_768
"""Cells of the table of rows by points that are worked on together: so many stay in the processor's cache."""

STEPS_A_ROUND = 2
"""Steps towards the best parameters in each round."""

_NEAREST_TO_ENDS = 1e-10


@dataclass(frozen=True)
class Items:
    """Where each item lies among slopes and intercepts; strengths have mean 0 and variance 1 in their population.

    `grid` is (points, 2), slope and intercept; `shares` (items, points) how likely each point is for each item.
    `strengths` are (answerers,).
    """

    grid: Numbers
    shares: Numbers
    strengths: Numbers
    floor: float
    log_likelihood: float

    @property
    def mean(self) -> Numbers:
        """The mean slope and intercept of the items."""
        return np.asarray(self.shares.mean(axis=0) @ self.grid)

    @property
    def covariance(self) -> Numbers:
        """The covariance of slopes and intercepts among the items, what is not known of each counted in."""
        from_mean = self.grid - self.mean
        return np.asarray(from_mean.T @ (from_mean * self.shares.mean(axis=0)[:, None]))

    def chances(self, strengths: Numbers) -> Numbers:
        """The chance of a right answer to each item, not knowing its slope and intercept: (strengths, items)."""
        return np.asarray(self._at_points(strengths) @ self.shares.T)

    def expected(self, strengths: Numbers) -> Numbers:
        """The expected share of right answers at each strength."""
        return np.asarray(self._at_points(strengths) @ self.shares.mean(axis=0))

    def information(self, strengths: Numbers) -> Numbers:
        """Fisher's information about a strength that all items together are expected to give, at each strength.

        The sum over items of P'^2 / (P (1 - P)) (Birnbaum 1968, in Lord & Novick, Statistical theories of mental test
        scores, chapter 20): one over the variance of the best estimate of a strength.
        """
        rising = special.expit(_logits(strengths, self.grid))
        chance = _with_floor(rising, self.floor)
        steep = (1 - self.floor) * rising * (1 - rising) * self.grid[:, 0]
        return np.asarray((steep**2 / (chance * (1 - chance))) @ self.shares.sum(axis=0))

    def strengths_of(self, outcomes: Numbers, answered: NDArray[np.bool_]) -> Numbers:
        """The strength at which each answerer would be expected to score what it did on the items it answered."""
        points = np.linspace(-2 * GRID_REACH, 2 * GRID_REACH, 401)
        of_each = np.where(answered, 1.0, 0.0)
        size = np.maximum(of_each.sum(axis=1), 1.0)
        scores = np.where(answered, outcomes, 0.0).sum(axis=1) / size
        curves = (of_each @ self.shares / size[:, None]) @ self._at_points(points).T
        return np.array([np.interp(score, curve, points) for score, curve in zip(scores, curves, strict=True)])

    def _at_points(self, strengths: Numbers) -> Numbers:
        return _with_floor(special.expit(_logits(strengths, self.grid)), self.floor)


def fit_fixed(
    outcomes: Numbers,
    floor: float = 0.0,
    weights: Numbers | None = None,
    *,
    one_slope: bool = False,
    tolerance: float = 1e-5,
) -> Items:
    """The items of (answerers, items) outcomes from 0 to 1, many answerers having been drawn from a normal population.

    `weights` count how often a row of outcomes occurred. With `one_slope` all items have the same (Rasch's model). Ends
    when no parameter moves by more than `tolerance`. Raises ValueError with fewer than two answerers, without items,
    or for a floor that is not from 0 to below 1.
    """
    _check(outcomes, floor)
    counts = np.ones(outcomes.shape[0]) if weights is None else np.asarray(weights, dtype=np.float64)
    points = np.linspace(-GRID_REACH, GRID_REACH, STRENGTHS)
    log_weight = _log_normal(points)
    grid = np.stack([points, np.ones(STRENGTHS)], axis=1)
    share = np.clip((counts @ outcomes + 0.5) / (counts.sum() + 1), floor + 0.01, 0.99)
    items = np.stack([np.ones(share.size), special.logit((share - floor) / (1 - floor))], axis=1)
    likelihood = -np.inf
    for _ in range(MOST_ROUNDS):
        shares, of_each = _posterior(outcomes, items, grid, log_weight, floor)
        likelihood = float(counts @ of_each)
        right, times = outcomes.T @ (shares * counts[:, None]), counts @ shares
        stepped = items
        for _ in range(STEPS_A_ROUND):
            moves = _both_steps(stepped, grid, right, times, floor, one_slope=one_slope)
            stepped = np.clip(stepped + moves, -LARGEST_PARAMETER, LARGEST_PARAMETER)
        moved = float(np.abs(stepped - items).max())
        items = stepped
        if moved < tolerance:
            break
    without = Items(items, np.eye(len(items)), np.zeros(0), floor, likelihood)
    strengths = without.strengths_of(outcomes, np.ones(outcomes.shape, dtype=np.bool_))
    return replace(without, strengths=strengths)


def fit_drawn(outcomes: Numbers, floor: float = 0.0, *, one_slope: bool = False, tolerance: float = 5e-3) -> Items:
    """The strengths of few answerers of (answerers, items) outcomes from 0 to 1, and the population of their items.

    Slopes and intercepts of the items are normal with a covariance (random items: De Boeck 2008, Random item IRT
    models, doi:10.1007/s11336-008-9092-x): from a few answers those of one item are hardly known, and what is plugged
    in for them bends everything that is computed of it. With `one_slope` all items have the same (Rasch's model). Ends
    when neither strengths nor the population's mean move by more than `tolerance`. Raises ValueError as `fit_fixed`.
    """
    _check(outcomes, floor)
    answers = np.ascontiguousarray(outcomes.T)
    strengths, mean, covariance = _first_guess(outcomes, floor)
    if one_slope:
        covariance[0, :] = covariance[:, 0] = 0.0
    normal, log_weight = _square(1 if one_slope else SLOPES)
    for _ in range(MOST_ROUNDS):
        grid = mean + normal @ _root(covariance).T
        fixed = np.stack([strengths, np.ones(strengths.size)], axis=1)
        shares, of_each = _posterior(answers, fixed, grid, log_weight, floor)
        right, times = outcomes @ shares, shares.sum(axis=0)
        stepped = strengths
        for _ in range(STEPS_A_ROUND):
            stepped = np.clip(
                stepped + _strength_steps(stepped, grid, right, times, floor), -LARGEST_PARAMETER, LARGEST_PARAMETER
            )
        before = np.append(strengths, mean)
        of_items = times / times.sum()
        mean = of_items @ grid
        covariance = (grid - mean).T @ ((grid - mean) * of_items[:, None])
        strengths, mean, covariance, turn = _standardised(stepped, mean, covariance)
        mean, covariance = np.clip(mean, -LARGEST_PARAMETER, LARGEST_PARAMETER), _bounded(covariance)
        if float(np.abs(np.append(strengths, mean) - before).max()) < tolerance:
            break
    return Items(grid @ turn.T, shares, strengths, floor, float(of_each.sum()))


def _check(outcomes: Numbers, floor: float) -> None:
    if outcomes.ndim != 2 or outcomes.shape[0] < 2 or outcomes.shape[1] == 0 or not 0 <= floor < 1:
        raise ValueError(f"two answerers and an item expected, a floor in [0, 1): {outcomes.shape}, {floor}")


def _with_floor(rising: Numbers, floor: float) -> Numbers:
    return np.asarray(np.clip(floor + (1 - floor) * rising, _NEAREST_TO_ENDS, 1 - _NEAREST_TO_ENDS))


def _logits(strengths: Numbers, grid: Numbers) -> Numbers:
    return np.asarray(np.outer(strengths, grid[:, 0]) + grid[:, 1])


def _log_normal(points: Numbers) -> Numbers:
    """The logarithms of normal weights of points, which add up to 1."""
    density = -(points**2) / 2
    return np.asarray(density - special.logsumexp(density))


def _square(slopes: int) -> tuple[Numbers, Numbers]:
    """A grid of two standard normal numbers, (points, 2), and the logarithms of its weights."""
    along = np.linspace(-ITEM_REACH, ITEM_REACH, slopes) if slopes > 1 else np.zeros(1)
    across = np.linspace(-ITEM_REACH, ITEM_REACH, INTERCEPTS)
    first, second = np.meshgrid(along, across, indexing="ij")
    weight = _log_normal(along)[:, None] + _log_normal(across)[None, :]
    return np.stack([first.ravel(), second.ravel()], axis=1), np.asarray(weight.ravel())


def _root(covariance: Numbers) -> Numbers:
    """A square root of a covariance, which may be of one dimension: its first column is of the slope alone."""
    deviation = np.sqrt(max(float(covariance[0, 0]), 0.0))
    along = float(covariance[1, 0]) / deviation if deviation > 0 else 0.0
    conditional = np.sqrt(max(float(covariance[1, 1]) - along**2, _NEAREST_TO_ENDS))
    return np.array([[deviation, 0.0], [along, conditional]])


def _first_guess(outcomes: Numbers, floor: float) -> tuple[Numbers, Numbers, Numbers]:
    share = np.clip((outcomes.sum(axis=1) + 0.5) / (outcomes.shape[1] + 1), floor + 0.01, 0.99)
    logits = special.logit((share - floor) / (1 - floor))
    deviation = max(float(logits.std()), 0.1)
    solved = np.clip((outcomes.sum(axis=0) + 0.5) / (outcomes.shape[0] + 1), floor + 0.02, 0.98)
    intercepts = special.logit((solved - floor) / (1 - floor))
    mean = np.array([deviation, float(intercepts.mean())])
    return (logits - logits.mean()) / deviation, mean, np.diag([0.25 * deviation**2, float(intercepts.var()) + 0.1])


def _posterior(
    outcomes: Numbers, fixed: Numbers, grid: Numbers, log_weight: Numbers, floor: float
) -> tuple[Numbers, Numbers]:
    """How likely each point of the grid is for each row of outcomes, and the logarithm of how likely the row is."""
    chance = _with_floor(special.expit(fixed @ grid.T), floor)
    wrong = np.log1p(-chance)
    prior = wrong.sum(axis=0) + log_weight
    joint = outcomes @ (np.log(chance) - wrong)
    likelihood = np.empty(len(joint))
    at_once = max(CELLS_AT_ONCE // prior.size, 1)
    for begin in range(0, len(joint), at_once):
        rows = joint[begin : begin + at_once]
        rows += prior
        highest = rows.max(axis=1)
        rows -= highest[:, None]
        np.exp(rows, out=rows)
        total = rows.sum(axis=1)
        rows /= total[:, None]
        likelihood[begin : begin + at_once] = highest + np.log(total)
    return joint, likelihood


def _gradients(logits: Numbers, n_right: Numbers, times: Numbers, floor: float) -> tuple[Numbers, Numbers]:
    """The derivative of the log-likelihood by each logit, and the information about it were it known who guessed.

    That is more than there is, so that steps by it are too short rather than too long.
    """
    rising = special.expit(logits)
    knew = rising / _with_floor(rising, floor) if floor else 1.0
    return np.asarray(n_right * knew - times * rising), np.asarray(times * rising * (1 - rising))


def _both_steps(  # noqa: PLR0913
    items: Numbers, grid: Numbers, n_right: Numbers, times: Numbers, floor: float, *, one_slope: bool
) -> Numbers:
    """One Fisher step of slopes and intercepts, (items, 2)."""
    score, information = _gradients(items @ grid.T, n_right, times, floor)
    by_slope, by_intercept = (score @ grid).T
    slopes, cross, intercepts = (information @ np.stack([grid[:, 0] ** 2, grid[:, 0], np.ones(len(grid))], axis=1)).T
    intercepts = intercepts + _NEAREST_TO_ENDS
    left, score_left = slopes - cross**2 / intercepts, by_slope - cross * by_intercept / intercepts
    of_slope = (
        np.full(left.size, score_left.sum() / (left.sum() + _NEAREST_TO_ENDS))
        if one_slope
        else score_left / (left + _NEAREST_TO_ENDS)
    )
    of_slope = np.clip(of_slope, -FARTHEST, FARTHEST)
    of_intercept = np.clip((by_intercept - cross * of_slope) / intercepts, -FARTHEST, FARTHEST)
    return np.stack([of_slope, of_intercept], axis=1)


def _strength_steps(strengths: Numbers, grid: Numbers, n_right: Numbers, times: Numbers, floor: float) -> Numbers:
    """One Fisher step of strengths, (answerers,)."""
    score, information = _gradients(_logits(strengths, grid), n_right, times, floor)
    return np.asarray(
        np.clip((score @ grid[:, 0]) / (information @ grid[:, 0] ** 2 + _NEAREST_TO_ENDS), -FARTHEST, FARTHEST)
    )


def _bounded(covariance: Numbers) -> Numbers:
    """The covariance with no deviation above LARGEST_PARAMETER."""
    deviations = np.sqrt(np.maximum(np.diag(covariance), _NEAREST_TO_ENDS))
    shrink = np.minimum(1.0, LARGEST_PARAMETER / deviations)
    return np.asarray(covariance * np.outer(shrink, shrink))


def _standardised(strengths: Numbers, mean: Numbers, covariance: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """All on the scale on which strengths have mean 0 and variance 1, and the matrix that turns items to it."""
    middle, deviation = float(strengths.mean()), max(float(strengths.std()), 1e-3)
    turn = np.array([[deviation, 0.0], [middle, 1.0]])
    return (strengths - middle) / deviation, turn @ mean, turn @ covariance @ turn.T, turn
