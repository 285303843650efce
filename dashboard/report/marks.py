"""The marks that still pictures are made of, as SVG that browsers and fpdf2 both draw."""

from collections.abc import Iterable
from html import escape

from benchhealth.dashboard.report.letters import FAMILY

Spot = tuple[float, float]
"""A place in a drawing: pixels from the left and pixels from the top."""


def picture(wide: float, high: float, marks: Iterable[str], letters: float) -> str:
    """The whole picture of these marks; `letters` is the size of what is written, in pixels."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{high:g}" viewBox="0 0 {wide:g} {high:g}" '
        f'font-family="{FAMILY}" font-size="{letters:g}px">{"".join(marks)}</svg>'
    )


def text(place: Spot, words: str, colour: str, more: str = "") -> str:
    """A text; `more` are further attributes, here and below."""
    return f'<text x="{place[0]:.1f}" y="{place[1]:.1f}" fill="{colour}"{more}>{escape(words)}</text>'


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
