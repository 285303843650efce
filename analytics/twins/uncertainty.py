"""How large the gap of a twin and its slope are, how sure, and how the gap moves with the release of models.

The models' scatter does not show how sure: of the items of a side all models met the same draw, and the models of one
family err alike. So the draw of the items of both sides counts first, then that of the models.
"""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.columns import COUNT
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.regression import Line, least_squares, logit, probit
from benchhealth.analytics.statistics.units.clustered_mean import Component, clustered_variance
from benchhealth.analytics.statistics.units.line import (
    FEWEST_FAMILIES,
    SharedLine,
    shared_line,
    shared_noise,
    slope_spread,
)
from benchhealth.analytics.twins.pairs import HARDER, SAMPLED, Pairs, families

SCALES = {"probit": probit, "logit": logit}


class Measured(NamedTuple):
    """What shared items do on the benchmarks whose items are known, for those whose items are not.

    `spread` is the mean variance of the items' slopes and `correlation` that of two models' errors, over so many
    `benchmarks` (table `design_effect`); None where no benchmark is known item by item.
    """

    spread: float | None = None
    correlation: float | None = None
    benchmarks: int = 0


NOT_MEASURED = Measured()


def mean_design_effects(design_effect: pl.DataFrame) -> Measured:
    """What is expected of a test whose items are not known: the means over the table `design_effect`."""
    spread, correlation = (design_effect[name].drop_nulls().to_list() for name in ("slope_spread", "correlation"))
    if not spread or not correlation:
        return Measured()
    return Measured(float(np.mean(spread)), float(np.mean(correlation)), design_effect.height)


class TwinLine(NamedTuple):
    """A line through a twin on a scale; `basis` is what its interval rests on.

    `items`: the outcomes item by item. `measured`: families, widened by what shared items do elsewhere. `families`:
    these alone, because both sides have the same items or nothing is known of them.
    """

    line: SharedLine
    basis: str


def twin_line(pairs: Pairs, kind: str, scale: str, measured: Measured, *, corrected: bool = False) -> TwinLine | None:
    """The line of the other side on the original on that scale (linear, probit, logit), as `shared_line` says.

    Where both sides are known item by item, items are what the interval rests on; elsewhere the number of items and
    what was `measured` on other benchmarks. Items are drawn apart where one side is a fresh sample or a live split, or
    where the other is a harder variant with another number of items. `corrected` takes the original's own error off
    where one side is a fresh sample or a live split. None where no line or no interval can be given.
    """
    x, y, steep = on_scale(pairs, scale)
    usable = np.isfinite(x) & np.isfinite(y)
    if usable.sum() < FEWEST_FAMILIES:
        return None
    x, y, steep = x[usable], y[usable], steep[:, usable]
    noise, by_items, basis = np.zeros(x.size), 0.0, "families"
    by_item = pairs.outcomes_original is not None and pairs.outcomes_other is not None
    sides = [side[usable] for side in (pairs.outcomes_original, pairs.outcomes_other) if side is not None]
    if own_items(pairs, kind, usable):
        variance = _by_items(x, y, steep, sides) if by_item else _by_counts(pairs, usable, measured)
        if variance is not None:
            by_items, basis = variance, "items" if by_item else "measured"
    if corrected and kind in SAMPLED:
        error = steep[0] * pairs.original_error[usable] / (100.0 if pairs.bounded else 1.0)
        noise = shared_noise(sides[0], steep[0]) if by_item else error**2 * (1 - (measured.correlation or 0.0))
        noise = noise if np.isfinite(noise).all() else np.zeros(x.size)
    groups = families([name for name, usable_ in zip(pairs.model_id, usable, strict=True) if usable_])
    line = shared_line(x, y, groups, noise, by_items) or (
        shared_line(x, y, groups, 0.0, by_items) if noise.any() else None
    )
    return None if line is None else TwinLine(line, basis)


def on_scale(pairs: Pairs, scale: str) -> tuple[Numbers, Numbers, Numbers]:
    """Both sides on the scale, and its derivative by the share for each: (2, models)."""
    if scale == "linear":
        return pairs.original, pairs.other, np.full((2, pairs.original.size), 100.0 if pairs.bounded else 1.0)
    scaled = [
        SCALES[scale](share, items)
        for share, items in (
            (pairs.share_original, pairs.items_original),
            (pairs.share_other, pairs.items_other),
        )
    ]
    steep = [
        np.sqrt(2 * np.pi) * np.exp(side**2 / 2) if scale == "probit" else 2 + np.exp(side) + np.exp(-side)
        for side in scaled
    ]
    return scaled[0], scaled[1], np.stack(steep)


def _by_items(x: Numbers, y: Numbers, steep: Numbers, sides: Sequence[Numbers]) -> float | None:
    """The variance that the draw of items adds to a slope of 1, from the outcomes by item on both sides."""
    from_mean = x - x.mean()
    slope = float(from_mean @ y / (from_mean @ from_mean)) if np.ptp(x) > 0 else 0.0
    spreads = [slope_spread(side, steepness, x) for side, steepness in zip(sides, steep, strict=True)]
    if slope == 0 or None in spreads:
        return None
    original_spread, twin_spread = (float(spread or 0.0) for spread in spreads)
    return float(original_spread / sides[0].shape[1] + twin_spread / slope**2 / sides[1].shape[1])


