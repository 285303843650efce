"""Whether gains on the original fade on the twin, and which of the three gaps between test sets a gap can be."""

from dataclasses import dataclass

from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.units.least_p import carried
from benchhealth.analytics.statistics.units.line import SharedLine
from benchhealth.analytics.twins.mean_gap import MeanGap
from benchhealth.analytics.twins.pairs import RERUN
from benchhealth.analytics.twins.shared import SAMPLED

EITHER = "distribution or adaptivity"
FADING = 0.05
"""Gains on the original count as fading on the twin where their p-value is below this."""


def fading_p(line: SharedLine) -> float:
    """One-sided p-value that a point gained on the original brings less than a point on the twin: H0 slope >= 1.

    Small is evidence of diminishing returns, which is what tuning to the original's items leaves behind (an adaptivity
    gap). On a probit scale it is not confused with crowding towards the ceiling; on the linear scale it may be. Never
    below what so many independent families can carry (`carried`). A line without any scatter is certain: that least
    value below a slope of 1, else 1.
    """
    if line.slope_error == 0:
        p = float(line.slope >= 1)
    else:
        p = float(student.below((line.slope - 1) / line.slope_error, line.degrees))
    return float(carried(p, line.families))


def gap_cause(kind: str, gap: MeanGap | None, p_fading: float | None) -> str:
    """Which of the three gaps of Recht et al. (2019), section 2, a gap can be: one word for what is left of them.

    `chance` (a generalisation gap: which items and models were drawn; the interval of `gap` holds 0), `distribution`
    (items that differ in kind), `adaptivity` (tuning to the original's items), `design` where the sides differ on
    purpose, `preparation` for one test run twice, `unknown` where an error is missing. Tuning makes gains fade on the
    twin, and so may another mix of items: fading gains are `distribution or adaptivity`, and so is a gap whose slope is
    unknown; full gains leave `distribution`.
    """
    if kind == RERUN:
        return "preparation"
    if kind not in SAMPLED:
        return "design"
    if gap is None or gap.holds_zero is None:
        return "unknown"
    if gap.holds_zero:
        return "chance"
    if p_fading is not None and p_fading >= FADING:
        return "distribution"
    return EITHER


@dataclass(frozen=True)
class Gains:
    """What gains on the original bring on the twin: `line` on its `scale`, and `points`, the line through the scores
    as they are, where both sides are shares."""

    scale: str
    line: SharedLine
    points: SharedLine | None = None

    @property
    def p(self) -> float:
        """One-sided p-value that they fade, see `fading_p`."""
        return fading_p(self.line)

    @property
    def hang_on_the_scale(self) -> bool:
        """Whether they fade on the scale while a point brings no less than a point."""
        return self.p < FADING and self.points is not None and self.points.slope_low >= 1


def gap_case(kind: str, gap: MeanGap | None, gains: Gains | None) -> str:
    """The case of what the gap of a twin can be called, and why no more: `gap_cause`, and what the gains tell.

    The slope is read once: where the two scales disagree, the case says that.
    """
    if gap is None:
        return "gap_of_none"
    cause = gap_cause(kind, gap, None if gains is None else gains.p)
    if cause in ("preparation", "design", "unknown", "chance"):
        return f"gap_{cause}"
    if gains is None:
        return "gap_beyond_chance"
    if cause == "distribution":
        return "gap_distribution"
    return "gap_hangs_on_scale" if gains.hang_on_the_scale else "gap_fades"
