"""Months by click, by arrow key and by address, in a real Chromium."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browsing import opened, settle, visit

pytestmark = pytest.mark.browser


@pytest.mark.soak
def test_arrows_step_a_month_and_the_address_opens_it_again(browser: Browser, server: str) -> None:
    with opened(browser) as (page, wrong):
        visit(page, f"{server}/changes")
        page.get_by_role("radio", name="One month").click()
        expect(page).to_have_url(re.compile(r"\?month=\d{4}-\d{2}$"))
        settle(page)
        last = page.url
        page.get_by_role("heading", level=1).click()
        page.keyboard.press("ArrowLeft")
        expect(page).not_to_have_url(last)
        settle(page)
        before, title = page.url, page.get_by_role("heading", level=1).inner_text()
        visit(page, before)
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        page.get_by_role("heading", level=1).click()
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(last)
        assert not wrong
