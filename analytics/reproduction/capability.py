"""Claims about the pace of models over many benchmarks at once: Epoch's index, and METR's time horizons."""

from dataclasses import replace
from datetime import date

import numpy as np
import polars as pl

from benchhealth.analytics.reproduction.claim import Claim, Compute, Facts, Found, Publication, found, ours
from benchhealth.analytics.statistics.float_noise import settled
from benchhealth.analytics.statistics.regression import least_squares

SOURCE, INDEX = "eci", "epoch-capabilities-index"
PAGE = "https://epoch.ai/benchmarks/eci"
EPOCH = Publication(
    "Epoch AI 2025, AI capabilities progress has sped up",
    2025,
    "https://epoch.ai/data-insights/ai-capabilities-progress-has-sped-up",
    "the text, in the copy kept at longtermwiki.com/source/663417bdb09208a4",
)
METR = Publication(
    "METR 2026, Time horizon 1.1",
    2026,
    "https://github.com/IAPS-AI/METR-Time-Horizons/blob/main/benchmark_results_1_1.yaml",
    "the file itself, in the copies of 30 January and 3 March 2026",
)
HORIZON = "metr-horizon-1.1"
FEWEST_SHARED = 10
"""Over fewer models agreement says little."""

SPED_UP, FROM, UNTIL = date(2024, 4, 1), date(2021, 12, 1), date(2025, 12, 31)
"""Where Epoch's two lines meet, and the models that they go through."""

YEAR = 365.25


def agreement(facts: Facts) -> Found | None:
    """Spearman's correlation of our capability with Epoch's newest index, over the models that both have."""
    index = facts.newest_version(SOURCE, INDEX).group_by("model_id").agg(index=pl.col("score").max())
    both = facts.tables["capability"].select("model_id", "score").join(index, on="model_id")
    if both.height < FEWEST_SHARED or both["score"].n_unique() < 2 or both["index"].n_unique() < 2:
        return None
    return found(both.select(pl.corr("score", "index", method="spearman")).item(), 2 * both.height)


def _records(rows: pl.DataFrame) -> pl.DataFrame:
    """The models that were above all before them, by day: `dated_on`, `score`."""
    best = rows.group_by("model_id").agg(settled(pl.col("score").max()), pl.col("dated_on").min()).drop_nulls()
    ordered = best.sort("dated_on", "score", "model_id")
    before = pl.col("score").cum_max().shift(1)
    return ordered.filter(before.is_null() | (pl.col("score") > before))


def _pace(first: date, last: date) -> Compute:
    """Points of the index a year: the slope through the records of models released from `first` until `last`."""

    def compute(facts: Facts) -> Found | None:
        rows = facts.newest_version(SOURCE, INDEX).filter(pl.col("dated_on").is_between(FROM, UNTIL))
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
        seen = rows["observed_at"].unique().sort()
        rows = rows.filter(pl.col("observed_at") == seen[version])
        records = _records(rows).filter(pl.col("dated_on") >= first)
        line = least_squares(_days(records), np.log2(records["score"].to_numpy()))
        return None if line is None or line.slope == 0 else Found(1 / line.slope, rows.height)

    return compute


def _days(rows: pl.DataFrame) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.asarray((rows["dated_on"] - FROM).dt.total_days().to_numpy(), dtype=np.float64)


_ALWAYS = date(2000, 1, 1)
_SINCE_2023 = date(2023, 1, 1)
_DATED_LATER = (
    "models that METR dates by an announcement long before anybody could use them stand here at their release, which "
    "METR's own newest file agrees with and its first does not"
)
_DOUBLING = (
    ("metr-doubling-first", "since 2023, as first published", 130.801, 0, _SINCE_2023, ""),
    ("metr-doubling", "since 2023, as last published", 128.744, -1, _SINCE_2023, ""),
    ("metr-doubling-ever-first", "since 2019, as first published", 196.475, 0, _ALWAYS, _DATED_LATER),
    ("metr-doubling-ever", "since 2019, as last published", 187.778, -1, _ALWAYS, ""),
)

CLAIMS: tuple[Claim, ...] = (
    replace(
        ours(
            "eci-order",
            "How far Epoch's index and our scale agree on the order of the models that both have",
            PAGE,
            agreement,
            "Spearman's correlation",
        ),
        why="both are stitched from many benchmarks, not from the same ones, and an index of ours counts every effort",
    ),
    Claim(
        "eci-pace",
        "From April 2024 the best model's index rises by 15.5 points a year",
        15.5,
        0.7,
        EPOCH,
        _pace(SPED_UP, UNTIL),
        unit="points a year",
        place="text, two lines that meet in April 2024",
        within="as far as leaving out any one record moves the rate",
        null_value=8.3,
        null_reason="the rate before April 2024, as printed beside it",
    ),
    *(
        Claim(
            claim_id,
            f"The longest time horizon doubles every {value:.1f} days {when}",
            value,
            0.05,
            METR,
            _doubling(version, first),
            why,
            "days",
            scores_of="metr",
            place="doubling_time_in_days",
            within="the file prints thousandths; a twentieth of a day leaves room for the day that a model is dated by",
        )
        for claim_id, when, value, version, first, why in _DOUBLING
    ),
)
