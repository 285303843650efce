"""Rung 1: could the answers have been in the training data at all? When training ended and what was public by then."""

import polars as pl

from benchhealth.analytics.contamination.findings import Rung, RungInputs, in_schema
from benchhealth.analytics.record.evidence import months_between
from benchhealth.analytics.record.frames import is_whole
from benchhealth.analytics.record.tables.case import ALWAYS, Case, first_case, first_of

ATTAINABLE = ("public", "mixed")
"""Labels that anybody can download, at least in part."""
WITHHELD = ("hidden", "private", "live")
"""Labels that nobody outside can have, or that were made after the models."""

AVERAGED = r"^mean of "
"""A metric that averages older tests: its own day of release says nothing about the age of its items."""

MONTH_PART = r"^([^/]+)/(?:[^/]+/)?(\d{4}-\d{2})-([a-z0-9-]+)$"
"""A part that holds the items of one month and difficulty: benchmark, month, difficulty."""


def training_ends(model: pl.DataFrame, cutoff: pl.DataFrame) -> pl.DataFrame:
    """For each model the `end` of its training data and who states it (`said_by`), else, by nobody, its release.

    `cutoff` holds what `analytics.record.model_facts` takes where sources differ; of several rows the latest counts.
    """
    stated = (
        cutoff.sort("cutoff_on", "source_id")
        .group_by("model_id", maintain_order=True)
        .agg(pl.col("cutoff_on").last(), said_by=pl.col("source_id").last())
    )
    joined = model.select("model_id", "released_on").join(stated, on="model_id", how="full", coalesce=True)
    return joined.select(
        "model_id",
        end=pl.coalesce("cutoff_on", "released_on"),
        said_by="said_by",
    ).drop_nulls("end")


def exposures(board: pl.DataFrame, facts: pl.DataFrame, ends: pl.DataFrame) -> pl.DataFrame:
    """Each (benchmark, model) of the leaderboard `board` with `end`, `said_by`, `labels` and `is_exposed`.

    Exposed: labels were public and the benchmark was out when training ended. Not exposed: the benchmark came later,
    or its labels are withheld. Null: a date or the state of the labels is unknown.
    """
    about = facts.select("benchmark_id", "labels", "metric", benchmark_released_on=pl.col("released_on"))
    pairs = (
        board.select("benchmark_id", "model_id")
        .filter(is_whole())
        .join(about, on="benchmark_id")
        .join(ends, on="model_id", how="left")
    )
    averaged = pl.col("metric").str.contains(AVERAGED).fill_null(value=False)
    later = ~averaged & (pl.col("benchmark_released_on") > pl.col("end"))
    before = pl.col("labels").is_in(ATTAINABLE) & (pl.col("benchmark_released_on") <= pl.col("end"))
    return pairs.with_columns(
        is_exposed=pl.when(pl.col("labels").is_in(WITHHELD) | later).then(False).when(before).then(True)
    ).drop("metric")


def dated_items(result: pl.LazyFrame) -> pl.DataFrame:
    """The results on parts of one month, with `whole`, `month` (its first day) and `stratum`."""
    of_models = result.filter((pl.col("kind") == "model") & pl.col("score").is_finite())
    of_months = of_models.filter(pl.col("benchmark_id").str.contains(MONTH_PART))
    named = pl.col("benchmark_id").str.extract_groups(MONTH_PART).struct
    copied = ("model_id", "score", "n_items", "snapshot_id", "source_id", "observed_at")
    return of_months.select(
        *(pl.col(name) for name in copied),
        whole=named.field("1"),
        month=pl.concat_str(named.field("2"), pl.lit("-01")).str.to_date(),
        stratum=named.field("3"),
    ).collect()


def find(inputs: RungInputs) -> pl.DataFrame:
    """Benchmarks by their labels and age; pairs by whether the benchmark was out when the model's training ended."""
    return pl.concat([in_schema(_benchmarks(inputs), RUNG.key), in_schema(exposed_pairs(inputs.exposed), RUNG.key)])


def _benchmarks(inputs: RungInputs) -> pl.DataFrame:
    until = pl.coalesce("known_until", pl.lit(inputs.as_of))
    age = months_between(pl.col("released_on"), until)
    facts = inputs.facts.join(inputs.known_until, on="benchmark_id", how="left", maintain_order="left")
    return facts.filter(pl.col("labels").is_not_null()).select(
        "benchmark_id",
        level=first_case(
            ("low", pl.col("labels").is_in(WITHHELD)),
            ("moderate", pl.col("labels").is_in(ATTAINABLE)),
            ("unknown", ALWAYS),
        ),
        value=pl.max_horizontal(age, pl.lit(0.0)),
        source_url="paper_url",
        **Case("labels_since", kind="labels", on_day="released_on", names=("refresh",)).columns(),
    )


def exposed_pairs(exposed: pl.DataFrame) -> pl.DataFrame:
    """For each model whether it can have seen each benchmark (`exposure.exposures`)."""
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


RUNG = Rung("exposure", "Exposure: labels, age and the end of training", is_test=False, find=find)
