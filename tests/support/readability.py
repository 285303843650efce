"""The sixty passages that most readers read, chosen by address, and how hard each is.

The list was made before any of them was written anew, and says where a passage stands, never what it says. Run
`python -m tests.support.readability HOME` for a table over the generation of a home.
"""

import importlib
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pyphen

from tests.support.page_paragraphs import HEADINGS, SUBTITLE, blocks, is_cell
from tests.support.rendered_page import rendered

MOST_WORDS, HIGHEST_GRADE = 25, 10.0
FEWEST_WORDS = 5
BENCHMARKS = ("mmlu", "gpqa-diamond", "swe-bench-verified", "imagenet", "gsm8k")
MODEL = "o3-2025-04-16"


class Place(NamedTuple):
    """Where a passage stands: a page, what its address asks for, and which block of it.

    `title` is the page's own, `lead` the first paragraph below it that is neither badge nor small print, `head 2` the
    title of the second section or chart, `sub 2` the subtitle of that chart, `card` the cells of the verdict card:
    question, reply and a line of evidence each.
    """

    page: str
    query: str
    block: str


def _places() -> Iterator[Place]:
    head = ("title", "lead", "head 1", "sub 1")
    of_page = {
        "overview": head,
        "compare": head,
        "models": ("title", "lead"),
        "leaderboards": head,
        "trust": ("title", "lead"),
        "field": ("title", "lead", *(f"{kind} {number}" for number in range(1, 5) for kind in ("head", "sub"))),
        "changes": ("title", "lead", "head 1"),
        "data": ("title", "sub 1"),
        "methods": ("lead",),
        "reproduction": ("title", "lead"),
        "report": ("title", "lead"),
    }
    for page, blocks_of in of_page.items():
        yield from (Place(page, "", block) for block in blocks_of)
    for benchmark in BENCHMARKS:
        yield from (Place("benchmark", f"benchmark={benchmark}", block) for block in head)
    yield from (Place("models", f"model={MODEL}", block) for block in head)


PLACES = tuple(_places())
CARDS = tuple(Place("benchmark", f"benchmark={benchmark}", "card") for benchmark in BENCHMARKS)
"""Beside the sixty: the cards, which came after the list was made."""
ASKED = ("domain=code", "for=fund&domain=vision&makers=1", "for=teach&domain=vision", "for=ship&domain=agents")
DESK = (
    *(Place("decide", "", block) for block in ("title", "lead")),
    *(Place("decide", query, block) for query in ASKED for block in ("title", "lead", "head 1", "sub 1")),
    *(Place("decide", "domain=code", block) for block in ("head 2", "sub 2", "sub 3")),
)
"""Beside them: the desk, as it opens and as four ask it."""


class Passage(NamedTuple):
    """A passage and how hard it is: the words of its longest sentence, and the grade of its hardest."""

    place: Place
    text: str
    words: int
    grade: float

    @property
    def is_plain(self) -> bool:
        """Whether it keeps both limits."""
        return self.words <= MOST_WORDS and self.grade <= HIGHEST_GRADE


_WORD = re.compile(r"[^\W_](?:[\w'’.,/:%-]*[\w%])?")
_BESIDE = re.compile(r":[a-z]+-badge\[|" + re.escape(SUBTITLE))
"""How badges and facts beside a title begin."""
_MARKUP = re.compile(r":[a-z]+(?:-badge)?\[|\*\*|[\[\]]|^#+ ", re.MULTILINE)


_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9“‘(−-])")


def sentences(text: str) -> list[str]:
    """The sentences of a passage without markup; one may begin with a number."""
    return [part for part in _END.split(text) if part]


def words(text: str) -> list[str]:
    """What is between blanks and begins with a letter or a figure; `12,032`, `GPT-4.1` and `63%` are one word each."""
    return _WORD.findall(text)


@cache
def _hyphens() -> pyphen.Pyphen:
    return pyphen.Pyphen(lang="en_US")


def syllables(word: str) -> int:
    """Where the word can be broken, and one; of a compound each part; a number is one."""
    return sum(len(_hyphens().positions(part)) + 1 for part in re.split(r"[-/]", word) if part)


def grade(sentence: str) -> float:
    """The grade of Flesch and Kincaid (Kincaid et al. 1975): .39 words a sentence + 11.8 syllables a word - 15.59."""
    every = words(sentence)
    return 0.39 * len(every) + 11.8 * sum(map(syllables, every)) / len(every) - 15.59


def hardest(text: str) -> float:
    """The grade of its hardest sentence; below FEWEST_WORDS words a grade says nothing."""
    return max((grade(one) for one in sentences(text) if len(words(one)) >= FEWEST_WORDS), default=0.0)


def passage(place: Place, text: str) -> Passage:
    """What is written at a place, and how hard its sentences are."""
    return Passage(place, text, max((len(words(one)) for one in sentences(text)), default=0), hardest(text))


def read(home: Path, places: Iterable[Place] = (*PLACES, *CARDS, *DESK)) -> list[Passage]:
    """The passages of a home's generation; raises LookupError for a place where nothing stands."""
    passages = []
    pages: dict[tuple[str, str], dict[str, str]] = {}
    for place in places:
        if place[:2] not in pages:
            pages[place[:2]] = _by_block(place, home)
        if place.block not in pages[place[:2]]:
            raise LookupError(f"nothing stands at {place}")
        passages.append(passage(place, pages[place[:2]][place.block]))
    return passages


def _by_block(place: Place, home: Path) -> dict[str, str]:
    """The blocks of a page by their names in `Place`, as a reader sees them."""
    page = importlib.import_module(f"benchhealth.dashboard.pages.{place.page}.page")
    query = dict(part.split("=", 1) for part in place.query.split("&") if part)
    named: dict[str, str] = {}
    heading, is_after_title = 0, False
    every = list(blocks(rendered(page, home, **query)))
    named["card"] = " ".join(_cell(text) for _, text in every if is_cell(text))
    for kind, text in every:
        if kind == "title":
            named.setdefault("title", plain(text))
            is_after_title = True
        elif kind in HEADINGS:
            heading, is_after_title = heading + 1, False
            named[f"head {heading}"] = plain(text)
        elif is_after_title and "lead" not in named and not _BESIDE.match(text):
            named["lead"] = plain(text)
        elif text.startswith(SUBTITLE) and heading:
            named.setdefault(f"sub {heading}", plain(text))
    return named


def _cell(text: str) -> str:
    """A cell of the card as sentences: its reply stands in a line of its own, without an end."""
    return ". ".join(plain(part) for part in text.split("\n\n")).replace("?. ", "? ")


def plain(text: str) -> str:
    """The text without markup and without addresses."""
    bare = re.sub(r"\]\(<?[^)\s]*>?\)", "]", text.replace("\\", "").replace("\u2060", ""))
    return " ".join(_MARKUP.sub("", bare).replace("  \n", " ").split())


def table(passages: Iterable[Passage]) -> str:
    """A line for each, those that are too hard marked."""
    rows = [
        f"{' ' if one.is_plain else '!'} {one.words:3d} {one.grade:5.1f}  {one.place.page}"
        f"{'?' if one.place.query else ''}{one.place.query} {one.place.block}: {one.text}"
        for one in passages
    ]
    plainly = sum(row.startswith(" ") for row in rows)
    return "\n".join([*rows, f"{plainly} of {len(rows)} have {MOST_WORDS} words or fewer and grade 10 or less"])


if __name__ == "__main__":
    sys.stdout.write(table(read(Path(sys.argv[1]))) + "\n")
