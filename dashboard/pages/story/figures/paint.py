"""A still picture as pixels, for what a link shows where it is shared, of the SVG that `still` writes for stories."""

import re
from collections.abc import Iterator
from math import hypot
from xml.etree import ElementTree

import plotly.graph_objects as go
from PIL import Image, ImageDraw, ImageFont

from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.report.letters import FILES, font_folder
from benchhealth.dashboard.report.still import WIDTH, svg
from benchhealth.dashboard.words.text import one_line

SMALLEST_TEXT = 20
"""Pixels of all that is written; nothing smaller can be read where such pictures are shown."""

ROW = 23
"""Pixels of a row with a name; where there is less room names are left out."""

FINER = 2
"""It is drawn this many times as large, then made smaller: PIL's own lines have no soft edges."""

LOWEST = 150
"""Pixels of the figure's own height below which rows would run into one another."""

Line = tuple[float, float, float, float]

_HASH = re.compile(r"#[0-9A-Fa-f]{6}")
_ANCHORS = {"end": "rm", "middle": "mm", "start": "lm"}


def painted(figure: go.Figure, wide: int, high: int) -> Image.Image:
    """The figure in at most this width and height; where it is higher, without the labels that need its height."""
    low = max(LOWEST, round(WIDTH * high / wide))
    if figure.layout.height > low:
        figure = go.Figure(figure)
        figure.layout.height = low
        figure.layout.annotations = [note for note in figure.layout.annotations if note.ax is None]
        if len(figure.layout.yaxis.ticktext or ()) * ROW > high:
            figure.layout.yaxis.ticktext = figure.layout.yaxis.tickvals = ()
    root = ElementTree.fromstring(svg(figure, one_line, letter=SMALLEST_TEXT * 0.62 * WIDTH / wide))  # noqa: S314 - written here
    scale = min(wide / float(root.get("width", 1)), high / float(root.get("height", 1)))
    size = [round(float(root.get(name, 1)) * scale) for name in ("width", "height")]
    image = Image.new("RGB", (size[0] * FINER, size[1] * FINER), LIGHT.paper)
    draw = ImageDraw.Draw(image)
    for part in root:
        _part(draw, part, scale * FINER)
    return image.resize((size[0], size[1]), Image.Resampling.LANCZOS)


def _part(draw: ImageDraw.ImageDraw, part: ElementTree.Element, scale: float) -> None:
    def length(name: str) -> float:
        return float(part.get(name, 0)) * scale

    kind = part.tag.rpartition("}")[2]
    fill = _mixed(part.get("fill", LIGHT.ink), float(part.get("fill-opacity", 1)))
    if kind == "line":
        colour = _mixed(part.get("stroke", LIGHT.ink), float(part.get("stroke-opacity", 1)))
        ends = (length("x1"), length("y1"), length("x2"), length("y2"))
        for dash in _dashes(
            ends, [float(dash_length) * scale for dash_length in part.get("stroke-dasharray", "").split()]
        ):
            draw.line(dash, fill=colour, width=max(1, round(length("stroke-width"))))
    elif kind == "circle":
        x, y, radius = length("cx"), length("cy"), length("r")
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill)
    elif kind == "rect":
        ends = (length("x"), length("y"), length("x") + length("width"), length("y") + length("height"))
        edge = part.get("stroke")
        draw.rectangle(ends, fill=fill, outline=edge, width=round(length("stroke-width")) if edge else 0)
    else:
        is_bold = part.get("font-weight") == "bold"
        face = ImageFont.truetype(str(font_folder() / FILES[is_bold]), SMALLEST_TEXT * FINER)
        anchor = _ANCHORS[part.get("text-anchor", "start")]
        draw.text((length("x"), length("y") - 3.6 * scale), part.text or "", font=face, fill=fill, anchor=anchor)


def _dashes(ends: Line, pattern: list[float]) -> Iterator[Line]:
    """A line as it is, or in dashes: how long one is, and the gap after it."""
    x0, y0, x1, y1 = ends
    long = hypot(x1 - x0, y1 - y0)
    if not pattern or not long:
        yield ends
        return
    dash, gap = pattern
    for place in range(int(long // (dash + gap)) + 1):
        begin, end = (min(1.0, (place * (dash + gap) + more) / long) for more in (0.0, dash))
        yield (x0 + begin * (x1 - x0), y0 + begin * (y1 - y0), x0 + end * (x1 - x0), y0 + end * (y1 - y0))


def _mixed(colour: str, opacity: float) -> str:
    """The colour as it looks on paper at this opacity."""
    if not _HASH.fullmatch(colour):
        return LIGHT.ink
    over, under = (
        [int(hex_colour[start : start + 2], 16) for start in (1, 3, 5)] for hex_colour in (colour, LIGHT.paper)
    )
    red, green, blue = (round(a * opacity + b * (1 - opacity)) for a, b in zip(over, under, strict=True))
    return f"#{red:02x}{green:02x}{blue:02x}"
