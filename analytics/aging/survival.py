"""How long benchmarks last: survival from release to saturation, and half-lives."""

import numpy as np
import polars as pl

from analytics.aging.lives import observed
from analytics.record.tables import PUBLISHED
from analytics.statistics.survival.kaplan_meier import kaplan_meier

NAIVE = "only the saturated"
"""The cohort that shows what is wrong with counting the dead alone."""

FEWEST_LIVES = 5
"""A cohort of fewer says nothing that the list of its benchmarks would not say better."""


def survival(life: pl.DataFrame) -> pl.DataFrame:
    """Table `survival`: the Kaplan-Meier curve of every cohort of at least five benchmarks, for rows of `lives`.

    Life runs from release to saturation: the first day on which the verdict would have called the benchmark saturated.
    Benchmarks that live on are censored when they were last known and not dormant, and each is counted only from
    the day on which a verdict could first have called it so (late entry). `share` lives on after `months`, `at_risk`
    were watched just before, `events` died then, `n` is how many lives the curve is of; the last row of a curve is the
    end of the longest watch. The cohort `only the saturated` is the naive count of the dead alone, from release, for
    comparison.
    """
    watched = observed(life)
    member = watched.explode("cohorts").rename({"cohorts": "cohort"})
    sized = member.filter(pl.len().over("cohort") >= FEWEST_LIVES)
    curves = [
        kaplan_meier(rows["entry"].to_numpy(), rows["exit"].to_numpy(), rows["died"].to_numpy()).with_columns(
            cohort=pl.lit(name), n=pl.lit(rows.height, dtype=pl.Int64)
        )
        for (name,), rows in sized.group_by("cohort")
    ]
    dead = life.filter("died", pl.col("exit") > 0)
    if dead.height >= FEWEST_LIVES:
        ends = dead["exit"].to_numpy()
        naive = kaplan_meier(np.zeros(dead.height), ends, np.ones(dead.height, dtype=bool))
        curves.append(naive.with_columns(cohort=pl.lit(NAIVE), n=pl.lit(dead.height, dtype=pl.Int64)))
    schema = PUBLISHED["survival"]
    if not curves:
        return pl.DataFrame(schema=schema)
    return pl.concat(curves).select(schema.names()).sort("cohort", "months").match_to_schema(schema)
