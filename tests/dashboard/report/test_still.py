"""A figure as a still picture: marks in their form and size, what leaves the plot, filled areas, ticks."""

import re
from datetime import date

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.dashboard.figures.labels import Box, clipped_segment
from benchhealth.dashboard.figures.language import laid_out
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.report.still import WIDTH, svg
from benchhealth.dashboard.words.text import one_line

BOX = Box(0, 0, 10, 4)
within = st.floats(-20, 20, allow_subnormal=False)


def framed(**trace: object) -> go.Figure:
    """A figure of one trace with axes from 0 to 10."""
    figure = laid_out(go.Figure(go.Scatter(**trace)), LIGHT, 200)
    return figure.update_layout(xaxis={"range": [0, 10]}, yaxis={"range": [0, 10]})


def drawn(figure: go.Figure, tag: str) -> list[dict[str, str]]:
    """The attributes of each element of this kind in the picture."""
    return [dict(re.findall(r'([\w-]+)="([^"]*)"', one)) for one in re.findall(f"<{tag} [^>]*", svg(figure, one_line))]


def test_marks_have_their_sizes_and_those_outside_are_left_out() -> None:
    marker = {"size": [4, 6, 8], "color": LIGHT.accent, "line": {"color": LIGHT.ink3, "width": 1.2}}
    circles = drawn(framed(x=[1, 2, 3], y=[1, 20, 3], mode="markers", marker=marker), "circle")
    assert [circle["r"] for circle in circles] == ["2.0", "4.0"]
    assert {circle["stroke"] for circle in circles} == {LIGHT.ink3}


@pytest.mark.parametrize(
    ("symbol", "tag", "most"), [("circle-open", "circle", 1), ("diamond-open", "path", 1), ("x-thin", "line", 2)]
)
def test_open_marks_are_outlines(symbol: str, tag: str, most: int) -> None:
    marker = {"symbol": symbol, "size": 8, "color": LIGHT.accent, "line": {"width": 1.6}}
    with_it = framed(x=[5], y=[5], mode="markers", marker=marker)
    marks = [mark for mark in drawn(with_it, tag) if mark.get("stroke-width") == "1.6"]
    assert len(marks) == most
    assert symbol == "x-thin" or [(mark["fill"], mark["stroke"]) for mark in marks] == [("none", LIGHT.accent)]


def test_an_area_is_filled_within_the_plot_and_has_no_line() -> None:
    figure = framed(x=[2, 2, 40], y=[2, 8, 8], mode="lines", fill="toself", fillcolor="rgba(1,2,3,0.2)", line_width=0)
    (area,) = drawn(figure, "path")
    assert (area["fill"], area["fill-opacity"]) == ("#010203", "0.2")
    assert max(float(x) for x, _ in re.findall(r"([\d.]+) ([\d.]+)", area["d"])) <= WIDTH
    assert len(drawn(figure, "line")) == len(drawn(framed(x=[5], y=[5], mode="markers"), "line"))


def test_a_line_is_parted_where_its_day_is_none() -> None:
    """As the curve of a benchmark is where the board broke: the two stretches stand apart."""
    days = np.array(["2020-03-01", "2021-03-01", "NaT", "2022-03-01", "2023-03-01"], dtype="datetime64[D]")
    scores = np.array([2, 2, np.nan, 8, 8], dtype=np.float32)
    figure = framed(x=days, y=scores, mode="lines", line={"color": LIGHT.accent, "width": 3})
    figure.update_xaxes(range=[date(2020, 1, 1), date(2024, 1, 1)])
    stretches = [line for line in drawn(figure, "line") if line.get("stroke-width") == "3"]
    assert [line["y1"] == line["y2"] for line in stretches] == [True, True]


def test_an_upright_over_the_whole_plot_ends_where_the_plot_does() -> None:
    """As the mark of a break is drawn: its ends are shares of the plot, whatever the axis spans."""
    figure = framed(x=[1], y=[1], mode="markers")
    figure.update_yaxes(range=[40, 50])
    for ref, colour in (("y domain", LIGHT.doubt), ("paper", LIGHT.accent)):
        figure.add_shape(type="line", x0=5, x1=5, y0=0, y1=1, yref=ref, line={"color": colour, "width": 3})
    by_domain, by_paper = (line for line in drawn(figure, "line") if line.get("stroke-width") == "3")
    assert (by_domain["y1"], by_domain["y2"]) == (by_paper["y1"], by_paper["y2"])


def test_ticks_are_those_of_the_page() -> None:
    figure = framed(x=[1], y=[1], mode="markers")
    figure.update_yaxes(range=[0.1, 0.52], dtick=0.2, tickformat=".0%")
    figure.update_xaxes(range=[date(2020, 3, 1), date(2025, 1, 1)])
    written = re.findall(r">([^<]+)</text>", svg(figure, one_line))
    assert written == ["20%", "40%", "2021", "2022", "2023", "2024", "2025"]


@given(within, within, within, within)
def test_what_is_left_of_a_line_lies_in_the_box_and_on_the_line(x0: float, y0: float, x1: float, y1: float) -> None:
    part = clipped_segment((x0, y0, x1, y1), BOX)
    ends = [(x0, y0), (x1, y1)]
    if part is None:
        assert not all(0 < x < 10 and 0 < y < 4 for x, y in ends) or ends[0] == ends[1]
        return
    for x, y in (part[:2], part[2:]):
        assert -1e-6 <= x <= 10 + 1e-6 and -1e-6 <= y <= 4 + 1e-6
        assert abs((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) < 1e-6
