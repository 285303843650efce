"""Proportional hazards: how much a trait multiplies the risk of dying at any age, with late entry.

Written out here because what a small set of lives needs is not to be had together elsewhere: late entry, profile
intervals, clusters and a test of proportionality. The tests hold it against lifelines and printed results.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import optimize, special

from benchhealth.analytics.statistics.arrays import Flags, Numbers, Places
from benchhealth.analytics.statistics.survival.clusters import between

CHI95 = float(special.chdtri(1, 0.05))
STEEPEST = 12.0
"""A coefficient (of a covariate scaled to unit spread) beyond this is a ratio of 160,000: no finite one fits."""
PRECISE = 2e-4
"""How exactly the ends of intervals are found, in coefficients of unit spread."""

FEWEST_CLUSTERS = 5
"""Clusters with a death below which their variance says nothing: of four it is within a factor of nine."""

CONVERGED = 1e-9
MOST_STEPS = 60


class NoFitError(ValueError):
    """The covariates part the dead from the living so cleanly, or vary so little, that no finite ratio fits."""

    def __init__(self, case: str) -> None:
        """Keep `case`, the code that says why nothing fits."""
        super().__init__(case)
        self.case = case


@dataclass(frozen=True)
class Effect:
    """One coefficient: `ratio` of hazards for one more unit, its 95% profile interval (an end is null where the
    likelihood does not fall far enough), the likelihood ratio test, `error` of the coefficient (from the information;
    of clusters between them), and `proportional_p`, small where the ratio changes with age."""

    ratio: float
    low: float | None
    high: float | None
    p_value: float
    error: float
    proportional_p: float | None


@dataclass(frozen=True)
class Lives:
    """Watched lives: from `entry` to `end` (entry < end), whether they `died` then, and their covariates (rows).

    Lives of one `cluster` (a number for each) may die together; None where each is by itself."""

    entry: Numbers
    end: Numbers
    died: Flags
    x: Numbers
    cluster: Places | None = None

    def __post_init__(self) -> None:
        if (self.end <= self.entry).any():
            raise ValueError("a life must be watched for some time: entry < end")

    @cached_property
    def times(self) -> Numbers:
        """The age at each death, one for each death in the order of age."""
        return np.sort(self.end[self.died])

    @cached_property
    def products(self) -> Numbers:
        """All products of two covariates of each life, (lives, covariates squared)."""
        return np.asarray((self.x[:, :, None] * self.x[:, None, :]).reshape(len(self.x), -1))

    @cached_property
    def weight(self) -> Numbers:
        """How far each life counts as at risk at each death, (deaths, lives): Efron's thinning of tied deaths."""
        times, first, size = np.unique(self.times, return_index=True, return_counts=True)
        at_risk = (self.entry[None, :] < times[:, None]) & (times[:, None] <= self.end[None, :])
        dying = self.died[None, :] & (times[:, None] == self.end[None, :])
        tie_order = np.arange(self.times.size) - np.repeat(first, size)
        thinned = tie_order / np.repeat(size, size)
        return np.asarray(np.repeat(at_risk, size, axis=0) - thinned[:, None] * np.repeat(dying, size, axis=0))

    @cached_property
    def dead(self) -> Numbers:
        """The mean covariates of those who died at each death, (deaths, covariates): ties share theirs."""
        order = np.argsort(self.end[self.died], kind="stable")
        values = self.x[self.died][order]
        _, group = np.unique(self.times, return_inverse=True)
        sums = np.zeros((group.max(initial=-1) + 1, self.x.shape[1]))
        np.add.at(sums, group, values)
        return np.asarray((sums / np.bincount(group)[:, None])[group])


