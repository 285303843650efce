"""Whether gains on the original fade on the twin, and which of the three gaps between test sets a gap can be."""

from dataclasses import dataclass

import numpy as np

from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.units.least_p import carried
from benchhealth.analytics.statistics.units.line import SharedLine
from benchhealth.analytics.twins.pairs import RERUN
from benchhealth.analytics.twins.shared import SAMPLED

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


def gap_cause(kind: str, gap: float | None, gap_error: float | None, p_fading: float | None) -> str:
    """Which of the three gaps of Recht et al. (2019), section 2, a gap can be: one word for what is left of them.

    `chance` (a generalisation gap: which items were drawn), `distribution` (items that differ in kind), `adaptivity`
    (tuning to the original's items), `design` where the sides differ on purpose, `preparation` for one test run twice,
    `unknown` where an error is missing. `gap_error` is the sampling error of the gap, in the gap's unit. Tuning makes
    gains fade on the twin, and so may another mix of items: fading gains are `distribution or adaptivity`, and so is a
    gap whose slope is unknown; full gains leave `distribution`.
    """
    if kind == RERUN:
        return "preparation"
    if kind not in SAMPLED:
        return "design"
    if gap is None or gap_error is None or not np.isfinite(gap_error):
        return "unknown"
    if abs(gap) <= Z95 * gap_error:
        return "chance"
    if p_fading is not None and p_fading >= FADING:
        return "distribution"
    return "distribution or adaptivity"


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


def gap_sentence(  # noqa: PLR0911 - one sentence for each cause
    kind: str, gap: float | None, gap_error: float | None, gains: Gains | None, unit: str = "points"
) -> str:
    """What the gap of a twin can be called, and why no more, as `gap_cause` says. The slope is read once: where the
    two scales disagree, that is what is said."""
    cause = gap_cause(kind, gap, gap_error, None if gains is None else gains.p)
    if gap is None:
        return "No model connects the two sides, so there is no gap to name."
    size = f"{gap:.1f} {unit}"
    if cause == "preparation":
        return (
            f"Both sides are the same test, so a gap of {size} is none of the three gaps between test sets: it is how "
            "the test was run, and what was chosen to be reported."
        )
    if cause == "design":
        return f"The two sides differ by design ({kind}), so the gap of {size} is not split into causes."
    if cause == "unknown":
        return f"The number of items is not known, so a gap of {size} cannot be held against chance."
    if cause == "chance":
        return (
            f"A gap of {size} is within what drawing other items gives (sampling error up to {gap_error:.1f}): a "
            "generalisation gap would explain it, and no other needs to be assumed."
        )
    if gains is None:
        return f"A gap of {size} is more than chance; distribution and adaptivity cannot be told apart here."
    if cause == "distribution":
        return (
            f"A gap of {size} is more than chance, and gains on the original are not found to fade on the twin "
            f"({_slope(gains)}): a distribution gap would explain it, and no adaptivity gap needs to be assumed."
        )
    if gains.hang_on_the_scale and gains.points is not None:
        return (
            f"A gap of {size} is more than chance. Whether gains on the original fade on the twin hangs on the scale: "
            f"a {_slope(gains)}, while a point more on the original comes with {gains.points.slope:.2f} points on the "
            "second. So the scores do not tell an adaptivity gap from a distribution gap."
        )
    return (
        f"A gap of {size} is more than chance, and gains on the original fade on the twin ({_slope(gains)}). An "
        "adaptivity gap looks like that, and so does a distribution gap on which better models gain less: scores alone "
        "do not tell them apart."
    )


def _slope(gains: Gains) -> str:
    p = f"p = {gains.p:.2g}" if gains.p >= 0.001 else "p below 0.001"
    line = gains.line
    slope = f"slope {line.slope:.2f} [{line.slope_low:.2f}, {line.slope_high:.2f}]"
    return f"{slope} on the {gains.scale} scale over {line.n:,} results, {p} for fading"
