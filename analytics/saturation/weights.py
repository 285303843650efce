"""Open and closed weights apart: the running best of each, and how far the one follows the other in time.

Of models of which nobody says whether their weights can be had neither curve holds anything.
"""

import polars as pl

from benchhealth.analytics.packed import Rows
from benchhealth.analytics.record.evidence import MONTH_DAYS
from benchhealth.analytics.record.frontier import OF_PAST, RATING, frontier
from benchhealth.analytics.record.tables import PUBLISHED

OPEN, CLOSED = "open", "closed"
FEWEST_LEVELS = 3
"""Fewer levels than these have no median."""

_IN = "\x1f"
"""Between a benchmark and a kind of weights where the two stand for one benchmark: in no id."""


def weights_steps(  # noqa: PLR0913, PLR0917 - the inputs of the graph
    ratings: Rows,
    past: Rows,
    competitors: Rows,
    model: pl.DataFrame,
    curated_breakpoint: pl.DataFrame,
    known: pl.DataFrame,
) -> pl.DataFrame:
    """The frontier (`analytics.record.frontier`) of models with open weights, and that of models with closed ones.

    Both in the condition that the benchmark is judged by, of benchmarks that have both, carried to the day until which
    the benchmark is known. Columns of the table `weights_frontier` and `merit`.
    """
    of_model = _weights(model)
    told = competitors.lazy().select("benchmark_id", "model_id").unique().collect().join(of_model, on="model_id")
    both = told.group_by("benchmark_id").agg(kinds=pl.col("weights").n_unique()).filter(pl.col("kinds") == 2)
    rows, dated = (
        found.join(both.lazy(), on="benchmark_id", how="semi")
        .join(of_model.lazy(), on="model_id")
        .with_columns(benchmark_id=_apart())
        .collect()
        for found in (ratings.lazy(), past.lazy().select(OF_PAST))
    )
    kinds = pl.DataFrame({"weights": [CLOSED, OPEN]})
    ends = both.join(known, on="benchmark_id").join(kinds, how="cross").select("known_until", benchmark_id=_apart())
    steps = frontier(rows, dated, curated_breakpoint, ends)
    parts = pl.col("benchmark_id").str.splitn(_IN, 2).struct
    whole = steps.with_columns(weights=parts.field("field_1"), benchmark_id=parts.field("field_0"))
    return whole.select(*PUBLISHED["weights_frontier"], "merit").sort("benchmark_id", "weights", "carried", "dated_on")


def weights_frontier(weights_steps: pl.DataFrame) -> pl.DataFrame:
    """Table `weights_frontier`: `weights_steps` without what only the lag needs."""
    return weights_steps.select(PUBLISHED["weights_frontier"].names())


def weights_lag(
    weights_steps: pl.DataFrame, competitors: Rows, model: pl.DataFrame, known: pl.DataFrame
) -> pl.DataFrame:
    """How many months later models with open weights reached what models with closed weights had reached.

    For every benchmark one row, about the day `known_until`. A level is a score that was a step of either running best
    (`weights_steps`) and that both have reached; `closed_on` and `open_on` are the first days on which each was at it
    or beyond, and the lag is the time between, below 0 where open weights came first. `lag_months` is that of the
    highest such `level`; `median_months` with the quartiles `low_months` and `high_months` are those of all `n` levels,
    of three at least: they say how much the lag varies, not how sure it is. `leads` says who is beyond the level now.

    What either had reached on its own first day is no level, since it may have been there before anybody measured.
    Ratings have no lag: they move with the whole board, so the same number is another level later. Days are those of
    `history`, mostly of releases. Scores are taken as they are, without their errors, and the best of many models
    overstates: who publishes more models leads by more. `unknown_models` are those of which nobody says whether their
    weights can be had; one of them may have reached a level earlier.
    """
    told = competitors.lazy().select("benchmark_id", "model_id", "unit").unique(["benchmark_id", "model_id"]).collect()
    models = (
        told.join(_weights(model), on="model_id", how="left")
        .group_by("benchmark_id")
        .agg(
            open_models=(pl.col("weights") == OPEN).sum().cast(pl.Int64),
            closed_models=(pl.col("weights") == CLOSED).sum().cast(pl.Int64),
            unknown_models=pl.col("weights").is_null().sum().cast(pl.Int64),
            rated=(pl.col("unit") == RATING).any(),
        )
    )
    whole = models.join(known.select("benchmark_id", "known_until"), on="benchmark_id", how="left").join(
        _followed(weights_steps), on="benchmark_id", how="left"
    )
    case = (
        pl.when((pl.col("open_models") == 0) | (pl.col("closed_models") == 0))
        .then(pl.lit("one_kind_of_weights"))
        .when("rated")
        .then(pl.lit("rating_has_no_lag"))
        .when(pl.col("lag_months").is_null())
        .then(pl.lit("no_level_of_both"))
    )
    schema = PUBLISHED["weights_lag"]
    status = pl.when(case.is_null()).then(pl.lit("ok")).when("rated").then(pl.lit("not_applicable"))
    lag = [name for name in schema if name in _FOUND]
    return (
        whole.with_columns(case=case, reason=pl.lit(None, pl.String), status=status.otherwise(pl.lit("insufficient")))
        .with_columns(pl.when(pl.col("status") == "ok").then(pl.col("n", *lag)))
        .with_columns(pl.col("n").fill_null(0))
        .select(schema.names())
        .cast(schema)
        .sort("benchmark_id")
    )


