"""The running bests of several benchmarks on one scale, and how long each took to parts of it."""

from math import inf

import polars as pl

from benchhealth.analytics.record.evidence import MONTH_DAYS
from benchhealth.dashboard.published.benchmarks import benchmarks
from benchhealth.dashboard.published.generation import ParameterError, Params, View, one_of, recently
from benchhealth.dashboard.words.text import words_within

CHOSEN, CLOCK, WEIGHTS = "benchmarks", "clock", "weights"
MOST_CURVES = 8
DEFAULT = ("mmlu", "gpqa-diamond", "hle", "frontiermath")
CLOCKS = {"release": "Since release", "calendar": "By calendar"}
TOGETHER, APART = "together", "apart"
KINDS = {TOGETHER: "All models", APART: "Open and closed weights"}
BY_WEIGHTS = "weights_frontier"
"""The published table of frontiers by open and closed weights: columns of `frontier`, and weights."""

HALF, NEARLY_ALL = 0.5, 0.9


@recently
def comparable(view: View) -> pl.DataFrame:
    """The curated benchmarks that have a ceiling and a frontier."""
    rows = benchmarks(view).filter(pl.col("curated") & pl.col("ceiling").is_not_null())
    return rows.filter(pl.col("frontier").is_not_null())


def chosen_ids(params: Params) -> list[str]:
    """The benchmarks that the parameters name, the first MOST_CURVES of them."""
    return list(dict.fromkeys(key for key in params.get(CHOSEN, ",".join(DEFAULT)).split(",") if key))[:MOST_CURVES]


@recently
def chosen_curves(view: View, params: Params) -> pl.DataFrame:
    """The `curves` that the parameters ask for; raises ParameterError where they name nothing."""
    ids = chosen_ids(params)
    rows = benchmarks(view).filter(pl.col("benchmark_id").is_in(ids))
    if rows.is_empty():
        raise ParameterError("benchmarks names no benchmark of this generation")
    one_of(params, CLOCK, tuple(CLOCKS))
    steps = view.table(BY_WEIGHTS if one_of(params, WEIGHTS, tuple(KINDS)) == APART else "frontier")
    return curves(steps.filter(pl.col("benchmark_id").is_in(ids)), rows)


def curves(steps: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """The running bests in `steps` as shares of the way from chance to the ceiling.

    `steps` is the published table `frontier`, or the one by weights; `rows` are of `published.benchmarks`. Columns:
    benchmark_id, name, weights (open, closed or all), stage, between, released_on, known_until, age_months (of what is
    known), condition (that the results share), floor (null where chance is unknown: the share then begins at the worst
    score),
    ceiling, dated_on, date_precision, months (since release; none is negative), score, share, model_id, carried.
    """
    if "weights" not in steps.columns:
        steps = steps.with_columns(weights=pl.lit("all"))
    facts = rows.select(
        *("benchmark_id", "name", "stage", "between", "released_on", "floor", "ceiling", "known_until", "age_months")
    )
    low = pl.col("floor").fill_null(0.0)
    return (
        steps.join(facts, on="benchmark_id")
        .filter(pl.col("ceiling").is_not_null() & (pl.col("ceiling") != low))
        .with_columns(
            share=((pl.col("score") - low) / (pl.col("ceiling") - low)).clip(0.0, 1.0),
            months=((pl.col("dated_on") - pl.col("released_on")).dt.total_days() / MONTH_DAYS).clip(lower_bound=0.0),
        )
        .sort("name", "benchmark_id", "weights", "dated_on", "carried")
        .select(
            *("benchmark_id", "name", "weights", "stage", "between", "released_on", "known_until", "age_months"),
            *(
                "condition",
                "floor",
                "ceiling",
                "dated_on",
                "date_precision",
                "months",
                "score",
                "share",
                "model_id",
                "carried",
            ),
        )
    )


def times(rows: pl.DataFrame) -> pl.DataFrame:
    """For each line of `curves` the months from release until half and nine tenths of the scale were reached.

    Columns: benchmark_id, name, weights, stage, between, released_on, known_until, age_months, floor, condition, share
    (the last), whole (false where the best is not among the rows, as it may not be passed on), months_to_half and
    months_to_nine_tenths (null where not reached or where the release is unknown), half_at_first and
    nine_tenths_at_first: the first dated result was there already, so the mark was reached by then and perhaps before.
    """
    moves = rows.filter(~pl.col("carried"))
    reached = []
    for mark, name in ((HALF, "half"), (NEARLY_ALL, "nine_tenths")):
        reached += [
            pl.col("months").filter(pl.col("share") >= mark).min().alias(f"months_to_{name}"),
            (pl.col("share").first() >= mark).alias(f"{name}_at_first"),
        ]
    line = ["benchmark_id", "weights"]
    facts = rows.group_by(line, maintain_order=True).agg(
        pl.col("name", "stage", "between", "released_on", "known_until", "age_months", "floor").first(),
        pl.col("condition").drop_nulls().last(),
        pl.col("share").last(),
        whole=pl.col("carried").any(),
    )
    return facts.join(moves.group_by(line).agg(*reached), on=line, how="left", maintain_order="left")


def by_pace(times_of: pl.DataFrame) -> pl.DataFrame:
    """The rows of `times` in the order of their months to half of the scale, then of their last share."""
    return times_of.sort(
        pl.col("months_to_half").fill_null(inf), "share", "name", "weights", descending=[False, True, False, False]
    )


def heading(times_of: pl.DataFrame) -> str:
    """The finding: which of those that began below half of the scale reached it fastest, and which slowest.

    Where weights are apart: which kind came first on the benchmark that was half solved first by both.
    """
    halves = times_of.filter(~pl.col("half_at_first")).drop_nulls("months_to_half").sort("months_to_half", "name")
    if set(times_of["weights"]) - {"all"}:
        with_both = halves.filter(pl.len().over("benchmark_id") == 2)
        halves = with_both.filter(pl.col("benchmark_id") == pl.col("benchmark_id").first())
    if halves.height < 2:
        return "How fast benchmarks are used up"
    fast, slow = halves.row(0, named=True), halves.row(-1, named=True)
    first, last = (round(row["months_to_half"]) for row in (fast, slow))
    early, late = (words_within(row["name"], 30) for row in (fast, slow))
    if fast["weights"] != "all":
        return f"{early} was half solved after {first} months by {fast['weights']} weights, {last} by {slow['weights']}"
    if first == last:
        return f"{early} and {late} were half solved after {first} months"
    return f"{early} was half solved after {first} months, {late} after {last}"
