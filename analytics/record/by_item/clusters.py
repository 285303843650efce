"""Which results are of items that come in clusters, and how far other clusters would move their differences."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.record.by_item.item_results import ItemResults, ItemTest
from benchhealth.analytics.record.tables.columns import COUNT, NUMBER, TEXT, by_type
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.units.clustered_mean import FEWEST_CLUSTERS, OverClusters, clustered_items

NO_CLUSTERS, TOO_FEW_CLUSTERS = "no_clusters", "too_few_clusters"
"""Why nothing can be said over the clusters of a test: no file names them, or they are fewer than FEWEST_CLUSTERS."""

_ADDRESS = ["snapshot_id", "source_row"]
_SCHEMA = by_type((TEXT, "snapshot_id source_row"), (COUNT, "test run"), (NUMBER, "lacking"))


class Spread(NamedTuple):
    """How far some results would vary over other clusters of items of the same kind.

    `scores` are their means over all items of the test, a missing answer counted as wrong, NaN where they are not of
    this test: what a source prints may be of the items answered alone. `variances` of the difference of every two,
    likewise, on the diagonal of each one's own score; `degrees` of freedom with which Student's t knows them.
    `clusters` is how many there are.
    """

    scores: Numbers
    variances: Numbers
    degrees: float
    clusters: int


@dataclass(frozen=True)
class ItemClusters:
    """The results of all tests that are known item by item, looked up by address.

    `rows` has `test` and `run` of each address, and `lacking`, the share of items to which it holds no answer;
    `spreads` of each test what other clusters might have given, or why nobody can say it.
    """

    rows: pl.DataFrame
    spreads: tuple[Spread | str, ...]

    def are_known(self, results: pl.DataFrame) -> NDArray[np.bool_]:
        """Whether each of these results is of a test that is known item by item."""
        return self._index_rows(results)["test"].is_not_null().to_numpy()

    def spread(self, results: pl.DataFrame) -> Spread | str | None:
        """The `Spread` of these results, by the test that most of them are of; None where none is known by item."""
        runs = self._index_rows(results)
        test, run = (runs[name].fill_null(-1).to_numpy() for name in ("test", "run"))
        if not (test >= 0).any():
            return None
        most = int(np.bincount(test[test >= 0]).argmax())
        full = self.spreads[most]
        if isinstance(full, str):
            return full
        of_test = np.flatnonzero(test == most)
        variances = np.full((results.height, results.height), np.nan)
        variances[np.ix_(of_test, of_test)] = full.variances[np.ix_(run[of_test], run[of_test])]
        scores = np.full(results.height, np.nan)
        scores[of_test] = full.scores[run[of_test]]
        return full._replace(scores=scores, variances=variances)

    def lacking(self, results: pl.DataFrame) -> float | None:
        """The share of cells (results by items) without an answer; None where no result is known item by item."""
        share = self._index_rows(results)["lacking"].drop_nulls()
        return float(share.sum()) / share.len() if share.len() else None

    def _index_rows(self, results: pl.DataFrame) -> pl.DataFrame:
        return results.select(_ADDRESS).join(self._index, on=_ADDRESS, how="left", maintain_order="left")

    @cached_property
    def _index(self) -> pl.DataFrame:
        return self.rows.unique(_ADDRESS, keep="first", maintain_order=True)


UNCLUSTERED = ItemClusters(pl.DataFrame(schema=_SCHEMA), ())
"""The clusters where no result is known item by item."""


def item_clusters(items: ItemResults) -> ItemClusters:
    """The `ItemClusters` of the facts, read one test at a time; outcomes are not kept in memory."""
    return clusters_of(items.tests())


def spread_between(items: ItemResults, results: pl.DataFrame) -> Spread | None:
    """The `Spread` of these results alone; None where they are not of the same clustered items."""
    outcomes = items.outcomes(results)
    spread = None if outcomes is None else _spread(outcomes, items.clusters(results))
    return spread if isinstance(spread, Spread) else None


def clusters_of(tests: Iterable[ItemTest]) -> ItemClusters:
    """The `ItemClusters` of these tests. A missing answer is an outcome of 0: it counts as wrong."""
    rows: list[pl.DataFrame] = []
    spreads: list[Spread | str] = []
    for test in tests:
        lacking = pl.Series("lacking", (~test.answered).mean(axis=1))
        run = pl.int_range(pl.len(), dtype=pl.Int64)
        rows.append(
            test.runs.select(*_ADDRESS, test=pl.lit(len(spreads), pl.Int64), run=run, lacking=lacking).cast(_SCHEMA)
        )
        spreads.append(_spread(test.outcomes, test.cluster))
    return ItemClusters(pl.concat([pl.DataFrame(schema=_SCHEMA), *rows]), tuple(spreads))


def _spread(outcomes: Numbers, of_item: NDArray[np.int64] | None) -> Spread | str:
    """The `Spread` of outcomes (results, items), by the number of each item's cluster, -1 where none is stated.

    An item of no known cluster that nobody solved adds nothing to any difference: such are taken to lie in all clusters
    alike. One that somebody solved is a cluster of its own.
    """
    if of_item is None:
        return NO_CLUSTERS
    cluster = np.array(of_item, dtype=np.intp)
    number = np.unique(cluster[cluster >= 0]).size
    if number < FEWEST_CLUSTERS:
        return TOO_FEW_CLUSTERS
    unclustered = np.flatnonzero((cluster < 0) & outcomes.any(axis=0))
    cluster[unclustered] = cluster.max() + 1 + np.arange(unclustered.size)
    placed = cluster >= 0
    by_clusters: OverClusters = clustered_items(outcomes[:, placed], cluster[placed])
    return Spread(outcomes.mean(axis=1), by_clusters.variances * float(placed.mean()) ** 2, by_clusters.degrees, number)
