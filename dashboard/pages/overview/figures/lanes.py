"""The map for a phone: three lanes by stage, a mark for each benchmark in use by the room that is left.

Marks may not touch: each lies as near the line as those before it allow, always in the same way. A lane is a link to
the list of its stage. Pictures hold no text, since they have no fonts: names stand above them.
"""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from math import sqrt
from typing import Any, NamedTuple
from urllib.parse import quote

import polars as pl

from benchhealth.dashboard.figures.labels import LETTER, Box, PlacedLabel, Point, placed_labels
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.overview.figures.map import LITTLE
from benchhealth.dashboard.published.benchmarks import best_known, is_in_use, named_stage
from benchhealth.dashboard.words.numbers import percent
from benchhealth.dashboard.words.stages import STAGE_WORDS
from benchhealth.dashboard.words.text import count, words_within

HAIR = 1e-9


def swarm(along: Sequence[float], gap: float) -> list[float]:
    """How far each mark lies off the line, up positive, so that no two are nearer than `gap`; both in pixels.

    Marks are set from the left, equals in their order. One is tried on the line, and where it would touch each mark
    that is near; the nearest to the line that is free is taken, the upper of two.
    """
    placed: list[tuple[float, float]] = []
    offsets = [0.0] * len(along)
    for index in sorted(range(len(along)), key=lambda mark: (along[mark], mark)):
        x = along[index]
        neighbours = [(other_x, off) for other_x, off in placed if x - other_x < gap]
        tried = [0.0]
        for other_x, off in neighbours:
            step = sqrt(max(0.0, gap**2 - (x - other_x) ** 2))
            tried += [off + step, off - step]
        free = [
            off for off in tried
            if all((x - other_x) ** 2 + (off - beside) ** 2 >= gap**2 - HAIR for other_x, beside in neighbours)
        ]  # fmt: skip
        offsets[index] = min(free, key=lambda off: (round(abs(off), 6), -off))
        placed.append((x, offsets[index]))
    return offsets


STAGES = ("discriminating", "compressing", "saturated")
MARK_GAP = 9.6
"""Pixels between the middles of two marks at the least."""

WIDTH, SIDE, ABOVE, BELOW = 346, 8, 24, 10
"""Pixels: of a lane, free at its sides, for its name above the marks, and below them."""

RADIUS, LETTERS = 4.2, 11.5
MARKS_NAMED, NAME_LETTERS = 3, 22
"""How many marks of a lane are named, the best known first, and with how many letters."""

TICKS = (0.0, 0.10, 0.25, 0.50, 0.75, 1.0)
_CORNERS: Mapping[str, str] = {
    "discriminating": "l4.6 4.6-4.6 4.6-4.6-4.6z",
    "compressing": "h4.4l-4.4 7.6-4.4-7.6z",
    "saturated": "h3.8v7.6h-7.6v-7.6z",
}
"""The outline of a mark, from the middle of its upper end."""

_HEADS = {"discriminating": 4.6, "compressing": 3.8, "saturated": 3.8}
PLAIN = " =/:.,;()'%-"
"""The characters that a picture in an address need not escape."""


class Lane(NamedTuple):
    """A lane: its stage, how many are in it, its height in pixels, its marks and names in pixels, `y` downwards."""

    stage: str
    counted: int
    height: float
    marks: Sequence[tuple[float, float]]
    names: Sequence[tuple[PlacedLabel, Point]]


def lanes(rows: pl.DataFrame) -> list[Lane]:
    """The lanes of these rows of `published.benchmarks` that are not empty; a benchmark without ceiling has no mark."""
    in_use = best_known(rows.filter(is_in_use())).with_columns(named=named_stage())
    return [_lane(stage, in_stage) for stage in STAGES if not (in_stage := in_use.filter(named=stage)).is_empty()]


def _lane(stage: str, rows: pl.DataFrame) -> Lane:
    drawn = rows.drop_nulls("headroom")
    across = [_across(room) for room in drawn["headroom"]]
    offsets = swarm(across, MARK_GAP)
    reach = max((abs(off) for off in offsets), default=0.0) + RADIUS
    height = ABOVE + 2 * max(reach, 14.0) + BELOW
    middle = ABOVE + max(reach, 14.0)
    names = [words_within(label, NAME_LETTERS) for label in drawn["label"].head(MARKS_NAMED)]
    texts = [*names, *[""] * (drawn.height - len(names))]
    points = [
        Point(x, height - middle + off, RADIUS, text) for x, off, text in zip(across, offsets, texts, strict=True)
    ]
    name_box = Box(WIDTH - 150, height - ABOVE + 4, WIDTH, height)
    placed = placed_labels(points, Box(0, 0, WIDTH, height), LETTERS, (name_box,))
    marks = [(x, middle - off) for x, off in zip(across, offsets, strict=True)]
    return Lane(
        stage, rows.height, height, marks, [(placed_label, points[placed_label.index]) for placed_label in placed]
    )


