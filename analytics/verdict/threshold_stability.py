"""Which verdicts depend on a threshold: the rules read again with every limit moved by up to a fifth."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

import numpy as np
import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.verdict.thresholds import LIMITS, InColumns, Thresholds
from benchhealth.analytics.verdict.verdict import SIDES_BEFORE, staged, values, with_headroom

MOVED_BY = 0.2
"""The share by which a threshold is moved, up and down."""

DRAWS = 200
"""Sets of thresholds, each drawn between a fifth less and a fifth more: a share of 97% has a standard error of 1.2."""

SETS_AT_ONCE = 20_000
"""Benchmarks times sets that are judged at once: more would only take memory."""

VERDICT, ALONE, TOGETHER = "verdict", "alone", "together"
"""What a set of thresholds is for: they are as they are, one is moved, or all are."""


def stabilities(
    observed_indicator: pl.DataFrame,
    thresholds: Thresholds,
    sides_before: pl.DataFrame,
    stability_rng: np.random.Generator,
) -> pl.DataFrame:
    """Table `verdict_stability`: for each benchmark how far its stage depends on where the thresholds were set.

    `same` is the share of `draws` sets of thresholds, all moved at once by up to a fifth, under which the stage is the
    one of the verdict; `other` the commonest other stage. `hangs_on` names the thresholds of which one alone, moved by
    a fifth up or down, changes the stage. What was before, which rules with a margin remember, stays as it is.
    """
    with_sides = values(observed_indicator, thresholds).join(
        sides_before.match_to_schema(SIDES_BEFORE), on="benchmark_id", how="left", maintain_order="left"
    )
    sets = _sets(thresholds, stability_rng)
    stages = pl.concat(
        [_stages(with_sides, some) for some in sets.iter_slices(max(1, SETS_AT_ONCE // max(1, with_sides.height)))]
    )
    verdict = stages.filter(kind=VERDICT).select("benchmark_id", verdict="stage")
    tried = stages.filter(pl.col("kind") != VERDICT).join(verdict, on="benchmark_id", maintain_order="left")
    together = tried.filter(kind=TOGETHER)
    hangs_on = tried.filter(pl.col("kind") == ALONE, pl.col("stage") != pl.col("verdict"))
    hanging = hangs_on.group_by("benchmark_id", maintain_order=True).agg(
        hangs_on=pl.col("name").unique(maintain_order=True)
    )
    return (
        together.group_by("benchmark_id")
        .agg(stage=pl.col("verdict").first(), same=(pl.col("stage") == pl.col("verdict")).mean())
        .with_columns(draws=pl.lit(DRAWS, dtype=pl.Int64))
        .join(_commonest_other(together), on="benchmark_id", how="left")
        .join(hanging, on="benchmark_id", how="left")
        .with_columns(pl.col("hangs_on").fill_null([]))
        .match_to_schema(PUBLISHED["verdict_stability"], extra_columns="ignore")
        .sort("benchmark_id")
    )


def _sets(limits: Thresholds, rng: np.random.Generator) -> pl.DataFrame:
    """Every set of thresholds that is tried: `kind`, `name` of the one that is moved alone, and `limit.<name>`."""
    single_moves = [(ALONE, name, {name: factor}) for name in names() for factor in (1 - MOVED_BY, 1 + MOVED_BY)]
    drawn = rng.uniform(1 - MOVED_BY, 1 + MOVED_BY, (DRAWS, len(names())))
    together = [(TOGETHER, None, dict(zip(names(), row, strict=True))) for row in drawn]
    return pl.DataFrame(
        [
            {
                "kind": kind,
                "name": name,
                **{f"limit.{limit}": float(value) for limit, value in asdict(moved_limits(limits, moves)).items()},
            }
            for kind, name, moves in [(VERDICT, None, {}), *single_moves, *together]
        ],
        schema={"kind": pl.String(), "name": pl.String(), **{f"limit.{limit}": pl.Float64() for limit in names()}},
    )


def _stages(numbers: pl.DataFrame, sets: pl.DataFrame) -> pl.DataFrame:
    """The `stage` of every benchmark under every one of these sets."""
    sets_and_numbers = sets.join(numbers, how="cross", maintain_order="left_right")
    stages = staged(with_headroom(sets_and_numbers, InColumns()), InColumns())
    return stages.select("benchmark_id", "kind", "name", "stage")


def names() -> Sequence[str]:
    """The names of the thresholds that are moved to see whether verdicts depend on them."""
    return tuple(asdict(LIMITS))


def moved_limits(limits: Thresholds, factors: Mapping[str, float]) -> Thresholds:
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


def _commonest_other(together: pl.DataFrame) -> pl.DataFrame:
    """`other`: the stage that most of the draws give, of those that are not the verdict's, where there is one."""
    return (
        together.filter(pl.col("stage") != pl.col("verdict"))
        .group_by("benchmark_id", "stage")
        .len()
        .sort("benchmark_id", "len", "stage", descending=[False, True, False])
        .unique("benchmark_id", keep="first")
        .select("benchmark_id", other="stage")
    )
