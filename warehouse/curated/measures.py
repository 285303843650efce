"""What was measured or checked once, by us or by others, and is needed where that cannot be repeated."""

import polars as pl

from benchhealth.analytics.record.frames import DESIGN_EFFECT, ITEM_LABEL
from benchhealth.warehouse.curated.checked import CuratedFile, Rule

DESIGN_EFFECT_FILE = CuratedFile(
    "design_effect.csv",
    DESIGN_EFFECT,
    key=("source_id", "benchmark_id", "n_items"),
    required=tuple(name for name in DESIGN_EFFECT if not name.startswith("cluster")),
    rules=(
        Rule("cluster_ratio", pl.col("cluster_ratio") <= 0, "is not a ratio of variances"),
        Rule("correlation", ~pl.col("correlation").is_between(-1, 1), "is not a correlation"),
        Rule("variance_ratio", pl.col("variance_ratio") <= 0, "is not a ratio of variances"),
        Rule("slope_spread", pl.col("slope_spread") < 0, "is not a variance"),
        Rule("pairs", pl.col("pairs") * 2 != pl.col("n_runs") * (pl.col("n_runs") - 1), "are not all pairs"),
        *(
            Rule(column, pl.col(column) > pl.col("pairs"), "is more than all pairs")
            for column in ("apart_paired", "apart_unpaired")
        ),
    ),
)
"""`analytics.items.design_effects` of the items themselves, at the address and on the day of each row; a test repeats
the measurement where the files are at hand."""

ITEM_LABEL_FILE = CuratedFile(
    "item_label.csv",
    ITEM_LABEL,
    key=("source_id", "item"),
    required=tuple(ITEM_LABEL),
)
"""What people who checked every item of a source's test found wrong with some; all others they found right."""