def _across(room: float) -> float:
    return SIDE + sqrt(min(max(room, 0.0), 1.0)) * (WIDTH - 2 * SIDE)


def without_mark(stage_lanes: Sequence[Lane]) -> str:
    """How many of the lanes have no mark, as a sentence; empty where all have."""
    lacking = sum(lane.counted - len(lane.marks) for lane in stage_lanes)
    return f" {count(lacking, 'more has', 'more have')} no known ceiling and no mark." if lacking else ""


def html(stage_lanes: Sequence[Lane], address_of: Callable[[str], str], palette: Palette) -> str:
    """The lanes below one another; `address_of` gives the address of the list of a stage."""
    ticks = "".join(f'<span style="left:{100 * _across(tick) / WIDTH:.1f}%">{percent(tick)}</span>' for tick in TICKS)
    return (
        '<div class="lanes"><p><span>← nothing left</span><span>all of the scale left →</span></p>'
        f"{''.join(_html(lane, address_of(lane.stage), palette) for lane in stage_lanes)}"
        f"<div class=lane-ticks>{ticks}</div></div>"
    )


def _html(lane: Lane, url: str, palette: Palette) -> str:
    label = f"{STAGE_WORDS[lane.stage]} {lane.counted:,}"
    names = "".join(
        f'<i style="left:{100 * spot.x / WIDTH:.1f}%;top:{100 * (lane.height - spot.y) / lane.height:.1f}%">'
        f"{escape(point.text)}</i>"
        for spot, point in lane.names
    )
    return (
        f'<a href="{escape(url, quote=True)}" aria-label="{label}: the list">'
        f'<img alt="" src="data:image/svg+xml,{quote(_drawing(lane, palette), safe=PLAIN)}">'
        f'<b style="color:{palette.stages[lane.stage].text}">{label}</b>{names}</a>'
    )


def _drawing(lane: Lane, palette: Palette) -> str:
    wide, high = WIDTH, round(lane.height)
    lines = "".join(f"M{_across(tick):.0f} 0v{high}" for tick in TICKS[1:])
    mark_top, outline = _HEADS[lane.stage], _CORNERS[lane.stage]
    marks = "".join(f"M{x:.1f} {y - mark_top:.1f}{outline}" for x, y in lane.marks)
    leaders = "".join(_leader(label, point, high) for label, point in lane.names if label.leader)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}">'
        f'<path d="M{SIDE} 0H{_across(LITTLE):.0f}V{high}H{SIDE}z" fill="{palette.fill}"/>'
        f'<path d="{lines}M0 {high}H{wide}" stroke="{palette.grid}" fill="none"/>'
        f'<path d="{leaders}" stroke="{palette.ink3}" stroke-width=".7"/>'
        f'<path d="{marks}" fill="{palette.stages[lane.stage].mark}"/></svg>'
    )


def _leader(name: PlacedLabel, point: Point, high: int) -> str:
    """The SVG path of the line from a mark to the edge of its name."""
    right, up = point.x - name.x, point.y - name.y
    inside = min(
        len(point.text) * LETTERS * LETTER / 2 / max(abs(right), 1e-9), LETTERS * 0.65 / max(abs(up), 1e-9), 1.0
    )
    x, y = name.x + inside * right, name.y + inside * up
    return f"M{point.x:.0f} {high - point.y:.0f}L{x:.0f} {high - y:.0f}"


def sparkline(shares: Sequence[Any] | None, palette: Palette) -> str:
    """The best so far as a small picture: shares from 0 to 1 at equal distances; empty where there are none."""
    if not shares:
        return ""
    step = 76 / (len(shares) - 1)
    line = "".join(
        f"{'L' if index else 'M'}{2 + index * step:.0f} {19 - 17 * share:.0f}"
        for index, share in enumerate(shares)
        if index in {0, len(shares) - 1} or share != shares[index - 1] or share != shares[index + 1]
    )
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 22">'
        f'<path d="{line}" fill="none" stroke="{palette.accent}" stroke-width="1.4"/>'
        f'<path d="M0 21.500h80" stroke="{palette.grid}"/></svg>'
    )
    return f'<img alt="" src="data:image/svg+xml,{quote(drawing, safe=PLAIN)}">'
