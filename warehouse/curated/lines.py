"""On which tasks the people scored whose line a benchmark is read against."""

import polars as pl

from benchhealth.analytics.record.tables.columns import TEXT
from benchhealth.warehouse.curated.checked import CuratedFile, one_of

HUMAN_LINE = pl.Schema({"benchmark_id": TEXT, "tasks": TEXT, "why": TEXT, "source_url": TEXT})

OTHERS = "others"
"""People answered another set of tasks than models: the score is shown, and nothing is held against it."""

HUMAN_LINE_FILE = CuratedFile(
    "human_line.csv",
    HUMAN_LINE,
    key=("benchmark_id",),
    required=tuple(HUMAN_LINE),
    rules=(one_of("tasks", OTHERS, "superset", "same draw"),),
    optional=True,
)
"""A benchmark without a row: people answered the tasks that models answer. `superset`: these and more. `same draw`:
another sample, drawn with theirs."""
