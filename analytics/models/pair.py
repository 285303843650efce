"""On which benchmarks two models differ beyond error, and which of them is ahead.

There are too many pairs of models to publish a table of all; what is read here is the published table `position`, so
this is asked for two models at a time.
"""

from itertools import product

import numpy as np
import polars as pl

from benchhealth.analytics.record.by_item.clusters import spread_between
from benchhealth.analytics.record.by_item.item_results import NO_ITEMS, ItemResults
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.case import ALWAYS, first_case
from benchhealth.analytics.record.tables.columns import COUNT, FLAG, NUMBER, TEXT, by_type
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS, Z95
from benchhealth.analytics.statistics.false_discovery import q_values
from benchhealth.analytics.statistics.units.least_p import limited_p
from benchhealth.analytics.statistics.units.paired import difference_variances, differing_items

FALSE_DISCOVERY_RATE = 0.05
"""The expected share of wrong ones among the benchmarks on which two models are said to differ."""

FEWEST_TASKS = 10
"""Tasks that both ran; with fewer, the scatter of their differences is itself too uncertain."""

SAME_MEASURE = 0.03
"""A benchmark is the mean of its tasks where the mean of a model's tasks is this near to its score."""

APART_SCHEMA = by_type(
    (TEXT, "benchmark_id condition"),
    (FLAG, "exposed other_exposed"),
    (NUMBER, "score other_score difference error reach"),
    (TEXT, "basis"),
    (COUNT, "clusters tasks differing"),
    (NUMBER, "p_value q_value"),
    (TEXT, "ahead"),
    (NUMBER, "correlation error_shared"),
    (TEXT, "ahead_shared"),
)
"""`difference` is above 0 where the first model is ahead, in the unit of the scores, `error` its standard error,
`reach` half of its 95% interval and `basis` what these rest on: the tasks that both ran (`tasks` of them), the same
items (on `differing` of which they did not do equally well), the `clusters` that these come in, items apart or, with no
error, nothing. `ahead` is first, other, neither (within error) or
unknown (no error). Of items apart, `error_shared` is the error if those of the two scores correlate by `correlation`,
the most that was measured on that test, or else on any that is known item by item; `ahead_shared` is `ahead` by those
errors, everything else being the same."""

_BY_ITEM = {
    "benchmark_id": pl.String,
    "item_difference": pl.Float64,
    "item_error": pl.Float64,
    "differing": pl.Int64,
    "clusters": pl.Int64,
    "cluster_degrees": pl.Float64,
}

DEGREES_OF_KNOWN_ERROR = 1e9
"""Degrees of freedom of an error that is taken as known."""

MOST_ALIKE = 0.999
"""The highest correlation of two errors: with 1 their difference would have no error."""

NO_EFFECTS = pl.DataFrame(schema=PUBLISHED["design_effect"])
"""The design effects where none was measured."""

TASKS = by_type((TEXT, "benchmark_id source_id task"), (NUMBER, "score other_score"))
"""What two models scored on the tasks of benchmarks, both in one source."""


def told_apart(  # noqa: PLR0913, PLR0917 - what is known of two models
    first_rows: pl.DataFrame,
    other_rows: pl.DataFrame,
    facts: pl.DataFrame,
    tasks: pl.DataFrame,
    items: ItemResults = NO_ITEMS,
    design_effect: pl.DataFrame = NO_EFFECTS,
) -> pl.DataFrame:
    """The benchmarks that both models have, those that tell them apart first.

    `first_rows` and `other_rows` are rows of the table `position` of one model each, `facts` the table `benchmark`,
    `tasks` what both scored on tasks in one source, `items` the rows of both in the table `item_result`,
    `design_effect` that table. Where both answered the same items, the error of the difference is that over the
    clusters of these, such as passages, subjects or repositories, and where none are known that of the differences item
    by item. Where both ran the same tasks, the difference is the mean over these, and its error follows from how the
    differences scatter from task to task (paired t): what is hard for both cancels. Elsewhere the errors of the two
    scores add as if the tests were independent, which overstates the error where the items are the same: the other end
    of what may be is where they correlate as much as on like tests (`error_shared`). No p-value is below what so many
    differing items, clusters or tasks carry. Of the benchmarks tested, those count whose Benjamini-Hochberg value is at
    most FALSE_DISCOVERY_RATE.
    """
    about = facts.select(
        "benchmark_id",
        sign=pl.when(pl.col("higher_is_better")).then(1.0).otherwise(-1.0),
        bounded=pl.col("unit").is_in(BOUNDED_UNITS).fill_null(value=False),
    )
    columns = ["benchmark_id", "condition", "exposed", "score", "error", "model_id"]
    beside = other_rows.select(
        "benchmark_id", other_exposed="exposed", other_score="score", other_error="error", other_id="model_id"
    )
    rows = first_rows.select(columns).join(beside, on="benchmark_id").join(about, on="benchmark_id")
    compared = (
        rows.with_columns(
            difference=(pl.col("score") - pl.col("other_score")) * pl.col("sign"),
            error=(pl.col("error").pow(2) + pl.col("other_error").pow(2)).sqrt(),
            together=2 * pl.col("error") * pl.col("other_error"),
        )
        .join(_correlations(rows, design_effect), on="benchmark_id", how="left")
        .join(_paired_difference(rows, tasks), on="benchmark_id", how="left")
        .join(_same_items(rows, items), on="benchmark_id", how="left")
        .with_columns(
            basis=first_case(
                ("clusters", pl.col("clusters").is_not_null()),
                ("same items", pl.col("item_error").is_not_null()),
                ("tasks", pl.col("tasks").is_not_null()),
                ("items", pl.col("error") > 0),
            ),
            difference=pl.coalesce("item_difference", "task_difference", "difference"),
            error=pl.coalesce("item_error", "task_error", "error"),
            tasks=pl.when(pl.col("item_error").is_null()).then("tasks"),
        )
        .with_columns(error=pl.when(pl.col("error") > 0).then("error"))
        .with_columns(correlation=pl.when(pl.col("bounded") & (pl.col("basis") == "items")).then("correlation"))
        .with_columns(error_shared=(pl.col("error") ** 2 - pl.col("correlation") * pl.col("together")).sqrt())
        .sort("benchmark_id")
    )
    shared = _with_p_values(compared.with_columns(error=pl.coalesce("error_shared", "error")))["ahead"]
    tested = _with_p_values(compared).with_columns(ahead_shared=shared)
    return (
        tested.sort(pl.col("q_value"), "benchmark_id", nulls_last=True).select(APART_SCHEMA.names()).cast(APART_SCHEMA)
    )


