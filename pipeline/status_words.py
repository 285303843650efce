"""The words of `benchhealth status`: what it gathered, for people."""

from collections import Counter
from collections.abc import Sequence

import polars as pl

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.pipeline.watching import lasted

LINES_SHOWN = 8
"""Lines of one kind; the rest is counted and listed by --json."""


def text(state: Row) -> str:
    """Everything, with what needs a hand at the end, where a terminal shows it."""
    sources = pl.DataFrame(state["sources"]).with_columns(
        pl.col("last_observed_at", "last_fetched_at").dt.strftime("%Y-%m-%d %H:%M")
    )
    lines = [
        f"generation {state['generation']}, as of {state['as_of']}",
        ", ".join(f"{count:,} {what}" for what, count in state["totals"].items()),
        "",
        _table(sources.drop("status", "cadence")),
        "",
        "most frequent rejections",
        *(f"  {row['rows']:>7,}  {row['source_id']}: {row['reason']}" for row in state["rejections"]),
        "",
        *_unknown(state["unknown_words"]),
        "last runs",
        *map(_run, state["runs"]),
        "",
        *_at_work(state),
        *_listed("notes", state["notes"]),
        *_listed("a hand is needed", state["reasons"]),
        "well" if state["well"] else f"not well: {len(state['reasons'])} of it needs a hand",
    ]
    return "\n".join(lines)


def _run(run: Row) -> str:
    took = f" in {lasted(run['ended_at'] - run['started_at'])}" if run["ended_at"] else ""
    parts = ", ".join(f"{name} {lasted(seconds)}" for name, seconds in run["phases"].items())
    detail = f"; {run['detail'].splitlines()[0]}" if run["detail"] else ""
    line = f"  {run['started_at']:%Y-%m-%d %H:%M}  {run['command']}: {run['status']}{took}"
    return f"{line}{f' ({parts})' if parts else ''}{detail}"


def _at_work(state: Row) -> list[str]:
    if not state["running"]:
        return []
    return ["running now", f"  {state['running']['text']}", f"  facts: {state['facts']}", ""]


def _listed(title: str, rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    more = [f"  and {len(rows) - LINES_SHOWN} more (--json lists them)"] if len(rows) > LINES_SHOWN else []
    return [title, *(f"  {row['text']}" for row in rows[:LINES_SHOWN]), *more, ""]


def _unknown(words: Sequence[Row]) -> list[str]:
    if not words:
        return []
    counted = Counter(word["kind"] for word in words)
    counts = ", ".join(f"{counted[kind]:,} of {kind}" for kind in sorted(counted))
    return [f"words that data/registry/word.csv does not know: {counts} (listed by --json)", ""]


def _table(frame: pl.DataFrame) -> str:
    with pl.Config(
        tbl_formatting="NOTHING",
        tbl_hide_dataframe_shape=True,
        tbl_hide_column_data_types=True,
        tbl_rows=-1,
        tbl_cols=-1,
        tbl_width_chars=160,
    ):
        return str(frame)
