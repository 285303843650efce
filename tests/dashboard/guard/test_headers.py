"""What browsers are told, of every kind of answer, and what a real one makes of it."""

import re
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import Browser, expect

from benchhealth.dashboard.guard.headers import EMBEDDED, HEADERS, NOTHING, PRINTED, page_policy
from tests.dashboard.serving.test_server import get
from tests.support.browsing import opened, visit

WATCHED = """window.broken = []; addEventListener("securitypolicyviolation",
    (event) => broken.push(`${event.effectiveDirective} ${event.blockedURI}`))"""
KINDS = {
    "": "page",
    "benchmark?benchmark=hard-exam": "page",
    "embed/map": "embedded",
    "embed/card?benchmark=hard-exam": "embedded",
    "report.html?benchmark=hard-exam": "printed",
    "report.html": "printed",
    "nothing-here": "printed",
    "index.html": "printed",
    "report.pdf?benchmark=hard-exam": "pdf",
    "csv/benchmarks": "nothing",
    "csv/nothing": "nothing",
    "data/verdict.parquet": "nothing",
    "chart/map.json": "nothing",
    "badge/hard-exam.svg": "nothing",
    "share/benchmark/hard-exam.png": "nothing",
    "feed.xml": "nothing",
    "meta.json": "nothing",
    "readyz": "nothing",
    "_stcore/health": "nothing",
}
POLICIES = {"page": page_policy(), "embedded": EMBEDDED, "printed": PRINTED, "nothing": NOTHING}


@pytest.mark.parametrize("path", KINDS)
def test_each_kind_of_answer_has_the_narrowest_policy(server: str, path: str) -> None:
    asked = urllib.request.Request(f"{server}/{path}", headers={"Accept": "text/html"})
    try:
        with urllib.request.urlopen(asked, timeout=30) as answer:
            headers = answer.headers
    except urllib.error.HTTPError as refused:
        with refused:
            headers = refused.headers
    policy = headers["Content-Security-Policy"]
    if KINDS[path] != "pdf":
        assert policy == POLICIES[KINDS[path]]
    assert "default-src 'none'" in policy
    assert not re.search(r"'unsafe-eval'|script-src[^;]*'unsafe-inline'", policy)
    framed = {"embedded": "*", "printed": "'self'"}.get(KINDS[path], "'none'")
    assert f"frame-ancestors {framed}" in policy
    for name in HEADERS.keys() - {"Cross-Origin-Resource-Policy"}:
        assert headers[name] == HEADERS[name]


def test_a_refused_host_is_told_the_same(server: str) -> None:
    answer = get(f"{server}/", Host="evil.example")
    assert answer.status == 421
    assert answer.headers["Content-Security-Policy"] == NOTHING


def test_the_embedded_chart_holds_no_script(server: str) -> None:
    document = get(f"{server}/embed/map").text
    scripts = re.findall(r"<script([^>]*)>", document)
    assert all("src=" in script or "application/json" in script for script in scripts)
    assert "scattergl" not in document


@pytest.mark.browser
@pytest.mark.whole
def test_no_page_breaks_its_policy_and_an_injected_script_does_not_run(browser: Browser, server: str) -> None:
    """All other tests in a browser fail on a breach too: it is an error of the console."""
    with opened(browser) as (page, wrong):
        page.add_init_script(WATCHED)
        visit(page, f"{server}/benchmark?benchmark=hard-exam")
        assert page.evaluate("broken") == []
        page.evaluate(
            """() => {
                const script = document.createElement("script"), picture = document.createElement("img");
                script.textContent = "window.hit = 1";
                picture.setAttribute("onerror", "window.hit = 2");
                picture.src = "data:,";
                document.body.append(script, picture);
            }"""
        )
        page.wait_for_timeout(200)
        assert page.evaluate("window.hit") is None
        assert {violation.split()[0] for violation in page.evaluate("broken")} == {"script-src-elem", "script-src-attr"}
        wrong.clear()
        for path in ("embed/map", "report.html?benchmark=hard-exam", "api/"):
            page.goto(f"{server}/{path}")
            page.wait_for_load_state("networkidle")
            if path.startswith("embed/"):
                expect(page.locator("svg.main-svg").first).to_be_attached()
            else:
                expect(page.locator("svg.main-svg")).to_have_count(0)
            assert page.evaluate("broken") == []
        assert not wrong
        page.close()  # else the script would watch what the next test opens
