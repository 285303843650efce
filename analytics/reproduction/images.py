"""Claims about image classification: ImageNet and CIFAR-10, their fresh test sets, and robustness."""

import polars as pl

from analytics.reproduction.claim import (
    Claim,
    Compute,
    Facts,
    largest_drop,
    number,
    of,
    of_twin,
    percent,
    rise,
    score,
    smallest_drop,
)

RECHT_2018 = "https://arxiv.org/abs/1806.00451"
RECHT_2019 = "https://arxiv.org/abs/1902.10811"
TAORI = "https://arxiv.org/abs/2007.00644"
TESTBED = "https://github.com/modestyachts/imagenet-testbed"
TO_V2 = "imagenet-to-v2-recht"
TO_V2_TESTBED = "imagenet-to-v2-testbed"
TO_CIFAR_V4 = "cifar-10-to-10.1-v4"
TO_CIFAR_V6 = "cifar-10-to-10.1"


def _rank_on_v2(model: str) -> Compute:
    def compute(known: Facts) -> float | None:
        rows = of(known.listed("imagenet-v2-recht"), "imagenetv2-mf")
        own = rows.filter(pl.col("model_id") == model)["score"].max()
        return None if own is None else 1.0 + rows.filter(pl.col("score") > own).height

    return compute


def _oldest_of_ito(known: Facts) -> float | None:
    rows = of(known.listed("ito"), "imagenet").sort("dated_on", "score")
    return percent(rows["score"].first())


def _testbed(count: str) -> Compute:
    def compute(known: Facts) -> float | None:
        rows = known.listed("imagenet-testbed")
        return None if rows is None else number(rows[count].n_unique())

    return compute


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "imagenet-2012",
        "The best ImageNet top-1 accuracy of 2012 was 63.3% (AlexNet)",
        63.3,
        0.05,
        "https://github.com/OpenBioLink/ITO",
        _oldest_of_ito,
    ),
    Claim(
        "imagenet-above-90",
        "ViT-G/14 reached 90.45% top-1 on ImageNet",
        90.45,
        0.005,
        "https://arxiv.org/abs/2106.04560",
        score("ito", "imagenet"),
    ),
    Claim(
        "imagenet-v2-largest-drop",
        "Accuracy drops from ImageNet to ImageNetV2 by up to 14 points",
        14,
        0.5,
        RECHT_2019,
        largest_drop(TO_V2),
    ),
    Claim(
        "imagenet-v2-smallest-drop",
        "Accuracy drops from ImageNet to ImageNetV2 by at least 11 points",
        11,
        0.5,
        RECHT_2019,
        smallest_drop(TO_V2),
        why="the range that the paper sums up leaves out its weakest model, a Fisher vector at 21%",
    ),
    Claim(
        "imagenet-v2-first",
        "NASNet-A large, fourth on ImageNet, is first on ImageNetV2",
        1,
        0,
        RECHT_2019,
        _rank_on_v2("nasnetalarge"),
    ),
    Claim("imagenet-v2-alexnet", "AlexNet is 64th on ImageNetV2", 64, 0, RECHT_2019, _rank_on_v2("alexnet")),
    Claim(
        "cifar-v4-smallest-drop",
        "Accuracy drops from CIFAR-10 to CIFAR-10.1 by at least 4 points (first edition of the set)",
        4,
        0.5,
        RECHT_2018,
        smallest_drop(TO_CIFAR_V4),
    ),
    Claim(
        "cifar-v4-largest-drop",
        "Accuracy drops from CIFAR-10 to CIFAR-10.1 by up to 10 points (first edition of the set)",
        10,
        0.5,
        RECHT_2018,
        largest_drop(TO_CIFAR_V4),
        why="the paper speaks of deep networks; AlexNet and the random features in its tables lose more",
    ),
    Claim(
        "cifar-v6-largest-drop",
        "Accuracy drops from CIFAR-10 to CIFAR-10.1 by up to 15 points (second edition of the set)",
        15,
        0.5,
        RECHT_2019,
        largest_drop(TO_CIFAR_V6),
    ),
    Claim(
        "cifar-v6-smallest-drop",
        "Accuracy drops from CIFAR-10 to CIFAR-10.1 by at least 3 points (second edition of the set)",
        3,
        0.5,
        RECHT_2019,
        smallest_drop(TO_CIFAR_V6),
        why="the predictions on record are the 30 of 2018; the paper of 2019 adds better models that lose less",
    ),
    Claim(
        "cifar-v4-slope",
        "A point on CIFAR-10 is worth 1.617 points on CIFAR-10.1 (first edition of the set)",
        1.617,
        0.01,
        "https://github.com/modestyachts/CIFAR-10.1",
        of_twin(TO_CIFAR_V4, "slope"),
    ),
    Claim(
        "cifar-v4-gap",
        "The mean gap between CIFAR-10 and CIFAR-10.1 is 8.11 points (first edition of the set)",
        8.11,
        0.01,
        "https://github.com/modestyachts/CIFAR-10.1",
        of_twin(TO_CIFAR_V4, "gap"),
    ),
    Claim("testbed-settings", "The testbed has 213 settings", 213, 0, TAORI, _testbed("benchmark_id")),
    Claim(
        "testbed-models",
        "The testbed has 204 models",
        204,
        0,
        TAORI,
        _testbed("model_id"),
        why="the table has grown since the paper",
    ),
    Claim("testbed-slope", "ImageNet to V2, linear slope", 0.875, 0.005, TESTBED, of_twin(TO_V2_TESTBED, "slope")),
    Claim("testbed-r2", "ImageNet to V2, linear R²", 0.996, 0.001, TESTBED, of_twin(TO_V2_TESTBED, "r2")),
    Claim(
        "testbed-probit-slope",
        "ImageNet to V2, probit slope",
        0.915,
        0.005,
        TESTBED,
        of_twin(TO_V2_TESTBED, "slope", "probit"),
    ),
    Claim(
        "testbed-probit-intercept",
        "ImageNet to V2, probit intercept",
        -0.284,
        0.005,
        TESTBED,
        of_twin(TO_V2_TESTBED, "intercept", "probit"),
    ),
    Claim(
        "testbed-probit-r2",
        "ImageNet to V2, probit R²",
        0.999,
        0.001,
        TESTBED,
        of_twin(TO_V2_TESTBED, "r2", "probit"),
    ),
    Claim(
        "resnet50-clean",
        "The plain ResNet-50 of torchvision scores 76.13% on ImageNet",
        76.13,
        0.005,
        "https://docs.pytorch.org/vision/main/models/generated/torchvision.models.resnet50.html",
        score("imagenet-testbed", "imagenet", "resnet50"),
    ),
    Claim(
        "resnet50-robust-clean",
        "A ResNet-50 trained against attacks within 4/255 scores 62.42% without any attack",
        62.42,
        0.1,
        "https://github.com/MadryLab/robustness",
        score("imagenet-testbed", "imagenet", "resnet50-linf-eps4-robust"),
    ),
    Claim(
        "resnet50-price-of-robustness",
        "Training against attacks within 4/255 costs a ResNet-50 13.71 points without any attack",
        13.71,
        0.1,
        "https://github.com/MadryLab/robustness",
        rise(
            score("imagenet-testbed", "imagenet", "resnet50-linf-eps4-robust"),
            score("imagenet-testbed", "imagenet", "resnet50"),
        ),
    ),
)
