"""How often the interval of the leader's true score holds it where models' errors are alike."""

from benchhealth.analytics.saturation.leader import CONTENDERS, SHARED_COVERAGE
from benchhealth.dashboard.words.text import listed

OF_THE_LEADER = frozenset({"headroom", "headroom_of_ceiling", "human_margin"})
"""The indicators whose interval it is."""


def leader_coverage() -> str:
    """What was simulated, by test and by the correlation of errors."""
    cases = [
        f"on {items:,} items of which they solve {share:.0%}, in {listed([f'{held:.2f}' for _, held in by])} of cases "
        f"where errors correlate by {listed([f'{correlation:g}' for correlation, _ in by])}"
        for (items, share), by in SHARED_COVERAGE.items()
    ]
    return (
        "Errors of models count as independent, and those of models that answer the same items are alike. Of "
        f"{CONTENDERS} equally good models the interval holds the leader's true score, {'; '.join(cases)}; 0.95 is "
        "said (simulated)."
    )
