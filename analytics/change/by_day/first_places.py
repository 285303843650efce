"""First places that changed hands, by the day on which a board showed it, and which of them are news of that day."""

from datetime import timedelta

import polars as pl

from benchhealth.analytics.change.rows import named
from benchhealth.analytics.record.frames import benchmark_of_board, is_whole, source_of_board

GAP = timedelta(days=60)
"""Where nobody looked at a copy of a board for longer, the day of the next look is not the day of the change."""

OWN_BOARD = "board"
"""The kind of source whose every version is known: between two of them its board said nothing else."""


def first_places(
    lead: pl.DataFrame, breakpoint: pl.DataFrame, source: pl.DataFrame, model: pl.DataFrame
) -> pl.DataFrame:
    """Rows of kind leader: a row of `lead` that spans no break, of a whole benchmark.

    One is `late`, found and not new, where its source is no board of its own and was not read for GAP before, or where
    that source began to read other things meanwhile (a break of a board of it of the kind `data`): the model may have
    been first for as long.
    """
    names = named(model).drop("released_on")
    moved = lead.filter(~pl.col("spans_breakpoint")).with_columns(
        said_by=source_of_board(), benchmark_id=benchmark_of_board()
    )
    reread = (
        breakpoint.filter(pl.col("kind") == "data")
        .select(said_by=source_of_board(), broke_on="on_date")
        .unique()
        .join(moved.select("said_by", "from_on", "on_date").unique(), on="said_by")
        .filter(pl.col("broke_on").is_between(pl.col("from_on"), pl.col("on_date"), closed="right"))
        .select("said_by", "from_on", "on_date", reread=pl.lit(value=True))
        .unique()
    )
    is_copy = pl.col("kind_of_source").ne_missing(OWN_BOARD)
    return (
        moved.filter(is_whole())
        .join(source.select(said_by="source_id", kind_of_source="kind"), on="said_by", how="left")
        .join(reread, on=["said_by", "from_on", "on_date"], how="left")
        .join(names, on="model_id", how="left")
        .join(names.rename({"model_id": "before", "name": "name_before"}), on="before", how="left")
        .select(
            "benchmark_id",
            "board_id",
            "model_id",
            "before",
            "beyond_noise",
            kind=pl.lit("leader"),
            after="model_id",
            on_day="on_date",
            n="could_be_first",
            late=(is_copy & (pl.col("on_date") - pl.col("from_on") > GAP)) | pl.col("reread").fill_null(value=False),
            case=pl.lit("first_then"),
            names=pl.concat_list(pl.coalesce("name", "model_id"), pl.coalesce("name_before", "before")),
        )
    )
