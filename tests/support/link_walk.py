"""Every link of a page followed in a real browser: what is not there, or says that something is unknown, is dead."""

import re
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Page, TimeoutError, expect

from tests.support.browsing import PATIENCE, settle, visit

FILE = re.compile(r"^/(csv|chart|data|badge|share|embed)/|\.(json|xml|html|pdf|svg|png|txt|parquet|ya?ml)$")
"""Addresses that answer with a file or a document of their own: asked for, not opened in the tab."""

TOOL = re.compile(r"^(png|svg)-")
"""What a script of the page does on the spot: `test_browser` saves pictures."""

OUTSIDE = re.compile(r"^(https?://[\w-]+(\.[\w-]+)+(:\d+)?(/|$)|mailto:[^@\s]+@[^@\s]+$)\S*$")
"""The form of an address elsewhere, which is not asked for."""

DEAD = re.compile(
    r"Page not found|No such |This generation (?:holds no|does not hold)|No \w+ is called|No test says anything"
    r"|It may have been renamed|They may have been renamed|is published yet"
)
"""What pages say of an address that leads to nothing."""

_LINKS = """() => [...document.querySelectorAll('a[href]')]
    .filter((link) => link.checkVisibility()).map((link) => link.href)"""
_LINK = """href => [...document.querySelectorAll('a[href]')]
    .find((link) => link.href === href && link.checkVisibility())"""


def links(page: Page) -> list[str]:
    """The addresses of the links that can be seen, each once, in their order."""
    return list(dict.fromkeys(page.evaluate(_LINKS)))


def dead_links(page: Page, server: str, address: str, walked: set[str], skip: Iterable[str] = ()) -> list[str]:
    """The links of the page at `address` that lead to nothing, each with what was there instead.

    What is in `walked` is not followed again; it grows by what is followed. `skip` are beginnings of paths with query.
    """
    start = f"{server}/{address}"
    _open(page, start)
    dead = []
    for href in links(page):
        where = href.removeprefix(server)
        if href in walked or where.startswith(tuple(skip)):
            continue
        walked.add(href)
        if wrong := _wrong(page, server, href, start):
            dead.append(f"{address}: {where}: {wrong}")
    return dead


def _open(page: Page, address: str) -> None:
    if FILE.search(urlsplit(address).path):
        page.goto(address)
    else:
        visit(page, address)


def _wrong(page: Page, server: str, href: str, start: str) -> str:
    """What is wrong with a link; empty where nothing is."""
    parts = urlsplit(href)
    if not href.startswith(f"{server}/"):
        return "" if OUTSIDE.match(href) else "no address"
    if FILE.search(parts.path):
        answer = page.request.get(href.partition("#")[0])
        return "" if answer.ok and answer.body() else f"status {answer.status}"
    return "" if TOOL.match(parts.fragment) else _followed(page, server, href, start)


def _followed(page: Page, server: str, href: str, start: str) -> str:
    """What is wrong with a link to a page, which is clicked, or to a part of this one."""
    parts = urlsplit(href)
    if _view(server, page.url) != _view(server, start):
        _open(page, start)
    if _view(server, href) == _view(server, start):
        return _lacking(page, parts.fragment)
    link = page.evaluate_handle(_LINK, href).as_element()
    if link is None:
        return "gone when the page was opened again"
    before = page.url
    try:
        link.click(timeout=PATIENCE)
        page.wait_for_url(lambda now: now != before, wait_until="commit", timeout=PATIENCE)
    except TimeoutError as nowhere:
        return str(nowhere).partition("\n")[0]
    settle(page)
    wrong = _said(page, parts.path) or _lacking(page, parts.fragment)
    page.go_back()
    if not FILE.search(urlsplit(start).path):
        settle(page)
    return wrong


def _view(server: str, address: str) -> str:
    """The address without the part that it names; the first page is at the root, also by its own address."""
    where = address.partition("#")[0].removeprefix(server)
    return where.replace("/overview", "/", 1) if where.startswith("/overview") else where


def _said(page: Page, path: str) -> str:
    """What the page that was led to says of being wrong."""
    if page.get_by_test_id("stException").count():
        return "an exception"
    expect(page.get_by_role("heading", level=1).first).to_be_attached(timeout=PATIENCE)
    landed = urlsplit(page.url).path
    if landed not in (path, "/") and path != "/overview":
        return f"led to {landed}"
    found = DEAD.search(page.locator("body").inner_text().replace("\u2060", ""))
    return found.group() if found else ""


def _lacking(page: Page, fragment: str) -> str:
    """The part of the page that an address names and that is not there, once charts have had their time."""
    if not fragment:
        return ""
    there = page.locator(f'[id="{unquote(fragment)}"]')
    for _ in range(50):
        if there.count():
            return ""
        page.wait_for_timeout(100)
    return f"nothing is called {fragment}"
