"""The tables of the previous generation that the next one is compared with."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

Tables = Mapping[str, pl.DataFrame]

COMPARED = (
    "benchmark",
    "model",
    "verdict",
    "indicator",
    "frontier",
    "rank",
    "breakpoint",
    "incident",
    "source",
    "snapshot",
    "kept_out",
    "result",
)
"""The tables that two generations are compared by; of results those that stand are enough."""

RESULT_COMPARED = ("snapshot_id", "benchmark_id", "model_id", "setting", "reporter", "score", "stands")
"""The columns of results that are compared: there are too many rows to hold the others."""

CARRIED_TABLE = "change"
"""The table whose rows the next generation carries over."""


@dataclass(frozen=True)
class Previous:
    """The last generation: its name and its tables COMPARED and CARRIED_TABLE; without a name there was none.

    They are read at the end of an assessment and not held in memory until then.
    """

    name: str | None = None
    tables: Mapping[str, pl.LazyFrame] = field(default_factory=dict)


NO_PREVIOUS = Previous()
