"""How long the best score stands still: spells between two advances beyond error, of which the last is not over."""

import numpy as np
import polars as pl

from benchhealth.analytics.aging.stock import curated_families
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.survival.kaplan_meier import half_life, kaplan_meier

FEWEST_SPELLS = 5
"""Fewer spells are listed and not drawn as a curve."""

RATING = "rating"
MONTH_DAYS = 30.4375


def standstills(frontier_steps: pl.DataFrame, benchmark: pl.DataFrame, frames: Frames) -> pl.DataFrame:
    """Table `standstill`: for curated whole benchmarks each spell in which the best score stayed within error.

    A spell begins with the first dated best, or with an advance beyond error, and is over with the next: the first
    best that is more than 1.96 standard errors of the difference above the one that began the spell, the two held
    independent. Going forward, each end is known on its day; nothing that comes later moves it. The last spell is not
    over: it is seen until the day until which the benchmark is known (censored). Benchmarks with a step whose error
    nobody knows have no spells, nor have ratings, which move with their whole board.
    """
    key = "benchmark_id"
    counted = curated_families(benchmark, frames).join(
        benchmark.filter(pl.col("unit").fill_null("") != RATING).select(key), on=key, how="semi"
    )
    with_errors = frontier_steps.filter(pl.col("error").is_not_null().all().over(key))
    steps = with_errors.join(counted, on=key).sort(key, "carried", "dated_on", "merit")
    rows = [row for _, curve in steps.group_by(key, maintain_order=True) for row in _spells(curve)]
    return pl.DataFrame(rows, schema=PUBLISHED["standstill"]).sort(key, "from_on")


def _spells(steps: pl.DataFrame) -> list[dict[str, object]]:
    """The spells of one benchmark; `steps` by day, the carried best last."""
    moves = steps.filter(~pl.col("carried"))
    until = steps.filter("carried")["dated_on"]
    if moves.is_empty() or not until.len():
        return []
    rows: list[dict[str, object]] = []
    began = moves.row(0, named=True)
    for step in moves.iter_rows(named=True):
        reach = Z95 * float(np.hypot(step["error"], began["error"]))
        if step["merit"] - began["merit"] > reach and step["dated_on"] > began["dated_on"]:
            rows.append(_spell_row(began, step["dated_on"], is_over=True))
            began = step
    if until[0] > began["dated_on"]:
        rows.append(_spell_row(began, until[0], is_over=False))
    return rows


def _spell_row(began: dict[str, object], until: object, *, is_over: bool) -> dict[str, object]:
    days = (until - began["dated_on"]).days  # type: ignore[operator]
    same = {name: began[name] for name in ("benchmark_id", "family")}
    return {**same, "from_on": began["dated_on"], "until_on": until, "months": days / MONTH_DAYS, "over": is_over}


def standstill_curve(standstill: pl.DataFrame) -> pl.DataFrame:
    """Table `standstill_curve`: the share of spells that last longer than so many months, by Kaplan and Meier.

    Spells of one family of benchmarks are no independent ones, so that the interval is by the variance between
    families. `median_months` with its interval is where the curve and its band cross one half; null where they do not.
    """
    schema = PUBLISHED["standstill_curve"]
    if standstill.height < FEWEST_SPELLS:
        return pl.DataFrame(schema=schema)
    family = standstill["family"].rank("dense").cast(pl.Int64).to_numpy()
    curve = kaplan_meier(
        np.zeros(standstill.height), standstill["months"].to_numpy(), standstill["over"].to_numpy(), family
    )
    half = half_life(curve)
    return (
        curve.with_columns(
            n=pl.lit(standstill.height, dtype=pl.Int64),
            over=pl.lit(int(standstill["over"].sum()), dtype=pl.Int64),
            benchmarks=pl.lit(standstill["benchmark_id"].n_unique(), dtype=pl.Int64),
            families=pl.lit(standstill["family"].n_unique(), dtype=pl.Int64),
            median_months=pl.lit(half.months, dtype=pl.Float64),
            median_months_low=pl.lit(half.low, dtype=pl.Float64),
            median_months_high=pl.lit(half.high, dtype=pl.Float64),
        )
        .sort("months")
        .select(schema.names())
        .match_to_schema(schema)
    )
