"""The panel: listed models that somebody else than their maker measured on every one of some benchmarks."""

from collections.abc import Sequence

import polars as pl

from benchhealth.analytics.models.position import listed_by_others
from benchhealth.dashboard.published.generation import View, recently

ERRORS_OF_95 = 1.96
"""Standard errors on either side of a 95% interval."""

_MEASURED = """
    SELECT p.benchmark_id, p.condition, p.model_id, coalesce(m.name, p.model_id) AS model,
        p.other_score, p.other_error, p.quoted, p.listed
    FROM position p LEFT JOIN model m ON m.model_id = p.model_id
    WHERE p.benchmark_id = ANY($ids)
    ORDER BY p.benchmark_id, p.other_score DESC, p.model_id
"""


@recently
def independent_scores(view: View, ids: tuple[str, ...]) -> pl.DataFrame:
    """What others measured of listed models on these benchmarks, each in the one condition that decides.

    Columns: benchmark_id, condition, model_id, model, score, low and high (its 95% interval, null where no error is
    known), within the scale of what has one. A number that a maker prints too is not taken for another's.
    """
    rows = view.query(_MEASURED, ids=sorted(ids))
    score, reach = pl.col("other_score"), ERRORS_OF_95 * pl.col("other_error")
    return rows.filter(listed_by_others()).select(
        "benchmark_id", "condition", "model_id", "model", score=score, low=score - reach, high=score + reach
    )


def counts(rows: pl.DataFrame, n_benchmarks: int) -> dict[int, int]:
    """How many of these models are on all `n_benchmarks`, and on two or more where there are three or more."""
    on = rows.group_by("model_id").agg(on=pl.len())
    return {
        least: on.filter(pl.col("on") >= least).height for least in dict.fromkeys((n_benchmarks, min(n_benchmarks, 2)))
    }


def complete(rows: pl.DataFrame, ids: Sequence[str], least: int | None = None) -> pl.DataFrame:
    """The rows of `independent_scores` whose model is on `least` of these benchmarks or more, on all without it.

    Models stand in the order of their scores on the first benchmark, those that are not on it last.
    """
    wanted = len(ids) if least is None else least
    on = rows.group_by("model_id").agg(
        on=pl.len(), first=pl.col("score").filter(pl.col("benchmark_id") == ids[0]).first()
    )
    retained = rows.join(on.filter(pl.col("on") >= wanted), on="model_id", how="inner")
    order = pl.col("benchmark_id").replace_strict(
        {benchmark_id: index for index, benchmark_id in enumerate(ids)}, return_dtype=pl.Int64
    )
    return retained.sort(
        pl.col("first"), "model", "model_id", order, descending=[True, False, False, False], nulls_last=True
    ).drop("first", "on")
