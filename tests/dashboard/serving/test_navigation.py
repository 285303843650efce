"""Links stay in the tab and in the session, and the way back finds each view as it was left."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.browsing import DRAWN, opened, search, search_box, settle, visit

pytestmark = pytest.mark.browser
FIRST_ROW = {"x": 60, "y": 55}
"""Pixels from a table's corner: within the first cell below the header."""


def arrive(page: Page, title: str, address: str) -> None:
    """Wait for the view of this title and address; it is in the one tab there is."""
    expect(page).to_have_title(f"{title} · benchhealth")
    expect(page).to_have_url(address)
    expect(page.locator(DRAWN)).to_be_attached()
    assert len(page.context.pages) == 1


def table(page: Page) -> Locator:
    """The page's first table, drawn and at rest."""
    grid = page.get_by_test_id("stDataFrame").first
    expect(grid.locator("canvas").first).to_be_visible()
    grid.scroll_into_view_if_needed()
    return grid


def is_as_left(page: Page) -> None:
    """The filters of the map are those that the reader set."""
    expect(search_box(page)).to_have_value("fresh")
    expect(page.get_by_role("heading", name="1 benchmark", exact=True)).to_be_visible()


def test_from_a_table_to_a_benchmark_to_its_methods_and_back(browser: Browser, server: str) -> None:
    with opened(browser) as (page, wrong):
        sessions: list[str] = []
        page.on("websocket", lambda socket: sessions.append(socket.url))
        overview = f"{server}/?domain=language&search=fresh"
        visit(page, overview)
        is_as_left(page)
        row = table(page)
        row.hover(position=FIRST_ROW)
        row.click(position=FIRST_ROW)
        benchmark = f"{server}/benchmark?benchmark=exam-fresh"
        arrive(page, "Exam, fresh sample", benchmark)
        settle(page)
        page.get_by_test_id("stMain").locator('a[href*="methods#"]').first.click()
        arrive(page, "Methods", re.compile(re.escape(f"{server}/methods?topic=") + r"(\w+)#\1$"))
        page.go_back()
        arrive(page, "Exam, fresh sample", benchmark)
        page.go_back()
        arrive(page, "Map", overview)
        is_as_left(page)
        page.go_forward()
        arrive(page, "Exam, fresh sample", benchmark)
        assert len(sessions) == 1
        assert not wrong


@pytest.mark.soak
def test_a_link_in_text_leads_within_the_tab_and_the_one_that_clears_filters_leaves_none(
    browser: Browser, server: str
) -> None:
    with opened(browser) as (page, wrong):
        visit(page, f"{server}/?domain=science")
        expect(page.get_by_role("heading", name="1 benchmark", exact=True)).to_be_visible()
        named = page.get_by_test_id("stMain").locator('a[href^="benchmark?"]').first
        asked = str(named.get_attribute("href"))
        named.click()
        expect(page).to_have_url(f"{server}/{asked}")
        page.go_back()
        expect(page.get_by_role("heading", name="1 benchmark", exact=True)).to_be_visible()
        search(page, "no-such-name")
        page.get_by_role("link", name="Clear all filters").click()
        arrive(page, "Map", f"{server}/")
        expect(page.get_by_role("heading", name="Every benchmark")).to_be_visible()
        expect(search_box(page)).to_have_value("")
        assert not wrong


@pytest.mark.soak
def test_a_link_to_the_page_that_is_open_filters_in_place(browser: Browser, server: str) -> None:
    """A new tab is a cold session; the first page's own address is one of its addresses."""
    with opened(browser) as (page, wrong):
        sessions: list[str] = []
        page.on("websocket", lambda socket: sessions.append(socket.url))
        visit(page, f"{server}/")
        scales = page.get_by_text(re.compile(r"^\d+ scales? ha"))
        many = scales.inner_text().partition(" ")[0]
        scales.get_by_role("link", name="See them").click()
        arrive(page, "Map", f"{server}/?open=1")
        heading = page.get_by_role("heading", name=re.compile(f"^{many} benchmarks?$"))
        expect(heading).to_be_visible()
        page.go_back()
        arrive(page, "Map", f"{server}/")
        expect(page.get_by_role("heading", name="Every benchmark")).to_be_visible()
        assert len(sessions) == 1
        assert not wrong


@pytest.mark.soak
def test_a_link_to_a_board_opens_that_board(browser: Browser, server: str) -> None:
    """Streamlit drops a parameter that a box of the page left behind is bound to."""
    with opened(browser) as (page, wrong):
        view = f"{server}/benchmark?benchmark=arena&tab=Churn"
        visit(page, view)
        page.get_by_role("link", name="See the ranks move").click()
        expect(page).to_have_url(f"{server}/leaderboards?board=arena%2Farena")
        settle(page)
        page.go_back()
        expect(page).to_have_url(view)
        assert not wrong


@pytest.mark.soak
def test_a_file_needs_no_tab_and_a_tab_is_opened_for_whoever_asks(browser: Browser, server: str) -> None:
    with opened(browser) as (page, wrong):
        visit(page, f"{server}/methods?topic=thresholds")
        with page.expect_download() as download:
            page.get_by_role("link", name="Download as CSV").first.click()
        assert download.value.suggested_filename == "benchhealth-thresholds.csv"
        assert len(page.context.pages) == 1
        visit(page, f"{server}/")
        with page.context.expect_page() as other:
            page.get_by_role("link", name="Method", exact=True).click(modifiers=["Control"])
        expect(other.value).to_have_url(f"{server}/methods?topic=headroom#headroom")
        other.value.close()
        expect(page).to_have_url(f"{server}/")
        assert not wrong
