"""The models of a test that is known item by item, one run each, the best first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.record.by_item.item_results import ItemTest
from benchhealth.analytics.statistics.arrays import Flags, Numbers

FEWEST_MODELS = 8
"""With fewer models on the same items nothing is said of items."""

FEWEST_ITEMS = 20
"""With fewer items nothing is said of them."""

OK = "ok"
"""What people say of an item that they checked and found right."""

SOLVED = 0.5
"""An item of which a model has more than so much counts as solved."""


@dataclass(frozen=True)
class Panel:
    """One test, (models, items): of each model its best run, by score, best first; of equals the first by name.

    `outcomes` are 0 to 1, an item without an answer counts as not solved; `answered` says which those are. `chosen`
    and `cluster` are as in `ItemTest`; `labels` is what people found of each item, empty where nobody checked it.
    """

    source_id: str
    benchmark_id: str
    condition: str
    models: tuple[str, ...]
    snapshots: tuple[str, ...]
    outcomes: Numbers
    answered: Flags
    items: tuple[str, ...]
    clusters: tuple[str, ...]
    cluster: NDArray[np.int64] | None
    chosen: NDArray[np.uint32] | None
    labels: tuple[str, ...]

    @property
    def scores(self) -> Numbers:
        """The mean outcome of each model over the items, shape (models,)."""
        return np.asarray(self.outcomes.mean(axis=1))

    @property
    def solved(self) -> Flags:
        """Whether each model solved each item, shape (models, items)."""
        return np.asarray(self.outcomes > SOLVED)

    @property
    def known_cluster(self) -> NDArray[np.int64] | None:
        """The cluster of each item, where every item has one and there are two or more; else None."""
        if self.cluster is None or len(self.clusters) < 2 or (self.cluster < 0).any():
            return None
        return self.cluster


def panels(tests: Sequence[ItemTest], item_label: pl.DataFrame) -> Iterator[Panel]:
    """The tests of whole benchmarks with FEWEST_MODELS models and FEWEST_ITEMS items or more.

    Of one source, benchmark and condition the one with the most models counts, then that with the most items.
    `item_label` is the frame of that name.
    """
    largest: dict[tuple[str, str, str], Panel] = {}
    for test in tests:
        for (source_id,), runs in test.runs.with_row_index("at").group_by("source_id", maintain_order=True):
            panel = _panel(test, runs, str(source_id))
            if len(panel.models) < FEWEST_MODELS or len(panel.items) < FEWEST_ITEMS:
                continue
            key = panel.source_id, panel.benchmark_id, panel.condition
            if key not in largest or panel.outcomes.shape > largest[key].outcomes.shape:
                largest[key] = panel
    by_source = {
        source_id: dict(rows.select("item", "label").iter_rows())
        for (source_id,), rows in item_label.group_by("source_id")
    }
    for key in sorted(largest):
        panel, faults = largest[key], by_source.get(key[0])
        yield panel if faults is None else replace(panel, labels=tuple(faults.get(item, OK) for item in panel.items))


def _panel(test: ItemTest, runs: pl.DataFrame, source_id: str) -> Panel:
    scores = pl.Series("score", test.outcomes[runs["at"].to_numpy()].mean(axis=1))
    best = (
        runs.with_columns(scores)
        .sort("score", "model_id", "setting", "source_row", descending=[True, False, False, False])
        .unique("model_id", keep="first", maintain_order=True)
    )
    runs_of_best = best["at"].to_numpy()
    return Panel(
        source_id=source_id,
        benchmark_id=test.benchmark_id,
        condition=test.condition,
        models=tuple(best["model_id"]),
        snapshots=tuple(best["snapshot_id"].unique(maintain_order=True)),
        outcomes=test.outcomes[runs_of_best],
        answered=test.answered[runs_of_best],
        items=test.items,
        clusters=test.clusters,
        cluster=test.cluster,
        chosen=None if test.chosen is None else test.chosen[runs_of_best],
        labels=("",) * len(test.items),
    )
