"""The composition of analytics: facts in, every derived table of a generation out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import numpy as np
import polars as pl
from threadpoolctl import threadpool_limits

from benchhealth.analytics.change.previous import NO_PREVIOUS, Previous
from benchhealth.analytics.graph import ENTRIES
from benchhealth.analytics.record.frames import Frames, in_order
from benchhealth.analytics.record.tables import COMPLETED, DERIVED
from benchhealth.analytics.record.tables.columns import table_field
from benchhealth.analytics.record.tables.of_forecasts import BACKCAST, ISSUED
from benchhealth.analytics.record.tables.of_verdicts import VERDICT_ISSUED
from benchhealth.analytics.schedule import Entry, OnProgress, ignored, run


@dataclass(frozen=True)
class Assessment:
    """Every table of a generation that is computed or completed here under its name, each with its published schema.

    `steps` are the values on the way that were asked for, by name.
    """

    tables: dict[str, pl.DataFrame]
    steps: dict[str, Any] = field(default_factory=dict)

    @property
    def breakpoint(self) -> pl.DataFrame:
        """The table of that name: the curated rows that went in, and after them the proposals."""
        return self.tables["breakpoint"]


@dataclass(frozen=True)
class Ledgers:
    """What was said before, as the warehouse holds it.

    `issued` are the forecasts that were published (schema `ISSUED`), which `forecast_record` alone reads;
    `forecasts_backcast` those that would have been made (BACKCAST); `verdicts_issued` verdicts of both kinds
    (VERDICT_ISSUED), from which what was known then is read.
    """

    issued: pl.DataFrame = table_field(ISSUED)
    forecasts_backcast: pl.DataFrame = table_field(BACKCAST)
    verdicts_issued: pl.DataFrame = table_field(VERDICT_ISSUED)


NO_LEDGERS = Ledgers()


def assess(  # noqa: PLR0913
    frames: Frames,
    as_of: date,
    rng: np.random.Generator,
    *,
    previous: Previous = NO_PREVIOUS,
    ledgers: Ledgers = NO_LEDGERS,
    workers: int = 1,
    on_progress: OnProgress = ignored,
    entries: Sequence[Entry] = ENTRIES,
    tables: Sequence[str] = (*DERIVED, *COMPLETED),
    steps: Sequence[str] = (),
) -> Assessment:
    """The tables `DERIVED` and `COMPLETED` of `analytics.record.tables`, as known at `as_of`: see `analytics.graph`.

    `frames` must hold only what was observed by `as_of`; dates of results after it are read as `as_of`. What is said
    about a benchmark is said of the day until which it is known (`analytics.record.looks`), and `as_of` decides alone
    how long ago that was. `previous` is what the generation before said, which the table `change` alone reads. The
    answer depends on the facts, `as_of`, `previous`, `ledgers` and the state of `rng` alone: not on the order of rows,
    not on `workers`, the number of threads. `on_progress` learns how far it is. Of `tables` fewer may be asked for, and
    of `steps` some more.
    """
    streams = rng.spawn(10)
    for_estimates, for_churn, for_goodhart, for_leakage, for_twins = streams[:5]
    for_stability, for_renewal, for_probability, for_calibration, for_items = streams[5:]
    for_capability, for_forecasts = for_estimates.spawn(2)
    given_values = {
        "frames": in_order(frames),
        "as_of": as_of,
        "previous": previous,
        "issued": ledgers.issued,
        "forecasts_backcast": ledgers.forecasts_backcast,
        "verdicts_issued": ledgers.verdicts_issued,
        "churn_rng": for_churn,
        "capability_rng": for_capability,
        "forecast_rng": for_forecasts,
        "goodhart_rng": for_goodhart,
        "leakage_rng": for_leakage,
        "twin_rng": for_twins,
        "stability_rng": for_stability,
        "renewal_rng": for_renewal,
        "probability_rng": for_probability,
        "calibration_rng": for_calibration,
        "items_rng": for_items,
    }
    with threadpool_limits(1):  # matrices too small for threads of their own
        values = run(entries, given_values, (*tables, *steps), workers=workers, on_progress=on_progress)
    return Assessment({name: values[name] for name in tables}, {name: values[name] for name in steps})
