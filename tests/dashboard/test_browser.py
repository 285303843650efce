"""Every page in a real Chromium: at two widths, in light and dark, from a link, with names that try to be markup."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, TimeoutError, expect

from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.widgets.page import PageSpec
from tests.support.browsing import DRAWN, Scheme, opened, search, search_box, settle, visit
from tests.support.small_generation import HOSTILE
from tests.support.soaking import some

pytestmark = pytest.mark.browser


class Look(NamedTuple):
    """How a window shows a page."""

    width: int
    scheme: Scheme


WIDEST = "Math.max(document.documentElement.scrollWidth, document.querySelector('[data-testid=stMain]').scrollWidth)"
LOOKS = (Look(1280, "light"), Look(390, "dark"))


@pytest.mark.soak  # `test_every_page` opens them too, over the bundled facts
def test_every_page_opens_from_its_address(browser: Browser, server: str) -> None:
    """In both looks of `LOOKS`, loaded in one and drawn again in the other as the reader's window and system change."""
    with opened(browser) as (page, wrong):
        for place, spec in enumerate(PAGES):
            first, then = LOOKS if place % 2 else reversed(LOOKS)
            _look(page, first)
            visit(page, f"{server}/{spec.url_path}")
            _check(page, spec, first)
            before = _ground(page)
            _look(page, then)
            expect(page.locator(DRAWN)).not_to_have_css("background-color", before)
            settle(page)
            _check(page, spec, then)
            assert not wrong, (spec.url_path, wrong)


def _look(page: Page, look: Look) -> None:
    page.set_viewport_size({"width": look.width, "height": 900})
    page.emulate_media(color_scheme=look.scheme)


def _ground(page: Page) -> str:
    return str(page.locator(DRAWN).evaluate("app => getComputedStyle(app).backgroundColor"))


def _check(page: Page, spec: PageSpec, look: Look) -> None:
    assert page.get_by_test_id("stException").count() == 0, spec.url_path
    expect(page.get_by_role("heading", level=1).first, spec.url_path).to_be_visible()
    try:  # charts follow a window's width a moment later
        page.wait_for_function(f"{WIDEST} <= {look.width}")
    except TimeoutError as late:
        raise AssertionError((spec.url_path, look, page.evaluate(WIDEST))) from late
    for chart in page.get_by_test_id("stPlotlyChart").all():
        assert chart.get_attribute("aria-label"), spec.url_path


@pytest.mark.parametrize("benchmark_id", some(["arena", "silent-exam", "strange"], plain=["silent-exam"]))
def test_every_kind_of_benchmark_has_its_page(browser: Browser, server: str, benchmark_id: str) -> None:
    with opened(browser) as (page, wrong):
        visit(page, f"{server}/benchmark?benchmark={benchmark_id}&tab=All%20indicators")
        assert page.get_by_test_id("stException").count() == 0
        expect(page.get_by_role("heading", name="Does it still measure?")).to_be_visible()
        assert not wrong


@pytest.mark.parametrize("look", some(LOOKS, plain=LOOKS[1:]), ids=str)
def test_the_first_screen_of_leaderboards_says_who_is_tied(browser: Browser, server: str, look: Look) -> None:
    with opened(browser, look.width, look.scheme) as (page, wrong):
        visit(page, f"{server}/leaderboards?board=arena/arena")
        title = page.get_by_role("heading", level=1, name="3 are tied for first on Arena")
        expect(title).to_be_visible()
        expect(title).to_be_in_viewport()
        expect(page.get_by_text("Who is tied for first?")).to_be_in_viewport()
        expect(page.locator(".annotation", has_text="could be").first).to_be_visible()
        assert page.locator(".annotation:visible", has_text="printed").count() == (look.width > 640)
        assert not wrong, wrong


def test_published_names_stay_text(browser: Browser, server: str) -> None:
    with opened(browser) as (page, wrong):
        visit(page, f"{server}/benchmark?benchmark=hard-exam&tab=Top+models")
        first = page.locator(".st-key-chart_top .ytick text", has_text="Best").first
        assert str(first.text_content()).startswith(HOSTILE[:20])
        assert page.locator('a[href^="javascript"]').count() == 0
        assert not wrong


