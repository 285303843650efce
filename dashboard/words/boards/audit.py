"""The card of anybody's leaderboard in words: one list of fields for pages, reports, terminals and pull requests."""

from collections.abc import Mapping
from typing import NamedTuple

from benchhealth.analytics.audit.audit import COMPLETE, WRONG, Audit
from benchhealth.analytics.audit.board import (
    COLUMN_A_MODEL,
    EVERY_EVAL,
    HELM,
    INSPECT,
    ITEMS,
    LINE_A_CELL,
    LINE_A_MODEL,
    LINE_A_SCORE,
    LM_EVAL,
    SCORES,
    SWE_BENCH,
    TASKS,
)
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.boards import ties
from benchhealth.dashboard.words.numbers import percent
from benchhealth.dashboard.words.ranks import span
from benchhealth.dashboard.words.text import count

_UNITS: Mapping[str, str] = {ITEMS: "item", TASKS: "task", SCORES: "item"}
_RULES: Mapping[str, str] = {WRONG: "counted as wrong", COMPLETE: "left out for all models"}


READ_AS: Mapping[str, str] = {
    LINE_A_MODEL: "a table with a line for each model",
    COLUMN_A_MODEL: "a table with a column for each model",
    LINE_A_CELL: "a table with a line for each model and item",
    LINE_A_SCORE: "a table with a score and a number of items each",
    LM_EVAL: "samples of lm-evaluation-harness",
    INSPECT: "logs of Inspect",
    EVERY_EVAL: "instance records of Every Eval Ever",
    HELM: "per-instance files of HELM",
    SWE_BENCH: "lists of what SWE-bench counts as resolved",
}
"""What a file was read as, by `Board.format`."""


class Field(NamedTuple):
    """One line of the card of an audited leaderboard: its name and its value."""

    name: str
    value: str


def row_of(audit: Audit) -> Row:
    """The row that the words of `ties` are made of."""
    return _card_with_names(audit, audit.card)


def title(audit: Audit) -> str:
    """The title of an audit: who is tied for first, and whether that holds over other clusters."""
    return ties.headline(row_of(audit))


def size(audit: Audit) -> str:
    """The size of the board that was read, and what of it is missing."""
    board = audit.board
    units = "one score each" if board.kind == SCORES else count(len(board.units), _UNITS[board.kind])
    missing = "" if not audit.missing else f", {_missing_cells_text(audit)}"
    without = f", {count(board.left_out, 'column')} of text left out" if board.left_out else ""
    return f"{count(len(board.models), 'model')}, {units}{missing}; read as {READ_AS[board.format]}{without}"


def fields(audit: Audit) -> tuple[Field, ...]:
    """The card of an audited leaderboard, line by line."""
    row = row_of(audit)
    lines = [
        Field("Tied for first", _answer_text(ties.tie_sentence(row, percent(float(audit.rows["score"][0]))))),
        Field("Neighbours in the top ten apart", _answer_text(ties.neighbours(row))),
        *_over_clusters(audit),
        Field("What would settle the first two", _answer_text(ties.settles(row))),
        Field("How much grading decides", _answer_text(ties.grading(row))),
    ]
    if audit.first_without is not None and audit.of_parts is not None:
        unit = "task" if audit.board.clusters is None else "cluster"
        changes = f"another is first without {audit.first_without} of {count(audit.of_parts, unit)}"
        same = f"the same without any one of {count(audit.of_parts, unit)}"
        lines.append(Field(f"First place with one {unit} left out", changes if audit.first_without else same))
    if audit.missing:
        lines.append(Field("Missing cells", _missing_cells_text(audit) + _otherwise(audit)))
    return (*lines, Field("Conditions", "not stated in the file: prompts, tools and attempts may differ"))


def could_be(row: Row) -> str:
    """The places that a model could hold, all at once."""
    return "not known" if row["rank_low"] is None else span(row["rank_low"], row["rank_high"])


LIMITS = (
    "Intervals are 95%. The places that models could hold are for all of them at once; pairs are held against each "
    "other one at a time. All speaks of the items or tasks that were asked, in the way they were asked. Nothing of "
    "the file is imported or stored."
)
"""Sentences on what the numbers of the card rest on and do not cover."""


def _card_with_names(audit: Audit, card: Row) -> Row:
    tied = audit.rows.filter(audit.rows["tier"] == 1)["model"].to_list()
    names = {f"{name}_name": card.get(name) for name in ("first", "second", "settled_by")}
    clustered = {f"{name}_clustered": value for name, value in (audit.over_clusters or {}).items()}
    clusters = len(set(audit.board.clusters or ())) if clustered else None
    return {
        **dict.fromkeys(PUBLISHED["board_card"]), **card, **names, **clustered, "clusters": clusters,
        "tied_names": tied[:2], "unit": _UNITS[audit.board.kind],
    }  # fmt: skip


def _answer_text(answer: ties.Answer) -> str:
    return f"{answer.answer}: {answer.evidence}" if answer.evidence else answer.answer


def _over_clusters(audit: Audit) -> list[Field]:
    if audit.over_clusters is None:
        return []
    return [Field("If other clusters were drawn", ties.over_clusters(row_of(audit)))]


def _missing_cells_text(audit: Audit) -> str:
    return f"{count(audit.missing, 'cell')} missing ({percent(audit.missing / audit.cells)}), {_RULES[audit.counted]}"


def _otherwise(audit: Audit) -> str:
    card = audit.counted_otherwise
    if card is None:
        return ""
    rule = _RULES[COMPLETE if audit.counted == WRONG else WRONG]
    return (
        f"; {rule}: {card['first']} is first, {card['neighbours_apart']} of "
        f"{count(card['neighbours'], 'neighbour')} and {card['pairs_apart']} of {count(card['pairs'], 'pair')} apart"
    )
