"""The two scales on which the second side of a twin may be a straight line of the first, the scale on which models lie
about one, and which models are worse than that line expects.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.robust_line import (
    Fit,
    OffLine,
    RobustLine,
    fit_of,
    least_trimmed_squares,
    off_line,
)
from benchhealth.analytics.twins.pairs import BY_MODEL, Pairs

Mask = NDArray[np.bool_]

LOGIT, LINEAR = "logit", "linear"

NEAR_FLOOR = 2.0
"""Within this many standard errors of the floor a score says too little to expect anything from it."""

HALF_ITEM = 0.5
"""Scores of no item or of all items are moved inside by this part of an item."""

NEVER_REACHED = 1e-9

FALSE_DISCOVERIES = 0.05
"""Expected share of false flags among the flags of one twin, and among those of one model over its twins."""


class Side(NamedTuple):
    """One side of a twin of bounded scores, of which more is better: shares, the items that their errors are those of
    (NaN: unknown), and the ends that they lie between."""

    share: Numbers
    items: Numbers
    floor: float
    ceiling: float

    @property
    def inside(self) -> Numbers:
        """(score - floor) / (ceiling - floor), at least half an item inside both ends."""
        room = self.ceiling - self.floor
        least = np.clip(
            HALF_ITEM / np.where(np.isfinite(self.items), self.items, np.inf) / room, NEVER_REACHED, HALF_ITEM
        )
        return np.clip((self.share - self.floor) / room, least, 1 - least)

    @property
    def log_odds(self) -> Numbers:
        """The log odds of the shares that `inside` gives."""
        return np.asarray(special.logit(self.inside))

    @property
    def error(self) -> Numbers:
        """The standard error of `log_odds` by the delta method; NaN where that of the share is unknown."""
        inside = self.inside
        share = self.floor + (self.ceiling - self.floor) * inside
        return np.asarray(np.sqrt(share * (1 - share) / self.items) / self.steepness(inside))

    @property
    def above_floor(self) -> Mask:
        """Whether the score lies NEAR_FLOOR standard errors above the floor; without an error, whether above it."""
        spread = np.maximum(self.share * (1 - self.share), self.floor * (1 - self.floor))
        error = np.where(np.isfinite(self.items), np.sqrt(spread / self.items), 0.0)
        return np.asarray(self.share > self.floor + NEAR_FLOOR * error)

    def at(self, log_odds: Numbers) -> Numbers:
        """The share correct at these log odds, between the floor and the ceiling of the side."""
        return np.asarray(self.floor + (self.ceiling - self.floor) * special.expit(log_odds))

    def steepness(self, inside: Numbers) -> Numbers:
        """The derivative of the share by the log odds, at scores `inside` the two ends."""
        return (self.ceiling - self.floor) * inside * (1 - inside)

    def only(self, selected: Mask) -> "Side":
        """The scores of the selected models alone, on the same scale."""
        return self._replace(share=self.share[selected], items=self.items[selected])


def sides_of(pairs: Pairs) -> tuple[Side, Side]:
    """Both sides as shares of which more is better; an unknown floor is 0, a ceiling that was reached is 1."""
    return (
        _side(pairs.share_original, pairs.original_error, pairs.items_original, pairs.ends_original, pairs.sign),
        _side(pairs.share_other, pairs.other_error, pairs.items_other, pairs.ends_other, pairs.sign),
    )


def floor_of(pairs: Pairs) -> float:
    """The floor of the original in points; 0 where lower is better, and minus infinity where a score has no ends."""
    if not pairs.bounded:
        return -np.inf
    return 100 * sides_of(pairs)[0].floor if pairs.sign > 0 else 0.0


def _side(share: Numbers, error: Numbers, items: Numbers, ends: tuple[float, float], sign: int) -> Side:
    variance = np.clip(share * (1 - share), 0, None)
    square = (error / 100) ** 2
    stated = np.isfinite(square) & (square > 0) & (variance > 0)
    items = np.where(stated, variance / np.where(stated, square, 1.0), items)
    floor, ceiling = ends
    if sign < 0:
        return Side(1 - share, items, 0.0, 1.0)
    reach = share + NEAR_FLOOR * np.where(np.isfinite(items), np.sqrt(variance / items), 0.0)
    passed = not np.isfinite(ceiling) or bool((reach >= ceiling).any())
    return Side(share, items, floor if np.isfinite(floor) else 0.0, 1.0 if passed else ceiling)


def response(line: RobustLine, log_odds: Numbers, twin_side: Side) -> tuple[Numbers, Numbers]:
    """The second side as a straight line sees it, and its standard error, both in log odds.

    A score is placed about its expectation by how far the arcsines of their square roots lie apart, which has equal
    error wherever the score lies (Anscombe 1948), in units of what a step of log odds moves the expectation. So scores
    at the floor or at the ceiling are finite, and the error is that of what is expected, not of what was seen.
    """
    expected = line.at(log_odds)
    share, steep = _share_and_steepness(expected, twin_side)
    spread = np.sqrt(share * (1 - share))
    arcsine_gap = np.arcsin(np.sqrt(np.clip(twin_side.share, 0, 1))) - np.arcsin(np.sqrt(share))
    return expected + 2 * spread * arcsine_gap / steep, spread / np.sqrt(twin_side.items) / steep


def share_of(line: RobustLine, log_odds: Numbers, residual: Numbers, twin_side: Side) -> Numbers:
    """The share that lies this far, in log odds, from what is expected: the way back from `response`."""
    share, steep = _share_and_steepness(line.at(log_odds), twin_side)
    angle = np.arcsin(np.sqrt(share)) + residual * steep / (2 * np.sqrt(share * (1 - share)))
    return np.asarray(np.sin(np.clip(angle, 0, np.pi / 2)) ** 2)


def _share_and_steepness(log_odds: Numbers, twin_side: Side) -> tuple[Numbers, Numbers]:
    inside = np.clip(special.expit(log_odds), NEVER_REACHED, 1 - NEVER_REACHED)
    return twin_side.floor + (twin_side.ceiling - twin_side.floor) * inside, twin_side.steepness(inside)


FEWEST_FOR_RESIDUALS = 10
"""With fewer models the line follows each of them too closely to be held against any."""


class Expected(NamedTuple):
    """What a test says of every model, in points; NaN where it is not tested. None is the `scale` of no test.

    `expected` of it, the standard `error` of its residual, what a point on the original brings there (`slope`), the
    score on the original that models with its score on the twin have (`predicted`), and the p-value.
    """

    scale: str | None
    expected: Numbers
    error: Numbers
    slope: Numbers
    predicted: Numbers
    p_value: Numbers


class OnScale(NamedTuple):
    """A line on a scale through the models that are tested: its fit, `off_line` of those, and what it says of all."""

    fit: Fit
    off_line: OffLine
    models: Expected


def straight(pairs: Pairs) -> OnScale | None:
    """The first scale on which a line fits, log odds before points; None where it fits on neither: no model is tested.

    Log odds of (score - floor) / (ceiling - floor) come first: there the relation is straight whether the twin is
    easier, as hard or harder. Errors are those of the delta method on the original and those of what is expected on the
    twin (`response`). An unknown floor counts as 0, and a ceiling that a score reaches as 1. Points are for what has no
    ends, and for relations that they alone make straight. Whether a line fits is what `fit_of` says. Models within two
    standard errors of the floor are left out: nothing follows from such a score.

    Points alone, as it was, take a bend for models off the line. By simulation of 47 models, 500 items and scatter of
    .2 log odds: where the twin is easier by 1.5 log odds they flag .30 of the models that learnt nothing and .77 of
    their lowest third; where it is harder by 1 they find .02 of eight models that had learnt 30% of the items. Log odds
    find .48 to .65 of them in every bend without a floor, and flag at most .03 of the others. What was tried and is not
    better: delta-method errors on both sides (.13 found where the twin is harder and the floor .25, here .27 to .32);
    Pearson residuals of binomials about the line (.30 where it is harder); points wherever their line fits (with 15
    such models a tenth of the lowest third of the others is flagged: a line through points leaves the bend off it).
    Source: Recht et al. (2019), section 4; Miller et al. (2021), Accuracy on the line, arXiv:2107.04649; McCullagh,
    Nelder (1989), Generalized linear models, chapter 4; Rousseeuw (1984).
    """
    return next((candidate for candidate in candidates(pairs) if candidate.fit.fits), None)


def candidates(pairs: Pairs) -> Iterator[OnScale]:
    """The lines on both scales, as far as there are any, whether or not they fit."""
    if pairs.bounded and pairs.sign and (fitted := on_log_odds(pairs)) is not None:
        yield fitted
    if (fitted := on_points(pairs)) is not None:
        yield fitted


def testable(pairs: Pairs) -> Mask:
    """Which models lie beyond the error of the floor on the original; all of those of scores without one."""
    if not pairs.bounded or pairs.sign == 0:
        return np.ones(pairs.original.size, dtype=np.bool_)
    return sides_of(pairs)[0].above_floor


def on_log_odds(pairs: Pairs) -> OnScale | None:
    """Fit the line on the scale of log odds; None with too few models or where no line can be drawn."""
    tested = testable(pairs)
    original_side, twin_side = (side.only(tested) for side in sides_of(pairs))
    line = line_of_log_odds(original_side, twin_side)
    if line is None:
        return None
    x, y, line_fit = line
    return _in_points(pairs, tested, line_fit, fit_of(x, y - line_fit.expected, line_fit))


def line_of_log_odds(original_side: Side, twin_side: Side) -> tuple[Numbers, Numbers, OffLine] | None:
    """Both sides in log odds and the line through them; None where there are too few models or no line.

    It begins with a line through the models whose twin lies clear of its floor, by delta-method errors, and places
    all about that (`response`).
    """
    x, x_error, clear = original_side.log_odds, original_side.error, twin_side.above_floor
    if np.count_nonzero(clear) < FEWEST_FOR_RESIDUALS:
        return None
    errors = np.hypot(x_error, twin_side.error)[clear]
    scale = errors if np.isfinite(errors).all() else np.ones(errors.size)
    start = least_trimmed_squares(x[clear], twin_side.log_odds[clear], scale)
    if start is None:
        return None
    y, y_error = response(start, x, twin_side)
    fitted = off_line(x, y, x_error, y_error, 1)
    return None if fitted is None else (x, y, fitted)


def _in_points(pairs: Pairs, tested: Mask, fitted: OffLine, fit: Fit) -> OnScale:
    """The line on log odds, turned back into points of the score."""
    original_side, twin_side = sides_of(pairs)
    line, x = fitted.line, original_side.log_odds
    expected = twin_side.at(line.at(x))
    steep = twin_side.steepness((expected - twin_side.floor) / (twin_side.ceiling - twin_side.floor))
    rises = line.slope > 0
    inverted = (twin_side.log_odds - line.intercept) / line.slope if rises else np.full(x.size, np.nan)
    predicted = original_side.at(inverted)
    if pairs.sign < 0:
        expected, predicted = 1 - expected, 1 - predicted
    models = Expected(
        LOGIT,
        100 * expected,
        100 * steep * _spread_out(tested, fitted.error),
        line.slope * steep / original_side.steepness(original_side.inside),
        100 * predicted,
        _spread_out(tested, fitted.p_value),
    )
    return OnScale(fit, fitted, models)


def on_points(pairs: Pairs) -> OnScale | None:
    """Fit the line on the scores as they are; None with too few models or where no line can be drawn."""
    tested = testable(pairs)
    if np.count_nonzero(tested) < FEWEST_FOR_RESIDUALS:
        return None
    x, y = pairs.original[tested], pairs.other[tested]
    x_error, y_error = _not_zero(pairs, "original")[tested], _not_zero(pairs, "other")[tested]
    fitted = off_line(x, y, x_error, y_error, pairs.sign or 1)
    if fitted is None:
        return None
    fit = fit_of(x, (pairs.sign or 1) * (y - fitted.expected), fitted)
    line, size = fitted.line, pairs.original.size
    expected = line.at(pairs.original)
    predicted = (pairs.other - line.intercept) / line.slope if line.slope > 0 else np.full(size, np.nan)
    if pairs.bounded:
        predicted, expected = np.clip(predicted, floor_of(pairs), 100), np.clip(expected, 0, 100)
    error, p_value = _spread_out(tested, fitted.error), _spread_out(tested, fitted.p_value)
    return OnScale(fit, fitted, Expected(LINEAR, expected, error, np.full(size, line.slope), predicted, p_value))


def _not_zero(pairs: Pairs, side: str) -> Numbers:
    """The errors of a side, in points; of a score of no item or of all items that of half an item inside."""
    error = np.asarray(getattr(pairs, f"{side}_error"), dtype=np.float64)
    if not pairs.bounded:
        return error
    share, items = (getattr(pairs, f"{name}_{side}") for name in ("share", "items"))
    inside = np.clip(HALF_ITEM / items, 0, HALF_ITEM)
    at_end = (error == 0) & np.isfinite(items) & ((share <= 0) | (share >= 1))
    return np.where(at_end, 100 * np.sqrt(inside * (1 - inside) / items), error)


def _spread_out(tested: Mask, values: Numbers) -> NDArray[np.float64]:
    """The values at the tested models, NaN at the others."""
    spread = np.full(tested.size, np.nan)
    spread[tested] = values
    return spread


def of_models(pairs: Pairs, indices: NDArray[np.int64]) -> Pairs:
    """The pairs of the models at these places alone, in this order."""
    columns = {name: getattr(pairs, name)[indices] for name in BY_MODEL}
    return pairs._replace(model_id=[pairs.model_id[index] for index in indices], **columns)


def tested_anew(truth: Pairs, drawn_from: OnScale, scatter: Numbers, observed: Numbers) -> Numbers:
    """The p-values of models on the scale of a line, if they scatter so about what it expects of their `truth`.

    `scatter` is on that scale, and `observed` are their scores on the original, in points, of which more is better.
    Where no line fits, nobody is flagged: all are 1.
    """
    line = drawn_from.off_line.line
    if drawn_from.models.scale == LINEAR:
        twin_scores = line.at(truth.original) + scatter
        fit, x, y = off_line(observed, twin_scores, truth.original_error, truth.other_error, 1), observed, twin_scores
    else:
        original_side, twin_side = sides_of(truth)
        share = share_of(line, original_side.log_odds, scatter, twin_side)
        fitted = line_of_log_odds(original_side._replace(share=observed / 100), twin_side._replace(share=share))
        x, y, fit = (observed, share, None) if fitted is None else fitted
    if fit is None or not fit_of(x, y - fit.expected, fit).fits:
        return np.ones(observed.size)
    return fit.p_value


def worse(shortfall: Numbers, error: Numbers) -> Numbers:
    """One-sided p-value of a result this far below what is expected. Negative is worse.

    Without any error a result below is certain (0) and any other is no evidence (1); an unknown error gives NaN.

    >>> worse(np.array([-1.645, 0.0, -1.0]), np.array([1.0, 1.0, 0.0])).round(3).tolist()
    [0.05, 0.5, 0.0]
    """
    certain = error == 0
    tail = special.ndtr(shortfall / np.where(certain, 1.0, error))
    return np.where(certain, np.where(shortfall < 0, 0.0, 1.0), tail)
