"""Two measurements of the same thing compared: the gap, the line, the order kept, and the models off the expectation.

A model whose score on the second is lower than expected "scores higher on the original than its twin predicts". That
is all it says: exposure to the original's items is one cause among several (tuning to its format, luck, prompts).

On the linear scale of a bounded unit everything is in points, hundredths of the unit: `gap`, `intercept`, and in the
residuals `original`, `other`, `expected`, `residual`, `std_error`. An open-ended unit is left as it is.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED, empty
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.false_discovery import q_values_within
from benchhealth.analytics.statistics.rank_agreement import kendall_tau
from benchhealth.analytics.statistics.regression import Line, least_squares
from benchhealth.analytics.statistics.units.least_p import limited_p
from benchhealth.analytics.twins.expected import (
    FALSE_DISCOVERIES,
    FEWEST_FOR_RESIDUALS,
    sides_of,
    straight,
    testable,
    worse,
)
from benchhealth.analytics.twins.gap import gaps, powers
from benchhealth.analytics.twins.groups import ROBUST, ages, dated_gaps, groups, robustness
from benchhealth.analytics.twins.pairs import Matched, Pairs, matched_pairs
from benchhealth.analytics.twins.uncertainty import (
    NOT_MEASURED,
    SCALES,
    Measured,
    mean_design_effects,
    mean_gap,
    on_scale,
    twin_line,
)

TOP_MODELS = 50
"""How many models, best by the original, make its top; half of them where there are fewer than twice as many."""

ROUNDING = 1e-6
"""Points by which arithmetic may miss a bound."""

ALONE = 0.5
"""A share of the range of all others: a model at the end that lies further from the next is an extrapolation."""

UNTESTED = ("few_models", "near_floor", "no_scale", "no_error", "directions_differ", "extrapolated")
"""Why a model has no p-value: too few models, its score within two errors of the floor, no scale on which a line fits,
an error that is not known, sides whose better directions differ, or no other model near it."""


class TwinTables(NamedTuple):
    """The two tables of how the sides of twins compare: `twin`, and `twin_residual` by model."""

    twin: pl.DataFrame
    twin_residual: pl.DataFrame


def twins(frames: Frames) -> TwinTables:
    """Tables `twin` and `twin_residual` for every declared pair, also those that no model connects (n_models 0).

    Each pair is read as `matched` says.

    `twin` has a row for the scale `linear` and, for bounded units, one for `probit` and one for `logit`. There
    `n_models` leaves out the scores of exactly 0 or 1 whose number of items is unknown (see `regression.probit`): the
    difference between the rows is their count. `gap` is the mean of original minus other, on the linear scale with the
    interval of `mean_gap`; slope and intercept are of the least squares line of the other on the original, the slope's
    interval is that of `twin_line`; `kendall_tau_top` is over the top 50 (or top half) by the original, with all
    that equal the last of them. What is undefined (fewer than three models, constant scores) is null.
    """
    return tables(matched_pairs(frames))


def tables(twin_pairs: Sequence[Matched], measured: Measured = NOT_MEASURED) -> TwinTables:
    """The two tables of these pairs, as `twins` says."""
    summaries: list[dict[str, object]] = []
    residual_tables = []
    for declared, pairs in twin_pairs:
        line = least_squares(pairs.original, pairs.other)
        named = {name: declared[name] for name in ("twin_id", "original_id", "other_id", "kind")}
        scales = ("linear", *SCALES) if pairs.bounded else ("linear",)
        for scale in scales:
            summaries.append({**named, "scale": scale, **_summary(pairs, declared["kind"], scale, measured)})
        rows = residuals(declared["twin_id"], pairs, line, declared["test"])
        residual_tables.append(rows.with_columns(kind=pl.lit(declared["kind"])))
    return TwinTables(
        pl.DataFrame(summaries, schema=PUBLISHED["twin"], orient="row"),
        over_all_twins(pl.concat(residual_tables)) if residual_tables else empty("twin_residual"),
    )


def residuals(twin_id: str, pairs: Pairs, line: Line | None, test: str) -> pl.DataFrame:
    """The residuals of one twin: other minus expected for each model, tested for being worse than expected.

    `test` is `difference` (the original's score is expected) or `fit` (the line through the models that are not off it
    is, on the `scale` on which it is straight: see `straight`). `p_value` is one-sided, and never below what so many
    items, or models on the line, can carry (`carried`); all columns of table `twin_residual` but those that
    `over_all_twins` adds. The residual lies on the twin; `excess` lies on the original: no more than its score there is
    better than that of models with its score on the twin, and so never more than it lies above the floor.
    `untested` says why a model has no p-value: one of UNTESTED. With fewer than ten models the least squares line
    `line` says what is expected, and nobody is tested.
    By simulation of 10 to 200 models without a leak, `fit` has a false flag in 6 of 100 twins at most, where 5 are
    stated; where 4 of 40 models know 30% of the items by heart, 6 of 100 flags are false. Raises ValueError for another
    `test`.
    """
    if test not in ("difference", "fit"):
        raise ValueError(f"{twin_id}: no test is named {test!r}")
    expected = _difference(pairs) if test == "difference" else _against_line(pairs, line)
    p = np.full(pairs.original.size, np.nan) if pairs.sign == 0 else expected.p_value
    untested = np.where(np.isfinite(p), "", expected.untested if pairs.sign else "directions_differ")
    excess = np.where(np.isfinite(p), _excess(pairs, expected), np.nan)
    _check_excess(twin_id, pairs, excess)
    columns = {
        "original": pairs.original,
        "other": pairs.other,
        "expected": expected.expected,
        "residual": pairs.other - expected.expected,
        "std_error": expected.error,
        "slope": expected.slope,
        "excess": excess,
        "p_value": p,
    }
    case = {
        "scale": pl.Series([expected.scale] * p.size, dtype=pl.String),
        "untested": pl.Series(untested.tolist(), dtype=pl.String),
    }
    return (
        pl.DataFrame({**_model_names(pairs), **columns, **case})
        .with_columns(pl.col(columns.keys()).fill_nan(None), pl.col("untested").replace("", None))
        .select(pl.lit(twin_id).alias("twin_id"), "model_id", *columns, *case, "setting")
    )


def _excess(pairs: Pairs, expected: "_Expected") -> Numbers:
    """What its score on the original has over what the twin lets expect: the lesser of what is missing on the twin and
    of what its score has over that of models with its score there, which a shallow line leaves open.
    """
    missing = pairs.sign * (expected.expected - pairs.other)
    above_expected = pairs.sign * (pairs.original - expected.predicted)
    return np.where(
        missing > 0, np.minimum(missing, above_expected), np.where(np.isfinite(above_expected), missing, np.nan)
    )


def _model_names(pairs: Pairs) -> dict[str, pl.Series]:
    """Who each number is of: one model may be there in several settings."""
    setting = pairs.setting or [""] * len(pairs.model_id)
    return {
        "model_id": pl.Series(pairs.model_id, dtype=pl.String),
        "setting": pl.Series(setting, dtype=pl.String),
    }


class _Expected(NamedTuple):
    """What a test says of every model, as `residuals` says; `untested` is the reason where there is no p-value."""

    scale: str | None
    expected: Numbers
    error: Numbers
    slope: Numbers
    predicted: Numbers
    p_value: Numbers
    untested: NDArray[np.str_]


def _difference(pairs: Pairs) -> _Expected:
    """What is expected where both sides should score alike: the original's own score, with the error of both."""
    size = pairs.original.size
    error = np.sqrt(pairs.original_error**2 + pairs.other_error**2)
    items = np.fmin(pairs.items_original, pairs.items_other)
    clear = testable(pairs)
    below = worse(pairs.sign * (pairs.other - pairs.original), error)
    p = np.where(clear, limited_p(below, np.where(np.isfinite(items), items, np.inf)), np.nan)
    floor = 100 * sides_of(pairs)[0].floor if pairs.bounded and pairs.sign > 0 else -np.inf
    untested = np.where(clear, "no_error", "near_floor")
    return _Expected("linear", pairs.original, error, np.ones(size), np.maximum(pairs.other, floor), p, untested)


