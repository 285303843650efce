"""Results item by item in the form that is stored: lists of items, and runs as packed bits over such a list.

A list holds the names of items in their order, each with what it belongs to; runs that name the same items share one.
Its id is a hash of what it says, so lists are never changed: a test that grows has one more.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchhealth.analytics.statistics.arrays import Numbers

Codes = NDArray[np.int64]

OPTION_BITS = 24
"""Bits that are kept of the hash of an option. Two of an item's ten options share them in one item of 400,000."""


class NamedRun(NamedTuple):
    """What one run did on the items that a file names: outcomes from 0 to 1, in the order of `items`.

    `n_items` is the number of items of the test where the file says it; those that are not named have the outcome 0.
    `clusters`, in the order of `items`, and `chosen`, hashes of OPTION_BITS, are empty where the file does not say.
    """

    source_row: str
    benchmark_id: str
    n_items: int | None
    items: Sequence[str]
    outcomes: Sequence[float]
    clusters: Sequence[str] = ()
    chosen: Sequence[int] = ()
    missing: Sequence[str] = ()

    @property
    def size(self) -> int:
        """The number of items of the test, at least those that the run lists."""
        return max(self.n_items or 0, len(self.items) + len(self.missing))


class PackedRun(NamedTuple):
    """A row of the stored table `item_run`, without its snapshot."""

    source_row: str
    list_id: str
    n_named: int
    outcome_bits: str
    outcome_levels: list[float] | None
    answered_bits: str | None
    chosen_bits: str | None
    chosen_options: list[float] | None


class ListedItem(NamedTuple):
    """One item of a list of items, as a row of the table `item`."""

    list_id: str
    place: int
    item: str
    cluster: str | None
    source_id: str


@dataclass(frozen=True)
class _List:
    list_id: str
    place: dict[str, int]
    clusters: dict[str, str]

    def rows(self, source_id: str) -> Iterable[ListedItem]:
        for item, index in self.place.items():
            yield ListedItem(self.list_id, index, item, self.clusters.get(item), source_id)


def packed_runs(source_id: str, runs: Iterable[NamedRun]) -> tuple[list[PackedRun], list[ListedItem]]:
    """The rows of `item_run`, in the order of `runs`, and the rows of `item` for the lists that they refer to, by id.

    Runs of one benchmark with the same number of items share a list, unless together they name more items than that or
    put an item into different clusters: then each has a list of its own.
    """
    groups: dict[tuple[str, int], list[tuple[int, NamedRun]]] = {}
    for index, run in enumerate(runs):
        groups.setdefault((run.benchmark_id, run.size), []).append((index, run))
    lists: dict[str, _List] = {}
    rows: dict[int, PackedRun] = {}
    for (_, size), members in groups.items():
        shared = _list_of(source_id, [run for _, run in members])
        is_shared = len(shared.place) <= size and _have_same_clusters([run for _, run in members])
        for index, run in members:
            item_list = shared if is_shared else _list_of(source_id, [run])
            lists[item_list.list_id] = item_list
            rows[index] = _packed(run, item_list)
    items = [row for list_id in sorted(lists) for row in lists[list_id].rows(source_id)]
    return [rows[index] for index in sorted(rows)], items


def pack(codes: Codes, bits: int) -> str:
    """Whole numbers below 2**bits as hexadecimal digits: the lowest bit of all numbers, then the next bit of all."""
    bit_rows = (codes[None, :] >> np.arange(bits)[:, None]) & 1
    return np.packbits(bit_rows.astype(np.uint8).reshape(-1)).tobytes().hex()


