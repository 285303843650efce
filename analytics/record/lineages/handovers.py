"""The breakpoints of boards as they are shown: those of each address while it led, and every handover."""

import polars as pl

from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED

MOVED, GAP = "moved", "gap"
"""The kinds of a breakpoint: another source goes on with the board; the same one does, after a silence."""


def breakpoints(frames: Frames, lineage: pl.DataFrame) -> pl.DataFrame:
    """The curated breakpoints and the handovers of the published table `lineage`, with the boards as they are shown.

    A breakpoint of an address that was a check on that day is left out: it broke nothing that is shown.
    """
    led = lineage.filter("leads").sort("board_id", "from_on")
    shown = _shown(frames.breakpoint, led, frames.result)
    both = pl.concat([shown, _handovers(led)], how="diagonal")
    return both.match_to_schema(PUBLISHED["breakpoint"], missing_columns="insert").unique(
        ["board_id", "on_date", "kind"], keep="first", maintain_order=True
    )


def _shown(curated: pl.DataFrame, led: pl.DataFrame, result: pl.LazyFrame) -> pl.DataFrame:
    """The curated rows under the lineage that their address led on that day, or the benchmark's one id."""
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
    within = (pl.col("on_date") >= pl.col("from_on")) & (pl.col("on_date") < pl.col("led_until")).fill_null(value=True)
    moved = numbered.join(spans, left_on="board_id", right_on="address").filter(within).select("place", "lineage_id")
    followed = pl.col("board_id").is_in(led["address"].implode())
    return (
        numbered.join(moved, on="place", how="left", maintain_order="left")
        .filter(pl.col("lineage_id").is_not_null() | ~followed)
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
