"""The nine cells of the card: the same on the page, on paper and in the picture of a link."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.answers.parts import Names
from benchhealth.dashboard.words.answers.sentences import REPLY_WORDS, Words
from benchhealth.dashboard.words.card.brief import brief
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.stages import STAGE_WORDS
from benchhealth.dashboard.words.text import capital

UNTIL = "until"
"""The cell that says until when others have measured it; it is made of the answer `looked`."""

ORDER = ("stage", UNTIL, "room", "order", "second", "seen", "labels", "reporters", "instead")
UNTIL_TITLE = "Until when is it known?"
NEUTRAL = "neutral"
"""The kind of a cell that says neither good nor bad."""

_YES_IS_BAD = {"seen"}


@dataclass(frozen=True)
class Cell:
    """One cell: the question, its reply in a word, the number behind it (may be empty) and a line of evidence.

    `kind` is the reply by which it is coloured: yes, partly, no or unknown, `no` for a yes that is bad, or NEUTRAL.
    """

    key: str
    question: str
    word: str
    number: str
    brief: str
    kind: str

    @property
    def tile(self) -> str:
        """The word with its number: `No (0 of 10 pairs)`."""
        return f"{self.word} ({self.number})" if self.number else self.word


def cells(rows: Mapping[str, Row], wordings: Mapping[str, Words], names: Names) -> tuple[Cell, ...]:
    """The cells of a benchmark, from its rows of the table `answer` and their words; what may not leave is missing."""
    made = []
    for key in ORDER:
        if key == UNTIL and "looked" in rows:
            made.append(_until(rows["looked"]))
        elif key in wordings:
            answer, row = wordings[key], rows[key]
            made.append(Cell(key, answer.question, answer.reply, answer.number, brief(row, names), kind_of(row)))
    return tuple(made)


def stage_until(card: Sequence[Cell]) -> str:
    """Stage and day of a card in one line, for a badge: `saturated, newest result 22 Aug 2026 (by others)`.

    Without a stage that may leave it is not known; without a day nothing is said of one.
    """
    cells_by_key = {cell.key: cell for cell in card}
    stage, until = cells_by_key.get("stage"), cells_by_key.get(UNTIL)
    named = STAGE_WORDS["unknown"].lower() if stage is None else stage.number
    if until is None or until.kind == "unknown":
        return named
    return f"{named}, {'newest result' if until.number else 'data to'} {until.tile}"


def kind_of(row: Row) -> str:
    """The reply by which an answer is coloured: that models have seen the items is the one yes that is bad."""
    return "no" if row["reply"] == "yes" and row["question"] in _YES_IS_BAD else str(row["reply"])


def _until(row: Row) -> Cell:
    """The day of the last result of others as the benchmark is judged; that of makers, and of the last look, below."""
    measured, claimed, looked = row["measured_on"], row["claimed_on"], row["known_until"]
    if measured is None and claimed is None:
        if looked is None or row["case"] == "no_result":
            return Cell(UNTIL, UNTIL_TITLE, REPLY_WORDS["unknown"], "", "No source has a result of it.", "unknown")
        line = "The last day on which its sources were read."
        return Cell(UNTIL, UNTIL_TITLE, day_of(looked), "", line, NEUTRAL)
    if measured is None:
        line = "Nobody else has measured it under its condition."
        return Cell(UNTIL, UNTIL_TITLE, day_of(claimed), "by makers alone", line, "partly")
    read = f"sources read until {day_of(looked)}" if looked != measured or not claimed else ""
    parts = [f"by makers until {day_of(claimed)}" if claimed else "", read]
    line = "; ".join(part for part in parts if part)
    return Cell(UNTIL, UNTIL_TITLE, day_of(measured), "by others", f"{capital(line)}.", NEUTRAL)
