"""Every page in a real Chromium: at two widths, in light and dark, from a link, with names that try to be markup."""

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, TimeoutError, expect

from dashboard.pages import PAGES
from dashboard.widgets.page import PageSpec
from tests.support.browsing import DRAWN, PATIENCE, Scheme, opened, settle, visit
from tests.support.small_generation import HOSTILE

pytestmark = pytest.mark.browser


class Look(NamedTuple):
    """How a window shows a page."""

    width: int
    scheme: Scheme


WIDEST = "Math.max(document.documentElement.scrollWidth, document.querySelector('[data-testid=stMain]').scrollWidth)"
LOOKS = (Look(1280, "light"), Look(390, "dark"))


def test_every_page_opens_from_its_address(browser: Browser, server: str) -> None:
    """In both looks of `LOOKS`, loaded in one and drawn again in the other as the reader's window and system change."""
    with opened(browser) as (page, wrong):
        for place, spec in enumerate(PAGES):
            first, then = LOOKS if place % 2 else reversed(LOOKS)
            _look(page, first)
            visit(page, f"{server}/{spec.url_path}")
            _check(page, spec, first)
            before = _ground(page)
            _look(page, then)
            expect(page.locator(DRAWN)).not_to_have_css("background-color", before, timeout=PATIENCE)
            settle(page)
            _check(page, spec, then)
            assert not wrong, (spec.url_path, wrong)


def _look(page: Page, look: Look) -> None:
    page.set_viewport_size({"width": look.width, "height": 900})
    page.emulate_media(color_scheme=look.scheme)


def _ground(page: Page) -> str:
    return str(page.locator(DRAWN).evaluate("app => getComputedStyle(app).backgroundColor"))


def _check(page: Page, spec: PageSpec, look: Look) -> None:
    assert page.get_by_test_id("stException").count() == 0, spec.url_path
    expect(page.get_by_role("heading", level=1).first).to_be_visible(timeout=PATIENCE)
    try:  # charts follow a window's width a moment later
        page.wait_for_function(f"{WIDEST} <= {look.width}", timeout=PATIENCE)
    except TimeoutError as late:
        raise AssertionError((spec.url_path, look, page.evaluate(WIDEST))) from late
    for chart in page.get_by_test_id("stPlotlyChart").all():
        assert chart.get_attribute("aria-label"), spec.url_path


@pytest.mark.parametrize("benchmark_id", ["arena", "silent-exam", "strange"])
def test_every_kind_of_benchmark_has_its_page(browser: Browser, server: str, benchmark_id: str) -> None:
    with opened(browser) as (page, wrong):
        visit(page, f"{server}/benchmark?benchmark={benchmark_id}")
        assert page.get_by_test_id("stException").count() == 0
        expect(page.get_by_role("heading", name="All indicators")).to_be_visible()
        assert not wrong


def test_published_names_stay_text(browser: Browser, server: str) -> None:
    with opened(browser) as (page, wrong):
        visit(page, f"{server}/benchmark?benchmark=hard-exam")
        shown = page.locator("h3", has_text="leads with").inner_text().replace("\u2060", "")
        assert shown.startswith(HOSTILE)
        assert page.locator('a[href^="javascript"]').count() == 0
        assert not wrong


def test_a_chart_s_numbers_source_and_citation_are_beside_it(browser: Browser, server: str) -> None:
    with opened(browser) as (page, wrong):
        visit(page, f"{server}/benchmark?benchmark=exam")
        page.get_by_text("The numbers (30 rows)").first.click()
        expect(page.get_by_text("A citation:")).to_be_visible(timeout=PATIENCE)
        expect(page.get_by_text(f"{server}/benchmark?benchmark=exam#curve", exact=True)).to_be_visible()
        table = page.get_by_role("link", name="Download as CSV").first
        assert table.get_attribute("href") == "csv/results?benchmark=exam"
        assert page.get_by_role("button", name="Download").count() == 0
        assert not wrong


def test_a_benchmark_that_is_not_there_is_said_so(browser: Browser, server: str) -> None:
    with opened(browser) as (page, _wrong):
        visit(page, f"{server}/benchmark?benchmark=nope")
        expect(page.get_by_role("heading", name="No such benchmark")).to_be_visible()
        expect(page.get_by_role("combobox", name="Benchmark")).to_be_visible()


def test_a_shared_link_opens_the_same_view(browser: Browser, server: str) -> None:
    with opened(browser) as (page, _wrong):
        visit(page, f"{server}/")
        page.get_by_role("searchbox", name="Search").fill("exam")
        expect(page.get_by_text("4 benchmarks.")).to_be_visible(timeout=PATIENCE)
        page.get_by_text("Parts too").click()
        expect(page.get_by_text("5 benchmarks.")).to_be_visible(timeout=PATIENCE)
        expect(page).to_have_url(re.compile("search=exam.*parts=true|parts=true.*search=exam"), timeout=PATIENCE)
        settle(page)
        shared, said = page.url, _said(page)
    with opened(browser) as (page, _wrong):
        visit(page, shared)
        expect(page.get_by_role("searchbox", name="Search")).to_have_value("exam", timeout=PATIENCE)
        expect(page.get_by_text("5 benchmarks.")).to_be_visible(timeout=PATIENCE)
        settle(page)
        assert _said(page) == said


def _said(page: Page) -> list[str]:
    """The words of the page, without those that charts and tables draw when they are ready."""
    return page.get_by_test_id("stMain").get_by_test_id("stMarkdownContainer").all_inner_texts()


def test_filters_follow_the_reader_to_another_page_and_are_found_again_on_the_way_back(
    browser: Browser, server: str
) -> None:
    with opened(browser) as (page, wrong):
        visit(page, f"{server}/?parts=true")
        expect(page.get_by_role("switch", name="Parts too")).to_be_checked(timeout=PATIENCE)
        page.get_by_role("searchbox", name="Search").fill("fresh")
        expect(page).to_have_url(re.compile("search=fresh"), timeout=PATIENCE)
        page.get_by_test_id("stSidebarNav").get_by_role("link", name="Benchmark").click()
        expect(page).to_have_title("Benchmark · benchhealth", timeout=PATIENCE)
        expect(page).to_have_url(re.compile("parts=true"), timeout=PATIENCE)
        page.get_by_role("combobox", name="Benchmark").click()
        page.keyboard.type("nobody reports")
        page.get_by_role("option", name="Exam nobody reports · silent-exam").click()
        expect(page).to_have_title("Exam nobody reports · benchhealth", timeout=PATIENCE)
        expect(page).to_have_url(re.compile("benchmark=silent-exam"), timeout=PATIENCE)
        page.go_back()
        expect(page.get_by_role("heading", name="Choose a benchmark")).to_be_visible(timeout=PATIENCE)
        page.go_back()
        expect(page.get_by_role("searchbox", name="Search")).to_have_value("fresh", timeout=PATIENCE)
        expect(page.get_by_role("switch", name="Parts too")).to_be_checked(timeout=PATIENCE)
        assert not wrong


def test_nothing_found_says_what_to_do(browser: Browser, server: str) -> None:
    with opened(browser) as (page, _wrong):
        visit(page, f"{server}/?search=no-such-name")
        expect(page.get_by_text("No benchmark matches these filters.")).to_be_visible()
        expect(page.get_by_role("link", name="Clear all filters")).to_be_visible()
