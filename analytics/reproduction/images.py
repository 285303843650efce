"""Claims about image classification: ImageNet and CIFAR-10, and their fresh test sets."""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.reproduction.claim import (
    Compute,
    Facts,
    Found,
    computed_from,
    drops,
    largest_drop,
    of_twin,
    smallest_drop,
)
from benchhealth.analytics.statistics.regression import least_squares

TO_V2 = "imagenet-to-v2-recht"
TO_V2_TIMM = "imagenet-to-v2"
TO_CIFAR_V4 = "cifar-10-to-10.1-v4"
TO_CIFAR_V6 = "cifar-10-to-10.1"
NO_NETWORK = ("fv-4k",)
"""Not among the networks that the line goes through: a Fisher vector."""

WIDELY_USED = "vgg|^resnet|wide-resnet|^fbresnet|^cafferesnet"


def _rank_on_v2(model: str) -> Compute:
    def compute(facts: Facts) -> Found | None:
        rows = facts.newest_version("imagenet-v2-recht", "imagenetv2-mf")
        score = rows.filter(pl.col("model_id") == model)["score"].max()
        return None if score is None else Found(1.0 + rows.filter(pl.col("score") > score).height, rows.height)

    return compute


def _line(twin_id: str, term: str) -> Compute:
    """Slope or offset (in points) of the line through all networks of a twin."""

    def compute(facts: Facts) -> Found | None:
        rows = drops(facts, twin_id).filter(~pl.col("model_id").is_in(NO_NETWORK))
        line = least_squares(rows["original"], rows["other"])
        return (
            None if line is None else computed_from(line.slope if term == "slope" else line.intercept, 2 * rows.height)
        )

    return compute


def _widely_used(twin_id: str) -> Compute:
    """The mean drop, in points, of VGGs and plain ResNets."""

    def compute(facts: Facts) -> Found | None:
        rows = drops(facts, twin_id).filter(pl.col("model_id").str.contains(WIDELY_USED))
        return computed_from(rows["drop"].mean(), 2 * rows.height)

    return compute


COMPUTED: Mapping[str, Compute] = {
    "imagenet-v2-largest-drop": largest_drop(TO_V2),
    "imagenet-v2-smallest-drop": smallest_drop(TO_V2),
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
    "cifar-v4-smallest-drop": smallest_drop(TO_CIFAR_V4),
    "cifar-v4-largest-drop": largest_drop(TO_CIFAR_V4),
    "cifar-v6-smallest-drop": smallest_drop(TO_CIFAR_V6),
    "cifar-v6-largest-drop": largest_drop(TO_CIFAR_V6),
    "cifar-v4-slope": of_twin(TO_CIFAR_V4, "slope"),
    "cifar-v4-gap": of_twin(TO_CIFAR_V4, "gap"),
}
