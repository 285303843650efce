"""The table `dated_change`: stages, best scores, first places, breaks, new benchmarks and silent sources, by day."""

import polars as pl

from benchhealth.analytics.change.by_day.best import best_scores
from benchhealth.analytics.change.by_day.first_places import first_places
from benchhealth.analytics.change.by_day.silence import silences
from benchhealth.analytics.change.by_day.stages import new_benchmarks, stages
from benchhealth.analytics.change.rows import filled
from benchhealth.analytics.change.sources import break_rows
from benchhealth.analytics.record.frames import is_whole
from benchhealth.analytics.record.tables import PUBLISHED

SCHEMA = PUBLISHED["dated_change"]
_ORDER = ["on_day", "kind", "benchmark_id", "board_id", "source_id", "model_id", "before", "after"]


def dated_changes(  # noqa: PLR0913, PLR0917 - the tables that say what happened when
    verdict_history: pl.DataFrame,
    frontier_steps: pl.DataFrame,
    corroboration: pl.DataFrame,
    lead: pl.DataFrame,
    breakpoint: pl.DataFrame,
    benchmark: pl.DataFrame,
    verdict: pl.DataFrame,
    leaderboard: pl.DataFrame,
    model: pl.DataFrame,
    source: pl.DataFrame,
    snapshot: pl.DataFrame,
) -> pl.DataFrame:
    """Table `dated_change`: every change by the day of the facts that it rests on.

    It is the table `change` without two editions to compare: a first run has all of it. The kinds and columns that both
    have mean the same, so that one function makes their sentences. A day is that of the world (a stage begins, a result
    is dated, a board is seen with another first) and never the day on which somebody read it; what could not be dated
    is missing. Of parts of benchmarks there are stages alone, as they fold under their whole.
    """
    parts = [
        stages(verdict_history, benchmark),
        new_benchmarks(benchmark, verdict, leaderboard),
        best_scores(frontier_steps, breakpoint, corroboration, benchmark, model),
        first_places(lead, breakpoint, source, model),
        break_rows(breakpoint).drop_nulls("on_day").filter(is_whole()),
        silences(source, snapshot),
    ]
    return pl.concat([filled(part, SCHEMA) for part in parts]).sort(_ORDER, nulls_last=True).match_to_schema(SCHEMA)
