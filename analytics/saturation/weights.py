"""Models with open weights and with closed ones: the running best of each, and how many months the first lag.

Neither curve holds results of a model where nobody states whether its weights are open.
"""

import polars as pl

from benchhealth.analytics.packed import Rows
from benchhealth.analytics.record.evidence import MONTH_DAYS
from benchhealth.analytics.record.frontier import OF_PAST, RATING, frontier
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.case import first_case
from benchhealth.analytics.statistics.survival.kaplan_meier import HalfLife
from benchhealth.analytics.statistics.survival.waits import median_wait

OPEN, CLOSED = "open", "closed"
FEWEST_LEVELS = 3
"""Levels of the best score; over fewer no median of the lag is given."""

_ID_SEPARATOR = "\x1f"
"""Joins a benchmark's id and a kind of weights into an id that `frontier` reads as a benchmark; stands in no id."""


def weights_steps(  # noqa: PLR0913, PLR0917 - the inputs of the graph
    ratings: Rows,
    history: Rows,
    competitors: Rows,
    model: pl.DataFrame,
    curated_breakpoint: pl.DataFrame,
    known_until: pl.DataFrame,
) -> pl.DataFrame:
    """The frontier (`analytics.record.frontier`) of models with open weights, and that of models with closed ones.

    Both in the condition that the benchmark is judged by, of benchmarks that have both, carried to the day until which
    the benchmark is known. Columns of the table `weights_frontier` and `merit`.
    """
    of_model = _weights(model)
    with_weights = (
        competitors.lazy().select("benchmark_id", "model_id").unique().collect().join(of_model, on="model_id")
    )
    with_both_kinds = (
        with_weights.group_by("benchmark_id").agg(kinds=pl.col("weights").n_unique()).filter(pl.col("kinds") == 2)
    )
    rows, dated = (
        results.join(with_both_kinds.lazy(), on="benchmark_id", how="semi")
        .join(of_model.lazy(), on="model_id")
        .with_columns(benchmark_id=_id_with_weights())
        .collect()
        for results in (ratings.lazy(), history.lazy().select(OF_PAST))
    )
    kinds = pl.DataFrame({"weights": [CLOSED, OPEN]})
    ends = (
        with_both_kinds.join(known_until, on="benchmark_id")
        .join(kinds, how="cross")
        .select("known_until", benchmark_id=_id_with_weights())
    )
    steps = frontier(rows, dated, curated_breakpoint, ends)
    fields = pl.col("benchmark_id").str.splitn(_ID_SEPARATOR, 2).struct
    curves = steps.with_columns(weights=fields.field("field_1"), benchmark_id=fields.field("field_0"))
    return curves.select(*PUBLISHED["weights_frontier"], "merit").sort("benchmark_id", "weights", "carried", "dated_on")


def weights_frontier(weights_steps: pl.DataFrame) -> pl.DataFrame:
    """Table `weights_frontier`: `weights_steps` without what only the lag needs."""
    return weights_steps.select(PUBLISHED["weights_frontier"].names())


def weights_lag(
    weights_steps: pl.DataFrame, competitors: Rows, model: pl.DataFrame, known_until: pl.DataFrame
) -> pl.DataFrame:
    """How many months later models with open weights reached what models with closed weights had reached.

    For every benchmark one row, about the day `known_until`. A level is a score that was a step of either running best
    (`weights_steps`); `closed_on` and `open_on` are the first days on which each was at it or beyond, and the lag is
    the time between, below 0 where open weights came first. `lag_months` is that of the highest `level` that both have
    reached, which says how far those came that were reached at all. `median_months` is the time by which open weights
    reach half of all `n` levels, three at least, with its 95% interval (`median_wait`): the `n_waiting` that they have
    not reached are waits that are not over (censored), the first of them since `waiting_months`; the `n_ahead` that
    closed weights have not reached count as waits that are not over below 0. Levels that one model passed at once are
    not independent. Without a median more than half of the waits are not over. `leads` says who is beyond the level.
    Until rules 6 levels not yet reached were left out, which are the long waits: simulated waits with a median of 8
    months then have one of 5 (tests/analytics/statistics/survival/test_waits.py).

    What either had reached on its own first day is no level, since it may have been there before anybody measured.
    Ratings have no lag: they move with the whole board, so the same number is another level later. Days are those of
    `history`, mostly of releases. Scores are taken as they are, without their errors, and the best of many models
    overstates: who publishes more models leads by more. `unknown_models` are those of which nobody says whether their
    weights can be had; one of them may have reached a level earlier.
    """
    competing = (
        competitors.lazy().select("benchmark_id", "model_id", "unit").unique(["benchmark_id", "model_id"]).collect()
    )
    models = (
        competing.join(_weights(model), on="model_id", how="left")
        .group_by("benchmark_id")
        .agg(
            open_models=(pl.col("weights") == OPEN).sum().cast(pl.Int64),
            closed_models=(pl.col("weights") == CLOSED).sum().cast(pl.Int64),
            unknown_models=pl.col("weights").is_null().sum().cast(pl.Int64),
            rated=(pl.col("unit") == RATING).any(),
        )
    )
    until = known_until.select("benchmark_id", "known_until")
    counted = models.join(until, on="benchmark_id", how="left").join(
        _lags(weights_steps, until), on="benchmark_id", how="left"
    )
    case = first_case(
        ("one_kind_of_weights", (pl.col("open_models") == 0) | (pl.col("closed_models") == 0)),
        ("rating_has_no_lag", pl.col("rated")),
        ("no_level_of_both", pl.col("lag_months").is_null()),
    )
    schema = PUBLISHED["weights_lag"]
    status = pl.when(case.is_null()).then(pl.lit("ok")).when("rated").then(pl.lit("not_applicable"))
    lag = [name for name in schema if name in _OF_LAG]
    return (
        counted.with_columns(case=case, reason=pl.lit(None, pl.String), status=status.otherwise(pl.lit("insufficient")))
        .with_columns(pl.when(pl.col("status") == "ok").then(pl.col(*_COUNTED, *lag)))
        .with_columns(pl.col(*_COUNTED).fill_null(0))
        .match_to_schema(schema, extra_columns="ignore", integer_cast="upcast")
        .sort("benchmark_id")
    )


