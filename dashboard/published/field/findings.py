"""Findings worth repeating, by rule: one each of aging, noise and makers, of what is clear of its null.

Where several of a kind are clear, the one with the narrowest interval is taken: all of a kind have one unit. A kind of
which nothing is clear has none.
"""

from collections.abc import Iterator
from math import inf
from typing import NamedTuple

import polars as pl

from benchhealth.analytics.aging.lives import OVERALL
from benchhealth.analytics.record.tables.declared import Form
from benchhealth.analytics.statistics.survival.kaplan_meier import half_life
from benchhealth.dashboard.published.field import goodhart
from benchhealth.dashboard.published.generation import View, always
from benchhealth.dashboard.published.known import known_until, last_known
from benchhealth.dashboard.words.first import findings as words

HALF_SHARE = 0.5
"""What a share is held against: more than half, or less."""

CALENDAR = "year"


class Finding(NamedTuple):
    """An estimate with its 95% interval, which may be open above; `form` says how its numbers are written.

    `to` is the page, its parameters and the chart that has it.
    """

    kind: str
    title: str
    line: str
    value: float
    low: float
    high: float | None
    null: float
    form: Form
    to: tuple[str, dict[str, str], str]

    @property
    def is_clear(self) -> bool:
        """Whether the interval lies on one side of the null."""
        return self.low > self.null or (self.high is not None and self.high < self.null)

    @property
    def width(self) -> float:
        """That of the interval; infinite where an end is open."""
        return inf if self.high is None else self.high - self.low


@always
def worth_repeating(view: View) -> list[Finding]:
    """At most one finding of each kind, in the order of the kinds."""
    return chosen([*_aging(view), *_noise(view), *_makers(view)])


def chosen(findings: list[Finding]) -> list[Finding]:
    """The clear finding of each kind with the narrowest interval, the first of equals; kinds in the order given."""
    clear = [finding for finding in findings if finding.is_clear]
    kinds = dict.fromkeys(finding.kind for finding in clear)
    return [
        min((finding for finding in clear if finding.kind == kind), key=lambda finding: finding.width) for kind in kinds
    ]


def _aging(view: View) -> Iterator[Finding]:
    curve = view.table("survival").filter(pl.col("cohort") == OVERALL).sort("months")
    half = half_life(curve)
    if half.months is not None and half.low is not None:
        yield Finding(
            "aging", words.lasting(half), words.lasting_line(curve, half, last_known(view)),
            half.months, half.low, half.high, 0.0, Form.MONTHS, ("field", {}, "survival"),
        )  # fmt: skip


def _noise(view: View) -> Iterator[Finding]:
    """What a year's new best scores and first places are beside their errors."""
    steps = goodhart.advances(view, {"by": "year"})
    if steps.height:
        last = steps.row(-1, named=True)
        yield Finding(
            "noise", words.advances_title(last), words.advances_line(last, last_known(view)),
            last["value"], last["low"], last["high"], HALF_SHARE, Form.PERCENT, ("field", {}, "advances"),
        )  # fmt: skip
    boards = view.table("order_census").drop_nulls("share").filter(pl.col("grouping") == CALENDAR)
    if boards.height:
        last = boards.row(-1, named=True)
        yield Finding(
            "noise", words.order_title(last), words.order_line(last, last["seen_until"].date()),
            last["share"], last["low"], last["high"], HALF_SHARE, Form.PERCENT,
            ("field", {"chart": "order"}, "order-census"),
        )  # fmt: skip


def _makers(view: View) -> Iterator[Finding]:
    """What makers report beside what others measure, benchmark by benchmark."""
    rows = goodhart.premiums(view, {})
    for row in rows.iter_rows(named=True):
        yield Finding(
            "makers", words.makers_title(row), words.makers_line(row, rows.height, known_until(view, [row["subject"]])),
            row["value"], row["low"], row["high"], 0.0, Form.POINTS,
            ("benchmark", {"benchmark": row["subject"]}, ""),
        )  # fmt: skip
