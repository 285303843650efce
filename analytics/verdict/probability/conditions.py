"""The other conditions by which each benchmark could be judged, and the weight of each."""

import polars as pl

from benchhealth.analytics.record.conditions.kinds import words_of
from benchhealth.analytics.record.conditions.recognise import EXCLUDED, UNSTATED
from benchhealth.analytics.record.conditions.references import TOP
from benchhealth.analytics.record.current import leaderboard, newest

_PAIR = ["benchmark_id", "condition"]

OTHER_MEASURES = ("subset", "attempts")
"""Kinds of conditions under which something else is measured: a part of the test, or whether one of several attempts is
right. No benchmark could be judged by those instead."""


def other_conditions(mixed: pl.DataFrame, reference: pl.DataFrame, rules: pl.DataFrame) -> pl.DataFrame:
    """Leaderboards of each `benchmark_id` under every stated `condition` that has a top five and is not its reference.

    `mixed` are the ranked results of benchmarks of several conditions, `rules` the table of conditions. OTHER_MEASURES
    are left out. `row_id` names the benchmark and the condition.
    """
    rows = newest(mixed).filter(~pl.col("condition").is_in([UNSTATED, EXCLUDED]))
    sizes = rows.group_by(_PAIR).agg(models=pl.col("model_id").n_unique())
    could_be = (
        sizes.filter(pl.col("models") >= TOP)
        .join(reference, on=_PAIR, how="anti")
        .join(words_of(sizes, rules).filter(pl.col("kind").is_in(OTHER_MEASURES)), on=_PAIR, how="anti")
        .select(_PAIR)
    )
    named = rows.join(could_be, on=_PAIR).with_columns(of_benchmark="benchmark_id")
    board = leaderboard(named.with_columns(benchmark_id=pl.format("{} {}", "benchmark_id", "condition")))
    return board.rename({"benchmark_id": "row_id", "of_benchmark": "benchmark_id"})


def weights(board: pl.DataFrame, others: pl.DataFrame) -> pl.DataFrame:
    """`row_id`, `benchmark_id` and `weight` of each condition: its share of the models under any of them.

    `board` is that of the references, whose `row_id` is the benchmark itself.
    """
    of_reference = board.group_by("benchmark_id").agg(models=pl.len()).with_columns(row_id="benchmark_id")
    of_others = others.group_by("row_id", "benchmark_id").agg(models=pl.len())
    every = pl.concat([of_reference.select("row_id", "benchmark_id", "models"), of_others])
    share = pl.col("models") / pl.col("models").sum().over("benchmark_id")
    return every.with_columns(weight=share).sort("benchmark_id", "row_id")
