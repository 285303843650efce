"""The capability scale as it could be computed at the time, and how far a best may fall by regrading alone.

The scale puts models of many benchmarks on one axis ("stitches" them, see `analytics.capability`). It is computed again
each half year from what was known then, so that a forecast of the past sees nothing that came later.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.special import expit

from benchhealth.analytics.capability.cells import Cells, cells
from benchhealth.analytics.capability.choose import BEGIN
from benchhealth.analytics.capability.fit import Fit, fit, identified
from benchhealth.analytics.forecast.origins import HALF_YEAR_DAYS, YEAR, Origins
from benchhealth.analytics.forecast.series import Series
from benchhealth.analytics.packed import Rows
from benchhealth.analytics.statistics.arrays import Flags, Numbers, Places

REFIT_DAYS = 182
"""The scale is computed anew each half year, counted back from the last day; in between the last one serves."""
FIT_ROUNDS = 3
"""Rounds of the fit of each of these scales."""
BELOW_ALL_MODELS = -500.0
"""Stands for the capability of the strongest model where none has been tested."""
WIDER_THAN_SCALE = 1000.0
"""More than any two capabilities differ by, so that the running maximum of `benchmark * WIDER_THAN_SCALE + capability`
starts anew at each benchmark."""


@dataclass(frozen=True)
class ScaleAtOrigins:
    """What the capability scales of the time say of each origin of a forecast (a benchmark on a day).

    From the last scale computed before the origin: `is_on_scale` is whether the benchmark has a place on it, and `rate`
    how many logits a day its best score grows (its slope times the growth of the best model's capability; 0 off the
    scale). For each horizon, by its days: `stronger` is 1 where a model was tested within it that is stronger than all
    tested before, 0 where none was, NaN where nobody can tell; `known_from` is the day from which that is known.
    `reach` has a number for each row of the series: the capability of the strongest model tested until then, by the
    last scale of all.
    """

    is_on_scale: Flags
    rate: Numbers
    stronger: Mapping[int, Numbers]
    known_from: Mapping[int, Places]
    reach: Numbers


@dataclass(frozen=True)
class Scale:
    """The scale computed from what was known on one day; `rate` and `reach` as in `ScaleAtOrigins`.

    `rate` has a number for each benchmark, NaN for those off the scale.
    """

    rate: Numbers
    reach: Numbers


def scale_at_origins(  # noqa: PLR0913, PLR0917 - the settings of one backtest
    dated: pl.DataFrame, facts: pl.DataFrame, series: Series, origins: Origins, today: int, horizons: Mapping[int, int]
) -> ScaleAtOrigins:
    """What the scales of the time say of each origin, and of the days after it within each of the `horizons` (days).

    A model's capability is judged by its scores on the other benchmarks (`capability_elsewhere`), on the first scale
    computed after the horizon has passed: a new model is placed by what it scores in the months after. A model that no
    scale places does not count as stronger. The penalty of the fit is the one that a search would start from, because
    a search would have seen what came later.
    """
    n = len(origins)
    at_origins = ScaleAtOrigins(
        is_on_scale=np.zeros(n, dtype=np.bool_),
        rate=np.zeros(n),
        stronger={days: np.full(n, np.nan) for days in horizons.values()},
        known_from={days: _first_refit(origins.day + days, today) for days in horizons.values()},
        reach=np.full(series.day.size, BELOW_ALL_MODELS),
    )
    if not n:
        return at_origins
    refit_before = _first_refit(origins.day - REFIT_DAYS + 1, today)
    rows = (
        dated.select("benchmark_id", "model_id", "score", "merit", "error", "known_on")
        .with_columns(day=pl.col("known_on").to_physical().cast(pl.Int64))
        .sort("benchmark_id", "merit", "model_id", "day", "error", descending=[False, True, False, False, False])
    )
    for day in np.arange(today, int(origins.day.min()) - REFIT_DAYS, -REFIT_DAYS)[::-1]:
        scale = _scale_of_day(rows, facts, series, int(day))
        if scale is None:
            continue
        _note_place_on_scale(at_origins, scale, origins, refit_before == day)
        for days in horizons.values():
            _note_who_is_stronger(
                at_origins.stronger[days], scale, series, origins, days, at_origins.known_from[days] == day
            )
        if day == today:
            at_origins.reach[:] = scale.reach
    return at_origins


def is_stronger(series: Series, reach: Numbers, benchmark: Places, day: Places, until: Places) -> Numbers:
    """1 where the strongest model tested by `until` is stronger than the strongest tested by `day`, 0 where not.

    NaN where no model tested by `day` has a place on the scale. `reach` as in `ScaleAtOrigins`.
    """
    best_before, best_after = series.at(reach, benchmark, day), series.at(reach, benchmark, until)
    return np.where(best_before > BELOW_ALL_MODELS, best_after > best_before, np.nan)


def _first_refit(day: Places, today: int) -> Places:
    """The first day on or after `day` on which a scale is computed; later than `today` where none has been yet."""
    return np.asarray(today - (today - day) // REFIT_DAYS * REFIT_DAYS)


def _note_place_on_scale(at_origins: ScaleAtOrigins, scale: Scale, origins: Origins, is_served: Flags) -> None:
    rate = scale.rate[origins.benchmark[is_served]]
    at_origins.is_on_scale[is_served] = np.isfinite(rate)
    at_origins.rate[is_served] = np.nan_to_num(rate)


def _note_who_is_stronger(  # noqa: PLR0913, PLR0917 - what one scale says of one horizon
    stronger: Numbers, scale: Scale, series: Series, origins: Origins, days: int, is_known: Flags
) -> None:
    benchmark, day = origins.benchmark[is_known], origins.day[is_known]
    stronger[is_known] = is_stronger(series, scale.reach, benchmark, day, day + days)


def _scale_of_day(rows: pl.DataFrame, facts: pl.DataFrame, series: Series, day: int) -> Scale | None:
    """The scale from the results known on a day, of which each model's best on each benchmark comes first in `rows`."""
    board = rows.filter(pl.col("day") <= day).unique(["benchmark_id", "model_id"], keep="first", maintain_order=True)
    stitched = cells(board, facts)
    if not len(stitched):
        return None
    fitted = identified(fit(stitched, BEGIN, rounds=FIT_ROUNDS))
    rate = np.full(len(series.benchmark_ids), np.nan)
    benchmark_places = np.searchsorted(np.array(series.benchmark_ids), np.array(stitched.benchmark_ids))
    rate[benchmark_places] = fitted.slope * _growth(stitched, fitted, board, day)
    return Scale(rate, _reach(stitched, fitted, series, benchmark_places, day))


