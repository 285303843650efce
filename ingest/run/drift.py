"""Whether a new version of a file may follow the last good one, or must wait for a curator: pure.

The parsers refuse what they cannot read; this looks at what can be read and should not be believed unasked: a column
gone, a third of the rows gone, history rewritten, a scale that jumps, a board begun anew. One model corrected, or a
whole table rerun within its noise, is the ordinary life of a board and passes; it is counted by the indicator of
retroactive edits.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from typing import Any

import polars as pl

from benchhealth.analytics.record import steps

ROWS_LOST = 0.3
"""The share of its rows that a file may lose in one step."""

MULTIPLIED = 3.0
"""How many times as many columns (benchmarks and their parts) a file may have from one version to the next."""

_ENOUGH_ROWS = 10
"""A file of fewer rows loses a third of them with three models."""


@dataclass(frozen=True)
class Finding:
    """One reason to hold a version: the board (or `*`, the file), the kind of breakpoint it looks like, in words."""

    board_id: str
    kind: str
    reason: str

    def __str__(self) -> str:
        return f"{self.board_id}: {self.reason}" if self.board_id != "*" else self.reason


@dataclass(frozen=True)
class Scales:
    """What is known of benchmarks: `bounded` are those whose score is a fraction.

    `continuous` are those that are counted on from day to day, and stands for their parts: fractions of these move,
    often all at once, so that only their order, their unit and who is listed are looked at. Open-ended scales
    (ratings) move daily anyway and are judged the same whether counted on or not.
    """

    bounded: Set[str]
    continuous: Set[str] = frozenset()


def drift(
    before: pl.DataFrame,
    after: pl.DataFrame,
    *,
    source_id: str,
    scales: Scales,
    released: Set[str],
) -> list[Finding]:
    """The reasons to hold `after` as the next version of `before`; empty if there are none.

    Both are results of one file, `warehouse.batch.RESULT_FACT`. `released` names the board_ids (`<source>/<benchmark>`,
    or a part of one) that a curator's breakpoint between the two versions lets pass: their rows are not looked at, on
    either side.
    """
    if _is_quiet(before, after):
        return []
    old, new = (_prepared(rows, source_id, scales, released) for rows in (before, after))
    views = _views(old, new)
    findings = [*_columns(old, new), *_rows(old, new), *_scales(views), *_boards(old, views)]
    findings = findings or [*_file(old, views)]
    by_board: dict[str, Finding] = {}
    for finding in findings:
        by_board.setdefault(finding.board_id, finding)  # the first reason about a board explains the others
    return list(by_board.values())


def released_between(breakpoints: pl.DataFrame, before: date, after: date) -> set[str]:
    """The board_ids with a curated breakpoint after the day of one version up to that of the next.

    Of two versions of one day the breakpoint of that day lies between them.
    """
    on = pl.col("on_date")
    return set(breakpoints.filter(((on > before) & (on <= after)) | (on == after))["board_id"])


def held_message(findings: list[Finding], since: date, on: date) -> str:
    """What the ledger keeps, and what a curator needs in order to release the version."""
    named = [finding for finding in findings if finding.board_id != "*"]
    rows = sorted({f"{finding.board_id},{on},{finding.kind}" for finding in named}) or [f"<board_id>,{on},<kind>"]
    examples = "; ".join(map(str, findings[:_EXAMPLES_SHOWN]))
    more = f"; and {len(findings) - _EXAMPLES_SHOWN} more" if len(findings) > _EXAMPLES_SHOWN else ""
    return (
        f"{examples}{more}. The version of {since} stays in service. If this is right, add to "
        f"data/registry/breakpoint.csv, with note and source_url: {' | '.join(rows)}"
    )


_EXAMPLES_SHOWN = 3


def _is_quiet(before: pl.DataFrame, after: pl.DataFrame) -> bool:
    """Whether the versions differ too little for any reason to hold one: most do, and need no comparison of views.

    A reason takes as many rows gone as a third of the smallest file that is judged, as many new columns as show a
    pattern, as many scores moved as shift the median of the fewest that show one, or a score that moved tenfold.
    """
    common = before.join(after.select(*steps.KEY, later="score"), on=steps.KEY)
    moved = common.filter(pl.col("score") != pl.col("later"))
    ratio = pl.col("later") / pl.col("score")
    tenfold = moved.filter((ratio > 0) & ((ratio >= steps.OTHER_UNIT_RATIO) | (ratio <= 1 / steps.OTHER_UNIT_RATIO)))
    new_columns = set(after["benchmark_id"].unique()) - set(before["benchmark_id"].unique())
    return (
        before.height - common.height < min(ROWS_LOST * _ENOUGH_ROWS, steps.FEWEST_FOR_PATTERN)
        and len(new_columns) < steps.FEWEST_FOR_PATTERN
        and moved.height < steps.FEWEST_FOR_PATTERN / 2
        and tenfold.is_empty()
    )


def _prepared(rows: pl.DataFrame, source_id: str, scales: Scales, released: Set[str]) -> pl.DataFrame:
    prefix = pl.lit(f"{source_id}/")
    board = pl.col("benchmark_id").str.split("/").list.first()
    return (
        rows.filter((prefix + board).is_in(released).not_() & (prefix + pl.col("benchmark_id")).is_in(released).not_())
        .with_columns(
            step=pl.lit(0),
            board_id=prefix + board,
            part_id=prefix + pl.col("benchmark_id"),
            fraction=pl.col("benchmark_id").is_in(scales.bounded),
            counted_on=board.is_in(scales.continuous),
        )
        .with_columns(
            bounded=pl.col("fraction") & ~pl.col("counted_on"), moving=pl.col("fraction") & pl.col("counted_on")
        )
        .select(
            *("step", "board_id", "part_id", *steps.KEY, "bounded", "moving"),
            *("score", "score_published", "std_error", "n_items"),
        )
    )


def _columns(old: pl.DataFrame, new: pl.DataFrame) -> Iterator[Finding]:
    """Columns that are gone, with scores of at least a few models; or that have multiplied."""
    lost = (
        old.join(new, on="part_id", how="anti")
        .group_by("part_id")
        .agg(models=pl.col("model_id").n_unique())
        .filter(pl.col("models") >= steps.FEWEST_FOR_PATTERN)
        .sort("part_id")
    )
    for row in lost.iter_rows(named=True):
        yield Finding(row["part_id"], "data", f"column gone: {row['models']} models had a score in it, none has now")
    had, has = old["part_id"].n_unique(), new["part_id"].n_unique()
    if had and has >= had + steps.FEWEST_FOR_PATTERN and has > MULTIPLIED * had and not _of_few_models(old):
        yield Finding("*", "data", f"columns new: {has} benchmarks and parts where there were {had}")


def _rows(old: pl.DataFrame, new: pl.DataFrame) -> Iterator[Finding]:
    if old.height >= _ENOUGH_ROWS and new.height <= (1 - ROWS_LOST) * old.height:
        share = 1 - new.height / old.height
        boards = old["board_id"].unique().sort().to_list()
        reason = f"row count down by {share:.0%}: {new.height} rows where there were {old.height}"
        # A file of one board is released by that board; of several, by all whose rows went.
        for board_id in boards if len(boards) == 1 else _shrunk(old, new):
            yield Finding(board_id, "data", reason)


def _shrunk(old: pl.DataFrame, new: pl.DataFrame) -> list[str]:
    had, has = (rows.group_by("board_id").len() for rows in (old, new))
    counts = had.join(has, on="board_id", how="left", suffix="_now").fill_null(0)
    return counts.filter(pl.col("len_now") < pl.col("len"))["board_id"].sort().to_list()


_FEW_ROWS = 10_000
"""Up to this many rows one comparison of all views is faster than one for each; beyond, its joins are slower."""

_PART, _FILE = pl.col("part_id"), pl.lit("*")
_VIEWS: Mapping[str, tuple[pl.Expr, pl.Expr]] = {
    "parts": (~pl.col("moving"), _PART),
    "moving parts": (pl.col("moving"), _PART),
    "bounded boards": (pl.col("bounded"), pl.col("board_id")),
    # A task more or less moves every model's whole and nothing else: of a board with many parts, a small share.
    "wholes": (pl.col("bounded") & (pl.col("part_id") == pl.col("board_id")), pl.col("board_id")),
    "boards": (pl.lit(True), pl.col("board_id")),
    "bounded file": (pl.col("bounded"), _FILE),
    "file": (pl.lit(True), _FILE),
}
"""Which rows are compared together, by the name of the view: its rows, and what they are grouped by."""


def _views(old: pl.DataFrame, new: pl.DataFrame) -> Mapping[str, pl.DataFrame]:
    """`steps.compared` of each view, of few rows in one call: there a call costs more than its rows."""
    together = [tuple(_VIEWS)] if max(old.height, new.height) <= _FEW_ROWS else [(name,) for name in _VIEWS]
    return {name: rows for names in together for name, rows in _compared_views(old, new, names)}


def _compared_views(old: pl.DataFrame, new: pl.DataFrame, names: Sequence[str]) -> Iterator[tuple[str, pl.DataFrame]]:
    """Each view with the rows of `steps.compared`, all of them compared at once."""
    before, after = (
        pl.concat(
            rows.filter(_VIEWS[name][0]).with_columns(step=pl.lit(step), board_id=_VIEWS[name][1])
            for step, name in enumerate(names)
        )
        for rows in (old, new)
    )
    compared = steps.compared(before, after)
    for step, name in enumerate(names):
        yield name, compared.filter(step=step)


def _scales(views: Mapping[str, pl.DataFrame]) -> Iterator[Finding]:
    """Column by column: each has a unit of its own."""
    for view, jumps in (("parts", steps.is_rescaled()), ("moving parts", steps.is_other_unit())):
        rows = views[view]
        for row in _rows_by_name(rows.filter(jumps), reason=_rescaling()):
            yield Finding(row["board_id"], "scale", f"scale jumps: {row['reason']}")
        for row in _rows_by_name(rows.filter(steps.is_disordered())):
            yield Finding(
                row["board_id"], "data", f"order rewritten: rank agreement with the past is {row['agreement']:.2f}"
            )


def _boards(old: pl.DataFrame, views: Mapping[str, pl.DataFrame]) -> Iterator[Finding]:
    """Board by board, its parts taken together; open-ended scales move daily and are judged by `_scales` alone."""
    for row in _rows_by_name(views["bounded boards"].filter(steps.is_rewritten()), reason=_rewriting()):
        yield Finding(row["board_id"], "data", f"history rewritten: {row['reason']}")
    in_bulk = steps.is_rewritten() & (pl.col("rewritten") >= steps.SHARE_MOVED_IN_BULK * pl.col("common"))
    for row in _rows_by_name(views["wholes"].filter(in_bulk), reason=_rewriting()):
        yield Finding(row["board_id"], "data", f"the board's own column rewritten: {row['reason']}")
    if _of_few_models(old):
        return
    for row in _rows_by_name(views["boards"].filter(steps.is_reset()), renamed=steps.is_renamed()):
        same = f", {row['matched']} of them with the scores of one that vanished" if row["matched"] else ""
        yield Finding(
            row["board_id"], "names" if row["renamed"] else "reset", f"board begun anew: {_replaced(row)}{same}"
        )


def _file(old: pl.DataFrame, views: Mapping[str, pl.DataFrame]) -> Iterator[Finding]:
    """Many boards of a few rows each show no pattern alone, but may together."""
    rewritten = views["bounded file"].filter(steps.is_rewritten())
    for reason in rewritten.select(reason=_rewriting())["reason"]:
        for board_id in views["bounded boards"].filter(pl.col("rewritten") > 0)["board_id"]:
            yield Finding(board_id, "data", f"history of the file rewritten: {reason}")
    if _of_few_models(old):
        return
    for row in _rows_by_name(views["file"].filter(steps.is_reset())):
        for board_id in old["board_id"].unique().sort():
            yield Finding(board_id, "reset", f"file begun anew: {_replaced(row)}")


def _of_few_models(rows: pl.DataFrame) -> bool:
    """A file of one model fills up and is run again as a whole in the ordinary life of a board."""
    return rows["model_id"].n_unique() < steps.FEWEST_FOR_PATTERN


def _rows_by_name(rows: pl.DataFrame, **more: pl.Expr) -> Iterator[dict[str, Any]]:
    return rows.with_columns(**more).iter_rows(named=True)


def _replaced(row: dict[str, Any]) -> str:
    return f"{row['gone']} of {row['before']} rows vanish and {row['come']} others appear"


def _in_points(column: str) -> pl.Expr:
    """A move as text: in points (hundredths) where the unit is bounded, in the unit itself elsewhere."""
    points = (pl.col(column) * pl.when("bounded").then(100.0).otherwise(1.0)).round(2).cast(pl.String)
    return pl.when("bounded").then(points + pl.lit(" points")).otherwise(points)


def _rewriting() -> pl.Expr:
    """A sentence on how many of the common scores moved, and by how much."""
    return pl.format(
        f"{{}} of {{}} past scores edited, {{}} by {100 * steps.REWRITE_AT_LEAST:g} points or more (median {{}})",
        "edited",
        "common",
        "rewritten",
        _in_points("moved"),
    )


def _rescaling() -> pl.Expr:
    """A sentence on how many past scores move, with the median before and after."""
    return pl.format(
        "{} of {} past scores move, the median from {} to {}",
        "edited",
        "common",
        pl.col("level").round(4),
        pl.col("later_level").round(4),
    )
