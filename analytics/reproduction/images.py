"""Claims about image classification: ImageNet and CIFAR-10, and their fresh test sets."""

import polars as pl

from benchhealth.analytics.reproduction.claim import (
    Claim,
    Compute,
    Facts,
    Found,
    Publication,
    drops,
    found,
    largest_drop,
    of_twin,
    ours,
    smallest_drop,
)
from benchhealth.analytics.statistics.regression import least_squares

RECHT_2018 = Publication(
    "Recht et al. 2018, Do CIFAR-10 classifiers generalize to CIFAR-10?",
    2018,
    "https://arxiv.org/abs/1806.00451",
    "the abstract, in a public repository's notes",
)
RECHT_2019 = Publication(
    "Recht et al. 2019, Do ImageNet classifiers generalize to ImageNet?",
    2019,
    "https://arxiv.org/abs/1902.10811",
    "the first page on arxiv-vanity.com; the fits as quoted in a public repository's notes",
)
TIMM = "https://github.com/huggingface/pytorch-image-models/tree/main/results"
CIFAR = "https://github.com/modestyachts/CIFAR-10.1"
TO_V2 = "imagenet-to-v2-recht"
TO_V2_TIMM = "imagenet-to-v2"
TO_CIFAR_V4 = "cifar-10-to-10.1-v4"
TO_CIFAR_V6 = "cifar-10-to-10.1"
NO_NETWORK = ("fv-4k",)
"""Not among the networks that the line goes through: a Fisher vector."""

WIDELY_USED = "vgg|^resnet|wide-resnet|^fbresnet|^cafferesnet"
WHOLE_POINTS = "the paper prints whole points"
OF_30 = "the predictions on record are the 30 of 2018; the paper of 2019 adds better models that lose less"
LEFT_OUT = "as far as leaving out any one network moves it"
INTERVAL = "half the width of the interval that the paper prints, [1.63, 1.76]"
WITH_FISHER = "the line through the Fisher vector too"
NO_STEEPER = "a point on the original is worth a point on its fresh test set"
ABSTRACT, FIT = "abstract", "text, linear fits and their bootstrap intervals"


def _rank_on_v2(model: str) -> Compute:
    def compute(facts: Facts) -> Found | None:
        rows = facts.newest_version("imagenet-v2-recht", "imagenetv2-mf")
        own = rows.filter(pl.col("model_id") == model)["score"].max()
        return None if own is None else Found(1.0 + rows.filter(pl.col("score") > own).height, rows.height)

    return compute


def _line(twin_id: str, part: str) -> Compute:
    """Slope or offset (in points) of the line through all networks of a twin."""

    def compute(facts: Facts) -> Found | None:
        rows = drops(facts, twin_id).filter(~pl.col("model_id").is_in(NO_NETWORK))
        line = least_squares(rows["original"], rows["other"])
        return None if line is None else found(line.slope if part == "slope" else line.intercept, 2 * rows.height)

    return compute


def _widely_used(twin_id: str) -> Compute:
    """The mean drop, in points, of VGGs and plain ResNets."""

    def compute(facts: Facts) -> Found | None:
        rows = drops(facts, twin_id).filter(pl.col("model_id").str.contains(WIDELY_USED))
        return found(rows["drop"].mean(), 2 * rows.height)

    return compute


_TIMM = (
    ("gap", "the mean gap in points", "gap", "points"),
    ("slope", "what a point on ImageNet is worth on ImageNetV2", "slope", "slope"),
    ("r2", "how much of the variance the line explains", "r2", "share"),
    ("tau", "Kendall's tau over all models", "kendall_tau", "tau"),
    ("tau-top", "Kendall's tau among the best 50", "kendall_tau_top", "tau"),
)

