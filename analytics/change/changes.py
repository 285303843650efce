"""What a generation says that the one before did not: two generations compared by their published tables."""

from datetime import date, timedelta

import polars as pl

from benchhealth.analytics.change.best import best_changes
from benchhealth.analytics.change.leaders import leader_changes
from benchhealth.analytics.change.previous import CARRIED_TABLE, RESULT_COMPARED, Previous, Tables
from benchhealth.analytics.change.rows import SCHEMA, filled
from benchhealth.analytics.change.sources import source_changes
from benchhealth.analytics.change.verdicts import verdict_changes

CARRIED_OVER_FOR = timedelta(days=30)
"""Changes of earlier generations are carried over for this long: a reader wants what changed lately, and a generation
published twice from the same facts says nothing new and forgets nothing."""

KINDS = (
    *("stage", "benchmark", "flag", "rules"),
    *("leader", "best", "best_late", "best_lost", "rescale", "condition"),
    *("held", "source", "results", "correction", "break", "incident"),
)
"""Every kind of change in the table `change`."""

ORDER = ["kind", "benchmark_id", "board_id", "source_id", "model_id", "before", "after", "on_day"]


def change_table(  # noqa: PLR0913, PLR0917 - the tables that two generations are compared by
    previous: Previous,
    as_of: date,
    benchmark: pl.DataFrame,
    model: pl.DataFrame,
    verdict: pl.DataFrame,
    indicator: pl.DataFrame,
    frontier: pl.DataFrame,
    rank: pl.DataFrame,
    breakpoint: pl.DataFrame,
    incident: pl.DataFrame,
    source: pl.DataFrame,
    snapshot: pl.DataFrame,
    kept_out: pl.DataFrame,
    result: pl.LazyFrame,
) -> pl.DataFrame:
    """Table `change`: what this generation says that the one before did not."""
    if previous.name is None:
        result = result.clear()
    now = {
        "benchmark": benchmark,
        "model": model,
        "verdict": verdict,
        "indicator": indicator,
        "frontier": frontier,
        "rank": rank,
        "breakpoint": breakpoint,
        "incident": incident,
        "source": source,
        "snapshot": snapshot,
        "kept_out": kept_out,
        "result": result.select(RESULT_COMPARED).collect(),
    }
    return changes(previous, as_of, now)


def changes(previous: Previous, as_of: date, now: Tables) -> pl.DataFrame:
    """Table `change`: what is said now (tables COMPARED) and was not by the previous generation.

    `against` names the generation that it was not said by, `made_on` is the day of the assessment that says it.
    `text`, which is left to whoever makes sentences of the cases, follows the name of what changed; `before`, `after`
    and the numbers are by kind: stages with their headroom, best scores with their 95% intervals and models, models
    first on a board, states of sources. After the new rows, the previous generation's own changes of the last
    CARRIED_OVER_FOR. Without a previous generation there is no change.
    """
    if previous.name is None:
        return pl.DataFrame(schema=SCHEMA)
    before = {name: rows.collect() for name, rows in previous.tables.items()}
    made = _compared(before, now)
    new = made.with_columns(made_on=pl.lit(as_of), against=pl.lit(previous.name)).select(SCHEMA.names())
    return pl.concat([new.match_to_schema(SCHEMA).sort(ORDER, nulls_last=True), _kept(before, as_of)])


def _compared(before: Tables, after: Tables) -> pl.DataFrame:
    parts = [
        *verdict_changes(before, after),
        leader_changes(before, after),
        best_changes(before, after),
        *source_changes(before, after),
    ]
    return pl.concat([filled(part, SCHEMA) for part in parts])


def _kept(before: Tables, as_of: date) -> pl.DataFrame:
    return before[CARRIED_TABLE].filter(pl.col("made_on") >= as_of - CARRIED_OVER_FOR)
