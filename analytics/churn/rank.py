"""Ranks of models on every leaderboard at every instant, with the ranks that the errors leave open."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.record.boards import STATE, Boards
from benchhealth.analytics.record.by_item.clusters import UNCLUSTERED, ItemClusters, Spread
from benchhealth.analytics.record.by_item.item_results import NO_ITEMS, ItemResults
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.units.rank_sets import RankSets, items_asked, rank_intervals
from benchhealth.analytics.statistics.units.ties import tiers

_SETS = {"rank_low": "low", "rank_high": "high", "rank_low_joint": "low_joint", "rank_high_joint": "high_joint"}
"""Column of the table, and the end of `RankSets` that it is."""

_OVER = {f"{name}_clustered": end for name, end in _SETS.items()}
_FOUND = (*_SETS, "tier", *_OVER)


def ranks(boards: Boards, items: ItemResults = NO_ITEMS, item_clusters: ItemClusters = UNCLUSTERED) -> pl.DataFrame:
    """Table `rank`: one row for each leaderboard, instant and model, in its best setting.

    `rank` is 1 for the best; equal scores share the best rank. `rank_low` to `rank_high` are the ranks compatible with
    the errors for each model by itself, `rank_low_joint` to `rank_high_joint` those that hold for all models of the
    board at once (see `rank_intervals`), null for a model whose error is unknown. `paired` says with how many others of
    the board a model was compared item by item, `tier` is its tier by the joint sets (`ties.tiers`). What ends in
    `_clustered` is the same where the clusters of items are what was drawn (`clustered_mean.clustered_items`) and a
    missing answer counts as wrong, null for a model of which no clusters are known. Only models are ranked, only whole
    benchmarks (no parts), only where it is known which direction is better.
    """
    board = boards.placed.collect()
    if board.is_empty():
        return pl.DataFrame(schema=PUBLISHED["rank"])
    ends, paired = _intervals(board, items, item_clusters)
    return (
        board.with_columns(
            pl.Series(name, end, dtype=pl.Float64).fill_nan(None).cast(pl.Int64)
            for name, end in zip(_FOUND, ends, strict=True)
        )
        .with_columns(paired=pl.Series(paired))
        .select(*PUBLISHED["rank"])
        .match_to_schema(PUBLISHED["rank"])
    )


def _intervals(board: pl.DataFrame, items: ItemResults, clusters: ItemClusters) -> tuple[Numbers, NDArray[np.int64]]:
    """The intervals of every state of every board; a state equal to the one before it keeps that one's."""
    merits = board["merit"].to_numpy()
    errors = board["error"].fill_null(np.nan).to_numpy()
    printed = board["rank"].to_numpy()
    items_of = items_asked(board)
    with_items = items.known(board)
    bounds, paired = np.full((len(_FOUND), board.height), np.nan), np.zeros(board.height, dtype=np.int64)
    own_rows = slice(len(_SETS) + 1)
    sizes = board.group_by(STATE, maintain_order=True).len()["len"].to_numpy()
    ends = np.cumsum(sizes)
    before = slice(0, 0)
    for end, size in zip(ends.tolist(), sizes.tolist(), strict=True):
        block = slice(end - size, end)
        is_same = all(
            np.array_equal(column[before], column[block], equal_nan=True) for column in (merits, errors, items_of)
        )
        if with_items[block].any():
            shared = items.variances(board[block])
            bounds[own_rows, block] = _ends(
                rank_intervals(merits[block], errors[block], paired=shared, items=items_of[block]), printed[block]
            )
            paired[block] = np.isfinite(shared).sum(axis=1) - 1
            bounds[len(_SETS) + 1 :, block] = _over_clusters(clusters.spread(board[block]), size)
        elif is_same and not with_items[before].any():
            bounds[own_rows, block] = bounds[own_rows, before]
        else:
            bounds[own_rows, block] = _ends(
                rank_intervals(merits[block], errors[block], items=items_of[block]), printed[block]
            )
        before = block
    return bounds, np.maximum(paired, 0)


def _ends(sets: RankSets, printed: NDArray[np.int64]) -> Numbers:
    return np.stack([*_stacked(sets), tiers(printed.astype(np.float64), sets.low_joint)])


def _stacked(sets: RankSets) -> Numbers:
    return np.stack([getattr(sets, name) for name in _SETS.values()])


def _over_clusters(spread: Spread | str | None, size: int) -> Numbers:
    """The rank sets of `size` models over other clusters of items; NaN where the spread is unknown."""
    if not isinstance(spread, Spread):
        return np.full((len(_OVER), size), np.nan)
    errors = np.sqrt(np.diag(spread.variances))
    return _stacked(rank_intervals(spread.scores, errors, paired=spread.variances, degrees=spread.degrees))
