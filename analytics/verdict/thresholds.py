"""The numbers that the verdicts' rules hold, each with its reason; change one and raise RULES_VERSION."""

from dataclasses import dataclass

import polars as pl

RULES_VERSION = "8"


@dataclass(frozen=True)
class Thresholds:
    """Every limit that `analytics.verdict.rules` judges by, each with its reason."""

    min_models: int = 5
    """Fewer models than a top five and nothing about the top can be said."""

    young_months: float = 3.0
    """A benchmark is emerging until developers had a release cycle to report on it, by the calendar: what was new
    when we last looked is not new now."""

    exhausted_headroom: float = 0.07
    """As much as audits found wrong in the keys of MMLU (6.5%) and ImageNet (5.8%): where nobody has audited, less than
    that may be nothing, so the scale is used up."""

    narrow_headroom: float = 0.25
    """Less than a quarter is left: the scores begin to crowd."""

    wide_headroom: float = 0.50
    """With half the scale left, a reader is told that much is left."""

    headroom_margin: float = 0.02
    """The margin of every limit of headroom and of human margin: twice the standard error of a score of 80% on 1,600
    items, so that one more model does not move a verdict there and back."""

    human_below: float = -0.01
    """A point below the human line counts as at it, beyond the errors of both: most lines are stated to the point."""

    highest_chance: float = 0.50
    """Where chance is unknown it is taken to be at most this, the chance of a two-way choice: headroom counted from the
    worst possible score is then at least (1 - this) of the true one."""

    unresolved_pairs: float = 0.10
    """At most one of the ten pairs of the top five differs by more than its error: the top cannot be ordered."""

    crowded_pairs: float = 0.30
    """At most three of the ten pairs differ: the top can hardly be ordered."""

    pairs_margin: float = 0.05
    """The margin of every limit of resolution, half a pair of ten: at the limit nothing changes, a pair beyond does."""

    spread: float = 1.0
    """The best and the tenth differ by as much as ten equal models do on 5% of boards: less is chance."""

    spread_margin: float = 0.1
    """A tenth of that: one more model at either end does not move a verdict there and back."""

    stalled_models: int = 5
    """As many models as a top five tried without an advance: fewer may just not have been the best of their day."""

    stalled_months: float = 12.0
    """A year of results after the last advance beyond error: the best is flat, and not for want of trying."""

    dormant_months: float = 12.0
    """Models appear every month; a year without a dated result, up to a look that saw none, means that nobody reports
    to our sources."""

    makers_mentioning: int = 1
    """One maker whose card of the last year shows a benchmark: somebody reports it, though not to our sources."""

    stale_months: float = 6.0
    """Two releases of every large maker; what is known of a benchmark from before them says nothing about it now."""

    contaminated_share: float = 0.10
    """A documented overlap of a tenth of the items can move a score by as much as separates the top models."""

    twin_flagged_share: float = 0.10
    """Twice the rate of false discoveries that Benjamini-Hochberg at 5% admits."""

    turnover_excess: float = 1.0
    """Beyond noise, models on both of two looks exchanged ten places of the top ten within twelve months."""

    self_reported_share: float = 0.50
    """Most of the leaderboard rests on what the models' makers report."""


LIMITS = Thresholds()
"""The limits that verdicts are published with."""


class InColumns:
    """Thresholds that differ from row to row: columns `limit.<name>` of the table that is judged."""


def limit(limits: Thresholds | InColumns, name: str) -> pl.Expr:
    """The threshold of this name, for every row."""
    return pl.col(f"limit.{name}") if isinstance(limits, InColumns) else pl.lit(float(getattr(limits, name)))
