"""How many benchmarks there were in each stage, how long best scores stand, and who took over, in words."""

from datetime import date

import polars as pl

from benchhealth.dashboard.words.known import known_at_latest
from benchhealth.dashboard.words.numbers import months, months_interval
from benchhealth.dashboard.words.text import count


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
    """What the curve shows, and what it counts as not over."""
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