def cox(lives: Lives) -> list[Effect]:
    """The effects of all covariates at once (Cox regression with late entry, censoring and Efron's ties).

    The log partial likelihood is, over the deaths, beta x_i - log(sum of weights e^(beta x_j) of those at risk, entry <
    t <= end). Intervals are those of the profile likelihood, tests those of its ratio, which hold up better with few
    deaths than coefficient and standard error do. With fewer than ten deaths for each covariate the ratio is biased
    away from one (Peduzzi et al. 1995): who calls it sees to that. Whether hazards are proportional is judged by the
    score test for a coefficient that changes with the logarithm of age.

    Lives of one cluster are no independent evidence. The variance of a coefficient is then the sandwich of the squared
    sums of its clusters' score residuals (Lin, Wei), times clusters / (clusters - 1), and no less than that of the
    information. The fall of the likelihood is divided by the ratio of the two (Chandler, Bate), and Student's t of the
    clusters with a death takes the place of the normal distribution. The test of proportionality knows no clusters.

    Raises NoFitError where a covariate is constant among those at risk, no finite ratio fits, or deaths are of fewer
    than FEWEST_CLUSTERS clusters.
    Source: Cox (1972), Regression models and life-tables, JRSS B 34; Efron (1977), JASA 72; Venzon, Moolgavkar (1988),
    A method for computing profile-likelihood-based confidence intervals, Applied Statistics 37; Grambsch, Therneau
    (1994), Proportional hazards tests and diagnostics based on weighted residuals, Biometrika 81; Lin, Wei (1989), The
    robust inference for the Cox proportional hazards model, JASA 84; Chandler, Bate (2007), Inference for clustered
    data using the independence loglikelihood, Biometrika 94.
    """
    scale = lives.x.std(axis=0)
    if not lives.died.any() or (scale <= CONVERGED).any():
        raise NoFitError("none_died_or_constant")
    scaled = Lives(lives.entry, lives.end, lives.died, (lives.x - lives.x.mean(axis=0)) / scale, lives.cluster)
    is_free = np.ones(scale.size, dtype=bool)
    beta = _climb(scaled, np.zeros(scale.size), is_free)
    best = log_likelihood(scaled, beta)
    information = _moments(scaled, beta)[2].sum(axis=0)
    if (np.diag(information) <= CONVERGED).any():
        raise NoFitError("none_died_or_constant")
    covariance = np.linalg.inv(information)
    changing = _proportional(scaled, beta)
    wider, degrees = _wider(scaled, beta, covariance)
    fall = CHI95 if degrees is None else float(special.stdtrit(degrees, 0.975)) ** 2
    effects = []
    for index in range(scale.size):
        without = _profile(scaled, beta, index, 0.0)
        error = float(np.sqrt(covariance[index, index]))
        ends = [_end(scaled, beta, index, best - wider[index] * fall / 2, side * error) for side in (-1.0, 1.0)]
        low, high = (None if end is None else float(np.exp(end / scale[index])) for end in ends)
        effects.append(
            Effect(
                ratio=float(np.exp(beta[index] / scale[index])),
                low=low,
                high=high,
                p_value=_p_value(max(0.0, 2 * (best - without)) / float(wider[index]), degrees),
                error=error * float(np.sqrt(wider[index])) / float(scale[index]),
                proportional_p=changing[index],
            )
        )
    return effects


def _p_value(fall: float, degrees: int | None) -> float:
    """Of a fall of twice the log likelihood of one coefficient."""
    if degrees is None:
        return float(special.chdtrc(1, fall))
    return float(2 * special.stdtr(degrees, -np.sqrt(fall)))


def _wider(lives: Lives, beta: Numbers, covariance: Numbers) -> tuple[Numbers, int | None]:
    """The factor by which clusters multiply the variance of each coefficient, and the degrees of freedom left."""
    if lives.cluster is None:
        return np.ones(beta.size), None
    dying = np.unique(lives.cluster[lives.died]).size
    if dying < FEWEST_CLUSTERS:
        raise NoFitError("few_families")
    on_beta = covariance @ score_residuals(lives, beta).T
    return np.maximum(1.0, between(on_beta, lives.cluster) / np.diag(covariance)), dying - 1


def score_residuals(lives: Lives, beta: Numbers) -> Numbers:
    """What each life adds to the slope of the log likelihood, shape (lives, covariates); all add up to the slope."""
    risk = lives.weight * np.exp(lives.x @ beta)
    share = risk / risk.sum(axis=1)[:, None]
    mean = share @ lives.x
    _, first, size = np.unique(lives.times, return_index=True, return_counts=True)
    of_time = np.add.reduceat(mean, first, axis=0) / size[:, None]  # tied deaths share their means
    residuals = share.T @ mean - share.sum(axis=0)[:, None] * lives.x
    time_index = np.searchsorted(lives.times[first], lives.end[lives.died])
    residuals[lives.died] += lives.x[lives.died] - of_time[time_index]
    return np.asarray(residuals)


