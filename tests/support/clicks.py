"""A way through the pages on which every click is counted: who needs too many has not found the answer."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.support.browsing import DRAWN, settle, visit

MOST = 4
"""Clicks from the overview to any answer; typing into a box counts as one."""


def by_menu(page: Page, *names: str) -> None:
    """A page by the menu, which costs half of a visit; before its name that of its section, where it has one."""
    for name in names[:-1]:
        page.get_by_role("banner").get_by_text(name, exact=True).click()
    link = page.locator('a[data-testid^="stTopNav"]').filter(visible=True)
    link.filter(has=page.get_by_text(names[-1], exact=True)).click()
    expect(page).to_have_title(f"{names[-1]} · benchhealth")
    settle(page)


class Walk:
    """A reader's way from the overview, in one tab."""

    def __init__(self, page: Page, server: str) -> None:
        self.page = page
        self.clicks = 0
        if page.locator(DRAWN).count() and urlsplit(page.url).path != "/":
            # By the menu, which costs half of a visit; a map that was left filtered would be found so again.
            page.get_by_role("banner").get_by_role("link", name="Map", exact=True).click()
            expect(page).to_have_url(f"{server}/")
            settle(page)
        else:
            visit(page, f"{server}/")

    def click(self, wanted: Locator) -> None:
        """One click, once nothing is drawn anew under the pointer, and the page that it leads to."""
        self._count()
        settle(self.page)
        wanted.click()
        settle(self.page)

    def type(self, text: str) -> None:
        """Words typed where the cursor stands."""
        self._count()
        self.page.keyboard.type(text)

    def menu(self, *names: str) -> None:
        """A page by the menu; two clicks where it stands in a section of it."""
        for _ in names:
            self._count()
        by_menu(self.page, *names)

    def search(self, text: str, title: str) -> None:
        """The search of the menu: opened, typed into, its answer chosen, named so but for brackets. Three clicks."""
        heading = self.page.get_by_role("heading", level=1).first
        before = heading.inner_text()
        self.click(self.page.get_by_role("button", name="Search benchmarks, models, leaderboards and sources"))
        self.type(text)
        suggestions = self.page.get_by_role("listbox", name="Found")
        name = self.page.locator(".search-name", has_text=re.compile(rf"^{re.escape(title)}( \(|$)"))
        self.click(suggestions.get_by_role("option").filter(has=name).first)
        expect(heading).not_to_have_text(before)
        settle(self.page)

    def heading(self, part: str) -> Locator:
        """The heading that says this."""
        return self.page.get_by_role("heading", name=part)

    def says(self, *parts: str) -> None:
        """All of this is to be read on the page, whatever stands between."""
        main = self.page.get_by_test_id("stMain")
        for part in parts:
            expect(main.get_by_text(part).filter(visible=True).first).to_be_visible()

    def _count(self) -> None:
        self.clicks += 1
        assert self.clicks <= MOST, f"more than {MOST} clicks"
