"""What happened to a benchmark once, in words."""

from collections.abc import Sequence
from datetime import date

import polars as pl

from benchhealth.analytics.aging import events
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.numbers import day_of, months, months_interval, score, stated_day
from benchhealth.dashboard.words.stages import STAGE_SHAPE
from benchhealth.dashboard.words.text import capital, count, count_clause, known_at_latest, one_line


def standstill_title(rows: pl.DataFrame) -> str:
    """How long a best score stays within error, as far as the interval of the median allows."""
    row = rows.row(0, named=True)
    middle, low, high = (row[f"median_months{end}"] for end in ("", "_low", "_high"))
    if low is None:
        return "How long a best score stays within error cannot be said yet"
    if middle is None or high is None:
        return f"Half of best scores stay within error for at least {months(low)} (95%)"
    return f"Half of best scores are beaten beyond error within {months(middle)} (95%: {months_interval(low, high)})"


def standstill_sentence(rows: pl.DataFrame, until: date | None) -> str:
    """The sentence on what the curve shows, and on what it counts as not over."""
    row = rows.row(0, named=True)
    return (
        f"{count(row['n'], 'spell')} of {count(row['benchmarks'], 'curated benchmark')} "
        f"({count(row['families'], 'family', 'families')}) from one best score to the next beyond error; "
        f"{row['n'] - row['over']:,} still run and count as longer than seen (Kaplan-Meier){known_at_latest(until)}"
    )


def successors_title(rows: pl.DataFrame) -> str:
    """How many of the successors were there before the old one was used up."""
    before = int(rows["before_its_end"].sum())
    olds = rows["benchmark_id"].n_unique()
    return f"{before} of {rows.height} successors of {count(olds, 'benchmark')} came out before the old one was used up"


def drawn_of(n_drawn: int, n_all: int) -> str:
    """A sentence on how many benchmarks are drawn, of how many; empty where all are."""
    return "" if n_drawn == n_all else f"The {n_drawn} saturated last, of {n_all}."


MONTH = 30.4375
_LATE_DAYS = 31
"""Days after the event from which on it was known late."""

HEADS = {
    events.RELEASED: "Released",
    events.FIRST: "First result",
    events.HALF: "Half the scale",
    events.RUNNING_OUT: "Running out",
    events.HUMAN: "Human line passed",
    events.CONTAMINATED: "First contamination report",
    events.SATURATED: "Saturated",
    events.SUCCESSOR: "Successor",
    events.LAST_BEST: "Last best score",
    events.LAST: "Last new result",
}
assert set(HEADS) == set(events.KINDS)

_MARKS = {
    events.RUNNING_OUT: STAGE_SHAPE["compressing"],
    events.SATURATED: STAGE_SHAPE["saturated"],
    events.CONTAMINATED: "⚑",
    events.RELEASED: "○",
    events.SUCCESSOR: "→",
}


def mark(row: Row) -> str:
    """The character that marks an event of this kind."""
    return _MARKS.get(row["kind"], "●")


def day_of_event(row: Row) -> str:
    """The day of an event, as exactly as its source states it."""
    return stated_day(row["on_day"], row["date_precision"])


def what_happened(row: Row, facts: Row) -> str:
    """The sentence after the head of an event; empty where the head is enough."""
    kind = row["kind"]
    if kind == events.SUCCESSOR:
        return f"{one_line(row['other'] or row['other_id'])} came out"
    if kind == events.RELEASED:
        return count(facts["n_items"], "item") if facts["n_items"] else ""
    if row["model_id"] is None and row["value"] is None:
        return ""
    model = one_line(row["model"] or "a model that may not be named")
    line = ""
    if kind == events.HUMAN and facts["human"] is not None:
        line = f"; people {score(facts['human'], row['unit'])}"
    if kind == events.FIRST and facts["floor"] is not None:
        line = f"; chance is {score(facts['floor'], row['unit'])}"
    return model if kind == events.LAST else f"{model}, best score of {score(row['value'], row['unit'])}{line}"


def known_since(row: Row) -> str:
    """The day on which a source here first listed the benchmark, where that was late."""
    since, on = row["seen_on"], row["on_day"]
    return f"known here since {day_of(since)}" if since is not None and (since - on).days > _LATE_DAYS else ""


def title(rows: Sequence[Row], told_on: date | None = None) -> str:
    """How many events are known over how long, and how late the data of the time showed saturation, where late.

    `told_on` is the day from which what was known then has been calling the benchmark saturated.
    """
    first, last = rows[0]["on_day"], rows[-1]["on_day"]
    ends = [row["on_day"] for row in rows if row["kind"] == events.SATURATED]
    days = (told_on - ends[-1]).days if ends and told_on is not None else 0
    late = f"; data of the time showed its saturation {months(days / MONTH)} late" if days > _LATE_DAYS else ""
    span = (last - first).days / MONTH
    over = "" if len(rows) == 1 else f" in {months(span)}" if span >= 1 else " within a month"
    return f"{count(len(rows), 'dated event')}{over}{late}"


def life_spans_finding(ended: Sequence[tuple[str, float]], n_lives: int, *, of_dated: bool = False) -> str:
    """The finding over several lives: how long those lasted that are used up; `ended` are names and months.

    `of_dated` says that others are left out, whose stages have no day.
    """
    if not ended:
        none = count_clause(0, n_lives, "benchmark", "saturated")
        return f"Where stages are dated, {none}" if of_dated else capital(none)
    clauses = [f"{name} lasted {months(age)}" for name, age in ended[:2]]
    saturated = f"; {len(ended)} of {n_lives} are saturated" if n_lives > len(ended) or len(ended) > 2 else ""
    return ", ".join(clauses) + saturated
