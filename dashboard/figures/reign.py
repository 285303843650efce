"""The reign chart: a row for each model that ever led, thick where it was first, thin where it could have been."""

from collections.abc import Iterable, Sequence
from datetime import date

import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.record.evidence import MONTH_DAYS
from benchhealth.dashboard.figures.chart import Chart, Nothing, SourceLine
from benchhealth.dashboard.figures.labels import LETTER
from benchhealth.dashboard.figures.language import LABEL, ONLY_NARROW, ONLY_WIDE, field, laid_out, write
from benchhealth.dashboard.figures.lettering.axes import calendar_axis
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.published.reigns import Board
from benchhealth.dashboard.words.measurers.houses import head_of
from benchhealth.dashboard.words.numbers import day_of, months, over_days
from benchhealth.dashboard.words.text import count, distinct, model_within, plotly, shorten, without_maker

THICK, THIN, ROW = 9, 4, 19
NAME = 44
SHORTEST, PHONE = 14, 330
"""Letters that a name keeps on a phone in any case, and the pixels that the plot is wide there."""

NUMBERS_APART = 0.045
"""Breaks nearer to one another than this share of the time have one number."""


def leader(board: Board, listed_by: str, firsts: pl.DataFrame, leads: pl.DataFrame) -> str:
    """The finding of the chart: who was first at the last look, on whose list, since when; `leads` the newest first."""
    last = board.days[-1]
    at_last = firsts.filter("is_first", pl.col("observed_on") == last)["model"].to_list()
    if len(at_last) > 1:
        return f"{count(len(at_last), 'model')} shared first place on the list of {listed_by} on {day_of(last)}"
    name = at_last[0] if at_last else firsts.filter("is_first")["model"][-1]
    since = leads["on_date"][0] if leads.height else board.days[0]
    return f"{model_within(name, 30)} was first on the list of {listed_by} {over_days(since, last)}"


def title(firsts: pl.DataFrame, days: Sequence[date]) -> str:
    """The finding of the page: how many led in what time, and on how many days the lead was shared."""
    led = firsts.filter("is_first")["model_id"].n_unique()
    watched_for = months((days[-1] - days[0]).days / MONTH_DAYS)
    finding = f"{count(led, 'model')} led in {watched_for}"
    with_errors, shared = tie_sentence(firsts)
    if not with_errors:
        return f"{finding}; errors are not known"
    days_ = "days" if with_errors == len(days) else "days with known errors"
    return f"{finding}; on {shared} of {with_errors} {days_} several were tied for first"


def _days_without_errors(board: Board, firsts: pl.DataFrame) -> str:
    with_errors, _ = tie_sentence(firsts)
    return "" if with_errors == len(board.days) else f", {with_errors} of them with known errors"


def tie_sentence(firsts: pl.DataFrame) -> tuple[int, int]:
    """A sentence on the days with known errors, and on how many of them several models were tied for first."""
    states = firsts.group_by("observed_on").agg(known=pl.col("has_error").any(), could=pl.col("could_be").sum())
    with_errors = states.filter("known")
    return with_errors.height, with_errors.filter(pl.col("could") > 1).height


def chart(
    board: Board,
    tables: tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame],
    sources: Sequence[SourceLine],
    palette: Palette,
) -> Chart | Nothing:
    """The chart of one board; `tables` are `firsts`, `reigns` and `leads` as `published.reigns` gives them."""
    firsts, reigns, leads = tables
    if len(board.days) < 2 or reigns.is_empty():
        return Nothing(
            f"{board.name} was seen on {count(len(board.days), 'day')}, so nobody can say who led before.",
            "Every nightly run adds a day on which the board changed; `benchhealth ingest --history` brings what the "
            "source keeps.",
        )
    named = reigns.unique("place", maintain_order=True).sort("place")
    finding = leader(board, head_of(sources[0].title), firsts, leads)
    figure = go.Figure()
    for is_first, width, colour in (
        (False, THIN, palette.faint(palette.accent, 0.4)),
        (True, THICK, palette.accent),
    ):
        _lines(figure, reigns.filter(pl.col("is_first") == is_first), width, colour, named.height)
    laid_out(figure, palette, ROW * named.height + 72)
    figure.update_layout(
        yaxis={"range": [0.4, named.height + 0.6], "showgrid": False, "showticklabels": False},
        xaxis={"showgrid": True, "range": _range(board.days), **calendar_axis(board.days[0], board.days[-1])},
        margin={"l": 12, "r": 12, "t": 24, "b": 32},
    )
    _names(figure, board, reigns, palette)
    _unseen(figure, board, palette)
    _breaks(figure, board, palette)
    return Chart(
        title=finding,
        subtitle=(
            f"{board.name}, {count(len(board.days), 'day')} seen {over_days(board.days[0], board.days[-1])}"
            f"{_days_without_errors(board, firsts)}. "
            "Thick: first. Thin: not first, but tied with the first within errors. Grey: not seen, or not compared."
        ),
        figure=figure,
        rows=reigns,
        alt=(f"{title(firsts, board.days)}. {finding}. {count(len(board.broke_on), 'break')} of scale."),
        sources=sources,
        known_until=board.days[-1],
    )


