"""The items of a test: how many models solve each, of all and by subject, and how sharply they tell models apart."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.statistics.summaries.ends import extent
from benchhealth.dashboard.figures import language
from benchhealth.dashboard.figures.base import Numbers, numbers
from benchhealth.dashboard.figures.chart import Chart
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.items import charts as words
from benchhealth.dashboard.words.items.tiles import solved_by
from benchhealth.dashboard.words.numbers import percent
from benchhealth.dashboard.words.text import count, model_within, plotly, words_within

STRIP_HEIGHT = 146
"""Pixels of the strip with the text above and below it; the bar itself is 44 or more."""

ROW_HEIGHT = 20
"""Pixels of the row of a subject."""
MOST_SUBJECTS = 16
"""How many subjects are drawn where there are more: half of them the hardest, half the easiest."""

MEAN_SHIFT, BY_NONE_SHIFT = 38, 88
"""Pixels from the end of a bar to the end of the two columns of numbers beside it."""

_OUTLINE = 1.2
"""Pixels of the outline of items that no model solves: their colour is near that of the paper."""


def strip(row: Row, solved: pl.DataFrame, subject: str, palette: Palette) -> Chart:
    """One bar of all items, coloured by how many models solve them.

    `solved` has for each number of models, `solved_by`, the number of `items` that so many solve.
    """
    rows = solved.filter(pl.col("items") > 0).sort("solved_by").select("solved_by", "items")
    figure = language.Drawing()
    figure.add_bar(**_bar_pieces(rows, row["n_models"], [""] * rows.height, numbers(rows["items"]), palette), width=0.9)
    language.laid_out(figure, palette, STRIP_HEIGHT)
    figure.update_xaxes(range=[0, row["n_items"]], tickformat=",d", showline=False, nticks=8)
    figure.update_xaxes(
        title={"text": words.ORDER, "font": {"size": language.AXIS, "color": palette.ink3}, "standoff": 4}
    )
    figure.update_yaxes(visible=False, range=[-0.5, 0.75])
    middle = row["n_items"] / 2
    line = {"color": palette.paper, "width": 2}
    figure.add_shape(type="line", x0=middle, x1=middle, y0=-0.45, y1=0.45, line=line)
    above = {"y": 0.47, "yanchor": "bottom", "showarrow": False, "font": {"size": language.LABEL, "color": palette.ink}}
    figure.add_annotation(x=0, xanchor="left", text=f"<b>{row['by_none']:,} by none</b>", **above)
    figure.add_annotation(x=row["n_items"], xanchor="right", text=f"<b>{row['by_all']:,} by all</b>", **above)
    figure.add_annotation(
        x=middle, xanchor="center", text=f"<b>{plotly(words.middle(row), 80)}</b>", opacity=language.ONLY_WIDE, **above
    )
    return Chart(
        title=words.strip_title(row, subject),
        subtitle=words.strip_subtitle(row),
        figure=figure,
        rows=rows,
        alt=words.strip_alt(row, rows),
        known_until=row["known_until"],
    )


def subjects(row: Row, solved: pl.DataFrame, by_subject: pl.DataFrame, palette: Palette) -> Chart:
    """A bar a subject, the hardest first; `by_subject` has `cluster`, `n_items`, `mean` and `by_none`."""
    ordered = by_subject.sort("mean", "cluster")
    half = MOST_SUBJECTS // 2
    order = ordered if ordered.height <= MOST_SUBJECTS else pl.concat([ordered.head(half), ordered.tail(half)])
    rows = (
        solved.filter(pl.col("items") > 0)
        .join(order.select("cluster", "n_items", "mean", "by_none"), on="cluster")
        .sort("mean", "cluster", "solved_by")
    )
    height_of = {name: order.height - above for above, name in enumerate(order["cluster"])}
    figure = language.Drawing()
    shares = rows.select(share=pl.col("items") / pl.col("n_items"))["share"]
    figure.add_bar(
        **_bar_pieces(rows, row["n_models"], [height_of[name] for name in rows["cluster"]], numbers(shares), palette),
        width=0.62,
    )
    language.laid_out(figure, palette, ROW_HEIGHT * order.height + 48, bargap=0)
    figure.update_xaxes(visible=False, range=[0, 1])
    figure.update_layout(margin={"r": BY_NONE_SHIFT + 6})
    names = [f"{plotly(words_within(words.subject_name(name), 26))} " for name in height_of]
    language.named_rows(figure, names, height_of.values(), (0.4, order.height + 1.4), palette, showgrid=False)
    at_right = {"showarrow": False, "yanchor": "middle", "xanchor": "right", "xref": "paper", "x": 1}
    quiet, plain = {"size": language.LABEL, "color": palette.ink3}, {"size": language.LABEL, "color": palette.ink}
    figure.add_annotation(y=order.height + 1, xshift=MEAN_SHIFT, text="mean", font=quiet, **at_right)
    figure.add_annotation(y=order.height + 1, xshift=BY_NONE_SHIFT, text="by none", font=quiet, **at_right)
    for name, mean, none in order.select("cluster", "mean", "by_none").iter_rows():
        figure.add_annotation(y=height_of[name], xshift=MEAN_SHIFT, text=f"{mean:.0%}", font=plain, **at_right)
        figure.add_annotation(y=height_of[name], xshift=BY_NONE_SHIFT, text=f"{none:,}", font=plain, **at_right)
    return Chart(
        title=words.subjects_title(ordered),
        subtitle=words.subjects_subtitle(row, ordered, order.height),
        figure=figure,
        rows=rows.select("cluster", "solved_by", "items", "n_items", "mean", "by_none"),
        alt=words.subjects_alt(row, ordered),
        known_until=row["known_until"],
    )


def _bar_pieces(
    rows: pl.DataFrame, models: int, heights: Sequence[object], lengths: Numbers, palette: Palette
) -> dict[str, Any]:
    """The properties of stacked bars: those of one height lie end to end. `lengths` are in the order of `rows`."""
    bases, last, end = [], None, 0.0
    for height, length in zip(heights, lengths.tolist(), strict=True):
        end = end if height == last else 0.0
        bases.append(end)
        last, end = height, end + length
    is_by_none = [number == 0 for number in rows["solved_by"]]
    return {
        "x": lengths,
        "y": heights,
        "base": bases,
        "orientation": "h",
        "marker": {
            "color": [palette.ramp(number / models) for number in rows["solved_by"]],
            "line": {
                "color": [palette.ink3 if is_unsolved else "rgba(0,0,0,0)" for is_unsolved in is_by_none],
                "width": [_OUTLINE if is_unsolved else 0 for is_unsolved in is_by_none],
            },
        },
        **language.on_hover(
            f"<b>{solved_by(number, models)}</b> solve {'these' if items != 1 else 'this'} {count(items, 'item')}"
            for number, items in rows.select("solved_by", "items").iter_rows()
        ),
    }


CURVE_HEIGHT = 330
"""Pixels of the chart of information."""
RUG = 0.035
"""Half the height of a tick of a model, as a share of the peak."""

MARK_STEP = 0.1
"""The distance between scores that are marked on the axis."""

FEW_MARKS = 4
"""Where the axis would have fewer marks than this, they are set half as far apart."""

NAME_LETTERS = 20
"""Letters of the name of a model beside its tick."""


def curve(row: Row, information: pl.DataFrame, models: pl.DataFrame, best: float | None, palette: Palette) -> Chart:
    """The curve of `item_information`, the models of `item_model` (with `model`, a name); `best` is today's."""
    weakest, top = extent(models["strength"])
    below = information["strength"][information["information"].arg_max() or 0] < weakest
    inside, above_best = information.filter(pl.col("strength") <= top), information.filter(pl.col("strength") >= top)
    figure = language.Drawing()
    if row["top_share"] is not None:
        _band(figure, information, palette)
    _line(figure, inside, palette, fill="tozeroy", fillcolor=palette.faint(palette.accent, 0.1), line={"width": 2.4})
    _line(figure, above_best, palette, line={"width": 1.6, "dash": "dot", "color": palette.ink3})
    _rug(figure, models, palette)
    language.laid_out(figure, palette, CURVE_HEIGHT)
    low, high = extent(information["strength"])
    language.field(figure, palette.fill, (top, high))
    figure.update_xaxes(range=[low, high])
    _mark_scores(figure, information)
    figure.update_yaxes(visible=row["top_share"] is not None, range=[-2 * RUG, 1.14], tickformat=".0%")
    _notes(figure, row, information, models, best, palette)
    return Chart(
        title=words.curve_title(row, below=below),
        subtitle=words.curve_subtitle(row),
        figure=figure,
        rows=pl.concat([information, models.select("model", "strength", "score")], how="diagonal"),
        alt=words.curve_alt(row, below=below),
        known_until=row["known_until"],
    )


