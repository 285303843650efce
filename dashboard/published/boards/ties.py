"""Who is tied on a board: rows of the table `board_card` with the names that words need."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from benchhealth.dashboard.published import reigns, results
from benchhealth.dashboard.published.generation import (
    ParameterError,
    Params,
    PublishedTable,
    View,
    always,
    recently,
    required,
)

Row = dict[str, Any]

TIED_NAMED = 2
"""How many of the models that are tied for first are named."""

READ = 8
"""Benchmarks that makers report most, of which one board each is listed."""

_CARDS = """
    SELECT * FROM board_card
    QUALIFY observed_at = max(observed_at) OVER (PARTITION BY board_id)
"""
_TIED = """
    SELECT r.board_id, list(coalesce(m.name, r.model_id) ORDER BY r.rank, r.model_id)[:$named] AS tied_names
    FROM rank r LEFT JOIN model m USING (model_id)
    WHERE r.tier = 1 AND r.observed_at = (SELECT max(observed_at) FROM rank n WHERE n.board_id = r.board_id)
    GROUP BY r.board_id
"""
_TIED_THEN = """
    SELECT coalesce(m.name, r.model_id) AS name FROM rank r LEFT JOIN model m USING (model_id)
    WHERE r.board_id = $board AND r.observed_at = $at AND r.tier = 1 ORDER BY r.rank, r.model_id LIMIT $named
"""


@always
def newest(view: View) -> pl.DataFrame:
    """The newest card of every board with the names of its models and the unit of its benchmark."""
    return _with_names(view, view.query(_CARDS)).join(view.query(_TIED, named=TIED_NAMED), on="board_id", how="left")


@recently
def of_board(view: View, board_id: str) -> Row | None:
    """The newest card of a board; None where it has none."""
    cards = newest(view).filter(board_id=board_id)
    return cards.row(0, named=True) if cards.height else None


def of_benchmark(view: View, benchmark_id: str) -> Row | None:
    """The newest card of the board that speaks for a benchmark."""
    return of_benchmarks(view).get(benchmark_id)


@always
def of_benchmarks(view: View) -> Mapping[str, Row]:
    """The newest card of the board that speaks for each benchmark, by benchmark."""
    speaking = results.every_board(view).unique("benchmark_id", keep="first", maintain_order=True)
    rows = newest(view).join(speaking.select("board_id"), on="board_id", how="semi")
    return {str(row["benchmark_id"]): row for row in rows.iter_rows(named=True)}


def on_day(view: View, params: Params) -> Row | None:
    """The card of a board as it stood on a day (the last look until then), the newest where no day is asked for."""
    board_id = required(params, "board")
    rows = reigns.board_on(view, params)
    if rows.is_empty():
        return None
    observed_at = rows["observed_at"][0]
    mine = view.table("board_card").filter((pl.col("board_id") == board_id) & (pl.col("observed_at") == observed_at))
    if mine.is_empty():
        return None
    tied = view.query(_TIED_THEN, board=board_id, at=observed_at, named=TIED_NAMED)["name"].to_list()
    return {**_with_names(view, mine).row(0, named=True), "tied_names": tied}


@always
def much_read(view: View) -> pl.DataFrame:
    """One board of each of the READ benchmarks that makers' documents of the last year report most.

    Those on which somebody can say who is tied; `documents` is how many report it.
    """
    quarters = view.table("attention")
    last_year = quarters.filter(pl.col("quarter") > pl.col("quarter").max().dt.offset_by("-1y"))
    by_documents = (
        last_year.group_by("benchmark_id")
        .agg(pl.col("documents").sum())
        .sort("documents", "benchmark_id", descending=[True, False])
    )
    rows: list[Row] = []
    for benchmark_id, documents in by_documents.iter_rows():
        card = of_benchmark(view, benchmark_id)
        if card is not None and card["ties_reason"] is None:
            rows.append({**card, "documents": documents})
        if len(rows) == READ:
            break
    return pl.DataFrame(rows, schema={**newest(view).schema, "documents": pl.Int64}, orient="row")


def card(view: View, params: Params) -> pl.DataFrame:
    """Every card of one board, the newest first."""
    board_id = required(params, "board")
    rows = view.table("board_card").filter(pl.col("board_id") == board_id)
    if rows.is_empty():
        raise ParameterError(f"no leaderboard {board_id!r}")
    return rows.sort("observed_at", descending=True)


def _with_names(view: View, cards: pl.DataFrame) -> pl.DataFrame:
    names = view.table("model").select("model_id", name=pl.coalesce("name", "model_id"))
    about = view.table("benchmark").select("benchmark_id", "unit", board_name="name")
    with_names = cards.with_columns(benchmark_id=pl.col("board_id").str.splitn("/", 2).struct.field("field_1"))
    for column in ("first", "second", "settled_by"):
        with_names = with_names.join(
            names.rename({"model_id": column, "name": f"{column}_name"}), on=column, how="left", maintain_order="left"
        ).with_columns(pl.coalesce(f"{column}_name", column).alias(f"{column}_name"))
    return with_names.join(about, on="benchmark_id", how="left", maintain_order="left")


CARDS = PublishedTable("board-cards", card)
MUCH_READ = PublishedTable("much-read-boards", lambda view, _params: much_read(view))
