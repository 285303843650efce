"""Rung 1: could the answers have been in the training data at all?"""

import polars as pl

from benchhealth.analytics.contamination.dates import ATTAINABLE, WITHHELD
from benchhealth.analytics.contamination.findings import Rung, RungInputs, shaped
from benchhealth.analytics.record.evidence import months_between
from benchhealth.analytics.record.tables.case import Case, first_of


def find(inputs: RungInputs) -> pl.DataFrame:
    """Benchmarks by their labels and age; pairs by whether the benchmark was out when the model's training ended."""
    return pl.concat([shaped(_benchmarks(inputs), RUNG.key), shaped(pairs(inputs.exposed), RUNG.key)])


def _benchmarks(inputs: RungInputs) -> pl.DataFrame:
    until = pl.coalesce("known_until", pl.lit(inputs.as_of))
    age = months_between(pl.col("released_on"), until)
    facts = inputs.facts.join(inputs.known_until, on="benchmark_id", how="left", maintain_order="left")
    return facts.filter(pl.col("labels").is_not_null()).select(
        "benchmark_id",
        level=pl.when(pl.col("labels").is_in(WITHHELD))
        .then(pl.lit("low"))
        .when(pl.col("labels").is_in(ATTAINABLE))
        .then(pl.lit("moderate"))
        .otherwise(pl.lit("unknown")),
        value=pl.max_horizontal(age, pl.lit(0.0)),
        source_url="paper_url",
        **Case("labels_since", kind="labels", on_day="released_on", names=("refresh",)).named(),
    )


def pairs(exposed: pl.DataFrame) -> pl.DataFrame:
    """Of each model whether it can have seen each benchmark, as `dates.exposures` tells."""
    dated_pairs = exposed.drop_nulls("is_exposed")
    withheld = pl.col("labels").is_in(WITHHELD).fill_null(value=False)
    code = pl.when("is_exposed").then(pl.lit("out_before_end")).otherwise(pl.lit("out_after_end"))
    dated = Case(code, on_day="benchmark_released_on", until_day="end", names=("said_by",))
    return dated_pairs.select(
        "benchmark_id",
        "model_id",
        *first_of([(withheld, Case("labels_withheld", kind="labels"))], otherwise=dated),
        level=pl.when("is_exposed").then(pl.lit("moderate")).otherwise(pl.lit("low")),
        value=months_between(pl.col("benchmark_released_on"), pl.col("end")),
    )


RUNG = Rung(
    "exposure",
    "Exposure: labels, age and the end of training",
    "Low where the test's labels are withheld, or where the benchmark came out after the model's training ended; "
    "moderate where anybody could have trained on it. The value is for how many months the benchmark has been out "
    "on the day until which it is known (for a model: had been out when its training data ended; negative where it "
    "came later). Exposure makes contamination possible and is no sign of it, so it never raises the overall risk.",
    "the registry, and what sources state about the end of training data; where none does, the model's release",
    is_test=False,
    find=find,
)
