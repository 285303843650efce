"""Benchmarks as lives: from release, through the first result that we know of, to saturation or the last result."""

import polars as pl

from analytics.evidence import Evidence, months_between
from analytics.thresholds import Thresholds

OVERALL = "all"
RELEASED = ((None, 2018, "to 2018"), (2019, 2021, "2019 to 2021"), (2022, None, "from 2022"))
"""First and last year of a release cohort: before GLUE and SuperGLUE were passed, after, and since chat models."""

ITEMS = ((None, 499, "under 500"), (500, 1_999, "500 to 1,999"), (2_000, None, "2,000 and more"))
"""Classes of test sets: 95% intervals of half a score of 50% are wider than 4.4, wider than 2.2, and narrower."""

LIFE = pl.Schema(
    {
        "benchmark_id": pl.String(),
        "released_on": pl.Date(),
        "entry": pl.Float64(),
        "exit": pl.Float64(),
        "died": pl.Boolean(),
        "cohorts": pl.List(pl.String()),
    }
)
"""One benchmark's life in months of 30.44 days since release: `entry` when it was first seen, `exit` when it was last
seen or saturated, `died` whether it saturated, and every cohort it belongs to."""


def lives(evidence: Evidence) -> pl.DataFrame:
    """The lives of all whole benchmarks with a bounded score, a day of release, a chance level and a dated result.

    A benchmark dies on the first day on which its running best leaves less than a tenth of the way from chance to the
    ceiling; where no ceiling is known it is the metric's maximum. It enters observation with its first dated result,
    not at its release: one that died before anybody reported could not have been seen, so it says nothing about the
    months before. It is censored at its last result, as nobody knows what would have been scored after that. Dead on
    entry (the first result already leaves less than a tenth) keeps `exit` equal to `entry`.
    """
    facts = _facts(evidence.facts)
    seen = evidence.past.group_by("benchmark_id").agg(first=pl.col("dated_on").min(), last=pl.col("dated_on").max())
    left = (pl.col("top") - pl.col("score")) / (pl.col("top") - pl.col("floor"))
    deaths = (
        evidence.frontier.filter(~pl.col("carried"))
        .join(facts, on="benchmark_id")
        .filter(left < Thresholds().exhausted_headroom)
        .group_by("benchmark_id")
        .agg(death=pl.col("dated_on").min())
    )
    dated = facts.join(seen, on="benchmark_id").join(deaths, on="benchmark_id", how="left")
    since = pl.col("released_on")
    entry = pl.max_horizontal(months_between(since, pl.col("first")), pl.lit(0.0))
    end = months_between(since, pl.coalesce("death", "last"))
    return (
        dated.with_columns(entry=entry, died=pl.col("death").is_not_null(), cohorts=_cohorts())
        .with_columns(exit=pl.max_horizontal(end, "entry"))
        .select(LIFE.names())
        .sort("benchmark_id")
        .match_to_schema(LIFE)
    )


def observed(life: pl.DataFrame) -> pl.DataFrame:
    """The lives that were watched for any time at all; the others tell nothing about when benchmarks die."""
    return life.filter(pl.col("exit") > pl.col("entry"))


def _facts(facts: pl.DataFrame) -> pl.DataFrame:
    """The benchmarks that can saturate, with `top`, the best attainable score."""
    whole = ~pl.col("benchmark_id").str.contains("/", literal=True)
    maximum = pl.when(pl.col("sign") > 0).then(1.0).otherwise(0.0)
    return facts.with_columns(top=pl.coalesce("ceiling", maximum)).filter(
        whole,
        pl.col("bounded"),
        pl.col("released_on").is_not_null(),
        (pl.col("top") - pl.col("floor")) * pl.col("sign") > 0,
    )


def _cohorts() -> pl.Expr:
    """Every cohort that a row of the facts belongs to; what is unknown of a benchmark puts it in none."""
    format_ = pl.when(pl.col("floor") > 0).then(pl.lit("choice")).otherwise(pl.lit("open answer"))
    return pl.concat_list(
        pl.lit(OVERALL),
        "released: " + _class_of(pl.col("released_on").dt.year(), RELEASED),
        "domain: " + pl.col("domain"),
        "labels: " + pl.col("labels"),
        "refresh: " + pl.col("refresh"),
        "items: " + _class_of(pl.col("n_items"), ITEMS),
        "format: " + format_,
    ).list.drop_nulls()


def _class_of(value: pl.Expr, classes: tuple[tuple[int | None, int | None, str], ...]) -> pl.Expr:
    named = pl.lit(None, dtype=pl.String)
    for low, high, name in classes:
        inside = value.is_not_null()
        if low is not None:
            inside &= value >= low
        if high is not None:
            inside &= value <= high
        named = pl.when(inside).then(pl.lit(name)).otherwise(named)
    return named
