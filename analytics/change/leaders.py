"""Another model first on a board: beyond noise where the errors rule out that the one before is first still."""

import polars as pl

from benchhealth.analytics.change.previous import Tables
from benchhealth.analytics.change.rows import named
from benchhealth.analytics.record.frames import benchmark_of_board, is_whole

_STATE = ["board_id", "model_id", "rank_low", "tier", "observed_at"]


def leader_changes(before: Tables, after: Tables) -> pl.DataFrame:
    """Rows of kind leader, for boards that said something new.

    A board whose scale, names, data or rules broke since then is not compared: the break is a change of its own. A
    model that is no longer known at all went by another name. Where the one before is listed no more, the change is
    beyond noise if nobody else can be first.
    """
    now, past = _newest(after["rank"]), _newest(before["rank"])
    first, was = _first(now), _first(past).rename({"model_id": "before", "observed_at": "seen_before"})
    moved = first.join(was.select("board_id", "before", "seen_before"), on="board_id").filter(
        pl.col("model_id") != pl.col("before"), pl.col("observed_at") > pl.col("seen_before")
    )
    names = named(after["model"]).drop("released_on")
    still = now.select("board_id", before="model_id", low_now="rank_low")
    joined = (
        moved.join(_broken(after, moved), on="board_id", how="anti")
        .join(still, on=["board_id", "before"], how="left")
        .join(names, on="model_id", how="left")
        .join(names.rename({"model_id": "before", "name": "name_before"}), on="before")
        .filter(pl.col("name").ne_missing(pl.col("name_before")))
        .with_columns(benchmark_id=benchmark_of_board())
        .filter(is_whole())
    )
    return joined.select(
        "benchmark_id",
        "board_id",
        "model_id",
        "before",
        kind=pl.lit("leader"),
        after="model_id",
        beyond_noise=pl.when(pl.col("low_now").is_not_null())
        .then(pl.col("low_now") > 1)
        .when(pl.col("rank_low").is_not_null())
        .then(pl.col("could_be_first") == 1),
        on_day=pl.col("observed_at").dt.date(),
        n=pl.col("tied_first"),
        case=pl.lit("first_since"),
        names=pl.concat_list(pl.coalesce("name", "model_id"), "name_before"),
    )


def _newest(rank: pl.DataFrame) -> pl.DataFrame:
    """The rows of `rank` at the newest state of every board."""
    newest = rank.filter(pl.col("observed_at") == pl.col("observed_at").max().over("board_id"))
    return newest.select(*_STATE, "rank").sort("board_id", "rank", "model_id")


def _first(newest: pl.DataFrame) -> pl.DataFrame:
    """Who is first on each board, how many could be by themselves, and how many are tied for first all at once."""
    could_be = newest.group_by("board_id").agg(
        could_be_first=(pl.col("rank_low") == 1).sum().cast(pl.Int64),
        tied_first=(pl.col("tier") == 1).sum().cast(pl.Int64),
    )
    first = newest.filter(pl.col("rank") == 1).unique("board_id", keep="first", maintain_order=True)
    return first.select(_STATE).join(could_be, on="board_id")


def _broken(after: Tables, moved: pl.DataFrame) -> pl.DataFrame:
    breaks = after["breakpoint"].select("board_id", "on_date").join(moved, on="board_id")
    between = pl.col("on_date").is_between(pl.col("seen_before").dt.date(), pl.col("observed_at").dt.date(), "right")
    return breaks.filter(between).select("board_id").unique()
