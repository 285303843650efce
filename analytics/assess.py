"""The composition of analytics: facts in, every derived table of a generation out."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
import polars as pl
from threadpoolctl import threadpool_limits

from analytics.graph import ENTRIES
from analytics.record.frames import Frames, in_order
from analytics.record.tables import DERIVED
from analytics.schedule import Entry, run


@dataclass(frozen=True)
class Assessment:
    """Every derived table of a generation under its name, each with its published schema.

    `breakpoint` is the table of that name: the curated rows that went in, and after them the proposals.
    """

    tables: dict[str, pl.DataFrame]
    breakpoint: pl.DataFrame


def assess(
    frames: Frames, as_of: date, rng: np.random.Generator, *, workers: int = 1, entries: Sequence[Entry] = ENTRIES
) -> Assessment:
    """All derived tables of `analytics.record.tables.DERIVED`, as known at `as_of`: what `analytics.graph` declares.

    `frames` must hold only what was observed by `as_of`; dates of results after it are read as `as_of`. The answer
    depends on the facts, `as_of` and the state of `rng` alone: not on the order of rows, not on `workers`, the number
    of threads.
    """
    for_estimates, for_churn, for_goodhart, for_leakage = rng.spawn(4)
    for_capability, for_forecasts = for_estimates.spawn(2)
    given = {
        "frames": in_order(frames),
        "as_of": as_of,
        "churn_rng": for_churn,
        "capability_rng": for_capability,
        "forecast_rng": for_forecasts,
        "goodhart_rng": for_goodhart,
        "leakage_rng": for_leakage,
    }
    with threadpool_limits(1):  # matrices too small for threads of their own
        tables = run(entries, given, (*DERIVED, "breakpoint"), workers=workers)
    return Assessment({name: tables[name] for name in DERIVED}, tables["breakpoint"])
