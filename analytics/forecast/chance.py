"""How likely it is that a stronger model is tested: by how often and how lately somebody tested."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from benchhealth.analytics.statistics.arrays import Flags, Numbers, Places

HALF_LIFE = 365.0
"""Days after which an outcome counts half: the pace of progress is not that of ten years ago."""
ENOUGH_OUTCOMES = 60
"""Known outcomes before a chance is given: fifteen for each thing that is looked at."""
SHRINKAGE = 0.1
"""scikit-learn's C of the regression: some hundred outcomes, many of them of the same benchmark, carry no more."""


@dataclass(frozen=True)
class Asked:
    """Parallel arrays: `features` (n, k), the day it was `asked_on`, whether it `happened` (not a number: nobody can
    tell), from which day that is known (`told_on`), and days at which its outcome came to be (`came_on`)."""

    features: Numbers
    asked_on: Places
    happened: Numbers
    came_on: Places
    told_on: Places

    def known_by(self, day: int) -> Flags:
        """Which questions had an outcome that was known on a day."""
        return np.isfinite(self.happened) & (self.told_on <= day)

    def weight(self, day: int, of: Flags) -> Numbers:
        """How much each of these outcomes counts on a day: 1 is fresh."""
        return np.asarray(0.5 ** ((day - self.came_on[of]) / HALF_LIFE))


def chances(asked: Asked) -> Numbers:
    """The chance that it happens, for each question from the outcomes known on its day; not a number with too few.

    Logistic regression with an L2 penalty on how often somebody tested (days with a result in the last half year and in
    the last year), how lately (days since the last result), and whether the benchmark is on the capability scale; each
    but the last as the logarithm of one more, all standardised, outcomes weighted by their age with a half-life of a
    year. It is learned from all benchmarks together, so that one that is tested every week and one that nobody tested
    for months have different chances though none has enough outcomes of its own.
    """
    given = np.full(asked.happened.size, np.nan)
    for day in np.unique(asked.asked_on).tolist():
        come, now = asked.known_by(day), asked.asked_on == day
        if not _enough(asked.happened[come]):
            continue
        centre, spread = asked.features[come].mean(axis=0), asked.features[come].std(axis=0)
        standard = (asked.features - centre) / np.where(spread > 0, spread, 1.0)
        given[now] = _regressed(standard[come], asked.happened[come], asked.weight(day, come), standard[now])
    return given


def base_rates(asked: Asked, group: Places) -> Numbers:
    """How often it had happened in the same group by the day, outcomes weighted by their age; not a number if never
    asked."""
    rate = np.full(asked.happened.size, np.nan)
    for day in np.unique(asked.asked_on).tolist():
        come, now = asked.known_by(day), asked.asked_on == day
        for of in np.unique(group[now]).tolist():
            same = come & (group == of)
            if same.any():
                rate[now & (group == of)] = np.average(asked.happened[same], weights=asked.weight(day, same))
    return rate


def _enough(happened: Numbers) -> bool:
    """Whether a regression can be fitted: enough outcomes, and both of them among these."""
    return happened.size >= ENOUGH_OUTCOMES and 0 < happened.sum() < happened.size


def _regressed(x: Numbers, happened: Numbers, weight: Numbers, asked: Numbers) -> Numbers:
    from sklearn import config_context
    from sklearn.linear_model import LogisticRegression

    with config_context(assume_finite=True, skip_parameter_validation=True):
        fitted = LogisticRegression(C=SHRINKAGE, solver="newton-cholesky").fit(x, happened, sample_weight=weight)
    return np.asarray(expit(asked @ fitted.coef_[0] + fitted.intercept_[0]))
