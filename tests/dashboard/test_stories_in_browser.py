"""A teacher finds a story, steps through it with the arrow keys, and passes on where she is."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browsing import opened, settle, visit
from tests.support.page_faults import faults

pytestmark = pytest.mark.browser

FELL = "all 65 models did worse, by 12 of 100"
STAYED = "2,042 of 2,080 pairs did not swap"


def _current(page: Page) -> list[str | None]:
    return [dot.get_attribute("aria-current") for dot in page.locator(".st-key-story_dots a").all()]


@pytest.mark.soak
def test_a_teacher_finds_the_story_of_imagenet_in_two_clicks(browser: Browser, whole_server: str) -> None:
    with opened(browser, moves=True) as (page, wrong):
        visit(page, f"{whole_server}/")
        page.get_by_role("link", name="Five stories", exact=True).click()
        page.get_by_test_id("stMain").get_by_role("link", name=re.compile("^ImageNet")).first.click()
        title = page.get_by_role("heading", level=1, name="the scores fell, the order stayed")
        expect(title).to_be_visible()
        assert title.inner_text().replace("\u2060", "") == "ImageNet: the scores fell, the order stayed"
        expect(page.get_by_role("heading", level=2, name=FELL)).to_be_visible()
        expect(page.get_by_role("heading", level=2, name=STAYED)).to_be_visible()
        expect(page.get_by_text("Every line falls.")).to_be_visible()
        assert not wrong


def test_arrows_step_through_the_frames_and_the_address_follows(browser: Browser, whole_server: str) -> None:
    with opened(browser) as (page, wrong):
        visit(page, f"{whole_server}/story?story=imagenet")
        expect(page.locator(".st-key-story_dots a[aria-current]")).to_have_count(1)
        for _ in range(2):
            page.keyboard.press("ArrowRight")
        heading = page.get_by_role("heading", level=2, name=FELL)
        expect(heading).to_be_focused()
        expect(heading).to_be_in_viewport()
        assert "frame=3" in page.url and _current(page) == [None, None, "step", None, None]
        page.keyboard.press("ArrowLeft")
        assert "frame=2" in page.url
        page.locator(".st-key-story_dots a").nth(3).click()
        expect(page.get_by_role("heading", level=2, name=STAYED)).to_be_focused()
        assert "story=imagenet" in page.url and "frame=4" in page.url
        page.keyboard.press("/")  # the search is open: its arrows are its own
        page.keyboard.press("ArrowRight")
        assert "frame=4" in page.url
        assert not wrong


@pytest.mark.soak
def test_a_link_opens_the_story_at_its_frame(browser: Browser, whole_server: str) -> None:
    with opened(browser, moves=True) as (page, wrong):
        visit(page, f"{whole_server}/story?story=imagenet&frame=4")
        expect(page.get_by_role("heading", level=2, name=STAYED)).to_be_in_viewport()
        expect(page.get_by_role("heading", level=1).first).not_to_be_in_viewport()
        assert not wrong


@pytest.mark.soak
@pytest.mark.parametrize("width", [1280, 390])
def test_stories_keep_nobody_out(browser: Browser, whole_server: str, width: int) -> None:
    with opened(browser, width, "dark" if width == 390 else "light", moves=True) as (page, wrong):
        for key in ("imagenet", "swe-bench-verified", "lmarena", "gsm8k", "gpqa-diamond"):
            visit(page, f"{whole_server}/story?story={key}")
            settle(page)
            expect(page.locator(".main-svg").first).to_be_visible()
            faults_shown = faults(page)
            assert not faults_shown, (key, width, faults_shown)
            for picture in page.get_by_test_id("stPlotlyChart").all():
                assert (picture.get_attribute("aria-label") or "").endswith("."), key
        assert not wrong


@pytest.mark.soak
def test_the_search_and_the_benchmark_lead_to_the_story(browser: Browser, whole_server: str) -> None:
    with opened(browser, moves=True) as (page, wrong):
        visit(page, f"{whole_server}/search?q=story")
        expect(page.get_by_role("link", name="GSM8K, a story in pictures")).to_be_visible()
        visit(page, f"{whole_server}/benchmark?benchmark=gsm8k")
        page.get_by_role("link", name="Its story").click()
        expect(page.get_by_role("heading", level=1, name="scores held on new sums")).to_be_visible()
        assert not wrong
