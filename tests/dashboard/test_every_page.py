"""Every page over all bundled facts, in light and dark, wide and narrow: no barrier, few words, no great height."""

import pytest
from playwright.sync_api import Browser, Page, expect

from benchhealth.dashboard.pages import PAGES
from tests.support.browsing import DRAWN, opened, settle, visit
from tests.support.clicks import by_menu
from tests.support.page_faults import MOST_WORDS, TALLEST, faults, height, in_order, words

pytestmark = pytest.mark.browser

CHOSEN = (
    "benchmark?benchmark=mmlu",
    "models?model=gpt-4o-2024-05-13",
    "report?domain=code",
    "decide?domain=code",
    "story?story=imagenet",
)
MORE = (
    "models?model=gpt-4o-2024-05-13&other=gpt-4-turbo-2024-04-09",
    "methods?topic=headroom",
    "?at=2019-06",
    "decide?for=fund&domain=vision&makers=1",
)
ADDRESSES = (*(spec.url_path for spec in PAGES), *CHOSEN, *MORE)
"""Each page as it opens, and those that open empty with something chosen."""

PLAIN = (*(spec.url_path for spec in PAGES if not any(one.startswith(f"{spec.url_path}?") for one in CHOSEN)), *CHOSEN)
"""Each page once, with something chosen where it opens empty, and these on a phone too; the soak has all."""

MENU = {spec.url_path: [name for name in (spec.section, spec.title) if name] for spec in PAGES if not spec.hidden}
"""What is clicked in the menu for each page that stands there; the soak opens these by their addresses."""

TOOLS = ("PNG", "SVG", "CSV", "Cite", "Link", "Embed", "Method")


@pytest.mark.parametrize("addresses", [PLAIN, pytest.param(ADDRESSES, marks=pytest.mark.soak)], ids=["plain", "all"])
def test_every_page_in_light_and_dark_wide_and_narrow(
    browser: Browser, whole_server: str, addresses: tuple[str, ...]
) -> None:
    with opened(browser) as (page, wrong):
        for address in addresses:
            page.set_viewport_size({"width": 1280, "height": 900})
            page.emulate_media(color_scheme="light")
            if addresses is PLAIN and address in MENU and page.locator(DRAWN).count():
                by_menu(page, *MENU[address])
            else:
                visit(page, f"{whole_server}/{address}")
            _check(page, address, wrong)
            words_shown = words(page)
            assert len(words_shown) <= MOST_WORDS, (address, len(words_shown), " ".join(words_shown))
            assert height(page) <= TALLEST, (address, height(page))
            light = page.locator(DRAWN).evaluate("app => getComputedStyle(app).backgroundColor")
            if addresses is PLAIN and address not in CHOSEN:
                continue
            page.set_viewport_size({"width": 390, "height": 900})
            page.emulate_media(color_scheme="dark")
            expect(page.locator(DRAWN)).not_to_have_css("background-color", light)
            settle(page)
            _check(page, address, wrong)


def _check(page: Page, address: str, wrong: list[str]) -> None:
    """Charts are there with their toolbars, axe finds nothing grave, headings are in order, the console is silent."""
    for block in page.locator('[class*="st-key-chart_"]').filter(visible=True).all():
        expect(block.locator(".main-svg").first).to_be_visible()
        tools = block.get_by_role("link").all_inner_texts()
        assert [tool for tool in tools if tool in TOOLS] == list(TOOLS), (address, tools)
    faults_shown = faults(page)
    assert not faults_shown, (address, page.viewport_size, faults_shown)
    assert not wrong, (address, wrong)


@pytest.mark.soak
def test_a_phone_shows_the_rest_of_a_page_when_asked_or_addressed(browser: Browser, whole_server: str) -> None:
    with opened(browser, width=390) as (page, wrong):
        visit(page, f"{whole_server}/field")
        ways, last = page.locator(".st-key-narrow_to_findings"), page.locator("#concentration")
        expect(last).to_be_hidden()
        ways.get_by_role("link").click()
        expect(last).to_be_visible()
        expect(ways).to_be_hidden()
        visit(page, f"{whole_server}/changes")
        visit(page, f"{whole_server}/field#concentration")
        expect(last).to_be_in_viewport()
        assert not wrong


@pytest.mark.parametrize(
    ("levels", "is_right"),
    [([1, 2, 3, 2, 3], True), ([1], True), ([], False), ([2, 1], False), ([1, 3], False), ([1, 2, 1], False)],
)
def test_an_order_of_headings(levels: list[int], is_right: bool) -> None:
    assert in_order(levels) == is_right
