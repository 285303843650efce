"""LMArena: votes of people, one long list, and a lead within chance."""

from collections.abc import Callable
from functools import partial

import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.statistics.errors import Z95
from benchhealth.dashboard.figures.base import numbers
from benchhealth.dashboard.figures.language import laid_out, write
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.story.figures.pictures import Bar, Block, Part, Picture, bars, squares
from benchhealth.dashboard.pages.story.stories.frames import OF_BOARD, best, forest_of
from benchhealth.dashboard.pages.story.story import Content, Frame, Story, content
from benchhealth.dashboard.published import reigns, standings
from benchhealth.dashboard.published.boards import ties
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.widgets import links, provenance
from benchhealth.dashboard.words.stories import lmarena as words
from benchhealth.dashboard.words.stories.parts import Caption
from benchhealth.dashboard.words.text import model_within, plotly

HEIGHT = 230


def crowd(ranked: pl.DataFrame, best: int, palette: Palette) -> Picture:
    """The picture; `ranked` has rank, model and score, and the first `best` are blue."""
    rows = ranked.select("rank", "model", "score").sort("rank", "model")
    figure = laid_out(go.Figure(), palette, HEIGHT)
    for dots, colour, size in ((rows.slice(best), palette.ink3, 4), (rows.head(best), palette.accent, 7)):
        figure.add_scatter(
            x=numbers(dots["rank"]), y=numbers(dots["score"]), mode="markers", marker={"size": size, "color": colour},
            text=[plotly(name) for name in dots["model"]],
            hovertemplate="<b>%{text}</b><br>%{y:.0f} points, place %{x}<extra></extra>",
        )  # fmt: skip
    figure.update_xaxes(
        title={"text": "place in the list", "font": {"size": 12, "color": palette.ink3}, "standoff": 4},
        rangemode="tozero",
    )
    figure.update_yaxes(nticks=5, tickformat=",.0f")
    first = rows.row(0, named=True)
    name, beside = plotly(model_within(first["model"], 24)), {"xanchor": "left", "xshift": 8, "yshift": 6}
    place = first["rank"], first["score"]
    write(figure, f"<b>{name} {first['score']:,.0f}</b>", place, palette.accent, 12, **beside)
    return Picture(figure, rows)


BOARD = "lmarena/lmarena-text"


def _content(view: View) -> Content:
    card = ties.of_board(view, BOARD)
    if card is None or card["ties_reason"] is not None or card["difference"] is None:
        return content(words.moral(None))
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

    def frame(caption: Caption, draw: Callable[[Palette], Picture], method: str, anchor: str = "") -> Frame:
        url = f"{links.address('leaderboards', board=BOARD)}{anchor}"
        return Frame(caption, draw, url, method, provenance.of_board(view, BOARD), until)

    rows = best(view, BOARD, bounded=False)
    longest = max(board.lead, board.chance)
    lead_bars = [
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
        words.moral(board),
        frame(words.votes(board), partial(crowd, reigns.board_on(view, {"board": BOARD}), OF_BOARD), "rank"),
        frame(words.lead(board), partial(bars, lead_bars, longest), "told_apart"),
        frame(words.tied_caption(board), forest_of(rows, "points"), "tiers"),
        frame(words.differing_pairs_caption(board), partial(squares, [pairs], 1), "told_apart"),
        _changes(view, frame),
    )


def _changes(view: View, frame: Callable[..., Frame]) -> Frame | None:
    """How often first place changed hands by more than chance; nothing where no change has known errors."""
    with_errors = reigns.leads(view, {"board": BOARD}).drop_nulls("beyond_noise")
    if with_errors.is_empty():
        return None
    beyond_noise = with_errors.filter(pl.col("beyond_noise")).height
    days = standings.days(view, BOARD)
    facts = words.Changes(beyond_noise, with_errors.height - beyond_noise, days[0], days[-1])
    rows = [
        Bar("New leaders beyond chance", facts.beyond, f"{facts.beyond}"),
        Bar("New leaders within what chance can make", facts.within, f"{facts.within}", "ink3"),
    ]
    return frame(words.changes(facts), partial(bars, rows, with_errors.height), "leader")


STORY = Story("lmarena", _content)
