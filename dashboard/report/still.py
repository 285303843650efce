"""A figure as a still SVG, for HTML and PDF alike: pictures of stories, the curve of a benchmark, a twin of a model.

It holds lines, circles, rectangles, paths and texts alone, which fpdf2 draws without a browser. Understood is what
these figures are made of: lines, marks and filled areas, horizontal bars, errors to both sides, shapes and annotations.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from html import escape, unescape
from itertools import pairwise
from math import ceil, floor, nan
from typing import Any

import numpy as np
import plotly.graph_objects as go

from benchhealth.dashboard.figures.labels import Box, clipped_segment
from benchhealth.dashboard.figures.language import ONLY_NARROW
from benchhealth.dashboard.figures.lettering.axes import round_values
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.report.letters import FAMILY

Spot = tuple[float, float]
"""A place in a drawing: pixels from the left and pixels from the top."""


def picture(wide: float, high: float, marks: Iterable[str], letters: float) -> str:
    """The whole picture of these marks; `letters` is the size of what is written, in pixels."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{high:g}" viewBox="0 0 {wide:g} {high:g}" '
        f'font-family="{FAMILY}" font-size="{letters:g}px">{"".join(marks)}</svg>'
    )


def text(position: Spot, words: str, colour: str, more: str = "") -> str:
    """A text; `more` are further attributes, here and below."""
    return f'<text x="{position[0]:.1f}" y="{position[1]:.1f}" fill="{colour}"{more}>{escape(words)}</text>'


def line(begin: Spot, end: Spot, colour: str, more: str) -> str:
    """The SVG of a straight line; `more` are further attributes of the element."""
    (x1, y1), (x2, y2) = begin, end
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" {more}/>'


def circle(middle: Spot, radius: float, fill: str, more: str = "") -> str:
    """The SVG of a filled circle, its radius in pixels."""
    return f'<circle cx="{middle[0]:.1f}" cy="{middle[1]:.1f}" r="{radius:.1f}" fill="{fill}"{more}/>'


def rectangle(begin: Spot, end: Spot, fill: str, more: str = "") -> str:
    """The rectangle between two opposite corners."""
    (left, right), (top, bottom) = sorted((begin[0], end[0])), sorted((begin[1], end[1]))
    size = f'width="{right - left:.1f}" height="{bottom - top:.1f}"'
    return f'<rect x="{left:.1f}" y="{top:.1f}" {size} fill="{fill}"{more}/>'


def area(corners: Iterable[Spot], fill: str, opacity: float, more: str = "") -> str:
    """The SVG of a filled polygon with these corners."""
    path = " L".join(f"{x:.1f} {y:.1f}" for x, y in corners)
    return f'<path d="M{path} Z" fill="{fill}" fill-opacity="{opacity:g}"{more}/>'


Writable = Callable[[str], str]
Ends = tuple[float, float]
Part = Any
"""A part of a figure: Plotly has no types."""

WIDTH = 700
"""Pixels of a picture, for which its labels are placed."""

NAMES, NUMBERS, ROOM = 190.0, 46.0, 22.0
"""Pixels at the left for names of rows or for numbers, and below for what stands on the axis."""

LETTER = 6.4
"""Pixels of a letter of DejaVu Sans, which is broader than the page's own face."""

_RGBA = re.compile(r"rgba\((\d+),(\d+),(\d+),([\d.]+)\)")
_TAGS = re.compile(r"<[^>]+>")
_MOST_TICKS = 7


@dataclass(frozen=True)
class Frame:
    """Where the plot lies in the picture, and what its axes span; a reversed axis has its ends the other way round."""

    box: tuple[float, float, float, float]
    x_span: Ends
    y_span: Ends
    is_dated: bool
    square: float = 1e9
    """The most pixels of a square, where squares keep their form."""
    letter: float = LETTER
    """The width of a letter in pixels."""

    def x(self, value: object, ref: str = "x") -> float:
        """Pixels from the left of a value, or of a share of the plot."""
        left, _, right, _ = self.box
        low, high = (0.0, 1.0) if _is_share(ref) else self.x_span
        return left + (number(value) - low) / (high - low) * (right - left)

    def y(self, value: object, ref: str = "y") -> float:
        """The height of a value on an axis, in pixels from the top."""
        _, top, _, bottom = self.box
        low, high = (0.0, 1.0) if _is_share(ref) else self.y_span
        return bottom - (number(value) - low) / (high - low) * (bottom - top)

    @property
    def plot(self) -> Box:
        """The plot with half a pixel around it, so that what lies on its edge is within; here `y` grows downwards."""
        left, top, right, bottom = self.box
        return Box(left - 0.5, top - 0.5, right + 0.5, bottom + 0.5)


