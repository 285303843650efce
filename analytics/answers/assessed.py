"""What answers are made of: the assessed tables, read once, and the small relations that several questions share."""

from dataclasses import dataclass, field
from functools import cached_property

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


def first_case(*cases: tuple[str, pl.Expr]) -> pl.Expr:
    """The code of the first case whose condition holds; a condition that is null does not. Null where none holds."""
    code: pl.Expr = pl.lit(None, dtype=pl.String)
    for name, condition in reversed(cases):
        code = pl.when(condition.fill_null(value=False)).then(pl.lit(name)).otherwise(code)
    return code


def only(condition: pl.Expr, value: pl.Expr) -> pl.Expr:
    """The value where the condition holds, else null."""
    return pl.when(condition).then(value)


ALWAYS = pl.lit(value=True)
"""The condition of the last case of `first_case`, which holds where no other does."""
