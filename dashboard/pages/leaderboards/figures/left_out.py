"""A board of many tasks with all of them and without some, or without some models: who is first then."""

from collections.abc import Collection

import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.multi_task.first_place import MEAN
from benchhealth.dashboard.figures.language import LABEL, ONLY_NARROW, ONLY_WIDE, Drawing, hovering, laid_out
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.numbers import score_finely
from benchhealth.dashboard.words.text import count, listed, model_within, plotly, without_maker

MODELS_SHOWN, ROW_HEIGHT, NAME_LETTERS, PHONE_NAME_LETTERS, MOST_NAMED = 8, 26, 32, 18, 3


def both(with_all: pl.DataFrame, without: pl.DataFrame) -> pl.DataFrame:
    """The first MODELS_SHOWN of either order: entry, place, value and row with all, and the same without (`..._left`).

    Equals share a place; `row` is where an entry is drawn, each on its own.
    """
    lines = [part.with_columns(row=pl.int_range(1, pl.len() + 1)) for part in (with_all, without)]
    then = lines[1].rename({name: f"{name}_left" for name in ("place", "value", "row")})
    joined = lines[0].join(then, on="entry", how="full", coalesce=True)
    top = (pl.col("row") <= MODELS_SHOWN) | (pl.col("row_left") <= MODELS_SHOWN)
    return joined.filter(top).sort("row", "row_left", "entry", nulls_last=True)


def title(with_all: pl.DataFrame, left: pl.DataFrame, out: Collection[str], noun: str) -> str:
    """The finding: who is first without what, instead of whom."""
    first = with_all["entry"][0] if with_all.height else None
    then = left["entry"][0] if left.height else None
    if not out:
        return f"{_who(first, 36)} is first; leaving nothing out"
    without = f"Without {count(len(out), noun)}"
    if then is None:
        return f"{without} nothing is left to compare"
    if then == first:
        return f"{without} {_who(first, 36)} is still first"
    return f"{without}, {_who(then, 28)} is first, not {_who(first, 28)}"


def _who(model: str | None, limit: int) -> str:
    return model_within(model or "Nobody", limit)


def names(out: Collection[str], noun: str) -> str:
    """The first of what is left out, by name; a task's is its own part of the address, in words."""
    task = noun == "task"
    shown = [
        name.split("/", 1)[-1].replace("-", " ") if task else without_maker(name) for name in list(out)[:MOST_NAMED]
    ]
    more = len(out) - len(shown)
    return listed([*shown, *([f"{more} more"] if more > 0 else [])])


def figure(rows: pl.DataFrame, order_by: str, palette: Palette) -> go.Figure:
    """Lines from the place with all to the place without; who is first then in the accent."""
    drawn = Drawing()
    _lines(drawn, rows, order_by, palette)
    laid_out(drawn, palette, ROW_HEIGHT * (MODELS_SHOWN + 2) + 44)
    drawn.update_layout(
        yaxis={"range": [MODELS_SHOWN + 2.6, 0.2], "showgrid": False, "showticklabels": False},
        xaxis={
            "range": [-0.75, 1.75],
            "tickvals": [0, 1],
            "ticktext": ["with all", "without"],
            "showline": False,
            "side": "top",
        },
    )
    return drawn


def _lines(drawn: go.Figure, rows: pl.DataFrame, order_by: str, palette: Palette) -> None:
    measure = "mean score" if order_by == MEAN else "of the others beaten"
    for row in rows.iter_rows(named=True):
        colour = palette.accent if row["row_left"] == 1 else palette.ink3
        ends = [(0, row["row"], row["place"], row["value"]), (1, row["row_left"], row["place_left"], row["value_left"])]
        shown_ends = [end for end in ends if end[1] is not None and end[1] <= MODELS_SHOWN + 2]
        drawn.add_scatter(
            x=[x for x, *_ in shown_ends],
            y=[height for _, height, *_ in shown_ends],
            mode="lines+markers",
            line={"width": 2.4 if row["row_left"] == 1 else 1.2, "color": colour},
            marker={
                "size": 9,
                "color": [colour if x else palette.paper for x, *_ in shown_ends],
                "line": {"color": colour, "width": 1.5},
            },
            **hovering(
                f"<b>{plotly(row['entry'])}</b><br>place {place}<br>{score_finely(value)} {measure}"
                for _, _, place, value in shown_ends
            ),
        )
        name, ink = str(row["entry"]), palette.ink if row["row_left"] == 1 else palette.ink2
        for x, height, _, value in shown_ends:
            shown = score_finely(value)
            beside = shown if x and len(shown_ends) > 1 else plotly(model_within(name, PHONE_NAME_LETTERS), 40)
            for text, width in (
                (f"{plotly(model_within(name, NAME_LETTERS), 60)} {shown}", ONLY_WIDE),
                (beside, ONLY_NARROW),
            ):
                drawn.add_annotation(
                    x=x, y=height, xanchor="left" if x else "right", xshift=10 if x else -10, showarrow=False,
                    text=text, opacity=width, font={"size": LABEL, "color": ink},
                )  # fmt: skip
