"""The slope of a twin, and how sure it is, where models answered the same items and come in families.

The models' scatter about the line shows neither: of the items of a side all models met the same draw, and the models of
one family err alike.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.statistics.regression import logit, probit
from benchhealth.analytics.statistics.units.line import (
    FEWEST_FAMILIES,
    SharedLine,
    shared_line,
    shared_noise,
    slope_spread,
)
from benchhealth.analytics.twins.pairs import Pairs

Numbers = NDArray[np.float64]

FAMILY = r"^(?:.*/)?(?:(?:meta|open)-)?([a-z]+)"
"""The first word of a model's id, without the maker's that some sources put before it (`meta-llama-3-8b`)."""

SAMPLED = ("fresh sample", "live split")
"""Kinds of twin whose items are drawn anew, so that the sampling errors of the two sides are independent."""

HARDER = "harder variant"
"""The kind of twin whose items are others, or the same ones of which more is asked: then there are as many."""

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


def measured(design_effect: pl.DataFrame) -> Measured:
    """What is expected of a test whose items are not known: the means over the table `design_effect`."""
    spread, correlation = (design_effect[name].drop_nulls().to_list() for name in ("slope_spread", "correlation"))
    if not spread or not correlation:
        return Measured()
    return Measured(float(np.mean(spread)), float(np.mean(correlation)), design_effect.height)


class TwinLine(NamedTuple):
    """A line through a twin on its `scale`; `basis` is what its interval rests on.

    `items`: the outcomes item by item. `measured`: families, widened by what shared items do elsewhere. `families`:
    these alone, because both sides have the same items or nothing is known of them.
    """

    scale: str
    line: SharedLine
    basis: str


def families(model_ids: Sequence[str]) -> list[str]:
    """The family of each model, the first word of its id; each its own where that would leave fewer than three."""
    named = family_words(model_ids)
    return named if len(set(named)) >= FEWEST_FAMILIES else [f"{at}" for at in range(len(named))]


def family_words(model_ids: Sequence[str]) -> list[str]:
    """The first word of each id, or the id where it begins with none."""
    first = pl.Series(model_ids, dtype=pl.String).str.extract(FAMILY)
    return [word or model_id for word, model_id in zip(first, model_ids, strict=True)]


def twin_line(pairs: Pairs, kind: str, scale: str, measured: Measured, *, corrected: bool = False) -> TwinLine | None:
    """The line of the other side on the original on that scale (linear, probit, logit), as `shared_line` says.

    Where both sides are known item by item, items are what the interval rests on; elsewhere the number of items and
    what was `measured` on other benchmarks. Items are drawn apart where the sides are SAMPLED, or where the other is a
    harder variant with another number of items. `corrected` takes the original's own error off where the sides are
    SAMPLED. None where no line or no interval can be given.
    """
    x, y, steep = on_scale(pairs, scale)
    usable = np.isfinite(x) & np.isfinite(y)
    if usable.sum() < FEWEST_FAMILIES:
        return None
    x, y, steep = x[usable], y[usable], steep[:, usable]
    own, by_items, basis = np.zeros(x.size), 0.0, "families"
    known = pairs.outcomes_original is not None and pairs.outcomes_other is not None
    sides = [side[usable] for side in (pairs.outcomes_original, pairs.outcomes_other) if side is not None]
    if kind in SAMPLED or (kind == HARDER and not _as_many(pairs, usable)):
        found = _known(x, y, steep, sides) if known else _elsewhere(pairs, usable, measured)
        if found is not None:
            by_items, basis = found, "items" if known else "measured"
    if corrected and kind in SAMPLED:
        error = steep[0] * pairs.original_error[usable] / (100.0 if pairs.bounded else 1.0)
        own = shared_noise(sides[0], steep[0]) if known else error**2 * (1 - (measured.correlation or 0.0))
        own = own if np.isfinite(own).all() else np.zeros(x.size)
    groups = families([name for name, usable_ in zip(pairs.model_id, usable, strict=True) if usable_])
    line = shared_line(x, y, groups, own, by_items) or (shared_line(x, y, groups, 0.0, by_items) if own.any() else None)
    return None if line is None else TwinLine(scale, line, basis)


def on_scale(pairs: Pairs, scale: str) -> tuple[Numbers, Numbers, Numbers]:
    """Both sides on the scale, and its derivative by the share for each: (2, models)."""
    if scale == "linear":
        return pairs.original, pairs.other, np.full((2, pairs.original.size), 100.0 if pairs.bounded else 1.0)
    both = [
        SCALES[scale](share, items)
        for share, items in (
            (pairs.share_original, pairs.items_original),
            (pairs.share_other, pairs.items_other),
        )
    ]
    steep = [
        np.sqrt(2 * np.pi) * np.exp(side**2 / 2) if scale == "probit" else 2 + np.exp(side) + np.exp(-side)
        for side in both
    ]
    return both[0], both[1], np.stack(steep)


def _known(x: Numbers, y: Numbers, steep: Numbers, sides: Sequence[Numbers]) -> float | None:
    """What the draw of the items of both sides adds to the variance of a slope of 1, by the items themselves."""
    from_mean = x - x.mean()
    slope = float(from_mean @ y / (from_mean @ from_mean)) if np.ptp(x) > 0 else 0.0
    spreads = [slope_spread(side, steepness, x) for side, steepness in zip(sides, steep, strict=True)]
    if slope == 0 or None in spreads:
        return None
    original, other = (float(spread or 0.0) for spread in spreads)
    return float(original / sides[0].shape[1] + other / slope**2 / sides[1].shape[1])


def _as_many(pairs: Pairs, usable: NDArray[np.bool_]) -> bool:
    """Whether both sides have one number of items."""
    return bool(np.array_equal(pairs.items_original[usable], pairs.items_other[usable]))


def _elsewhere(pairs: Pairs, usable: NDArray[np.bool_], measured: Measured) -> float | None:
    """The same by the numbers of items and what was measured where items are known; None where either is not known."""
    items = np.stack([pairs.items_original[usable], pairs.items_other[usable]])
    if measured.spread is None or not pairs.bounded or not np.isfinite(items).all():
        return None
    return float(measured.spread * (1 / np.median(items, axis=1)).sum())
