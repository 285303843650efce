"""From the menu to the answer: a click on the matrix fills the card, and its address opens the same view."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browsing import opened, settle, visit

pytestmark = pytest.mark.browser


@pytest.mark.soak
def test_a_click_on_the_matrix_fills_the_card_and_the_rest_is_one_click_away(browser: Browser, server: str) -> None:
    with opened(browser) as (page, wrong):
        visit(page, f"{server}/")
        page.get_by_role("link", name="Trust", exact=True).click()
        heading = page.get_by_role("heading", level=1)
        expect(heading).to_have_text(re.compile("For 1 of 5 benchmarks there is evidence"))
        settle(page)
        matrix = page.locator(".st-key-plot_evidence .js-plotly-plot, .st-key-chart_evidence .js-plotly-plot").first
        expect(matrix).to_be_visible()
        matrix.hover()
        mark = matrix.locator("path.point").first.bounding_box()
        assert mark is not None
        page.mouse.click(mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
        # The only benchmark with evidence is the one shown anyway, which the address may leave out.
        expect(page).to_have_url(re.compile(r"/trust(\?benchmark=exam)?$"))
        settle(page)
        expect(
            page.get_by_text("points lower on Exam, fresh sample (a fresh sample), 95% interval").first
        ).to_be_visible()
        page.get_by_role("radio", name="All twins").click()
        expect(page).to_have_url(re.compile(r"/trust\?(benchmark=exam&)?more=twins$"))
        expect(page.get_by_test_id("stDataFrame")).to_be_visible()
        assert not wrong
