"""Do the best models still differ beyond error?"""

from typing import TypeVar

import numpy as np
import polars as pl

from benchhealth.analytics.record.by_item.clusters import ItemClusters, Spread
from benchhealth.analytics.record.by_item.item_results import ItemResults
from benchhealth.analytics.record.evidence import Evidence, Indicator, Unless, settle
from benchhealth.analytics.record.tables.case import Case
from benchhealth.analytics.record.tables.declared import Unit
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.units.clustered_mean import FEWEST_CLUSTERS
from benchhealth.analytics.statistics.units.rank_sets import CONFIDENCE, joint_critical_value
from benchhealth.analytics.statistics.units.ties import pairs_beyond_error

TOP_MODELS = 5
TENTH = 10


Values = TypeVar("Values", pl.Expr, Numbers)
"""Columns of a table, or arrays of draws: what is computed of them is the same."""


def error_of_difference(error: Values, other_error: Values) -> Values:
    """The standard error of the difference of two scores with independent errors.

    >>> error_of_difference(3.0, 4.0)
    5.0
    """
    return (error**2 + other_error**2) ** 0.5


def spread(difference: Values, error: Values) -> Values:
    """A difference of the best and the tenth, over what the best and the last of ten equal models differ by at most.

    That is the quantile of the studentised range, as both were found by looking at all ten.

    Of ten equal models, by the table of the range: 4.474 / sqrt(2) errors of a difference in 95 of 100 cases.

    >>> round(spread(4.474 / 2**0.5, 1.0), 3)
    1.0
    """
    return difference / (joint_critical_value(TENTH) * error)


def top_pairs(board: pl.DataFrame) -> pl.DataFrame:
    """Every pair among the top five models of each benchmark whose errors are known, and whether it `differs`.

    Reads `benchmark_id`, `place`, `score` and `error`; gives `place` and `place_other` with place < place_other.
    Two models differ where |s1 - s2| > 1.96 sqrt(e1^2 + e2^2): a z test for independent errors. Errors of models run
    on the same items are positively correlated, so the test is conservative: it claims fewer differences.
    """
    top = board.filter((pl.col("place") <= TOP_MODELS) & pl.col("error").is_not_null()).select(
        "benchmark_id", "place", "score", "error"
    )
    pairs = top.join(top, on="benchmark_id", suffix="_other").filter(pl.col("place") < pl.col("place_other"))
    difference = (pl.col("score") - pl.col("score_other")).abs()
    return pairs.with_columns(
        differs=difference > Z95 * error_of_difference(pl.col("error"), pl.col("error_other"))
    ).sort("benchmark_id", "place", "place_other")


def paired_pairs(board: pl.DataFrame, items: ItemResults) -> pl.DataFrame:
    """Every pair among the top five models of a benchmark that answered the same items, and whether it `differs`.

    Reads what `top_pairs` does, `snapshot_id` and `source_row`. The error of the difference is that of the differences
    item by item (`statistics.units.paired.difference_variances`): what is hard for both cancels.
    """
    top = board.filter(pl.col("place") <= TOP_MODELS).sort("benchmark_id", "place")
    pairs = [_PAIRS]
    for (benchmark_id,), rows in top.filter(items.are_known(top)).group_by("benchmark_id", maintain_order=True):
        pairs.append(_pairs_of(benchmark_id, rows["score"].to_numpy(), items.variances(rows), Z95))
    return pl.concat(pairs)


def clustered_pairs(board: pl.DataFrame, clusters: ItemClusters) -> pl.DataFrame:
    """`paired_pairs` with errors over clusters of items (`clustered_mean.clustered_items`), and how many `clusters`.

    Scores are those in which a missing answer counts as wrong."""
    top = board.filter(pl.col("place") <= TOP_MODELS).sort("benchmark_id", "place")
    pairs = [_PAIRS]
    by_item = top.filter(clusters.are_known(top))["benchmark_id"]
    by_cluster = top.filter(pl.col("benchmark_id").is_in(by_item.implode()))
    for (benchmark_id,), rows in by_cluster.group_by("benchmark_id", maintain_order=True):
        spread = clusters.spread(rows)
        if isinstance(spread, Spread):
            z = float(student.as_far_out(Z95, spread.degrees))
            pairs.append(_pairs_of(benchmark_id, spread.scores, spread.variances, z, spread.clusters))
    return pl.concat(pairs)


_PAIRS = pl.DataFrame(schema={"benchmark_id": pl.String, "differs": pl.Boolean, "clusters": pl.Int64})


def _pairs_of(
    benchmark_id: object, scores: Numbers, variances: Numbers, z: float, clusters: int | None = None
) -> pl.DataFrame:
    """Every pair of these scores of a benchmark whose variance is known, and whether it differs by `z` errors."""
    apart, comparable = pairs_beyond_error(scores, variances, z)
    differs = apart[comparable & np.triu(np.ones_like(comparable), 1)]
    columns = {"benchmark_id": [benchmark_id] * differs.size, "differs": differs, "clusters": [clusters] * differs.size}
    return pl.DataFrame(columns, _PAIRS.schema)


def differing_pairs(pairs: pl.DataFrame) -> pl.DataFrame:
    """For each benchmark the number of its `pairs`, and how many of them are `differing`."""
    return pairs.group_by("benchmark_id").agg(
        pairs=pl.len().cast(pl.Int64), differing=pl.col("differs").sum().cast(pl.Int64)
    )


