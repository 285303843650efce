"""What only a browser shows of open data: an old anchor leads to its topic, a report is read on its page."""

import pytest
from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.whole]


def test_an_old_anchor_of_methods_leads_to_its_topic(server: str, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(f"{server}/methods#headroom")
    page.get_by_role("heading", name="Headroom", exact=True).wait_for(timeout=60_000)
    assert "topic=headroom" in page.url
    page.get_by_text("Churn at the top (").click()
    page.get_by_role("link", name="Kendall's tau", exact=True).click()
    page.get_by_role("heading", name="Kendall's tau", exact=True).wait_for(timeout=60_000)
    page.close()


def test_a_report_is_read_on_its_page_and_taken_as_pdf(server: str, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(f"{server}/report?domain=science")
    inside = page.frame_locator("iframe")
    inside.get_by_role("heading", name="What this means for a decision").wait_for(timeout=60_000)
    address = page.get_by_role("link", name="Take it as PDF").get_attribute("href")
    assert address is not None
    answer = page.request.get(f"{server}/{address.removeprefix(server).lstrip('/')}")
    assert answer.ok
    assert answer.body().startswith(b"%PDF")
    page.close()
