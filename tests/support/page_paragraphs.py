"""Every sentence of every page over one generation, as a reader of several addresses gets it."""

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from streamlit.testing.v1 import AppTest

from tests.support.rendered_page import rendered

HEADINGS = ("title", "header", "subheader")
SUBTITLE = ":small[:gray["
"""How what is written under the title of a chart begins."""


def paragraphs(app: AppTest) -> Iterator[str]:
    """What a page says, block by block, in its order; a list is one with what is written above it.

    The title of the page and what follows it are one, and so are the title of a chart and its subtitle: a finding with
    how many of what, and until when. So are the cells of a card, one of which says until when.
    """
    title, is_first = "", True
    cells = [text for _, text in blocks(app) if is_cell(text)]
    if cells:
        yield "\n".join(cells)
    for kind, text in blocks(app):
        if is_cell(text):
            continue
        if kind in HEADINGS:
            if title:
                yield title
            title, is_first = text, kind == "title"
            continue
        if title and (is_first or text.startswith(SUBTITLE)):
            yield f"{title}: {text}"
        else:
            yield from (part for part in (title, text) if part)
        title = ""
    if title:
        yield title


def is_cell(text: str) -> bool:
    """Whether it is a cell of the card of a benchmark: a question that is a link, and below it a word in bold."""
    return text.startswith(":small[[") and "\n\n**" in text


def blocks(app: AppTest) -> Iterator[tuple[str, str]]:
    """Kind and text of everything that is written on the page, in its order."""
    for node in app.main:
        kind = getattr(node, "type", "")
        if kind in (*HEADINGS, "markdown") and node.value.strip():
            yield kind, node.value


def paragraphs_of_choices(page: ModuleType, home: Path, limit: int = 3, **query: str) -> list[str]:
    """The paragraphs of a page as it opens, and for each other of the first `limit` choices of each of its boxes."""
    app = rendered(page, home, **query)
    texts = list(paragraphs(app))
    choices = [(box.key, option) for box in app.selectbox for option in box.options[:limit] if option != _shown(box)]
    for key, option in choices:
        app = rendered(page, home, **query)
        app.selectbox(key=key).select(option).run()
        assert not app.exception
        texts += paragraphs(app)
    return list(dict.fromkeys(texts))


def _shown(box: object) -> object:
    index = getattr(box, "index", None)
    options = getattr(box, "options", [])
    return None if index is None else options[index]
