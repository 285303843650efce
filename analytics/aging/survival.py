"""How long benchmarks last: survival from release to saturation, half-lives, and how each ended."""

import numpy as np
import polars as pl

from benchhealth.analytics.aging.lives import watched_lives
from benchhealth.analytics.record.tables import PUBLISHED, empty
from benchhealth.analytics.statistics.survival.aalen_johansen import aalen_johansen
from benchhealth.analytics.statistics.survival.kaplan_meier import kaplan_meier

NAIVE = "only the saturated"
"""The cohort that shows what is wrong with counting the dead alone."""

SATURATED, ABANDONED = 1, 2
"""The two ends of a benchmark; the one keeps it from the other."""

FEWEST_LIVES = 5
"""A cohort of fewer says nothing that the list of its benchmarks would not say better."""


def survival(lives: pl.DataFrame) -> pl.DataFrame:
    """Table `survival`: how many of each cohort of at least five benchmarks ended by each age, for rows of `lives`.

    `share` lives on after `months` by Kaplan and Meier. Life runs from release to saturation: the day since which the
    verdict calls the benchmark saturated. Benchmarks that live on are censored when they were last
    known and not dormant, and each is counted only from the day on which a verdict could first have called it so (late
    entry). `at_risk` were watched just before, `events` saturated then, `n` is how many lives the curve is of; the last
    row of a curve is the end of the longest watch. Benchmarks of one family fall together, so that all intervals are by
    the variance between `families`, and of several of one family only the family counts as evidence.

    To be censored when abandoned is to be taken for one that would have been saturated as soon as the others. Beside it
    therefore stands the cumulative incidence by Aalen and Johansen, in which the two ends compete: `saturated` and
    `abandoned` (nobody reported a result for a year) are the shares that have met each end by that age, with their
    intervals, `abandonments` how many were abandoned then; what is left of 1 is still in use. The cohort `only the
    saturated` is the naive count of the dead alone, from release, for comparison.
    """
    watched = watched_lives(lives)
    member = watched.explode("cohorts").rename({"cohorts": "cohort"})
    sized = member.filter(pl.len().over("cohort") >= FEWEST_LIVES)
    curves = [_curve(str(name), rows) for (name,), rows in sized.group_by("cohort")]
    dead = watched.filter("died")
    if dead.height >= FEWEST_LIVES:
        curves.append(_curve(NAIVE, dead.with_columns(entry=0.0, abandoned=pl.lit(value=False))))
    if not curves:
        return empty("survival")
    return pl.concat(curves).match_to_schema(PUBLISHED["survival"], extra_columns="ignore").sort("cohort", "months")


def _curve(cohort: str, rows: pl.DataFrame) -> pl.DataFrame:
    """Both curves of one cohort, a row for each age at which any of its benchmarks met an end."""
    entry, end, died = (rows[name].to_numpy() for name in ("entry", "exit", "died"))
    ends = np.where(died, SATURATED, np.where(rows["abandoned"].to_numpy(), ABANDONED, 0))
    family = rows["family"].rank("dense").cast(pl.Int64).to_numpy()
    lasting = kaplan_meier(entry, end, died, family)
    met = aalen_johansen(entry, end, ends, (SATURATED, ABANDONED), family)
    saturated, abandoned = (
        met.filter(cause=cause).select(
            "months",
            "at_risk",
            **{f"{name}{edge}": pl.col(column) for edge, column in (("", "share"), ("_low", "low"), ("_high", "high"))},
            **{events: pl.col("events")},
        )
        for cause, name, events in ((SATURATED, "saturated", "events"), (ABANDONED, "abandoned", "abandonments"))
    )
    curves = saturated.join(abandoned.drop("at_risk"), on="months", how="left", maintain_order="left")
    return curves.join(
        lasting.select("months", "share", "low", "high"), on="months", how="left", maintain_order="left"
    ).with_columns(
        pl.col("share", "low", "high").forward_fill(),  # an abandonment is no step of Kaplan and Meier's
        cohort=pl.lit(cohort),
        n=pl.lit(rows.height, dtype=pl.Int64),
        families=pl.lit(rows["family"].n_unique(), dtype=pl.Int64),
    )
