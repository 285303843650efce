"""The first screen in a real Chromium: above the fold, in the order of a reader's questions, by keys as by pointer."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browsing import opened, settle, visit
from tests.support.soaking import some

pytestmark = pytest.mark.browser

FOLD, MOST_NAMES = 800, 25

_BOXES = """(parts) => parts.filter((part) => part.checkVisibility()).map((part) => {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    return [left, top, right, bottom];
})"""
_NO_NAME = re.compile(r"^(Headroom|less than|year of)")


class Box(NamedTuple):
    """A rectangle in pixels, `y` downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def covers(self, other: "Box", slack: float = 2.0) -> bool:
        """Whether both have an area in common, but for `slack`, which is white around letters."""
        across = min(self.right, other.right) - max(self.left, other.left)
        return across > slack and min(self.bottom, other.bottom) - max(self.top, other.top) > slack


def boxes(page: Page, selector: str) -> list[Box]:
    """Where the parts are that can be seen."""
    box_list: list[list[float]] = page.locator(selector).evaluate_all(_BOXES)
    return [Box(*one) for one in box_list]


@pytest.fixture(scope="module")
def wide(browser: Browser, whole_server: str) -> Iterator[Page]:
    with opened(browser) as (page, wrong):
        page.set_viewport_size({"width": 1280, "height": FOLD})
        visit(page, f"{whole_server}/")
        expect(page.locator(".st-key-chart_map .points path").first).to_be_visible()
        yield page
        assert not wrong, wrong


def test_map_and_findings_end_above_the_fold(wide: Page) -> None:
    marks, cards = boxes(wide, ".st-key-chart_map .points path"), boxes(wide, '[class*="st-key-card_"]')
    assert len(marks) > 100 and 1 <= len(cards) <= 3
    assert max(box.bottom for box in marks) < FOLD and max(box.bottom for box in cards) < FOLD
    assert min(box.left for box in cards) > max(box.right for box in marks)


def test_names_on_the_map_are_few_and_cover_no_mark(wide: Page) -> None:
    texts = wide.locator(".st-key-chart_map .annotation-text").all_text_contents()
    places = boxes(wide, ".st-key-chart_map .annotation-text")
    names = [box for name_text, box in zip(texts, places, strict=True) if not _NO_NAME.match(name_text)]
    assert 10 <= len(names) <= MOST_NAMES
    marks = boxes(wide, ".st-key-chart_map .points path")
    assert not [name for name in names if any(name.covers(mark) for mark in marks)]
    assert not [name for index, name in enumerate(names) if any(name.covers(other) for other in names[:index])]


def test_a_card_never_says_none(wide: Page) -> None:
    for card in wide.locator('[class*="st-key-card_"]').all():
        assert re.search(r"\d", card.get_by_role("heading").inner_text())
        assert not re.search(r"\bnone\b", card.inner_text(), re.IGNORECASE)
        assert re.search(r"data to \w{3} \d{4}", card.inner_text())


def test_by_keys_every_focus_is_seen_and_the_table_of_the_map_opens(wide: Page) -> None:
    wide.locator("#root").press("Tab")
    reached = []
    for _ in range(60):
        wide.keyboard.press("Tab")
        name, outline = wide.evaluate(
            """() => { const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
                return [document.activeElement.textContent.trim(), outlineStyle === "none" ? "0px" : outlineWidth] }"""
        )
        reached.append(name)
        assert float(outline.removesuffix("px")) >= 1, name
        if name == "Table":
            break
    assert reached[-1] == "Table", reached
    wide.keyboard.press("Enter")
    table = wide.get_by_role("dialog").get_by_role("table")
    expect(table.get_by_role("row").nth(1)).to_be_visible()
    assert table.get_by_role("columnheader").first.inner_text() == "benchmark id"
    wide.keyboard.press("Escape")
    expect(wide.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("scheme", some(["light", "dark"], plain=["dark"]))
def test_a_phone_has_lanes_findings_and_rows_in_this_order(browser: Browser, whole_server: str, scheme: str) -> None:
    with opened(browser, width=390, scheme=scheme) as (page, wrong):  # type: ignore[arg-type]
        visit(page, f"{whole_server}/")
        parts = (".st-key-first_heading em", "h1", ".st-key-search", ".lanes", '[class*="st-key-card_"]', ".rows")
        for part in parts:
            expect(page.locator(part).first).to_be_visible()
        tops = [boxes(page, part)[0].top for part in parts]
        assert tops == sorted(tops), list(zip(parts, tops, strict=True))
        assert boxes(page, ".st-key-chart_map .points path") == []
        lanes = page.locator(".lanes > a")
        assert lanes.count() == 3 and all(box.bottom - box.top >= 44 for box in boxes(page, ".lanes > a"))
        assert all(box.right <= 390 for box in boxes(page, ".lanes > a"))
        measuring = re.findall(r"\d+", page.get_by_role("heading", level=1).inner_text())[1]
        assert lanes.first.inner_text().startswith(f"Still measuring {measuring}")
        lanes.first.click()
        expect(page).to_have_url(re.compile("stage=discriminating"))
        expect(page.get_by_role("heading", level=1).last).to_have_text(re.compile("still measuring$"))
        settle(page)
        expect(page.locator(".rows small").filter(has_text="Running out")).to_have_count(0)
        assert set(page.locator(".rows small:nth-child(2)").all_inner_texts()) == {"◆ Still measuring"}
        assert not wrong, wrong
