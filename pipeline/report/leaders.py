"""The top five of a benchmark with their errors, and which of them cannot be told apart."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from analytics.saturation.resolution import TOP, top_pairs
from analytics.statistics.errors import Z95
from dashboard.figures import leaderboard
from dashboard.figures.base import score_text
from dashboard.published.generation import View
from dashboard.published.results import boards, leaders
from dashboard.words.text import count, day, listed, shorten
from pipeline.report.tree import Section, Table

NAME_LIMIT = 48
BOARDS = 3
_MAY_BE_FIRST = {"first": "yes", "behind": "no", "unknown": "unknown"}
"""The most leaderboards of one benchmark that are spoken of."""

_TITLE = "Top five"
_NOTE = "Who may be first and possible ranks: among all models of the board, at 95%, corrected for so many comparisons."


def top_five(view: View, facts: Mapping[str, Any]) -> Section:
    """The first five of the board seen last, or why there is none."""
    found = boards(view, facts["benchmark_id"])
    if not found:
        part = "/" in facts["benchmark_id"]
        said = "Parts of a benchmark are not ranked." if part else "No leaderboard of models is on record."
        return Section(_TITLE, paragraphs=(said,))
    ranked = leaders(view, {"board": found[0]})
    rows = leaderboard.top(ranked, facts["unit"], facts["n_items"]).head(TOP).with_row_index("place", offset=1)
    others = f" Also ranked on {listed(found[1 : BOARDS + 1])}." if len(found) > 1 else ""
    origin = f"Leaderboard {found[0]} of {day(rows['observed_at'][0])}, {count(ranked.height, 'model')}.{others}"
    return Section(
        _TITLE,
        paragraphs=(f"{leaderboard.finding(rows, ranked, facts['unit'])}. {origin}",),
        table=_table(rows, facts["unit"]),
        note=f"{_NOTE} {alike(rows)}",
    )


def _table(rows: pl.DataFrame, unit: str | None) -> Table:
    lines = tuple(
        (
            str(row["place"]),
            shorten(row["model"], NAME_LIMIT),
            score_text(row["score"], unit),
            "unknown" if row["error"] is None else f"± {score_text(row['error'] * Z95, unit)}",
            _MAY_BE_FIRST[row["standing"]],
            "unknown" if row["rank_low"] is None else f"{row['rank_low']} to {row['rank_high']}",
        )
        for row in rows.iter_rows(named=True)
    )
    head = ("place", "model", "score", "95% error", "may be first", "possible ranks")
    return Table(head, lines, widths=(7, 43, 10, 12, 13, 15), right=(0, 2, 3))


def alike(rows: pl.DataFrame) -> str:
    """Which of the rows, by `place`, differ by no more than the error of their difference, as a sentence."""
    pairs = top_pairs(rows.with_columns(benchmark_id="board_id"))
    silent = rows.filter(pl.col("error").is_null()).height
    unknown = f" No error is known for {silent} of these {rows.height}." if silent else ""
    if pairs.is_empty():
        return f"Two by two none can be compared.{unknown}"
    near = [
        f"{place} and {other}"
        for place, other in pairs.filter(~pl.col("differs")).select("place", "place_other").rows()
    ]
    said = (
        f"these places cannot be told apart: {'; '.join(near)}"
        if near
        else "all places differ by more than their error"
    )
    return f"Two by two, without that correction, {said}.{unknown}"
