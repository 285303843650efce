"""The curve of a benchmark as a still SVG: drawn from the rows of the page's chart, for HTML and PDF alike.

It holds lines, circles, rectangles and texts alone, which fpdf2 draws without a browser.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import pairwise

import polars as pl

from benchhealth.dashboard.figures.base import is_bounded
from benchhealth.dashboard.figures.labels import Box, Point, place, spread, stepped
from benchhealth.dashboard.figures.lettering.axes import round_values
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.report.case import Facts
from benchhealth.dashboard.report.marks import circle, line, picture, rectangle, text
from benchhealth.dashboard.words.numbers import day_of, score_beside
from benchhealth.dashboard.words.text import model_within, one_line

WIDTH, HEIGHT = 700.0, 262.0
LEFT, RIGHT, TOP, BOTTOM = 36.0, 96.0, 8.0, 22.0
LETTERS = 9.5
NAMED = 6
"""Record-setters that are named, the latest first, where there is room."""
POINTS = 700
"""More models than this are thinned: a printed page shows no more."""
HAIRLINE = 'stroke-width="0.6"'

Writable = Callable[[str], str]
Ends = tuple[float, float]


@dataclass(frozen=True)
class Still:
    """What a still curve is drawn of: the rows of the chart, the frontier's steps, and what both axes span."""

    facts: Facts
    models: pl.DataFrame
    steps: pl.DataFrame
    days: tuple[date, date]
    scores: Ends
    band: Facts | None = None
    spans: Sequence[tuple[date, date]] = field(default=())

    def svg(self, writable: Writable = one_line) -> str:
        """The picture; `writable` is what is done to texts for letters that a font lacks."""
        marks = [
            *_grid(self, writable),
            *_band(self),
            *_levels(self),
            *_models(self),
            *_best(self),
            *_names(self, writable),
            *_margin(self, writable),
        ]
        return picture(WIDTH, HEIGHT, marks, LETTERS)

    def x(self, on: date) -> float:
        """Where a day lies."""
        first, last = self.days
        return LEFT + (on - first).days / max(1, (last - first).days) * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        """Where a score lies."""
        low, high = self.scores
        return HEIGHT - BOTTOM - (value - low) / ((high - low) or 1) * (HEIGHT - TOP - BOTTOM)


