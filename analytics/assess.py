"""The composition of analytics: facts in, every derived table of a generation out."""

from dataclasses import dataclass
from datetime import date

import numpy as np
import polars as pl

from analytics.frames import Frames
from analytics.tables import DERIVED, empty


@dataclass(frozen=True)
class Assessment:
    """Every derived table of a generation under its name, each with its published schema."""

    tables: dict[str, pl.DataFrame]


def assess(frames: Frames, as_of: date, rng: np.random.Generator) -> Assessment:
    """All derived tables of `analytics.tables.DERIVED`, as known at `as_of`; pure in its three arguments."""
    return Assessment({table: empty(table) for table in DERIVED})
