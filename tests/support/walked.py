"""Every sentence of every page over one generation, as a reader of several addresses gets it."""

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from streamlit.testing.v1 import AppTest

from tests.support.drawn import drawn

HEADINGS = ("title", "header", "subheader")
SUBTITLE = ":small[:gray["
"""How what is written under the title of a chart begins."""


def paragraphs(app: AppTest) -> Iterator[str]:
    """What a page says, block by block, in its order; a list is one with what is written above it.

    The title of the page and what follows it are one, and so are the title of a chart and its subtitle: a finding with
    how many of what, and until when. So are the cells of a card, one of which says until when.
    """
    title, is_first = "", True
    cells = [said for _, said in blocks(app) if is_cell(said)]
    if cells:
        yield "\n".join(cells)
    for kind, said in blocks(app):
        if is_cell(said):
            continue
        if kind in HEADINGS:
            if title:
                yield title
            title, is_first = said, kind == "title"
            continue
        if title and (is_first or said.startswith(SUBTITLE)):
            yield f"{title}: {said}"
        else:
            yield from (part for part in (title, said) if part)
        title = ""
    if title:
        yield title


def is_cell(said: str) -> bool:
    """Whether it is a cell of the card of a benchmark: a question that is a link, and below it a word in bold."""
    return said.startswith(":small[[") and "\n\n**" in said


def blocks(app: AppTest) -> Iterator[tuple[str, str]]:
    """Kind and text of everything that is written on the page, in its order."""
    for node in app.main:
        kind = getattr(node, "type", "")
        if kind in (*HEADINGS, "markdown") and node.value.strip():
            yield kind, node.value


def walked(page: ModuleType, home: Path, limit: int = 3, **query: str) -> list[str]:
    """The paragraphs of a page as it opens, and for each other of the first `limit` choices of each of its boxes."""
    app = drawn(page, home, **query)
    said = list(paragraphs(app))
    choices = [(box.key, option) for box in app.selectbox for option in box.options[:limit] if option != _shown(box)]
    for key, option in choices:
        app = drawn(page, home, **query)
        app.selectbox(key=key).select(option).run()
        assert not app.exception
        said += paragraphs(app)
    return list(dict.fromkeys(said))


def _shown(box: object) -> object:
    index = getattr(box, "index", None)
    options = getattr(box, "options", [])
    return None if index is None else options[index]
