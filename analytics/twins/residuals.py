"""Who is off the expectation of a twin: by model, by group of models, and by robustness to other items.

A model whose score on the second is lower than expected "scores higher on the original than its twin predicts". That
is all it says: exposure to the original's items is one cause among several (tuning to its format, luck, prompts).

A group's mean of a few noisy residuals is drawn towards the mean of all groups, by as much as its own uncertainty
weighs against how much groups really differ.
"""

from collections.abc import Mapping

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray
from scipy import special

from benchhealth.analytics.record.tables import PUBLISHED, empty
from benchhealth.analytics.record.tables.columns import COUNT
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.false_discovery import q_values_within
from benchhealth.analytics.statistics.regression import Line, least_squares, probit
from benchhealth.analytics.statistics.units.least_p import limited_p
from benchhealth.analytics.twins.expected import (
    FALSE_DISCOVERIES,
    FEWEST_FOR_RESIDUALS,
    LINEAR,
    Expected,
    floor_of,
    straight,
    testable,
    worse,
)
from benchhealth.analytics.twins.pairs import FAMILY, Pairs

ROUNDING = 1e-6
"""Points by which arithmetic may miss a bound."""

ALONE = 0.5
"""A share of the range of all others: a model at the end that lies further from the next is an extrapolation."""

UNTESTED = ("few_models", "near_floor", "no_scale", "no_error", "directions_differ", "extrapolated")
"""Why a model has no p-value: too few models, its score within two errors of the floor, no scale on which a line fits,
an error that is not known, sides whose better directions differ, or no other model near it."""


def residuals(twin_id: str, pairs: Pairs, line: Line | None, test: str) -> pl.DataFrame:
    """The residuals of one twin: other minus expected for each model, tested for being worse than expected.

    `test` is `difference` (the original's score is expected) or `fit` (the line through the models that are not off it
    is, on the `scale` on which it is straight: see `straight`). `p_value` is one-sided, and never below what so many
    items, or models on the line, can carry (`carried`); all columns of table `twin_residual` but those that
    `over_all_twins` adds. The residual lies on the twin; `excess` lies on the original: no more than its score there is
    better than that of models with its score on the twin, and so never more than it lies above the floor.
    `untested` says why a model has no p-value. With fewer than ten models the least squares line
    `line` says what is expected, and nobody is tested.
    By simulation of 10 to 200 models without a leak, `fit` has a false flag in 6 of 100 twins at most, where 5 are
    stated; where 4 of 40 models know 30% of the items by heart, 6 of 100 flags are false. Raises ValueError for another
    `test`.
    """
    if test not in ("difference", "fit"):
        raise ValueError(f"{twin_id}: no test is named {test!r}")
    expected, why = _difference(pairs) if test == "difference" else _against_line(pairs, line)
    p = np.full(pairs.original.size, np.nan) if pairs.sign == 0 else expected.p_value
    untested = np.where(np.isfinite(p), "", why if pairs.sign else "directions_differ")
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
        pl.DataFrame({**pairs.named(), **columns, **case})
        .with_columns(pl.col(columns.keys()).fill_nan(None), pl.col("untested").replace("", None))
        .select(pl.lit(twin_id).alias("twin_id"), "model_id", *columns, *case, "setting")
    )


def _excess(pairs: Pairs, expected: Expected) -> Numbers:
    """What its score on the original has over what the twin lets expect: the lesser of what is missing on the twin and
    of what its score has over that of models with its score there, which a shallow line leaves open.
    """
    missing = pairs.sign * (expected.expected - pairs.other)
    above_expected = pairs.sign * (pairs.original - expected.predicted)
    return np.where(
        missing > 0, np.minimum(missing, above_expected), np.where(np.isfinite(above_expected), missing, np.nan)
    )


def _difference(pairs: Pairs) -> tuple[Expected, NDArray[np.str_]]:
    """What is expected where both sides should score alike: the original's own score, with the error of both."""
    size = pairs.original.size
    error = np.sqrt(pairs.original_error**2 + pairs.other_error**2)
    items = np.fmin(pairs.items_original, pairs.items_other)
    clear = testable(pairs)
    below = worse(pairs.sign * (pairs.other - pairs.original), error)
    p = np.where(clear, limited_p(below, np.where(np.isfinite(items), items, np.inf)), np.nan)
    predicted = np.maximum(pairs.other, floor_of(pairs)) if pairs.sign > 0 else pairs.other
    expected = Expected(LINEAR, pairs.original, error, np.ones(size), predicted, p)
    return expected, np.where(clear, "no_error", "near_floor")


