"""The standing results of curated benchmarks under all conditions, each number once."""

from datetime import date

import polars as pl

from benchhealth.analytics.packed import Rows
from benchhealth.analytics.record.frontier import history_of

SELF = "self"

STANDING = (
    *("benchmark_id", "model_id", "condition", "setting", "reporter", "score", "merit", "error", "bounded"),
    *("dated_on", "date_precision", "seen_by", "listed", "source_id", "snapshot_id", "source_row", "passed_on"),
)
"""The columns of a standing result; see `frontier.history_of`."""


_STANDING_AND_CURVE = (*STANDING, "unit", "board_id", "observed_at", "std_error", "n_items", "rival_from", "rounding")
"""The columns of a standing result, and those that its curve is made of."""


def standing_results(
    mixed: Rows, history: Rows, reference: pl.DataFrame, benchmark_facts: pl.DataFrame, as_of: date
) -> pl.DataFrame:
    """Every standing result of curated benchmarks, with the columns of STANDING and those that a curve reads.

    `mixed` and `history` are the fields of `Histories`: where results are of several conditions, all of them are here.
    """
    curated = benchmark_facts.filter("curated").select("benchmark_id")
    several = reference.filter(pl.col("n_conditions") > 1).select("benchmark_id")
    mixed_rows = mixed.lazy().join(curated.lazy(), on="benchmark_id", how="semi").collect()
    single = (
        history.lazy()
        .join(curated.lazy(), on="benchmark_id", how="semi")
        .join(several.lazy(), on="benchmark_id", how="anti")
        .select(_STANDING_AND_CURVE)
        .collect()
    )
    return pl.concat([single, history_of(mixed_rows, as_of).select(_STANDING_AND_CURVE)]).sort(
        "benchmark_id", "model_id", "condition", "setting", "reporter", "source_id", "snapshot_id", "source_row"
    )
