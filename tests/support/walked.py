"""Every sentence of every page over one generation, as a reader of several addresses gets it."""

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from streamlit.testing.v1 import AppTest

from tests.support.drawn import drawn

SAID = ("title", "header", "subheader", "markdown")


def paragraphs(app: AppTest) -> Iterator[str]:
    """What a page says, block by block; a list is one with what is written above it."""
    for kind in SAID:
        yield from (block.value for block in app.get(kind) if block.value.strip())


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
