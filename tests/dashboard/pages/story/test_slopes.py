"""Slopes of a twin: which lines have a name, and what is left out."""

from datetime import date

import numpy as np
import plotly.graph_objects as go
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.story.figures.slopes import figure, nearest_to_steps, with_places

TWIN = {
    "original_id": "old", "other_id": "new", "original": "Old Photographs", "other": "New Photographs",
    "original_unit": "percent", "other_unit": "percent", "scale": "linear", "gap": 12.0, "gap_low": 11.0,
    "gap_high": 13.0, "kendall_tau": 0.9, "kendall_tau_top": None, "n_models": 4, "known_until": date(2026, 8, 22),
}  # fmt: skip


def rows(**more: list[object]) -> pl.DataFrame:
    """Four models, the last of them far below the others."""
    return pl.DataFrame(
        {
            "model_id": ["a", "b", "c", "far"],
            "model": ["Alder", "Birch", "Cedar", "Fir"],
            "setting": [""] * 4,
            "original": [80.0, 70.0, 60.0, 20.0],
            "other": [68.0, 59.0, 47.0, 14.0],
            "untested": [None, None, None, "extrapolated"],
            "own": [False] * 4,
            **more,
        }
    )


@given(st.lists(st.floats(0, 100), min_size=1, max_size=200), st.integers(2, 12))
def test_the_ends_are_always_named_and_no_more_than_there_are_steps(values: list[float], steps: int) -> None:
    nearest = nearest_to_steps(values, steps)
    chosen = {values[one] for one in nearest}
    assert min(values) in chosen and max(values) in chosen
    assert len(nearest) == len(set(nearest)) <= steps


def test_each_step_names_the_model_nearest_to_it() -> None:
    assert nearest_to_steps([0, 1, 49, 52, 100], steps=3) == [0, 2, 4]


def drawn(measure: str) -> tuple[pl.DataFrame, go.Figure]:
    lines = with_places(rows()).with_columns(named=True)
    return lines, figure(TWIN, lines, measure, LIGHT)


def test_a_model_apart_from_all_others_is_not_drawn() -> None:
    lines, made = drawn("score")
    assert lines["model"].to_list() == ["Alder", "Birch", "Cedar"]
    assert np.isnan(made.data[0].y[2::3]).all()
    assert made.data[0].y[:2].tolist() == [80.0, 68.0]


def test_by_place_the_first_place_is_at_the_top() -> None:
    lines, made = drawn("place")
    assert lines["place_original"].to_list() == [1, 2, 3]
    assert made.layout.yaxis.range[0] > made.layout.yaxis.range[1]


def test_names_stand_at_both_ends_and_on_a_phone_at_the_right_alone() -> None:
    texts = {(note.x, note.text, note.opacity) for note in drawn("score")[1].layout.annotations}
    assert {(0, "Alder 80", 0.99), (0, "80", 0.98), (1, "68 Alder", 0.99), (1, "68 Alder", 0.98)} <= texts
