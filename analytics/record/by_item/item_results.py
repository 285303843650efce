"""Results item by item: which models answered the same items, and what each did on them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.record.by_item.packing import unpack, unpack_chosen, unpack_outcomes
from benchhealth.analytics.record.frames import ITEM_RESULT, Frames
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.arrays import Numbers, Places
from benchhealth.analytics.statistics.units.paired import difference_variances

_ADDRESS = ["snapshot_id", "source_row"]
_RUN = [*_ADDRESS, "source_id", "benchmark_id", "model_id", "setting", "reporter", "condition"]


@dataclass(frozen=True)
class ItemTest:
    """The runs of one test that are known item by item: one benchmark, one condition, one list of items.

    `runs` has a row a run (`snapshot_id`, `source_row`, `source_id`, `benchmark_id`, `model_id`, `setting`, `reporter`,
    `condition`) and `outcomes` is (runs, items), each from 0 to 1. `answered`, of the same shape, is False where a run
    holds no answer; the outcome there is 0. `items` are the names; an item that no file names has an empty one.
    `cluster` is (items,), the place in `clusters` of what an item belongs to, -1 where that is not said, or None where
    no file says any. `chosen`, of the shape of `outcomes`, is a hash of the option that a run gave, 0 where none was
    read; None where no file says it.
    """

    benchmark_id: str
    condition: str
    runs: pl.DataFrame
    outcomes: Numbers
    answered: NDArray[np.bool_]
    items: tuple[str, ...]
    clusters: tuple[str, ...]
    cluster: NDArray[np.int64] | None
    chosen: NDArray[np.uint32] | None


class ItemList(NamedTuple):
    """The items that runs are packed over: their names, and what each belongs to, None where that is not said."""

    items: tuple[str, ...]
    clusters: tuple[str | None, ...]


_NO_LIST = ItemList((), ())


@dataclass(frozen=True)
class ItemResults:
    """The frames `item_result` and `item`; a result is looked up by its address, `snapshot_id` and `source_row`."""

    rows: pl.DataFrame
    items: pl.DataFrame

    def are_known(self, results: pl.DataFrame) -> NDArray[np.bool_]:
        """Whether each of these results is known item by item."""
        return self._positions(results) >= 0

    def outcomes(self, results: pl.DataFrame) -> Numbers | None:
        """What each of these results is on each item, (results, items); None where not all answered the same items."""
        positions = self._positions(results)
        return None if positions.size == 0 or (positions < 0).any() else self._matrix(positions.tolist())

    def clusters(self, results: pl.DataFrame) -> Places | None:
        """The number of each item's cluster in the order of `outcomes`, -1 where it is not said.

        None where not all answered the same items, or no file says what they belong to.
        """
        positions = self._positions(results)
        if self.outcomes(results) is None:
            return None
        size = self._sizes[positions[0]]
        list_ids = list(dict.fromkeys(self._list_ids[position] for position in positions))
        ((column, _),) = self._joined(list_ids, size)
        names, cluster = _clusters([self._list(list_id) for list_id in list_ids], column, size)
        return cluster if names else None

    def points(self, results: pl.DataFrame) -> Numbers:
        """The sum of each result's outcomes, NaN where it is not known item by item."""
        positions = self._positions(results)
        return np.array([np.nan if position < 0 else float(self._outcomes(position).sum()) for position in positions])

    def names(self, results: pl.DataFrame) -> frozenset[str]:
        """The items that these results are known on, as far as a file names them."""
        indices = self._positions(results)
        return frozenset(
            item for list_id in {self._list_ids[index] for index in indices} for item in self._list(list_id).items
        )

    def variances(self, results: pl.DataFrame) -> Numbers:
        """The variance of the difference between every two of these results, NaN where their items are not the same."""
        variances = np.full((results.height, results.height), np.nan)
        positions = self._positions(results)
        for same in self._by_test(positions):
            matrix = self._matrix(positions[same].tolist())
            if matrix is not None:
                variances[np.ix_(same, same)] = difference_variances(matrix)
        return variances

    def tests(self) -> list[ItemTest]:
        """Every test with the runs that stand, those of one test in the order of the rows, tests by benchmark.

        Runs are of one test where benchmark, condition and number of items are the same and what they name together is
        no more than that number.
        """
        named = [len(self._list(list_id).items) for list_id in self._list_ids]
        sized = self.rows.with_columns(
            place=pl.int_range(pl.len()),
            size=pl.max_horizontal("n_items", pl.Series(named, dtype=pl.Int64)),
            condition=pl.col("condition").fill_null(""),
        )
        key = ["benchmark_id", "condition", "size"]
        groups = sized.filter("stands").sort(*key, "place").group_by(key, maintain_order=True)
        return [
            self._test(runs.filter(pl.col("list_id").is_in(lists)), column, int(size))
            for (_, _, size), runs in groups
            for column, lists in self._joined(runs["list_id"].unique(maintain_order=True).to_list(), int(size))
        ]

    def _joined(self, list_ids: Sequence[str], size: int) -> list[tuple[dict[str, int], list[str]]]:
        """The lists that name no more than `size` items together, each such group with the place of every item."""
        groups: list[tuple[dict[str, int], list[str]]] = []
        for list_id in list_ids:
            named = dict.fromkeys(self._list(list_id).items)
            fitting = (group for group in groups if len(group[0].keys() | named.keys()) <= size)
            column, members = next(fitting, ({}, []))
            if not members:
                groups.append((column, members))
            for item in named:
                column.setdefault(item, len(column))
            members.append(list_id)
        return groups

    def _test(self, runs: pl.DataFrame, column: Mapping[str, int], size: int) -> ItemTest:
        shape = (runs.height, size)
        outcomes, answered = np.zeros(shape), np.ones(shape, dtype=np.bool_)
        has_options = runs["chosen_bits"].is_not_null().any()
        chosen = np.zeros(shape, dtype=np.uint32) if has_options else None
        lists = {list_id: self._list(list_id) for list_id in runs["list_id"].unique(maintain_order=True)}
        columns = {
            list_id: np.array([column[item] for item in item_list.items], int) for list_id, item_list in lists.items()
        }
        for row, run in enumerate(runs.iter_rows(named=True)):
            positions = columns[run["list_id"]]
            outcomes[row, positions] = unpack_outcomes(run["outcome_bits"], positions.size, run["outcome_levels"])
            if run["answered_bits"] is not None:
                answered[row, positions] = unpack(run["answered_bits"], positions.size, 1) == 1
            if chosen is not None and run["chosen_bits"] is not None:
                chosen[row, positions] = unpack_chosen(run["chosen_bits"], positions.size, run["chosen_options"])
        clusters, cluster = _clusters(list(lists.values()), column, size)
        return ItemTest(
            benchmark_id=runs["benchmark_id"][0],
            condition=runs["condition"][0],
            runs=runs.select(_RUN),
            outcomes=outcomes,
            answered=answered,
            items=(*column, *[""] * (size - len(column))),
            clusters=clusters,
            cluster=cluster if clusters else None,
            chosen=chosen,
        )

    def _positions(self, results: pl.DataFrame) -> Places:
        """The row of each result among those known item by item; -1 where it is not."""
        joined = results.select(_ADDRESS).join(self._index, on=_ADDRESS, how="left", maintain_order="left")
        return joined["place"].fill_null(-1).to_numpy()

    @cached_property
    def _index(self) -> pl.DataFrame:
        placed = self.rows.select(_ADDRESS).with_row_index("place").cast({"place": pl.Int64})
        return placed.unique(_ADDRESS, keep="first", maintain_order=True)

    @cached_property
    def _test_numbers(self) -> Places:
        """The number of each row's test: a benchmark with a number of items."""
        named = self.rows.select(test=pl.struct("benchmark_id", "n_items").rank("dense").cast(pl.Int64))
        return named["test"].to_numpy()

    def _by_test(self, positions: Places) -> Iterator[Places]:
        with_items = np.flatnonzero(positions >= 0)
        tests = self._test_numbers[positions[with_items]]
        for test in np.unique(tests):
            yield with_items[tests == test]

    def _matrix(self, positions: Sequence[int]) -> Numbers | None:
        """The outcomes of these rows; None where they name more items than their test has, so that those differ."""
        sizes = {self._sizes[position] for position in positions}
        if len(sizes) > 1:
            return None
        size = sizes.pop()
        lists = list(dict.fromkeys(self._list_ids[position] for position in positions))
        groups = self._joined(lists, size)
        column = groups[0][0]
        if len(groups) > 1 or len(column) > size:
            return None
        columns = {list_id: [column[item] for item in self._list(list_id).items] for list_id in lists}
        matrix = np.zeros((len(positions), size))
        for row, position in enumerate(positions):
            matrix[row, columns[self._list_ids[position]]] = self._outcomes(position)
        return matrix

    def _outcomes(self, position: int) -> Numbers:
        """The outcomes of a row on the items of its list."""
        bits, levels = self._bits[position]
        return unpack_outcomes(bits, len(self._list(self._list_ids[position]).items), levels)

    def _list(self, list_id: str) -> ItemList:
        return self._lists.get(list_id, _NO_LIST)

    @cached_property
    def _lists(self) -> dict[str, ItemList]:
        listed = self.items.sort("list_id", "place").group_by("list_id", maintain_order=True).agg("item", "cluster")
        return {list_id: ItemList(tuple(items), tuple(clusters)) for list_id, items, clusters in listed.iter_rows()}

    @cached_property
    def _list_ids(self) -> list[str]:
        return self.rows["list_id"].to_list()

    @cached_property
    def _bits(self) -> list[tuple[str, list[float] | None]]:
        return self.rows.select("outcome_bits", "outcome_levels").rows()

    @cached_property
    def _sizes(self) -> list[int]:
        return self.rows["n_items"].to_list()


NO_ITEMS = ItemResults(pl.DataFrame(schema=ITEM_RESULT), pl.DataFrame(schema=PUBLISHED["item"]))
"""The item results where no result is known item by item."""


def item_results(frames: Frames) -> ItemResults:
    """Read the results item by item out of the facts, to be asked by result."""
    return ItemResults(frames.item_result, frames.item)


def _clusters(lists: Sequence[ItemList], column: Mapping[str, int], size: int) -> tuple[tuple[str, ...], Places]:
    """The names of clusters, and the place among them of what each item belongs to: as the first list has it."""
    of_item: dict[str, str] = {}
    for item_list in lists:
        for item, name in zip(item_list.items, item_list.clusters, strict=True):
            if name is not None:
                of_item.setdefault(item, name)
    clusters = tuple(sorted(set(of_item.values())))
    of_cluster = {name: number for number, name in enumerate(clusters)}
    cluster = np.full(size, -1, dtype=np.int64)
    for item, name in of_item.items():
        cluster[column[item]] = of_cluster[name]
    return clusters, cluster