_FITS = (
    ("imagenet-v2-slope", TO_V2, "slope", ("ImageNet", "ImageNetV2"), 1.11, 0.02, LEFT_OUT, 0.98, WITH_FISHER, ""),
    ("imagenet-v2-offset", TO_V2, "offset", ("ImageNet", "ImageNetV2"), -20.2, 1.6, LEFT_OUT, -10.2, WITH_FISHER, ""),
    ("cifar-v6-slope", TO_CIFAR_V6, "slope", ("CIFAR-10", "CIFAR-10.1"), 1.69, 0.065, INTERVAL, 1, NO_STEEPER, OF_30),
)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "imagenet-v2-largest-drop",
        "Accuracy drops from ImageNet to ImageNetV2 by up to 14 points",
        14,
        0.5,
        RECHT_2019,
        largest_drop(TO_V2),
        unit="points",
        place=ABSTRACT,
        within=WHOLE_POINTS,
    ),
    Claim(
        "imagenet-v2-smallest-drop",
        "Accuracy drops from ImageNet to ImageNetV2 by at least 11 points",
        11,
        0.5,
        RECHT_2019,
        smallest_drop(TO_V2),
        why="the paper's summary leaves out its weakest model, a small Fisher vector, whose accuracy is too low to "
        "fall as far as the others'",
        unit="points",
        place=ABSTRACT,
        within=WHOLE_POINTS,
    ),
    Claim(
        "imagenet-v2-first",
        "NASNet-A large is first on ImageNetV2",
        1,
        0,
        RECHT_2019,
        _rank_on_v2("nasnetalarge"),
        unit="rank",
        place="table of the models by their accuracy",
        within="a rank is whole",
    ),
    *(
        Claim(
            claim_id,
            f"The line from {original} to {other} has {'a slope' if part == 'slope' else 'an offset'} of {value:g}",
            value,
            within,
            RECHT_2019,
            _line(twin_id, part),
            why=why or "without the Fisher vector, the one model that is no network",
            unit="slope" if part == "slope" else "points",
            place=FIT,
            within=reason,
            null_value=null,
            null_reason=null_reason,
        )
        for claim_id, twin_id, part, (original, other), value, within, reason, null, null_reason, why in _FITS
    ),
    *(
        Claim(
            f"{claim_id}-widely-used",
            f"Widely used networks such as VGG and ResNet lose {value} points from {original} to its fresh test set",
            value,
            0.5,
            RECHT_2019,
            _widely_used(twin_id),
            why="the mean over all VGGs and plain ResNets on record; the paper does not say which it means",
            unit="points",
            place="text of the results",
            within=WHOLE_POINTS,
        )
        for claim_id, twin_id, original, value in (
            ("imagenet-v2", TO_V2, "ImageNet", 11),
            ("cifar-v6", TO_CIFAR_V6, "CIFAR-10", 8),
        )
    ),
    *(
        ours(
            f"imagenet-v2-timm-{name}",
            f"From ImageNet to ImageNetV2 over all models of timm in August 2024: {what}",
            TIMM,
            of_twin(TO_V2_TIMM, column),
            unit,
        )
        for name, what, column, unit in _TIMM
    ),
    *(
        Claim(
            f"cifar-v4-{size}-drop",
            f"Accuracy drops from CIFAR-10 to CIFAR-10.1 by {words} points (first edition of the set)",
            value,
            0.5,
            RECHT_2018,
            compute(TO_CIFAR_V4),
            why,
            "points",
            place=ABSTRACT,
            within=WHOLE_POINTS,
        )
        for size, words, value, compute, why in (
            ("smallest", "at least 4", 4, smallest_drop, ""),
            (
                "largest",
                "up to 10",
                10,
                largest_drop,
                "the paper speaks of a broad range of deep networks; the random features in its tables, and its "
                "oldest and smallest networks, lose more",
            ),
        )
    ),
    *(
        Claim(
            f"cifar-v6-{size}-drop",
            f"Accuracy drops from CIFAR-10 to CIFAR-10.1 by {words} points (second edition of the set)",
            value,
            0.5,
            RECHT_2019,
            compute(TO_CIFAR_V6),
            why,
            "points",
            place=ABSTRACT,
            within=WHOLE_POINTS,
        )
        for size, words, value, compute, why in (
            ("largest", "up to 15", 15, largest_drop, ""),
            ("smallest", "at least 3", 3, smallest_drop, OF_30),
        )
    ),
    *(
        ours(
            f"cifar-v4-{column}",
            f"From CIFAR-10 to CIFAR-10.1 over 30 models (first edition of the set): {what}",
            CIFAR,
            of_twin(TO_CIFAR_V4, column),
            unit,
        )
        for column, what, unit in (
            ("slope", "what a point is worth", "slope"),
            ("gap", "the mean gap in points", "points"),
        )
    ),
)
