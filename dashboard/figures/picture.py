"""The picture that a link shows where it is shared: a finding, its bar, up to three answers, 1200 x 630 pixels."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from benchhealth.dashboard.figures.palette import FACES, LIGHT
from benchhealth.dashboard.words.text import one_line

WIDE, HIGH = 1200, 630
"""Pixels that the places ask for which show such pictures."""

SMALLEST_TEXT = 20
"""The smallest size of a text, in pixels."""

LINES = 3
"""How many answers fit on the picture."""

QUESTION = "Is this AI benchmark still measuring anything?"
_NAME, _EDGE = "benchhealth", 64
_INSIDE = WIDE - 2 * _EDGE
_REGULAR, _SEMIBOLD = 400, 600
_LAST = 594
"""How far below the top the last line of text stands, in pixels."""
_LABEL_GAP = 12
"""The least distance between two labels of one bar, in pixels."""
_COLOURS = {
    "yes": LIGHT.accent,
    "partly": LIGHT.doubt,
    "no": LIGHT.stages["saturated"].text,
    "unknown": LIGHT.ink3,
}
_DRAWING = Lock()
"""A face of FreeType is used by one thread at a time."""


class _Style(NamedTuple):
    """How a text is set: face, weight, and sizes from the one wished to the smallest."""

    family: str
    weight: int
    sizes: tuple[int, ...]


_TITLE = _Style("Source Serif", _SEMIBOLD, (60, 54, 48))
_SUBTITLE = _Style("Source Sans", _REGULAR, (27, 25, 23))
_WORD = _Style("Source Sans", _SEMIBOLD, (31, 28, 25, 22))
_SMALL_STYLE = _Style("Source Sans", _REGULAR, (22, 21, SMALLEST_TEXT))


@dataclass(frozen=True)
class Bar:
    """A scale from 0 to 1, of which others have measured `measured` (with its interval) and a maker claims `claimed`.

    `left` and `right` name the ends of the scale. Either number may be None; values outside are drawn at the ends.
    """

    measured: float | None
    claimed: float | None = None
    low: float | None = None
    high: float | None = None
    measured_label: str = ""
    claimed_label: str = ""
    left: str = "0"
    right: str = "100%"


@dataclass(frozen=True)
class Line:
    """One answer: the question, its reply in a word, and what stands below; `kind` is a reply and colours the word."""

    question: str
    word: str
    below: str = ""
    kind: str = "unknown"


@dataclass(frozen=True)
class Picture:
    """What a link shows: a title of at most two lines, a subtitle of at most two, a bar, answers, and a last line.

    `art` paints a figure in the room that the bar and the answers leave, given its width and height in pixels.

    Plain text, as published: nothing in it is read as markup. What does not fit is set smaller, then cut at a word.
    """

    title: str
    subtitle: str = ""
    bar: Bar | None = None
    lines: tuple[Line, ...] = ()
    source: str = ""
    art: Callable[[int, int], Image.Image] | None = None

    @property
    def named(self) -> str:
        """What tells it from the pictures of other pages: the title, or the page where that is the question of all."""
        return self.subtitle if self.title == QUESTION and self.subtitle else self.title

    @property
    def alt(self) -> str:
        """The same as a sentence, for whoever does not see it."""
        return ". ".join(
            phrase.rstrip(".")
            for phrase in (
                self.title,
                self.subtitle,
                *(f"{line.question} {line.word}{f' ({line.below})' if line.below else ''}" for line in self.lines),
            )
            if phrase
        )


def png(picture: Picture) -> bytes:
    """The picture as PNG, in the light colours and the faces of the pages."""
    with _DRAWING:
        image = Image.new("RGB", (WIDE, HIGH), LIGHT.paper)
        draw = ImageDraw.Draw(image)
        draw.text((_EDGE, 74), _NAME, font=_face("Source Serif", 27, _SEMIBOLD), fill=LIGHT.ink, anchor="ls")
        question_face = _face("Source Sans", 24, _REGULAR)
        draw.text((WIDE - _EDGE, 74), QUESTION, font=question_face, fill=LIGHT.ink2, anchor="rs")
        face, rows = _fit(_TITLE, picture.title, 2)
        top = _block(draw, face, rows, 112, LIGHT.ink)
        most = 2 if len(rows) < 2 or picture.bar is None else 1
        top = _block(draw, *_fit(_SUBTITLE, picture.subtitle, most), top + 10, LIGHT.ink2)
        if picture.bar is not None:
            _bar(draw, picture.bar, max(top + 4, 286))
        if picture.art is not None:
            image.paste(picture.art(_INSIDE, _LAST - 30 - top), (_EDGE, top + 8))
        _answers(draw, picture.lines[:LINES], 424)
        last = _face("Source Sans", SMALLEST_TEXT, _REGULAR)
        draw.text((_EDGE, _LAST), _cut(last, picture.source, _INSIDE), font=last, fill=LIGHT.ink3, anchor="ls")
        written = BytesIO()
        image.save(written, "PNG", compress_level=6)
    return written.getvalue()


@cache
def _face(family: str, size: int, weight: int) -> ImageFont.FreeTypeFont:
    """The face that Streamlit ships, in this size and weight. Raises FileNotFoundError where it ships none."""
    media = Path(str(files("streamlit") / "static" / "static" / "media"))
    path = next(iter(sorted(media.glob(f"{FACES[family]}.*.woff2"))), None)
    if path is None:
        raise FileNotFoundError(f"Streamlit ships no face {family}")
    face = ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)  # raqm refuses some texts
    axes = [axis["default"] for axis in face.get_variation_axes()]
    face.set_variation_by_axes([weight, *([min(size, 60)] if len(axes) > 1 else [])])
    return face


def _fit(style: _Style, text: str, most: int, wide: float = _INSIDE) -> tuple[ImageFont.FreeTypeFont, list[str]]:
    """The largest of these sizes in which one row holds the text, else the largest of `most` rows, and the rows."""
    line = one_line(text)
    for allowed in range(1, most + 1):
        for size in style.sizes:
            face = _face(style.family, size, style.weight)
            rows = _wrapped(face, line, wide)
            if len(rows) <= allowed:
                return face, rows
    return face, [*rows[: most - 1], _cut(face, " ".join(rows[most - 1 :]), wide)]


def _block(draw: ImageDraw.ImageDraw, face: ImageFont.FreeTypeFont, rows: Sequence[str], top: int, colour: str) -> int:
    """Draw the rows from this height on; returns where the last one ends."""
    step = round(face.size * 1.16)
    for index, row in enumerate(rows):
        draw.text((_EDGE, top + face.size + index * step), row, font=face, fill=colour, anchor="ls")
    return top + len(rows) * step + 6 * bool(rows)


def _wrapped(face: ImageFont.FreeTypeFont, text: str, wide: float) -> list[str]:
    """The text in rows of whole words; a word that is wider than a row is cut."""
    rows: list[str] = []
    for word in text.split():
        longer = f"{rows[-1]} {word}" if rows else word
        if rows and face.getlength(longer) <= wide:
            rows[-1] = longer
        else:
            rows.append(_cut(face, word, wide))
    return rows


def _cut(face: ImageFont.FreeTypeFont, text: str, wide: float) -> str:
    """As much of the text as this width holds, with an ellipsis where some is left out."""
    line = one_line(text)
    if face.getlength(line[:400]) <= wide and len(line) <= 400:
        return line
    low, high = 0, min(len(line), 400)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if face.getlength(f"{line[:middle]}…") <= wide else (low, middle - 1)
    return f"{line[:low].rstrip()}…"


def _bar(draw: ImageDraw.ImageDraw, bar: Bar, top: int) -> None:
    """The scale: measured scores solid, claims beyond them pale with a dashed end, and a name at both."""
    thick, small = 28, _face("Source Sans", 22, _REGULAR)
    bold = _face("Source Sans", 22, _SEMIBOLD)
    base = top + 30

    def x(share: float) -> float:
        return _EDGE + _INSIDE * min(1.0, max(0.0, share))

    draw.rounded_rectangle((_EDGE, base, WIDE - _EDGE, base + thick), 4, fill=LIGHT.fill)
    ends = [bar_end for bar_end in (bar.measured, bar.claimed) if bar_end is not None]
    if bar.claimed is not None:
        draw.rounded_rectangle((_EDGE, base, x(bar.claimed), base + thick), 4, fill=LIGHT.ramp(0.25))
    if bar.measured is not None:
        draw.rounded_rectangle((_EDGE, base, x(bar.measured), base + thick), 4, fill=LIGHT.accent)
    if bar.claimed is not None:
        for start in range(base - 4, base + thick + 4, 8):
            draw.line((x(bar.claimed), start, x(bar.claimed), start + 4), fill=LIGHT.accent, width=3)
    if bar.low is not None and bar.high is not None:
        draw.line((x(bar.low), base + thick / 2, x(bar.high), base + thick / 2), fill=LIGHT.card, width=4)
    _labels(draw, bar, base - 8, (bold, small), x(min(ends)) if ends else _EDGE, x(max(ends)) if ends else _EDGE)
    for text, end, anchor in ((bar.left, _EDGE, "ls"), (bar.right, WIDE - _EDGE, "rs")):
        label = _cut(small, text, _INSIDE / 2 - _LABEL_GAP)
        draw.text((end, base + thick + 26), label, font=small, fill=LIGHT.ink2, anchor=anchor)


def _labels(  # noqa: PLR0913, PLR0917 - where two labels go
    draw: ImageDraw.ImageDraw,
    bar: Bar,
    base: int,
    faces: tuple[ImageFont.FreeTypeFont, ImageFont.FreeTypeFont],
    lower: float,
    upper: float,
) -> None:
    """Both labels above their ends, right-aligned, moved apart where they would meet; the lower number is left."""
    labels = [(bar.measured, bar.measured_label, faces[0]), (bar.claimed, bar.claimed_label, faces[1])]
    drawn = sorted(
        ((value, label, face) for value, label, face in labels if value is not None and label), key=lambda row: row[0]
    )
    right = float(WIDE - _EDGE)
    for end, (_value, label, face) in zip((upper, lower), reversed(drawn), strict=False):
        text = _cut(face, label, _INSIDE / 2 - _LABEL_GAP)
        wide = face.getlength(text)
        stop = max(_EDGE + wide, min(right, end + wide / 2))
        draw.text((stop, base), text, font=face, fill=LIGHT.accent, anchor="rs")
        right = stop - wide - _LABEL_GAP


def _answers(draw: ImageDraw.ImageDraw, lines: Sequence[Line], top: int) -> None:
    """The answers beside one another, each below a rule."""
    gap = 40
    wide = (_INSIDE - gap * (LINES - 1)) / LINES
    for index, line in enumerate(lines):
        left = _EDGE + index * (wide + gap)
        draw.line((left, top, left + wide, top), fill=LIGHT.line, width=3)
        rows = (
            (line.question, _SMALL_STYLE, LIGHT.ink2, 34),
            (line.word, _WORD, _COLOURS.get(line.kind, LIGHT.ink), 70),
            (line.below, _SMALL_STYLE, LIGHT.ink2, 104),
        )
        for text, style, colour, down in rows:
            face, cut = _fit(style, text, 1, wide)
            draw.text((left, top + down), "".join(cut), font=face, fill=colour, anchor="ls")
