"""What only a browser shows of open data: an old anchor leads to its topic, a report is read on its page."""

from typing import Literal

import pytest
from playwright.sync_api import Browser, Route

from benchhealth.dashboard.guard.headers import AGAIN, HEADERS
from benchhealth.dashboard.guard.turns import BUSY
from tests.support.browsing import opened, visit
from tests.support.soaking import some

pytestmark = [pytest.mark.browser, pytest.mark.whole]


def test_an_old_anchor_of_methods_leads_to_its_topic(server: str, browser: Browser) -> None:
    with opened(browser) as (page, _):
        visit(page, f"{server}/methods#headroom")
        page.get_by_role("heading", name="Headroom", exact=True).wait_for()
        assert "topic=headroom" in page.url
        page.get_by_text("Churn at the top (").click()
        page.get_by_role("link", name="Kendall's tau", exact=True).click()
        page.get_by_role("heading", name="Kendall's tau", exact=True).wait_for()


PAPER = 210 - 2 * 14
"""Millimetres of A4 between the margins that the pages ask for."""
RIGHT_ENDS = "() => [...document.querySelectorAll('.main-svg, h1, p')].map((one) => one.getBoundingClientRect().right)"


COLUMN_TOPS = """() => [...document.querySelectorAll('[data-testid="stHorizontalBlock"]:has(.main-svg) > *')]
    .slice(0, 2).map((column) => column.getBoundingClientRect().top)"""


@pytest.mark.soak
def test_columns_with_charts_stay_beside_one_another_on_paper(server: str, browser: Browser) -> None:
    with opened(browser) as (page, _):
        visit(page, f"{server}/trust")
        page.locator(".main-svg").first.wait_for()
        page.emulate_media(media="print")
        left, right = page.evaluate(COLUMN_TOPS)
        assert left == right


GROUND = "() => getComputedStyle(document.querySelector('[data-testid=\"stApp\"]')).backgroundColor"
COLOURS = "() => getComputedStyle(document.querySelector('[data-testid=\"stMain\"]')).filter"
CELLS = """() => {
  const cells = [...document.querySelectorAll('.st-key-answers > *')].map((one) => one.getBoundingClientRect());
  return [cells[0].bottom, cells[3].top];
}"""


@pytest.mark.parametrize("scheme", some(["light", "dark"], plain=["dark"]))
def test_a_page_is_printed_dark_on_white_and_not_cut_at_the_edge_of_the_paper(
    server: str, browser: Browser, scheme: Literal["light", "dark"]
) -> None:
    """A chart is not drawn anew for paper: all of the page is made smaller alike."""
    with opened(browser) as (page, _):
        page.emulate_media(color_scheme=scheme)
        visit(page, f"{server}/benchmark?benchmark=exam")
        page.locator(".main-svg").first.wait_for()
        page.emulate_media(color_scheme=scheme, media="print")
        assert max(page.evaluate(RIGHT_ENDS)) <= PAPER / 25.4 * 96
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.evaluate(GROUND) == "rgb(255, 255, 255)"
        assert page.evaluate(COLOURS).startswith("invert(1)" if scheme == "dark" else "none")
        above, below = page.evaluate(CELLS)
        assert 0 < below - above < 2, "answers stand one line apart, as on a screen"


WHOLE = """() => {
  const frame = document.querySelector('[class*="st-key-report_frame"] iframe');
  const height = frame.contentDocument.documentElement.scrollHeight;
  const parts = [frame, frame.closest('[class*="st-key-report_frame"]')];
  return height > 500 && parts.every((part) => Math.abs(part.getBoundingClientRect().height - height) < 4);
}"""
"""Whether the frame shows the report down to its last line, and the page goes on below that."""


def test_a_report_is_read_on_its_page_and_taken_as_pdf(server: str, browser: Browser) -> None:
    with opened(browser) as (page, _):
        page.goto(f"{server}/report?domain=science")
        inside = page.frame_locator("iframe")
        inside.get_by_role("heading", name="What this means for a decision").wait_for()
        page.wait_for_function(WHOLE)
        page.emulate_media(media="print")
        assert page.get_by_role("heading", level=1).count() == 0, "on paper the report is alone"
        page.wait_for_function(WHOLE)
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert not page.locator("iframe").is_visible(), "a frame would be cut wherever a sheet ends"
        assert page.locator(".st-key-report_frame article").first.is_visible()
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert page.locator("iframe").is_visible() and page.locator(".st-key-report_frame article").count() == 0
        page.emulate_media(media="screen")
        address = page.get_by_role("link", name="Take it as PDF").get_attribute("href")
        assert address is not None
        answer = page.request.get(f"{server}/{address.removeprefix(server).lstrip('/')}")
        assert answer.ok
        assert answer.body().startswith(b"%PDF")


@pytest.mark.soak
def test_a_report_that_must_wait_says_so_in_its_frame_and_is_asked_for_again(server: str, browser: Browser) -> None:
    n_asked = 0

    def busy_once(route: Route) -> None:
        nonlocal n_asked
        n_asked += 1
        if n_asked == 1:
            route.fulfill(
                status=503, body=BUSY, content_type="text/plain", headers={**HEADERS, **AGAIN, "Refresh": "1"}
            )
        else:
            route.continue_()

    with opened(browser) as (page, _):
        page.route("**/report.html?*", busy_once)
        page.goto(f"{server}/report?domain=science")
        inside = page.frame_locator("iframe")
        inside.get_by_text(BUSY).wait_for()
        inside.get_by_role("heading", name="What this means for a decision").wait_for()
        assert n_asked == 2
        page.unroute_all()
