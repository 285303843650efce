"""The stock of benchmarks: how many were in each stage, came and were used up over time, and how long bests stand."""

from datetime import date

import numpy as np
import polars as pl

from benchhealth.analytics.record.evidence import MONTH_DAYS
from benchhealth.analytics.record.frames import Frames, is_whole
from benchhealth.analytics.record.tables import PUBLISHED, empty
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.summaries.median import median_interval
from benchhealth.analytics.statistics.survival.kaplan_meier import half_life, kaplan_meier

BEGUN = date(2012, 1, 1)
"""Before, fewer than a handful of benchmarks here had results."""


def stage_stock(
    verdict_history: pl.DataFrame, benchmark: pl.DataFrame, source: pl.DataFrame, frames: Frames
) -> pl.DataFrame:
    """Table `stage_stock`: month's ends from 2012 on until the day of the newest look, each with its stages.

    Curated whole benchmarks whose history of stages has days, by the stage of the stretch that holds then;
    one whose stretch is taken back counts as what the rules said. Before its release a benchmark is none.
    """
    key = "benchmark_id"
    curated = curated_families(benchmark, frames)
    history = verdict_history.filter(pl.col("basis") == "by date", pl.col("from_on").is_not_null()).join(
        curated, on=key
    )
    until = source["known_until"].max()
    if not isinstance(until, date):
        return pl.DataFrame(schema=PUBLISHED["stage_stock"])
    ends = pl.date_range(BEGUN, until, "1mo", eager=True).dt.month_end()
    months = pl.DataFrame({"month_on": pl.concat([ends.filter(ends < until), pl.Series([until])])})
    holds = (pl.col("from_on") <= pl.col("month_on")) & (
        pl.col("until_on").is_null() | (pl.col("month_on") < pl.col("until_on"))
    )
    counted = (
        history.join(months, how="cross")
        .filter(holds)
        .group_by("month_on", "stage")
        .agg(n=pl.col(key).n_unique().cast(pl.Int64), families=pl.col("family").n_unique().cast(pl.Int64))
    )
    return counted.sort("month_on", "stage").match_to_schema(PUBLISHED["stage_stock"])


def life_years(lives: pl.DataFrame, benchmark: pl.DataFrame, source: pl.DataFrame) -> pl.DataFrame:
    """Table `life_year`: curated whole benchmarks by the year of their release and of their saturation.

    Saturated are those that the verdict calls so, in the year since which it does, whether or not they were watched
    before. Their ages are months since release, in the median over families (of each the median of its own), as those
    of one family fall together; `age_low` to `age_high` is the interval that order statistics give (`median_interval`),
    which none of fewer than six families has. It is of those that died: how old the dead of a year were, and not how
    long benchmarks last.
    """
    key = "benchmark_id"
    curated = benchmark.filter(_is_counted()).select(key)
    dated = benchmark.join(curated, on=key, how="semi").drop_nulls("released_on")
    released = dated.group_by(year=pl.col("released_on").dt.year().cast(pl.Int64)).agg(released=pl.len().cast(pl.Int64))
    dead = lives.filter("died").join(curated, on=key, how="semi")
    by_year = dead.with_columns(year=pl.col("exit_on").dt.year().cast(pl.Int64))
    ages = [_of_year(int(year), rows) for (year,), rows in by_year.group_by("year", maintain_order=True)]
    schema = PUBLISHED["life_year"]
    lasted = pl.DataFrame(
        ages, schema={name: kind for name, kind in schema.items() if name not in {"released", "known_until"}}
    )
    until = source["known_until"].max()
    last = pl.lit(until if isinstance(until, date) else None, dtype=pl.Date)
    return (
        released.join(lasted, on="year", how="full", coalesce=True)
        .with_columns(
            pl.col("released", "saturated", "families").fill_null(0),
            known_until=pl.when(pl.col("year") == last.dt.year()).then(last),
        )
        .sort("year")
        .match_to_schema(schema, extra_columns="ignore")
    )


def _of_year(year: int, rows: pl.DataFrame) -> dict[str, object]:
    ages = rows.drop_nulls("exit").group_by("family").agg(pl.col("exit").median())["exit"].sort()
    ends = median_interval(pl.Series([ages.to_list()], dtype=pl.List(pl.Float64))).row(0, named=True)
    row: dict[str, object] = {"year": year, "saturated": rows.height, "families": rows["family"].n_unique()}
    return {**row, "age": ages.median(), "age_low": ends["low"], "age_high": ends["high"]}


def curated_families(benchmark: pl.DataFrame, frames: Frames) -> pl.DataFrame:
    """Curated whole benchmarks with their family, else themselves."""
    key = "benchmark_id"
    ids = benchmark.filter(_is_counted()).select(key)
    families = frames.family.select(key, "family")
    return ids.join(families, on=key, how="left").with_columns(pl.coalesce("family", key).alias("family"))


def _is_counted() -> pl.Expr:
    """An expression for the benchmarks that are counted: curated ones that are no part of another."""
    return pl.col("curated") & is_whole()


FEWEST_SPELLS = 5
"""Fewer spells are listed and not drawn as a curve."""

RATING = "rating"


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
    if standstill.height < FEWEST_SPELLS:
        return empty("standstill_curve")
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
        .match_to_schema(PUBLISHED["standstill_curve"], extra_columns="ignore")
    )
