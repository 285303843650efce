"""Claims about the pace of models over many benchmarks at once: Epoch's index, and METR's time horizons."""

from collections.abc import Mapping
from datetime import date

import numpy as np
import polars as pl

from benchhealth.analytics.reproduction.claim import Compute, Facts, Found, computed_from
from benchhealth.analytics.statistics.float_noise import without_float_noise
from benchhealth.analytics.statistics.regression import least_squares

SOURCE, INDEX = "eci", "epoch-capabilities-index"
HORIZON = "metr-horizon-1.1"
FEWEST_SHARED = 10
"""Models in common; over fewer an agreement of two orders says little."""

SPED_UP, FROM, UNTIL = date(2024, 4, 1), date(2021, 12, 1), date(2025, 12, 31)
"""Where Epoch's two lines meet, and the models that they go through."""

YEAR = 365.25


def agreement(facts: Facts) -> Found | None:
    """Spearman's correlation of our capability with Epoch's newest index, over the models that both have."""
    index = facts.newest_version(SOURCE, INDEX).group_by("model_id").agg(index=pl.col("score").max())
    matched = facts.tables["capability"].select("model_id", "score").join(index, on="model_id")
    if matched.height < FEWEST_SHARED or matched["score"].n_unique() < 2 or matched["index"].n_unique() < 2:
        return None
    return computed_from(matched.select(pl.corr("score", "index", method="spearman")).item(), 2 * matched.height)


def _records(rows: pl.DataFrame) -> pl.DataFrame:
    """The models that were above all before them, by day: `dated_on`, `score`."""
    best = (
        rows.group_by("model_id").agg(without_float_noise(pl.col("score").max()), pl.col("dated_on").min()).drop_nulls()
    )
    ordered = best.sort("dated_on", "score", "model_id")
    before = pl.col("score").cum_max().shift(1)
    return ordered.filter(before.is_null() | (pl.col("score") > before))


def _pace(first: date, last: date) -> Compute:
    """Points of the index a year: the slope through the records of models released from `first` until `last`."""

    def compute(facts: Facts) -> Found | None:
        released = facts.beside.model.select("model_id", "released_on")
        index = facts.newest_version(SOURCE, INDEX).join(released, on="model_id", how="left")
        by_release = index.with_columns(dated_on=pl.coalesce("released_on", "dated_on"))
        rows = by_release.filter(pl.col("dated_on").is_between(FROM, UNTIL))
        records = _records(rows).filter(pl.col("dated_on").is_between(first, last))
        line = least_squares(_days(records) / YEAR, records["score"])
        return None if line is None else Found(line.slope, rows.height)

    return compute


def _doubling(version: int, first: date) -> Compute:
    """Days in which the record horizon doubles, in one version of METR's file (0 the first, -1 the newest)."""

    def compute(facts: Facts) -> Found | None:
        rows = facts.every_version("metr", HORIZON)
        if rows.is_empty():
            return None
        looks = rows["observed_at"].unique().sort()
        rows = rows.filter(pl.col("observed_at") == looks[version])
        records = _records(rows).filter(pl.col("dated_on") >= first)
        line = least_squares(_days(records), np.log2(records["score"].to_numpy()))
        return None if line is None or line.slope == 0 else Found(1 / line.slope, rows.height)

    return compute


def _days(rows: pl.DataFrame) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.asarray((rows["dated_on"] - FROM).dt.total_days().to_numpy(), dtype=np.float64)


_ALWAYS = date(2000, 1, 1)
_SINCE_2023 = date(2023, 1, 1)

COMPUTED: Mapping[str, Compute] = {
    "eci-order": agreement,
    "eci-pace": _pace(SPED_UP, UNTIL),
    "metr-doubling-first": _doubling(0, _SINCE_2023),
    "metr-doubling": _doubling(-1, _SINCE_2023),
    "metr-doubling-ever-first": _doubling(0, _ALWAYS),
    "metr-doubling-ever": _doubling(-1, _ALWAYS),
}