_FOUND = ("level", "closed_on", "open_on", "lag_months", "median_months", "low_months", "high_months", "leads")


def _weights(model: pl.DataFrame) -> pl.DataFrame:
    kind = pl.when("open_weights").then(pl.lit(OPEN)).otherwise(pl.lit(CLOSED))
    return model.drop_nulls("open_weights").select("model_id", weights=kind)


def _apart() -> pl.Expr:
    return pl.concat_str("benchmark_id", "weights", separator=_IN)


def _followed(steps: pl.DataFrame) -> pl.DataFrame:
    """The levels that both have reached, each with its days, and of each benchmark what the lag is said with."""
    dated = steps.filter(~pl.col("carried")).sort("benchmark_id", "weights", "dated_on")
    ends = dated.group_by("benchmark_id", "weights").agg(first=pl.col("merit").first(), best=pl.col("merit").last())
    ahead = pl.when(pl.col("best").n_unique() > 1).then(pl.col("weights").sort_by("best").last())
    bounds = ends.group_by("benchmark_id").agg(pl.col("first").max(), pl.col("best").min(), leads=ahead, kinds=pl.len())
    between = (pl.col("merit") > pl.col("first")) & (pl.col("merit") <= pl.col("best")) & (pl.col("kinds") == 2)
    levels = dated.join(bounds, on="benchmark_id").filter(between)
    levels = levels.unique(["benchmark_id", "merit"], keep="first", maintain_order=True)
    wanted = levels.select("benchmark_id", level="score", at="merit")
    days = (
        wanted.join(dated.select("benchmark_id", "weights", "merit", "dated_on"), on="benchmark_id")
        .filter(pl.col("merit") >= pl.col("at"))
        .group_by("benchmark_id", "level", "at")
        .agg(
            closed_on=pl.col("dated_on").filter(pl.col("weights") == CLOSED).min(),
            open_on=pl.col("dated_on").filter(pl.col("weights") == OPEN).min(),
        )
    )
    lag = (pl.col("open_on") - pl.col("closed_on")).dt.total_days() / MONTH_DAYS
    enough = pl.len() >= FEWEST_LEVELS
    found = (
        days.with_columns(lag_months=lag)
        .sort("benchmark_id", "at")
        .group_by("benchmark_id", maintain_order=True)
        .agg(
            pl.col("level", "closed_on", "open_on", "lag_months").last(),
            n=pl.len().cast(pl.Int64),
            median_months=pl.when(enough).then(pl.col("lag_months").median()),
            low_months=pl.when(enough).then(pl.col("lag_months").quantile(0.25, "linear")),
            high_months=pl.when(enough).then(pl.col("lag_months").quantile(0.75, "linear")),
        )
    )
    return found.join(bounds.select("benchmark_id", "leads"), on="benchmark_id", how="left")
