"""How long models stay at the top of a leaderboard, and at which ranks they move."""

import numpy as np
import polars as pl

from benchhealth.analytics.record.boards import STATE
from benchhealth.analytics.record.tables import PUBLISHED, empty
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.survival.kaplan_meier import kaplan_meier

TOPS = (1, 3, 10)
"""The depths for which stays are measured; a board must be twice as long, or staying would be a matter of course."""

FEWEST_STAYS = 5
"""With fewer stays whose beginning was seen there is no curve worth drawing."""

BANDS = ((1, 1), (2, 3), (4, 5), (6, 10), (11, 20), (21, 50), (51, None))
"""First and last rank of the bands in which movement is reported: about equal steps of the logarithm of rank."""

FEWEST_PAIRS = 3
"""Pairs of months below which their scatter gives no interval."""

SEGMENT = ["board_id", "segment"]


def dwell(rank: pl.DataFrame, breakpoint: pl.DataFrame, board: pl.DataFrame) -> pl.DataFrame:
    """Table `dwell`: the share of stays in the top k that last longer than some days, by leaderboard.

    A stay begins on the first day on which the board shows the model at rank k or better, equals included, and ends on
    the first day on which it no longer does; the days are those of the last states of the table `rank`. Stays that last
    on the day until which the board is known (`known_until` in `board`) are censored there, those that run into a
    breakpoint when the board was last seen before it. `left_out` counts those under way
    when the board, or its stretch after a breakpoint, was first seen: nobody knows how long they had lasted, and to
    count them from that day would be to favour the long ones. Curves are those of `kaplan_meier`. Stays of one board
    end together, so its band is somewhat too narrow. A row of an infrequently seen board dates changes late.
    """
    days = _until_known(_days(rank, breakpoint), breakpoint, board)
    top = _models_on_days(rank.filter(pl.col("rank") <= max(TOPS)), days)
    curves = []
    for k in TOPS:
        for (board_id,), stays_of_board in _stays(top, days, k).group_by("board_id", maintain_order=True):
            stays = stays_of_board.filter("began", pl.col("lasted") > 0)
            if stays.height >= FEWEST_STAYS:
                lasted = stays["lasted"].to_numpy()
                curve = kaplan_meier(np.zeros(lasted.size), lasted, stays["ended"].to_numpy())
                left_out = int((~stays_of_board["began"]).sum())
                curves.append(
                    curve.rename({"months": "days"}).with_columns(
                        board_id=pl.lit(board_id), k=pl.lit(k, pl.Int64), left_out=pl.lit(left_out, pl.Int64)
                    )
                )
    if not curves:
        return empty("dwell")
    return pl.concat(curves).match_to_schema(PUBLISHED["dwell"], extra_columns="ignore").sort("board_id", "k", "days")


def volatility(rank: pl.DataFrame, breakpoint: pl.DataFrame) -> pl.DataFrame:
    """Table `volatility`: by how many ranks models move within a month, by the rank they start from.

    The last states of consecutive calendar months are compared, none across a breakpoint. `move` is the mean absolute
    change of rank of models on both; `reordered` is the same among those models alone, without the places that entrants
    take and leavers free; `gone` is the share no longer listed. `low` to `high` is the 95% t interval of `move` over
    the `pairs` of months, each counted once as its models move together; null with fewer than three.
    Source: Blumm et al. (2012), Dynamics of ranking processes in complex systems, Physical Review Letters 109, 128701.
    """
    last = pl.col("on") == pl.col("on").max().over(*SEGMENT, pl.col("on").dt.month_start())
    ends = _days(rank, breakpoint).filter(last).with_columns(month=pl.col("on").dt.month_start())
    monthly = _models_on_days(rank, ends)
    earlier = monthly.with_columns(following=pl.col("month").dt.offset_by("1mo"))
    listed = monthly.select(*SEGMENT, "month").unique()
    started = earlier.join(listed, left_on=[*SEGMENT, "following"], right_on=[*SEGMENT, "month"])
    later = monthly.select(*SEGMENT, "model_id", following="month", later="rank")
    joined = started.join(later, on=[*SEGMENT, "following", "model_id"], how="left")
    pair = [*SEGMENT, "month"]
    stayed = pl.col("later").is_not_null()
    ranked = joined.with_columns(band=_band(), kept=stayed).with_columns(
        before=pl.when("kept").then("rank").rank("average").over(pair),
        after=pl.col("later").rank("average").over(pair),
    )
    by_pair = (
        ranked.group_by(*pair, "band")
        .agg(
            move=(pl.col("later") - pl.col("rank")).abs().mean(),
            reordered=(pl.col("after") - pl.col("before")).abs().mean(),
            gone=(~pl.col("kept")).mean(),
            n=pl.len(),
        )
        .sort(*pair, "band")
    )
    summed = by_pair.group_by("board_id", "band").agg(
        pl.col("move").mean(),
        pl.col("reordered").mean(),
        pl.col("gone").mean(),
        pl.col("n").sum().cast(pl.Int64),
        spread=pl.col("move").std(),
        pairs=pl.col("move").count().cast(pl.Int64),
    )
    return _with_interval(summed)