def _pair_counts(evidence: Evidence, pairs: pl.DataFrame) -> pl.DataFrame:
    """The facts with how many models are `listed`, pairs are `wanted` among the top five, and of these differ."""
    listed = evidence.judged_board.group_by("benchmark_id").agg(models=pl.len())
    top = pl.min_horizontal(pl.col("models"), pl.lit(TOP_MODELS)).cast(pl.Int64)
    return (
        evidence.facts.join(differing_pairs(pairs), on="benchmark_id", how="left")
        .join(listed, on="benchmark_id", how="left")
        .with_columns(wanted=top * (top - 1) // 2)
    )


def _share_of_pairs(counted: pl.DataFrame, unknown: str, note: Case) -> pl.DataFrame:
    """The indicator of these pairs as `_pair_counts` gives them; `unknown` is the reason where some are not known."""
    return settle(
        counted,
        Unless(pl.col("models") < 2, "fewer_than_two"),
        Unless(pl.col("pairs") < pl.col("wanted"), unknown),
        value=pl.col("differing") / pl.col("pairs"),
        n=pl.col("pairs"),
        note=note,
    )


def _resolution(evidence: Evidence) -> pl.DataFrame:
    counted = _pair_counts(evidence, top_pairs(evidence.judged_board))
    return _share_of_pairs(counted, "errors_of_top_unknown", Case("pairs_differ", numbers=("differing",)))


def _paired_resolution(evidence: Evidence) -> pl.DataFrame:
    counted = _pair_counts(evidence, paired_pairs(evidence.judged_board, evidence.items))
    return _share_of_pairs(counted, "top_not_by_item", Case("pairs_differ_by_item", numbers=("differing",)))


def _clustered_resolution(evidence: Evidence) -> pl.DataFrame:
    pairs = clustered_pairs(evidence.judged_board, evidence.item_clusters)
    number = pairs.group_by("benchmark_id").agg(pl.col("clusters").first())
    counted = _pair_counts(evidence, pairs).join(number, on="benchmark_id", how="left")
    note = Case("pairs_differ_by_cluster", numbers=("differing", "clusters"))
    return _share_of_pairs(counted, "top_not_by_cluster", note)


def best_and_tenth(board: pl.DataFrame) -> pl.DataFrame:
    """For each benchmark how many of the ten best are listed (`models`) and how far the best is from the last of them.

    Reads what `top_pairs` does. `difference` is that of their scores, `error` its standard error.
    """
    columns = ["benchmark_id", "place", "score", "error"]
    ends = board.filter(pl.col("place") <= TENTH).select(columns).sort("place", maintain_order=True)
    return ends.group_by("benchmark_id", maintain_order=True).agg(
        pl.len().alias("models"),
        difference=(pl.col("score").first() - pl.col("score").last()).abs(),
        error=error_of_difference(pl.col("error").first(), pl.col("error").last()),
    )


def _spread(evidence: Evidence) -> pl.DataFrame:
    return settle(
        evidence.facts.join(best_and_tenth(evidence.judged_board), on="benchmark_id", how="left"),
        Unless(pl.col("models") < TENTH, "fewer_than_ten"),
        Unless(pl.col("error").is_null(), "errors_of_best_and_tenth_unknown"),
        Unless(pl.col("error") <= 0, "errors_are_zero"),
        value=spread(pl.col("difference"), pl.col("error")),
        n=pl.col("models"),
        note="over_error",
    )


SPREAD = Indicator(
    "spread_top10",
    "Best against the tenth",
    f"Difference between the best score and the tenth over {joint_critical_value(TENTH):.2f} times the standard error "
    f"of that difference: above 1 the ten are not equally good. Of ten equal models the best and the tenth differ that "
    f"much on {1 - CONFIDENCE:.0%} of boards.",
    "studentised range: Tukey 1953; conservative where errors differ: Hayter 1984, doi:10.1214/aos/1176346392",
    _spread,
    unit=Unit.TIMES_ERROR,
)
RESOLUTION = Indicator(
    "resolution_top5",
    "Resolution of the top five, unpaired",
    "Share of the pairs among the top five models whose scores differ by more than 1.96 times the standard error of "
    "their difference, as if each model had been asked other items: the same measure for every benchmark. Reported "
    "errors where the source gives them, binomial ones otherwise. Models that answer the same items err alike, so that "
    "more pairs differ beyond error than it says.",
    "z test of two independent means; Agresti & Coull 1998 at scores of exactly 0 or 1, doi:10.2307/2685469",
    _resolution,
    unit=Unit.SHARE,
)
RESOLUTION_PAIRED = Indicator(
    "resolution_top5_paired",
    "Resolution of the top five, paired",
    "Share of the pairs among the top five models whose scores differ by more than 1.96 times the standard error of "
    "their difference item by item, where both answered the same items and what each did on them is known.",
    "Miller 2024, arXiv:2411.00640; Bonett & Price 2012, doi:10.3102/1076998611411915",
    _paired_resolution,
    unit=Unit.SHARE,
)
RESOLUTION_CLUSTERED = Indicator(
    "resolution_top5_clustered",
    "Resolution of the top five, over clusters of items",
    "Share of the pairs among the top five models whose scores would differ beyond error if other clusters of items "
    "(subjects, passages, repositories) were drawn: each left out in turn, Student's t. A missing answer counts as "
    f"wrong; from {FEWEST_CLUSTERS} clusters on.",
    "jackknife over clusters: MacKinnon, Nielsen, Webb 2023, doi:10.1016/j.jeconom.2022.04.001; Miller 2024, "
    "arXiv:2411.00640",
    _clustered_resolution,
    unit=Unit.SHARE,
)
