"""The findings, and everything behind them by its address."""

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browsing import opened, settle, visit

pytestmark = pytest.mark.browser


@pytest.mark.soak
def test_a_part_is_chosen_by_a_click_and_its_address_opens_it_again(browser: Browser, server: str) -> None:
    with opened(browser) as (page, wrong):
        visit(page, f"{server}/field")
        expect(page.get_by_role("heading", name="of the advances of 2024 were within error")).to_be_visible()
        page.get_by_role("radio", name="Goodhart, all charts").click()
        expect(page).to_have_url(f"{server}/field?chart=ceilings")
        page.get_by_role("radio", name="Advances", exact=True).click()
        expect(page).to_have_url(f"{server}/field?chart=advances")
        settle(page)
        visit(page, f"{server}/field?chart=advances")
        expect(page.get_by_role("heading", name="Advances", exact=True)).to_be_visible()
        page.get_by_role("radio", name="Six findings").click()
        expect(page).to_have_url(f"{server}/field")
        assert not wrong


@pytest.mark.soak
@pytest.mark.parametrize(
    ("anchor", "section"),
    [("ceilings-made", "Ceilings"), ("order-rerun", "Printed order"), ("open-weights", "Open weights")],
)
def test_the_place_of_a_chart_opens_its_section(browser: Browser, server: str, anchor: str, section: str) -> None:
    with opened(browser) as (page, _):
        visit(page, f"{server}/field#{anchor}")
        expect(page.get_by_role("heading", name=section, exact=True)).to_be_visible()
        expect(page.get_by_role("radio", name="Goodhart, all charts")).to_be_checked()


@pytest.mark.soak
def test_the_place_of_a_finding_stays_among_the_findings(browser: Browser, server: str) -> None:
    with opened(browser) as (page, _):
        visit(page, f"{server}/field#survival")
        expect(page.get_by_role("radio", name="Six findings")).to_be_checked()
