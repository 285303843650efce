"""The map through the years in a real Chromium: it moves without the server, and the address holds the month."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browsing import opened, visit
from tests.support.page_faults import faults

pytestmark = pytest.mark.browser

LATER = re.compile("20(1[3-9]|2)")
"""A month after 2012."""


def go_to_month(page: Page, month: str) -> None:
    """Wait until the map stands still at the month and the address says so."""
    expect(page.locator(f'.years[data-month="{month}"]')).to_be_attached()
    expect(page).to_have_url(re.compile(rf"[?&]at={month}\b"))


@pytest.mark.parametrize("width", [pytest.param(1280, marks=pytest.mark.soak), 390])
def test_it_moves_by_keys_and_buttons_without_the_server(browser: Browser, server: str, width: int) -> None:
    with opened(browser, width, moves=True) as (page, wrong):
        asked: list[object] = []
        page.on("websocket", lambda socket: socket.on("framesent", lambda frame: asked.append(frame)))  # noqa: PLW0108  playwright marks its handlers
        visit(page, f"{server}/?at=2024-06")
        go_to_month(page, "2024-06")
        heading, slider = page.get_by_role("heading", level=1), page.get_by_role("slider", name="Month")
        expect(heading).to_have_text(re.compile("^June 2024: "))
        assert asked, "a page asks by its socket"
        asked.clear()
        for key, month in (
            *(("ArrowRight", "2024-07"), ("ArrowLeft", "2024-06"), ("PageDown", "2023-06"), ("PageUp", "2024-06")),
            *(("Home", "2012-01"), ("End", "2025-01")),
        ):
            slider.press(key)
            go_to_month(page, month)
        expect(heading).to_have_text(re.compile(r"^Of \d+ AI benchmarks? in use, \d+ (is|are) still measuring$"))
        page.get_by_role("button", name="One month back").click()
        go_to_month(page, "2024-12")
        expect(page.locator(".years-live")).to_have_text(re.compile("^December 2024: "))
        page.get_by_role("combobox", name="Speed").select_option("4")
        slider.press("Home")
        slider.press(" ")
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        expect(page.locator(".years")).to_have_attribute("data-month", LATER)
        expect(page).to_have_url(re.compile("at=20(12-01|24-12)"))  # written when it stands still
        slider.press(" ")
        expect(page.get_by_role("button", name="Play")).to_be_visible()
        stood = str(page.locator(".years").get_attribute("data-month"))
        go_to_month(page, stood)
        assert not asked, "nothing was asked of the server"
        sizes = page.locator(".years-controls button, .years-controls select, .years-track input").all()
        assert all((box := one.bounding_box()) and box["height"] >= 44 and box["width"] >= 44 for one in sizes)
        links = page.locator(".st-key-chart_years").get_by_role("link")
        assert f"at={stood}" in str(links.filter(has_text="CSV").get_attribute("href"))
        page.reload()
        go_to_month(page, stood)
        assert not faults(page)
        assert not wrong, wrong


@pytest.mark.soak
def test_marks_keep_who_they_are(browser: Browser, server: str) -> None:
    """The element of a benchmark stays the same from its first result on; before its release there is none."""
    with opened(browser, moves=True) as (page, wrong):
        visit(page, f"{server}/?at=2012-01")
        go_to_month(page, "2012-01")
        expect(page.get_by_role("link", name=re.compile("^First: "))).to_be_visible()
        assert page.locator(".years-plot .years-mark").count() == 0
        page.get_by_role("link", name=re.compile("^First: ")).click()
        expect(page.locator(".years-plot .years-mark").first).to_be_attached()
        page.evaluate("document.querySelector('.years-plot .years-mark').dataset.mine = 'yes'")
        page.get_by_role("slider").press("End")
        go_to_month(page, "2025-01")
        assert page.locator('.years-mark[data-mine="yes"]').count() == 1
        assert page.locator(".years-plot .years-mark").count() > 1
        assert page.locator(".years-strip svg").count() >= 2
        assert not wrong, wrong


def test_who_wants_no_motion_gets_none(browser: Browser, server: str) -> None:
    with opened(browser) as (page, wrong):
        visit(page, f"{server}/?at=2024-06")
        go_to_month(page, "2024-06")
        expect(page.get_by_role("button", name="Play")).to_be_hidden()
        page.get_by_role("slider").press(" ")
        page.get_by_role("slider").press("ArrowRight")
        go_to_month(page, "2024-07")
        assert page.locator(".years-mark").first.evaluate("mark => getComputedStyle(mark).transitionDuration") == "0s"
        assert not wrong, wrong


@pytest.mark.soak
def test_the_first_page_reads_nothing_of_it_and_a_teacher_is_there_by_two_clicks(browser: Browser, server: str) -> None:
    with opened(browser, moves=True) as (page, wrong):
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        visit(page, server)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        finding = page.get_by_role("heading", level=1).inner_text()
        assert not [url for url in asked if "years" in url]
        page.get_by_role("link", name="Play 2012 to now").click()
        page.get_by_role("button", name="Play").click()
        expect(page.locator(".years")).to_have_attribute("data-month", LATER)
        page.get_by_role("slider").press("End")
        expect(page.get_by_role("heading", level=1)).to_have_text(finding)
        page.get_by_role("link", name="Back to the map").click()
        expect(page.get_by_role("heading", name="Every benchmark")).to_be_visible()
        assert not re.search("at=", page.url)
        assert not wrong, wrong


@pytest.mark.soak
def test_a_month_is_saved_as_picture_and_rows(browser: Browser, server: str) -> None:
    with opened(browser, moves=True) as (page, wrong):
        visit(page, f"{server}/?at=2024-06")
        go_to_month(page, "2024-06")
        block = page.locator(".st-key-chart_years")
        title = block.get_by_role("heading").inner_text()
        files = {}
        for form in ("PNG", "SVG", "CSV"):
            with page.expect_download() as download:
                block.get_by_role("link", name=form, exact=True).click()
            files[form] = Path(download.value.path()).read_bytes()
        assert files["PNG"].startswith(b"\x89PNG")
        assert title in files["SVG"].decode() and "results dated to 30 Jun 2024" in files["SVG"].decode()
        assert all(b"2024-06-30" in line for line in files["CSV"].splitlines()[1:])
        page.goto(f"{server}/embed/years?at=2024-06")
        expect(page.get_by_role("heading", name=title)).to_be_visible()
        page.emulate_media(media="print")
        visit(page, f"{server}/?at=2024-06")
        expect(page.locator(".years-plot svg").first).to_be_visible()
        expect(page.get_by_role("slider")).to_be_hidden()
        assert not wrong, wrong