def _by_counts(pairs: Pairs, usable: NDArray[np.bool_], measured: Measured) -> float | None:
    """The same from the numbers of items and the spread measured on other tests; None where either is unknown."""
    items = np.stack([pairs.items_original[usable], pairs.items_other[usable]])
    if measured.spread is None or not pairs.bounded or not np.isfinite(items).all():
        return None
    return float(measured.spread * (1 / np.median(items, axis=1)).sum())


class MeanGap(NamedTuple):
    """The mean of original minus other over models, in the unit of the scores, with its 95% interval.

    `by_items` is what the draw of the items adds to the variance; all models share it. `basis` says what that is
    from: `items` (outcomes item by item), `bound` (the errors of the scores, which is at most), `families` (both sides
    have the same items: their draw cancels). `error` and the interval are None where one model says nothing of models
    or the error of the items is `unknown`.
    """

    gap: float
    error: float | None
    low: float | None
    high: float | None
    by_items: float | None
    families: int
    basis: str

    @property
    def holds_zero(self) -> bool | None:
        """Whether chance alone would explain it; None where no interval is known."""
        return None if self.low is None or self.high is None else self.low <= 0 <= self.high


def mean_gap(pairs: Pairs, kind: str, among: Sequence[int] | None = None) -> MeanGap | None:
    """The mean gap over the models of a twin, or over those at the places `among`; None without any.

    Models and items are crossed: every model answered the same two draws of items, so adding models does not make the
    gap surer than those draws do. Var = between families of models + items of the original + items of the other side,
    less what models and items make together, which each of these holds once. Families (`families`) are left out whole
    (jackknife). Where the two sides have independent items (a fresh sample, a live split, and a harder variant with
    another number of items) and are known item by item, the items' part is their variance of item means; where only
    errors of scores are known it is the square of their mean, as if all models got the same items right, which is the
    most that it can be. Sides with the same items (rerun, equal preparation, another metric) have none: the interval is
    for those items alone. Student's t with the degrees of freedom of all parts together (Satterthwaite 1946).

    Sources: Clark (1973), The language-as-fixed-effect fallacy, doi:10.1016/S0022-5371(73)80014-3; Owen (2007), The
    pigeonhole bootstrap, doi:10.1214/07-AOAS122; MacKinnon, Nielsen, Webb (2023), doi:10.1016/j.jeconom.2022.04.001.
    Until rules 6 the interval took the models for independent: of two draws of one pool of 500 items and 47 models it
    held the true gap of 0 in .39 of simulations where .95 was said, with 200 models in .18.
    By simulation in tests/analytics/twins/test_mean_gap.py.
    """
    chosen = np.arange(pairs.original.size) if among is None else np.asarray(among, dtype=np.int64)
    if chosen.size == 0:
        return None
    difference = (pairs.original - pairs.other)[chosen]
    named = families([pairs.model_id[index] for index in chosen])
    gap, units = float(difference.mean()), len(set(named))
    items, basis = _item_components(pairs, kind, chosen)
    by_family = clustered_variance(difference, named)
    if by_family is None or items is None:
        by_items = None if items is None else sum(term.variance for term in items)
        return MeanGap(gap, None, None, None, by_items, units, basis)
    terms = [by_family, *items]
    together = _interaction(pairs, chosen) if basis == "items" else 0.0
    by_items = sum(term.variance for term in items)
    variance = max(by_family.variance + by_items - together, by_family.variance, by_items)
    squared_by_degrees = sum(term.variance**2 / term.degrees for term in terms if term.variance > 0)
    degrees = min(variance**2 / squared_by_degrees, 1e6) if squared_by_degrees > 0 else float(units - 1)
    error = float(np.sqrt(variance))
    reach = float(student.quantile(0.975, degrees)) * error
    return MeanGap(gap, error, gap - reach, gap + reach, by_items, units, basis)


def own_items(pairs: Pairs, kind: str, among: NDArray[np.int64] | NDArray[np.bool_]) -> bool:
    """Whether the two sides have items of their own, drawn apart, for the models `among` them."""
    if kind in SAMPLED:
        return True
    return kind == HARDER and not np.array_equal(pairs.items_original[among], pairs.items_other[among])


def _item_components(pairs: Pairs, kind: str, chosen: NDArray[np.int64]) -> tuple[list[Component] | None, str]:
    """The variance that the draw of each side's items adds to the mean gap, and the basis of that estimate."""
    if not own_items(pairs, kind, chosen):
        return [], "families"
    points = 100.0 if pairs.bounded else 1.0
    sides = [pairs.outcomes_original, pairs.outcomes_other]
    means = [points * side[chosen].mean(axis=0) for side in sides if side is not None]
    if len(means) == len(sides):
        return [Component(float(mean.var(ddof=1)) / mean.size, mean.size - 1.0) for mean in means], "items"
    error = np.hypot(pairs.original_error[chosen], pairs.other_error[chosen])
    if not np.isfinite(error).all():
        return None, "unknown"
    return [Component(float(error.mean()) ** 2, np.inf)], "bound"


def _interaction(pairs: Pairs, chosen: NDArray[np.int64]) -> float:
    """The variance of outcomes that comes from the interaction of models and items, per cell."""
    points = 100.0 if pairs.bounded else 1.0
    total = 0.0
    for side in (pairs.outcomes_original, pairs.outcomes_other):
        if side is None or min(chosen.size, side.shape[1]) < 2:
            continue
        outcomes = points * side[chosen]
        left = outcomes - outcomes.mean(axis=1, keepdims=True) - outcomes.mean(axis=0) + outcomes.mean()
        models, items = outcomes.shape
        total += float(np.square(left).sum()) / ((models - 1) * (items - 1)) / (models * items)
    return total


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
