"""What a rule is: comparisons of a benchmark's numbers with thresholds, their margins, and the sentences about them.

The sentences of verdicts and of the Methods page are made here of the same parts as the tests, so that they cannot
differ. Wording states what was measured or documented, never what anybody did.
"""

from dataclasses import dataclass, field
from string import Formatter
from typing import Literal

import polars as pl

from benchhealth.analytics.verdict.thresholds import InColumns, Thresholds, limit

NOT_REMEMBERED = pl.lit(None, dtype=pl.Boolean)
"""Stands for what held before where that is not known: the threshold itself then decides."""

OPPOSITE = {"below": "not below", "at most": "above", "above": "not above", "at least": "below"}


@dataclass(frozen=True)
class Measure:
    """A column of `analytics.verdict.values.values` and what it is called.

    `name` stands in definitions, with keys of indicators in backticks and `{threshold}` for a number of `Thresholds`.
    `shown` are templates for a benchmark's own
    number, with `{column}` for numbers rounded to `decimals`; the first is used whose columns are all known.
    """

    column: str
    name: str
    shown: tuple[str, ...]
    decimals: int = 3


@dataclass(frozen=True)
class Comparison:
    """Whether a number is on one side of a threshold; both `threshold` and `margin` name a field of `Thresholds`.

    Without a threshold the number is compared with 0. With a margin there is hysteresis (a Schmitt trigger): what held
    before goes on holding until the number is past the threshold by more than the margin, and what did not hold begins
    to only when it is as far on the other side.
    """

    measure: Measure
    side: Literal["below", "at most", "above", "at least"]
    threshold: str | None
    margin: str | None = None

    def holds(self, limits: Thresholds | InColumns, before: pl.Expr) -> pl.Expr:
        """Whether it holds, given whether it did `before` (null: not known); null where the number is unknown."""
        value, at = pl.col(self.measure.column), _limit_or_0(limits, self.threshold)
        margin = _limit_or_0(limits, self.margin)
        slack = pl.when(before).then(margin).when(~before).then(-margin).otherwise(0.0)
        match self.side:
            case "below":
                return value < at + slack
            case "at most":
                return value <= at + slack
            case "above":
                return value > at - slack
            case "at least":
                return value >= at - slack

    def definition(self, limits: Thresholds) -> str:
        """What is compared with what, such as `headroom is below 0.25 ± 0.02`."""
        margin = "" if self.margin is None else f" ± {self._margin(limits):g}"
        return f"{self.measure.name.format(**vars(limits))} is {self._side(limits)}{margin}"

    def stated(self, limits: Thresholds, kept: pl.Expr, *, holds: bool) -> pl.Expr:
        """The number and on which side of the threshold it is, or counts as where the margin has `kept` it there."""
        side = self._rounded(self._side(limits) if holds else self.opposite(limits), limits)
        before = f"it was {'' if holds else 'not '}at the end of last month"
        why = f"{before}, and it is past the limit by no more than {self._margin(limits):g}"
        counted = f"{'still' if holds else 'not yet'} counted as {self._side(limits)} ({why})"
        shown = pl.coalesce([filled(template, self.measure.decimals) for template in self.measure.shown])
        return pl.format("{}, {}", shown, pl.when(kept).then(pl.lit(counted)).otherwise(side))

    def opposite(self, limits: Thresholds) -> str:
        """The other side of the threshold, such as `not below 0.25`."""
        return f"{OPPOSITE[self.side]} {self._limit(limits):g}"

    def _rounded(self, side: str, limits: Thresholds) -> pl.Expr:
        """The side, with a word against `0.1, below 0.1` where rounding shows the number as the threshold."""
        is_strict = side.startswith(("below", "above"))
        seems_equal = pl.col(self.measure.column).round(self.measure.decimals) == self._limit(limits)
        return pl.when(seems_equal & is_strict).then(pl.lit(f"just {side}")).otherwise(pl.lit(side))

    def _side(self, limits: Thresholds) -> str:
        return f"{self.side} {self._limit(limits):g}"

    def _limit(self, limits: Thresholds) -> float:
        return 0.0 if self.threshold is None else float(getattr(limits, self.threshold))

    def _margin(self, limits: Thresholds) -> float:
        return 0.0 if self.margin is None else float(getattr(limits, self.margin))


