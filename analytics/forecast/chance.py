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
class Questions:
    """Questions whether a stronger model would be tested, as parallel arrays; days count from 1970-01-01.

    `features` (n, k) is what was known on the day `asked_on`. `happened` is 1 or 0, NaN where nobody can tell;
    `ended_on` is the last day of the horizon, and `known_from` the day from which the outcome is known.
    """

    features: Numbers
    asked_on: Places
    happened: Numbers
    ended_on: Places
    known_from: Places

    def known_by(self, day: int) -> Flags:
        """Which questions had an outcome that was known on a day."""
        return np.isfinite(self.happened) & (self.known_from <= day)

    def weight(self, day: int, chosen: Flags) -> Numbers:
        """How much each of these outcomes counts on a day: 1 is fresh."""
        return np.asarray(0.5 ** ((day - self.ended_on[chosen]) / HALF_LIFE))


def chances(questions: Questions) -> Numbers:
    """The chance that it happens, for each question from the outcomes known on its day; not a number with too few.

    Logistic regression with an L2 penalty on how often somebody tested (days with a result in the last half year and in
    the last year), how lately (days since the last result), and whether the benchmark is on the capability scale; each
    but the last as the logarithm of one more, all standardised, outcomes weighted by their age with a half-life of a
    year. It is learned from all benchmarks together, so that one that is tested every week and one that nobody tested
    for months have different chances though none has enough outcomes of its own.
    """
    chance = np.full(questions.happened.size, np.nan)
    for day in np.unique(questions.asked_on).tolist():
        is_known, is_new = questions.known_by(day), questions.asked_on == day
        if not _enough(questions.happened[is_known]):
            continue
        centre, spread = questions.features[is_known].mean(axis=0), questions.features[is_known].std(axis=0)
        standard = (questions.features - centre) / np.where(spread > 0, spread, 1.0)
        weight = questions.weight(day, is_known)
        chance[is_new] = _regressed(standard[is_known], questions.happened[is_known], weight, standard[is_new])
    return chance


def base_rates(questions: Questions, group: Places) -> Numbers:
    """How often it had happened in the same group by the day, outcomes weighted by their age; not a number if never
    asked."""
    rate = np.full(questions.happened.size, np.nan)
    for day in np.unique(questions.asked_on).tolist():
        is_known, is_new = questions.known_by(day), questions.asked_on == day
        for number in np.unique(group[is_new]).tolist():
            same = is_known & (group == number)
            if same.any():
                rate[is_new & (group == number)] = np.average(
                    questions.happened[same], weights=questions.weight(day, same)
                )
    return rate


def _enough(happened: Numbers) -> bool:
    """Whether a regression can be fitted: enough outcomes, and both of them among these."""
    return happened.size >= ENOUGH_OUTCOMES and 0 < happened.sum() < happened.size


def _regressed(known_features: Numbers, happened: Numbers, weight: Numbers, new_features: Numbers) -> Numbers:
    from sklearn import config_context
    from sklearn.linear_model import LogisticRegression

    with config_context(assume_finite=True, skip_parameter_validation=True):
        fitted = LogisticRegression(C=SHRINKAGE, solver="newton-cholesky").fit(
            known_features, happened, sample_weight=weight
        )
    return np.asarray(expit(new_features @ fitted.coef_[0] + fitted.intercept_[0]))
