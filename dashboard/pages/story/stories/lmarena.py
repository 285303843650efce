"""LMArena: votes of people, one long list, and a lead within chance."""

from collections.abc import Callable
from functools import partial

import polars as pl

from benchhealth.analytics.statistics.errors import Z95
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.story.figures.bars import Bar, bars
from benchhealth.dashboard.pages.story.figures.crowd import crowd
from benchhealth.dashboard.pages.story.figures.drawn import Drawn
from benchhealth.dashboard.pages.story.figures.squares import Block, Part, squares
from benchhealth.dashboard.pages.story.stories.frames import OF_BOARD, best, forest_of
from benchhealth.dashboard.pages.story.story import Content, Frame, Story, content
from benchhealth.dashboard.published import reigns, standings
from benchhealth.dashboard.published.boards import ties
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.widgets import links, provenance
from benchhealth.dashboard.words.stories import lmarena as words
from benchhealth.dashboard.words.stories.parts import Caption

BOARD = "lmarena/lmarena-text"


def _content(view: View) -> Content:
    card = ties.of_board(view, BOARD)
    if card is None or card["ties_reason"] is not None or card["difference"] is None:
        return content(words.title(None))
    until = card["observed_at"].date()
    board = words.Board(
        models=card["n_models"],
        first=card["first_name"],
        second=card["second_name"],
        votes=card["n_items"],
        lead=card["difference"],
        chance=Z95 * card["difference_error"],
        tied=card["tied_first"],
        neighbours=card["neighbours"],
        beside=card["neighbours_apart"],
        pairs=card["pairs"],
        apart=card["pairs_apart"],
        until=until,
    )

    def frame(caption: Caption, draw: Callable[[Palette], Drawn], method: str, more: str = "") -> Frame:
        to = f"{links.address('leaderboards', board=BOARD)}{more}"
        return Frame(caption, draw, to, method, provenance.of_board(view, BOARD), until)

    rows = best(view, BOARD, bounded=False)
    longest = max(board.lead, board.chance)
    two = [
        Bar(f"Lead of {board.first} over {board.second}", board.lead, f"{board.lead:.0f}"),
        Bar("What chance alone can make", board.chance, f"{board.chance:.0f}", "ink3"),
    ]
    pairs = Block(
        "Pairs of the best ten",
        "",
        [
            Part("differ beyond error", board.apart, "accent"),
            Part("do not", board.pairs - board.apart, "ink3", hollow=True),
        ],
        15,
    )
    return content(
        words.title(board),
        frame(words.votes(board), partial(crowd, reigns.standing(view, {"board": BOARD}), OF_BOARD), "rank"),
        frame(words.lead(board), partial(bars, two, longest), "told_apart"),
        frame(words.tied(board), forest_of(rows, "points"), "tiers"),
        frame(words.apart(board), partial(squares, [pairs], 1), "told_apart"),
        _changes(view, frame),
    )


def _changes(view: View, frame: Callable[..., Frame]) -> Frame | None:
    """How often first place changed hands by more than chance; nothing where no change has known errors."""
    with_errors = reigns.leads(view, {"board": BOARD}).drop_nulls("beyond_noise")
    if with_errors.is_empty():
        return None
    beyond = with_errors.filter(pl.col("beyond_noise")).height
    days = standings.days(view, BOARD)
    facts = words.Changes(beyond, with_errors.height - beyond, days[0], days[-1])
    rows = [
        Bar("New leaders beyond chance", facts.beyond, f"{facts.beyond}"),
        Bar("New leaders within what chance can make", facts.within, f"{facts.within}", "ink3"),
    ]
    return frame(words.changes(facts), partial(bars, rows, with_errors.height), "leader")


STORY = Story("lmarena", _content)
