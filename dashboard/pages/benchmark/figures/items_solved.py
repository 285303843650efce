"""The items of a test by how many models solve them: one bar of all, and a bar a subject."""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.base import Numbers, numbers
from benchhealth.dashboard.figures.chart import Chart, SourceLine
from benchhealth.dashboard.figures.language import AXIS, LABEL, ONLY_WIDE, hovering, laid_out, named_rows, noting
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.items import charts as words
from benchhealth.dashboard.words.items.tiles import solved_by
from benchhealth.dashboard.words.text import count, plotly, words_within

Row = Mapping[str, Any]

STRIP = 146
"""Pixels of the strip with what stands above and below it; the bar itself is 44 or more."""

ROW = 20
MOST_SUBJECTS = 16
"""How many subjects are drawn where there are more: half of them the hardest, half the easiest."""

MEAN, BY_NONE = 38, 88
"""Pixels from the end of a bar to the end of the two columns of numbers beside it."""

_OUTLINE = 1.2


def strip(row: Row, solved: pl.DataFrame, subject: str, sources: Sequence[SourceLine], palette: Palette) -> Chart:
    """One bar: an item is a sliver, coloured by how many models solve it; `solved` has `solved_by` and `items`."""
    rows = solved.filter(pl.col("items") > 0).sort("solved_by").select("solved_by", "items")
    figure = go.Figure()
    figure.add_bar(**_pieces(rows, row["n_models"], [""] * rows.height, numbers(rows["items"]), palette), width=0.9)
    laid_out(figure, palette, STRIP)
    figure.update_xaxes(range=[0, row["n_items"]], tickformat=",d", showline=False, nticks=8)
    figure.update_xaxes(title={"text": words.ORDER, "font": {"size": AXIS, "color": palette.ink3}, "standoff": 4})
    figure.update_yaxes(visible=False, range=[-0.5, 0.75])
    middle = row["n_items"] / 2
    line = {"color": palette.paper, "width": 2}
    figure.add_shape(type="line", x0=middle, x1=middle, y0=-0.45, y1=0.45, line=line)
    with noting(figure) as note:
        above = {"y": 0.47, "yanchor": "bottom", "showarrow": False, "font": {"size": LABEL, "color": palette.ink}}
        note(x=0, xanchor="left", text=f"<b>{row['by_none']:,} by none</b>", **above)
        note(x=row["n_items"], xanchor="right", text=f"<b>{row['by_all']:,} by all</b>", **above)
        note(x=middle, xanchor="center", text=f"<b>{plotly(words.middle(row), 80)}</b>", opacity=ONLY_WIDE, **above)
    return Chart(
        title=words.strip_title(row, subject),
        subtitle=words.strip_subtitle(row),
        figure=figure,
        rows=rows,
        alt=words.strip_alt(row, rows),
        sources=sources,
        known_until=row["known_until"],
        method="items_solved",
    )


def subjects(
    row: Row, solved: pl.DataFrame, about: pl.DataFrame, sources: Sequence[SourceLine], palette: Palette
) -> Chart:
    """A bar a subject, the hardest first; `about` has `cluster`, `n_items`, `mean` and `by_none`."""
    every = about.sort("mean", "cluster")
    half = MOST_SUBJECTS // 2
    order = every if every.height <= MOST_SUBJECTS else pl.concat([every.head(half), every.tail(half)])
    rows = (
        solved.filter(pl.col("items") > 0)
        .join(order.select("cluster", "n_items", "mean", "by_none"), on="cluster")
        .sort("mean", "cluster", "solved_by")
    )
    place = {name: order.height - above for above, name in enumerate(order["cluster"])}
    figure = go.Figure()
    shares = rows.select(share=pl.col("items") / pl.col("n_items"))["share"]
    figure.add_bar(
        **_pieces(rows, row["n_models"], [place[name] for name in rows["cluster"]], numbers(shares), palette),
        width=0.62,
    )
    laid_out(figure, palette, ROW * order.height + 48, bargap=0)
    figure.update_xaxes(visible=False, range=[0, 1])
    figure.update_layout(margin={"r": BY_NONE + 6})
    names = [f"{plotly(words_within(words.subject_name(name), 26))} " for name in place]
    named_rows(figure, names, place.values(), (0.4, order.height + 1.4), palette, showgrid=False)
    with noting(figure) as note:
        beside = {"showarrow": False, "yanchor": "middle", "xanchor": "right", "xref": "paper", "x": 1}
        quiet, plain = {"size": LABEL, "color": palette.ink3}, {"size": LABEL, "color": palette.ink}
        note(y=order.height + 1, xshift=MEAN, text="mean", font=quiet, **beside)
        note(y=order.height + 1, xshift=BY_NONE, text="by none", font=quiet, **beside)
        for name, mean, none in order.select("cluster", "mean", "by_none").iter_rows():
            note(y=place[name], xshift=MEAN, text=f"{mean:.0%}", font=plain, **beside)
            note(y=place[name], xshift=BY_NONE, text=f"{none:,}", font=plain, **beside)
    return Chart(
        title=words.subjects_title(every),
        subtitle=words.subjects_subtitle(row, every, order.height),
        figure=figure,
        rows=rows.select("cluster", "solved_by", "items", "n_items", "mean", "by_none"),
        alt=words.subjects_alt(row, every),
        sources=sources,
        known_until=row["known_until"],
        method="items_solved",
    )


def _pieces(
    rows: pl.DataFrame, models: int, places: Sequence[object], lengths: Numbers, palette: Palette
) -> dict[str, Any]:
    """The properties of bars that lie end to end, each place from its first row on."""
    bases, last, end = [], None, 0.0
    for place, length in zip(places, lengths.tolist(), strict=True):
        end = end if place == last else 0.0
        bases.append(end)
        last, end = place, end + length
    none = [number == 0 for number in rows["solved_by"]]
    return {
        "x": lengths,
        "y": places,
        "base": bases,
        "orientation": "h",
        "marker": {
            "color": [palette.ramp(number / models) for number in rows["solved_by"]],
            "line": {
                "color": [palette.ink3 if one else "rgba(0,0,0,0)" for one in none],
                "width": [_OUTLINE if one else 0 for one in none],
            },
        },
        **hovering(
            f"<b>{solved_by(number, models)}</b> solve {'these' if items != 1 else 'this'} {count(items, 'item')}"
            for number, items in rows.select("solved_by", "items").iter_rows()
        ),
    }
