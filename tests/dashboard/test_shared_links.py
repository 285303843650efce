"""On every page a reader sets something, and whoever opens the address sees the same."""

import re
from collections.abc import Callable, Mapping, Sequence

import pytest
from playwright.sync_api import Browser, Page, expect

from benchhealth.dashboard.pages import PAGES
from tests.support.browsing import opened, settle, visit

pytestmark = pytest.mark.browser

Setting = Callable[[Page], None]


def _button(name: str | re.Pattern[str]) -> Setting:
    return lambda page: (
        page.get_by_test_id("stMain")
        .get_by_role("radio", name=name)
        .or_(page.get_by_test_id("stMain").get_by_role("button", name=name))
        .first.click()
    )


def _tab(name: str) -> Setting:
    return lambda page: page.get_by_role("tab", name=name).click()


def _choice(box: str, text: str) -> Setting:
    def choose(page: Page) -> None:
        page.get_by_role("combobox", name=box).click()
        page.keyboard.type(text)
        page.get_by_role("option").first.click()

    return choose


def _words(page: Page) -> None:
    box = page.get_by_test_id("stMain").get_by_role("textbox")
    box.fill("claude")
    box.press("Enter")


def _next_frame(page: Page) -> None:
    expect(page.locator(".st-key-story_dots a[aria-current]")).to_have_count(1)
    page.keyboard.press("ArrowRight")


SETTINGS: Mapping[str, tuple[str, Setting, str]] = {
    "overview": ("", _button(re.compile(r"Saturated \d")), "stage=saturated"),
    "benchmark": ("benchmark?benchmark=mmlu", _tab("Twins"), "tab=Twins"),
    "compare": ("compare", _button("By calendar"), "clock=calendar"),
    "models": ("models", _button("Highest overall"), "order=|sort=|by="),
    "leaderboards": ("leaderboards", _button("Top 5"), "k=5"),
    "trust": ("trust", _choice("Benchmark", "HumanEval"), "benchmark=humaneval"),
    "field": ("field", _button("Aging, all charts"), "="),
    "changes": ("changes", _button("One month"), "month="),
    "data": ("data", _tab("Query"), "tab=Query"),
    "methods": ("methods", _choice("Topic", "Half-life"), "topic="),
    "reproduction": ("reproduction", _choice("About", "images"), "about="),
    "report": ("report", _choice("Domain", "science"), "domain="),
    "search": ("search", _words, "q=claude"),
    "decide": ("decide?domain=code", _button("fund"), "for=fund"),
    "story": ("story?story=imagenet", _next_frame, "frame=2"),
    "numbers": ("numbers?benchmark=gpqa-diamond", _choice("Model", "claude"), "model="),
}
"""Of each page: where it is opened, what is set, and what the address then holds."""


def test_there_is_something_to_set_on_every_page() -> None:
    assert set(SETTINGS) == {spec.url_path for spec in PAGES}


@pytest.mark.parametrize(
    "names", [list(SETTINGS)[:1], pytest.param(list(SETTINGS), marks=pytest.mark.soak)], ids=["one", "all"]
)
def test_a_shared_link_gives_the_same_view_on_every_page(
    browser: Browser, whole_server: str, names: Sequence[str]
) -> None:
    with opened(browser) as (mine, wrong), opened(browser) as (theirs, theirs_wrong):
        for name in names:
            address, change, held = SETTINGS[name]
            visit(mine, f"{whole_server}/{address}")
            change(mine)
            expect(mine, name).to_have_url(re.compile(rf"\?.*({held})"))
            visit(theirs, mine.url)
            assert _say_the_same(mine, theirs), name
            assert not wrong and not theirs_wrong, (name, wrong, theirs_wrong)


def _say_the_same(one: Page, other: Page) -> bool:
    """Whether two pages say the same, at last: an address may change before its page is drawn anew."""
    for _ in range(40):
        if _texts_of(one) == _texts_of(other):
            return True
        one.wait_for_timeout(500)
    return False


def _texts_of(page: Page) -> list[str]:
    """The headings and texts of the page, once two looks at it see the same."""
    settle(page)
    before: list[str] = []
    for _ in range(40):
        texts = page.get_by_test_id("stMain").get_by_test_id("stMarkdownContainer").all_inner_texts()
        if texts and texts == before:
            return texts
        before = texts
        page.wait_for_timeout(150)
    raise AssertionError("the page does not come to rest")