def test_a_chart_is_saved_cited_and_embedded_from_its_toolbar(browser: Browser, server: str) -> None:
    with opened(browser) as (page, wrong):
        visit(page, f"{server}/benchmark?benchmark=exam")
        block = page.locator(".st-key-chart_curve")
        expect(block.locator(".main-svg").first).to_be_visible()
        finding = block.get_by_role("heading").inner_text()
        files = {form: _saved(page, block, form) for form in ("PNG", "SVG", "CSV")}
        assert files["PNG"][0] == "benchhealth-curve.png" and files["PNG"][1].startswith(b"\x89PNG")
        drawing = files["SVG"][1].decode()
        assert files["SVG"][0] == "benchhealth-curve.svg" and drawing.startswith("<svg")
        assert finding in drawing and "data to" in drawing and "@font-face" in drawing
        sentence = str(block.locator("p").first.text_content())
        assert (
            "".join(re.findall(r"<text[^>]*>([^<]*)", drawing)).replace(" ", "").count(sentence.replace(" ", "")) == 1
        )
        wide, high = (round(2 * float(side)) for side in re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawing)[0])
        png = files["PNG"][1]  # the drawing itself, with all that is written around the chart
        assert [int.from_bytes(png[start : start + 4]) for start in (16, 20)] == pytest.approx([wide, high], abs=1)
        lines = [line for line in files["CSV"][1].splitlines() if not line.startswith(b"stage,")]
        assert files["CSV"][0] == "benchhealth-curve.csv" and len(lines) == 1 + 30 + 31
        here = f"{server}/benchmark?benchmark=exam#curve"
        assert _offered(page, block, "Link") == here
        cited = _offered(page, block, "Cite")
        assert finding in cited and "Generation gen-" in cited and cited.endswith(here)
        block.get_by_role("link", name="Cite", exact=True).click()
        offered = page.get_by_role("dialog")
        expect(offered.get_by_role("textbox")).to_have_count(6)
        assert offered.evaluate("box => box.scrollTop") == 0
        taken = f"{server}/chart/curve.csv?benchmark=exam"
        assert f'urlopen("{taken}")' in offered.get_by_role("textbox", name="polars").input_value()
        assert here in offered.get_by_role("textbox", name="BibTeX").input_value()
        offered.get_by_role("button", name="Close").click()
        framed = f"{server}/embed/curve?benchmark=exam"
        assert f'<iframe src="{framed}"' in _offered(page, block, "Embed")
        assert str(block.get_by_role("link", name="Method").get_attribute("href")).endswith("methods#frontier")
        page.goto(framed)
        expect(page.get_by_role("heading", name=finding)).to_be_visible()
        expect(page.locator("#chart .main-svg").first).to_be_visible()
        assert not wrong


def _saved(page: Page, block: Locator, form: str) -> tuple[str, bytes]:
    """The name and content of the file that a link of the toolbar saves."""
    with page.expect_download() as download:
        block.get_by_role("link", name=form, exact=True).click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def _offered(page: Page, block: Locator, tool: str) -> str:
    """The text that a link of the toolbar offers to copy."""
    block.get_by_role("link", name=tool, exact=True).click()
    text = page.get_by_role("dialog").get_by_role("textbox").first.input_value()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    return text


def test_a_benchmark_that_is_not_there_is_said_so(browser: Browser, server: str) -> None:
    with opened(browser) as (page, _wrong):
        visit(page, f"{server}/benchmark?benchmark=nope")
        expect(page.get_by_role("heading", name="No such benchmark")).to_be_visible()
        expect(page.get_by_role("combobox", name="Benchmark")).to_be_visible()


@pytest.mark.soak
def test_a_shared_link_opens_the_same_view(browser: Browser, server: str) -> None:
    with opened(browser) as (page, _wrong):
        visit(page, f"{server}/")
        search(page, "exam")
        expect(page.get_by_role("heading", name="5 benchmarks", exact=True)).to_be_visible()
        page.get_by_test_id("stMain").get_by_role("button", name="Not enough known").click()
        expect(page).to_have_url(re.compile("(search=exam.*stage=unknown|stage=unknown.*search=exam)"))
        heading = page.get_by_role("heading", name="5 benchmarks", exact=True)
        expect(heading).not_to_be_attached()
        settle(page)
        shared, state_before = page.url, _texts_of(page)
    with opened(browser) as (page, _wrong):
        visit(page, shared)
        expect(search_box(page)).to_have_value("exam")
        settle(page)
        assert _texts_of(page) == state_before


