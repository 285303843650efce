"""An answer in words: the one place that turns a row of the table `answer` into what surfaces print.

Plain text: pages escape it for markdown, reports for their own format.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchhealth.analytics.answers.cases import REPLIES
from benchhealth.analytics.answers.table import QUESTIONS
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.answers import (
    instead,
    labels,
    looked,
    order,
    outlook,
    reporters,
    room,
    second,
    seen,
    stage,
)
from benchhealth.dashboard.words.answers.parts import Names, Wording, name_or_id, until

TITLES: Mapping[str, str] = {
    "room": "Is there room left?",
    "order": "Do the top models differ beyond error?",
    "second": "Does a second measurement agree?",
    "seen": "Have models seen the items?",
    "labels": "Are the labels right?",
    "reporters": "Do makers report it?",
    "looked": "Do results still come in?",
    "stage": "Does it still measure?",
    "outlook": "Will it last another year?",
    "instead": "Is there one to use instead?",
}
"""The questions as they are asked, in their order."""

REPLY_WORDS: Mapping[str, str] = dict(zip(REPLIES, ("Yes", "No", "Partly", "Unknown"), strict=True))

WHY_UNKNOWN: Mapping[str, str] = {
    "nobody_looked": "nobody has tested it, or nobody states it",
    "looked_too_weakly": "the evidence is too weak to tell",
    "cannot_be_asked": "the question cannot be asked of it",
}
"""Why an answer is unknown, by the column `why_unknown`."""

_WORDINGS: Mapping[str, Callable[[Row, Names], Wording]] = {
    "room": room.wording,
    "order": order.wording,
    "second": second.wording,
    "seen": seen.wording,
    "labels": labels.wording,
    "reporters": reporters.wording,
    "looked": looked.wording,
    "stage": stage.wording,
    "outlook": outlook.wording,
    "instead": instead.wording,
}
assert set(TITLES) == set(_WORDINGS) == {question.key for question in QUESTIONS}


@dataclass(frozen=True)
class Words:
    """One answer, for every surface.

    `reply` is the word, `number` what stands in brackets after it (may be empty), `tile` both: `No (0 of 10 pairs)`.
    `line` is one sentence with how many of what and until when; `paragraph` the line with what it means and its limits;
    `alt` the question with its answer, for who does not see it; `spoken` a sentence to be read out, with the name.
    """

    question: str
    reply: str
    number: str
    tile: str
    line: str
    paragraph: str
    alt: str
    spoken: str


def words(row: Row, names: Names) -> Words:
    """The words of a row of the table `answer`; `names` are those of benchmarks by their ids."""
    key = row["question"]
    wording = _WORDINGS[key](row, names)
    question, reply = TITLES[key], REPLY_WORDS[row["reply"]]
    tile = f"{reply} ({wording.number})" if wording.number else reply
    line = f"{wording.sentence}{until(row)}."
    return Words(
        question=question,
        reply=reply,
        number=wording.number,
        tile=tile,
        line=line,
        paragraph=" ".join((line, *wording.more)),
        alt=f"{question} {tile}. {line}",
        spoken=_spoken_sentence(name_or_id(names, row["benchmark_id"]), question, reply, wording.number),
    )


def _spoken_sentence(name: str, question: str, reply: str, number: str) -> str:
    """The sentence to be read out: without the brackets and signs that a voice reads out or leaves out."""
    spoken = number.replace("%", " percent").replace("\u2212", "minus ").replace("(", "").replace(")", "")
    return f"{name}. {question} {reply}{f', {spoken}' if spoken else ''}."
