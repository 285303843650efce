"""How far chance alone takes residuals, learnt from where next to nothing but chance puts them."""

from bisect import bisect_left
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.optimize import brentq

from benchhealth.analytics.statistics.arrays import Numbers

DEGREES = np.array([3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0, 30.0, 60.0, 200.0])
"""Tails that are weighed against each other: the degrees of freedom of Student's t, nearly normal at the end."""

PRIOR = DEGREES * np.exp(-0.1 * DEGREES) * np.gradient(DEGREES)
"""Their weights before any residual is seen: Gamma(2, 0.1) (Juarez, Steel 2010, JBES 28, 52-66)."""

NEGLIGIBLE_WEIGHT = 1e-5
"""Share of the greatest weight below which a tail with a scale is left out."""

SCALE_ROUNDS = 25
"""Steps of the search for each tail's scale; the last moves it by less than a thousandth."""

BELOW_ZERO = 1.0
"""How far below 0, in units of the scale, residuals count: most of those that something shifted down lie lower."""

AROUND = np.exp(np.linspace(-0.75, 0.75, 13))
"""Scales that are weighed for each tail, in units of the likeliest: a few residuals leave it open by a fifth."""


class Noise(NamedTuple):
    """A mixture of Student's t distributions about 0: the weight, the degrees of freedom and the scale of each."""

    weight: Numbers
    degrees: Numbers
    scale: Numbers

    def below(self, z: Numbers) -> Numbers:
        """The probability of a residual of z or less."""
        return np.asarray(special.stdtr(self.degrees, z[:, None] / self.scale) @ self.weight)

    def rare(self, z: Numbers, level: float) -> NDArray[np.bool_]:
        """Which residuals have less than this probability of being as low, found by halving: few need to be asked."""
        order = np.argsort(z)
        first = bisect_left(order, level, key=lambda index: float(self.below(z[[index]])[0]))
        is_rare = np.zeros(z.size, dtype=np.bool_)
        is_rare[order[:first]] = True
        return is_rare

    def reach(self, level: float) -> float:
        """The distance from 0 within which residuals lie with this probability."""
        below = (1 - level) / 2
        least, most = (float(self.scale @ self.weight) * factor for factor in (1e-3, 1e3))
        return float(brentq(lambda z: float(self.below(np.array([-z]))[0]) - below, least, most, rtol=1e-9))

    def sample(self, rng: np.random.Generator, size: int) -> Numbers:
        """Residuals drawn from the mixture, `size` of them."""
        component = rng.choice(self.weight.size, size, p=self.weight)
        return np.asarray(self.scale[component] * rng.standard_t(self.degrees[component]))


def noise_of(residuals: Numbers) -> Noise | None:
    """Scale and tails of a symmetric distribution about 0, of which some residuals were shifted downwards.

    What is not far below 0 (BELOW_ZERO) shows what chance alone does, and is weighed as drawn from the distribution cut
    off there. Tails and scales are weighed by prior (PRIOR; alike on the logarithm of the scale) and likelihood, so
    that a few residuals decide neither: what is left open widens the mixture, as t is wider than the normal. The scales
    that are weighed for each tail lie around the likeliest of the positive residuals, by the EM steps of Lange, Little,
    Taylor (1989), JASA 84, 881-896. None without a positive residual.
    """
    upper = residuals[residuals > 0]
    if upper.size == 0:
        return None
    degrees = DEGREES[:, None]
    squares = np.broadcast_to(upper**2, (DEGREES.size, upper.size))
    start = float(np.median(upper)) / special.ndtri(0.75)
    variance, weighted = np.full((DEGREES.size, 1), start**2), (degrees + 1) * squares
    for _ in range(SCALE_ROUNDS):
        variance = (weighted / (degrees + squares / variance)).sum(axis=1, keepdims=True) / upper.size
    scale = np.sqrt(variance) * AROUND
    likelihood = _log_likelihood(residuals, -BELOW_ZERO * start, degrees, scale)
    weight = PRIOR[:, None] * np.exp(likelihood - likelihood.max())
    all_degrees = np.broadcast_to(degrees, scale.shape)
    likely = weight > NEGLIGIBLE_WEIGHT * weight.max()
    return Noise(weight[likely] / weight[likely].sum(), all_degrees[likely], scale[likely])


def _log_likelihood(residuals: Numbers, least: float, degrees: Numbers, scale: Numbers) -> Numbers:
    """Of those above `least`, for each number of degrees of freedom (rows) and scale (columns), up to a constant."""
    above = residuals[residuals > least]
    constant = special.gammaln((degrees + 1) / 2) - special.gammaln(degrees / 2) - np.log(degrees) / 2
    ratio = np.log1p((above / scale[:, :, None]) ** 2 / degrees[:, :, None]).sum(axis=2)
    cut_off = np.log1p(-special.stdtr(degrees, least / scale))
    return np.asarray(above.size * (constant - np.log(scale) - cut_off) - (degrees + 1) / 2 * ratio)