def _is_share(ref: str) -> bool:
    """Whether what refers to this is a share of the plot, and no value of an axis."""
    return ref == "paper" or ref.endswith(" domain")


def height(figure: go.Figure) -> float:
    """The height of the picture as a share of its width."""
    return float(figure.layout.height) / WIDTH


def svg(figure: go.Figure, writable: Writable, letter: float = LETTER) -> str:
    """The picture; `writable` is what is done to texts for letters that a font lacks, `letter` the width of one."""
    layout = figure.layout
    frame = replace(_frame(figure), letter=letter)
    marks = [
        *(mark for shape in layout.shapes for mark in _shape(frame, shape)),
        *_grid(frame, layout, writable),
        *(mark for trace in figure.data for mark in _trace(frame, trace)),
        *(mark for note in layout.annotations for mark in _note(frame, note, writable)),
    ]
    return picture(WIDTH, layout.height, marks, 10.5)


def number(value: object) -> float:
    """A value of an axis as a number, a day as days since the year 1; where a line is parted, its day is none."""
    if isinstance(value, np.datetime64):
        if np.isnat(value):
            return nan
        value = value.astype("datetime64[D]").item()
    if isinstance(value, str):
        value = date.fromisoformat(value[:10])
    if isinstance(value, date):
        return float(value.toordinal())
    return float(value)  # type: ignore[arg-type]


def _frame(figure: go.Figure) -> Frame:
    layout = figure.layout
    names, numbers = layout.yaxis.ticktext is not None, layout.yaxis.showticklabels is not False
    left = NAMES if names else NUMBERS if numbers and layout.yaxis.visible is not False else 2.0
    on_axis = layout.xaxis.showticklabels is not False and layout.xaxis.visible is not False
    margin = layout.margin
    below = max(ROOM + (16 if layout.xaxis.title.text else 0), float(margin.b or 0)) if on_axis else 4.0
    box = (left, float(margin.t or 8), WIDTH - float(margin.r or 8), float(layout.height) - below)
    x_span, y_span = (_span(figure, axis) for axis in ("x", "y"))
    square = 1e9
    if layout.yaxis.scaleanchor:
        per_unit = min((box[2] - box[0]) / abs(x_span[1] - x_span[0]), (box[3] - box[1]) / abs(y_span[1] - y_span[0]))
        right = left + per_unit * abs(x_span[1] - x_span[0])
        box = (left, box[1], right, box[1] + per_unit * abs(y_span[1] - y_span[0]))
        square = 0.75 * per_unit
    is_dated = isinstance((layout.xaxis.range or (0,))[0], str | date)
    return Frame(box, x_span, y_span, is_dated, square)


def _span(figure: go.Figure, axis: str) -> Ends:
    """What an axis spans: its range, else what is drawn with a little room."""
    bounds = figure.layout[f"{axis}axis"].range
    if bounds is not None:
        return number(bounds[0]), number(bounds[1])
    values = [value for trace in figure.data for value in _reach(trace, axis)]
    low, high = min(values), max(values)
    room = (high - low) * 0.05 or 1.0
    return (0.0 if figure.layout[f"{axis}axis"].rangemode == "tozero" else low - room), high + room


def _reach(trace: Part, axis: str) -> list[float]:
    """All values of a trace on an axis, with the ends of its errors."""
    values = [number(value) for value in trace[axis]]
    error = trace.error_x
    if axis == "x" and error.array is not None:
        ups, downs = (np.asarray(ends, dtype=float) for ends in (error.array, error.arrayminus))
        values += [*(np.array(values) + ups), *(np.array(values) - downs)]
    return [value for value in values if np.isfinite(value)]


def colour(written: str | None) -> tuple[str, float]:
    """A colour as what SVG and fpdf2 both read, and how opaque it is."""
    parsed = _RGBA.fullmatch((written or "").replace(" ", ""))
    if parsed:
        red, green, blue = (int(parsed[channel]) for channel in (1, 2, 3))
        return f"#{red:02x}{green:02x}{blue:02x}", float(parsed[4])
    return written or LIGHT.ink, 1.0


def _line(begin: Ends, end: Ends, ink: str | None, width: float, dash: str | None = None) -> str:
    stroke, opacity = colour(ink)
    if not opacity or not width:
        return ""
    dashed = {"dash": ' stroke-dasharray="5 4"', "dot": ' stroke-dasharray="1.5 3"'}.get(dash or "", "")
    return line(begin, end, stroke, f'stroke-opacity="{opacity:g}" stroke-width="{width:g}"{dashed}')


