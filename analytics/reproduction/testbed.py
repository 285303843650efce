"""Claims about the robustness testbed: ImageNet against its replica over all kinds of models, and under attack."""

from analytics.reproduction.claim import Claim, Compute, Facts, number, of_twin, rise, score

TAORI = "https://arxiv.org/abs/2007.00644"
TABLE = "https://github.com/modestyachts/imagenet-testbed"
ROBUSTNESS = "https://github.com/MadryLab/robustness"
TO_V2 = "imagenet-to-v2-testbed"
PLAIN, LINF_4 = "resnet50", "resnet50-linf-eps4-robust"
LINF_8, L2_3 = "resnet50-linf-eps8-robust", "resnet50-l2-eps3-robust"
OTHER_ATTACK = "the testbed ran an attack of its own, which leaves more accuracy than that of the published table"


def _testbed(count: str) -> Compute:
    def compute(facts: Facts) -> float | None:
        rows = facts.newest_version("imagenet-testbed")
        return None if rows is None else number(rows[count].n_unique())

    return compute


def _clean(model: str) -> Compute:
    return score("imagenet-testbed", "imagenet", model)


def _attacked(model: str) -> Compute:
    """Under attacks of length 0.5 in L2, the one strength that the testbed and the published table share."""
    return score("imagenet-testbed", "imagenet-testbed-pgd.l2.eps0.5", model)


_LINE = (
    ("testbed-slope", "linear slope", 0.875, 0.005, "slope", "linear", "slope"),
    ("testbed-r2", "linear R²", 0.996, 0.001, "r2", "linear", "share"),
    ("testbed-probit-slope", "probit slope", 0.915, 0.005, "slope", "probit", "slope"),
    ("testbed-probit-intercept", "probit intercept", -0.284, 0.005, "intercept", "probit", "probits"),
    ("testbed-probit-r2", "probit R²", 0.999, 0.001, "r2", "probit", "share"),
)

_CLEAN = (
    ("resnet50-clean", "A ResNet-50 as usually trained", 76.13, PLAIN),
    ("resnet50-linf-4-clean", "A ResNet-50 trained against attacks within 4/255", 62.42, LINF_4),
    ("resnet50-linf-8-clean", "A ResNet-50 trained against attacks within 8/255", 47.91, LINF_8),
    ("resnet50-l2-3-clean", "A ResNet-50 trained against attacks of L2 length up to 3", 57.90, L2_3),
)

_ATTACKED = (
    ("resnet50-attacked", "A ResNet-50 as usually trained", 2.98, PLAIN),
    ("resnet50-l2-3-attacked", "A ResNet-50 trained against attacks of L2 length up to 3", 54.42, L2_3),
)

CLAIMS: tuple[Claim, ...] = (
    Claim("testbed-settings", "The testbed has 213 settings", 213, 0, TAORI, _testbed("benchmark_id"), unit="settings"),
    Claim(
        "testbed-models",
        "The testbed has 204 models",
        204,
        0,
        TAORI,
        _testbed("model_id"),
        why="the table has grown since the paper",
        unit="models",
    ),
    *(
        Claim(
            name,
            f"ImageNet to V2 over all models, {what}",
            value,
            within,
            TABLE,
            of_twin(TO_V2, column, scale),
            "",
            unit,
        )
        for name, what, value, within, column, scale, unit in _LINE
    ),
    *(
        Claim(name, f"{who} scores {value:.2f}% on ImageNet without an attack", value, 0.01, ROBUSTNESS, _clean(model))
        for name, who, value, model in _CLEAN
    ),
    Claim(
        "resnet50-price-of-robustness",
        "Training against attacks within 4/255 costs a ResNet-50 13.71 points without an attack",
        13.71,
        0.02,
        ROBUSTNESS,
        rise(_clean(LINF_4), _clean(PLAIN)),
        unit="points",
    ),
    *(
        Claim(
            name,
            f"{who} scores {value:.2f}% under attacks of L2 length 0.5",
            value,
            0.5,
            ROBUSTNESS,
            _attacked(model),
            why=OTHER_ATTACK,
        )
        for name, who, value, model in _ATTACKED
    ),
)
