"""What ingest hands to the warehouse: one snapshot with everything that was read out of it."""

from dataclasses import dataclass, field
from datetime import datetime

import polars as pl

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


def _no_reports() -> pl.DataFrame:
    return pl.DataFrame(schema=REPORT_FACT)


def _no_mentions() -> pl.DataFrame:
    return pl.DataFrame(schema=MENTION_FACT)


def _no_names() -> pl.DataFrame:
    return pl.DataFrame(schema=NAME_FACT)


def _no_own() -> pl.DataFrame:
    return pl.DataFrame(schema=OWN_FACT)


def _no_items() -> pl.DataFrame:
    return pl.DataFrame(schema=ITEM_RUN)


def _no_lists() -> pl.DataFrame:
    return pl.DataFrame(schema=ITEM)


def _no_prices() -> pl.DataFrame:
    return pl.DataFrame(schema=PRICE_FACT)


@dataclass(frozen=True)
class Batch:
    """One snapshot: what one file of one source said at `observed_at`.

    `snapshot_id` is derived from source, path and ref, so the same version always has the same one.
    Invariant, checked here: rows_in = results + models + reports + mentions + names + items + prices + rejections.
    """

    snapshot_id: str
    source_id: str
    board_id: str
    observed_at: datetime
    fetched_at: datetime
    url: str
    ref: str
    sha256: str
    rows_in: int
    results: pl.DataFrame
    rejections: pl.DataFrame
    models: pl.DataFrame
    benchmarks: pl.DataFrame
    reports: pl.DataFrame = field(default_factory=_no_reports)
    mentions: pl.DataFrame = field(default_factory=_no_mentions)
    names: pl.DataFrame = field(default_factory=_no_names)
    own_facts: pl.DataFrame = field(default_factory=_no_own)
    items: pl.DataFrame = field(default_factory=_no_items)
    lists: pl.DataFrame = field(default_factory=_no_lists)
    prices: pl.DataFrame = field(default_factory=_no_prices)

    def __post_init__(self) -> None:
        for name, schema in (
            ("results", RESULT_FACT),
            ("rejections", REJECTION_FACT),
            ("models", MODEL_FACT),
            ("benchmarks", BENCHMARK_FACT),
            ("reports", REPORT_FACT),
            ("mentions", MENTION_FACT),
            ("names", NAME_FACT),
            ("own_facts", OWN_FACT),
            ("items", ITEM_RUN),
            ("lists", ITEM),
            ("prices", PRICE_FACT),
        ):
            frame: pl.DataFrame = getattr(self, name)
            if frame.schema != schema:
                raise ValueError(f"{name}: expected {schema}, got {frame.schema}")
        stored = (self.results, self.models, self.reports, self.mentions, self.names, self.items, self.prices)
        accounted = sum(frame.height for frame in (*stored, self.rejections))
        if accounted != self.rows_in:
            raise ValueError(f"{self.url}: {self.rows_in} rows in, {accounted} accounted for")