def _rectangle(begin: Ends, end: Ends, fill: str | None, edge: str | None = None, width: float = 0.0) -> str:
    inside, opacity = colour(fill)
    stroke = f' stroke="{colour(edge)[0]}" stroke-width="{width:g}"' if width else ""
    return rectangle(begin, end, inside, f' fill-opacity="{opacity:g}"{stroke}')


def _shape(frame: Frame, shape: Part) -> Iterator[str]:
    begin, end = (
        (frame.x(shape[f"x{side}"], shape.xref or "x"), frame.y(shape[f"y{side}"], shape.yref or "y"))
        for side in (0, 1)
    )
    if shape.type == "rect":
        yield _rectangle(_clamped(frame, begin), _clamped(frame, end), shape.fillcolor)
    else:
        yield _line(begin, end, shape.line.color, float(shape.line.width or 1), shape.line.dash)


def _trace(frame: Frame, trace: Part) -> Iterator[str]:
    if trace.type == "bar":
        yield from _bars(frame, trace)
        return
    points = [
        (frame.x(x), frame.y(y)) if np.isfinite(number(x)) and np.isfinite(number(y)) else None
        for x, y in zip(trace.x, trace.y, strict=True)
    ]
    if trace.fill == "toself":
        yield area((_clamped(frame, point) for point in points if point), *colour(trace.fillcolor))
    if "lines" in trace.mode:
        width = 2.0 if trace.line.width is None else float(trace.line.width)
        for begin, end in pairwise(points):
            if begin is None or end is None:
                continue
            corners = [begin, (end[0], begin[1]), end] if trace.line.shape == "hv" else [begin, end]
            for piece in pairwise(corners):
                if visible := clipped_segment((*piece[0], *piece[1]), frame.plot):
                    yield _line(visible[:2], visible[2:], trace.line.color, width, trace.line.dash)
    yield from _errors(frame, trace)
    if "markers" in trace.mode:
        sizes = np.broadcast_to(
            np.asarray(6 if trace.marker.size is None else trace.marker.size, dtype=float), len(points)
        )
        for point, size in zip(points, sizes, strict=True):
            if point is not None and _clamped(frame, point) == point:
                yield _mark(point, min(float(size), frame.square) / 2, trace.marker)


def _clamped(frame: Frame, point: Ends) -> Ends:
    """The point, or the nearest one of the plot where it lies outside."""
    plot = frame.plot
    return min(max(point[0], plot.left), plot.right), min(max(point[1], plot.bottom), plot.top)


def _mark(point: Ends, radius: float, marker: Part) -> str:
    """A mark in the form that its symbol names; one that is `-open` is an outline in its colour."""
    (x, y), (symbol, _, is_open) = point, (marker.symbol or "circle").partition("-")
    fill, opacity = colour(marker.color)
    edge, width = colour(marker.line.color)[0], float(marker.line.width or 0)
    if is_open:
        edge, fill, width = fill, "none", width or 1.0
    more = f' stroke="{edge}" stroke-width="{width:g}"' * bool(width)
    if symbol == "x":
        ends = ((x - radius, y - down, x + radius, y + down) for down in (radius, -radius))
        return "".join(_line(end[:2], end[2:], edge, width) for end in ends)
    if symbol == "square":
        return rectangle((x - radius, y - radius), (x + radius, y + radius), fill, f' fill-opacity="{opacity:g}"{more}')
    if symbol == "diamond":
        return area(((x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)), fill, opacity, more)
    return circle(point, radius, fill, f' fill-opacity="{opacity:g}"{more}')


def _errors(frame: Frame, trace: Part) -> Iterator[str]:
    error = trace.error_x
    if error.array is None:
        return
    for x, y, up, down in zip(trace.x, trace.y, error.array, error.arrayminus, strict=True):
        ends = (frame.x(number(x) - float(down)), frame.y(y)), (frame.x(number(x) + float(up)), frame.y(y))
        yield _line(*ends, error.color, float(error.thickness or 4))


def _bars(frame: Frame, trace: Part) -> Iterator[str]:
    fills, edges, widths = trace.marker.color, trace.marker.line.color, trace.marker.line.width
    for index, (x, y) in enumerate(zip(trace.x, trace.y, strict=True)):
        fill, edge, width = (
            series[index] if isinstance(series, Sequence) and not isinstance(series, str) else series
            for series in (fills, edges, widths)
        )
        half = float(trace.width) / 2
        begin, end = (frame.x(0), frame.y(y - half)), (frame.x(x), frame.y(y + half))
        yield _rectangle(begin, end, fill, edge, float(width or 0))