def unpack(text: str, size: int, bits: int) -> Codes:
    """What `pack` packed, (size,). Raises ValueError where the digits are not those of `size` numbers."""
    packed = bytes.fromhex(text)
    if len(packed) != -(-bits * size // 8):
        raise ValueError(f"{len(packed)} bytes for {size} numbers of {bits} bits")
    flat = np.unpackbits(np.frombuffer(packed, dtype=np.uint8), count=bits * size)
    bit_rows = flat.reshape(bits, size).astype(np.int64)
    return np.asarray((bit_rows << np.arange(bits)[:, None]).sum(axis=0))


def bits_for(levels: int) -> int:
    """The number of bits that an item needs where outcomes have this many levels."""
    return max(1, (levels - 1).bit_length())


def fits(run: Mapping[str, Any], size: int) -> bool:
    """Whether what a row of `item_run` holds can be unpacked over a list of `size` items."""
    try:
        outcomes = unpack_outcomes(run["outcome_bits"], size, run["outcome_levels"])
        if run["answered_bits"] is not None:
            unpack(run["answered_bits"], size, 1)
        if run["chosen_bits"] is not None:
            unpack_chosen(run["chosen_bits"], size, run["chosen_options"])
    except (IndexError, TypeError, ValueError):
        return False
    return bool(((outcomes >= 0) & (outcomes <= 1)).all())


def unpack_outcomes(text: str, size: int, levels: Sequence[float] | None) -> Numbers:
    """The outcomes of a run on the items of its list, (size,); `levels` are their values, None for 0 and 1."""
    if levels is None:
        return unpack(text, size, 1).astype(np.float64)
    return np.asarray(levels, dtype=np.float64)[unpack(text, size, bits_for(len(levels)))]


def unpack_chosen(text: str, size: int, options: Sequence[float] | None) -> NDArray[np.uint32]:
    """The hashes of what a run chose on the items of its list, (size,); `options` are those that occur, if few."""
    if options is None:
        return unpack(text, size, OPTION_BITS).astype(np.uint32)
    return np.asarray(options, dtype=np.uint32)[unpack(text, size, bits_for(len(options)))]


def _list_of(source_id: str, runs: Sequence[NamedRun]) -> _List:
    """The list of all that these runs name, by name."""
    clusters = {item: cluster for run in runs for item, cluster in _clusters(run) if cluster}
    names = sorted({item for run in runs for item in (*run.items, *run.missing)})
    content = json.dumps([source_id, names, [clusters.get(name) for name in names]])
    index_of = {name: index for index, name in enumerate(names)}
    return _List(sha256(content.encode()).hexdigest()[:16], index_of, clusters)


def _clusters(run: NamedRun) -> Iterable[tuple[str, str]]:
    return zip(run.items, run.clusters, strict=True) if run.clusters else ()


def _have_same_clusters(runs: Sequence[NamedRun]) -> bool:
    """Whether no two of these runs put an item into different clusters."""
    clusters: dict[str, str] = {}
    return all(clusters.setdefault(item, cluster) == cluster for run in runs for item, cluster in _clusters(run))


def _packed(run: NamedRun, item_list: _List) -> PackedRun:
    size = len(item_list.place)
    positions = [item_list.place[item] for item in run.items]
    outcomes = np.zeros(size)
    outcomes[positions] = run.outcomes
    values, codes = np.unique(outcomes, return_inverse=True)
    is_binary = bool(np.isin(values, (0.0, 1.0)).all())
    levels = None if is_binary else values.tolist()
    missing = np.zeros(size, dtype=np.int64)
    missing[[item_list.place[item] for item in run.missing]] = 1
    chosen_bits, chosen_options = _packed_options(run, positions, size)
    return PackedRun(
        run.source_row,
        item_list.list_id,
        len(run.items),
        pack(outcomes.astype(np.int64), 1) if is_binary else pack(codes, bits_for(values.size)),
        levels,
        pack(1 - missing, 1) if run.missing else None,
        chosen_bits,
        chosen_options,
    )


def _packed_options(run: NamedRun, positions: Sequence[int], size: int) -> tuple[str | None, list[float] | None]:
    """The hashes as places in a list of those that occur, or as they are where that is shorter."""
    if not run.chosen:
        return None, None
    chosen = np.zeros(size, dtype=np.int64)
    chosen[positions] = run.chosen
    options, codes = np.unique(chosen, return_inverse=True)
    bits = bits_for(options.size)
    if 64 * options.size + bits * size < OPTION_BITS * size:
        return pack(codes, bits), options.astype(np.float64).tolist()
    return pack(chosen, OPTION_BITS), None
