"""The line of the robustness testbed: ImageNet against its replica over all kinds of models.

The testbed's paper draws these fits and prints none of them, so they are ours; how many models and settings a table
has is no claim about them.
"""

from collections.abc import Mapping

from benchhealth.analytics.reproduction.claim import Compute, of_twin

TO_V2 = "imagenet-to-v2-testbed"

COMPUTED: Mapping[str, Compute] = {
    "testbed-slope": of_twin(TO_V2, "slope"),
    "testbed-r2": of_twin(TO_V2, "r2"),
    "testbed-probit-slope": of_twin(TO_V2, "slope", "probit"),
    "testbed-probit-intercept": of_twin(TO_V2, "intercept", "probit"),
    "testbed-probit-r2": of_twin(TO_V2, "r2", "probit"),
}