def _grid(frame: Frame, layout: Part, writable: Writable) -> Iterator[str]:
    left, top, right, bottom = frame.box
    if layout.yaxis.showticklabels is not False and layout.yaxis.visible is not False:
        is_named = layout.yaxis.ticktext is not None
        for value, label in _ticks(layout.yaxis, frame.y_span):
            y = frame.y(value)
            if layout.yaxis.showgrid:
                yield _line((left, y), (right, y), LIGHT.grid, 0.7)
            position, ink = ((left - 8, y), LIGHT.ink) if is_named else ((left - 5, y), LIGHT.ink3)
            yield from _written(position, label, ink, "end", writable)
    if layout.xaxis.showticklabels is False or layout.xaxis.visible is False:
        return
    yield _line((left, bottom), (right, bottom), LIGHT.line, 0.8)
    for value, label in _days(frame.x_span) if frame.is_dated else _ticks(layout.xaxis, frame.x_span):
        if layout.xaxis.showgrid:
            yield _line((frame.x(value), top), (frame.x(value), bottom), LIGHT.grid, 0.7)
        yield from _written((frame.x(value), bottom + 10), label, LIGHT.ink3, "middle", writable)
    if layout.xaxis.title.text:
        yield from _written(((left + right) / 2, bottom + 26), layout.xaxis.title.text, LIGHT.ink3, "middle", writable)


def _ticks(axis: Part, span: Ends) -> Iterator[tuple[float, str]]:
    """Where an axis has ticks and what stands at them: those given, the multiples of its step, or round values."""
    low, high = sorted(span)
    if axis.ticktext is not None:
        yield from zip(axis.tickvals, axis.ticktext, strict=True)
    elif axis.dtick:
        for multiple in range(ceil(low / axis.dtick - 1e-9), floor(high / axis.dtick + 1e-9) + 1):
            yield multiple * axis.dtick, format(multiple * axis.dtick, axis.tickformat or "")
    else:
        for tick in round_values(low, high):
            yield tick, f"{tick:,.10g}"


def _days(span: Ends) -> Iterator[tuple[float, str]]:
    """The beginnings of years, or of quarters where there are few years, no more than fit."""
    first, last = (date.fromordinal(int(end)) for end in span)
    months = 12 if (last - first) > timedelta(days=1200) else 3
    starts = [date(year, month, 1) for year in range(first.year, last.year + 1) for month in range(1, 13, months)]
    in_span = [day for day in starts if first <= day <= last]
    for day in in_span[:: -(-len(in_span) // _MOST_TICKS) or 1]:
        yield float(day.toordinal()), f"{day:%Y}" if months == 12 else f"{day:%b %Y}"


def _note(frame: Frame, note: Part, writable: Writable) -> Iterator[str]:
    """A text where it is anchored, moved as it is, with its hairline."""
    if note.opacity == ONLY_NARROW or not note.text:
        return
    x, y = frame.x(note.x, note.xref or "x"), frame.y(note.y, note.yref or "y")
    end = (x + float(note.xshift or 0), y - float(note.yshift or 0))
    anchor = {"left": "start", "right": "end"}.get(note.xanchor or "", "middle")
    if note.showarrow is not False and note.ax is not None:
        end = (x + float(note.ax), y + float(note.ay))
        yield _line((x, y), end, note.arrowcolor, float(note.arrowwidth or 1))
    lines = note.text.count("<br>") + 1
    up = {"bottom": lines / 2, "top": -lines / 2}.get(note.yanchor or "", 0.0)
    yield from _written((end[0], end[1] - up * 13), note.text, note.font.color, anchor, writable, frame.letter)


def _written(  # noqa: PLR0913, PLR0917
    position: Ends, markup: str, ink: str | None, anchor: str, writable: Writable, letter: float = LETTER
) -> Iterator[str]:
    """A text in the tags of Plotly, a line below the other, in the middle of where it stands; spans keep colours."""
    lines = markup.split("<br>")
    for index, row in enumerate(lines):
        y = position[1] + (index - (len(lines) - 1) / 2) * 13 + 3.6
        bold = ' font-weight="bold"' if "<b>" in row else ""
        left = position[0]
        for fragment in re.split(r"(<span.*?</span>)", row):
            words = writable(unescape(_TAGS.sub("", fragment)))
            if not words:
                continue
            left += letter * (fragment.startswith(" ") and not fragment.isspace())
            tint = re.search(r"color:(#\w+)", fragment)
            fill = tint[1] if tint else colour(ink)[0]
            yield text((left, y), words, fill, f' text-anchor="{anchor}"{bold}')
            left += letter * (len(words) + 0.5)
