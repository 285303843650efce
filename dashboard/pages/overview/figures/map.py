"""The map: every benchmark by year of release and by the room that is left, with its stage and the age of knowledge."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from math import log10, sqrt
from typing import Any

import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.dashboard.figures.chart import Chart, Nothing, SourceLine
from benchhealth.dashboard.figures.labels import Box, Point, place
from benchhealth.dashboard.figures.language import LABEL, OPENS_BENCHMARK, Note, laid_out, noting, stage_mark
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.published.benchmarks import FRESH_MONTHS
from benchhealth.dashboard.words.numbers import day_of, month_of, percent, room_interval, score
from benchhealth.dashboard.words.stages import STAGE_WORDS, stage_words
from benchhealth.dashboard.words.text import count, listed, plotly, words_within

HEIGHT, PLOT_HEIGHT = 430, 376
MARGIN = {"l": 40, "r": 4, "t": 26, "b": 22}
"""Pixels; fixed, since Plotly lays a chart out twice to find them."""

PLOT_WIDTH = 1_000
"""Pixels; of the part with a scale, on a page of full width: labels are placed for it."""

EARLY = (2008.6, 2015.9)
EARLY_SHARE, MAIN_END, STRIP_START = 0.075, 0.825, 0.84
"""Parts of the width: the years before 2016 are squeezed, scales without a ceiling stand in a strip of their own."""

TICKS = (0.0, 0.01, 0.05, 0.10, 0.25, 0.50, 0.75, 1.0)
LITTLE = Thresholds().exhausted_headroom
"""The band below is what the verdicts call used up."""
LITTLE_SAID = f"less than {percent(LITTLE)} of the scale left"
NAMED = 30
"""So many of the best known benchmarks are labelled, where there is room."""

NAME, STRIP_NAME = 28, 26
"""Letters of a label, and of a name in the strip."""

TOP = 1.03
"""Where the plot ends: a little above the whole scale."""

STRIP_ROWS = 16
"""More scales without a ceiling do not fit into the strip."""


def title(rows: pl.DataFrame) -> str:
    """The finding: when the benchmarks with much room came out."""
    roomy = rows.filter(pl.col("headroom") > 0.25)["released_on"].drop_nulls().sort()
    if roomy.len() < 5:
        return f"{rows.height:,} benchmarks by the room that is left"
    since = roomy[roomy.len() // 5]
    young = roomy.filter(roomy >= since).len()
    return f"{young} of the {roomy.len()} benchmarks with over a quarter left came out since {month_of(since)}"


def chart(
    rows: pl.DataFrame,
    rooms: Mapping[str, str],
    as_of: date | None,
    sources: Sequence[SourceLine],
    palette: Palette,
) -> Chart | Nothing:
    """The map of these rows of `published.benchmarks`; `rooms` says by benchmark how much room is left."""
    drawn = rows.filter(pl.col("headroom").is_not_null() & pl.col("released_on").is_not_null())
    scaled = pl.col("unit").is_in(["percent", "fraction"])
    unbounded = _best_known(rows.filter(~scaled & pl.col("best").is_not_null())).head(STRIP_ROWS)
    if drawn.is_empty() and unbounded.is_empty():
        return Nothing("Nothing matches these filters.", f"0 of {rows.height:,}. [Clear all filters](.)")
    shown = pl.concat([drawn, unbounded]).sort("models", "benchmark_id", descending=[True, False])
    figure = go.Figure()
    _marks(figure, drawn, rooms, palette)
    _layout(figure, drawn, palette)
    if unbounded.height:
        _strip(figure, unbounded, palette)
    _labels(figure, drawn, palette)
    left_out = _left_out(rows.join(shown, on="benchmark_id", how="anti"))
    known = drawn["known_until"].drop_nulls().max()
    return Chart(
        title=title(drawn),
        subtitle=(
            f"A mark is one of {count(shown.height, 'benchmark')}, larger with more models; grey: not looked at within "
            f"6 months of {day_of(as_of)}, hollow: nor within 18.{left_out}"
        ),
        figure=figure,
        rows=shown.select(
            "benchmark_id",
            "name",
            "stage",
            "p",
            "between",
            "released_on",
            "headroom",
            "headroom_low",
            "headroom_high",
            "at_least",
            "best",
            "unit",
            "models",
            "known_until",
        ),
        alt=_alt(drawn, rooms),
        sources=sources,
        known_until=known if isinstance(known, date) else None,
        method="headroom",
    )


def _left_out(rows: pl.DataFrame) -> str:
    """How many are in the table only, and the reason of each; empty where all are drawn."""
    if rows.is_empty():
        return ""
    without = pl.col("headroom").is_null() & pl.col("best").is_null()
    undated = ~without & pl.col("headroom").is_not_null()
    reasons = (
        (without, "without a result that counts"),
        (undated, "without a known day of release"),
        (~without & ~undated, "with no known ceiling"),
    )
    counted = [(rows.filter(which).height, said) for which, said in reasons]
    return f" {rows.height:,} more are in the table only: {listed([f'{n} {said}' for n, said in counted if n])}."


def _alt(drawn: pl.DataFrame, rooms: Mapping[str, str]) -> str:
    doubted = pl.col("between").list.len() > 0
    counts = dict(drawn.filter(~doubted).group_by("stage").len().iter_rows())
    told = [f"{counts[stage]} {STAGE_WORDS[stage].lower()}" for stage in STAGE_WORDS if counts.get(stage)]
    unsure = drawn.filter(doubted).height
    said = ", ".join([*told, *([f"{unsure} not enough known between two stages"] if unsure else [])])
    most = drawn.sort("headroom", descending=True).head(3)
    named = ", ".join(f"{name} ({rooms.get(key, '')})" for name, key in most.select("name", "benchmark_id").iter_rows())
    return f"Benchmarks by year of release and share of the scale that is left: {said}. Most room: {named}."


def _year(day: date) -> float:
    return day.year + (day.timetuple().tm_yday - 1) / 365.25


def _axis(year: float) -> str:
    return "x" if year >= EARLY[1] else "x2"


def _size(models: int) -> float:
    return 7 + 3.6 * log10(max(1, models))


def _best_known(rows: pl.DataFrame) -> pl.DataFrame:
    """Those first that most makers report, then those with most models."""
    return rows.sort("makers", "models", "benchmark_id", descending=[True, True, False], nulls_last=True)


def _hover(row: Mapping[str, Any], room: str) -> str:
    interval = "" if row["at_least"] else room_interval(row["headroom_low"], row["headroom_high"])
    return (
        f"<b>{plotly(str(row['name']))}</b><br>{stage_words(str(row['stage']), row['between'])}<br>"
        f"{room}{f' ({interval} with error)' if interval else ''}<br>"
        f"{row['models']:,} models · data to {day_of(row['known_until'])}"
        f"{'<br>' + row['tied'] if row.get('tied') else ''}"
    )


def _marks(figure: go.Figure, drawn: pl.DataFrame, rooms: Mapping[str, str], palette: Palette) -> None:
    """One trace for each axis; the largest below, so that the small ones stay visible and clickable."""
    for axis in ("x", "x2"):
        rows = [
            row
            for row in drawn.sort("models", "benchmark_id", descending=[True, False]).iter_rows(named=True)
            if _axis(_year(row["released_on"])) == axis
        ]
        marks = [stage_mark(row["stage"], row["age_months"], palette) for row in rows]
        figure.add_scatter(
            x=[_year(row["released_on"]) for row in rows],
            y=[sqrt(max(0.0, row["headroom"])) for row in rows],
            xaxis=axis,
            mode="markers",
            cliponaxis=False,
            marker={
                "size": [_size(row["models"]) for row in rows],
                "symbol": [mark["symbol"] for mark in marks],
                "color": [mark["color"] for mark in marks],
                "line": {
                    "color": [mark["line"]["color"] for mark in marks],
                    "width": 1.3,
                },
                "opacity": 1,
            },
            customdata=[[row["benchmark_id"]] for row in rows],
            meta=OPENS_BENCHMARK,
            hovertext=[_hover(row, rooms.get(row["benchmark_id"], "")) for row in rows],
            hovertemplate="%{hovertext}<extra></extra>",
        )


def _strip(figure: go.Figure, unbounded: pl.DataFrame, palette: Palette) -> None:
    """The scales without a ceiling, one below the other, the one with most models first."""
    rows = list(unbounded.sort("models", "benchmark_id", descending=[True, False]).iter_rows(named=True))
    step = 1.0 / STRIP_ROWS
    heights = [1.0 - step * (at + 0.5) for at in range(len(rows))]
    marks = [stage_mark(row["stage"], row["age_months"], palette) for row in rows]
    figure.add_scatter(
        x=[0.05] * len(rows),
        y=heights,
        xaxis="x3",
        mode="markers",
        marker={
            "size": 9,
            "symbol": [mark["symbol"] for mark in marks],
            "color": [mark["color"] for mark in marks],
            "line": {"color": [mark["line"]["color"] for mark in marks], "width": 1.3},
        },
        customdata=[[row["benchmark_id"]] for row in rows],
        meta=OPENS_BENCHMARK,
        hovertext=[
            f"<b>{plotly(row['name'])}</b><br>{stage_words(row['stage'], row['between'])}<br>"
            f"best {score(row['best'], row['unit'])}<br>"
            f"{row['models']:,} models · data to {day_of(row['known_until'])}"
            f"{'<br>' + row['tied'] if row.get('tied') else ''}"
            for row in rows
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )
    figure.add_shape(
        type="rect", xref="paper", x0=STRIP_START, x1=1, y0=-0.03, y1=TOP, fillcolor=palette.fill, line_width=0,
        layer="below",
    )  # fmt: skip
    names = _unbounded_names([row["name"] for row in rows])
    with noting(figure) as note:
        _heading(note, STRIP_START, "<b>No ceiling</b>: best", palette)
    best = [score(row["best"], row["unit"]).replace(" minutes", " min") for row in rows]
    texts = ((0.1, [plotly(name) for name in names], "right"), (0.98, [f"<b>{said}</b>" for said in best], "left"))
    for x, said, side in texts:
        figure.add_scatter(  # as a trace: Plotly takes a millisecond for each annotation
            x=[x] * len(rows), y=heights, xaxis="x3", mode="text", text=said, textposition=f"middle {side}",
            textfont={"size": 11, "color": palette.ink2}, hoverinfo="skip", cliponaxis=False,
        )  # fmt: skip


def _unbounded_names(names: Sequence[str]) -> list[str]:
    """The names for the strip: a board keeps its method only where another is here that it must be told from."""
    bare = [name.rpartition(" / ")[2] for name in names]
    plain = [re.sub(r", style-controlled$", "", name) for name in bare]
    return [
        words_within(first if plain.count(first) == 1 else name.replace("-controlled", " control"), STRIP_NAME)
        for first, name in zip(plain, bare, strict=True)
    ]


def _layout(figure: go.Figure, drawn: pl.DataFrame, palette: Palette) -> None:
    newest = max((_year(day) for day in drawn["released_on"]), default=2026.0)
    figure.add_shape(
        type="rect",
        xref="paper",
        x0=0,
        x1=MAIN_END,
        y0=-0.03,
        y1=sqrt(LITTLE),
        fillcolor=palette.faint(palette.fill, 0.75),
        line={"width": 0},
        layer="below",
    )
    figure.update_layout(
        xaxis={"domain": [EARLY_SHARE, MAIN_END], "range": [EARLY[1], newest + 0.9], "dtick": 2, "tick0": 2016},
        xaxis2={"domain": [0, EARLY_SHARE - 0.01], "range": list(EARLY), "tickvals": [2009, 2013], "anchor": "y"},
        xaxis3={"domain": [STRIP_START, 1], "range": [0, 1], "showticklabels": False, "showline": False, "anchor": "y"},
        yaxis={
            "range": [-0.03, TOP],
            "tickvals": [sqrt(tick) for tick in TICKS],
            "ticktext": [percent(tick) for tick in TICKS],
            "anchor": "x2",
        },
    )
    laid_out(figure, palette, HEIGHT)
    figure.update_layout(margin=MARGIN, xaxis3={"showline": False})
    figure.update_xaxes(automargin=False)
    figure.update_yaxes(automargin=False)
    with noting(figure) as note:
        _heading(note, 0, "<b>Headroom</b>: share of the scale, chance to ceiling, that nobody has reached", palette)
        note(
            xref="paper", x=EARLY_SHARE + 0.01, y=0, text=LITTLE_SAID, xanchor="left",
            yanchor="middle", showarrow=False, font={"size": 11.5, "color": palette.stages["saturated"].text},
        )  # fmt: skip
        note(
            xref="paper", yref="paper", x=MAIN_END, y=0, text="year of release →", xanchor="right", yanchor="top",
            yshift=-20, showarrow=False, font={"size": 12, "color": palette.ink3},
        )  # fmt: skip


def _heading(note: Note, x: float, text: str, palette: Palette) -> None:
    note(
        xref="paper", yref="paper", x=x, y=1.0, text=text, xanchor="left", yanchor="bottom", yshift=5,
        showarrow=False, font={"size": 12, "color": palette.ink2},
    )  # fmt: skip


def _labels(figure: go.Figure, drawn: pl.DataFrame, palette: Palette) -> None:
    """Names beside the best known, none over another or over a mark."""
    newest = max((_year(day) for day in drawn["released_on"]), default=2026.0) + 0.9
    main, early = PLOT_WIDTH * (MAIN_END - EARLY_SHARE), PLOT_WIDTH * (EARLY_SHARE - 0.01)

    def across(year: float) -> float:
        if year >= EARLY[1]:
            return PLOT_WIDTH * EARLY_SHARE + (year - EARLY[1]) / (newest - EARLY[1]) * main
        return (year - EARLY[0]) / (EARLY[1] - EARLY[0]) * early

    rows = list(_best_known(drawn).iter_rows(named=True))
    wanted = _wanted(rows)
    points = [
        Point(
            across(_year(row["released_on"])),
            (sqrt(max(0.0, row["headroom"])) + 0.03) / 1.06 * PLOT_HEIGHT,
            _size(row["models"]) / 2,
            words_within(row["label"], NAME) if row["benchmark_id"] in wanted else "",
        )
        for row in rows
    ]
    area = Box(0, 0, PLOT_WIDTH * MAIN_END, PLOT_HEIGHT)
    said = Box(PLOT_WIDTH * (EARLY_SHARE + 0.01), 0, PLOT_WIDTH * (EARLY_SHARE + 0.01) + 190, 20)
    with noting(figure) as note:
        for label in place(points, area, LABEL, (said,)):
            row, point = rows[label.index], points[label.index]
            year = _year(row["released_on"])
            fresh = row["age_months"] is not None and row["age_months"] <= FRESH_MONTHS
            text = plotly(point.text)
            right, up = label.x - point.x, label.y - point.y
            leader = {
                "ax": right,
                "ay": -up,
                "standoff": point.radius,
                "arrowhead": 0,
                "arrowwidth": 0.7,
                "arrowcolor": palette.ink3,
            }
            note(
                x=year,
                y=sqrt(max(0.0, row["headroom"])),
                xref=_axis(year),
                text=f"<b>{text}</b>" if fresh else text,
                xanchor="center",
                yanchor="middle",
                showarrow=label.leader,
                **(leader if label.leader else {"xshift": right, "yshift": up}),
                font={"size": LABEL, "color": palette.ink if fresh else palette.ink3},
                captureevents=False,
            )


def _wanted(rows: Sequence[Mapping[str, Any]]) -> set[str]:
    """The benchmarks to be named: the best known and those with most models; of several releases one."""
    most = sorted(rows, key=lambda row: -row["models"])
    by_family = {
        row["name"].partition(", release of ")[0]: row["benchmark_id"]
        for row in (*reversed(most[:NAMED]), *reversed(rows[:NAMED]))
        if "/" not in row["benchmark_id"]
    }
    return set(by_family.values())
