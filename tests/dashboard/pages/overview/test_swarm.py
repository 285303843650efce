"""Marks along a line: none touch, each stays on the line where it can, and the same come out the same."""

from itertools import combinations
from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.dashboard.pages.overview.figures.lanes import swarm

GAP = 9.6
PLACES = st.lists(st.floats(0, 346), max_size=60)


@given(PLACES)
def test_no_two_are_nearer_than_the_gap(places: list[float]) -> None:
    marks = list(zip(places, swarm(places, GAP), strict=True))
    for (x, y), (other, beside) in combinations(marks, 2):
        assert hypot(x - other, y - beside) >= GAP - 1e-6


@given(PLACES)
def test_what_is_far_from_all_others_lies_on_the_line(places: list[float]) -> None:
    offsets = swarm(places, GAP)
    for index, place in enumerate(places):
        if all(abs(place - other) >= GAP for which, other in enumerate(places) if which != index):
            assert offsets[index] == 0.0


def test_three_at_one_place_lie_on_above_and_below() -> None:
    assert swarm([50.0, 50.0, 50.0], GAP) == pytest.approx([0.0, GAP, -GAP])
    assert swarm([], GAP) == []
