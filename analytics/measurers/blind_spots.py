"""Where nobody independent measured: the newest leading models by the most used benchmarks."""

from datetime import date, timedelta

import polars as pl

from benchhealth.analytics.measurers.numbers import INDEPENDENT, MAKER, NOT_SAID
from benchhealth.analytics.record.frames import is_whole
from benchhealth.analytics.record.origins.origins import ORIGINAL
from benchhealth.analytics.record.tables import as_published
from benchhealth.analytics.record.tables.case import ALWAYS, first_case
from benchhealth.analytics.saturation.activity import RECENT_DAYS
from benchhealth.analytics.saturation.attention import MAKERS_MENTIONING

MODELS, BENCHMARKS = 20, 30
"""How many models and benchmarks the matrix of who measured what has."""

AMONG_BEST, FEWEST_BENCHMARKS = 10, 2
"""A leading model is among this many best of at least this many of the benchmarks."""

NOBODY = "nobody"
_PAIR = ["benchmark_id", "model_id"]


def blind_spots(  # noqa: PLR0913, PLR0917 - the tables that it reads
    standing_numbers: pl.DataFrame,
    position: pl.DataFrame,
    indicator: pl.DataFrame,
    benchmark: pl.DataFrame,
    model: pl.DataFrame,
    board: pl.DataFrame,
    as_of: date,
) -> pl.DataFrame:
    """Table `blind_spot`: every pair of the newest leading MODELS and the most used BENCHMARKS, and who measured it.

    The most used are curated whole benchmarks, those first that most makers showed within a year (`makers`, the
    indicator), of equals those with results of most models dated within a year (`models`). Leading models are among the
    AMONG_BEST best of FEWEST_BENCHMARKS of these or more, whoever reports it, and have a day of release; the newest
    first. `who` is independent where a known house has a standing result, under whatever condition, not said where
    only a list that names no measurer has one beside the maker, maker where all are the maker's, nobody where there is
    none; `houses` are those that measured it, `results` all that stand. `looked_on` is the
    last look at a source of independent results on the benchmark, no copies, that says who measured; `looked` whether
    the model was out by then: where it was not, an independent result may exist that could not be seen.
    """
    used = _most_used(standing_numbers, indicator, benchmark, as_of)
    looks = _last_looks(standing_numbers, board)
    leading = _newest_leading(position, used, model, as_of)
    measured = standing_numbers.group_by(_PAIR).agg(
        results=pl.col("counts").sum(),
        houses=pl.col("house").drop_nulls().unique().sort(),
        who=first_case(
            (INDEPENDENT, (pl.col("who") == INDEPENDENT).any()),
            (NOT_SAID, (pl.col("who") == NOT_SAID).any()),
            (MAKER, ALWAYS),
        ),
    )
    pairs = (
        leading.join(used, how="cross")
        .join(measured, on=_PAIR, how="left")
        .join(looks, on="benchmark_id", how="left")
        .with_columns(
            pl.col("who").fill_null(NOBODY),
            pl.col("results").fill_null(0),
            pl.col("houses").fill_null(pl.lit([], dtype=pl.List(pl.String))),
            looked=(pl.col("looked_on") >= pl.col("released_on")).fill_null(value=False),
        )
    )
    return as_published(pairs.sort("model_place", "benchmark_place"), "blind_spot")


def _last_looks(numbers: pl.DataFrame, board: pl.DataFrame) -> pl.DataFrame:
    first_hand = pl.col("basis") == ORIGINAL
    named = numbers.filter(pl.col("who") == INDEPENDENT, pl.col("house").is_not_null(), first_hand)
    independent = named.select("benchmark_id", "source_id").unique()
    boards = board.join(independent, on=["benchmark_id", "source_id"], how="semi")
    return boards.group_by("benchmark_id").agg(looked_on=pl.col("known_until").max())


def _most_used(numbers: pl.DataFrame, indicator: pl.DataFrame, benchmark: pl.DataFrame, as_of: date) -> pl.DataFrame:
    mentioned = indicator.filter(pl.col("indicator") == MAKERS_MENTIONING.key).select("benchmark_id", makers="value")
    is_recent = pl.col("dated_on").is_between(as_of - timedelta(RECENT_DAYS), as_of, closed="right")
    tried = numbers.filter(is_recent).group_by("benchmark_id").agg(models=pl.col("model_id").n_unique())
    curated = benchmark.filter("curated", is_whole())
    return (
        curated.select("benchmark_id", "n_items", "labels", "known_until")
        .join(mentioned, on="benchmark_id", how="left")
        .join(tried, on="benchmark_id", how="left")
        .with_columns(pl.col("makers", "models").fill_null(0))
        .filter((pl.col("makers") > 0) | (pl.col("models") > 0))
        .sort("makers", "models", "benchmark_id", descending=[True, True, False])
        .head(BENCHMARKS)
        .with_row_index("benchmark_place", 1)
    )


def _newest_leading(position: pl.DataFrame, used: pl.DataFrame, model: pl.DataFrame, as_of: date) -> pl.DataFrame:
    among = position.filter(pl.col("rank") <= AMONG_BEST).join(used, on="benchmark_id", how="semi")
    leading = among.group_by("model_id").len().filter(pl.col("len") >= FEWEST_BENCHMARKS)
    return (
        model.filter(pl.col("released_on") <= as_of)
        .join(leading, on="model_id", how="semi")
        .sort("released_on", "model_id", descending=[True, False])
        .head(MODELS)
        .select("model_id", "released_on", "open_weights")
        .with_row_index("model_place", 1)
    )