@dataclass(frozen=True)
class Unknown:
    """Whether a benchmark has no number in a column, which stands for an indicator."""

    column: str
    indicator: str

    def holds(self, _limits: Thresholds | InColumns, _before: pl.Expr) -> pl.Expr:
        """Whether the number is unknown; never null."""
        return pl.col(self.column).is_null()

    def definition(self, _limits: Thresholds) -> str:
        """Such as `headroom is not known`."""
        return f"`{self.indicator}` is not known"

    def stated(self, _limits: Thresholds, _kept: pl.Expr, *, holds: bool) -> pl.Expr:
        """The same, or the contrary, without backticks."""
        return pl.lit(f"{self.indicator} is {'not ' if holds else ''}known")


@dataclass(frozen=True)
class Rule:
    """A condition on a benchmark that holds where all its `tests` do, with the words for it.

    A verdict has the sentence of a rule that holds: numbers and thresholds, then `meaning`, then `note` (a template as
    in `filled`). Of rules `about` the same thing, which stand from the strictest to the mildest, only the first that
    holds speaks; where none does, the last says `otherwise`, if it has that.

    `is_<name>`, `was_<name>` and `kept_<name>` are the columns that say whether it holds, whether it did before, and
    whether it is as before although the threshold alone would say otherwise. Only a rule of one test has a margin.
    """

    name: str
    tests: tuple[Comparison | Unknown, ...]
    meaning: str = ""
    about: str = field(kw_only=True)
    note: str = ""
    otherwise: str = ""

    @property
    def has_margin(self) -> bool:
        """Whether what held before matters."""
        return any(isinstance(test, Comparison) and test.margin is not None for test in self.tests)

    @property
    def is_kept_out(self) -> pl.Expr:
        """Whether it does not hold because of the margin alone."""
        return pl.col(f"kept_{self.name}") & ~pl.col(f"is_{self.name}")

    def holds(self, limits: Thresholds | InColumns, before: pl.Expr = NOT_REMEMBERED) -> pl.Expr:
        """Whether it holds, given whether it did `before`; null where that does not follow from what is known."""
        return pl.all_horizontal(test.holds(limits, before) for test in self.tests)

    def definition(self, limits: Thresholds) -> str:
        """The condition in words, for the Methods page; `±` gives the margin of a threshold."""
        return " and ".join(test.definition(limits) for test in self.tests)

    def sentence(self, limits: Thresholds, stricter: "Rule | None" = None) -> pl.Expr:
        """What a verdict says where the rule holds, and `stricter`, the rule before it about the same, does not."""
        but = pl.lit("") if stricter is None else self._but(stricter, limits)
        return pl.format("{}{}{}{}", self._stated(limits, holds=True), but, pl.lit(_after(self.meaning)), self._noted())

    def denial(self, limits: Thresholds) -> pl.Expr:
        """What a verdict says where neither the rule holds nor any that is stricter."""
        return pl.format("{}{}{}", self._stated(limits, holds=False), pl.lit(_after(self.otherwise)), self._noted())

    def kept_out(self, limits: Thresholds) -> pl.Expr:
        """What a verdict says where the rule does not hold because of the margin alone."""
        return self._stated(limits, holds=False)

    def _stated(self, limits: Thresholds, *, holds: bool) -> pl.Expr:
        kept = pl.col(f"kept_{self.name}")
        stated = [test.stated(limits, kept, holds=holds) for test in self.tests]
        return pl.concat_str(stated, separator=", and ")

    def _but(self, stricter: "Rule", limits: Thresholds) -> pl.Expr:
        """That the stricter threshold for the same number is not reached; nothing where the margin alone says so."""
        ours = [test.measure for test in self.tests if isinstance(test, Comparison)]
        theirs = [test for test in stricter.tests if isinstance(test, Comparison) and test.measure in ours]
        but = "".join(f" but {test.opposite(limits)}" for test in theirs)
        return pl.when(stricter.is_kept_out).then(pl.lit("")).otherwise(pl.lit(but))

    def _noted(self) -> pl.Expr:
        return filled(f" ({self.note})", decimals=0).fill_null("") if self.note else pl.lit("")


def filled(template: str, decimals: int) -> pl.Expr:
    """A template with each `{column}` of a number rounded and each `{column.reason}` as it is; null where one is."""
    parts = []
    for text, column, _, _ in Formatter().parse(template):
        parts.append(pl.lit(text))
        if column is not None:
            parts.append(pl.col(column) if column.endswith(".reason") else _number(column, decimals))
    return pl.concat_str(parts)


def _limit_or_0(limits: Thresholds | InColumns, name: str | None) -> pl.Expr:
    return pl.lit(0.0) if name is None else limit(limits, name)


def _number(column: str, decimals: int) -> pl.Expr:
    return pl.col(column).round(decimals) if decimals else pl.col(column).cast(pl.Int64)


def _after(meaning: str) -> str:
    return f": {meaning}" if meaning else ""
