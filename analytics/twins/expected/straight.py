"""The scale of a twin on which models lie about a straight line, and which models are worse than that line expects."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchhealth.analytics.statistics.robust_line import least_trimmed_squares
from benchhealth.analytics.twins.expected.checks import Fit, fit_of
from benchhealth.analytics.twins.expected.curve import (
    LINEAR,
    LOGIT,
    Mask,
    Numbers,
    Side,
    response,
    sides_of,
)
from benchhealth.analytics.twins.off_line import OffLine, off_line
from benchhealth.analytics.twins.pairs import Pairs

FEWEST_FOR_RESIDUALS = 10
"""With fewer models the line follows each of them too closely to be held against any."""

NONE_FITS = "none"
"""The name of the scale where the line fits on neither."""


class OnScale(NamedTuple):
    """A line on its `scale`, through the models that are `tested`; `found` and `x` are of those alone.

    For every model, in points: what is `expected` of it, the standard `error` of its residual, what a point on the
    original brings there (`slope`), and the score on the original that models with its score on the twin have
    (`predicted`). NaN where it is not tested.
    """

    scale: str
    fit: Fit
    found: OffLine
    x: Numbers
    tested: Mask
    expected: Numbers
    error: Numbers
    slope: Numbers
    predicted: Numbers
    p_value: Numbers


def straight(pairs: Pairs) -> OnScale | None:
    """The first scale on which a line fits, log odds before points; None where it fits on neither.

    Log odds of (score - floor) / (ceiling - floor) come first: there the relation is straight where the twin is as
    hard, easier or harder, and errors are known. Points are for what has no ends, and for relations that only they
    make straight. A line fits where `checks.fit_of` finds neither a bend nor an uneven spread that matters.
    """
    return next((one for one in candidates(pairs) if one.fit.is_straight and one.fit.is_even), None)


def candidates(pairs: Pairs) -> list[OnScale]:
    """The lines on both scales, as far as there are any, whether or not they fit."""
    found = (on_log_odds(pairs) if pairs.bounded and pairs.sign else None, on_points(pairs))
    return [one for one in found if one is not None]


def testable(pairs: Pairs) -> Mask:
    """Which models lie beyond the error of the floor on the original; all of those of scores without one."""
    if not pairs.bounded or pairs.sign == 0:
        return np.ones(pairs.original.size, dtype=np.bool_)
    return sides_of(pairs)[0].above_floor


def on_log_odds(pairs: Pairs) -> OnScale | None:
    """The line on log odds."""
    tested = testable(pairs)
    if np.count_nonzero(tested) < FEWEST_FOR_RESIDUALS:
        return None
    original, other = (side.only(tested) for side in sides_of(pairs))
    x, x_error = original.log_odds, original.error
    clear = other.above_floor
    if np.count_nonzero(clear) < FEWEST_FOR_RESIDUALS:
        return None
    errors = np.hypot(x_error, other.error)[clear]
    start = least_trimmed_squares(x[clear], other.log_odds[clear], errors if np.isfinite(errors).all() else np.ones(errors.size))
    if start is None:
        return None
    y, y_error = response(start, x, other)
    found = off_line(x, y, x_error, y_error, 1)
    if found is None:
        return None
    fit = fit_of(x, y - found.expected, found)
    return _in_points(pairs, tested, original, other, x, found, fit)


def _in_points(
    pairs: Pairs, tested: Mask, original: Side, other: Side, x: Numbers, found: OffLine, fit: Fit
) -> OnScale:
    """The line on log odds in points."""
    line = found.line
    expected = other.at(found.expected)
    steep = other.steepness((expected - other.floor) / (other.ceiling - other.floor))
    slope = line.slope * steep / original.steepness(original.inside)
    back = (other.log_odds - line.intercept) / line.slope if line.slope > 0 else np.full(x.size, np.nan)
    shares = [expected, original.at(back)]
    if pairs.sign < 0:
        shares = [1 - share for share in shares]
    values = (100 * shares[0], 100 * steep * found.error, slope, 100 * shares[1], found.p_value)
    return OnScale(LOGIT, fit, found, x, tested, *(_spread_out(tested, value) for value in values))


def on_points(pairs: Pairs) -> OnScale | None:
    """The line on the scores as they are."""
    tested = testable(pairs)
    if np.count_nonzero(tested) < FEWEST_FOR_RESIDUALS:
        return None
    x, y = pairs.original[tested], pairs.other[tested]
    found = off_line(x, y, *(_not_zero(pairs, side)[tested] for side in ("original", "other")), pairs.sign or 1)
    if found is None:
        return None
    fit = fit_of(x, (pairs.sign or 1) * (y - found.expected), found)
    line = found.line
    predicted = (y - line.intercept) / line.slope if line.slope > 0 else np.full(x.size, np.nan)
    expected = found.expected
    if pairs.bounded:
        ends = [100 * side.floor for side in sides_of(pairs)] if pairs.sign > 0 else [0.0, 0.0]
        predicted, expected = np.clip(predicted, ends[0], 100), np.clip(expected, 0, 100)
    values = (expected, found.error, np.full(x.size, line.slope), predicted, found.p_value)
    return OnScale(LINEAR, fit, found, x, tested, *(_spread_out(tested, value) for value in values))


def _not_zero(pairs: Pairs, side: str) -> Numbers:
    """The errors of a side, in points; of a score of no item or of all items that of half an item inside."""
    error, share, items = (getattr(pairs, name) for name in (f"{side}_error", f"share_{side}", f"items_{side}"))
    if not pairs.bounded:
        return np.asarray(error)
    inner = np.clip(0.5 / items, 0, 0.5)
    return np.where((error == 0) & np.isfinite(items) & ((share <= 0) | (share >= 1)), 100 * np.sqrt(inner * (1 - inner) / items), error)


def _spread_out(tested: Mask, values: Numbers) -> NDArray[np.float64]:
    """The values at the tested models, NaN at the others."""
    out = np.full(tested.size, np.nan)
    out[tested] = values
    return out
