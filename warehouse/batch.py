"""What ingest hands to the warehouse: one snapshot with everything that was read out of it."""

from dataclasses import dataclass, field
from datetime import datetime

import polars as pl

from benchhealth.analytics.record.tables.columns import schemas_of, table_field
from benchhealth.analytics.record.tables.stored import STORED


def _fact(table: str) -> pl.Schema:
    """A stored table as a snapshot brings it: without the snapshot."""
    return pl.Schema({name: kind for name, kind in STORED[table].schema.items() if name != "snapshot_id"})


RESULT_FACT = _fact("result")
REJECTION_FACT = _fact("rejection")
MODEL_FACT = _fact("model_fact")
BENCHMARK_FACT = _fact("benchmark_fact")
REPORT_FACT = _fact("report_fact")
MENTION_FACT = _fact("mention_fact")
NAME_FACT = _fact("name_fact")
OWN_FACT = _fact("own_fact")
ITEM_RUN = _fact("item_run")
ITEM = STORED["item"].schema
PRICE_FACT = _fact("price_fact")


@dataclass(frozen=True, kw_only=True)
class Resolved:
    """What one file says: rows_in = results + models + reports + mentions + names + items + prices + rejections."""

    rows_in: int
    results: pl.DataFrame = field(metadata={"schema": RESULT_FACT})
    rejections: pl.DataFrame = field(metadata={"schema": REJECTION_FACT})
    models: pl.DataFrame = field(metadata={"schema": MODEL_FACT})
    benchmarks: pl.DataFrame = field(metadata={"schema": BENCHMARK_FACT})
    reports: pl.DataFrame = table_field(REPORT_FACT)
    mentions: pl.DataFrame = table_field(MENTION_FACT)
    names: pl.DataFrame = table_field(NAME_FACT)
    items: pl.DataFrame = table_field(ITEM_RUN)
    lists: pl.DataFrame = table_field(ITEM)
    prices: pl.DataFrame = table_field(PRICE_FACT)


@dataclass(frozen=True, kw_only=True)
class Batch(Resolved):
    """One snapshot: what one file of one source said at `observed_at`, its rows all accounted for.

    `snapshot_id` is derived from source, path and ref, so the same version always has the same one.
    """

    snapshot_id: str
    source_id: str
    board_id: str
    observed_at: datetime
    fetched_at: datetime
    url: str
    ref: str
    sha256: str
    own_facts: pl.DataFrame = table_field(OWN_FACT)

    def __post_init__(self) -> None:
        for name, schema in schemas_of(Batch).items():
            frame: pl.DataFrame = getattr(self, name)
            if frame.schema != schema:
                raise ValueError(f"{name}: expected {schema}, got {frame.schema}")
        stored = (self.results, self.models, self.reports, self.mentions, self.names, self.items, self.prices)
        accounted = sum(frame.height for frame in (*stored, self.rejections))
        if accounted != self.rows_in:
            raise ValueError(f"{self.url}: {self.rows_in} rows in, {accounted} accounted for")
