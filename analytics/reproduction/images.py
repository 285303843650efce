"""Claims about image classification: ImageNet and CIFAR-10, and their fresh test sets."""

import polars as pl

from analytics.reproduction.claim import (
    Claim,
    Compute,
    Facts,
    largest_drop,
    of_twin,
    percent,
    rows_of,
    score,
    smallest_drop,
)

RECHT_2018 = "https://arxiv.org/abs/1806.00451"
RECHT_2019 = "https://arxiv.org/abs/1902.10811"
TIMM = "https://github.com/huggingface/pytorch-image-models/tree/main/results"
TO_V2 = "imagenet-to-v2-recht"
TO_V2_TIMM = "imagenet-to-v2"
TO_CIFAR_V4 = "cifar-10-to-10.1-v4"
TO_CIFAR_V6 = "cifar-10-to-10.1"


def _rank_on_v2(model: str) -> Compute:
    def compute(facts: Facts) -> float | None:
        rows = rows_of(facts.newest_version("imagenet-v2-recht"), "imagenetv2-mf")
        own = rows.filter(pl.col("model_id") == model)["score"].max()
        return None if own is None else 1.0 + rows.filter(pl.col("score") > own).height

    return compute


def _oldest_of_ito(facts: Facts) -> float | None:
    rows = rows_of(facts.newest_version("ito"), "imagenet").sort("dated_on", "score")
    return percent(rows["score"].first())


_V2 = (
    ("pnasnet-large", "PNASNet-5 large", 72.2, "pnasnet-large-tf"),
    ("resnet-152", "ResNet-152", 67.0, "resnet152"),
    ("densenet-161", "DenseNet-161", 65.3, "densenet161"),
    ("vgg-19", "VGG-19 with batch normalisation", 61.9, "vgg19-bn"),
    ("alexnet", "AlexNet", 44.0, "alexnet"),
)

_TIMM = (
    ("gap", "the mean gap is 10.86 points", 10.86, 0.05, "gap", "points"),
    ("slope", "a point on ImageNet is worth 1.194 points on ImageNetV2", 1.194, 0.01, "slope", "slope"),
    ("r2", "the line explains 98.4% of the variance", 0.984, 0.001, "r2", "share"),
    ("tau", "the order is kept with a Kendall's tau of 0.940", 0.940, 0.01, "kendall_tau", "tau"),
    ("tau-top", "among the best 50 only with one of 0.61", 0.61, 0.01, "kendall_tau_top", "tau"),
)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "imagenet-2012",
        "The best ImageNet top-1 accuracy of 2012 was 63.3% (AlexNet)",
        63.3,
        0.05,
        "https://github.com/OpenBioLink/ITO",
        _oldest_of_ito,
        scores_of="ito",
    ),
    Claim(
        "imagenet-above-90",
        "ViT-G/14 reached 90.45% top-1 on ImageNet",
        90.45,
        0.005,
        "https://arxiv.org/abs/2106.04560",
        score("ito", "imagenet"),
        scores_of="ito",
    ),
    Claim(
        "imagenet-v2-largest-drop",
        "Accuracy drops from ImageNet to ImageNetV2 by up to 14 points",
        14,
        0.5,
        RECHT_2019,
        largest_drop(TO_V2),
        unit="points",
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
    ),
    Claim(
        "imagenet-v2-first",
        "NASNet-A large is first on ImageNetV2",
        1,
        0,
        RECHT_2019,
        _rank_on_v2("nasnetalarge"),
        unit="rank",
    ),
    *(
        Claim(
            f"imagenet-v2-{name}",
            f"{title} scores {value:.1f}% on ImageNetV2",
            value,
            0.05,
            RECHT_2019,
            score("imagenet-v2-recht", "imagenetv2-mf", model),
        )
        for name, title, value, model in _V2
    ),
    *(
        Claim(
            f"imagenet-v2-timm-{name}",
            f"From ImageNet to ImageNetV2 over all models of timm in August 2024, {what}",
            value,
            within,
            TIMM,
            of_twin(TO_V2_TIMM, column),
            unit=unit,
        )
        for name, what, value, within, column, unit in _TIMM
    ),
    Claim(
        "cifar-v4-smallest-drop",
        "Accuracy drops from CIFAR-10 to CIFAR-10.1 by at least 4 points (first edition of the set)",
        4,
        0.5,
        RECHT_2018,
        smallest_drop(TO_CIFAR_V4),
        unit="points",
    ),
    Claim(
        "cifar-v4-largest-drop",
        "Accuracy drops from CIFAR-10 to CIFAR-10.1 by up to 10 points (first edition of the set)",
        10,
        0.5,
        RECHT_2018,
        largest_drop(TO_CIFAR_V4),
        why="the paper speaks of a broad range of deep networks; the random features in its tables, and its oldest and "
        "smallest networks, lose more",
        unit="points",
    ),
    Claim(
        "cifar-v6-largest-drop",
        "Accuracy drops from CIFAR-10 to CIFAR-10.1 by up to 15 points (second edition of the set)",
        15,
        0.5,
        RECHT_2019,
        largest_drop(TO_CIFAR_V6),
        unit="points",
    ),
    Claim(
        "cifar-v6-smallest-drop",
        "Accuracy drops from CIFAR-10 to CIFAR-10.1 by at least 3 points (second edition of the set)",
        3,
        0.5,
        RECHT_2019,
        smallest_drop(TO_CIFAR_V6),
        why="the predictions on record are the 30 of 2018; the paper of 2019 adds better models that lose less",
        unit="points",
    ),
    Claim(
        "cifar-v4-slope",
        "A point on CIFAR-10 is worth 1.617 points on CIFAR-10.1 (first edition of the set)",
        1.617,
        0.01,
        "https://github.com/modestyachts/CIFAR-10.1",
        of_twin(TO_CIFAR_V4, "slope"),
        unit="slope",
    ),
    Claim(
        "cifar-v4-gap",
        "The mean gap between CIFAR-10 and CIFAR-10.1 is 8.11 points (first edition of the set)",
        8.11,
        0.01,
        "https://github.com/modestyachts/CIFAR-10.1",
        of_twin(TO_CIFAR_V4, "gap"),
        unit="points",
    ),
)
