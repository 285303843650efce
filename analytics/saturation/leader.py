"""The true score of the model that leads: an interval that allows for its having been picked for its score."""

from collections.abc import Callable

import numpy as np
from scipy import special

from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import Z95

PROJECTED = 0.005
"""Error of the bound for all contenders at once, at which the interval ends where first and second tie."""
BELOW, ABOVE = 0.040, 0.005
"""Error on either side of the interval given that the model leads; with PROJECTED they add up to 5%. A score that leads
by chance is too high, so that most of the error is allowed below."""
SHARED_COVERAGE = {
    (500, 0.90): ((0.0, 0.97), (0.58, 0.97), (0.9, 0.90)),
    (198, 0.95): ((0.0, 0.99), (0.58, 0.93), (0.9, 0.80)),
}
"""How often the interval holds the true score of the leader of CONTENDERS equally good models, by items and share that
they solve, then by the correlation of their errors: what they have in common is no evidence of who leads, and the
interval counts it as such. Simulated; held by a soak test with its Monte Carlo error."""
CONTENDERS = 10
HALVINGS = 45
LEAST_LEAD = 1e-9


def leader_interval(  # noqa: PLR0913, PLR0917 - what an interval of a leader depends on
    score: Numbers,
    second: Numbers,
    contenders: Numbers,
    error: Numbers,
    n_items: Numbers,
    halvings: int = HALVINGS,
) -> Numbers:
    """95% intervals of the true scores of leaders, higher is better: shape (2, n), lower ends first.

    `second` is the best score of any other contender, -inf without one; then the interval is that of one score by
    itself (Wilson's or 1.96 errors). Given that it leads, a score is a normal one cut off below at `second`, whatever
    the others' true scores are: the interval inverts that distribution, and ends below where a bound for all
    `contenders` at once (Bonferroni) does. Where `n_items` is known `error` is not used: scores are shares of n
    items, and the error is that of the share assumed. Errors of models are taken as independent. NaN where nothing is
    known. The ends are as exact as the way from the bound to the score, halved `halvings` times.
    Source: Andrews, Kitagawa, McCloskey (2024), Inference on winners, QJE 139(1), hybrid intervals,
    doi:10.1093/qje/qjad043.
    """
    has_no_rival = ~np.isfinite(second)
    far = np.where(has_no_rival, Z95, -special.ndtri(PROJECTED / np.maximum(contenders, 1)))
    lowest = _score_limit(score, far, error, n_items, -1)
    highest = _score_limit(score, np.where(has_no_rival, Z95, -special.ndtri(ABOVE)), error, n_items, 1)

    # Without a rival the interval is the plain one; with an unknown error it is NaN.
    contested = np.flatnonzero(~has_no_rival & ~np.isnan(lowest))
    of_score, of_second, of_error, of_items = (values[contested] for values in (score, second, error, n_items))
    of_shares = np.isfinite(of_items)

    def log_tail(truth: Numbers) -> Numbers:
        """Log of the probability of a leader's score at least as high as seen, its true score being `truth`."""
        spread = np.where(of_shares, np.sqrt(np.clip(truth * (1 - truth), 0, None) / of_items), of_error)
        spread = np.maximum(spread, LEAST_LEAD)
        cut = special.log_ndtr((truth - of_second) / spread)
        return np.asarray(special.log_ndtr((truth - of_score) / spread) - cut)

    low, high = lowest.copy(), highest.copy()
    low[contested] = _crossing(log_tail, np.log(BELOW), lowest[contested], of_score, halvings)
    high[contested] = _crossing(log_tail, np.log1p(-ABOVE), of_score, highest[contested], halvings)
    # A leader that solves no item has the plain upper end: every contender ties with it.
    return np.stack([low, np.where(np.isfinite(n_items) & (score <= 0), highest, high)])


def _crossing(
    log_tail: Callable[[Numbers], Numbers], level: float, begin: Numbers, end: Numbers, halvings: int
) -> Numbers:
    """Where the rising `log_tail` reaches `level` between `begin` and `end`, or the end that is nearer to it."""
    low, high = begin.copy(), end.copy()
    for _ in range(halvings):
        middle = (low + high) / 2
        below = log_tail(middle) < level
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.asarray((low + high) / 2)


def _score_limit(score: Numbers, z: Numbers, error: Numbers, n: Numbers, side: int) -> Numbers:
    """One end of the interval of a score by itself: Wilson's where the number of items is known, else z errors."""
    with np.errstate(invalid="ignore"):
        half = z * np.sqrt(np.clip(score * (1 - score), 0, None) / n + z**2 / (4 * n**2))
        wilson = (score + z**2 / (2 * n) + side * half) / (1 + z**2 / n)
    return np.where(np.isfinite(n), wilson, score + side * z * error)
