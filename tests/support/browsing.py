"""A page in a real Chromium, and what went wrong in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from playwright.sync_api import Browser, Locator, Page, expect

Scheme = Literal["light", "dark"]
PATIENCE = 60_000
DRAWN = '[data-testid="stApp"][data-test-script-state="notRunning"]'


@contextmanager
def opened(browser: Browser, width: int = 1280, scheme: Scheme = "light") -> Iterator[tuple[Page, list[str]]]:
    """A page in a fresh context, and a list of what went wrong in it: console errors and requests to other hosts."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    wrong: list[str] = []
    page = context.new_page()
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: wrong.append(request.url) if _leaves(request.url) else None)
    try:
        yield page, wrong
    finally:
        context.close()


def _leaves(url: str) -> bool:
    return not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:"))


def visit(page: Page, address: str) -> None:
    """Open the address and wait until the footer is there and the script has ended."""
    page.goto(address)
    settle(page)


def settle(page: Page) -> None:
    expect(page.get_by_text("not accusations")).to_be_attached(timeout=PATIENCE)
    expect(page.locator(DRAWN)).to_be_attached(timeout=PATIENCE)


def search_box(page: Page) -> Locator:
    """The box above the map in which a name is looked for."""
    return page.get_by_role("textbox", name="Search benchmarks")


def search(page: Page, text: str) -> None:
    """Look for a name on the map."""
    search_box(page).fill(text)
    search_box(page).press("Enter")
