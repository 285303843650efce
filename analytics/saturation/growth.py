"""How a benchmark's best score rose: about evenly, in a late burst, or up to a halt."""

import numpy as np
import polars as pl

from benchhealth.analytics.record.evidence import Evidence, Indicator, Unless, months_between, settle
from benchhealth.analytics.record.frontier import RATING
from benchhealth.analytics.record.tables.case import Case
from benchhealth.analytics.record.tables.columns import NUMBER, TEXT, by_type
from benchhealth.analytics.record.tables.declared import Unit

CURVE_POINTS = 50
"""Days at equal distances at which a curve is read, as in the published comparison of trajectories."""

HALT_FROM, HALT_AT = 33, 0.95
"""A halt: the last third of the time (from this point on) brought less than a twentieth of the rise."""

FLAT_UNTIL, FLAT_BELOW = 17, 0.2
"""Flat before: after a third of the time (this point) not more than a fifth of the rise was there."""

BURST_POINTS, BURST_RISE = 5, 0.5
"""A burst: so much of the rise or more within this many points of the time."""

FEWEST_DAYS = 3
"""A curve through fewer days with results has no shape."""

FEWEST_MONTHS = 12.0
"""A halt of the last third is then at least four months long, longer than developers take between releases."""

CONTINUOUS, BURST, STAGNANT = "continuous", "burst", "stagnant"
SHAPE = by_type((TEXT, "benchmark_id growth"), (NUMBER, "height early leap"))


def shapes(steps: pl.DataFrame) -> pl.DataFrame:
    """The growth class of each curve with the numbers it rests on; curves of no length are left out.

    `steps` has `benchmark_id`, `dated_on` and `merit` of the strict improvements of a running best, and `until`, the
    day that the curve is carried to. It is read at `CURVE_POINTS` days from the first step to `until`, as heights from
    0 at the first step to 1 at the last; a curve of one step is at its final height from the start.

    stagnant - less than a twentieth of the rise came in the last third of the time;
    burst - otherwise, `BURST_RISE` or more came within `BURST_POINTS`, after a third or more of the time that brought
    at most a fifth of it;
    continuous - otherwise.

    Columns: `growth`, `height` (mean of the heights), `early` (height after two thirds), `leap` (largest rise within
    `BURST_POINTS`).
    """
    start, end = (pl.col("merit").get(index).over("benchmark_id") for index in (0, -1))
    since = (pl.col("dated_on") - pl.col("dated_on").first().over("benchmark_id")).dt.total_days()
    length = (pl.col("until") - pl.col("dated_on").first().over("benchmark_id")).dt.total_days()
    curves = (
        steps.sort("benchmark_id", "dated_on")
        .filter(length > 0)
        .with_columns(
            height=pl.when(end > start).then((pl.col("merit") - start) / (end - start)).otherwise(1.0),
            first=(since / length * (CURVE_POINTS - 1)).ceil().cast(pl.Int64).clip(0, CURVE_POINTS),
        )
        .with_columns(beyond=pl.col("first").shift(-1).over("benchmark_id").fill_null(CURVE_POINTS))
    )
    named = curves["benchmark_id"].unique(maintain_order=True)
    heights = np.repeat(curves["height"].to_numpy(), (curves["beyond"] - curves["first"]).to_numpy()).reshape(
        -1, CURVE_POINTS
    )
    return pl.DataFrame({"benchmark_id": named, **_classified(heights)}, schema=SHAPE)


def _classified(
    heights: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> dict[str, list[str] | np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """Class and numbers of curves in rows; a halt counts before a burst, because it is how things stand now."""
    heights = heights.round(9)  # so that a curve on the edge of a class is there in every unit
    rise = heights[:, BURST_POINTS:] - heights[:, :-BURST_POINTS]
    after_flat = rise[:, FLAT_UNTIL:] * (heights[:, FLAT_UNTIL:-BURST_POINTS] <= FLAT_BELOW)
    halted = heights[:, HALT_FROM] > HALT_AT
    burst = after_flat.max(axis=1, initial=0.0) >= BURST_RISE
    return {
        "growth": np.where(halted, STAGNANT, np.where(burst, BURST, CONTINUOUS)).tolist(),
        "height": heights.mean(axis=1),
        "early": heights[:, HALT_FROM],
        "leap": rise.max(axis=1, initial=0.0),
    }


def _growth(evidence: Evidence) -> pl.DataFrame:
    until = evidence.known_until.select("benchmark_id", until="known_until")
    steps = evidence.frontier.filter(~pl.col("carried")).join(until, on="benchmark_id")
    ends = evidence.frontier.filter("carried").select("benchmark_id", "merit")
    undated = ends.join(steps.select("benchmark_id", "merit"), on=["benchmark_id", "merit"], how="anti")
    began = pl.col("dated_on").min()
    third = began + (pl.col("until").first() - began) * (HALT_FROM / (CURVE_POINTS - 1))
    days = (
        evidence.history.select("benchmark_id", "dated_on")
        .drop_nulls("dated_on")
        .join(until, on="benchmark_id")
        .group_by("benchmark_id")
        .agg(
            pl.col("until").first(),
            days=pl.col("dated_on").n_unique(),
            began=began,
            n=pl.len(),
            late=(pl.col("dated_on") > third).sum(),
        )
    )
    rows = evidence.facts.join(days, on="benchmark_id", how="left")
    code = pl.when(pl.col("leap") > 0).then(pl.lit("grew")).otherwise(pl.lit("never_rose"))
    return settle(
        rows.join(shapes(steps), on="benchmark_id", how="left"),
        Unless((pl.col("unit") == RATING).fill_null(False), "ratings_move", "not_applicable"),
        Unless(pl.col("days").is_null(), "no_dated_results"),
        Unless(
            pl.col("benchmark_id").is_in(undated["benchmark_id"].implode()),
            "best_undated",
        ),
        Unless(pl.col("days") < FEWEST_DAYS, "few_days"),
        Unless(
            months_between(pl.col("began"), pl.col("until")) < FEWEST_MONTHS,
            "few_months",
        ),
        Unless(pl.col("growth").is_null(), "no_curve"),
        value=pl.col("height"),
        n=pl.col("n"),
        note=Case(code, kind="growth", on_day="began", until_day="until", numbers=("early", "leap", "late")),
    )


GROWTH = Indicator(
    "growth",
    "How the best score grew",
    "The curve of the best score, carried to the day until which the benchmark is known. Stagnant: less than a "
    "twentieth of the rise came in the last third of the time. Burst: otherwise, "
    f"{BURST_RISE:.0%} of the rise or more came within {BURST_POINTS / CURVE_POINTS:.0%} of the time, "
    "after a third or more that was flat. Continuous: otherwise. The value is the curve's mean height "
    "from its first (0) to its last (1): about one half for even growth. A flat end does not tell saturation from "
    "nobody trying: see the models tried since the last advance.",
    "patterns: Ott et al. 2022, Mapping global dynamics of benchmark creation and saturation, "
    "doi:10.1038/s41467-022-34591-0, which names them in words and by ideal curves; the limits are ours",
    _growth,
    unit=Unit.EARLINESS,
)