def _against_line(pairs: Pairs, line: Line | None) -> _Expected:
    """What the line expects on the scale that fits, as `straight` finds it."""
    nothing = np.full(pairs.original.size, np.nan)
    clear = testable(pairs)
    if np.count_nonzero(clear) < FEWEST_FOR_RESIDUALS:
        expected = nothing if line is None else line.at(pairs.original)
        reason = np.where(clear, "few_models", "near_floor") if clear.size >= FEWEST_FOR_RESIDUALS else "few_models"
        return _Expected(None, expected, nothing, nothing, nothing, nothing, np.broadcast_to(reason, nothing.shape))
    fitted = straight(pairs)
    if fitted is None:
        unfit = np.where(clear, "no_scale", "near_floor")
        return _Expected(None, nothing, nothing, nothing, nothing, nothing, unfit)
    alone = _alone(pairs.original)
    p = np.where(alone, np.nan, limited_p(fitted.p_value, np.count_nonzero(clear)))
    untested = np.where(alone, "extrapolated", np.where(clear, "no_error", "near_floor"))
    return _Expected(fitted.scale, fitted.expected, fitted.error, fitted.slope, fitted.predicted, p, untested)


def _alone(original: Numbers) -> NDArray[np.bool_]:
    """Which models lie further from every other than ALONE of the range of those: what a line says there is a guess."""
    order = np.argsort(original)
    gaps = np.diff(original[order])
    is_alone = np.zeros(original.size, dtype=np.bool_)
    is_alone[order[0]] = gaps[0] > ALONE * gaps[1:].sum()
    is_alone[order[-1]] = gaps[-1] > ALONE * gaps[:-1].sum()
    return is_alone


