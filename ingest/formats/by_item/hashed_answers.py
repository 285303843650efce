"""Answers to the items of a test in the form in which they are saved here: no question, no answer, a hash of each.

A line an item: its name, what it belongs to, the outcome (a share from 0 to 1), a hash of the option that was chosen
(empty where none was given or could be read), or else what is wrong with the upstream's entry.
"""

import csv
import hashlib
import io
from collections.abc import Iterable
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import read_csv
from benchhealth.ingest.formats.numbers import UnreadableError, read_number
from benchhealth.ingest.rows import ItemOutcomes, PayloadError

_HASH_DIGITS = 8


class Answer(NamedTuple):
    """One item as one model answered it; where `problem` says what is wrong with the entry, the rest may be empty."""

    item: str
    cluster: str = ""
    outcome: float = 0.0
    chosen: str = ""
    problem: str = ""


def hashed(option: str) -> str:
    """A hash of an option: enough to see who chose the same one, and none of its words."""
    return hashlib.sha256(option.encode(errors="replace")).hexdigest()[:_HASH_DIGITS]


def write_answers(answers: Iterable[Answer]) -> bytes:
    """Write the answers as CSV, a line each, in their order."""
    text = io.StringIO(newline="")
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(Answer._fields)
    lines.writerows(answer._replace(outcome=f"{answer.outcome:g}") for answer in answers)  # type: ignore[arg-type]
    return text.getvalue().encode()


def read_answers(body: bytes) -> list[Answer]:
    """The answers of a table that `write_answers` wrote. Raises PayloadError for anything else."""
    answers: list[Answer] = []
    for record in read_csv(body, Answer._fields):
        cells = record.cells
        try:
            outcome = read_number(cells["outcome"])
        except UnreadableError as error:
            raise PayloadError(f"line {record.line}: {error}") from error
        if record.problem or not 0 <= outcome <= 1 or not (cells["item"] or cells["problem"]):
            raise PayloadError(f"line {record.line} is no answer to an item")
        answers.append(Answer(cells["item"], cells["cluster"], outcome, cells["chosen"], cells["problem"]))
    if not answers:
        raise PayloadError("no answer")
    return answers


def item_outcomes(row: str, answers: Iterable[Answer], missing: Iterable[str] = (), reject: str = "") -> ItemOutcomes:
    """The sound answers as what the row at this address is, item by item."""
    sound = [answer for answer in answers if not answer.problem]
    return ItemOutcomes(
        row=row,
        items=tuple(answer.item for answer in sound),
        outcomes=tuple(answer.outcome for answer in sound),
        reject=reject,
        clusters=tuple(answer.cluster for answer in sound),
        chosen=tuple(answer.chosen for answer in sound),
        missing=tuple(missing),
    )
