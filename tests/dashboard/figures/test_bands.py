"""Bands of stages below a curve: one rectangle for each stretch that is in sight, and a plot of the same height."""

from datetime import date

import plotly.graph_objects as go
import polars as pl
import pytest

from benchhealth.dashboard.figures import bands
from benchhealth.dashboard.figures.chart import Chart
from benchhealth.dashboard.figures.palette import DARK, LIGHT, Palette

FIRST, END = date(2020, 1, 1), date(2026, 1, 1)


def curve() -> Chart:
    figure = go.Figure()
    figure.update_layout(height=400, xaxis={"range": [FIRST, END]}, margin={"t": 8, "r": 104})
    rows = pl.DataFrame({"what": ["best so far"], "dated_on": [FIRST], "score": [0.5]})
    return Chart("t", "s", figure, rows, "a", END, (), "frontier")


def stretches(*rows: tuple[str, date, date]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["stage", "from_on", "until_on"], orient="row")


NOW = stretches(
    ("unknown", date(2019, 1, 1), date(2019, 12, 1)),
    ("emerging", date(2019, 6, 1), date(2020, 6, 1)),
    ("discriminating", date(2020, 6, 1), date(2024, 1, 1)),
    ("compressing", date(2024, 1, 1), date(2024, 2, 1)),
    ("saturated", date(2024, 2, 1), date(2026, 6, 1)),
)
NONE = NOW.clear()


def plot_height(chart: Chart) -> float:
    low, high = chart.figure.layout.yaxis.domain or (0, 1)
    margins = chart.figure.layout.margin
    return (chart.figure.layout.height - bands.FRAME + 8 - margins.t) * (high - low)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_each_stretch_in_sight_is_a_rectangle_with_its_ends_cut_to_the_axis(palette: Palette) -> None:
    before = plot_height(curve())
    chart = bands.with_bands(curve(), NOW, NONE, [(1, FIRST), (2, FIRST), (3, date(2012, 1, 1))], palette)
    shapes = [shape for shape in chart.figure.layout.shapes if shape.yref == "y2"]
    ends = [(date.fromisoformat(str(one.x0)[:10]), date.fromisoformat(str(one.x1)[:10])) for one in shapes]
    assert ends[0] == (FIRST, date(2020, 6, 1))
    assert ends[-1] == (date(2024, 2, 1), END)
    assert len(shapes) == 4
    assert plot_height(chart) == pytest.approx(before, abs=1)
    labels = [note.text for note in chart.figure.layout.annotations]
    assert "◆ Still measuring" in labels
    assert "■ Saturated" in labels
    assert "▼ Running out" not in labels, "a month has no room for words"
    assert [text for text in labels if text in {"1", "2", "3"}] == ["1", "2"]


def test_what_was_known_then_is_a_thinner_band_below_and_left_out_where_nothing_is_known() -> None:
    one = bands.with_bands(curve(), NOW, NONE, [], LIGHT)
    two = bands.with_bands(curve(), NOW, NOW, [], LIGHT)
    assert "as known then" not in [note.text for note in one.figure.layout.annotations]
    assert "as known then" in [note.text for note in two.figure.layout.annotations]
    thick, thin = (abs(shape.y1 - shape.y0) for shape in (two.figure.layout.shapes[0], two.figure.layout.shapes[-1]))
    assert thick > thin
    assert one.rows["what"].to_list() == ["best so far", *["stage"] * NOW.height]
    assert two.rows.filter(what="stage as known then").height == NOW.height
    assert two.figure.layout.height > one.figure.layout.height


def test_without_a_stretch_the_chart_is_as_it_was() -> None:
    chart = curve()
    assert bands.with_bands(chart, NONE, NONE, [(1, FIRST)], LIGHT) is chart
