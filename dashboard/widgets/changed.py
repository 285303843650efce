"""Lines that say what changed: on the page of changes, and one for a page about a benchmark."""

import polars as pl

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.published.generation import View, recently
from benchhealth.dashboard.published.happened.changes import of_benchmark
from benchhealth.dashboard.widgets import links
from benchhealth.dashboard.words.happened.changes import boards, number, subject, what_changed
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.stages import STAGE_BADGE, STAGE_SHAPE
from benchhealth.dashboard.words.text import count, markdown, words_within

SAID_OF_ONE = 3
LONG_CHANGE = 150
"""Characters of a change in a list: notes of breaks can be long."""


def mark(row: Row) -> str:
    """The sign at the left of a line, in Streamlit's markdown: stages by their shapes."""
    if row["kind"] in ("stage", "benchmark"):
        stages = [stage for stage in (row["before"], row["after"]) if stage in STAGE_SHAPE]
        return " → ".join(f":{STAGE_BADGE[stage]}[{STAGE_SHAPE[stage]}]" for stage in stages)
    signs = {
        "flag": "⚑",
        "held": ":orange[❙❙]",
        "leader": "1",
        "best": "↑",
        "best_late": "↑",
        "results": "+",
        "silent": ":orange[❙❙]",
    }
    return signs.get(row["kind"], ":gray[⊥]")


def subject_link(row: Row) -> str:
    """The subject of a line, as a link where it has a page."""
    name = f"**{markdown(subject(row))}**"
    if row["kind"] == "leader" and row["board_id"]:
        return f"[{name}]({links.address('leaderboards', board=row['board_id'])})"
    if row["benchmark_id"] and row["curated"] is not None:
        return f"[{name}]({links.address('benchmark', benchmark=row['benchmark_id'])})"
    return name


def change_line(row: Row) -> str:
    """One change as markdown: its mark, subject, sentence and number."""
    at_right = [phrase for phrase in (number(row), _day(row)) if phrase]
    endings = "".join(f" · {phrase}" for phrase in at_right)
    text = markdown(words_within(what_changed(row), LONG_CHANGE))
    return f":small[{mark(row)} {subject_link(row)} :gray[{text}{boards(row)}]{endings}]"


def _day(row: Row) -> str:
    """The day of a change that has one of its own; that of a break stands in its sentence."""
    return day_of(row["on_day"]) if "late" in row and row["kind"] != "break" else ""


@recently
def of_one(view: View, benchmark_id: str) -> str:
    """What changed lately about a benchmark, as markdown in one line; empty where nothing did."""
    rows = of_benchmark(view, benchmark_id)
    if rows.is_empty():
        return ""
    changes = [f"{markdown(what_changed(row))}" for row in rows.head(SAID_OF_ONE).iter_rows(named=True)]
    more = rows.height - SAID_OF_ONE
    further = f" and {count(more, 'more change')}" if more > 0 else ""
    newest: object = rows.select(pl.col("made_on").max()).item()
    feed = f"feed.xml?benchmark={benchmark_id}"
    return (
        f"**Changed on {day_of(newest)}:** {'; '.join(changes)}{further}. "  # type: ignore[arg-type]
        f"[All changes]({links.address('changes', benchmark=benchmark_id)}) · [feed]({feed})"
    )
