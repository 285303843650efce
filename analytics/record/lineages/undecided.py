"""Boards whose measurement may have changed, where no curator has decided: nothing is computed across such a day.

Results of such a board since that day are set aside until a curator decides, like those of a held version: its curve
ends the day before, and the benchmark has no verdict. Results of other boards of the benchmark go on.
"""

from dataclasses import replace
from datetime import date, timedelta

import polars as pl

from benchhealth.analytics.packed import in_runs, packed
from benchhealth.analytics.record.breakpoints import UNDECIDED
from benchhealth.analytics.record.conditions.histories import Histories, histories
from benchhealth.analytics.record.conditions.standing import standing
from benchhealth.analytics.record.frames import Frames, benchmark_of_board, source_of_board
from benchhealth.analytics.record.lineages.stretches import follow
from benchhealth.analytics.record.looks import Looks, known_by_boards

_WHOLE = pl.col("benchmark_id").str.split("/").list.first()
_WHOLE_BOARD = pl.col("board_id").str.extract("^([^/]+/[^/]+)")


def undecided(proposals: pl.DataFrame) -> pl.DataFrame:
    """The boards on which a curator has to decide; schema UNDECIDED. `proposals` are those of `breakpoints.propose`."""
    return (
        proposals.sort("board_id", "on_date")
        .group_by("board_id", maintain_order=True)
        .agg(pl.col("on_date", "kind", "case", "numbers").first(), n=pl.len())
        .with_columns(source_id=source_of_board(), benchmark_id=benchmark_of_board())
        .match_to_schema(UNDECIDED, extra_columns="ignore", integer_cast="upcast")
    )


def stopped(  # noqa: PLR0913, PLR0917 - the inputs of a step of the graph
    every_history: Histories,
    frames: Frames,
    benchmark_facts: pl.DataFrame,
    reference: pl.DataFrame,
    as_of: date,
    undecided: pl.DataFrame,
    copy: pl.DataFrame,
) -> Histories:
    """The histories; of an undecided board only with what stood before the day on which it may have changed."""
    if undecided.is_empty():
        return every_history
    is_waiting = _WHOLE.is_in(undecided["benchmark_id"].implode())
    rows = frames.result.filter(is_waiting).collect()
    before_break = standing(_before(rows, frames.lineage, undecided), frames.snapshot).lazy()
    anew = histories(replace(frames, result=before_break), benchmark_facts, reference, as_of, copy)
    return Histories(*(_with(old.filter(~is_waiting), new) for old, new in zip(every_history, anew, strict=True)))


def looks_until(every_look: Looks, competitors: pl.LazyFrame, undecided: pl.DataFrame) -> Looks:
    """The looks; for `known_until` of its benchmark an undecided board counts to the day before it may have changed."""
    if undecided.is_empty():
        return every_look
    ends = undecided.select("source_id", whole="benchmark_id", ends_on=pl.col("on_date") - timedelta(days=1))
    board = every_look.board.with_columns(whole=_WHOLE).join(ends, on=["source_id", "whole"], how="left")
    return every_look._replace(
        benchmark=known_by_boards(
            board.with_columns(known_until=pl.min_horizontal("known_until", "ends_on")).drop("whole", "ends_on"),
            competitors,
        )
    )


def _before(rows: pl.DataFrame, lineage: pl.DataFrame, waiting: pl.DataFrame) -> pl.DataFrame:
    placed = rows.with_row_index("place")
    since = waiting.select(whole_board="board_id", since="on_date")
    late = (
        follow(placed, lineage)
        .with_columns(whole_board=_WHOLE_BOARD)
        .join(since, on="whole_board")
        .filter(pl.col("observed_at").dt.date() >= pl.col("since"))
    )
    return placed.filter(~pl.col("place").is_in(late["place"].implode())).drop("place")


def _with(unchanged: pl.LazyFrame, anew: pl.LazyFrame) -> pl.LazyFrame:
    return packed(in_runs(pl.concat([unchanged, anew]), ["benchmark_id"]))
