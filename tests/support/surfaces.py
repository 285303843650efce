"""What surfaces say to the questions of table `answer`, and what of it is not the answer of the table.

A surface is its plain text. What it says to a question is what follows the title of the question; beside that, claims
about the same thing are looked for wherever they stand, so that a surface cannot answer a question under another title.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO

from pypdf import PdfReader

from benchhealth.analytics.answers.counts import Saturated
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.verdict.rules import STAGE_OF
from benchhealth.dashboard.words.answers.sentences import TITLES, Words
from benchhealth.dashboard.words.card.cells import Cell
from benchhealth.dashboard.words.stages import STAGE_WORDS

NEVER = re.compile(r"still reports?\b|no longer do(es)?\b|\bno trace\b|does not count", re.IGNORECASE)
"""What no surface says: that somebody reports it today, that nothing was seen, that a measurement is none."""

_DIRECTIVE = re.compile(r":[\w-]+\[")
_ADDRESS = re.compile(r"\]\([^)]*\)")
_SILENT = re.compile(r"[^0-9a-z%\u2212]")

_LEFT = re.compile(
    r"(?<!less than )(?<![\d.])(nothing|[\d.]+%)(?: \([^)]*\))? of the "
    r"(?:way from chance to the ceiling|scale|range) is left"
)
_PAIRS = re.compile(r"(\d+) of (\d+) pairs")
_DOCUMENTED = re.compile(r"documents (?:that )?([\d.]+%) of|([\d.]+%) documented")

_ONLY: Mapping[str, tuple[re.Pattern[str], frozenset[str]]] = {
    "second": (re.compile(r"No second measurement"), frozenset({"none_known", "not_connected"})),
    "seen": (re.compile(r"no report, no test"), frozenset({"nobody_looked", "withheld"})),
    "labels": (re.compile(r"No audit of its labels"), frozenset({"not_audited"})),
    "room": (re.compile(r"Its scale has no ceiling"), frozenset({"open_ended"})),
}
"""Phrases that are the answer of these cases alone."""


def plain(markdown: str) -> str:
    """Markdown as it is read: without directives, addresses, escapes and joiners, in one line."""
    bare = _ADDRESS.sub("]", _DIRECTIVE.sub("", markdown.replace("\\", "").replace("\u2060", "")))
    return " ".join(re.sub(r"[\[\]*`]", "", bare).split())


def of_pdf(document: bytes) -> str:
    """The text of all pages in one line."""
    return " ".join(" ".join(page.extract_text() for page in PdfReader(BytesIO(document)).pages).split())


def replies(text: str) -> Iterator[tuple[str, str]]:
    """Each question that is asked in a text, and what follows it until the next one: its key, and the text.

    One in quotation marks is named, not asked.
    """
    titles = {title: key for key, title in TITLES.items()}
    titles_there = list(re.finditer(f"(?<!“)(?:{'|'.join(map(re.escape, titles))})", text))
    for number, title in enumerate(titles_there):
        end = titles_there[number + 1].start() if number + 1 < len(titles_there) else len(text)
        yield titles[title.group()], text[title.end() : end]


def missing_cells(text: str, card: Sequence[Cell]) -> list[str]:
    """The cells of a card that a surface does not show with their reply and number."""
    shown = _silent(text)
    return [f"{one.question} {one.tile}" for one in card if _silent(f"{one.question} {one.tile}") not in shown]


def faults(text: str, words_of: Mapping[str, Words], rows: Mapping[str, Row]) -> list[str]:
    """What a surface of one benchmark says that is not the answer of the table; empty where nothing is."""
    return [
        *(f"says {match.group()!r}" for match in NEVER.finditer(text)),
        *_other_replies(text, words_of),
        *_other_claims(text, rows),
    ]


def _other_replies(text: str, words_of: Mapping[str, Words]) -> Iterator[str]:
    for key, following in replies(text):
        words = words_of[key]
        forms = (words.tile, words.line, f"{words.reply} {words.line}")
        if not _silent(following).startswith(tuple(_silent(form) for form in forms)):
            yield f"{TITLES[key]} {following[:90].strip()!r}, which is {words.tile!r}"


def _silent(text: str) -> str:
    """Without blanks and signs, which formats set and break in their own ways."""
    return _SILENT.sub("", text.casefold())


def _other_claims(text: str, rows: Mapping[str, Row]) -> Iterator[str]:
    """Numbers and phrases about what a question asks, wherever they stand."""
    room, order, seen = rows["room"], rows["order"], rows["seen"]
    left = {_rounded(share) for share in (room["value"], room["low"], room["high"]) if share is not None}
    for match in _LEFT.finditer(text):
        if match.group(1) not in left:
            yield f"{match.group()!r}, which is {sorted(left)}"
    counts = {(order["count"], order["n"])}
    if order["second"] is not None:
        counts.add((round(order["second"]), order["n"]))
    for match in _PAIRS.finditer(text):
        if order["n"] and (int(match.group(1)), int(match.group(2))) not in counts | _limits(order["n"]):
            yield f"{match.group()!r}, which is {sorted(counts)}"
    for match in _DOCUMENTED.finditer(text):
        if seen["kind"] != "report":
            yield f"{match.group()!r}, which is {seen['case']!r}"
    for key, (phrase, cases) in _ONLY.items():
        if rows[key]["case"] not in cases and (match := phrase.search(text)):
            yield f"{match.group()!r}, which is {rows[key]['case']!r}"


def _limits(pairs: int) -> set[tuple[int, int]]:
    """Up to how many pairs which reply is given, which the paragraph says too."""
    return {(limit, pairs) for limit in (round(0.1 * pairs), round(0.3 * pairs))}


def _rounded(share: float) -> str:
    value = max(0.0, share) * 100
    if value <= 0:
        return "nothing"
    return f"{value:.1f}%" if value < 0.95 or 99.05 < value < 100 else f"{value:.0f}%"


def other_stage(title: str, row: Row) -> list[str]:
    """The words of stages in a title or badge that are not those of the answer; the answer's own must be in it."""
    answered = STAGE_WORDS[STAGE_OF[row["case"]]].casefold()
    text = (
        title.casefold().replace("still measures", "still measuring").replace("not enough is known", "not enough known")
    )
    others = [word for word in map(str.casefold, STAGE_WORDS.values()) if word != answered and word in text]
    return [*others, *([] if answered in text else [f"not {answered!r}: {title}"])]