def _texts_of(page: Page) -> list[str]:
    """The words of the page, without those that charts and tables draw when they are ready."""
    return page.get_by_test_id("stMain").get_by_test_id("stMarkdownContainer").all_inner_texts()


@pytest.mark.soak  # test_navigation finds them again in the suite
def test_filters_are_found_again_on_the_way_back_from_another_page(browser: Browser, server: str) -> None:
    with opened(browser) as (page, wrong):
        visit(page, f"{server}/?domain=reading")
        search(page, "fresh")
        expect(page).to_have_url(re.compile("search=fresh"))
        page.get_by_role("banner").get_by_role("link", name="Benchmark", exact=True).click()
        expect(page).to_have_title("Benchmark · benchhealth")
        expect(page).to_have_url(f"{server}/benchmark")
        page.get_by_role("combobox", name="Benchmark").click()
        page.keyboard.type("nobody reports")
        page.get_by_role("option", name="Exam nobody reports · silent-exam").click()
        expect(page).to_have_title("Exam nobody reports · benchhealth")
        expect(page).to_have_url(re.compile("benchmark=silent-exam"))
        page.go_back()
        expect(page.get_by_role("heading", name="Choose a benchmark")).to_be_visible()
        page.go_back()
        expect(search_box(page)).to_have_value("fresh")
        expect(page).to_have_url(re.compile("domain=language"))
        expect(page.get_by_role("heading", name="1 benchmark", exact=True)).to_be_visible()
        assert not wrong


@pytest.mark.soak
def test_several_benchmarks_are_compared_on_one_chart_and_exported(browser: Browser, server: str) -> None:
    with opened(browser) as (page, wrong):
        visit(page, f"{server}/")
        page.get_by_role("banner").get_by_role("link", name="Compare", exact=True).click()
        expect(page).to_have_title("Compare · benchhealth")
        settle(page)
        page.get_by_text("By calendar").click()
        expect(page).to_have_url(re.compile("clock=calendar"))
        settle(page)
        block = page.locator(".st-key-chart_compared")
        expect(block.locator(".main-svg").first).to_be_visible()
        named = block.locator(".annotation").filter(visible=True).all_text_contents()
        name, content = _saved(page, block, "CSV")
        assert name == "benchhealth-compared.csv"
        lines = {line.split(",")[1] for line in content.decode().splitlines()[1:]}
        assert len(named) == len(lines) > 1
        drawing = _saved(page, block, "SVG")[1].decode()
        assert [drawing.count(f">{text}<") for text in named] == [1] * len(named), named
        assert not wrong


def test_the_menu_stands_on_one_line(browser: Browser, server: str) -> None:
    with opened(browser) as (page, _wrong):
        visit(page, f"{server}/")
        menu = page.get_by_role("banner")
        places = [
            menu.get_by_role("link", name=spec.title, exact=True)
            for spec in PAGES
            if not spec.hidden and not spec.section
        ]
        sections = {spec.section for spec in PAGES if spec.section}
        places += [menu.get_by_role("button", name=section, exact=True) for section in sections]
        boxes = [place.bounding_box() for place in places]
        assert len({box["y"] for box in boxes if box}) == 1 and None not in boxes
        assert max(box["x"] + box["width"] for box in boxes if box) < 1280


def test_nothing_found_says_what_to_do(browser: Browser, server: str) -> None:
    with opened(browser) as (page, _wrong):
        visit(page, f"{server}/?search=no-such-name")
        expect(page.get_by_text("Nothing matches these filters.")).to_be_visible()
        expect(page.get_by_role("link", name="Clear all filters")).to_be_visible()


