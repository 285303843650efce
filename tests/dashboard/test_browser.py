"""Every page in a real Chromium: at two widths, in light and dark, from a link, with names that try to be markup."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from dashboard.pages import PAGES
from dashboard.published.tables import PageSpec
from tests.support.small_generation import HOSTILE

pytestmark = pytest.mark.browser

Scheme = Literal["light", "dark"]
PATIENCE = 60_000
DRAWN = '[data-testid="stApp"][data-test-script-state="notRunning"]'


@contextmanager
def opened(browser: Browser, width: int = 1280, scheme: Scheme = "light") -> Iterator[tuple[Page, list[str]]]:
    """A page in a fresh context, and a list of what went wrong in it: console errors and requests to other hosts."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    wrong: list[str] = []
    page = context.new_page()
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: wrong.append(request.url) if _leaves(request.url) else None)
    try:
        yield page, wrong
    finally:
        context.close()


def _leaves(url: str) -> bool:
    return not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:"))


def visit(page: Page, address: str) -> None:
    """Open the address and wait until the footer is there and the script has ended."""
    page.goto(address)
    settle(page)


def settle(page: Page) -> None:
    expect(page.get_by_text("not accusations")).to_be_attached(timeout=PATIENCE)
    expect(page.locator(DRAWN)).to_be_attached(timeout=PATIENCE)


@pytest.mark.parametrize(("width", "scheme", "other"), [(1280, "light", "dark"), (390, "dark", "light")])
def test_every_page_opens_from_its_address(
    browser: Browser, server: str, width: int, scheme: Scheme, other: Scheme
) -> None:
    """Loaded in one scheme, and drawn again in the other as a reader's system changes it."""
    with opened(browser, width, scheme) as (page, wrong):
        for spec in reversed(PAGES):
            page.emulate_media(color_scheme=scheme)
            visit(page, f"{server}/{spec.url_path}")
            _check(page, spec, width)
            before = _ground(page)
            page.emulate_media(color_scheme=other)
            expect(page.locator(DRAWN)).not_to_have_css("background-color", before, timeout=PATIENCE)
            settle(page)
            _check(page, spec, width)
            assert not wrong, (spec.url_path, wrong)


def _ground(page: Page) -> str:
    return str(page.locator(DRAWN).evaluate("app => getComputedStyle(app).backgroundColor"))


def _check(page: Page, spec: PageSpec, width: int) -> None:
    assert page.get_by_test_id("stException").count() == 0, spec.url_path
    expect(page.get_by_role("heading", level=1).first).to_be_visible(timeout=PATIENCE)
    wide = page.evaluate(
        "Math.max(document.documentElement.scrollWidth, document.querySelector('[data-testid=stMain]').scrollWidth)"
    )
    assert wide <= width, (spec.url_path, wide)
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
