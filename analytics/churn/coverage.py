"""How often what a card says over clusters of items holds: simulated boards of the shapes of the largest real ones."""

from math import sqrt
from typing import NamedTuple


class Covered(NamedTuple):
    """A shape of boards, and the shares of so many simulated `boards` of it in which the claims of a card hold.

    `equal` and `apart` are how often the joint sets of ranks hold for all models at once, where all are equally good
    and where they lie evenly apart (nominally .95), `first_two` how often the 95% interval of the first two's
    difference holds the true one, in the worse of both cases. `is_made_up` says that the board's own clusters are not
    known, so that these are invented.
    """

    board: str
    models: int
    items: int
    clusters: int
    is_made_up: bool
    boards: int
    equal: float
    apart: float
    first_two: float

    def width(self, share: float) -> float:
        """The standard error of a share of so many boards; of one that is 1 as if one board had failed."""
        p = min(share, 1 - 1 / self.boards)
        return sqrt(p * (1 - p) / self.boards)


CLUSTERED_COVERAGE = (
    Covered("timm ImageNet", 1_266, 50_000, 1_000, False, 400, 0.9525, 1.0, 0.995),
    Covered("ImageNet testbed", 335, 50_000, 1_000, False, 2_000, 0.9505, 1.0, 0.9615),
    Covered("LMArena text", 363, 9_559, 40, True, 2_000, 0.9405, 1.0, 0.9985),
    Covered("AlpacaEval 2", 205, 805, 5, False, 400, 1.0, 1.0, 0.9975),
    Covered("SQuAD 2.0", 203, 8_862, 35, False, 4_000, 0.9383, 1.0, 0.9778),
    Covered("BigCodeBench hard", 192, 148, 7, False, 400, 1.0, 1.0, 1.0),
    Covered("MMMU", 182, 900, 30, False, 400, 0.9975, 1.0, 0.9925),
    Covered("ForecastBench", 171, 576, 9, True, 400, 1.0, 1.0, 1.0),
    Covered("MMLU, Epoch AI", 167, 14_042, 57, False, 400, 0.955, 1.0, 0.97),
    Covered("SvelteBench", 163, 9, 9, False, 400, 1.0, 1.0, 1.0),
)
"""By board. Models are better or worse from cluster to cluster on their own (.15 on the probit scale), clusters harder
for all (.5); .5% of the answers are missing and of every tenth model 14%, counted as wrong. Simulated in November 2026;
held by the soak test of tests/analytics/churn/test_clustered_coverage.py."""
