"""Where on the stitched scale of capability a benchmark tells models apart, and how the best model lies to that."""

import polars as pl

from benchhealth.analytics.record.evidence import Evidence, Indicator, Unless, settle
from benchhealth.analytics.record.tables.case import Case
from benchhealth.analytics.record.tables.declared import Unit

NOT_STITCHED = Unless(pl.col("peak").is_null(), "not_stitched")


def _rows(evidence: Evidence) -> pl.DataFrame:
    return evidence.facts.join(evidence.discrimination, on="benchmark_id", how="left")


def _range(evidence: Evidence) -> pl.DataFrame:
    return settle(
        _rows(evidence),
        NOT_STITCHED,
        value=(pl.col("peak"), pl.col("low"), pl.col("high")),
        note=Case("best_has_capability", numbers=("best",)),
    )


def _best_beyond_range(evidence: Evidence) -> pl.DataFrame:
    code = pl.when(pl.col("left_by").is_null()).then(pl.lit("within_range")).otherwise(pl.lit("left_range"))
    return settle(
        _rows(evidence),
        NOT_STITCHED,
        value=pl.col("best") - pl.col("high"),
        note=Case(code, on_day="left_on", names=("left_by",)),
    )


_REFERENCE = (
    "item response model with known asymptotes (Birnbaum 1968), benchmarks as items; without asymptotes and errors "
    "Ho et al. 2025, arXiv:2512.00193"
)

DISCRIMINATES_AT = Indicator(
    "discriminates_at",
    "Capability at which it discriminates best",
    "On the scale stitched across benchmarks, where 0 is the mean of all models and 1 a logit on a typical benchmark. "
    "The interval is the range in which an item tells at least half as much about a model as at the peak.",
    _REFERENCE,
    _range,
    unit=Unit.LOGITS,
)
FRONTIER_BEYOND = Indicator(
    "frontier_beyond_range",
    "How far the best model is beyond the range in which it discriminates",
    "Capability of the best stitched model minus the upper end of that range; negative while it lies within or below.",
    _REFERENCE,
    _best_beyond_range,
    unit=Unit.LOGITS,
)
