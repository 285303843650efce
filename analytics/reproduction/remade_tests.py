"""Claims about tests that others made anew: fresh images and problems, harder variants, and labels that were checked.

The robustness testbed's paper draws the line of ImageNet against its replica and prints none of its numbers, so they
are ours; how many models and settings a table has is no claim about them.
"""

from collections.abc import Mapping
from datetime import date

import polars as pl

from benchhealth.analytics.reproduction.claim import (
    Compute,
    Facts,
    Found,
    computed_from,
    drop_of,
    drops,
    extreme,
    of_facts,
    of_twin,
    paired,
)
from benchhealth.analytics.statistics.regression import least_squares

TO_V2 = "imagenet-to-v2-recht"
TO_V2_TIMM = "imagenet-to-v2"
TO_V2_TESTBED = "imagenet-to-v2-testbed"
TO_CIFAR_V4 = "cifar-10-to-10.1-v4"
TO_CIFAR_V6 = "cifar-10-to-10.1"
TO_GSM1K = "gsm8k-to-gsm1k"

NO_NETWORK = ("fv-4k",)
"""Not among the networks that the line goes through: a Fisher vector."""

WIDELY_USED = "vgg|^resnet|wide-resnet|^fbresnet|^cafferesnet"


@of_facts
def _rank_on_v2(facts: Facts, model: str) -> Found | None:
    rows = facts.newest_version("imagenet-v2-recht", "imagenetv2-mf")
    score = rows.filter(pl.col("model_id") == model)["score"].max()
    return None if score is None else Found(1.0 + rows.filter(pl.col("score") > score).height, rows.height)


@of_facts
def _line(facts: Facts, twin_id: str, term: str) -> Found | None:
    """Slope or offset (in points) of the line through all networks of a twin."""
    rows = drops(facts, twin_id).filter(~pl.col("model_id").is_in(NO_NETWORK))
    line = least_squares(rows["original"], rows["other"])
    return None if line is None else computed_from(line.slope if term == "slope" else line.intercept, 2 * rows.height)


@of_facts
def _widely_used(facts: Facts, twin_id: str) -> Found | None:
    """The mean drop, in points, of VGGs and plain ResNets."""
    rows = drops(facts, twin_id).filter(pl.col("model_id").str.contains(WIDELY_USED))
    return computed_from(rows["drop"].mean(), 2 * rows.height)


MMMU_PRO_MONTH_END = date(2024, 9, 30)
"""MMMU-Pro is of 4 September 2024; models of that month are in its table."""

FRONTIER = 10
"""How many of the best models by the original count as the frontier."""


def _frontier_drop(facts: Facts) -> Found | None:
    best = drops(facts, TO_GSM1K).sort("original", "model_id", descending=[True, False]).head(FRONTIER)
    return computed_from(best["drop"].mean(), 2 * best.height)


def _flagged_questions(facts: Facts) -> Found | None:
    rows = drops(facts, TO_GSM1K)
    return Found(float(rows["flagged"].sum()), 2 * rows.height) if rows.height else None


@of_facts
def _mmmu_drop(facts: Facts, *, largest: bool) -> Found | None:
    """From MMMU to MMMU-Pro, in points, over the models that the board dates before the paper or in its month."""
    rows = facts.newest_version("mmmu")
    of_the_time = rows.filter(pl.col("kind") == "model", pl.col("dated_on") <= MMMU_PRO_MONTH_END)
    drop = paired(of_the_time, "mmmu", "mmmu-pro").select(pl.col("original") - pl.col("other")).to_series()
    return extreme(drop, largest=largest)


@of_facts
def _faulty_share(facts: Facts, subject: str = "") -> Found | None:
    """The share of questions, in percent, that the authors of MMLU-Redux found a fault in: of a subject, or of all."""
    checks = facts.beside.label_error.filter(
        pl.col("benchmark_id").str.starts_with(f"mmlu/{subject}"), pl.col("source_url").str.contains("mmlu-redux")
    )
    if checks.is_empty():
        return None
    checked = int(checks["n_checked"].sum())
    return computed_from(100 * float(checks["share_flawed"].dot(checks["n_checked"]) or 0) / checked, checked)


COMPUTED: Mapping[str, Compute] = {
    "imagenet-v2-largest-drop": drop_of(TO_V2, largest=True),
    "imagenet-v2-smallest-drop": drop_of(TO_V2, largest=False),
    "imagenet-v2-first": _rank_on_v2("nasnetalarge"),
    "imagenet-v2-slope": _line(TO_V2, "slope"),
    "imagenet-v2-offset": _line(TO_V2, "offset"),
    "cifar-v6-slope": _line(TO_CIFAR_V6, "slope"),
    "imagenet-v2-widely-used": _widely_used(TO_V2),
    "cifar-v6-widely-used": _widely_used(TO_CIFAR_V6),
    "imagenet-v2-timm-gap": of_twin(TO_V2_TIMM, "gap"),
    "imagenet-v2-timm-slope": of_twin(TO_V2_TIMM, "slope"),
    "imagenet-v2-timm-r2": of_twin(TO_V2_TIMM, "r2"),
    "imagenet-v2-timm-tau": of_twin(TO_V2_TIMM, "kendall_tau"),
    "imagenet-v2-timm-tau-top": of_twin(TO_V2_TIMM, "kendall_tau_top"),
    "cifar-v4-smallest-drop": drop_of(TO_CIFAR_V4, largest=False),
    "cifar-v4-largest-drop": drop_of(TO_CIFAR_V4, largest=True),
    "cifar-v6-smallest-drop": drop_of(TO_CIFAR_V6, largest=False),
    "cifar-v6-largest-drop": drop_of(TO_CIFAR_V6, largest=True),
    "cifar-v4-slope": of_twin(TO_CIFAR_V4, "slope"),
    "cifar-v4-gap": of_twin(TO_CIFAR_V4, "gap"),
    "testbed-slope": of_twin(TO_V2_TESTBED, "slope"),
    "testbed-r2": of_twin(TO_V2_TESTBED, "r2"),
    "testbed-probit-slope": of_twin(TO_V2_TESTBED, "slope", "probit"),
    "testbed-probit-intercept": of_twin(TO_V2_TESTBED, "intercept", "probit"),
    "testbed-probit-r2": of_twin(TO_V2_TESTBED, "r2", "probit"),
    "gsm1k-largest-drop": drop_of(TO_GSM1K, largest=True),
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
