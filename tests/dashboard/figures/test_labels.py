"""Labels: none over another, none over a mark, the order of line ends kept."""

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from benchhealth.dashboard.figures.labels import LETTER, Box, Point, placed_labels, spread, step_boxes

SIZE = 12.0
AREA = Box(0, 0, 600, 400)

points = st.lists(
    st.builds(
        Point,
        x=st.floats(0, 600),
        y=st.floats(0, 400),
        radius=st.floats(2, 10),
        text=st.sampled_from(["", "GPT-5", "a longer name of a model"]),
    ),
    max_size=25,
)


def boxes(marks: list[Point]) -> list[tuple[int, Box]]:
    placed = []
    for label in placed_labels(marks, AREA, SIZE):
        wide, high = len(marks[label.index].text) * SIZE * LETTER / 2, SIZE * 1.25 / 2
        placed.append((label.index, Box(label.x - wide, label.y - high, label.x + wide, label.y + high)))
    return placed


@given(points)
def test_no_label_covers_another_or_a_mark(marks: list[Point]) -> None:
    placed = boxes(marks)
    for (_, one), (_, other) in combinations(placed, 2):
        assert not _shrunk(one).covers(_shrunk(other))
    for index, box in placed:
        assert _shrunk(box).inside(AREA)
        for other, mark in enumerate(marks):
            on = Box(mark.x - mark.radius, mark.y - mark.radius, mark.x + mark.radius, mark.y + mark.radius)
            assert other == index or not _shrunk(box).covers(on)


def _shrunk(box: Box) -> Box:
    """The box less what rounding may have added."""
    return Box(box.left + 1e-6, box.bottom + 1e-6, box.right - 1e-6, box.top - 1e-6)


def test_a_label_lies_within_its_area_in_a_narrow_window_too() -> None:
    """In half the width the mark comes nearer to the axis, and the label moves with it."""
    mark = Point(200, 100, 5, "a longer name of a model")
    high = [Box(mark.x, 0, 600, 400)]  # the room at the right is taken
    (wide,), narrow = placed_labels([mark], AREA, SIZE, high), placed_labels([mark], AREA, SIZE, high, 0.5)
    assert wide.x - len(mark.text) * SIZE * LETTER / 2 < mark.x / 2
    assert narrow == []
    assert placed_labels([mark], AREA, SIZE, (), 0.5) == placed_labels([mark], AREA, SIZE)


def test_a_label_alone_stands_at_the_right_of_its_mark() -> None:
    (label,) = placed_labels([Point(100, 100, 5, "o3")], AREA, SIZE)
    assert label.x > 100
    assert label.y == 100
    assert not label.leader


def test_a_label_does_not_cover_an_obstacle() -> None:
    line = step_boxes([(0, 100), (300, 100), (600, 200)])
    (label,) = placed_labels([Point(100, 100, 5, "o3")], AREA, SIZE, line)
    assert abs(label.y - 100) > SIZE / 2


@given(st.lists(st.floats(0, 400), min_size=1, max_size=20), st.floats(1, 30))
def test_line_ends_are_spread_in_their_order(wanted: list[float], gap: float) -> None:
    heights = spread(wanted, gap, 0, 400)
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    step = min(gap, 400 / max(1, len(wanted) - 1))
    for lower, upper in pairwise(order):
        assert heights[upper] - heights[lower] >= step - 1e-6
    assert min(heights) >= -1e-6
    assert max(heights) <= 400 + 1e-6


def test_ends_that_are_far_apart_stay() -> None:
    assert spread([10.0, 100.0, 300.0], 15, 0, 400) == [10.0, 100.0, 300.0]