def _against_line(pairs: Pairs, line: Line | None) -> tuple[Expected, NDArray[np.str_]]:
    """What the line expects on the scale that fits, as `straight` finds it."""
    nothing = np.full(pairs.original.size, np.nan)
    clear = testable(pairs)
    if np.count_nonzero(clear) < FEWEST_FOR_RESIDUALS:
        expected = nothing if line is None else line.at(pairs.original)
        reason = np.where(clear, "few_models", "near_floor") if clear.size >= FEWEST_FOR_RESIDUALS else "few_models"
        return Expected(None, expected, *[nothing] * 4), np.broadcast_to(reason, nothing.shape)
    fitted = straight(pairs)
    if fitted is None:
        return Expected(None, *[nothing] * 5), np.where(clear, "no_scale", "near_floor")
    is_alone = _alone(pairs.original)
    p = np.where(is_alone, np.nan, limited_p(fitted.models.p_value, np.count_nonzero(clear)))
    untested = np.where(is_alone, "extrapolated", np.where(clear, "no_error", "near_floor"))
    return fitted.models._replace(p_value=p), untested


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
    most = 100 * pairs.share_original - floor_of(pairs) if pairs.sign > 0 else 100 * (1 - pairs.share_original)
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
        .match_to_schema(PUBLISHED["twin_residual"], extra_columns="ignore")
    )


GROUPINGS = ("organisation", "weights", "family")
"""What models are grouped by: who made them, open or closed weights, the first word of the model's id."""


def groups(residual: pl.DataFrame, model: pl.DataFrame, by_items: Mapping[str, float]) -> pl.DataFrame:
    """Table `twin_group`: the mean residual of each group of models of each twin, raw and shrunk, lowest first.

    `residual` and `model` are the published tables. Models whose group is unknown are left out. Makers whose names
    differ in capitals alone are one. `low` to `high` is the 95% interval of the shrunk mean, in the unit of the
    residuals. A line through all models takes up what the draw of the items does to all of them. There is no such line
    where the expected score is that on the original: there `by_items` holds, by twin, the variance that this draw adds
    to the mean of every group (`mean_gap`).
    """
    named = model.select(
        "model_id",
        organisation=_spelling(model["organisation"]),
        weights=pl.when("open_weights").then(pl.lit("open")).when(~pl.col("open_weights")).then(pl.lit("closed")),
        family=pl.col("model_id").str.extract(FAMILY),
    )
    grouped = (
        residual.select("twin_id", "model_id", "residual")
        .join(named, on="model_id", maintain_order="left")
        .unpivot(GROUPINGS, index=["twin_id", "residual"], variable_name="grouping", value_name="group")
        .drop_nulls(["group", "residual"])
    )
    off_mean = pl.col("residual") - pl.col("residual").mean()
    means = (
        grouped.group_by("twin_id", "grouping", "group")
        .agg(n_models=pl.len().cast(COUNT), mean_residual=pl.col("residual").mean(), within=(off_mean**2).sum())
        .sort("twin_id", "grouping", "group")
    )
    sizes = means.group_by("twin_id", "grouping", maintain_order=True).len()["len"]
    together = [_shrunk(means[end - size : end]) for end, size in zip(sizes.cum_sum(), sizes, strict=True)]
    shrunk, error = np.concatenate([np.empty((2, 0)), *together], axis=1)
    of_items = means["twin_id"].replace_strict(by_items, default=0.0, return_dtype=pl.Float64).to_numpy()
    error = np.sqrt(error**2 + of_items)
    return (
        means.with_columns(
            shrunk=shrunk,
            low=pl.Series(shrunk - Z95 * error).fill_nan(None),
            high=pl.Series(shrunk + Z95 * error).fill_nan(None),
        )
        .match_to_schema(PUBLISHED["twin_group"], extra_columns="ignore")
        .sort("twin_id", "grouping", "shrunk", "group")
    )


def _spelling(names: pl.Series) -> pl.Series:
    """The names, each in the spelling that is most common among those that differ in capitals alone."""
    counted = names.drop_nulls().rename("name").value_counts().sort("count", "name", descending=[True, False])
    common = counted.with_columns(same=pl.col("name").str.to_lowercase()).unique("same", keep="first")
    return names.str.to_lowercase().replace(common["same"], common["name"])


