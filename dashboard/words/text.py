"""Published text is other people's: escape it for wherever it is shown.

Names of models and benchmarks may hold anything: markdown, Plotly's own tags, formulas. Nothing here is ever shown
with `unsafe_allow_html`.
"""

import re
import string
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from itertools import count as whole_numbers

from benchhealth.dashboard.words.numbers import month_of

NO_RESULT = "none of the sources loaded here has a result of it"


def known(until: date | None) -> str:
    """The clause on the day of the data that ends a finding on one benchmark, board or pair: `; data to Nov 2025`."""
    return f"; {until_month(until) if until is None else f'data to {month_of(until)}'}"


def until_month(day: date | None) -> str:
    """Until when it is known, as a clause: `until Nov 2025`."""
    return "until when this is known is not on record" if day is None else f"until {month_of(day)}"


def data_to(until: date | None) -> str:
    """The day of the data of a finding over many, as a sentence after a blank: ` Data to Nov 2025 at the latest.`."""
    return f" {capital(known_at_latest(until).removeprefix('; '))}."


def known_at_latest(until: date | None) -> str:
    """The clause that ends a finding over many, each known until its own day; `until` is the last of these."""
    return known(until) if until is None else f"; data to {month_of(until)} at the latest"


_MARKDOWN = re.compile(f"([{re.escape(string.punctuation)}])")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
_ARROWS = re.compile(r"(?<=[<>\-=~])(?=[<>\-=])|(?<=[:+\-\w]):|:(?=[\w+\-])")
_WORD_JOINER = "\u2060"
_WORDS_END = re.compile(r"[\s/,-]+$")
_JOINTS = re.compile(r"[-_/:(]")
_SIZE = r"(?:\d[\d.]*[A-Za-z]?|v\d+)(?:[-@]\d+(?:px)?)?$"
_FOLDERS = re.compile(rf"^(?:(?!\d+/)[\w.:-]+/)+(?=\w)(?!\d+/|{_SIZE})")


def one_line(text: str) -> str:
    """The text without control characters, line breaks or direction overrides."""
    return _CONTROL.sub(" ", text).strip()


def markdown(text: str) -> str:
    """The text as Streamlit's markdown shows it literally: no formatting, links, directives, formulas or emoji.

    Streamlit rewrites arrows, dashes and `:emoji:` after backslashes have been resolved; an invisible joiner between
    the characters keeps those as published.
    """
    joined = _ARROWS.sub(lambda match: match.group() + _WORD_JOINER, one_line(text))
    return _MARKDOWN.sub(r"\\\1", joined)


def code(text: str) -> str:
    """The text as markdown shows it in a code span: as it is, without backticks, which would end the span."""
    return f"`{one_line(text).replace('`', '') or ' '}`"


def plotly(text: str, limit: int = 60) -> str:
    """The text as Plotly shows it literally, cut to `limit` characters: no tags, no entities, no LaTeX.

    Plotly reads a small set of HTML tags in any text, and takes a text between dollar signs for LaTeX.
    """
    line = shorten(text, limit)
    escaped = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return escaped.replace("$", "&#36;").replace("%{", "%" + _WORD_JOINER + "{")


def shorten(text: str, limit: int) -> str:
    """The text on one line, its middle cut out where it is longer than `limit` characters."""
    line = one_line(text)
    if len(line) <= limit:
        return line
    head = (limit - 1) * 2 // 3
    return f"{line[:head]}…{line[len(line) - (limit - 1 - head) :]}"


def day(value: date | datetime | None) -> str:
    """A date as the dashboard prints it: ISO, or `unknown`."""
    if value is None:
        return "unknown"
    return f"{value:%Y-%m-%d}"


def count(number: int, singular: str, plural: str | None = None) -> str:
    """A number with its noun: `1 model`, `1,204 models`."""
    return f"{number:,} {noun(number, singular, plural)}"


def noun(number: int, singular: str, plural: str | None = None) -> str:
    """The noun alone, in the form that the number asks for."""
    return singular if number == 1 else plural or f"{singular}s"


