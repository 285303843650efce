"""The scale of capability as it could be stitched at the time: who was stronger, and how fast the best one grew."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.special import expit

from benchhealth.analytics.capability.cells import Cells, cells
from benchhealth.analytics.capability.choose import BEGIN
from benchhealth.analytics.capability.fit import Fit, fit, identified
from benchhealth.analytics.forecast.origins import YEAR, Origins
from benchhealth.analytics.forecast.series import Series
from benchhealth.analytics.statistics.arrays import Flags, Numbers, Places

REFIT_DAYS = 182
"""The scale is stitched anew each half year, counted back from the last day; in between the last one serves."""
ROUNDS = 3
NOBODY = -500.0
"""The capability where no model has been tested: lower than that of any model."""
APART = 1000.0
"""More than any two capabilities differ by: `benchmark * APART + capability` has a running best for each benchmark."""


@dataclass(frozen=True)
class Standing:
    """By origin, from the last scale stitched before it: `stitched`, whether the benchmark is on it; `rate`, logits a
    day by capability (its slope times the growth of the best model's capability, 0 off the scale).

    By horizon in days: `stronger`, 1 where within it a model was tested that is stronger than all tested before, 0
    where none was, not a number where nobody can tell; and `told_on`, the day from which that is known.
    `reach`: by row of the series the strongest tested until then, by the last scale of all.
    """

    stitched: Flags
    rate: Numbers
    stronger: Mapping[int, Numbers]
    told_on: Mapping[int, Places]
    reach: Numbers


@dataclass(frozen=True)
class Scale:
    """The scale stitched from what was known on one day; `reach` as in `Standing`.

    By benchmark `rate` as in `Standing`, not a number off the scale.
    """

    rate: Numbers
    reach: Numbers


def standing(  # noqa: PLR0913, PLR0917 - the settings of one backtest
    dated: pl.DataFrame, facts: pl.DataFrame, past: Series, origins: Origins, today: int, horizons: Mapping[int, int]
) -> Standing:
    """What the scales of the time say of each origin, and of what came within each of the `horizons` (days).

    Who is stronger is judged by scores elsewhere (`elsewhere`), on the first scale stitched after the horizon had
    passed: newcomers are placed by what they score in the months after. A model that no scale places is no stronger
    one. The penalty is the one that a search starts from, because a search would have seen what came.
    """
    n = len(origins)
    states = Standing(
        stitched=np.zeros(n, dtype=np.bool_),
        rate=np.zeros(n),
        stronger={days: np.full(n, np.nan) for days in horizons.values()},
        told_on={days: _first_refit(origins.day + days, today) for days in horizons.values()},
        reach=np.full(past.day.size, NOBODY),
    )
    if not n:
        return states
    before = _first_refit(origins.day - REFIT_DAYS + 1, today)
    rows = (
        dated.select("benchmark_id", "model_id", "score", "merit", "error", "known_on")
        .with_columns(day=pl.col("known_on").to_physical().cast(pl.Int64))
        .sort("benchmark_id", "merit", "model_id", "day", "error", descending=[False, True, False, False, False])
    )
    for day in np.arange(today, int(origins.day.min()) - REFIT_DAYS, -REFIT_DAYS)[::-1]:
        scale = _stitched(rows, facts, past, int(day))
        if scale is None:
            continue
        _place(states, scale, origins, before == day)
        for days in horizons.values():
            _judge(states.stronger[days], scale, past, origins, days, states.told_on[days] == day)
        if day == today:
            states.reach[:] = scale.reach
    return states


def is_stronger(past: Series, reach: Numbers, benchmark: Places, day: Places, until: Places) -> Numbers:
    """1 where the strongest tested until one day is stronger than until another, 0 where not.

    Not a number where no model tested by the first of the days has a place on the scale.
    """
    before, after = past.at(reach, benchmark, day), past.at(reach, benchmark, until)
    return np.where(before > NOBODY, after > before, np.nan)


def _first_refit(day: Places, today: int) -> Places:
    """The first day on or after it on which a scale is stitched; later than `today` where none has been yet."""
    return np.asarray(today - (today - day) // REFIT_DAYS * REFIT_DAYS)


def _place(states: Standing, scale: Scale, origins: Origins, now: Flags) -> None:
    rate = scale.rate[origins.benchmark[now]]
    states.stitched[now] = np.isfinite(rate)
    states.rate[now] = np.nan_to_num(rate)


def _judge(  # noqa: PLR0913, PLR0917 - what one scale says of one horizon
    stronger: Numbers, scale: Scale, past: Series, origins: Origins, days: int, now: Flags
) -> None:
    benchmark, day = origins.benchmark[now], origins.day[now]
    stronger[now] = is_stronger(past, scale.reach, benchmark, day, day + days)


def _stitched(rows: pl.DataFrame, facts: pl.DataFrame, past: Series, day: int) -> Scale | None:
    """The scale from the results known on a day, of which each model's best on each benchmark comes first in `rows`."""
    board = rows.filter(pl.col("day") <= day).unique(["benchmark_id", "model_id"], keep="first", maintain_order=True)
    stitched = cells(board, facts)
    if not len(stitched):
        return None
    fitted = identified(fit(stitched, BEGIN, rounds=ROUNDS))
    rate = np.full(len(past.benchmark_ids), np.nan)
    where = np.searchsorted(np.array(past.benchmark_ids), np.array(stitched.benchmark_ids))
    rate[where] = fitted.slope * _growth(stitched, fitted, board, day)
    return Scale(rate, _reach(stitched, fitted, past, where, day))


def _reach(stitched: Cells, fitted: Fit, past: Series, where: Places, day: int) -> Numbers:
    """By row of the series the strongest model tested until then, each judged by its scores on other benchmarks."""
    ids = pl.DataFrame({"model_id": stitched.model_ids}).with_row_index("model")
    model = pl.DataFrame({"model_id": past.model_id}).join(ids, on="model_id", how="left", maintain_order="left")
    is_placed = (model["model"].is_not_null().to_numpy()) & (past.day <= day)
    place = model["model"].fill_null(0).to_numpy().astype(np.int64)
    ability = np.where(is_placed, fitted.capability[place], NOBODY)
    # A model's own score here must not decide whether it counts as strong here.
    size = len(stitched.model_ids)
    key = where[stitched.benchmark] * size + stitched.model
    order = key.argsort()
    asked = past.benchmark * size + place
    position = order[np.minimum(np.searchsorted(key[order], asked), key.size - 1)]
    has_cell = is_placed & (key[position] == asked)
    ability[has_cell] = elsewhere(stitched, fitted)[position[has_cell]]
    return np.asarray(np.maximum.accumulate(past.benchmark * APART + ability) - past.benchmark * APART)


def elsewhere(stitched: Cells, fitted: Fit) -> Numbers:
    """By cell the capability of its model judged by its scores on all other benchmarks.

    One Newton step away from the fit, with the curves as they are: the information and the residual of the cell are
    taken out of the model's sum (the one-step estimate of case deletion, Cook & Weisberg 1982, section 5.4).
    """
    b = stitched.benchmark
    rise = expit(fitted.slope[b] * (fitted.capability[stitched.model] - fitted.difficulty[b]))
    steep = stitched.span[b] * fitted.slope[b] * rise * (1 - rise)
    weight = 1 / fitted.variance(stitched)
    information = steep**2 * weight
    others = stitched.per_model(information)[stitched.model] - information + BEGIN.place
    pull = steep * weight * (stitched.score - fitted.predict(stitched))
    return np.asarray(fitted.capability[stitched.model] - pull / others)


def _growth(stitched: Cells, fitted: Fit, board: pl.DataFrame, day: int) -> float:
    """Units a day by which the best capability grew over the last year; a model counts from its first result."""
    first = board.group_by("model_id").agg(pl.col("day").min())
    models = pl.DataFrame({"model_id": stitched.model_ids, "capability": fitted.capability}).join(first, on="model_id")
    before = models.filter(pl.col("day") <= day - YEAR)["capability"].max()
    now = models["capability"].max()
    if not isinstance(before, float) or not isinstance(now, float):
        return 0.0
    return max(now - before, 0.0) / YEAR
