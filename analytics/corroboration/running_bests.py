"""The two running bests: what others have measured, and what makers claim."""

from typing import NamedTuple

import polars as pl

from benchhealth.analytics.corroboration.standing_results import SELF
from benchhealth.analytics.packed import Rows
from benchhealth.analytics.record.conditions.recognise import UNSTATED
from benchhealth.analytics.record.conditions.references import TOP_RESULTS
from benchhealth.analytics.record.current import leaderboard
from benchhealth.analytics.record.frontier import RATING, frontier
from benchhealth.analytics.record.origins.sides import is_by_others, is_claim, is_makers
from benchhealth.analytics.record.tables import as_published

OTHERS = "third_party"

BEHIND_DAYS = 365
"""How long before the makers' newest result others' may lie, for verdicts to read what others measured."""

OWN_WAY = "^maker's own [^,]+$"
"""A condition that says no more than that the maker ran it in its own way."""


class ByOthers(NamedTuple):
    """What others measured, on the benchmarks that are judged by it alone (see `of_others`).

    `frontier` are the steps in the columns of `record.frontier.frontier`, `board` the leaderboard.
    """

    frontier: pl.DataFrame
    board: pl.DataFrame


def of_others(rows: pl.DataFrame) -> pl.DataFrame:
    """The ranked results that others measured, of the benchmarks that are judged by these alone.

    Those are the ones with a maker's result and TOP_RESULTS models or more that others measured not more than
    BEHIND_DAYS before the makers' newest: who looked long ago knows nothing of the best models, and one late result
    says little. Of the rest there is no row.
    """
    claims, independent = rows.filter(is_claim()), rows.filter(is_by_others())
    claimed = claims.group_by("benchmark_id").agg(claimed_on=pl.col("dated_on").max())
    lately = pl.col("dated_on") >= pl.col("claimed_on") - pl.duration(days=BEHIND_DAYS)
    looked = independent.join(claimed, on="benchmark_id").filter(lately.fill_null(pl.col("claimed_on").is_null()))
    models = looked.group_by("benchmark_id").agg(models=pl.col("model_id").n_unique())
    judged = models.filter(pl.col("models") >= TOP_RESULTS)
    return independent.join(judged, on="benchmark_id", how="semi", maintain_order="left")


def by_others(history: Rows, curated_breakpoint: pl.DataFrame, known_until: pl.DataFrame) -> ByOthers:
    """What others measured, of the benchmarks that are judged by it; `history` is the history that verdicts read."""
    claimed = history.lazy().filter(is_claim()).select("benchmark_id").unique()
    rows = of_others(history.lazy().join(claimed, on="benchmark_id", how="semi", maintain_order="left").collect())
    listed = rows.filter("listed").with_columns(stands=pl.lit(value=True))
    return ByOthers(frontier(_no_ratings(), rows, curated_breakpoint, known_until), leaderboard(listed))


def reporter_frontiers(
    standing: pl.DataFrame, reference: pl.DataFrame, curated_breakpoint: pl.DataFrame
) -> pl.DataFrame:
    """Table `reporter_frontier`: of curated benchmarks the best that others measured, and the best that makers claim.

    Others' are of the condition that the benchmark is judged by. A maker's may also state no condition, or its own way:
    it is what makers say of the benchmark. Each is carried to the day of the last result of its side.
    """
    judged = reference.select("benchmark_id", judged="condition")
    own_way = pl.col("condition").eq(UNSTATED) | pl.col("condition").str.contains(OWN_WAY)
    in_reference = pl.col("condition") == pl.col("judged")
    rows = standing.join(judged, on="benchmark_id")
    sides = {
        OTHERS: rows.filter(is_by_others(), in_reference),
        SELF: rows.filter(is_makers(), in_reference | own_way),
    }
    steps = [_side(side, results, curated_breakpoint) for side, results in sides.items()]
    bests = as_published(pl.concat(steps), "reporter_frontier")
    return bests.sort("benchmark_id", "reporter", "carried", "dated_on")


def _side(side: str, rows: pl.DataFrame, curated_breakpoint: pl.DataFrame) -> pl.DataFrame:
    """The frontier of one side, a rating aside: that is counted by its board, and nobody claims it."""
    counted = rows.filter(pl.col("unit") != RATING)
    until = counted.group_by("benchmark_id").agg(
        known_until=pl.coalesce(pl.col("dated_on").max(), pl.col("seen_by").max())
    )
    steps = frontier(_no_ratings(), counted, curated_breakpoint, until)
    return steps.with_columns(reporter=pl.lit(side))


def _no_ratings() -> pl.DataFrame:
    text, instant = pl.String(), pl.Datetime("us")
    return pl.DataFrame(
        schema={
            **dict.fromkeys(("benchmark_id", "board_id", "model_id", "source_id", "condition", "unit"), text),
            "bounded": pl.Boolean(),
            "observed_at": instant,
            **dict.fromkeys(("score", "merit", "std_error"), pl.Float64()),
            "n_items": pl.Int64(),
        }
    )
