"""Benchmarks as lives: from release, through the first result that we know of, to saturation or the last look."""

import polars as pl

from benchhealth.analytics.aging.deaths import believed, deaths
from benchhealth.analytics.record.evidence import MONTH_DAYS, Evidence, months_between
from benchhealth.analytics.verdict.thresholds import Thresholds

OVERALL = "all"
RELEASED = ((None, 2018, "to 2018"), (2019, 2021, "2019 to 2021"), (2022, None, "from 2022"))
"""First and last year of a release cohort: before GLUE and SuperGLUE were passed, after, and since chat models."""

ITEMS = ((None, 499, "under 500"), (500, 1_999, "500 to 1,999"), (2_000, None, "2,000 and more"))
"""Classes of test sets: 95% intervals of half a score of 50% are wider than 4.4, wider than 2.2, and narrower."""

CHOICE = 0.05
"""A chance of a twentieth or more is that of picking among options; below it answers are written."""

LIFE = pl.Schema(
    {
        "benchmark_id": pl.String(),
        "released_on": pl.Date(),
        "entry": pl.Float64(),
        "exit": pl.Float64(),
        "died": pl.Boolean(),
        "abandoned": pl.Boolean(),
        "cohorts": pl.List(pl.String()),
        "domain": pl.String(),
        "labels": pl.String(),
        "refresh": pl.String(),
        "n_items": pl.Int64(),
        "format": pl.String(),
    }
)
"""One benchmark's life in months of 30.44 days since release: `entry` when it was first watched, `exit` when it was
last seen or saturated, `died` whether it saturated, `abandoned` whether it became dormant instead, every cohort it
belongs to, and the traits they are of."""


def lives(evidence: Evidence, model: pl.DataFrame) -> pl.DataFrame:
    """The lives of all whole benchmarks with a bounded score, a day of release, a chance level and five dated models.

    A benchmark dies on the first day on which the verdict would have called it saturated (`deaths.deaths`); no score
    that only a model's own maker reports counts until somebody else reports as high a one (`deaths.believed`, with the
    table `model` for the makers). It enters observation on the first day on which it could have been called so: when
    it had five models, and not before it was three months old. One that was saturated before that could not have been
    seen alive, so it says nothing about the months before; it keeps `exit` equal to `entry`. A life is censored on the
    day until which the benchmark is known, or on the one on which it became dormant: after a year without a result
    nobody knows what would be scored; such a one is `abandoned`. To censor it at its last result would be to look
    ahead, as on that day nobody could tell that it was the last. Where no ceiling is known it is the metric's maximum.
    """
    facts = _facts(evidence.facts)
    past = evidence.past.drop_nulls("dated_on").join(facts, on="benchmark_id", how="semi")
    results = believed(past, model)
    dated = (
        facts.join(_enough(results), on="benchmark_id")
        .join(_watched(past, evidence.known), on="benchmark_id")
        .join(deaths(evidence, facts, results), on="benchmark_id", how="left")
    )
    since = pl.col("released_on")
    entry = pl.max_horizontal(months_between(since, pl.col("enough")), pl.lit(Thresholds().young_months))
    end = months_between(since, pl.coalesce("death", "watched"))
    return (
        dated.with_columns(
            entry=entry,
            died=pl.col("death").is_not_null(),
            abandoned=pl.col("dormant") & pl.col("death").is_null(),
            cohorts=_cohorts(),
            format=_format(),
        )
        .with_columns(exit=pl.max_horizontal(end, "entry"))
        .select(LIFE.names())
        .sort("benchmark_id")
        .match_to_schema(LIFE)
    )


def _watched(past: pl.DataFrame, known: pl.DataFrame) -> pl.DataFrame:
    """For each benchmark `watched`, the last day on which it was known and not dormant, and whether it is `dormant`."""
    lapse = pl.duration(days=round(Thresholds().dormant_months * MONTH_DAYS))
    newest = past.group_by("benchmark_id").agg(dormant_on=pl.col("dated_on").max() + lapse)
    return newest.join(known, on="benchmark_id").select(
        "benchmark_id",
        watched=pl.min_horizontal("known_until", "dormant_on"),
        dormant=pl.col("dormant_on") <= pl.col("known_until"),
    )


def _enough(results: pl.DataFrame) -> pl.DataFrame:
    """For each benchmark `enough`, the day on which it had as many models as a verdict asks for."""
    first = results.group_by("benchmark_id", "model_id").agg(on=pl.col("believed_on").min())
    nth = Thresholds().min_models - 1
    nth_model = first.group_by("benchmark_id").agg(enough=pl.col("on").sort().get(nth, null_on_oob=True))
    return nth_model.drop_nulls("enough")


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
    return pl.concat_list(
        pl.lit(OVERALL),
        "released: " + class_of(pl.col("released_on").dt.year(), RELEASED),
        "domain: " + pl.col("domain"),
        "labels: " + pl.col("labels"),
        "refresh: " + pl.col("refresh"),
        "items: " + class_of(pl.col("n_items"), ITEMS),
        "format: " + _format(),
    ).list.drop_nulls()


def _format() -> pl.Expr:
    return pl.when(pl.col("floor") >= CHOICE).then(pl.lit("choice")).otherwise(pl.lit("open answer"))


def class_of(value: pl.Expr, classes: tuple[tuple[int | None, int | None, str], ...]) -> pl.Expr:
    """The name of the class (first value, last value, name) that a number falls into; null where it is unknown."""
    named = pl.lit(None, dtype=pl.String)
    for low, high, name in classes:
        inside = value.is_not_null()
        if low is not None:
            inside &= value >= low
        if high is not None:
            inside &= value <= high
        named = pl.when(inside).then(pl.lit(name)).otherwise(named)
    return named
