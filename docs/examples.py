"""Examples in docstrings as blocks of code: a paragraph that begins with `>>>` is one, as for doctest."""

import re

import griffe

_EXAMPLE = re.compile(r"^>>> .*?(?=\n\s*\n|\Z)", re.DOTALL | re.MULTILINE)


class Fenced(griffe.Extension):
    """Puts a fence around each example, so that Markdown does not read it as text."""

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Of every module, class and function that has a docstring."""
        if obj.docstring is not None:
            obj.docstring.value = _EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", obj.docstring.value)
