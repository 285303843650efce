"""Who is off the expectation of a twin: by organisation, by open weights, by family; over time; and by robustness.

A group's mean of a few noisy residuals is drawn towards the mean of all groups, by as much as its own uncertainty
weighs against how much groups really differ.
"""

from collections.abc import Mapping
from datetime import date

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray
from scipy import special

from benchhealth.analytics.record.tables import PUBLISHED, empty
from benchhealth.analytics.record.tables.columns import COUNT
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.regression import Line, least_squares, probit
from benchhealth.analytics.twins.pairs import Pairs
from benchhealth.analytics.twins.uncertainty import FAMILY, mean_gap

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
        .select(PUBLISHED["twin_group"].names())
        .match_to_schema(PUBLISHED["twin_group"])
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


FEWEST_RELEASED = 10
"""Models with a known day of release, below which nothing is said about how a gap moves with it."""

FEWEST_YEARS = 4
"""Calendar years in which such models were released; with fewer, many lines fit about equally well."""


def dated_gaps(pairs: Pairs, model: pl.DataFrame) -> pl.DataFrame:
    """The `day` of each model of a twin whose date is known, its `place` in `pairs`, and its `gap`.

    The gap is original less other. A model's day is its release (`released`), or else the day on which the original was
    seen to list it.
    """
    rows = pl.DataFrame(
        {
            "model_id": pl.Series(pairs.model_id, dtype=pl.String),
            "seen_on": pl.Series(pairs.dated_on or [None] * len(pairs.model_id), dtype=pl.Date),
            "gap": pairs.original - pairs.other,
        }
    )
    days = rows.join(model.select("model_id", "released_on"), on="model_id", how="left", maintain_order="left")
    day = pl.coalesce("released_on", "seen_on")
    return (
        days.with_row_index("place")
        .select(day=day, gap="gap", place="place", released=pl.col("released_on").is_not_null())
        .drop_nulls("day")
    )


def ages(pairs: Pairs, kind: str, days: pl.DataFrame, released_on: date | None) -> pl.DataFrame:
    """The mean gap of the models of each year: `clock` is `year`, and `age` where the original's release is known.

    `year` is the calendar year of the model's day, an age the full years since the original was released; a negative
    one is of models that were there before it. The interval is that of `mean_gap` over the models of that year, so that
    it holds the draw of the items that those of all years share; null for a single one. `days` is of `dated_gaps`.
    All columns of table `twin_age` but the twin's id; empty where all share one year.
    """
    clocks = {"year": pl.col("day").dt.year()}
    if released_on is not None:
        clocks["age"] = ((pl.col("day") - pl.lit(released_on)).dt.total_days() / 365.25).floor()
    rows = []
    for name, clock in clocks.items():
        years = days.group_by(at=clock.cast(COUNT)).agg("place").sort("at")
        for year, indices in years.iter_rows():
            mean = mean_gap(pairs, kind, sorted(indices))
            rows.append((name, year, len(indices), mean and mean.gap, mean and mean.low, mean and mean.high))
    schema = {name: form for name, form in PUBLISHED["twin_age"].items() if name != "twin_id"}
    table = pl.DataFrame(rows, schema=schema, orient="row")
    return table if days["day"].dt.year().n_unique() > 1 else table.clear()


def gap_over_time(days: pl.DataFrame) -> Line | None:
    """The line of the gap on the model's release in years since the first one's; its slope is the gap's unit a year.

    `days` is of `dated_gaps`. A day of listing says when somebody looked, so that only released models count. None
    with fewer than FEWEST_RELEASED of them, or where they came out in fewer than FEWEST_YEARS calendar years.
    """
    released = days.filter("released")
    if released.height < FEWEST_RELEASED or released["day"].dt.year().n_unique() < FEWEST_YEARS:
        return None
    years = (released["day"] - released["day"].min()).dt.total_days() / 365.25
    return least_squares(years.to_numpy(), released["gap"].to_numpy())


ROBUST = ("fresh sample", "live split", "harder variant")
"""Kinds of twin whose two sides have different items: of these, robustness to the shift between them is computed."""


def robustness(twin_id: str, pairs: Pairs) -> pl.DataFrame:
    """Table `twin_robustness` of one twin: the effective robustness of every model, against the line through all.

    In points; only of shares of items. Sources do not say which models are ordinary, so all make the line, which moves
    it towards the robust ones a little: what is left is rather too small. Scores of 0 or 100% count where the number
    of items is known.
    """
    items = np.stack([pairs.items_original, pairs.items_other])
    x, y = probit(pairs.share_original, items[0]), probit(pairs.share_other, items[1])
    everyone = np.ones(pairs.original.size, dtype=np.bool_)
    above_line = None
    if pairs.bounded:
        above_line = effective_robustness(pairs.share_original, pairs.share_other, items, everyone)
    if above_line is None:
        return empty("twin_robustness")
    return (
        pl.DataFrame(
            {
                "model_id": pl.Series(pairs.model_id, dtype=pl.String),
                "setting": pl.Series(pairs.setting or [""] * len(pairs.model_id), dtype=pl.String),
                "original": pairs.original,
                "other": pairs.other,
                "expected": pairs.other - above_line,
                "robustness": above_line,
            }
        )
        .filter(np.isfinite(x) & np.isfinite(y))
        .select(pl.lit(twin_id).alias("twin_id"), pl.all())
        .match_to_schema(PUBLISHED["twin_robustness"])
    )


def effective_robustness(
    original: ArrayLike, other: ArrayLike, items: ArrayLike, ordinary: NDArray[np.bool_]
) -> NDArray[np.float64] | None:
    """How much better than expected of its score on the original each model does on the other side, in points.

    Scores are shares, `items` of the original and the other side by model (NaN unknown), in two rows. Expected is what
    the probit line through the models marked `ordinary` gives; None with fewer than three of those on the scale.
    Source: Taori et al. (2020), Measuring robustness to natural distribution shifts, section 2.

    Three ordinary models lose nothing on the other side; the fourth loses ten points:

    >>> original, other = [0.4, 0.5, 0.6, 0.5], [0.4, 0.5, 0.6, 0.4]
    >>> beside = effective_robustness(original, other, [[100] * 4] * 2, np.array([True, True, True, False]))
    >>> (beside.round(6) + 0.0).tolist()
    [0.0, 0.0, 0.0, -10.0]
    """
    x, y = probit(original, np.asarray(items)[0]), probit(other, np.asarray(items)[1])
    usable = np.isfinite(x) & np.isfinite(y)
    line = least_squares(x[usable & ordinary], y[usable & ordinary])
    if line is None:
        return None
    return np.asarray(100 * (np.asarray(other, dtype=np.float64) - special.ndtr(line.at(x))))


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