def count_clause(part: int, whole: int, singular: str, predicate: str) -> str:
    """The clause on how many of a whole are something: `2 of 5 scores are late`, `none of 5 scores is late`.

    >>> [count_clause(part, whole, "score", "late") for part, whole in ((1, 5), (0, 5), (1, 1), (0, 1))]
    ['1 of 5 scores is late', 'none of 5 scores is late', 'the one score is late', 'the one score is not late']
    >>> count_clause(2, 5, "score", "late")
    '2 of 5 scores are late'
    """
    if whole == 1:
        return f"the one {singular} is {'' if part else 'not '}{predicate}"
    return f"{part or 'none'} of {count(whole, singular)} {'is' if part < 2 else 'are'} {predicate}"


def capital(text: str) -> str:
    """The text with a capital at its beginning."""
    return f"{text[:1].upper()}{text[1:]}"


def listed(phrases: list[str], last: str = "and") -> str:
    """The parts as prose: `a`, `a and b`, `a, b and c`."""
    if len(phrases) < 2:
        return "".join(phrases)
    return f"{', '.join(phrases[:-1])} {last} {phrases[-1]}"


def words_within(text: str, limit: int) -> str:
    """As many whole words of the text as `limit` characters hold, with an ellipsis where some are left out.

    One long word, as many names of models are, breaks at a hyphen or its like.
    """
    line = one_line(text)
    if len(line) <= limit:
        return line
    words = _WORDS_END.sub("", line[:limit].rpartition(" ")[0])
    if not words:
        ends = [match.start() for match in _JOINTS.finditer(line[:limit])]
        words = line[: ends[-1]] if ends and ends[-1] >= limit // 2 else ""
    return f"{words}…" if words else shorten(line, limit)


def model_within(model: str, limit: int) -> str:
    """A model's name for a label of at most `limit` characters: without the maker's folder, broken between words."""
    return words_within(without_maker(model), limit)


def labels(names: Sequence[str], among: Sequence[str]) -> list[str]:
    """Short forms of these names; a name stays whole where another of the names in `among` has the same short form."""
    times = Counter(short(name) for name in among)
    chosen = set(among)
    return [short(name) if times[short(name)] <= (name in chosen) else one_line(name) for name in names]


def distinct(names: Sequence[str], otherwise: Sequence[str]) -> list[str]:
    """The names, each that is there twice in its other form; those that are still there twice are numbered.

    >>> distinct(["long…", "long…", "b", "b"], ["lo…ng", "lo…er", "b", "b"])
    ['lo…ng', 'lo…er', 'b 1', 'b 2']
    """
    times = Counter(names)
    chosen = [name if times[name] == 1 else alternative for name, alternative in zip(names, otherwise, strict=True)]
    repeats = Counter(chosen)
    used = {name for name in chosen if repeats[name] == 1}
    labelled: list[str] = []
    for name in chosen:
        numbered = (label for k in whole_numbers(1) if (label := f"{name} {k}") not in used)
        labelled.append(name if repeats[name] == 1 else next(numbered))
        used.add(labelled[-1])
    return labelled


def names_within(names: Sequence[str], limit: int) -> list[str]:
    """The names in at most `limit` letters each: by whole words, and by both ends where two would be alike."""
    return distinct([words_within(name, limit) for name in names], [shorten(name, limit) for name in names])


def without_maker(model: str) -> str:
    """A model's name for a label: without the maker's folder before it (`google/gemini` is `gemini`).

    What is left must be a name: a size, a version or a date after the slash is part of it (`ViT-G/14`, `CausalLM/7B`).
    """
    return _FOLDERS.sub("", one_line(model))


def short(name: str) -> str:
    """A benchmark's name for a label: without what is in brackets or after a comma; of `, release of X` the X stays."""
    outside_brackets = re.sub(r"\s*\([^)]*\)", "", one_line(name))
    released = re.search(r", release of (\S+)$", outside_brackets)
    return f"{outside_brackets[: released.start()]} {released.group(1)}" if released else outside_brackets.split(",")[0]
