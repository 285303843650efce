"""What an answer may say (its replies, its units, the closed list of cases of each question), and what it may read."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import polars as pl

from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED


@dataclass(frozen=True)
class AssessedTables:
    """Everything that a question may read; each field is named after its table or its step of `analytics.graph`.

    The alternatives are computed from it, and are there for the questions alone.
    """

    frames: Frames
    full_evidence: Evidence
    ruled: pl.DataFrame
    indicator: pl.DataFrame
    verdict: pl.DataFrame
    transfer: pl.DataFrame
    lives: pl.DataFrame
    reporter_frontier: pl.DataFrame
    alternative: pl.DataFrame = field(
        default_factory=lambda: pl.DataFrame(schema=PUBLISHED["alternative"]), kw_only=True
    )

    @cached_property
    def rows(self) -> pl.DataFrame:
        """Every benchmark once: its facts, what the rules compare and which hold, `condition` and `known_until`."""
        return (
            self.full_evidence.facts.join(self.ruled, on="benchmark_id", how="left", maintain_order="left")
            .join(self.full_evidence.known_until, on="benchmark_id", how="left", maintain_order="left")
            .join(
                self.full_evidence.reference.select("benchmark_id", "condition"),
                on="benchmark_id",
                how="left",
                maintain_order="left",
            )
        )

    def side(self, reporter: str, name: str) -> pl.DataFrame:
        """The best that one side reports, as `name`, and the day of its last result, as `name` with `_on`.

        What others measured is of the condition alone that the benchmark is judged by.
        """
        ends = self.reporter_frontier.filter(pl.col("carried"), pl.col("reporter") == reporter)
        return ends.select("benchmark_id", pl.col("score").alias(name), pl.col("dated_on").alias(f"{name}_on"))

    def of(self, indicator: str, **columns: str) -> pl.DataFrame:
        """`benchmark_id` and these columns of an indicator, renamed (`room="value"`); no row where it is not known."""
        indicated = self.indicator.filter(pl.col("indicator") == indicator, pl.col("status") == "ok")
        return indicated.select("benchmark_id", **columns)


def only(condition: pl.Expr, value: pl.Expr) -> pl.Expr:
    """The value where the condition holds, else null."""
    return pl.when(condition).then(value)


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
