"""What a rule is: comparisons of a benchmark's numbers with thresholds and their margins.

What is said of a rule, in a verdict and on the Methods page, is in `dashboard.words.prose.judged.verdicts`.
"""

from dataclasses import dataclass, field
from typing import Literal

import polars as pl

from benchhealth.analytics.verdict.thresholds import InColumns, Thresholds, limit

NOT_REMEMBERED = pl.lit(None, dtype=pl.Boolean)
"""Replaces what held before where that is not known: the threshold itself then decides."""

Side = Literal["below", "at most", "above", "at least"]


@dataclass(frozen=True)
class Measure:
    """A column of `analytics.verdict.verdict.values`, the indicator that it is made of, and the other one, if any."""

    column: str
    indicator: str
    other: str | None = None


@dataclass(frozen=True)
class Comparison:
    """Whether a number is on one side of a threshold; both `threshold` and `margin` name a field of `Thresholds`.

    Without a threshold the number is compared with 0. With a margin there is hysteresis (a Schmitt trigger): what held
    before goes on holding until the number is past the threshold by more than the margin, and what did not hold begins
    to only when it is as far on the other side.
    """

    measure: Measure
    side: Side
    threshold: str | None
    margin: str | None = None

    @property
    def indicator(self) -> str:
        """The indicator that the number is made of."""
        return self.measure.indicator

    def holds(self, limits: Thresholds | InColumns, before: pl.Expr) -> pl.Expr:
        """Whether it holds, given whether it did `before` (null: not known); null where the number is unknown."""
        value, threshold = pl.col(self.measure.column), _limit_or_0(limits, self.threshold)
        margin = _limit_or_0(limits, self.margin)
        slack = pl.when(before).then(margin).when(~before).then(-margin).otherwise(0.0)
        match self.side:
            case "below":
                return value < threshold + slack
            case "at most":
                return value <= threshold + slack
            case "above":
                return value > threshold - slack
            case "at least":
                return value >= threshold - slack


@dataclass(frozen=True)
class Unknown:
    """Whether a benchmark has no number in a column, which is that of an indicator."""

    column: str
    indicator: str

    def holds(self, _limits: Thresholds | InColumns, _before: pl.Expr) -> pl.Expr:
        """Whether the number is unknown; never null."""
        return pl.col(self.column).is_null()


@dataclass(frozen=True)
class Rule:
    """A condition on a benchmark that holds where all its `tests` do.

    Of rules `about` the same thing, which stand from the strictest to the mildest, only the first that holds is a
    reason of the verdict; where none does, the last is, if it `speaks_when_denied`. `rests_on` are the indicators
    whose basis belongs to the reason: that of the first test where nothing else is said.

    `is_<name>`, `was_<name>` and `kept_<name>` are the columns that say whether it holds, whether it did before, and
    whether it is as before although the threshold alone would say otherwise. Only a rule of one test has a margin.
    """

    name: str
    tests: tuple[Comparison | Unknown, ...]
    about: str = field(kw_only=True)
    rests_on: tuple[str, ...] | None = None
    speaks_when_denied: bool = False

    @property
    def has_margin(self) -> bool:
        """Whether the side on which the benchmark was before counts, as a comparison has a margin."""
        return any(isinstance(test, Comparison) and test.margin is not None for test in self.tests)

    @property
    def is_kept_out(self) -> pl.Expr:
        """Whether the rule fails by its margin alone: without the margin it would hold."""
        return pl.col(f"kept_{self.name}") & ~pl.col(f"is_{self.name}")

    def holds(self, limits: Thresholds | InColumns, before: pl.Expr = NOT_REMEMBERED) -> pl.Expr:
        """Whether it holds, given whether it did `before`; null where that does not follow from what is known."""
        return pl.all_horizontal(test.holds(limits, before) for test in self.tests)


def _limit_or_0(limits: Thresholds | InColumns, name: str | None) -> pl.Expr:
    return pl.lit(0.0) if name is None else limit(limits, name)