def _moments(lives: Lives, beta: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """At each death: log of the summed risks, mean and covariance of the covariates among those at risk."""
    score = lives.x @ beta
    top = score.max()
    risk = lives.weight * np.exp(score - top)
    total = risk.sum(axis=1)
    share = risk / total[:, None]
    mean = share @ lives.x
    square = (share @ lives.products).reshape(-1, lives.x.shape[1], lives.x.shape[1])
    return np.log(total) + top, mean, square - mean[:, :, None] * mean[:, None, :]


def log_likelihood(lives: Lives, beta: Numbers) -> float:
    """The log partial likelihood with Efron's ties."""
    logs, _, _ = _moments(lives, beta)
    return float((lives.dead @ beta - logs).sum())


def _climb(lives: Lives, start: Numbers, is_free: Flags) -> Numbers:
    """The coefficients that fit best, those not `is_free` kept as they are: Newton's steps, halved until they climb."""
    beta = start.copy()
    current_likelihood = log_likelihood(lives, beta)
    for _ in range(MOST_STEPS):
        _, mean, spread = _moments(lives, beta)
        information = spread.sum(axis=0)
        slope = (lives.dead - mean).sum(axis=0)
        try:
            step = np.linalg.solve(information[np.ix_(is_free, is_free)], slope[is_free])
        except np.linalg.LinAlgError as error:
            raise NoFitError("covariates_inseparable") from error
        step *= min(1.0, 3.0 / max(CONVERGED, float(np.abs(step).max(initial=0.0))))
        moved_likelihood = -np.inf
        for _ in range(MOST_STEPS):
            moved = beta.copy()
            moved[is_free] += step
            moved_likelihood = log_likelihood(lives, moved)
            if moved_likelihood >= current_likelihood - CONVERGED:
                break
            step = step / 2
        gained, current_likelihood, beta = moved_likelihood - current_likelihood, moved_likelihood, moved
        if np.abs(beta).max(initial=0.0) > STEEPEST:
            raise NoFitError("no_finite_ratio")
        if gained < CONVERGED and np.abs(step).max(initial=0.0) < 1e-6:
            return beta
    raise NoFitError("fit_not_settled")


def _profile(lives: Lives, beta: Numbers, index: int, value: float) -> float:
    """The best likelihood with one coefficient held at a value."""
    start, is_free = beta.copy(), np.ones(beta.size, dtype=bool)
    start[index], is_free[index] = value, False
    fitted = _climb(lives, start, is_free) if is_free.any() else start
    return log_likelihood(lives, fitted)


def _clipped(value: float) -> float:
    return float(np.clip(value, -STEEPEST, STEEPEST))


def _end(lives: Lives, beta: Numbers, index: int, target: float, step: float) -> float | None:
    """Where the profile likelihood falls to `target` on the side of `step`; None where it never does."""

    def above(value: float) -> float:
        return _profile(lives, beta, index, value) - target

    near, far = float(beta[index]), _clipped(float(beta[index]) + 2 * step)
    while above(far) > 0:
        if abs(far) >= STEEPEST:
            return None
        near, far = far, _clipped(far + 2 * step)
    return float(optimize.brentq(above, near, far, xtol=PRECISE))


def _proportional(lives: Lives, beta: Numbers) -> list[float | None]:
    """For each coefficient the p-value of the score test that it changes with the logarithm of age."""
    if lives.times.size < 3 or np.unique(lives.times).size < 3:
        return [None] * beta.size
    clock = np.log(lives.times)
    clock -= clock.mean()
    _, mean, spread = _moments(lives, beta)
    inner = spread.sum(axis=0)
    p_values: list[float | None] = []
    for index in range(beta.size):
        score = float((clock * (lives.dead - mean)[:, index]).sum())
        cross = (clock[:, None] * spread[:, index, :]).sum(axis=0)
        size = float((clock**2 * spread[:, index, index]).sum()) - float(cross @ np.linalg.solve(inner, cross))
        p_values.append(float(special.chdtrc(1, score**2 / size)) if size > CONVERGED else None)
    return p_values