def test_the_search_of_the_menu_goes_by_keys_alone(browser: Browser, server: str) -> None:
    with opened(browser) as (page, wrong):
        visit(page, f"{server}/models")
        page.keyboard.press("/")
        box, dialogs = page.get_by_role("dialog").get_by_role("combobox"), page.get_by_role("listbox", name="Found")
        expect(box).to_be_focused()
        page.keyboard.type("best model x")
        expect(dialogs.get_by_role("option").first).to_contain_text(HOSTILE)
        page.keyboard.press("Escape")
        expect(box).to_be_hidden()
        page.keyboard.press("/")
        page.keyboard.type("exam")
        expect(dialogs.get_by_role("group", name="Benchmarks")).to_be_visible()
        expect(dialogs.get_by_role("option").first).to_have_attribute("aria-selected", "true")
        page.keyboard.press("ArrowDown")
        expect(dialogs.get_by_role("option").nth(1)).to_have_attribute("aria-selected", "true")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        expect(page).to_have_title("Exam · benchhealth")
        page.go_back()
        expect(page).to_have_url(f"{server}/models")
        page.keyboard.press("/")
        page.keyboard.type("exma")
        expect(dialogs.get_by_role("option", name="did you mean").first).to_be_visible()
        page.keyboard.press("Enter")
        expect(box).to_have_value("exam")
        page.get_by_role("option", name="All results as a page").click()
        expect(page.get_by_role("heading", name=re.compile("names for exam"))).to_be_visible()
        assert not wrong


NAME_AND_WORD = """() => {
  const first = document.querySelector('[data-testid="stMain"] [data-testid="stMarkdownContainer"]');
  for (const sentence of ["by chance", "Chance Vision 1.5 is a name"])
    first.insertAdjacentHTML("afterbegin", `<p class="named">${sentence}</p>`);
}"""
MARKED_HERE = """() => new Promise((answer) => {
  const look = () => {
    const parts = [...CSS.highlights.get("term") ?? []].map((range) => range.startContainer.parentElement);
    const named = parts.filter((part) => part?.className === "named").map((part) => part.textContent);
    if (named.length) answer(named); else setTimeout(look, 50);
  };
  look();
})"""


@pytest.mark.soak
def test_the_terms_of_a_page_are_explained_by_keys_alone(browser: Browser, server: str) -> None:
    """With `?`, or with the button that Tab comes to; the glossary is one Enter away, and Escape goes back."""
    with opened(browser) as (page, wrong):
        visit(page, f"{server}/benchmark?benchmark=exam")
        button, meaning = page.locator(".term-next"), page.get_by_role("note")
        expect(button).to_be_attached()
        page.evaluate(NAME_AND_WORD)
        assert page.evaluate(MARKED_HERE) == ["by chance"]
        page.keyboard.press("?")
        expect(meaning.get_by_role("link", name="Glossary")).to_be_focused()
        first = meaning.inner_text()
        page.keyboard.press("?")
        expect(meaning).not_to_have_text(first)
        page.keyboard.press("Escape")
        expect(meaning).to_be_hidden()
        button.focus()
        page.keyboard.press("Enter")
        expect(meaning.get_by_role("link", name="Glossary")).to_be_focused()
        page.keyboard.press("Escape")
        expect(button).to_be_focused()
        page.keyboard.press("Enter")
        expect(meaning.get_by_role("link", name="Glossary")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("/methods.*glossary|/methods#"))
        assert not wrong


@pytest.mark.soak
def test_the_search_is_there_on_a_phone_and_a_slash_in_a_field_is_a_slash(browser: Browser, server: str) -> None:
    with opened(browser, width=390, scheme="dark") as (page, wrong):
        visit(page, f"{server}/")
        search_box(page).fill("")
        search_box(page).press("/")
        expect(search_box(page)).to_have_value("/")
        page.get_by_role("button", name="Search benchmarks, models, leaderboards and sources").click()
        page.keyboard.type("arena")
        expect(page.get_by_role("option").first).to_be_visible()
        shown = page.get_by_role("dialog").bounding_box()
        assert shown is not None and shown["x"] >= 0 and shown["x"] + shown["width"] <= 390
        page.get_by_role("option", name="Arena").first.click()
        expect(page).to_have_title("Arena · benchhealth")
        assert not wrong
