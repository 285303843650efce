"""Every link of a page followed in a real browser: what is not there, or says that something is unknown, is dead."""

import re
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

from playwright.sync_api import ElementHandle, Error, Page, expect

from benchhealth.dashboard.pages import PAGES
from tests.support.browsing import settle, visit

PAGE_PATHS = frozenset({"/", *(f"/{spec.url_path}" for spec in PAGES)})
"""What opens in the tab; all else here answers with a file or a document of its own, which is asked for."""

TOOL = re.compile(r"^(png|svg)-")
"""What a script of the page does on the spot: `test_browser` saves pictures."""

OUTSIDE = re.compile(r"^(https?://[\w-]+(\.[\w-]+)+(:\d+)?(/|$)|mailto:[^@\s]+@[^@\s]+$)\S*$")
"""The form of an address elsewhere, which is not asked for."""

DEAD = re.compile(
    r"Page not found|No such |This generation (?:holds no|does not hold)|No \w+ is called|No test says anything"
    r"|It may have been renamed|They may have been renamed|is published yet"
)
"""What pages say of an address that leads to nothing."""

_IS_SHARED = """const isShared = (link) => link.textContent === "Link" && link.closest('[class*="st-key-chart_"]');"""
"""The link of a toolbar that offers the address of a view in a box, for somebody else to open."""

_LINKS = f"""shared => {{ {_IS_SHARED}
    return [...document.querySelectorAll('a[href]')]
        .filter((link) => link.checkVisibility() && !!isShared(link) === shared).map((link) => link.href); }}"""
_LINK = f"""href => {{ {_IS_SHARED}
    return [...document.querySelectorAll('a[href]')]
        .find((link) => link.href === href && link.checkVisibility() && !isShared(link)); }}"""


def links(page: Page, *, shared: bool = False) -> list[str]:
    """The addresses of the links that can be seen, each once, in their order; or those that charts offer to share."""
    return list(dict.fromkeys(page.evaluate(_LINKS, shared)))


def dead_links(page: Page, server: str, address: str, walked: set[str], skip: Iterable[str] = ()) -> list[str]:
    """The links of the page at `address` that lead to nothing, each with what was there instead.

    What is in `walked` is not followed again; it grows by what is followed. `skip` are beginnings of paths with query.
    """
    start = f"{server}/{address}"
    _open(page, start)
    dead, offered = [], links(page, shared=True)
    for href in links(page):
        where = href.removeprefix(server)
        if href in walked or where.startswith(tuple(skip)):
            continue
        walked.add(href)
        if _wrong(page, server, href, start):
            _open(page, start)  # a page that was late is asked again: what is dead is so twice
            if wrong := _wrong(page, server, href, start):
                dead.append(f"{address}: {where}: {wrong}")
    for href in offered:
        if href not in walked:
            walked.add(href)
            _open(page, href)
            if wrong := _complaint_of_page(page, urlsplit(href).path) or _lacking(page, urlsplit(href).fragment):
                dead.append(f"{address}: shared {href.removeprefix(server)}: {wrong}")
    return dead


def _is_page(address: str) -> bool:
    return urlsplit(address).path in PAGE_PATHS


def _open(page: Page, address: str) -> None:
    if _is_page(address):
        visit(page, address)
    else:
        page.goto(address)


def _wrong(page: Page, server: str, href: str, start: str) -> str:
    """What is wrong with a link; empty where nothing is."""
    parts = urlsplit(href)
    if not href.startswith(f"{server}/"):
        return "" if OUTSIDE.match(href) else "no address"
    if not _is_page(href):
        answer = page.request.get(href.partition("#")[0])
        return "" if answer.ok and answer.body() else f"status {answer.status}"
    return "" if TOOL.match(parts.fragment) else _followed(page, server, href, start)


def _followed(page: Page, server: str, href: str, start: str) -> str:
    """What is wrong with a link to a page, which is clicked, or to a part of this one.

    It is clicked where the reader is if it stands there too, as those of the menu do, else on the page it was read on.
    """
    parts = urlsplit(href)
    if _view(server, href) == _view(server, start):
        _back(page, server, start)
        return _lacking(page, parts.fragment)
    if _view(server, href) == _view(server, page.url) or not _clicked(page, href, tries=1):
        _back(page, server, start)
        if not _clicked(page, href):
            return "a click leads nowhere"
    settle(page)
    return _complaint_of_page(page, parts.path) or _lacking(page, parts.fragment)


def _clicked(page: Page, href: str, tries: int = 3) -> bool:
    """Whether the link with this address is there and leads on; drawn anew, a page may take it away meanwhile."""
    for _ in range(tries):
        before = page.url
        link = _link_once_there(page, href, 1 if tries == 1 else 100)
        try:
            if link is not None:
                link.click()
                page.wait_for_function("before => location.href !== before", arg=before)
                return True
        except Error:
            continue
    return False


def _link_once_there(page: Page, href: str, tries: int) -> ElementHandle | None:
    """The link with this address, once the page has it."""
    for attempt in range(tries):
        if link := page.evaluate_handle(_LINK, href).as_element():
            return link
        if attempt + 1 < tries:
            page.wait_for_timeout(100)
    return None


def _back(page: Page, server: str, start: str) -> None:
    """To the page whose links are followed, within the session where that can be, as a link in text goes."""
    if _view(server, page.url) == _view(server, start):
        return
    if not (_is_page(start) and _is_page(page.url)):
        _open(page, start)
    else:
        page.evaluate("address => { window.open(address); }", start)
        page.wait_for_url(start, wait_until="commit")
        settle(page)


def _view(server: str, address: str) -> str:
    """The address without the part that it names; the first page is at the root, also by its own address."""
    where = address.partition("#")[0].removeprefix(server)
    return where.replace("/overview", "/", 1) if where.startswith("/overview") else where


def _complaint_of_page(page: Page, path: str) -> str:
    """What the page that was led to says of being wrong."""
    if page.get_by_test_id("stException").count():
        return "an exception"
    expect(page.get_by_role("heading", level=1).first).to_be_attached()
    landed = urlsplit(page.url).path
    if landed not in (path, "/") and path != "/overview":
        return f"led to {landed}"
    complaint = DEAD.search(page.locator("body").inner_text().replace("\u2060", ""))
    return complaint.group() if complaint else ""


def _lacking(page: Page, fragment: str) -> str:
    """The part of the page that an address names and that is not there, once charts have had their time."""
    if not fragment:
        return ""
    there = page.locator(f'[id="{unquote(fragment)}"]')
    for _ in range(80):
        if there.count():
            return ""
        page.wait_for_timeout(100)
    return f"nothing is called {fragment}"
