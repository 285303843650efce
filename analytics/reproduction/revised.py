"""Claims about tests that others made anew: fresh problems, harder variants, and labels that were checked."""

from collections.abc import Mapping
from datetime import date

import polars as pl

from benchhealth.analytics.reproduction.claim import (
    Compute,
    Facts,
    Found,
    computed_from,
    drops,
    largest_drop,
    of_twin,
    paired,
)

TO_GSM1K = "gsm8k-to-gsm1k"
PUBLISHED_ON = date(2024, 9, 30)
"""MMMU-Pro is of 4 September 2024; models of that month are in its table."""

FRONTIER = 10
"""How many of the best models by the original count as the frontier."""


def _frontier_drop(facts: Facts) -> Found | None:
    best = drops(facts, TO_GSM1K).sort("original", "model_id", descending=[True, False]).head(FRONTIER)
    return computed_from(best["drop"].mean(), 2 * best.height)


def _flagged_questions(facts: Facts) -> Found | None:
    rows = drops(facts, TO_GSM1K)
    return Found(float(rows["flagged"].sum()), 2 * rows.height) if rows.height else None


def _mmmu_drop(*, largest: bool) -> Compute:
    """From MMMU to MMMU-Pro, in points, over the models that the board dates before the paper or in its month."""

    def compute(facts: Facts) -> Found | None:
        rows = facts.newest_version("mmmu")
        of_the_time = rows.filter(pl.col("kind") == "model", pl.col("dated_on") <= PUBLISHED_ON)
        drop = paired(of_the_time, "mmmu", "mmmu-pro").select(pl.col("original") - pl.col("other")).to_series()
        return computed_from(drop.max() if largest else drop.min(), 2 * drop.len())

    return compute


def _faulty_share(subject: str = "") -> Compute:
    """The share of questions, in percent, that the authors of MMLU-Redux found a fault in: of a subject, or of all."""

    def compute(facts: Facts) -> Found | None:
        checks = facts.beside.label_error.filter(
            pl.col("benchmark_id").str.starts_with(f"mmlu/{subject}"), pl.col("source_url").str.contains("mmlu-redux")
        )
        if checks.is_empty():
            return None
        checked = int(checks["n_checked"].sum())
        return computed_from(100 * float(checks["share_flawed"].dot(checks["n_checked"]) or 0) / checked, checked)

    return compute


COMPUTED: Mapping[str, Compute] = {
    "gsm1k-largest-drop": largest_drop(TO_GSM1K),
    "gsm1k-frontier": _frontier_drop,
    "gsm1k-slope": of_twin(TO_GSM1K, "slope"),
    "gsm1k-r2": of_twin(TO_GSM1K, "r2"),
    "gsm1k-gap": of_twin(TO_GSM1K, "gap"),
    "gsm1k-flagged": _flagged_questions,
    "mmmu-pro-smallest-drop": _mmmu_drop(largest=False),
    "mmmu-pro-largest-drop": _mmmu_drop(largest=True),
    "mmlu-redux-flawed": _faulty_share(),
    "mmlu-redux-virology": _faulty_share("virology"),
    "humaneval-plus-gap": of_twin("humaneval-to-plus", "gap"),
}
