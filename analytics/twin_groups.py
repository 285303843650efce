"""Who is off the expectation of a twin: by organisation, by open weights, by family; over time; and by robustness.

All read the published tables `twin_residual` and `model`. A group's mean of a few noisy residuals is drawn towards the
mean of all groups, by as much as its own uncertainty weighs against how much groups really differ.
"""

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray
from scipy import special

from analytics.regression import Line, least_squares, probit
from analytics.tables import COUNT, NUMBER, TEXT

Z95 = 1.959964

GROUP = pl.Schema(
    {"twin_id": TEXT, "group": TEXT, "n": COUNT, "mean": NUMBER, "shrunk": NUMBER, "low": NUMBER, "high": NUMBER}
)
AGE = pl.Schema({"years": COUNT, "n": COUNT, "gap": NUMBER, "low": NUMBER, "high": NUMBER})


def by_group(residual: pl.DataFrame, model: pl.DataFrame, column: str) -> pl.DataFrame:
    """Mean residual of each group of models of each twin, raw and shrunk; schema `GROUP`, lowest shrunk first.

    `column` is `organisation`, `open_weights` or `family` (the first word of the model's id, as in `llama-3-8b`).
    Models whose group is unknown are left out. `low` to `high` is the 95% interval of the shrunk mean, in points.
    """
    named = model.with_columns(family=pl.col("model_id").str.extract(r"^(?:.*/)?([a-z]+)"))
    known = residual.join(named.select("model_id", group=pl.col(column).cast(pl.String)), on="model_id").drop_nulls(
        ["group", "residual"]
    )
    tables = [
        _shrunk(str(twin[0]), rows).sort("shrunk", "group")
        for twin, rows in known.group_by("twin_id", maintain_order=True)
    ]
    return pl.concat([pl.DataFrame(schema=GROUP), *tables])


def shrink(means: ArrayLike, errors: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Means drawn towards their common mean, and the standard error of each after that.

    Empirical Bayes with normal groups: the variance between groups by DerSimonian, Laird (1986), never below zero,
    where all groups get the common mean. The error counts that of the common mean, and that the variance between
    groups is estimated from as few as there are (Morris 1983, JASA 78, section 4). One group stays as it is.
    """
    mean, error = np.asarray(means, dtype=np.float64), np.asarray(errors, dtype=np.float64)
    if mean.size < 2:
        return mean, error
    weight = 1 / error**2
    common = float(weight @ mean / weight.sum())
    q = float(weight @ (mean - common) ** 2)
    between = max(0.0, (q - (mean.size - 1)) / float(weight.sum() - (weight**2).sum() / weight.sum()))
    weight = 1 / (error**2 + between)
    common = float(weight @ mean / weight.sum())
    kept = between / (between + error**2)
    variance = kept * error**2 + (1 - kept) ** 2 / weight.sum()
    unsure = 2 / max(mean.size - 3, 1) * (float((error**2).mean()) + between) / (error**2 + between)
    variance += unsure * ((1 - kept) * (mean - common)) ** 2
    return common + kept * (mean - common), np.sqrt(variance)


def gap_by_age(residual: pl.DataFrame, model: pl.DataFrame, released_on: object) -> pl.DataFrame:
    """Mean gap (original minus twin) of the models of each full year after the day `released_on`; schema `AGE`.

    Negative years are models that were there before the original. The interval is of the mean, from the spread of the
    models of that year; null for a single one.
    """
    dated = _dated(residual, model).with_columns(
        years=((pl.col("released_on") - pl.lit(released_on)).dt.total_days() / 365.25).floor().cast(COUNT)
    )
    reach = Z95 * pl.col("gap").std() / pl.len().sqrt()
    return (
        dated.group_by("years")
        .agg(n=pl.len().cast(COUNT), mean=pl.col("gap").mean(), reach=reach)
        .select("years", "n", gap="mean", low=pl.col("mean") - pl.col("reach"), high=pl.col("mean") + pl.col("reach"))
        .sort("years")
        .match_to_schema(AGE)
    )


def gap_over_time(residual: pl.DataFrame, model: pl.DataFrame) -> Line | None:
    """The line of the gap (points) on the model's release in years since the first one's; its slope is points a year.

    None with fewer than three dated models or where all were released on one day.
    """
    dated = _dated(residual, model)
    if dated.is_empty():
        return None
    years = (dated["released_on"] - dated["released_on"].min()).dt.total_days() / 365.25
    return least_squares(years.to_numpy(), dated["gap"].to_numpy())


def effective_robustness(
    original: ArrayLike, other: ArrayLike, items: ArrayLike, ordinary: NDArray[np.bool_]
) -> NDArray[np.float64] | None:
    """How much better than expected of its score on the original each model does on the other side, in points.

    Scores are shares, `items` of the original and the other side by model (NaN unknown), in two rows. Expected is what
    the probit line through the models marked `ordinary` gives; None with fewer than three of those on the scale.
    Source: Taori et al. (2020), Measuring robustness to natural distribution shifts, section 2.
    """
    across, up = probit(original, np.asarray(items)[0]), probit(other, np.asarray(items)[1])
    usable = np.isfinite(across) & np.isfinite(up)
    line = least_squares(across[usable & ordinary], up[usable & ordinary])
    if line is None:
        return None
    return np.asarray(100 * (np.asarray(other, dtype=np.float64) - special.ndtr(line.at(across))))


def _dated(residual: pl.DataFrame, model: pl.DataFrame) -> pl.DataFrame:
    dates = model.select("model_id", "released_on").drop_nulls()
    return residual.join(dates, on="model_id").select("released_on", gap=pl.col("original") - pl.col("other"))


def _shrunk(twin_id: str, rows: pl.DataFrame) -> pl.DataFrame:
    """Groups of one twin; all models are taken to scatter alike about their group's mean."""
    groups = rows.group_by("group").agg(
        n=pl.len(), mean=pl.col("residual").mean(), within=((pl.col("residual") - pl.col("residual").mean()) ** 2).sum()
    )
    free = rows.height - groups.height
    scatter = float(groups["within"].sum()) / free if free > 0 else 0.0
    means = groups["mean"].to_numpy()
    if scatter > 0:
        shrunk, error = shrink(means, np.sqrt(scatter / groups["n"].to_numpy()))
    else:  # one model each, or no scatter: nothing says how uncertain a mean is
        shrunk, error = means, np.full(means.size, np.nan)
    return (
        groups.with_columns(
            pl.lit(twin_id).alias("twin_id"),
            shrunk=pl.Series(shrunk),
            low=pl.Series(shrunk - Z95 * error).fill_nan(None),
            high=pl.Series(shrunk + Z95 * error).fill_nan(None),
        )
        .with_columns(pl.col("n").cast(COUNT))
        .select(*GROUP)
        .match_to_schema(GROUP)
    )
