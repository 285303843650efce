"""The breakpoints of boards as they are shown: those of each address while it led, and every handover.

A board may be published at several addresses (source and benchmark), one after the other. Its lineage says which of
them led, that is, gave the scores that are shown, and from which day on; the others are checks.
"""

import polars as pl

from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED

MOVED, GAP = "moved", "gap"
"""The kinds of a handover: to another address, or to the same one after days that nobody covers."""


def breakpoints(frames: Frames, lineage: pl.DataFrame) -> pl.DataFrame:
    """The curated breakpoints and the handovers of the published table `lineage`, with the boards as they are shown.

    A breakpoint of an address that was a check on that day is left out: it broke nothing that is shown.
    """
    led = lineage.filter("leads").sort("board_id", "from_on")
    curated = _curated_as_shown(frames.breakpoint, led, frames.result)
    all_breakpoints = pl.concat([curated, _handovers(led)], how="diagonal")
    return all_breakpoints.match_to_schema(PUBLISHED["breakpoint"], missing_columns="insert").unique(
        ["board_id", "on_date", "kind"], keep="first", maintain_order=True
    )


def _curated_as_shown(curated: pl.DataFrame, led: pl.DataFrame, result: pl.LazyFrame) -> pl.DataFrame:
    """The curated breakpoints with the id of the board as it is shown.

    That is the id of the lineage that the address led on the day of the breakpoint. An address outside every lineage
    has the source and benchmark of its results.
    """
    spans = led.select(
        "address", "from_on", lineage_id="board_id", led_until=pl.col("from_on").shift(-1).over("board_id")
    )
    renamed = (
        result.select("board_id", plain=pl.concat_str("source_id", pl.lit("/"), "benchmark_id"))
        .filter(pl.col("board_id") != pl.col("plain"))
        .unique()
        .collect()
        .join(led, left_on="board_id", right_on="address", how="anti")
    )
    numbered = curated.with_row_index("place")
    in_span = (pl.col("on_date") >= pl.col("from_on")) & (pl.col("on_date") < pl.col("led_until")).fill_null(value=True)
    under_lineage = (
        numbered.join(spans, left_on="board_id", right_on="address").filter(in_span).select("place", "lineage_id")
    )
    is_in_lineage = pl.col("board_id").is_in(led["address"].implode())
    return (
        numbered.join(under_lineage, on="place", how="left", maintain_order="left")
        .filter(pl.col("lineage_id").is_not_null() | ~is_in_lineage)
        .join(renamed, on="board_id", how="left", maintain_order="left")
        .with_columns(board_id=pl.coalesce("lineage_id", "plain", "board_id"))
        .select(curated.columns)
    )


def _handovers(led: pl.DataFrame) -> pl.DataFrame:
    """A breakpoint on the first day of every stretch but a lineage's first, with the days that nobody covers."""
    before = pl.col("address", "until_on").shift(1).over("board_id").name.prefix("before_")
    joined = led.with_columns(before).filter(pl.col("before_address").is_not_null())
    return joined.select(
        "board_id",
        on_date="from_on",
        kind=pl.when(pl.col("before_address") == pl.col("address")).then(pl.lit(GAP)).otherwise(pl.lit(MOVED)),
        source_url="source_url",
        case=pl.lit("handed_over"),
        until_day="before_until_on",
        names=pl.concat_list("before_address", "address", "note"),
    )