def _mark_scores(figure: go.Figure, information: pl.DataFrame) -> None:
    """Mark round scores on the axis of strength."""
    scores = information["score"].to_numpy()
    marks = np.arange(MARK_STEP, 0.96, MARK_STEP)
    if scores.max() - scores.min() < FEW_MARKS * MARK_STEP:
        marks = np.arange(MARK_STEP / 2, 0.99, MARK_STEP / 2)
    reached = marks[(marks > scores.min()) & (marks < scores.max())]
    figure.update_xaxes(
        tickvals=np.interp(reached, scores, information["strength"].to_numpy()).tolist(),
        ticktext=[f"{mark:.0%}" for mark in reached],
    )


def _band(figure: go.Figure, curve: pl.DataFrame, palette: Palette) -> None:
    x = numbers(curve["strength"])
    language.quiet_line(figure, x, numbers(curve["low"]), width=0)
    band = {"fill": "tonexty", "fillcolor": palette.faint(palette.accent, 0.15), "hoverinfo": "skip"}
    figure.add_scatter(x=x, y=numbers(curve["high"]), mode="lines", line={"width": 0}, **band)


def _line(figure: go.Figure, rows: pl.DataFrame, palette: Palette, line: Mapping[str, object], **more: object) -> None:
    figure.add_scatter(
        x=numbers(rows["strength"]),
        y=numbers(rows["information"]),
        mode="lines",
        line={"color": palette.accent, **line},
        **language.on_hover(f"a model that scores {percent(score)}" for score in rows["score"]),
        **more,
    )