def _with_interval(summed: pl.DataFrame) -> pl.DataFrame:
    enough = pl.col("pairs") >= FEWEST_PAIRS
    pairs = summed["pairs"].to_numpy()
    critical = student.quantile(0.975, np.maximum(pairs - 1, 1))
    half = pl.when(enough).then(pl.col("critical") * pl.col("spread") / pl.col("pairs").sqrt())
    ends = pl.DataFrame(
        [(index, first, last) for index, (first, last) in enumerate(BANDS)],
        schema={"band": pl.Int32, "rank_from": pl.Int64, "rank_to": pl.Int64},
        orient="row",
    )
    return (
        summed.with_columns(critical=pl.Series(critical, dtype=pl.Float64))
        .with_columns(low=(pl.col("move") - half).clip(0), high=pl.col("move") + half)
        .join(ends, on="band")
        .filter(pl.col("pairs") > 0)
        .sort("board_id", "rank_from")
        .match_to_schema(PUBLISHED["volatility"], extra_columns="ignore")
    )


def _band() -> pl.Expr:
    band = pl.lit(0, dtype=pl.Int32)
    for index, (first, _) in enumerate(BANDS):
        band = pl.when(pl.col("rank") >= first).then(pl.lit(index, dtype=pl.Int32)).otherwise(band)
    return band


def _days(rank: pl.DataFrame, breakpoints: pl.DataFrame) -> pl.DataFrame:
    """The last state of each day of every board seen on two or more: `board_id`, `observed_at`, `on`, the `size` of the
    board, its `segment` between breakpoints, `place` of the day in its segment, `last_place`, `last_on`, and the
    `shortest` that the board was in it."""
    states = rank.group_by("board_id", "observed_at").agg(size=pl.len())
    dated = states.with_columns(on=pl.col("observed_at").dt.date())
    daily = dated.filter(pl.col("observed_at") == pl.col("observed_at").max().over("board_id", "on"))
    followed = daily.filter(pl.len().over("board_id") > 1)
    broken = breakpoints.select("board_id", "on_date").drop_nulls().unique()
    segments = (
        followed.join(broken, on="board_id", how="left")
        .group_by("board_id", "on", "observed_at", "size")
        .agg(segment=(pl.col("on_date") <= pl.col("on")).sum().cast(pl.Int64))
    )
    return segments.with_columns(
        place=pl.col("on").rank("ordinal").over(SEGMENT).cast(pl.Int64) - 1,
        last_place=pl.len().over(SEGMENT).cast(pl.Int64) - 1,
        last_on=pl.col("on").max().over(SEGMENT),
        shortest=pl.col("size").min().over(SEGMENT),
    )


def _until_known(days: pl.DataFrame, breakpoints: pl.DataFrame, known_until: pl.DataFrame) -> pl.DataFrame:
    """The days with `last_on` moved to the day until which the board is known, where no breakpoint came before it."""
    broken = breakpoints.drop_nulls(["board_id", "on_date"]).group_by("board_id").agg(pl.col("on_date").max())
    until = known_until.group_by("board_id").agg(pl.col("known_until").max()).join(broken, on="board_id", how="left")
    newest = pl.col("last_on") == pl.col("last_on").max().over("board_id")
    stood = newest & (pl.col("on_date").is_null() | (pl.col("on_date") <= pl.col("last_on")))
    last_on = pl.when(stood).then(pl.max_horizontal("last_on", "known_until")).otherwise("last_on")
    joined = days.join(until, on="board_id", how="left", maintain_order="left")
    return joined.with_columns(last_on=last_on).drop("known_until", "on_date")


def _models_on_days(rank: pl.DataFrame, days: pl.DataFrame) -> pl.DataFrame:
    """The models on those days with their ranks."""
    return rank.select(*STATE, "model_id", "rank").join(days, on=STATE)


def _stays(listed: pl.DataFrame, days: pl.DataFrame, k: int) -> pl.DataFrame:
    """Every stay in the top k: `board_id`, whether its beginning was seen (`began`), days `lasted`, whether `ended`."""
    key = [*SEGMENT, "model_id"]
    top = listed.filter(pl.col("shortest") >= 2 * k, pl.col("rank") <= k).sort(*key, "place")
    begins = (pl.col("place") - pl.col("place").shift(1).over(key)).fill_null(2) > 1
    after = days.select(*SEGMENT, "place", following="on")
    return (
        top.with_columns(stay=begins.cum_sum())
        .group_by("stay", maintain_order=True)
        .agg(
            *(pl.col(name).first() for name in (*SEGMENT, "last_place", "last_on")),
            start=pl.col("on").first(),
            first_place=pl.col("place").first(),
            out=pl.col("place").last() + 1,
        )
        .join(after, left_on=[*SEGMENT, "out"], right_on=[*SEGMENT, "place"], how="left", maintain_order="left")
        .select(
            "board_id",
            began=pl.col("first_place") > 0,
            ended=pl.col("following").is_not_null(),
            lasted=(pl.coalesce("following", "last_on") - pl.col("start")).dt.total_days().cast(pl.Float64),
        )
    )
