"""Results item by item: which models answered the same items, and what each did on them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.record.frames import ITEM_RESULT, Frames
from benchhealth.analytics.statistics.units.paired import difference_variances

Numbers = NDArray[np.float64]

_ADDRESS = ["snapshot_id", "source_row"]


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


@dataclass(frozen=True)
class ItemResults:
    """The frame `item_result`, looked up by the address of a result: its `snapshot_id` and `source_row`."""

    rows: pl.DataFrame

    def known(self, results: pl.DataFrame) -> NDArray[np.bool_]:
        """Whether each of these results is known item by item."""
        return self._places(results) >= 0

    def outcomes(self, results: pl.DataFrame) -> Numbers | None:
        """What each of these results is on each item, (results, items); None where not all answered the same items."""
        places = self._places(results)
        return None if places.size == 0 or (places < 0).any() else self._matrix(places.tolist())

    def variances(self, results: pl.DataFrame) -> Numbers:
        """The variance of the difference between every two of these results, NaN where their items are not the same."""
        found = np.full((results.height, results.height), np.nan)
        places = self._places(results)
        for same in self._same(places):
            matrix = self._matrix(places[same].tolist())
            if matrix is not None:
                found[np.ix_(same, same)] = difference_variances(matrix)
        return found

    def tests(self) -> list[ItemTest]:
        """Every test with the runs that stand, those of one test in the order of the rows, tests by benchmark.

        Runs are of one test where benchmark, condition and number of items are the same and what they name together is
        no more than that number.
        """
        standing = self.rows.with_row_index("place").filter("stands")
        sized = standing.with_columns(
            size=pl.max_horizontal("n_items", pl.col("items").list.len() + pl.col("missing").list.len().fill_null(0)),
            condition=pl.col("condition").fill_null(""),
        )
        ordered = sized.sort("benchmark_id", "condition", "size", "place")
        return [
            _test(runs[members], column, int(size))
            for (_, _, size), runs in ordered.group_by("benchmark_id", "condition", "size", maintain_order=True)
            for column, members in _lists(runs, int(size))
        ]

    def _places(self, results: pl.DataFrame) -> NDArray[np.int64]:
        """The row of each result among those known item by item; -1 where it is not."""
        joined = results.select(_ADDRESS).join(self._index, on=_ADDRESS, how="left", maintain_order="left")
        return joined["place"].fill_null(-1).to_numpy()

    @cached_property
    def _index(self) -> pl.DataFrame:
        return self.rows.select(_ADDRESS).with_row_index("place").cast({"place": pl.Int64})

    @cached_property
    def _tests(self) -> NDArray[np.int64]:
        """One number for each test: a benchmark with a number of items."""
        named = self.rows.select(test=pl.struct("benchmark_id", "n_items").rank("dense").cast(pl.Int64))
        return named["test"].to_numpy()

    def _same(self, places: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
        at = np.flatnonzero(places >= 0)
        tests = self._tests[places[at]]
        for test in np.unique(tests):
            yield at[tests == test]

    def _matrix(self, places: Sequence[int]) -> Numbers | None:
        """The outcomes of these rows; None where they name more items than their test has, so that those differ."""
        sizes = {self._sizes[place] for place in places}
        if len(sizes) > 1:
            return None
        column: dict[str, int] = {}
        listed = [[column.setdefault(item, len(column)) for item in self._items[place]] for place in places]
        size = sizes.pop()
        if len(column) > size:
            return None
        matrix = np.zeros((len(places), size))
        for row, (place, at) in enumerate(zip(places, listed, strict=True)):
            matrix[row, at] = self._outcomes[place]
        return matrix

    @cached_property
    def _items(self) -> list[list[str]]:
        return self.rows["items"].to_list()

    @cached_property
    def _outcomes(self) -> list[list[float]]:
        return self.rows["outcomes"].to_list()

    @cached_property
    def _sizes(self) -> list[int]:
        return self.rows["n_items"].to_list()


NO_ITEMS = ItemResults(pl.DataFrame(schema=ITEM_RESULT))
"""Nothing is known item by item."""


def item_results(frames: Frames) -> ItemResults:
    """Those of the facts."""
    return ItemResults(frames.item_result)


def _lists(runs: pl.DataFrame, size: int) -> list[tuple[dict[str, int], list[int]]]:
    """The place of each named item, and the rows of the runs that are of the same items, for each such list."""
    lists: list[tuple[dict[str, int], list[int]]] = []
    for row, (items, missing) in enumerate(runs.select("items", "missing").iter_rows()):
        named = dict.fromkeys([*items, *(missing or [])])
        fitting = (each for each in lists if len(each[0].keys() | named.keys()) <= size)
        column, members = next(fitting, ({}, []))
        if not members:
            lists.append((column, members))
        for item in named:
            column.setdefault(item, len(column))
        members.append(row)
    return lists


def _test(runs: pl.DataFrame, column: dict[str, int], size: int) -> ItemTest:
    shape = (runs.height, size)
    outcomes, answered = np.zeros(shape), np.ones(shape, dtype=np.bool_)
    options = np.zeros(shape, dtype=np.uint32)
    of_item: dict[str, str] = {}
    has_options = False
    for at, row in enumerate(runs.iter_rows(named=True)):
        places = [column[item] for item in row["items"]]
        outcomes[at, places] = row["outcomes"]
        answered[at, [column[item] for item in row["missing"] or []]] = False
        of_item |= dict(zip(row["items"], row["clusters"] or [], strict=False))
        if row["chosen"] is not None:
            has_options = True
            options[at, places] = row["chosen"]
    clusters = tuple(sorted(set(of_item.values())))
    of_cluster = {cluster: place for place, cluster in enumerate(clusters)}
    cluster = np.full(size, -1, dtype=np.int64)
    for item, name in of_item.items():
        cluster[column[item]] = of_cluster[name]
    first = runs.row(0, named=True)
    return ItemTest(
        benchmark_id=first["benchmark_id"],
        condition=first["condition"],
        runs=runs.select(
            "snapshot_id", "source_row", "source_id", "benchmark_id", "model_id", "setting", "reporter", "condition"
        ),
        outcomes=outcomes,
        answered=answered,
        items=(*column, *[""] * (size - len(column))),
        clusters=clusters,
        cluster=cluster if clusters else None,
        chosen=options if has_options else None,
    )
