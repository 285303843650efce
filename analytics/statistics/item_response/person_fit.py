"""Whether the pattern of somebody's answers is what the items and their own strength would give."""

import numpy as np
from numpy.typing import NDArray

from benchhealth.analytics.statistics.arrays import Numbers


def standardised_likelihood(outcomes: Numbers, chances: Numbers, answered: NDArray[np.bool_]) -> Numbers:
    """How likely each answerer's pattern is beside its own expectation, in standard deviations: low is odd.

    (l - E l) / sqrt(Var l), l being the log-likelihood of right and wrong answers under `chances` (Drasgow, Levine &
    Williams 1985, Appropriateness measurement with polychotomous item response models and standardized indices,
    doi:10.1111/j.2044-8317.1985.tb00817.x), here over what each has `answered`: all (answerers, items). It is standard
    normal only where the model of the items is true, which for models of language it is not.
    """
    log_odds = np.log(chances) - np.log1p(-chances)
    surprise = np.where(answered, (outcomes - chances) * log_odds, 0.0).sum(axis=1)
    variance = np.where(answered, chances * (1 - chances) * log_odds**2, 0.0).sum(axis=1)
    return np.asarray(np.divide(surprise, np.sqrt(variance), out=np.zeros(surprise.size), where=variance > 0))


def odd_ones(values: Numbers, among: Numbers, deviations: float) -> NDArray[np.bool_]:
    """Which of `values` lie more than so many robust standard deviations below the median of those `among` them.

    The robust deviation is 1.4826 times the median distance from the median (Hampel 1974,
    doi:10.1080/01621459.1974.10482962).
    """
    middle = float(np.median(among))
    deviation = 1.4826 * float(np.median(np.abs(among - middle)))
    return np.asarray(values < middle - deviations * deviation)
