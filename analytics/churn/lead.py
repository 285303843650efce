"""Every time that first place changed hands on a leaderboard, and whether the errors carry it."""

import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED


def lead_changes(rank: pl.DataFrame, breakpoint: pl.DataFrame) -> pl.DataFrame:
    """Table `lead`: one row for each day on which a board shows another first than on the day before it was seen.

    States are the last of each day. Where models share first place, it changed hands if none of those that shared it
    does so still; the first by name stands for them. `kind` says how: `left` (the former first is listed no more),
    `entered` (the new one was not listed before) or `passed`. `beyond_noise` is whether the errors of the new state
    rule out that the former first is first still; null where it left or has no known error; `beyond_clusters` whether
    they do over other clusters of items, null where these are not known. A change with a breakpoint
    in between (`spans_breakpoint`) is a change of scale, names, data or rules and of nothing else: its kind is null.
    `could_be_first` counts the models that are tied for first on the new state (the first tier).
    """
    states = _last_of_days(rank)
    firsts = (
        states.filter(pl.col("rank") == 1)
        .group_by("board_id", "on_date")
        .agg(models=pl.col("model_id").sort())
        .sort("board_id", "on_date")
        .with_columns(
            from_on=pl.col("on_date").shift().over("board_id"), were=pl.col("models").shift().over("board_id")
        )
    )
    moved = firsts.filter(pl.col("models").list.set_intersection("were").list.len() == 0).select(
        "board_id", "from_on", "on_date", model_id=pl.col("models").list.first(), before=pl.col("were").list.first()
    )
    listed = states.select("board_id", "on_date", "model_id", "rank_low", "rank_low_clustered")
    new_names = {"model_id": "before", "rank_low": "low_now", "rank_low_clustered": "low_clustered"}
    former = listed.rename(new_names).with_columns(still=True)
    earlier = listed.select("board_id", "model_id", from_on="on_date", listed_before=pl.lit(value=True))
    could_be = states.group_by("board_id", "on_date").agg(could_be_first=(pl.col("tier") == 1).sum().cast(pl.Int64))
    joined = (
        moved.join(former, on=["board_id", "on_date", "before"], how="left")
        .join(earlier, on=["board_id", "from_on", "model_id"], how="left")
        .join(could_be, on=["board_id", "on_date"])
        .join(_spanning(moved, breakpoint), on=["board_id", "on_date"], how="left")
        .with_columns(pl.col("spans_breakpoint").fill_null(value=False))
    )
    kind = (
        pl.when(pl.col("still").is_null())
        .then(pl.lit("left"))
        .when(pl.col("listed_before").is_null())
        .then(pl.lit("entered"))
        .otherwise(pl.lit("passed"))
    )
    schema = PUBLISHED["lead"]
    return (
        joined.with_columns(
            kind=pl.when(~pl.col("spans_breakpoint")).then(kind),
            beyond_noise=pl.when(~pl.col("spans_breakpoint")).then(pl.col("low_now") > 1),
            beyond_clusters=pl.when(~pl.col("spans_breakpoint")).then(pl.col("low_clustered") > 1),
        )
        .select(schema.names())
        .match_to_schema(schema)
        .sort("board_id", "on_date")
    )


def _last_of_days(rank: pl.DataFrame) -> pl.DataFrame:
    dated = rank.with_columns(on_date=pl.col("observed_at").dt.date())
    return dated.filter(pl.col("observed_at") == pl.col("observed_at").max().over("board_id", "on_date"))


def _spanning(moved: pl.DataFrame, breakpoints: pl.DataFrame) -> pl.DataFrame:
    breaks = breakpoints.select("board_id", broke_on="on_date").join(moved, on="board_id")
    spanned = breaks.filter(pl.col("broke_on").is_between(pl.col("from_on"), pl.col("on_date"), closed="right"))
    return spanned.select("board_id", "on_date", spans_breakpoint=pl.lit(value=True)).unique()