def _rug(figure: go.Figure, models: pl.DataFrame, palette: Palette) -> None:
    figure.add_scatter(
        x=numbers(models["strength"]),
        y=np.full(models.height, RUG, dtype=np.float32),
        mode="markers",
        marker={"symbol": "line-ns-open", "size": 11, "color": palette.ink2, "line": {"width": 1.6}},
        **language.on_hover(
            f"<b>{plotly(model_within(name, 40))}</b><br>{percent(score)}"
            for name, score in models.select("model", "score").iter_rows()
        ),
    )


def _notes(  # noqa: PLR0913, PLR0917
    figure: go.Figure, row: Row, curve: pl.DataFrame, models: pl.DataFrame, best: float | None, palette: Palette
) -> None:
    """The peak, the strongest model, some names at their ticks, and why nothing is known beyond that model."""
    peak = curve.row(int(curve["information"].arg_max() or 0), named=True)
    order = models.sort("strength")
    strongest = order.row(-1, named=True)
    height = float(np.interp(strongest["strength"], curve["strength"].to_numpy(), curve["information"].to_numpy()))
    _, high = extent(curve["strength"])
    marked = [(strongest["strength"], height)]
    if peak["strength"] >= float(order["strength"][0]):
        marked.append((peak["strength"], peak["information"]))
    for x, y in marked:
        figure.add_scatter(x=[x], y=[y], mode="markers", marker={"size": 10, "color": palette.accent}, hoverinfo="skip")
    label = {"showarrow": False, "font": {"size": language.LABEL, "color": palette.accent}}
    quiet = {"showarrow": False, "font": {"size": language.LABEL, "color": palette.ink2}}
    if peak["strength"] >= float(order["strength"][0]):
        text = f"<b>parts models best near {percent(row['peak_score'])}</b>"
        figure.add_annotation(x=peak["strength"], y=peak["information"] + 0.04, yanchor="bottom", text=text, **label)
    name = plotly(model_within(strongest["model"], NAME_LETTERS))
    figure.add_annotation(
        x=strongest["strength"], y=height - 0.06, xanchor="right", yanchor="top", text=f"<b>{name}</b>", **label
    )
    for index in (0, order.height // 2):
        model = order.row(index, named=True)
        name = plotly(model_within(model["model"], NAME_LETTERS))
        figure.add_annotation(
            x=model["strength"],
            y=3 * RUG,
            yanchor="bottom",
            text=name,
            opacity=language.ONLY_WIDE,
            bgcolor=palette.paper,
            **quiet,
        )
    figure.add_annotation(
        x=(strongest["strength"] + high) / 2,
        y=0.22,
        text="<br>".join(words.beyond(row, best)),
        opacity=language.ONLY_WIDE,
        **quiet,
    )