def _reach(stitched: Cells, fitted: Fit, series: Series, benchmark_places: Places, day: int) -> Numbers:
    """`reach` of `ScaleAtOrigins`, each model judged by its scores on the other benchmarks."""
    ids = pl.DataFrame({"model_id": stitched.model_ids}).with_row_index("model")
    model = pl.DataFrame({"model_id": series.model_id}).join(ids, on="model_id", how="left", maintain_order="left")
    is_placed = (model["model"].is_not_null().to_numpy()) & (series.day <= day)
    model_index = model["model"].fill_null(0).to_numpy().astype(np.int64)
    ability = np.where(is_placed, fitted.capability[model_index], BELOW_ALL_MODELS)
    # A model's own score here must not decide whether it counts as strong here.
    size = len(stitched.model_ids)
    cell = benchmark_places[stitched.benchmark] * size + stitched.model
    order = cell.argsort()
    wanted_cell = series.benchmark * size + model_index
    position = order[np.minimum(np.searchsorted(cell[order], wanted_cell), cell.size - 1)]
    has_cell = is_placed & (cell[position] == wanted_cell)
    ability[has_cell] = capability_elsewhere(stitched, fitted)[position[has_cell]]
    return np.asarray(
        np.maximum.accumulate(series.benchmark * WIDER_THAN_SCALE + ability) - series.benchmark * WIDER_THAN_SCALE
    )


def capability_elsewhere(stitched: Cells, fitted: Fit) -> Numbers:
    """For each cell the capability of its model, judged by its scores on all other benchmarks.

    One Newton step from the fit, with the curves as they are: the information and the residual of the cell are taken
    out of the model's sum (the one-step estimate of case deletion, Cook & Weisberg 1982, section 5.4).
    """
    benchmark = stitched.benchmark
    rise = expit(fitted.slope[benchmark] * (fitted.capability[stitched.model] - fitted.difficulty[benchmark]))
    gradient = stitched.span[benchmark] * fitted.slope[benchmark] * rise * (1 - rise)
    weight = 1 / fitted.variance(stitched)
    information = gradient**2 * weight
    information_elsewhere = stitched.per_model(information)[stitched.model] - information + BEGIN.place
    score_residual = gradient * weight * (stitched.score - fitted.predict(stitched))
    return np.asarray(fitted.capability[stitched.model] - score_residual / information_elsewhere)


def _growth(stitched: Cells, fitted: Fit, board: pl.DataFrame, day: int) -> float:
    """Units a day by which the best capability grew over the last year; a model counts from its first result."""
    first = board.group_by("model_id").agg(pl.col("day").min())
    models = pl.DataFrame({"model_id": stitched.model_ids, "capability": fitted.capability}).join(first, on="model_id")
    best_before = models.filter(pl.col("day") <= day - YEAR)["capability"].max()
    best_now = models["capability"].max()
    if not isinstance(best_before, float) or not isinstance(best_now, float):
        return 0.0
    return max(best_now - best_before, 0.0) / YEAR


ENOUGH_WATCHED = 30
"""Results that were seen twice, before it counts that none of them was lowered."""


def regrades(series: Series, edits: Rows) -> Numbers:
    """By benchmark of the series the height by which a score falls where it is regraded; 0 where none can be expected.

    Where a board lowered scores that it had published before, half of them by so much or more. Where it lowered none of
    thirty or more results that were watched for half a year or longer, nothing: with 95% confidence fewer than one in
    ten are lowered then (the rule of three), and one in ten lies below an 80% interval. Of all others nobody knows, and
    they are taken to regrade as others do: by the median of the benchmarks that did.
    """
    ids = pl.DataFrame({"benchmark_id": series.benchmark_ids}, schema={"benchmark_id": pl.String})
    joined = ids.join(edits.lazy().collect(), on="benchmark_id", how="left", maintain_order="left")
    fall = joined["fall"].fill_null(np.nan).to_numpy() / np.abs(series.span)
    watched = joined.select(
        (pl.col("watched_days") >= HALF_YEAR_DAYS) & (pl.col("seen_again") >= ENOUGH_WATCHED)
    ).to_series()
    elsewhere = float(np.median(fall[np.isfinite(fall)])) if np.isfinite(fall).any() else 0.0
    return np.where(np.isfinite(fall), fall, np.where(watched.fill_null(False).to_numpy(), 0.0, elsewhere))
