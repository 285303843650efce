"""Which verdicts hang on a threshold: the rules read again with every limit moved by up to a fifth."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

import numpy as np
import polars as pl

from analytics.record.tables import PUBLISHED
from analytics.verdict.hysteresis import SIDES_BEFORE
from analytics.verdict.thresholds import Thresholds
from analytics.verdict.values import values, with_headroom
from analytics.verdict.verdict import staged

MOVED_BY = 0.2
"""The share by which a threshold is moved, up and down."""

DRAWS = 200
"""Sets of thresholds, each drawn between a fifth less and a fifth more: a share of 97% has a standard error of 1.2."""


def stabilities(
    indicators: pl.DataFrame, limits: Thresholds, sides_before: pl.DataFrame, stability_rng: np.random.Generator
) -> pl.DataFrame:
    """Table `verdict_stability`: for each benchmark how far its stage depends on where the thresholds were set.

    `same` is the share of `draws` sets of thresholds, all moved at once by up to a fifth, under which the stage is the
    one of the verdict; `other` the commonest other stage. `hangs_on` names the thresholds of which one alone, moved by
    a fifth up or down, changes the stage. What was before, which rules with a margin remember, stays as it is.
    """
    known = values(indicators, limits).join(
        sides_before.match_to_schema(SIDES_BEFORE), on="benchmark_id", how="left", maintain_order="left"
    )
    verdict = _stages(known, limits)
    alone = {name: [moved(limits, {name: factor}) for factor in (1 - MOVED_BY, 1 + MOVED_BY)] for name in names()}
    hangs_on = pl.concat(
        [
            known.select("benchmark_id", name=pl.lit(name)).filter(
                pl.any_horizontal(*(pl.lit(_stages(known, one) != verdict) for one in both))
            )
            for name, both in alone.items()
        ]
    )
    drawn = stability_rng.uniform(1 - MOVED_BY, 1 + MOVED_BY, (DRAWS, len(names())))
    together = pl.DataFrame(
        {f"{at}": _stages(known, moved(limits, dict(zip(names(), row, strict=True)))) for at, row in enumerate(drawn)}
    )
    same = together.select(pl.mean_horizontal((pl.all() == verdict).cast(pl.Float64))).to_series()
    return (
        known.select("benchmark_id", stage=verdict, draws=pl.lit(DRAWS, dtype=pl.Int64), same=same)
        .with_columns(other=_commonest_other(together, verdict))
        .join(hangs_on.group_by("benchmark_id").agg(hangs_on="name"), on="benchmark_id", how="left")
        .with_columns(pl.col("hangs_on").fill_null([]))
        .select(PUBLISHED["verdict_stability"].names())
        .match_to_schema(PUBLISHED["verdict_stability"])
        .sort("benchmark_id")
    )


def names() -> Sequence[str]:
    """The thresholds that are moved."""
    return tuple(asdict(Thresholds()))


def moved(limits: Thresholds, factors: Mapping[str, float]) -> Thresholds:
    """The limits, each times its factor; a count moves by one at least, unless its factor is within a tenth of 1, and
    stays above 0."""
    changed = {}
    for name, factor in factors.items():
        limit = getattr(limits, name)
        if isinstance(limit, int):
            step = round(limit * factor) - limit
            least = int(np.sign(factor - 1)) * (abs(factor - 1) > MOVED_BY / 2)
            changed[name] = max(1, limit + (step or least))
        else:
            changed[name] = limit * factor
    return replace(limits, **changed)


def _stages(known: pl.DataFrame, limits: Thresholds) -> pl.Series:
    return staged(with_headroom(known, limits), limits)["stage"]


def _commonest_other(together: pl.DataFrame, verdict: pl.Series) -> pl.Series:
    """The stage that most of the draws give, of those that are not the verdict's; null where there is none."""
    return (
        together.with_columns(verdict=verdict)
        .with_row_index("at")
        .unpivot(index=["at", "verdict"], value_name="stage")
        .group_by("at", "verdict", "stage")
        .len()
        .filter(pl.col("stage") != pl.col("verdict"))
        .sort("at", "len", "stage", descending=[False, True, False])
        .unique("at", keep="first")
        .join(pl.DataFrame({"at": range(verdict.len())}, schema={"at": pl.UInt32}), on="at", how="right")
        .sort("at")["stage"]
    )
