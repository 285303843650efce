"""How many benchmarks are saturated, counted once for every surface, and how many of them the survival curves count."""

from datetime import date
from typing import NamedTuple

import polars as pl

from benchhealth.analytics.answers.stage import SEEN_THROUGH
from benchhealth.analytics.verdict.rules import STAGE_OF


class Saturated(NamedTuple):
    """How many of the `benchmarks` are `saturated`, not near the limit, and until when the latest of them is known.

    `watched` of these were seen to become so while they were watched, which the survival curves count as deaths.
    Why the others do not count is in the table `life`.
    """

    benchmarks: int
    saturated: int
    watched: int
    known_until: date | None


def saturated_counts(answer: pl.DataFrame, benchmark_ids: pl.Series) -> Saturated:
    """The counts over these benchmarks, of the rows of table `answer` to the question `stage`."""
    rows = answer.filter(pl.col("question") == "stage", pl.col("benchmark_id").is_in(benchmark_ids.implode()))
    is_sure = pl.col("between").list.len() == 0
    is_saturated = is_sure & (pl.col("case").replace_strict(STAGE_OF, return_dtype=pl.String) == "saturated")
    watched = pl.col("evidence").list.contains(SEEN_THROUGH)
    counted = rows.select(
        saturated=is_saturated.sum(),
        watched=(is_saturated & watched).sum(),
        known_until=pl.col("known_until").max(),
    ).row(0, named=True)
    return Saturated(benchmarks=rows.height, **counted)
