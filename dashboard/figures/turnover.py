"""What changed at the top of a leaderboard in all, against what noise alone would change, in a sentence."""

import polars as pl

from dashboard.words.text import count, day


def finding(steps: pl.DataFrame, k: int) -> str:
    """The sentence: how many places of the top changed hands in all, and how many noise alone would have changed."""
    compared = steps.filter(~pl.col("spans_breakpoint") & pl.col("turnover").is_not_null())
    if compared.is_empty():
        return f"No two days of this board can be compared at the top {k}"
    moved = int(compared["left"].sum())
    first, last = compared["from_on"].min(), compared["to_on"].max()
    over = "" if compared.height == 1 else f" over {compared.height:,} comparisons"
    places = count(moved, "place")
    verb = "changed hands"
    return f"Between {day(first)} and {day(last)}{over}, {places} of the top {k} {verb}; {_noise(compared, k)}"  # type: ignore[arg-type]


def _noise(compared: pl.DataFrame, k: int) -> str:
    with_noise = compared["expected_turnover"].drop_nulls()
    if with_noise.len() < compared.height:
        return "what noise alone would change is unknown, as errors are not known for all"
    return f"noise alone would change {with_noise.sum() * k:.1f}"
