"""Sentences use the field's plain words: phrases that readers stumbled over stand in none of them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import benchhealth.api
import benchhealth.dashboard

ROOMS = tuple(Path(room.__file__ or "").parent for room in (benchhealth.dashboard, benchhealth.api))
RIDDLES = re.compile(
    r"\btold apart\b|\btells? (?:\w+ ){1,4}apart\b|\bknown until\b|\blooked at\b|\bhangs? on\b|\btook (?:it|its) from\b"
    r"|\bfewer will not\b"
)
NAMED = {
    "tell models apart now",
    "able to tell models apart",
    "It can tell models apart",
    "told apart",
}
"""The stage that the headline of the map counts, and what the search of the glossary finds."""


def _literals(tree: ast.Module) -> Iterator[str]:
    """The strings of a module but its docstrings, f-strings with `{}` for what they insert."""
    nodes = list(ast.walk(tree))
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def riddles(source: str) -> list[str]:
    """The strings of a module in which such a phrase stands and that are none of those named."""
    texts = (text for text in _literals(ast.parse(source)) if RIDDLES.search(text))
    return [text for text in texts if not any(text == one or (" " in one[5:] and one in text) for one in NAMED)]


def test_no_sentence_is_a_riddle() -> None:
    modules = [path for room in ROOMS for path in room.resolve().rglob("*.py")]
    assert len(modules) > 300
    assert not {path.name: riddle_texts for path in modules if (riddle_texts := riddles(path.read_text()))}


@pytest.mark.parametrize(
    "line",
    ["f'{n} pairs can be told apart'", "'Exam; known until May'", "'It hangs on one item'", "'They tell us apart'"],
)
def test_a_riddle_is_seen(line: str) -> None:
    assert riddles(f"text = {line}")