def _check_excess(twin_id: str, pairs: Pairs, excess: Numbers) -> None:
    """Raise ValueError where a row would claim more on the original than its score above the floor."""
    if not pairs.bounded or pairs.sign == 0:
        return
    most = 100 * (pairs.share_original - sides_of(pairs)[0].floor if pairs.sign > 0 else 1 - pairs.share_original)
    beyond = excess > most + ROUNDING
    if beyond.any():
        raise ValueError(
            f"{twin_id}: an excess of {excess[beyond][0]:.1f} points where the score allows {most[beyond][0]:.1f}"
        )


def over_all_twins(residual: pl.DataFrame) -> pl.DataFrame:
    """Table `twin_residual` of rows with a `kind`: with `q_value` and `flagged` over all results of each model.

    A model with many twins has many chances of being off one. So its p-values in twins of one kind are first adjusted
    for one another, and then, within each twin, those of all its models (Benjamini-Hochberg both times); `flagged` is
    q <= FALSE_DISCOVERIES.
    """
    of_model = q_values_within(residual, ("kind", "model_id"), q="adjusted")
    return (
        q_values_within(of_model, ("twin_id",), p="adjusted")
        .with_columns(flagged=pl.col("q_value") <= FALSE_DISCOVERIES)
        .select(PUBLISHED["twin_residual"].names())
        .match_to_schema(PUBLISHED["twin_residual"])
    )


def _summary(pairs: Pairs, kind: str, scale: str, measured: Measured) -> dict[str, object]:
    original, other, _ = on_scale(pairs, scale)
    usable = np.isfinite(original) & np.isfinite(other)
    original, other = original[usable], other[usable]
    line, sure = least_squares(original, other), twin_line(pairs, kind, scale, measured)
    top = _top(original * (pairs.sign or 1))
    sure_gap = mean_gap(pairs, kind) if scale == "linear" else None
    return {
        "n_models": original.size,
        "gap": float((original - other).mean()) if original.size else None,
        "gap_low": sure_gap and sure_gap.low,
        "gap_high": sure_gap and sure_gap.high,
        "slope": line and line.slope,
        "slope_low": sure and sure.line.slope_low,
        "slope_high": sure and sure.line.slope_high,
        "intercept": line and line.intercept,
        "r2": line and line.r2,
        "kendall_tau": kendall_tau(original, other),
        "kendall_tau_top": kendall_tau(original[top], other[top]),
    }


def _top(merit: Numbers) -> NDArray[np.bool_]:
    k = min(TOP_MODELS, merit.size // 2)
    if k == 0:
        return np.zeros(merit.size, dtype=bool)
    last = float(np.partition(merit, merit.size - k)[merit.size - k])
    return np.greater_equal(merit, last)


class AllTwinTables(NamedTuple):
    """Every published table whose name begins with `twin`."""

    twin: pl.DataFrame
    twin_residual: pl.DataFrame
    twin_gap: pl.DataFrame
    twin_power: pl.DataFrame
    twin_group: pl.DataFrame
    twin_age: pl.DataFrame
    twin_robustness: pl.DataFrame


def twin_tables(frames: Frames, twin_rng: np.random.Generator, design_effect: pl.DataFrame) -> AllTwinTables:
    """Every table of every declared pair; what each holds is said where it is computed."""
    shared = mean_design_effects(design_effect)
    pairs = matched_pairs(frames)
    power = powers(pairs, twin_rng)
    twin, residual = tables(pairs, shared)
    released = dict(frames.benchmark.select("benchmark_id", "released_on").iter_rows())
    days = {declared["twin_id"]: dated_gaps(models, frames.model) for declared, models in pairs}
    by_age = [
        ages(models, declared["kind"], days[declared["twin_id"]], released.get(declared["original_id"])).select(
            pl.lit(declared["twin_id"]).alias("twin_id"), pl.all()
        )
        for declared, models in pairs
    ]
    robust = [robustness(declared["twin_id"], models) for declared, models in pairs if declared["kind"] in ROBUST]
    return AllTwinTables(
        twin=twin,
        twin_residual=residual,
        twin_gap=gaps(pairs, residual, days, power, shared),
        twin_power=power,
        twin_group=groups(residual, frames.model, _by_items(pairs)),
        twin_age=pl.concat([empty("twin_age"), *by_age]),
        twin_robustness=pl.concat([empty("twin_robustness"), *robust]),
    )


def _by_items(twin_pairs: Sequence[Matched]) -> dict[str, float]:
    """What the draw of items adds to the variance of a mean, for twins that expect the original's own score."""
    mean_gaps = {
        declared["twin_id"]: mean_gap(pairs, declared["kind"])
        for declared, pairs in twin_pairs
        if declared["test"] == "difference"
    }
    return {twin_id: gap.by_items for twin_id, gap in mean_gaps.items() if gap is not None and gap.by_items}
