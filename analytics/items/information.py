"""How sharply a test tells neighbours apart at each strength, and at the top against where it does so best."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from benchhealth.analytics.items.panel import Panel
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.item_response.two_parameter import Items, fit_drawn, fit_fixed

ENOUGH_MODELS = 50
"""With fewer models the curve has a shape and no height: no interval, no share of the peak."""

GROUPS = 10
"""Groups of models that are left out in turn for the interval."""

POINTS, POINTS_BEYOND = 61, 20
"""Strengths at which the curve is published: up to the strongest model, and beyond it."""

DEVIATIONS_BEYOND = 1.6
"""How far the curve goes beyond the weakest and the strongest model, in standard deviations of strength."""


class Curve(NamedTuple):
    """The information of a test about strength, as shares of its peak; `low` and `high` of 95%.

    `scores` are the expected shares of items solved, less by how much those of the models exceed what they scored.
    `top` is that share at the strength of the best model, `peak_score` the score at which the information is highest.
    Where there are fewer than ENOUGH_MODELS models the intervals and `top` are None.
    """

    strengths: Numbers
    scores: Numbers
    information: Numbers
    low: Numbers | None
    high: Numbers | None
    peak_score: float
    top: tuple[float, float, float] | None


def fitted_items(panel: Panel, floor: float) -> Items:
    """The items of a panel, two parameters each, above the floor: the side of which there are more is drawn."""
    models, items = panel.outcomes.shape
    return fit_fixed(panel.outcomes, floor) if models > items else fit_drawn(panel.outcomes, floor)


def curve(panel: Panel, items: Items) -> Curve:
    """The curve of a fitted panel.

    From ENOUGH_MODELS models on with the interval of a jackknife that leaves out one of GROUPS groups of models after
    another (Shao & Wu 1989, A general theory for jackknife variance estimation, doi:10.1214/aos/1176347263), on the
    logarithm, with Student's t of GROUPS - 1: the items are the test itself, what is not known of them comes of how few
    models answered them. At the best model the error of its strength is added. Coverage by simulation in
    tests/analytics/items/test_information.py.
    """
    first = float(items.strengths[0])
    until_first = np.linspace(float(items.strengths.min()) - DEVIATIONS_BEYOND, first, POINTS)
    points = np.append(until_first, first + np.arange(1, POINTS_BEYOND + 1) * DEVIATIONS_BEYOND / POINTS_BEYOND)
    best, of_best = _best(items)
    share, top = _shares(items, points, best)
    scores = items.expected(points) - float((items.expected(items.strengths) - panel.scores).mean())
    peak_score = float(scores[int(np.argmax(share))])
    if len(panel.models) < ENOUGH_MODELS:
        return Curve(points, scores, share, None, None, peak_score, None)
    deviation = _deviation(panel, items, points, best)
    deviation[-1] = np.hypot(deviation[-1], of_best)
    logs = np.log(np.append(share, top))
    reach = float(student.quantile(0.975, GROUPS - 1.0)) * deviation
    low, high = np.exp(logs - reach), np.minimum(np.exp(logs + reach), 1.0)
    return Curve(points, scores, share, low[:-1], high[:-1], peak_score, (top, float(low[-1]), float(high[-1])))


def _best(items: Items) -> tuple[float, float]:
    """The strength of the best model, and what is not known of it as a deviation of the logarithm of the information.

    The best of many is lucky too: its strength is drawn back to the mean by as much as its error says, strengths being
    standard normal (posterior mean; Efron 2011, Tweedie's formula and selection bias, doi:10.1198/jasa.2011.tm11181).
    """
    first = float(items.strengths[0])
    precision = float(items.information(np.array([first]))[0]) + 1
    best, error = first * (precision - 1) / precision, precision**-0.5
    low, high = np.log(items.information(np.array([best - error, best + error])))
    return best, float(abs(high - low)) / 2


def _deviation(panel: Panel, items: Items, points: Numbers, best: float) -> Numbers:
    """The standard deviation of the logarithm of the curve, and last of its value at the best model.

    The points are brought to the scale of each part by the strengths of the models that are in it.
    """
    without = []
    for group in range(GROUPS):
        left = np.arange(len(panel.models)) % GROUPS != group
        refit = fitted_items(replace(panel, outcomes=panel.outcomes[left]), items.floor)
        of_left = items.strengths[left]
        scale = float(refit.strengths.std() / of_left.std())
        shift = float(refit.strengths.mean() - scale * of_left.mean())
        share, top = _shares(refit, shift + scale * points, shift + scale * best)
        without.append(np.log(np.append(share, top)))
    values = np.stack(without)
    return np.asarray(np.sqrt(np.square(values - values.mean(axis=0)).sum(axis=0) * (GROUPS - 1) / GROUPS))


def _shares(items: Items, points: Numbers, best: float) -> tuple[Numbers, float]:
    information = items.information(np.append(points, best))
    peak = float(information.max())
    return information[:-1] / peak, float(information[-1] / peak)
