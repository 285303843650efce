"""A story on paper: three sheets, the words of the page, and still pictures of the same figures."""

from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader
from starlette.applications import Starlette

from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.story.story import Story
from benchhealth.dashboard.pages.story.story_specs import DECLARED
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.report import still
from benchhealth.dashboard.report.pdf import document
from benchhealth.dashboard.serving.printed.stories import routes, story_report
from benchhealth.dashboard.words.text import one_line
from tests.support import asgi_client
from tests.support.soaking import some

SPACE = "{http://www.w3.org/2000/svg}"
DRAWN = {f"{SPACE}{tag}" for tag in ("line", "circle", "rect", "text")}
every_story = pytest.mark.parametrize("story", some(DECLARED, plain=DECLARED[:2]), ids=lambda story: story.key)
get = partial(asgi_client.get, Starlette(routes=routes()))


@pytest.fixture(scope="module")
def view(bundled_home: Path) -> Iterator[View]:
    generation.use(bundled_home)
    yield generation.current()


@every_story
def test_it_has_three_sheets_with_the_words_of_the_page(story: Story, view: View) -> None:
    sheets = PdfReader(BytesIO(document(story_report(view.shared(), story.key)))).pages
    words = " ".join(" ".join(sheet.extract_text().split()) for sheet in sheets)
    shared_story = story.of(view.shared())
    for frame in shared_story.frames.values():
        assert frame.caption.title in words and frame.caption.text.split(". ")[0] in words
    assert len(sheets) == (3 if len(shared_story.frames) == 5 else 2)


@every_story
def test_a_still_picture_lies_within_its_frame_and_has_every_label(story: Story, view: View) -> None:
    for frame in story.of(view).frames.values():
        figure = frame.chart(LIGHT).figure
        root = ElementTree.fromstring(still.svg(figure, one_line))
        assert {part.tag for part in root} <= DRAWN
        wide, high = float(root.get("width", 0)), float(root.get("height", 0))
        assert still.height(figure) == pytest.approx(high / wide)
        for part in root:
            for name, most in (("x", wide), ("x1", wide), ("x2", wide), ("cx", wide), ("y", high), ("y1", high),
                               ("y2", high), ("cy", high)):  # fmt: skip
                if part.get(name) is not None:
                    assert -1 <= float(part.get(name, 0)) <= most + 1, (frame.caption.title, part.attrib, part.text)
        written = " ".join(part.text or "" for part in root.iter(f"{SPACE}text"))
        for note in figure.layout.annotations:
            if note.opacity != still.ONLY_NARROW and "<span" not in note.text:
                assert note.text.replace("<b>", "").replace("</b>", "").split("<br>")[0] in written


def test_one_that_there_is_not_is_not_found(view: View) -> None:
    assert view
    assert get("/story.pdf", {"story": "nope"}).status == 404
    assert get("/story.pdf", {}).status == 404
    assert get("/story.txt", {"story": "gsm8k"}).status == 404
    page = get("/story.html", {"story": "gsm8k"})
    assert page.status == 200 and "data:image/svg+xml" in page.body


def test_colours_are_those_that_svg_and_paper_know() -> None:
    assert still.colour("rgba(11,95,163,0.28)") == ("#0b5fa3", 0.28)
    assert still.colour("#0B5FA3") == ("#0B5FA3", 1.0) and still.colour(None)[1] == 1.0