def _grid(still: Still, writable: Writable) -> list[str]:
    """Horizontal hairlines at round scores, years below, and grey where nobody has looked."""
    marks = []
    known_until, (first, last) = still.facts["known_until"], still.days
    if known_until is not None and first < known_until < last:
        left, right = still.x(known_until), still.x(last)
        marks.append(rectangle((left, TOP), (right, HEIGHT - BOTTOM), LIGHT.fill))
        if right - left > 120:
            label = f"no data since {day_of(known_until)}"
            marks.append(text(((left + right) / 2, HEIGHT / 2), label, LIGHT.ink3, ' text-anchor="middle"'))
    for tick in round_values(*still.scores):
        marks.append(line((LEFT, still.y(tick)), (WIDTH - RIGHT, still.y(tick)), LIGHT.grid, HAIRLINE))
        label = f"{tick:.0%}" if is_bounded(still.facts["unit"]) else f"{tick:,.4g}"
        marks.append(text((LEFT - 5, still.y(tick) + 3), writable(label), LIGHT.ink3, ' text-anchor="end"'))
    bottom = HEIGHT - BOTTOM
    marks.append(line((LEFT, bottom), (WIDTH - RIGHT, bottom), LIGHT.line, HAIRLINE))
    years = [date(year, 1, 1) for year in range(first.year + 1, last.year + 1)]
    every = max(1, -(-len(years) // 9))
    shown = years[::every] or [first]
    return marks + [
        mark
        for on in shown
        for mark in (
            line((still.x(on), bottom), (still.x(on), bottom + 3), LIGHT.line, HAIRLINE),
            text((still.x(on), HEIGHT - 8), f"{on:%Y}" if years else day_of(on), LIGHT.ink3, ' text-anchor="middle"'),
        )
    ]


def _band(still: Still) -> list[str]:
    """The interval of the best, since the day that it holds from."""
    band, known_until = still.band, still.facts["known_until"]
    if band is None or known_until is None or band["since"] >= known_until:
        return []
    left, right = still.x(max(band["since"], still.days[0])), still.x(known_until)
    top, bottom = still.y(min(band["high"], still.scores[1])), still.y(max(band["low"], still.scores[0]))
    corner = max(left, right), max(top, bottom)
    return [rectangle((left, top), corner, LIGHT.accent, ' fill-opacity="0.14"')]


def _levels(still: Still) -> list[str]:
    marks = []
    for key, dash in (("ceiling", ""), ("human", "4 3"), ("floor", "")):
        level = still.facts[key]
        if level is not None and still.scores[0] <= level <= still.scores[1]:
            dashed = f' stroke-dasharray="{dash}"' if dash else ""
            ends = (LEFT, still.y(level)), (WIDTH - RIGHT, still.y(level))
            marks.append(line(*ends, LIGHT.ink3, f'stroke-width="0.8"{dashed}'))
    return marks


def _models(still: Still) -> list[str]:
    """One circle a model: filled where others measured it, open where its maker reports it."""
    rows = still.models
    if rows.height > POINTS:
        rows = rows.gather_every(-(-rows.height // POINTS))
    low, high = still.scores
    marks = []
    for on, value, reporter in rows.select("dated_on", "score", "reporter").iter_rows():
        if low <= value <= high:
            fill = LIGHT.card if reporter == "self" else "#A3A7AD"
            edge = f' stroke="{LIGHT.ink3}" stroke-width="0.7"'
            marks.append(circle((still.x(on), still.y(value)), 2.2, fill, edge))
    return marks


def _best(still: Still) -> list[str]:
    """The best so far as steps, dotted to the day until which it is known, each span of one scale for itself."""
    moves = still.steps.filter(~pl.col("carried")).sort("dated_on")
    marks = []
    for begin, end in still.spans or ((date.min, date.max),):
        within = moves.filter(pl.col("dated_on").is_between(begin, end))
        corners = [(still.x(on), still.y(value)) for on, value in within.select("dated_on", "score").iter_rows()]
        if not corners:
            continue
        path = f"M{corners[0][0]:.1f} {corners[0][1]:.1f}"
        path += "".join(f" L{x:.1f} {was:.1f} L{x:.1f} {y:.1f}" for (_, was), (x, y) in pairwise(corners))
        marks.append(f'<path d="{path}" fill="none" stroke="{LIGHT.accent}" stroke-width="1.6"/>')
        marks += [circle(corner, 2.6, LIGHT.accent) for corner in corners]
        until = min(end, still.facts["known_until"] or within["dated_on"][-1])
        if until > within["dated_on"][-1]:
            more = 'stroke-width="1.2" stroke-dasharray="1.5 2.5"'
            marks.append(line(corners[-1], (still.x(until), corners[-1][1]), LIGHT.accent, more))
    return marks


def _names(still: Still, writable: Writable) -> list[str]:
    """Names at the last record-setters, where they cover nothing."""
    moves = still.steps.filter(~pl.col("carried")).sort("dated_on", descending=True)
    rows = list(moves.iter_rows(named=True))

    def point_of(on: date, value: float, name: str = "") -> Point:
        return Point(still.x(on) - LEFT, HEIGHT - BOTTOM - still.y(value), 3, name)

    wanted = [
        point_of(row["dated_on"], row["score"], writable(model_within(row["model"] or row["model_id"], 28)))
        for row in rows[:NAMED]
    ]
    crowd = [point_of(row["dated_on"], row["score"]) for row in rows[NAMED:]]
    crowd += [point_of(*row) for row in still.models.select("dated_on", "score").tail(200).iter_rows()]
    known_until = still.facts["known_until"] or still.days[1]
    best = [point_of(on, value) for on, value in [*((row["dated_on"], row["score"]) for row in reversed(rows))]]
    best += [point_of(known_until, rows[0]["score"])] if rows else []
    area = Box(0, 0, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM)
    marks = []
    for label in place([*wanted, *crowd], area, LETTERS, stepped([(point.x, point.y) for point in best])):
        point = wanted[label.index]
        x, y = label.x + LEFT, HEIGHT - BOTTOM - label.y
        if label.leader:
            marks.append(line((point.x + LEFT, HEIGHT - BOTTOM - point.y), (x, y), LIGHT.line, HAIRLINE))
        more = ' text-anchor="middle" font-weight="bold"'
        marks.append(text((x, y + LETTERS / 3), point.text, LIGHT.accent, more))
    return marks


def _margin(still: Still, writable: Writable) -> list[str]:
    """What the lines are, in the right margin, moved apart."""
    unit, (low, high) = still.facts["unit"], still.scores
    last = still.steps.row(-1, named=True)["score"] if still.steps.height else None
    lines = [
        (still.facts[key], f"{name} {score_beside(still.facts[key], unit, last)}", LIGHT.ink3, "")
        for key, name in (("ceiling", "ceiling"), ("human", "people"), ("floor", "chance"))
        if still.facts[key] is not None and low <= still.facts[key] <= high
    ]
    if last is not None:
        best = score_beside(last, unit, still.facts["ceiling"], still.facts["human"])
        lines.append((last, f"best {best}", LIGHT.accent, ' font-weight="bold"'))
    heights = spread([still.y(height) for height, *_ in lines], LETTERS + 3, TOP + 4, HEIGHT - BOTTOM)
    return [
        text((WIDTH - RIGHT + 6, height + 3), writable(label), colour, more)
        for (_, label, colour, more), height in zip(lines, heights, strict=True)
    ]


def days_spanned(first: object, last: object) -> tuple[date, date]:
    """The days that an axis of Plotly spans, whatever it holds them as."""
    begin, end = (date.fromisoformat(str(value)[:10]) for value in (first, last))
    return begin, max(end, begin + timedelta(days=1))
