"""The lettering of every chart of the bundled facts, wide and narrow, in a real browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from plotly.offline import get_plotlyjs

from tests.support.lettering import asked, faults, faults_now

pytestmark = [pytest.mark.browser, pytest.mark.whole]

LONG = {"text": "Far too long a label for its place", "x": 9, "y": 1, "xanchor": "left", "showarrow": False}
_DRAW = "layout => Plotly.newPlot('chart', [{x: [1, 9], y: [0, 2], mode: 'markers'}], layout)"


@pytest.fixture(scope="module")
def empty_chart(browser: Browser) -> Iterator[Page]:
    """A page with Plotly and a place for a chart."""
    page = browser.new_page(viewport={"width": 400, "height": 500})
    page.set_content("<div id='chart'></div>")
    page.add_script_tag(content=get_plotlyjs())
    yield page
    page.close()


@pytest.mark.soak
def test_no_label_is_cut_or_struck_and_none_overlaps(browser: Browser, whole_server: str) -> None:
    page = browser.new_page(bypass_csp=True)
    assert list(faults(page, whole_server, asked())) == []
    page.close()


@pytest.mark.soak  # what looks for them is asked in the soak alone
@pytest.mark.parametrize(
    ("layout", "fault"),
    [
        ({"annotations": [LONG], "xaxis": {"range": [0, 10]}}, "cut by"),
        ({"annotations": [{"text": text, "x": 5, "y": 1} for text in ("One label", "Another one")]}, "overlap"),
        ({"xaxis": {"tickvals": [2, 4, 6], "ticktext": ["89%", "90%", "90%"], "range": [0, 10]}}, "ticks repeat"),
        ({"xaxis": {"tickvals": [2], "range": [0, 10]}}, "one number"),
        ({"xaxis": {"tickvals": [2, 4], "tickangle": 40, "range": [0, 10]}}, "tilted numbers"),
    ],
)
def test_each_fault_is_seen(empty_chart: Page, layout: dict[str, object], fault: str) -> None:
    empty_chart.evaluate(_DRAW, {})
    assert faults_now(empty_chart) == []
    empty_chart.evaluate(_DRAW, layout)
    faults_shown = faults_now(empty_chart)
    assert any(one.startswith(fault) for one in faults_shown), faults_shown


@pytest.mark.soak
def test_a_line_through_a_label_is_seen(empty_chart: Page) -> None:
    line = {"type": "line", "x0": 0, "x1": 10, "y0": 1, "y1": 1}
    label = {"text": "A label under a line", "x": 5, "y": 1, "showarrow": False}
    empty_chart.evaluate(_DRAW, {"annotations": [label], "shapes": [line]})
    assert faults_now(empty_chart) == ["struck: A label under a line"]
    empty_chart.evaluate(_DRAW, {"annotations": [label | {"bgcolor": "white"}], "shapes": [line]})
    assert faults_now(empty_chart) == []
