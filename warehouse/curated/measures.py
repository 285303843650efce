"""What was measured once with facts that may not be passed on, and is needed where they are not."""

import polars as pl

from benchhealth.analytics.record.frames import DESIGN_EFFECT
from benchhealth.warehouse.curated.checked import CuratedFile, Rule

DESIGN_EFFECT_FILE = CuratedFile(
    "design_effect.csv",
    DESIGN_EFFECT,
    key=("source_id", "benchmark_id", "n_items"),
    required=tuple(DESIGN_EFFECT),
    rules=(
        Rule("correlation", ~pl.col("correlation").is_between(-1, 1), "is not a correlation"),
        Rule("variance_ratio", pl.col("variance_ratio") <= 0, "is not a ratio of variances"),
        Rule("slope_spread", pl.col("slope_spread") < 0, "is not a variance"),
        Rule("pairs", pl.col("pairs") * 2 != pl.col("n_runs") * (pl.col("n_runs") - 1), "are not all pairs"),
        *(
            Rule(column, pl.col(column) > pl.col("pairs"), "is more than all pairs")
            for column in ("apart_paired", "apart_unpaired")
        ),
    ),
    optional=True,
)
"""`analytics.items.design_effects` of the items themselves, at the address and on the day of each row; a test repeats
the measurement where the files are at hand."""