def shrink(means: ArrayLike, errors: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Means drawn towards their common mean, and the standard error of each after that.

    Empirical Bayes with normal groups: the variance between groups by DerSimonian, Laird (1986), never below zero,
    where all groups get the common mean. The error counts that of the common mean, and that the variance between
    groups is estimated from as few as there are (Morris 1983, JASA 78, section 4). One group stays as it is.

    Two groups that differ by less than chance does get their common mean:

    >>> shrink([1.0, 3.0], [2.0, 2.0])[0].tolist()
    [2.0, 2.0]
    """
    mean, error = np.asarray(means, dtype=np.float64), np.asarray(errors, dtype=np.float64)
    if mean.size < 2:
        return mean, error
    weight = 1 / error**2
    common = float(weight @ mean / weight.sum())
    q = float(weight @ (mean - common) ** 2)
    variance_between = max(0.0, (q - (mean.size - 1)) / float(weight.sum() - (weight**2).sum() / weight.sum()))
    weight = 1 / (error**2 + variance_between)
    common = float(weight @ mean / weight.sum())
    own_weight = variance_between / (variance_between + error**2)
    variance = own_weight * error**2 + (1 - own_weight) ** 2 / weight.sum()
    unsure = 2 / max(mean.size - 3, 1) * (float((error**2).mean()) + variance_between) / (error**2 + variance_between)
    variance += unsure * ((1 - own_weight) * (mean - common)) ** 2
    return common + own_weight * (mean - common), np.sqrt(variance)


ROBUST = ("fresh sample", "live split", "harder variant")
"""Kinds of twin whose two sides have different items: of these, robustness to the shift between them is computed."""


def robustness(twin_id: str, pairs: Pairs) -> pl.DataFrame:
    """Table `twin_robustness` of one twin: the effective robustness of every model, against the line through all.

    In points; only of shares of items. Sources do not say which models are ordinary, so all make the line, which moves
    it towards the robust ones a little: what is left is rather too small. Scores of 0 or 100% count where the number
    of items is known.
    """
    above_line = None
    if pairs.bounded:
        items = np.stack([pairs.items_original, pairs.items_other])
        everyone = np.ones(pairs.original.size, dtype=np.bool_)
        above_line = effective_robustness(pairs.share_original, pairs.share_other, items, everyone)
    if above_line is None:
        return empty("twin_robustness")
    scores = {"original": pairs.original, "other": pairs.other, "expected": pairs.other - above_line}
    return (
        pl.DataFrame({**pairs.named(), **scores, "robustness": above_line})
        .filter(np.isfinite(above_line))
        .select(pl.lit(twin_id).alias("twin_id"), pl.all())
        .match_to_schema(PUBLISHED["twin_robustness"])
    )


def effective_robustness(
    original_shares: ArrayLike, twin_shares: ArrayLike, items: ArrayLike, ordinary: NDArray[np.bool_]
) -> NDArray[np.float64] | None:
    """How much better than expected of its score on the original each model does on the other side, in points.

    Scores are shares, `items` of the original and the other side by model (NaN unknown), in two rows. Expected is what
    the probit line through the models marked `ordinary` gives; None with fewer than three of those on the scale, and
    NaN for a model that is not on it.
    Source: Taori et al. (2020), Measuring robustness to natural distribution shifts, section 2.

    Three ordinary models lose nothing on the other side; the fourth loses ten points:

    >>> original, other = [0.4, 0.5, 0.6, 0.5], [0.4, 0.5, 0.6, 0.4]
    >>> beside = effective_robustness(original, other, [[100] * 4] * 2, np.array([True, True, True, False]))
    >>> (beside.round(6) + 0.0).tolist()
    [0.0, 0.0, 0.0, -10.0]
    """
    x, y = probit(original_shares, np.asarray(items)[0]), probit(twin_shares, np.asarray(items)[1])
    usable = np.isfinite(x) & np.isfinite(y)
    line = least_squares(x[usable & ordinary], y[usable & ordinary])
    if line is None:
        return None
    return np.where(usable, 100 * (np.asarray(twin_shares, dtype=np.float64) - special.ndtr(line.at(x))), np.nan)


def _shrunk(rows: pl.DataFrame) -> NDArray[np.float64]:
    """Shrunk means and their errors (NaN unknown) of one twin and grouping.

    The models of every group are taken to have one variance about the mean of their group.
    """
    sizes, means = rows["n_models"].to_numpy(), rows["mean_residual"].to_numpy()
    degrees_of_freedom = sizes.sum() - sizes.size
    scatter = rows["within"].sum() / degrees_of_freedom if degrees_of_freedom > 0 else 0.0
    if scatter > 0:
        return np.array(shrink(means, np.sqrt(scatter / sizes)))
    return np.array([means, np.full(means.size, np.nan)])  # one model each, or no scatter: nothing says how unsure
