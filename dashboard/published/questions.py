"""Questions in SQL over what may leave of a generation, handed to a process of their own."""

import threading
from collections import OrderedDict
from dataclasses import dataclass

import polars as pl

from benchhealth.dashboard.published.generation import View
from benchhealth.warehouse.asked.desk import Desk
from benchhealth.warehouse.asked.grammar import Refused

__all__ = ["FILE_ROWS", "SHOWN_ROWS", "Answered", "Refused", "ask"]

SHOWN_ROWS, FILE_ROWS = 500, 10_000
"""The most rows of an answer on a page, and in a file."""

KEPT = 12
"""Answers that are kept: pages are drawn anew for every change in a browser."""

_DESK, _LOCK = Desk(), threading.Lock()


@dataclass(frozen=True)
class Answered:
    """The rows of an answer, whether there would be more, and how many rows of the tables it read may not leave."""

    rows: pl.DataFrame
    cut: bool
    withheld: dict[str, int]


_ANSWERS: OrderedDict[tuple[str, str, int], Answered] = OrderedDict()


def ask(view: View, sql: str, rows: int) -> Answered:
    """At most `rows` rows of the answer; kept for whoever asks the same again.

    Raises Refused with a sentence where there is no answer, and NotShareable where nothing may leave.
    """
    shared = view.shared()
    with _LOCK:
        kept = _ANSWERS.get((view.name, sql, rows))
    if kept is not None:
        return kept
    found = _DESK.ask(view.published.path, sql, rows)
    counted = {name: shared.withheld(name) for name in found.tables}
    answer = Answered(found.rows, found.cut, {name: number for name, number in counted.items() if number})
    with _LOCK:
        _ANSWERS[view.name, sql, rows] = answer
        while len(_ANSWERS) > KEPT:
            _ANSWERS.popitem(last=False)
    return answer
