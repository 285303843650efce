"""Where each model stands on each curated benchmark: its rank, and how far behind the best of its day and of today.

The day of a model is that of its release, or of its result where no release is known. The best of its day is the best
score of the *other* models that were out by then, as they stand now, whenever they were measured: so an old model that
was measured late is held against its own time. Behind is negative for a model that was ahead.
"""

import numpy as np
import polars as pl

from benchhealth.analytics.contamination.exposure import exposures, training_ends
from benchhealth.analytics.packed import Rows
from benchhealth.analytics.record.by_item.item_results import NO_ITEMS, ItemResults
from benchhealth.analytics.record.frames import Frames, is_whole
from benchhealth.analytics.record.frontier import RATING
from benchhealth.analytics.record.lineages.one_id import RELEASE
from benchhealth.analytics.record.origins.sides import is_by_others, is_makers
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.case import first_case
from benchhealth.analytics.statistics.units.rank_sets import items_asked, rank_intervals

FEWEST_RIVALS = 5
"""Models on a benchmark, or out by a day, from which on somebody is best of them: as for any statement about a top."""

_PAIR = ["benchmark_id", "model_id"]
_NOBODY = 2**31
"""The place of a model that has none: after all others."""


def positions(
    history: Rows, benchmark_facts: pl.DataFrame, frames: Frames, items: ItemResults = NO_ITEMS
) -> pl.DataFrame:
    """Table `position`: one row for each model and curated whole benchmark on which it has a standing result.

    Results count under the condition by which the benchmark is judged. The score is the model's best. The ranks that
    the errors allow are those of `rank_intervals`, for the model alone and (`_joint`) for all at once; `paired` says
    with how many others it was compared item by item. `error` is its standard error, `behind_then` and `behind_now` are
    in the score's own unit, higher is further behind, with their standard errors as if the two tests were independent;
    null with fewer than FEWEST_RIVALS models by then. `reporter` is self, others, both, or null where nobody says who
    measured; `self_score` and `other_score` the best of each side, `self_above` how far the first is better, `quoted`
    where both print one and the same number. `exposed` says whether it could have seen the items. `superseded`: the
    model has a result on a later release of the same benchmark, which then counts alone in `summaries`. `listed`: a
    newest snapshot has the model, so that the indicator `n_models` counts it; `n_models` here counts those that are
    listed no more as well.
    """
    counted = _frontier_results(history, benchmark_facts)
    best = _with_days(_best(counted), frames.model)
    exposed = exposures(best, benchmark_facts, training_ends(frames.model, frames.cutoff)).select(
        *_PAIR, exposed="is_exposed"
    )
    return (
        _with_rivals(_with_ranks(best, items), ("then", "now"))
        .drop("reporter")
        .join(_sides(counted), on=_PAIR, how="left")
        .join(exposed, on=_PAIR, how="left")
        .with_columns(superseded=_superseded_models())
        .sort(*_PAIR)
        .match_to_schema(PUBLISHED["position"], extra_columns="ignore", integer_cast="upcast")
    )


def listed_by_others() -> pl.Expr:
    """Of rows of `position` the models that a decision counts: listed now, and measured by others.

    A number that the maker prints too is not taken for another's.
    """
    return pl.col("listed") & pl.col("other_score").is_not_null() & ~pl.col("quoted").fill_null(value=False)


def _frontier_results(history: Rows, facts: pl.DataFrame) -> pl.DataFrame:
    """The results that count for a frontier, of curated whole benchmarks; of ratings those of today's board."""
    curated = facts.filter("curated", is_whole()).select("benchmark_id")
    best_listed = pl.col("merit").filter("listed").max().over("benchmark_id")
    stands = pl.col("listed") | ((pl.col("unit") != RATING) & (pl.col("merit") <= best_listed))
    return history.lazy().join(curated.lazy(), on="benchmark_id", how="semi").filter(stands).collect()


def _superseded_models() -> pl.Expr:
    benchmark = pl.col("benchmark_id")
    last = benchmark.max().over("model_id", benchmark.str.replace(RELEASE, ""))
    return benchmark.str.contains(RELEASE) & (benchmark < last)


def _best(counted: pl.DataFrame) -> pl.DataFrame:
    """The best result of each model on each benchmark, with `place` among its benchmark's: 1 is best, no ties."""
    order = ["benchmark_id", "merit", "error", "model_id", "source_id", "setting", "source_row"]
    descending = [False, True, False, False, False, False, False]
    return (
        counted.with_columns(pl.col("listed").any().over(_PAIR))
        .sort(order, descending=descending, nulls_last=True)
        .unique(_PAIR, keep="first", maintain_order=True)
        .with_columns(place=pl.int_range(1, pl.len() + 1).over("benchmark_id"), n_models=pl.len().over("benchmark_id"))
    )


def _with_days(best: pl.DataFrame, model: pl.DataFrame) -> pl.DataFrame:
    released = model.select("model_id", model_released_on="released_on")
    joined = best.join(released, on="model_id", how="left", maintain_order="left")
    return joined.with_columns(out_on=pl.coalesce("model_released_on", "dated_on"))


