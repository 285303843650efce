"""Backcast forecasts beside what came, and what was said against what came: drawn by hand."""

from datetime import date

import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.benchmark.tabs import backcast
from tests.dashboard.pages.benchmark.test_figures import FACTS, STEPS
from tests.support.mark_count import mark_count

MADE, TARGET = (
    [date(2025, 3, 31), date(2025, 6, 30), date(2025, 9, 30)],
    [date(2025, 9, 30), date(2025, 12, 31), date(2026, 3, 31)],
)
FORECASTS = pl.DataFrame(
    {
        "issued_on": MADE,
        "made_on": MADE,
        "target_on": TARGET,
        "best": [0.5, 0.5, 0.6],
        "median": [0.6, 0.6, 0.7],
        "low80": [0.5, 0.5, 0.6],
        "high80": [0.7, 0.7, 0.8],
        "chance": [0.5, 0.6, 0.7],
        "shown": [False] * 3,
        "state": ["due", "due", "waiting"],
        "happened": [True, True, None],
        "outcome": [0.65, 0.9, None],
        "inside": [True, False, None],
    },
    schema_overrides=PUBLISHED["forecast_backcast"],
)


def test_each_forecast_is_a_mark_with_its_interval() -> None:
    made = backcast.fans(FACTS, FORECASTS, STEPS, LIGHT)
    assert isinstance(made, Chart)
    assert made.title == (
        "1 of 2 backcast forecasts held the best score, made from Mar 2025 to Sep 2025; 1 cannot be judged"
    )
    assert mark_count(made.figure) == 3
    assert made.rows.filter(what="backcast forecast")["came"].to_list() == ["held", "missed", "open"]
    whiskers = {
        tuple(trace.error_y.array.astype(float).round(2))
        for trace in made.figure.data
        if trace.error_y.array is not None
    }
    assert whiskers == {(0.1,)}
    assert isinstance(backcast.fans(FACTS, FORECASTS.clear(), STEPS, LIGHT), Nothing)


def test_what_was_said_stands_against_what_came() -> None:
    both = {"horizon_months": 6, "shown": None, "held": 0.7, "held_low": 0.5, "held_high": 0.85, "benchmarks": 9}
    both |= {"months": 8, "first_on": MADE[0], "last_on": MADE[2]}
    rows = pl.DataFrame(
        [
            {**both, "what": "interval", "least": 0.8, "expected": 0.8, "statements": 40, "width": 9.0},
            {**both, "what": "chance", "least": 0.4, "expected": 0.52, "statements": 30, "width": None},
            {**both, "what": "chance", "least": 0.6, "expected": 0.7, "statements": 10, "width": None},
        ],
        schema=PUBLISHED["forecast_held"],
    )
    made = backcast.outcome_chart(rows, MADE[2], LIGHT)
    assert isinstance(made, Chart)
    assert mark_count(made.figure) == rows.height
    bars = [shape.y1 for shape in made.figure.layout.shapes if shape.type == "rect"]
    assert bars == [0.75, 0.25]
    assert made.title == "Of 40 backcast statements at 80%, 70% held (95% interval 50 to 85%)"
    assert isinstance(backcast.outcome_chart(rows.clear(), None, LIGHT), Nothing)