_COUNTS_SATURATED = re.compile(r"(\d[\d,]*)(?: of (?:all )?[\d,]+(?: [(),\w-]+){0,14})? (?:are )?saturated\b(?! while)")


def other_counts(text: str, counted: Saturated) -> list[str]:
    """Sentences that count another number of saturated benchmarks than the map, and do not say in it why."""
    wrong = []
    for sentence in re.split(r"(?<=[a-z)])\. ", text):
        numbers = {int(match.group(1).replace(",", "")) for match in _COUNTS_SATURATED.finditer(sentence)}
        says_why = "saturated while watched" in sentence and re.search(rf"\b{counted.saturated}\b", sentence)
        if numbers - {counted.saturated} and not says_why:
            wrong.append(sentence)
    return wrong


def lists_of(figure: object, names: Mapping[str, str]) -> dict[str, str]:
    """Of the matrix of Trust the heading under which each benchmark stands, by the id that its name opens."""
    heads = sorted((note.y, note.text) for note in figure.layout.annotations if str(note.text).startswith("<b>"))  # type: ignore[attr-defined]
    named = next(trace for trace in figure.data if trace.mode == "text")  # type: ignore[attr-defined]
    under: dict[str, str] = {}
    for height, (benchmark_id,) in zip(named.y, named.customdata, strict=True):
        if benchmark_id in names:
            under[benchmark_id] = [text for y, text in heads if y < height][-1].removeprefix("<b>")
    return under