def _range(days: Sequence[date]) -> list[str]:
    room = (days[-1] - days[0]) * 0.01
    return [str(days[0] - room), str(days[-1] + room)]


def _lines(figure: go.Figure, rows: pl.DataFrame, width: int, colour: str, height: int) -> None:
    """All stretches of one kind as one trace, parted by gaps; one of a single look is a dot."""
    x: list[date | None] = []
    y: list[int | None] = []
    hover: list[str] = []
    dots: list[tuple[date, int, str]] = []
    for row in rows.iter_rows(named=True):
        height_of_row = height + 1 - row["place"]
        kind = "first" if row["is_first"] else "tied with the first"
        text = f"<b>{plotly(row['model'])}</b><br>{kind}<br>{over_days(row['from_on'], row['to_on'])}"
        if row["from_on"] == row["to_on"]:
            dots.append((row["from_on"], height_of_row, text))
        x += [row["from_on"], row["to_on"], None]
        y += [height_of_row, height_of_row, None]
        hover += [text, text, ""]
    shared = {"hovertemplate": "%{hovertext}<extra></extra>"}
    figure.add_scatter(x=x, y=y, mode="lines", line={"width": width, "color": colour}, hovertext=hover, **shared)
    if dots:
        mark = {"symbol": "square", "size": width, "color": colour}
        days, heights, texts = zip(*dots, strict=True)
        figure.add_scatter(x=days, y=heights, mode="markers", marker=mark, hovertext=texts, **shared)


def _names(figure: go.Figure, board: Board, reigns: pl.DataFrame, palette: Palette) -> None:
    """Each model's name beside its row: after its last day, or before its first where that leaves more room; at the
    end of the row itself where neither leaves enough.

    A phone has less: a name that would be cut there has a shorter form for it, which ends between words, or keeps its
    end where another one is cut to the same.
    """
    rows = reigns.group_by("place", maintain_order=True).agg(
        pl.col("model").first(), pl.col("from_on").min(), pl.col("to_on").max()
    )
    begin, duration = board.days[0], board.days[-1] - board.days[0]
    spans = list(zip(rows["from_on"], rows["to_on"], strict=True))
    shares = [((board.days[-1] - last) / duration, (first - begin) / duration) for first, last in spans]
    insides = [max(share) * PHONE < SHORTEST * LABEL * LETTER and sum(share) < 0.5 for share in shares]
    rooms = [1 - sum(share) if inside else max(share) for share, inside in zip(shares, insides, strict=True)]
    letters = [min(NAME, max(SHORTEST, int((room * PHONE - 6) / (LABEL * LETTER)))) for room in rooms]
    wides, narrows = _names_within(rows["model"], [NAME] * rows.height), _names_within(rows["model"], letters)
    for row, (behind, before), inside, wide, narrow in zip(
        rows.iter_rows(named=True), shares, insides, wides, narrows, strict=True
    ):
        after, height = behind >= before and not inside, rows.height + 1 - row["place"]
        forms = ((wide, 1.0),) if wide == narrow else ((wide, ONLY_WIDE), (narrow, ONLY_NARROW))
        for name, opacity in forms:
            write(
                figure, plotly(name, 60), (row["to_on"] if after or inside else row["from_on"], height), palette.ink,
                xanchor="left" if after else "right", xshift=6 if after else -6, borderpad=0, opacity=opacity,
                bgcolor=palette.paper if inside else palette.faint(palette.paper, 0.7),
            )  # fmt: skip


def _names_within(models: Iterable[str], letters: Sequence[int]) -> list[str]:
    """The names in so many letters each, no two of them alike."""
    pairs = list(zip(models, letters, strict=True))
    cut = [model_within(model, most) for model, most in pairs]
    return distinct(cut, [shorten(without_maker(model), most) for model, most in pairs])


def _unseen(figure: go.Figure, board: Board, palette: Palette) -> None:
    for begin, end in board.unseen():
        field(figure, palette.fill, (begin, end))


def _breaks(figure: go.Figure, board: Board, palette: Palette) -> None:
    """A vertical line for each break, numbered as its card below; numbers too close to stand apart are one range."""
    groups: list[list[tuple[int, date]]] = []
    apart = (board.days[-1] - board.days[0]) * NUMBERS_APART
    for number, on in enumerate(board.broke_on, start=1):
        figure.add_shape(
            type="line", x0=on, x1=on, y0=0, y1=1, yref="paper", layer="below",
            line={"color": palette.doubt, "width": 1, "dash": "dot"},
        )  # fmt: skip
        if groups and on - groups[-1][-1][1] < apart:
            groups[-1].append((number, on))
        else:
            groups.append([(number, on)])
    for group in groups:
        (first, begin), (last, end) = group[0], group[-1]
        text, middle = f"{first}" if first == last else f"{first} to {last}", begin + (end - begin) / 2
        write(figure, text, (middle, 1), palette.doubt, 11, yref="paper", yanchor="bottom")
