"""What an answer may say: its replies, its units, and of each question the closed list of cases."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import polars as pl

from benchhealth.analytics.answers.assessed import AssessedTables

Reply = Literal["yes", "no", "partly", "unknown"]
REPLIES: tuple[Reply, ...] = ("yes", "no", "partly", "unknown")

Why = Literal["nobody_looked", "looked_too_weakly", "cannot_be_asked"]
WHYS: tuple[Why, ...] = ("nobody_looked", "looked_too_weakly", "cannot_be_asked")
"""Why a reply is unknown: nobody states or measured it; what was measured is too weak to tell (`missed` is the least
that would have been seen, or null where no size would have been); the question makes no sense here."""

UNITS = ("share", "points", "units", "months", "pairs", "models", "items", "makers", "tau", "times")
"""What a number counts or measures. `share` is a fraction; `points` are hundredths of a bounded scale; `units` those of
an open scale; `times` multiples of what error explains. The best score alone is in the benchmark's own unit."""

COUNTED = ("pairs", "models", "items", "makers", "reports", "forecasts", "results")
"""The things that `n` may count, as named in column `n_of`."""


@dataclass(frozen=True)
class Case:
    """One way to answer a question: its code, the reply that it is, what it means, and why it is unknown if it is."""

    code: str
    reply: Reply
    meaning: str
    why: Why | None = None


@dataclass(frozen=True)
class Question:
    """A question, its closed list of cases, and how its rows are found.

    `find` gives a row for each benchmark of the facts: `benchmark_id`, `case` and whatever columns of the table
    `answer` it has something for. The reply follows from the case.
    """

    key: str
    cases: tuple[Case, ...]
    find: Callable[[AssessedTables], pl.DataFrame]

    def case(self, code: str) -> Case:
        """The case of this code. Raises KeyError for one that the question does not have."""
        by_code = {case.code: case for case in self.cases}
        return by_code[code]
