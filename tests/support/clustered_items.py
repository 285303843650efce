"""Models that answer simulated items in clusters, on which each is better or worse than elsewhere."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

from benchhealth.analytics.record.by_item.item_results import ItemTest
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.statistics.arrays import Numbers


def item_test(
    facts: Frames, outcomes: NDArray[Any], cluster: NDArray[Any] | None, answered: NDArray[np.bool_] | None = None
) -> ItemTest:
    """The results of these facts as one test, in their order, with these outcomes and clusters."""
    solved = np.asarray(outcomes, dtype=np.float64)
    runs = facts.result.select(
        "snapshot_id", "source_row", "source_id", "benchmark_id", "model_id", "setting", "reporter"
    )
    number = 0 if cluster is None else int(cluster.max()) + 1
    return ItemTest(
        benchmark_id="b",
        condition="",
        runs=runs.with_columns(condition=pl.lit("")).collect(),
        outcomes=solved,
        answered=np.ones(solved.shape, dtype=np.bool_) if answered is None else answered,
        items=tuple(f"b {index}" for index in range(solved.shape[1])),
        clusters=tuple(f"subject {index}" for index in range(number)),
        cluster=None if cluster is None else cluster.astype(np.int64),
        chosen=None,
    )


class Clusters(NamedTuple):
    """How many items each cluster holds, and how far each model's own ability varies from cluster to cluster (probit).

    `alike` is by how much clusters are harder for all.
    """

    name: str
    sizes: tuple[int, ...]
    own_spread: float = 0.15
    alike: float = 0.5

    def answered(
        self, rng: np.random.Generator, models: int, ability: Numbers | float = 0.0
    ) -> tuple[Numbers, NDArray[np.intp]]:
        """Outcomes 0 or 1 on clusters and items drawn anew, (models, items), and the cluster of each item."""
        number = len(self.sizes)
        of_item = np.repeat(np.arange(number), self.sizes)
        level = self.own_spread * rng.standard_normal((models, number)) + self.alike * rng.standard_normal(number)
        p = special.ndtr(level[:, of_item] + np.reshape(ability, (-1, 1)) - rng.standard_normal(of_item.size))
        return np.asarray(rng.random(p.shape) < p, dtype=np.float64), of_item


SHAPES: Mapping[str, Clusters] = {
    one.name: one
    for one in (
        Clusters("MMLU-Pro", (169, 162, 142, 138, 121, 116, 106, 102, 100, 99, 90, 62, 51, 48)),
        Clusters("SWE-bench Verified", (231, 75, 44, 34, 32, 22, 22, 19, 10, 8, 2, 1)),
        Clusters("SQuAD 2.0", (60,) * 35),
        Clusters("passages of five", (5,) * 80),
        Clusters("five subjects", (60,) * 5),
        Clusters("one of eleven holds nine tenths", (450, *(5,) * 10)),
    )
}
"""Sizes of clusters: the 14 subjects of MMLU-Pro, an eighth of the items each; the 12 repositories of SWE-bench
Verified; 35 articles, fewer questions of each than SQuAD has; and made-up ones at the edges."""
