"""A page in a real Chromium, and what went wrong in it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from playwright.sync_api import Browser, Locator, Page, expect

Scheme = Literal["light", "dark"]
PATIENCE = 60_000
"""Milliseconds that whatever is done or expected on a page may take; on a busy machine a page takes seconds."""
expect.set_options(timeout=PATIENCE)

DRAWN = '[data-testid="stApp"][data-test-script-state="notRunning"]'


_FREE: dict[Browser, list[Page]] = {}
"""Pages that were given back: one that is used again has the program of the dashboard compiled already."""

_FORGET = "() => { localStorage.clear(); sessionStorage.clear(); return location.origin; }"


@contextmanager
def opened(
    browser: Browser, width: int = 1280, scheme: Scheme = "light", *, moves: bool = False
) -> Iterator[tuple[Page, list[str]]]:
    """A page that holds nothing of another test, and a list of what goes wrong in it.

    Wrong are console errors and requests to other hosts. What may move where a reader wants that stands still, unless
    it `moves`: drawing each step takes a fifth of all processor time. Pages are used again, but where a test failed.
    """
    free = _FREE.setdefault(browser, [])
    page = free.pop() if free else browser.new_context().new_page()
    page.set_default_timeout(PATIENCE)
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(media="screen", color_scheme=scheme, reduced_motion="no-preference" if moves else "reduce")
    wrong: list[str] = []
    listeners: dict[Literal["console", "pageerror", "request"], Callable[[Any], None]] = {
        "console": lambda message: wrong.append(message.text) if message.type == "error" else None,
        "pageerror": lambda error: wrong.append(str(error)),
        "request": lambda request: wrong.append(request.url) if _leaves(request.url) else None,
    }
    for event, listener in listeners.items():
        page.on(event, listener)
    is_clean = False
    try:
        yield page, wrong
        is_clean = not page.is_closed() and page.url.startswith("http://127.0.0.1:")
    finally:
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
        if is_clean:
            # A page of the same host keeps the process, and with it what is compiled.
            page.goto(f"{page.evaluate(_FORGET)}/healthz")
            page.context.clear_cookies()
            free.append(page)
        else:
            page.context.close()


def _leaves(url: str) -> bool:
    return not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:"))


def visit(page: Page, address: str) -> None:
    """Open the address and wait until all of the page is drawn."""
    page.goto(address)
    settle(page)


def settle(page: Page) -> None:
    """Wait until the footer is there, the script has ended, and every part has the program that draws it."""
    expect(page.get_by_text("not accusations")).to_be_attached()
    expect(page.locator(DRAWN)).to_be_attached()
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)


def search_box(page: Page) -> Locator:
    """The box above the map in which a name is looked for."""
    return page.get_by_role("textbox", name="Search benchmarks")


def search(page: Page, text: str) -> None:
    """Look for a name on the map."""
    search_box(page).fill(text)
    search_box(page).press("Enter")