def _correlations(rows: pl.DataFrame, design_effect: pl.DataFrame) -> pl.DataFrame:
    """The most by which errors were measured to correlate on each benchmark, or else on any; below 1."""
    measured = design_effect.drop_nulls("correlation")
    of_benchmark = measured.group_by("benchmark_id").agg(pl.col("correlation").max())
    any_test = pl.lit(measured["correlation"].max(), pl.Float64)
    return (
        rows.select("benchmark_id")
        .join(of_benchmark, on="benchmark_id", how="left")
        .with_columns(correlation=pl.coalesce("correlation", any_test).clip(0.0, MOST_ALIKE))
    )


def _with_p_values(compared: pl.DataFrame) -> pl.DataFrame:
    z = (compared["difference"].abs() / compared["error"]).to_numpy()
    degrees_of_freedom = compared.select(
        free=pl.coalesce("cluster_degrees", pl.col("tasks") - 1.0).fill_null(DEGREES_OF_KNOWN_ERROR)
    )["free"].to_numpy()
    counted = pl.min_horizontal("differing", pl.coalesce("clusters", "tasks"))
    units = compared.select(n=counted.cast(pl.Float64).fill_null(np.inf))["n"].to_numpy()
    p = limited_p(2 * student.above(z, degrees_of_freedom), units, sides=2)
    significant = pl.col("q_value") <= FALSE_DISCOVERY_RATE
    return compared.with_columns(
        p_value=pl.Series(p, dtype=pl.Float64).fill_nan(None),
        q_value=q_values(pl.Series(p)),
        reach=pl.col("error") * pl.Series(student.as_far_out(Z95, degrees_of_freedom), dtype=pl.Float64),
    ).with_columns(
        ahead=first_case(
            ("unknown", pl.col("q_value").is_null()),
            ("first", significant & (pl.col("difference") > 0)),
            ("other", significant),
            ("neither", ALWAYS),
        )
    )


def _same_items(rows: pl.DataFrame, items: ItemResults) -> pl.DataFrame:
    """The difference over the items that both answered, with its error; of results that are the scores compared."""
    differences = []
    listed = items.rows.with_columns(mean=pl.Series(items.points(items.rows)) / pl.col("n_items"))
    for row in rows.filter("bounded").iter_rows(named=True):
        sides = [
            listed.filter(
                pl.col("benchmark_id") == row["benchmark_id"],
                pl.col("model_id") == model_id,
                (pl.col("mean") - score).abs() * pl.col("n_items") <= 1,
            ).sort((pl.col("mean") - score).abs(), "snapshot_id", "source_row")
            for model_id, score in ((row["model_id"], row["score"]), (row["other_id"], row["other_score"]))
        ]
        for first_row, other_row in product(range(sides[0].height), range(sides[1].height)):
            outcomes = items.outcomes(pl.concat([sides[0][first_row], sides[1][other_row]]))
            if outcomes is not None:
                n = outcomes.shape[1] + 2
                difference = float(outcomes[0].sum() - outcomes[1].sum()) / n * row["sign"]
                differing = int(differing_items(outcomes)[0, 1])
                spread = spread_between(items, pl.concat([sides[0][first_row], sides[1][other_row]]))
                clusters_and_degrees = (None, None) if spread is None else (spread.clusters, spread.degrees)
                variances = difference_variances(outcomes) if spread is None else spread.variances
                differences.append(
                    (row["benchmark_id"], difference, float(np.sqrt(variances[0, 1])), differing, *clusters_and_degrees)
                )
                break
    return pl.DataFrame(differences, schema=_BY_ITEM, orient="row")


def _paired_difference(rows: pl.DataFrame, tasks: pl.DataFrame) -> pl.DataFrame:
    """The mean difference over the tasks of a benchmark with its error, from the source with most of them."""
    difference = pl.col("task_score") - pl.col("task_other")
    wholes = rows.filter("bounded").select("benchmark_id", "score", "other_score", "sign")
    return (
        tasks.rename({"score": "task_score", "other_score": "task_other"})
        .drop_nulls(["task_score", "task_other"])
        .join(wholes, on="benchmark_id")
        .group_by("benchmark_id", "source_id")
        .agg(
            tasks=pl.len().cast(pl.Int64),
            task_difference=(difference * pl.col("sign")).mean(),
            task_error=difference.std() / pl.len().sqrt(),
            off=pl.max_horizontal(
                (pl.col("task_score").mean() - pl.col("score").first()).abs(),
                (pl.col("task_other").mean() - pl.col("other_score").first()).abs(),
            ),
        )
        .filter(pl.col("tasks") >= FEWEST_TASKS, pl.col("off") <= SAME_MEASURE, pl.col("task_error") > 0)
        .sort("benchmark_id", "tasks", "source_id", descending=[False, True, False])
        .unique("benchmark_id", keep="first", maintain_order=True)
        .drop("source_id", "off")
    )
