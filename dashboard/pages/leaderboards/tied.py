"""Who is tied on the board that is shown, and on the boards that makers report most."""

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables.declared import text
from benchhealth.dashboard.published import reigns
from benchhealth.dashboard.published.boards import ties
from benchhealth.dashboard.published.boards.ties import Row
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.reigns import Board
from benchhealth.dashboard.widgets import folded, provenance, tables, tiles
from benchhealth.dashboard.widgets.tiles import Tile
from benchhealth.dashboard.words.boards import ties as words
from benchhealth.dashboard.words.numbers import day_of, score
from benchhealth.dashboard.words.text import count, markdown, short, words_within

NAME = 40
YOURS = "[The same card for a leaderboard of yours](audit)"

READ_COLUMNS = (
    text("board", "The benchmark, one board of it.", label="Board"),
    text("tied_of", "Models tied for first, of how many.", label="Tied for first"),
    text("until", "The day of the board's last look.", label="Known until"),
    text("settles", "What would settle the order of the first two.", label="What would settle the first two"),
    text("margin", "Items of the first, graded otherwise, that give another first.", label="Recount margin"),
)


def title(view: View, board: Board) -> str:
    """The finding of the page: who is tied on this board."""
    card = ties.of_board(view, board.board_id)
    name = words_within(board.name, NAME)
    return markdown(f"{name}: no look is on record" if card is None else words.headline(card, name))


def tiles_of(view: View, board: Board) -> None:
    """Draw the size of the board, until when it is known, and the four answers about its ties."""
    card = ties.of_board(view, board.board_id)
    if card is None:
        return
    items = "" if card["n_items"] is None or card["unit"] == "rating" else f", {count(card['n_items'], 'item')}"
    sources = provenance.of_board(view, board.board_id)
    source_note = f", as {markdown(short(sources[0].title).split(':')[0])} shows it" if sources else ""
    until = f"Data to {day_of(board.days[-1])}"
    st.markdown(f":small[{count(card['n_models'], 'model')}{items}{source_note}. {until}. {YOURS}]")
    tiles.show(view.recent(("tiles of ties", board.board_id), lambda: _tie_tiles(view, board, card)))
    if by_items := words.by_items(card):
        st.markdown(f":small[{markdown(by_items)}]")


def _tie_tiles(view: View, board: Board, card: Row) -> tuple[Tile, ...]:
    first = reigns.board_on(view, {"board": board.board_id}).row(0, named=True)
    questions = (
        ("tied", "Who is tied for first?", words.tie_sentence(card, score(first["score"], board.unit))),
        ("neighbours", "Do neighbours differ?", words.neighbours(card)),
        ("settles", "What would settle first place?", words.settles(card)),
        ("grading", "How much does grading decide?", words.grading(card)),
    )
    return tuple(Tile(key, label, markdown(reply.answer), markdown(reply.evidence)) for key, label, reply in questions)


def much_read(view: View) -> None:
    """The boards that makers report most: who is tied there, and what would decide it."""
    rows = ties.much_read(view)
    if rows.is_empty():
        return
    folded.draw_folded(
        words.on_boards(rows["tied_first"].to_list()), "much_read_boards", lambda: _list_boards(view, rows)
    )


def _list_boards(view: View, rows: pl.DataFrame) -> None:
    st.markdown(f":small[:gray[{markdown(words.READ_FROM)}]]")
    cells = [
        (
            row["board_name"],
            f"{row['tied_first']} of {row['n_models']}",
            day_of(row["observed_at"]),
            words.settles_briefly(row),
            words.grading_briefly(row),
        )
        for row in rows.iter_rows(named=True)
    ]
    schema = {column.name: pl.String for column in READ_COLUMNS}
    tables.show(
        view,
        pl.DataFrame(cells, schema=schema, orient="row"),
        ties.MUCH_READ,
        {},
        alt="The boards that makers report most, with who is tied for first and what would settle it",
        columns=READ_COLUMNS,
    )