_OF_MEDIAN = ("median_months", "low_months", "high_months")
_OF_LAG = ("level", "closed_on", "open_on", "lag_months", *_OF_MEDIAN, "waiting_months", "leads")
_COUNTED = ("n", "n_waiting", "n_ahead")


def _weights(model: pl.DataFrame) -> pl.DataFrame:
    kind = pl.when("open_weights").then(pl.lit(OPEN)).otherwise(pl.lit(CLOSED))
    return model.drop_nulls("open_weights").select("model_id", weights=kind)


def _id_with_weights() -> pl.Expr:
    return pl.concat_str("benchmark_id", "weights", separator=_ID_SEPARATOR)


def _lags(steps: pl.DataFrame, until: pl.DataFrame) -> pl.DataFrame:
    """For each benchmark the highest level that both kinds reached, and the median wait for all levels."""
    levels = _levels(steps, until)
    by_benchmark = levels.group_by("benchmark_id", maintain_order=True)
    reached_by_both = levels.drop_nulls("lag_months").sort("benchmark_id", "at")
    highest = reached_by_both.group_by("benchmark_id", maintain_order=True).agg(
        pl.col("level", "closed_on", "open_on", "lag_months").last()
    )
    medians = pl.DataFrame(
        [(benchmark_id, *_median(lags)) for (benchmark_id,), lags in by_benchmark if lags.height >= FEWEST_LEVELS],
        schema={"benchmark_id": pl.String, **dict.fromkeys(_OF_MEDIAN, pl.Float64)},
        orient="row",
    )
    counted = by_benchmark.agg(
        n=pl.len().cast(pl.Int64),
        n_waiting=pl.col("open_on").is_null().sum().cast(pl.Int64),
        n_ahead=pl.col("closed_on").is_null().sum().cast(pl.Int64),
        waiting_months=pl.col("wait").filter(pl.col("open_on").is_null()).max(),
        leads=pl.col("leads").first(),
    )
    return counted.join(highest, on="benchmark_id", how="left").join(medians, on="benchmark_id", how="left")


def _levels(steps: pl.DataFrame, until: pl.DataFrame) -> pl.DataFrame:
    """The levels that either kind reached after the first day of both, with days, and lag and `wait` in months.

    The wait is that of open weights. A level that only one kind has reached has no lag: its wait lasts until the
    benchmark's last day, and is negative where it is closed weights that have not reached it.
    """
    dated = steps.filter(~pl.col("carried")).sort("benchmark_id", "weights", "dated_on")
    ends = dated.group_by("benchmark_id", "weights").agg(first=pl.col("merit").first(), best=pl.col("merit").last())
    ahead = pl.when(pl.col("best").n_unique() > 1).then(pl.col("weights").sort_by("best").last())
    bounds = ends.group_by("benchmark_id").agg(pl.col("first").max(), leads=ahead, kinds=pl.len())
    levels = dated.join(bounds, on="benchmark_id").filter(pl.col("merit") > pl.col("first"), pl.col("kinds") == 2)
    levels = levels.unique(["benchmark_id", "merit"], keep="first", maintain_order=True)
    first_day = {
        f"{kind}_on": pl.col("dated_on").filter(pl.col("weights") == kind, pl.col("merit") >= pl.col("at")).min()
        for kind in (CLOSED, OPEN)
    }
    days = (
        levels.select("benchmark_id", "leads", level="score", at="merit")
        .join(dated.select("benchmark_id", "weights", "merit", "dated_on"), on="benchmark_id")
        .group_by("benchmark_id", "level", "at", "leads")
        .agg(**first_day)
        .join(until, on="benchmark_id", how="left")
        .sort("benchmark_id", "at")
    )
    months = (pl.col("open_on") - pl.col("closed_on")).dt.total_days() / MONTH_DAYS
    ends_on = pl.max_horizontal("known_until", "closed_on", "open_on")
    waited = pl.coalesce("open_on", ends_on) - pl.coalesce("closed_on", ends_on)
    return days.with_columns(lag_months=months, wait=waited.dt.total_days() / MONTH_DAYS)


def _median(levels: pl.DataFrame) -> HalfLife:
    """The median wait of one benchmark, in months; waits that ended on one day are one event, as are those not over."""
    is_over = levels["open_on"].is_not_null().to_numpy()
    day = levels["open_on"].cast(pl.String).fill_null("not over").to_numpy()
    return median_wait(levels["wait"].to_numpy(), is_over, day)
