"""Another best score of a benchmark: a record, one found late, one taken back, or a scale that moved."""

from datetime import timedelta

import polars as pl

from benchhealth.analytics.change.previous import Tables
from benchhealth.analytics.change.rows import intervals_part, named, scale_breaks
from benchhealth.analytics.record.current import CONTINUOUS
from benchhealth.analytics.record.frames import is_whole
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS

LATE_REPORT = timedelta(days=183)

_CASES = {
    "best": "best_now",
    "best_late": "best_found_late",
    "best_lost": "best_taken_back",
    "rescale": "scale_moved",
    "condition": "condition_changed",
}
"""The case of table `change` for each kind of change of a best score."""


def best_changes(before: Tables, after: Tables) -> pl.DataFrame:
    """Rows of the kinds best, best_late, best_lost, rescale and condition, of whole benchmarks.

    `best` is a record: a better score under the same condition. `best_late` is a better one that is LATE_REPORT older
    than the day until which the benchmark was known, or not younger than the score it replaces: news of our knowledge
    and not of the world. `best_lost` is a worse one: the source corrected or took back what was best. Open-ended scores
    are refitted with every version, and those of a benchmark that is counted on move by design: there a new number of
    the same model, or a worse best of a bounded one, is none of these. One across a breakpoint of scale or rules is a
    `rescale`, never a record. Where the condition that a benchmark is judged by is another, the two are not compared
    (`condition`). A change is beyond noise where the 95% intervals of the two do not meet, and not known to be where
    one of them has none.
    """
    now, past = _best(after), _best(before)
    facts = after["benchmark"].select(
        "benchmark_id", "unit", "refresh", higher=pl.col("higher_is_better").fill_null(value=True)
    )
    until = before["verdict"].select("benchmark_id", known_before="known_until")
    both = (
        now.join(past, on="benchmark_id", suffix="_before")
        .filter(is_whole())
        .join(facts, on="benchmark_id", how="left")
        .join(until, on="benchmark_id", how="left")
        .join(_breaks(after), on="benchmark_id", how="left")
        .join(named(after["model"]), on="model_id", how="left")
        .with_columns(kind=_kind())
        .drop_nulls("kind")
    )
    is_score = pl.col("kind").str.starts_with("best")
    return both.select(
        "benchmark_id",
        "model_id",
        "kind",
        "value",
        "low",
        "high",
        "value_before",
        "low_before",
        "high_before",
        before=pl.when(pl.col("kind") == "condition").then("condition_before").otherwise("model_id_before"),
        after=pl.when(pl.col("kind") == "condition").then("condition").otherwise("model_id"),
        beyond_noise=pl.when(is_score).then(intervals_part()),
        on_day="dated_on",
        until_day="broke_on",
        case=pl.col("kind").replace_strict(_CASES, return_dtype=pl.String),
        names=pl.when(pl.col("kind") == "condition")
        .then(pl.concat_list("condition", "condition_before"))
        .otherwise(pl.concat_list(pl.coalesce("name", "model_id"))),
        numbers=pl.concat_list(
            pl.coalesce(pl.col("released_on").dt.year(), pl.col("dated_on").dt.year()).cast(pl.Float64)
        ),
    )


def _best(tables: Tables) -> pl.DataFrame:
    """Each benchmark's best score with its interval, the model, its day and the condition."""
    value = (pl.col("indicator") == "frontier") & (pl.col("status") == "ok")
    scores = tables["indicator"].filter(value).select("benchmark_id", "value", "low", "high")
    steps = tables["frontier"].drop_nulls("score")
    held = steps.filter("carried").select("benchmark_id", "model_id", "condition", "score")
    dated = steps.filter(~pl.col("carried")).group_by("benchmark_id", "model_id", "score").agg(pl.col("dated_on").min())
    with_days = held.join(dated, on=["benchmark_id", "model_id", "score"], how="left")
    return scores.join(with_days.unique("benchmark_id", keep="first", maintain_order=True), on="benchmark_id")


def _breaks(after: Tables) -> pl.DataFrame:
    """The last day on which the scale of a board of each benchmark broke."""
    return scale_breaks(after["breakpoint"]).group_by("benchmark_id").agg(broke_on=pl.col("on_date").max())


def _kind() -> pl.Expr:
    higher, lower = pl.col("value") > pl.col("value_before"), pl.col("value") < pl.col("value_before")
    better = pl.when("higher").then(higher).otherwise(lower)
    bounded = pl.col("unit").is_in(BOUNDED_UNITS)
    counted_on = pl.col("refresh").eq_missing(CONTINUOUS)
    same = pl.col("model_id") == pl.col("model_id_before")
    late = (pl.col("dated_on") <= pl.col("known_before") - LATE_REPORT) | (
        pl.col("dated_on") <= pl.col("dated_on_before")
    )
    return (
        pl.when(pl.col("condition").ne_missing(pl.col("condition_before")))
        .then(pl.lit("condition"))
        .when(pl.col("value") == pl.col("value_before"))
        .then(None)
        .when(pl.col("broke_on") > pl.col("known_before"))
        .then(pl.lit("rescale"))
        .when((~bounded.fill_null(value=False) & same) | (counted_on & (same | ~better)))
        .then(None)
        .when(~better)
        .then(pl.lit("best_lost"))
        .when(late)
        .then(pl.lit("best_late"))
        .otherwise(pl.lit("best"))
    )
