"""Every link of every kind of page is followed by a real click, and none is dead.

Over the small generation here, and over all bundled facts, with more pages of each kind, in the soak. An address is
followed once, from the first page that has it; addresses elsewhere are held against their form alone.
"""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Browser, Page

from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.benchmarks import benchmarks, best_known
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.models import models, several_numbers
from tests.support.browsing import opened, visit
from tests.support.link_walk import dead_links, links

pytestmark = pytest.mark.browser

TABS = ("Top models", "Churn", "Twins", "Items", "Contamination", "Who reports", "All indicators", "Outlook", "Sources")
TOPICS = ("/methods#", "/methods?topic=")
"""Two hundred links to topics, which are one kind: some are followed here, all in the soak."""


def of_each_kind(view: View) -> Iterator[str]:
    """A page of each kind: as it opens, and with something chosen where it then is another."""
    yield from ("" if spec is PAGES[0] else spec.url_path for spec in PAGES)
    benchmark = best_known(benchmarks(view).filter("curated"))["benchmark_id"][0]
    model = models(view).sort("benchmarks", "model_id", descending=[True, False], nulls_last=True)["model_id"][0]
    yield from ("?at=2024-06", "?search=no-such-name", f"benchmark?benchmark={benchmark}", f"models?model={model}")
    yield from (f"report?benchmark={benchmark}", "trust?more=model", "search?q=exam", "methods?topic=headroom")
    yield "digest.html"
    if (pairs := several_numbers(view)).height:
        yield f"numbers?benchmark={pairs['benchmark_id'][0]}&model={pairs['model_id'][0]}"


def of_every_kind(view: View) -> Iterator[str]:
    """The same, every tab of a benchmark's page, every part of Trust and Field, and every curated benchmark."""
    yield from of_each_kind(view)
    best = best_known(benchmarks(view).filter("curated"))["benchmark_id"].to_list()
    yield from (f"benchmark?benchmark={best[0]}&tab={quote_plus(tab)}" for tab in TABS)
    yield from (f"trust?more={part}" for part in ("closer", "ladder", "twins", "order", "reports", "checks"))
    yield from (f"field?chart={chart}" for chart in ("survival", "pressure", "blind", "order"))
    yield from (f"?stage={stage}" for stage in ("discriminating", "saturated"))
    yield from (f"benchmark?benchmark={one}" for one in best[1:])


@pytest.mark.soak
def test_no_link_of_a_page_of_each_kind_is_dead(browser: Browser, server: str, small_home: Path) -> None:
    generation.use(small_home)
    walked: set[str] = set()
    with opened(browser) as (page, wrong):
        found = [
            dead for one in of_each_kind(generation.current()) for dead in dead_links(page, server, one, walked, TOPICS)
        ]
        found += _some_topics(page, server, walked)
        assert found == []
        assert len(walked) > 100
        assert not wrong, wrong


def _some_topics(page: Page, server: str, walked: set[str], every: int = 30) -> list[str]:
    """Of the links to topics of the Methods page each thirtieth."""
    visit(page, f"{server}/methods")
    topics = [href for href in links(page) if href.removeprefix(server).startswith(TOPICS)]
    passed = {href for index, href in enumerate(topics) if index % every}
    return dead_links(page, server, "methods", walked | passed)


@pytest.mark.soak
def test_no_link_of_any_page_is_dead(browser: Browser, whole_server: str, bundled_home: Path) -> None:
    generation.use(bundled_home)
    walked: set[str] = set()
    with opened(browser) as (page, wrong):
        assert [
            dead for one in of_every_kind(generation.current()) for dead in dead_links(page, whole_server, one, walked)
        ] == []
        assert not wrong, wrong
