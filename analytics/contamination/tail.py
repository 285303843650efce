"""How far off the line a model can lie by itself: the tail of the residuals where nothing can have leaked."""

import numpy as np

from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.arrays import Numbers

GRID = (2.5, 3.0, 4.0, 5.0, 7.0, 10.0, 20.0, 50.0, 1000.0)
"""Degrees of freedom of Student's t that are tried, from very heavy tails to normal ones."""
FEWEST_RESIDUALS = 100
"""Fewer residuals do not show a tail: then that of CAUTIOUS is assumed."""
CAUTIOUS = 4.0
SEARCH_ROUNDS = 30
CREDIBLE = 1.0
"""How far below the best a tail's log-likelihood may lie to be still believed."""


def tail(residuals: Numbers) -> tuple[float, float]:
    """(degrees of freedom, scale) of the heaviest Student's t that studentised residuals leave likely.

    Many tests are decided far out, where a normal tail would call what merely differs impossible, and where some
    hundreds of residuals say little. So the first count of a grid, from the heaviest tail on, whose log-likelihood
    comes within CREDIBLE of the best one's: the best itself flagged some pair in one of ten simulated worlds without a
    leak, this one in one of twenty. The scale is that of maximum likelihood, by the EM steps of Lange, Little, Taylor
    (1989), doi:10.2307/2290063. With fewer than FEWEST_RESIDUALS residuals the count is CAUTIOUS and the scale 1.

    >>> tail(np.array([0.3, -1.2, 0.8]))
    (4.0, 1.0)
    """
    z = residuals[np.isfinite(residuals)]
    if z.size < FEWEST_RESIDUALS:
        return CAUTIOUS, 1.0
    fits = []
    for degrees in GRID:
        scale = float(np.sqrt(np.mean(z**2)))
        for _ in range(SEARCH_ROUNDS):
            scale = float(np.sqrt(np.mean((degrees + 1) * z**2 / (degrees + (z / scale) ** 2))))
        fits.append((float(student.log_density(z / scale, degrees).sum() - z.size * np.log(scale)), degrees, scale))
    best = max(fits)[0]
    return next((degrees, scale) for likelihood, degrees, scale in fits if likelihood >= best - CREDIBLE)