def _with_ranks(best: pl.DataFrame, items: ItemResults) -> pl.DataFrame:
    """`rank`, equal scores sharing the best, with the ranks that the errors allow; rows are ordered by benchmark."""
    names = ("rank_low", "rank_high", "rank_low_joint", "rank_high_joint", "paired")
    ranks = [np.empty((len(names), 0))]
    for _, rows in best.group_by("benchmark_id", maintain_order=True):
        errors = rows["error"].fill_null(np.nan).to_numpy()
        shared = items.variances(rows) if items.are_known(rows).any() else None
        n_paired = np.zeros(rows.height) if shared is None else np.maximum(np.isfinite(shared).sum(axis=1) - 1, 0)
        sets = rank_intervals(rows["merit"].to_numpy(), errors, paired=shared, items=items_asked(rows))
        ranks.append(np.stack([*sets, n_paired]))
    columns = zip(names, np.concatenate(ranks, axis=1), strict=True)
    return best.with_columns(
        *(pl.Series(name, values).fill_nan(None).cast(pl.Int64) for name, values in columns),
        rank=pl.col("merit").rank("min", descending=True).over("benchmark_id").cast(pl.Int64),
    )


def _with_rivals(best: pl.DataFrame, clocks: tuple[str, ...]) -> pl.DataFrame:
    """How far behind the best other model of each clock: its `n_`, `rival_`, `best_` and `behind_` columns."""
    placed = best.join(_leads(best), on=["benchmark_id", "out_on"], how="left", maintain_order="left").with_columns(
        n_now="n_models", first_now=pl.lit(1, dtype=pl.Int64), second_now=pl.lit(2, dtype=pl.Int64)
    )
    for clock in clocks:
        first, second = pl.col(f"first_{clock}"), pl.col(f"second_{clock}")
        rival = best.select(
            "benchmark_id", pl.col("place").alias("other"), pl.col("model_id").alias(f"rival_{clock}"),
            pl.col("score").alias(f"best_{clock}"), rival_merit="merit", rival_error="error",
        )  # fmt: skip
        rival_place = pl.when(pl.col("place") == first).then(second).otherwise(first)
        placed = (
            placed.with_columns(other=pl.when(pl.col(f"n_{clock}") >= FEWEST_RIVALS).then(rival_place))
            .join(rival, on=["benchmark_id", "other"], how="left", maintain_order="left")
            .with_columns(
                (pl.col("rival_merit") - pl.col("merit")).alias(f"behind_{clock}"),
                (pl.col("error").pow(2) + pl.col("rival_error").pow(2)).sqrt().alias(f"behind_{clock}_error"),
            )
            .drop("other", "rival_merit", "rival_error")
        )
    return placed


def _leads(best: pl.DataFrame) -> pl.DataFrame:
    """For each benchmark and day on which a model came out the two best places by then, and of how many models."""
    by_place = pl.col("place")
    days = (
        best.drop_nulls("out_on")
        .group_by("benchmark_id", "out_on")
        .agg(first=by_place.min(), second=by_place.bottom_k(2).max(), come=pl.len())
        .with_columns(second=pl.when(pl.col("come") > 1).then("second").otherwise(_NOBODY))
        .sort("benchmark_id", "out_on")
    )
    before = pl.col("first").cum_min().shift(1, fill_value=_NOBODY)
    # Whoever is not first by then is what the first displaced, or came second on a day.
    displaced = pl.max_horizontal("first", before.over("benchmark_id"))
    return days.select(
        "benchmark_id",
        "out_on",
        first_then=pl.col("first").cum_min().over("benchmark_id"),
        second_then=pl.min_horizontal("second", displaced).cum_min().over("benchmark_id"),
        n_then=pl.col("come").cum_sum().over("benchmark_id"),
    )


def _sides(counted: pl.DataFrame) -> pl.DataFrame:
    """What makers report and what others measured, each side's best.

    Of neither side is what was submitted to a board, maybe not by the maker, or is passed on by who did not measure it.
    """
    printed = pl.col("merit").round(6)  # 86.3% and 0.863 are one number
    ordered = counted.sort("merit", "error", descending=[True, False], nulls_last=True)
    sides = [
        ordered.filter(chosen)
        .group_by(_PAIR)
        .agg(
            pl.col("score").first().alias(f"{name}_score"),
            pl.col("merit").first().alias(f"{name}_merit"),
            pl.col("error").first().alias(f"{name}_error"),
            printed.alias(f"{name}_printed"),
        )
        for name, chosen in (("self", is_makers()), ("other", is_by_others()))
    ]
    joined = sides[0].join(sides[1], on=_PAIR, how="full", coalesce=True)
    by_self, by_other = pl.col("self_score").is_not_null(), pl.col("other_score").is_not_null()
    return joined.with_columns(
        reporter=first_case(("both", by_self & by_other), ("self", by_self), ("others", by_other)),
        self_above=pl.col("self_merit") - pl.col("other_merit"),
        self_above_error=(pl.col("self_error").pow(2) + pl.col("other_error").pow(2)).sqrt(),
        quoted=pl.col("self_printed").list.set_intersection("other_printed").list.len() > 0,
    ).drop("self_printed", "other_printed")
