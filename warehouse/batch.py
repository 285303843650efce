"""What ingest hands to the warehouse: one snapshot with everything that was read out of it."""

from dataclasses import dataclass, field
from datetime import datetime

import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.columns import COUNT, DAY, FLAG, NUMBER, NUMBERS, TEXT, TEXTS

NOT_SAID = ("snapshot_id", "condition", "stands")
"""The columns of a published result that no source says: they are found out when results are loaded."""

RESULT_FACT = pl.Schema(
    {
        **{name: kind for name, kind in PUBLISHED["result"].items() if name not in NOT_SAID},
        "published_name": TEXT,
        "kind": TEXT,
    }
)
"""A resolved result. `dated_on` and `date_basis` are null where the source gives no date."""

REJECTION_FACT = pl.Schema({"source_row": TEXT, "reason": TEXT, "published": TEXT})

MODEL_FACT = pl.Schema(
    {
        "source_row": TEXT,
        "model_id": TEXT,
        "name": TEXT,
        "organisation": TEXT,
        "released_on": DAY,
        "open_weights": FLAG,
        "knowledge_cutoff": DAY,
    }
)

BENCHMARK_FACT = pl.Schema(
    {
        "benchmark_id": TEXT,
        "name": TEXT,
        "metric": TEXT,
        "unit": TEXT,
        "higher_is_better": FLAG,
        "domain": TEXT,
        "modality": TEXT,
        "floor": NUMBER,
        "n_items": COUNT,
        "released_on": DAY,
        "paper_url": TEXT,
    }
)

REPORT_FACT = pl.Schema({"source_row": TEXT, **PUBLISHED["contamination_report"]})
"""What a source reports about test items in training data; `share` is a fraction, null where none was measured."""


MENTION_FACT = pl.Schema(
    {"source_row": TEXT, **{name: kind for name, kind in PUBLISHED["mention"].items() if name != "source_id"}}
)
"""That a document of a model's maker reports a benchmark."""


NAME_FACT = pl.Schema({"source_row": TEXT, "entity": TEXT, "listed": TEXT, "name": TEXT, "key": TEXT})
"""That a registry lists a name under one of its entries; `key` is what the name would be among the ids here."""


OWN_FACT = pl.Schema({"benchmark_id": TEXT, "labels": TEXT, "twin_of": TEXT, "twin_kind": TEXT})
"""What comes with results of one's own: who has the labels of a benchmark, or of what other one it is a twin."""


ITEM_FACT = pl.Schema({"source_row": TEXT, "items": TEXTS, "outcomes": NUMBERS})
"""The result at the address `source_row` of its file, item by item; items that are not listed have the outcome 0."""


def _no_reports() -> pl.DataFrame:
    return pl.DataFrame(schema=REPORT_FACT)


def _no_mentions() -> pl.DataFrame:
    return pl.DataFrame(schema=MENTION_FACT)


def _no_names() -> pl.DataFrame:
    return pl.DataFrame(schema=NAME_FACT)


def _no_own() -> pl.DataFrame:
    return pl.DataFrame(schema=OWN_FACT)


def _no_items() -> pl.DataFrame:
    return pl.DataFrame(schema=ITEM_FACT)


@dataclass(frozen=True)
class Batch:
    """One snapshot: what one file of one source said at `observed_at`.

    `snapshot_id` is derived from source, path and ref, so the same version always has the same one.
    Invariant, checked here: rows_in = results + models + reports + mentions + names + items + rejections.
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
    own: pl.DataFrame = field(default_factory=_no_own)
    items: pl.DataFrame = field(default_factory=_no_items)

    def __post_init__(self) -> None:
        for name, schema in (
            ("results", RESULT_FACT),
            ("rejections", REJECTION_FACT),
            ("models", MODEL_FACT),
            ("benchmarks", BENCHMARK_FACT),
            ("reports", REPORT_FACT),
            ("mentions", MENTION_FACT),
            ("names", NAME_FACT),
            ("own", OWN_FACT),
            ("items", ITEM_FACT),
        ):
            frame: pl.DataFrame = getattr(self, name)
            if frame.schema != schema:
                raise ValueError(f"{name}: expected {schema}, got {frame.schema}")
        kept = (self.results, self.models, self.reports, self.mentions, self.names, self.items, self.rejections)
        accounted = sum(frame.height for frame in kept)
        if accounted != self.rows_in:
            raise ValueError(f"{self.url}: {self.rows_in} rows in, {accounted} accounted for")
