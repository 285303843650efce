"""Names in a figure, shortened where they are too long: what they share with the others goes, what differs stays."""

import re
from collections.abc import Sequence
from itertools import takewhile

from benchhealth.dashboard.words.text import one_line, words_within

CUT = "…"

_WORD = re.compile(r"[^\s\-_/:(,.]+")
"""A word of a name: models' names join words by hyphens, underscores, slashes and dots."""


def told_apart(names: Sequence[str], limit: int, among: Sequence[str] = ()) -> list[str]:
    """Each name, cut to `limit` letters where it stays distinct from the others; a shorter one is unchanged.

    A name that is too long loses its end; where another name (of these or `among` them) begins alike, it loses the
    middle, so that the word at which the two part is still there. A name that cannot be told from another within the
    limit stays whole: no two different names become the same text.
    """
    lines = [one_line(name) for name in names]
    population = {*lines, *(one_line(name) for name in among)}
    short = {name: name if len(name) <= limit else _cut(name, limit, population - {name}) for name in population}
    for namesakes in {text: [name for name in short if short[name] == text] for text in short.values()}.values():
        if len(namesakes) > 1:
            shared = namesakes[0][: min(_alike(namesakes[0], other_name) for other_name in namesakes[1:])]
            short |= {name: _after(name, shared, limit) for name in namesakes}
    labels = list(short.values())
    return [short[name] if labels.count(short[name]) == 1 else name for name in lines]


def _after(name: str, shared: str, limit: int) -> str:
    """The name from the word on in which it parts from what it shares, where that fits; else from the letter on."""
    starts = [word.start() for word in _WORD.finditer(name)]
    tail = name[max((start for start in starts if start <= len(shared)), default=0) :]
    if len(tail) >= limit:
        tail = words_within(name[len(shared) :], limit * 2 // 3)
    return _head(shared, limit - 1 - len(tail)) + CUT + tail


def _cut(name: str, limit: int, other_names: set[str]) -> str:
    """The name within the limit, with the word at which it parts from the nearest of the others."""
    shared = max((_alike(name, other_name) for other_name in other_names), default=0)
    at_end = words_within(name, limit)
    if not shared or shared < len(at_end.rstrip(CUT)):
        return at_end
    starts = [word.start() for word in _WORD.finditer(name)]
    differs = max((start for start in starts if start <= shared), default=0)
    tail = name[differs:]
    if len(tail) > limit * 2 // 3:
        tail = words_within(tail, limit * 2 // 3)
    return _head(name[:differs], limit - 1 - len(tail)) + CUT + tail


def _alike(first: str, second: str) -> int:
    """The number of letters with which both names begin alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


def _head(text: str, room: int) -> str:
    """The beginning of the text that fits, in whole words where one does."""
    ends = [word.end() for word in _WORD.finditer(text) if word.end() <= room]
    return text[: ends[-1]] if ends else text[: max(room, 0)]
