"""The line of the robustness testbed: ImageNet against its replica over all kinds of models.

The testbed's paper draws these fits and prints none of them, so they are ours; how many models and settings a table
has is no claim about them.
"""

from benchhealth.analytics.reproduction.claim import Claim, of_twin, ours

TABLE = "https://github.com/modestyachts/imagenet-testbed"
TO_V2 = "imagenet-to-v2-testbed"

_LINE = (
    ("testbed-slope", "linear slope", "slope", "linear", "slope"),
    ("testbed-r2", "linear R²", "r2", "linear", "share"),
    ("testbed-probit-slope", "probit slope", "slope", "probit", "slope"),
    ("testbed-probit-intercept", "probit intercept", "intercept", "probit", "probits"),
    ("testbed-probit-r2", "probit R²", "r2", "probit", "share"),
)

CLAIMS: tuple[Claim, ...] = tuple(
    ours(name, f"ImageNet to V2 over all models of the testbed: {what}", TABLE, of_twin(TO_V2, column, scale), unit)
    for name, what, column, scale, unit in _LINE
)
