"""The map: every benchmark by year of release and by the room that is left, with its stage and the age of its data."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from math import log10, sqrt
from typing import Any

import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.statistics.summaries.ends import latest
from benchhealth.analytics.verdict.thresholds import LIMITS
from benchhealth.dashboard.figures import language
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.labels import Box, Point, placed_labels
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.published.benchmarks import FRESH_MONTHS, best_known
from benchhealth.dashboard.words.numbers import day_of, month_of, percent, room_interval
from benchhealth.dashboard.words.stages import ORDER, STAGE_WORDS, stage_words
from benchhealth.dashboard.words.text import count, listed, plotly, short, words_within

HEIGHT = 430
MARGIN = {"l": 40, "r": 4, "t": 26, "b": 22}
"""Pixels; fixed, since Plotly lays a chart out twice to find them."""

PLOT_HEIGHT = HEIGHT - MARGIN["t"] - MARGIN["b"]
PLOT_WIDTH = 846 - MARGIN["l"] - MARGIN["r"]
"""Pixels, on a page of full width: labels are placed for it."""

EARLY = (2008.6, 2015.9)
EARLY_SHARE = 0.085
"""The part of the width that the years before 2016 are squeezed into."""

TICKS = (0.0, 0.01, 0.05, 0.10, 0.25, 0.50, 0.75, 1.0)
LITTLE = LIMITS.exhausted_headroom
"""Below this headroom the verdicts call a benchmark used up: the band on the map."""
HEADROOM_SAID = "share of the scale, chance to ceiling, that nobody has reached, by year of release"
HEADROOM_BRIEFLY = "share of the scale left, by year of release"
LITTLE_SAID = f"less than {percent(LITTLE)} of the scale left"
MARKS_NAMED = 25
"""How many marks are named at most, where there is room: the best known of each stage in turn."""

NAME = 28
"""A label is cut after this many characters."""

PLOT_TOP = 1.03
"""Where the plot ends: a little above the whole scale."""


def title(rows: pl.DataFrame) -> str:
    """The finding: when the benchmarks with much room came out."""
    roomy = rows.filter(pl.col("headroom") > 0.25)["released_on"].drop_nulls().sort()
    if roomy.len() < 5:
        return f"{rows.height:,} benchmarks by the room that is left"
    since = roomy[roomy.len() // 5]
    young = roomy.filter(roomy >= since).len()
    return f"{young} of the {roomy.len()} benchmarks with over a quarter left came out since {month_of(since)}"


def chart(rows: pl.DataFrame, rooms: Mapping[str, str], as_of: date | None, palette: Palette) -> Chart | Nothing:
    """The map of these rows of `published.benchmarks`; `rooms` says by benchmark how much room is left."""
    drawn = rows.filter(pl.col("headroom").is_not_null() & pl.col("released_on").is_not_null())
    left_out = _left_out(rows.join(drawn, on="benchmark_id", how="anti"))
    if drawn.is_empty():
        return Nothing(
            "None of these has a place on the map.",
            f"{left_out.strip().replace(' more ', ' ', 1)} [Clear all filters](.)",
        )
    ordered = drawn.sort("models", "benchmark_id", descending=[True, False])
    figure = language.Drawing()
    _marks(figure, drawn, rooms, palette)
    _layout(figure, drawn, palette)
    _labels(figure, drawn, palette)
    return Chart(
        title=title(drawn),
        subtitle=(
            f"A mark is one of {count(ordered.height, 'benchmark')}, larger with more models. Grey: no source was read "
            f"in the 6 months to {day_of(as_of)}; hollow: nor in 18.{left_out}"
        ),
        figure=figure,
        rows=ordered.select(
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
        known_until=latest(drawn["known_until"]),
    )


def _left_out(rows: pl.DataFrame) -> str:
    """How many are in the table only, and the reason of each; empty where all are drawn."""
    if rows.is_empty():
        return ""
    no_result = pl.col("headroom").is_null() & pl.col("best").is_null()
    undated = ~no_result & pl.col("headroom").is_not_null()
    reasons = (
        (no_result, "without a result that counts"),
        (undated, "without a release day"),
        (~no_result & ~undated, "without a known ceiling"),
    )
    counted = [(rows.filter(condition).height, reason) for condition, reason in reasons]
    return f" {rows.height:,} more are in the table only: {listed([f'{n} {reason}' for n, reason in counted if n])}."


def _alt(rows: pl.DataFrame, rooms: Mapping[str, str]) -> str:
    doubted = pl.col("between").list.len() > 0
    counts = dict(rows.filter(~doubted).group_by("stage").len().iter_rows())
    by_stage = [f"{counts[stage]} {STAGE_WORDS[stage].lower()}" for stage in STAGE_WORDS if counts.get(stage)]
    unsure = rows.filter(doubted).height
    stages_text = ", ".join([*by_stage, *([f"{unsure} unclear which of two stages"] if unsure else [])])
    top = rows.sort("headroom", descending=True).head(3)
    named = ", ".join(f"{name} ({rooms.get(key, '')})" for name, key in top.select("name", "benchmark_id").iter_rows())
    return f"Benchmarks by year of release and share of the scale that is left: {stages_text}. Most room: {named}."


def _year(day: date) -> float:
    return round(day.year + (day.timetuple().tm_yday - 1) / 365.25, 3)


def _axis(year: float) -> str:
    return "x" if year >= EARLY[1] else "x2"


def _root(headroom: float) -> float:
    """The position of the remaining room on the axis, which is its square root."""
    return round(sqrt(max(0.0, headroom)), 4)


def _size(models: int) -> float:
    return round(7 + 3.6 * log10(max(1, models)), 1)


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
        marks = [language.stage_mark(row["stage"], row["age_months"], palette) for row in rows]
        figure.add_scatter(
            x=[_year(row["released_on"]) for row in rows],
            y=[_root(row["headroom"]) for row in rows],
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
            **language.on_hover(
                (_hover(row, rooms.get(row["benchmark_id"], "")) for row in rows),
                language.OPENS_BENCHMARK,
                (row["benchmark_id"] for row in rows),
            ),
        )


def _layout(figure: go.Figure, rows: pl.DataFrame, palette: Palette) -> None:
    newest = max((_year(day) for day in rows["released_on"]), default=2026.0)
    language.field(figure, palette.faint(palette.fill, 0.75), y=(-0.03, sqrt(LITTLE)))
    years = list(range(2018, int(newest) + 1, 2))
    figure.update_layout(
        xaxis={
            "domain": [EARLY_SHARE, 1],
            "range": [EARLY[1], newest + 0.9],
            "tickvals": years,
            "tickangle": 0,
        },
        xaxis2={
            "domain": [0, EARLY_SHARE - 0.01],
            "range": list(EARLY),
            "tickvals": [2012],
            "anchor": "y",
            "tickangle": 0,
        },
        yaxis={
            "range": [-0.03, PLOT_TOP],
            "tickvals": [sqrt(tick) for tick in TICKS],
            "ticktext": [percent(tick) for tick in TICKS],
            "anchor": "x2",
        },
    )
    language.laid_out(figure, palette, HEIGHT)
    figure.update_layout(margin=MARGIN)
    figure.update_xaxes(automargin=False)
    figure.update_yaxes(automargin=False)
    _heading(figure, 0, f"<b>Headroom</b>: {HEADROOM_SAID}", palette, opacity=language.ONLY_WIDE)
    _heading(figure, 0, f"<b>Headroom</b>, {HEADROOM_BRIEFLY}", palette, opacity=language.ONLY_NARROW)
    red, at_left = palette.stages["saturated"].text, {"xref": "paper", "xanchor": "left", "yanchor": "middle"}
    language.write(figure, LITTLE_SAID, (EARLY_SHARE + 0.01, 0), red, 11.5, **at_left)


def _heading(figure: go.Figure, x: float, text: str, palette: Palette, **more: float) -> None:
    above = {"xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom", "yshift": 5}
    language.write(figure, text, (x, 1.0), palette.ink2, **above, **more)


def _labels(figure: go.Figure, drawn: pl.DataFrame, palette: Palette) -> None:
    """Names beside the best known benchmarks, without overlaps, where the map has its full width."""
    newest = max((_year(day) for day in drawn["released_on"]), default=2026.0) + 0.9
    main, early = PLOT_WIDTH * (1 - EARLY_SHARE), PLOT_WIDTH * (EARLY_SHARE - 0.01)

    def across(year: float) -> float:
        if year >= EARLY[1]:
            return PLOT_WIDTH * EARLY_SHARE + (year - EARLY[1]) / (newest - EARLY[1]) * main
        return (year - EARLY[0]) / (EARLY[1] - EARLY[0]) * early

    rows = list(best_known(drawn).iter_rows(named=True))
    wanted = _to_name(rows)
    points = [
        Point(
            across(_year(row["released_on"])),
            (_root(row["headroom"]) + 0.03) / 1.06 * PLOT_HEIGHT,
            _size(row["models"]) / 2,
            words_within(short(row["label"]), NAME) if row["benchmark_id"] in wanted else "",
        )
        for row in rows
    ]
    area = Box(0, 0, PLOT_WIDTH, PLOT_HEIGHT)
    legend = Box(PLOT_WIDTH * (EARLY_SHARE + 0.01), 0, PLOT_WIDTH * (EARLY_SHARE + 0.01) + 190, 20)
    for label in placed_labels(points, area, language.LABEL, (legend,)):
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
        figure.add_annotation(
            x=year,
            y=_root(row["headroom"]),
            xref=_axis(year),
            text=f"<b>{text}</b>" if fresh else text,
            xanchor="center",
            yanchor="middle",
            showarrow=label.leader,
            **(leader if label.leader else {"xshift": right, "yshift": up}),
            font={"size": language.LABEL, "color": palette.ink if fresh else palette.ink3},
            captureevents=False,
            opacity=language.ONLY_WIDE,
        )


def _to_name(rows: Sequence[Mapping[str, Any]]) -> set[str]:
    """The benchmarks to be named, of `rows` with the best known first: of each stage in turn, one a family."""
    best: dict[str, Mapping[str, Any]] = {}
    for row in rows:
        if "/" not in row["benchmark_id"]:
            best.setdefault(row["name"].partition(", release of ")[0], row)
    n_of_stage: Counter[str] = Counter()
    ranked = []
    for row in best.values():
        ranked.append((n_of_stage[row["stage"]], ORDER.index(row["stage"]), row["benchmark_id"]))
        n_of_stage[row["stage"]] += 1
    return {benchmark_id for *_, benchmark_id in sorted(ranked)[:MARKS_NAMED]}
