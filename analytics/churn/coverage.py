"""How often the claims of an audit's card over clusters of items hold, on simulated boards of real shapes."""

from math import sqrt
from typing import NamedTuple


class Coverage(NamedTuple):
    """The shape of a board, and the shares of simulated boards of that shape on which the claims of a card hold.

    `boards` is how many were simulated. `equal` is the share on which the joint sets of ranks are right for all models
    at once where all models are equally good, and `apart` where they lie evenly apart (nominally .95). `first_two` is
    the share on which the 95% interval of the difference of the first two holds the true one, in the worse of both
    cases. `is_made_up` says that the board's own clusters are not known, so that these are invented.
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

    def standard_error(self, share: float) -> float:
        """The standard error of a share of the simulated boards; for a share of 1 as if one board had failed."""
        p = min(share, 1 - 1 / self.boards)
        return sqrt(p * (1 - p) / self.boards)


CLUSTERED_COVERAGE = (
    Coverage("timm ImageNet", 1_266, 50_000, 1_000, False, 400, 0.9525, 1.0, 0.995),
    Coverage("ImageNet testbed", 335, 50_000, 1_000, False, 2_000, 0.9505, 1.0, 0.9615),
    Coverage("LMArena text", 363, 9_559, 40, True, 2_000, 0.9405, 1.0, 0.9985),
    Coverage("AlpacaEval 2", 205, 805, 5, False, 400, 1.0, 1.0, 0.9975),
    Coverage("SQuAD 2.0", 203, 8_862, 35, False, 4_000, 0.9383, 1.0, 0.9778),
    Coverage("BigCodeBench hard", 192, 148, 7, False, 400, 1.0, 1.0, 1.0),
    Coverage("MMMU", 182, 900, 30, False, 400, 0.9975, 1.0, 0.9925),
    Coverage("ForecastBench", 171, 576, 9, True, 400, 1.0, 1.0, 1.0),
    Coverage("MMLU, Epoch AI", 167, 14_042, 57, False, 400, 0.955, 1.0, 0.97),
    Coverage("SvelteBench", 163, 9, 9, False, 400, 1.0, 1.0, 1.0),
)
"""One entry a board. On the probit scale a model's strength varies between clusters with a standard deviation of .15,
and the difficulty of clusters for all models with one of .5. Of the answers .5% are missing, of every tenth model 14%,
and count as wrong. Simulated in November 2026; the soak test of tests/analytics/churn/test_clustered_coverage.py
repeats it."""
