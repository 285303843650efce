"""Where labels go: beside points without covering one another, and spread apart at the ends of lines.

Both are greedy and deterministic, so that the same generation gives the same picture.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import cos, hypot, pi, sin

LETTER = 0.56
"""Width of a letter as a share of its height, on average over Source Sans."""

DIRECTIONS = tuple((cos(k * pi / 4), sin(k * pi / 4)) for k in (0, 4, 1, 3, 7, 5, 2, 6))
"""Right and left first, then the diagonals, then above and below."""

DISTANCES = (9.0, 15.0, 24.0, 36.0, 52.0)
"""Pixels from the point to the nearest edge of its label, in the order in which they are tried."""

LEADER_FROM = 20.0
"""Pixels from which on a hairline leads from the point to its label."""

HALF_STROKE = 2.0
"""Half the thickness of a stepped line as an obstacle, in pixels."""

Segment = tuple[float, float, float, float]
"""A line from one point to another in pixels."""


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels; `y` grows upwards."""

    left: float
    bottom: float
    right: float
    top: float

    def covers(self, box: "Box") -> bool:
        """Whether the two have a common area."""
        return self.left < box.right and box.left < self.right and self.bottom < box.top and box.bottom < self.top

    def moved(self, across: float) -> "Box":
        """The same box, so many pixels to the right."""
        return replace(self, left=self.left + across, right=self.right + across)

    def inside(self, box: "Box") -> bool:
        """Whether this box lies within the other."""
        return self.left >= box.left and self.right <= box.right and self.bottom >= box.bottom and self.top <= box.top


@dataclass(frozen=True)
class Point:
    """A mark in pixels with its radius, and the text that it wants; an empty text wants none."""

    x: float
    y: float
    radius: float = 5.0
    text: str = ""


@dataclass(frozen=True)
class PlacedLabel:
    """A label: the index of its point, the middle of its box in pixels, and whether a leader is needed."""

    index: int
    x: float
    y: float
    leader: bool


def placed_labels(
    points: Sequence[Point], area: Box, size: float, obstacles: Sequence[Box] = (), narrowed: float = 1.0
) -> list[PlacedLabel]:
    """Labels for the points that want one, in the order of the points; one that finds no room has none.

    `size` is the height of letters in pixels; no label covers an obstacle, and no leader crosses a label. A label lies
    within the area, also where a window narrows it across to this share: its point moves then, and the label with it.
    """
    marks = [Box(p.x - p.radius, p.y - p.radius, p.x + p.radius, p.y + p.radius) for p in points]
    narrow = replace(area, right=area.right * narrowed)
    occupied: list[Box] = []
    leaders: list[Segment] = []
    placed: list[PlacedLabel] = []
    for index, point in enumerate(points):
        if not point.text:
            continue
        for box, leader in _candidates(point, size):
            if not box.inside(area) or not box.moved((narrowed - 1) * point.x).inside(narrow):
                continue
            if any(box.covers(occupied_box) for occupied_box in occupied):
                continue
            if any(box.covers(obstacle) for obstacle in obstacles):
                continue
            if any(box.covers(mark) for mark_index, mark in enumerate(marks) if mark_index != index):
                continue
            x, y = (box.left + box.right) / 2, (box.bottom + box.top) / 2
            line = (point.x, point.y, x, y)
            if any(_crosses(line, earlier) for earlier in leaders if leader):
                continue
            if any(clipped_segment(earlier, box) for earlier in leaders) or (
                leader and any(clipped_segment(line, occupied_box) for occupied_box in occupied)
            ):
                continue
            occupied.append(box)
            leaders += [line] * leader
            placed.append(PlacedLabel(index, x, y, leader))
            break
    return placed


def clipped_segment(line: Segment, box: Box) -> Segment | None:
    """The part of the segment that lies within the box (Liang-Barsky); None where no point does."""
    x0, y0, x1, y1 = line
    enters, leaves = 0.0, 1.0
    for start, step, low, high in ((x0, x1 - x0, box.left, box.right), (y0, y1 - y0, box.bottom, box.top)):
        if step == 0:
            if not low < start < high:
                return None
            continue
        first, last = sorted(((low - start) / step, (high - start) / step))
        enters, leaves = max(enters, first), min(leaves, last)
    if enters >= leaves:
        return None
    return x0 + enters * (x1 - x0), y0 + enters * (y1 - y0), x0 + leaves * (x1 - x0), y0 + leaves * (y1 - y0)


def _crosses(first: Segment, second: Segment) -> bool:
    """Whether two segments cross."""
    return _sides(first, second) and _sides(second, first)


def _sides(line: Segment, segment: Segment) -> bool:
    """Whether the ends of a segment lie on different sides of a line."""
    x0, y0, x1, y1 = line
    first, last = ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) for x, y in (segment[:2], segment[2:]))
    return first * last < 0


def step_boxes(corners: Sequence[tuple[float, float]]) -> list[Box]:
    """The boxes of a stepped line through these corners in pixels, horizontal first: an obstacle for labels."""
    boxes = []
    for (x0, y0), (x1, y1) in pairwise(corners):
        boxes.append(Box(min(x0, x1), y0 - HALF_STROKE, max(x0, x1), y0 + HALF_STROKE))
        boxes.append(Box(x1 - HALF_STROKE, min(y0, y1), x1 + HALF_STROKE, max(y0, y1)))
    return boxes


def _candidates(point: Point, size: float) -> list[tuple[Box, bool]]:
    wide, high = len(point.text) * size * LETTER, size * 1.25
    boxes = []
    for distance in DISTANCES:
        for across, up in DIRECTIONS:
            x = point.x + across * (distance + point.radius / 2) + _side(across) * wide / 2
            y = point.y + up * (distance + point.radius / 2) + _side(up) * high / 2
            box = Box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
            boxes.append((box, hypot(across * distance, up * distance) > LEADER_FROM))
    return boxes


def _side(direction: float) -> float:
    return 0.0 if abs(direction) < 1e-9 else 1.0 if direction > 0 else -1.0


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Heights for labels that want these heights, at least `gap` apart and within `low` to `high` while they fit.

    The order is kept; what moves, moves as little as its neighbours allow (pool of adjacent violators).
    """
    if not wanted:
        return []
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    room = max(0.0, high - low)
    step = gap if gap * (len(wanted) - 1) <= room else room / (len(wanted) - 1)
    pools: list[tuple[float, int]] = []
    for place_, index in enumerate(order):
        pools.append((wanted[index] - place_ * step, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (mean, count), (mean_before, count_before) = pools.pop(), pools.pop()
            total = count + count_before
            pools.append(((mean * count + mean_before * count_before) / total, total))
    bases = [mean for mean, count in pools for _ in range(count)]
    top = high - step * (len(wanted) - 1)
    heights = [0.0] * len(wanted)
    for place_, index in enumerate(order):
        heights[index] = min(max(bases[place_], low), max(low, top)) + place_ * step
    return heights
