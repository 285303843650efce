"""Ranks on leaderboards with those that errors leave open, who may be tied, and when first place changed hands."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.record.boards import STATE, Boards
from benchhealth.analytics.record.by_item.clusters import UNCLUSTERED, ItemClusters, Spread
from benchhealth.analytics.record.by_item.item_results import NO_ITEMS, ItemResults
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.case import ALWAYS, first_case
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
    the board a model was compared item by item, `tier` is its tier by the joint sets. What ends in
    `_clustered` is the same where the clusters of items are what was drawn and a
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
        .match_to_schema(PUBLISHED["rank"], extra_columns="ignore")
    )


def _intervals(board: pl.DataFrame, items: ItemResults, clusters: ItemClusters) -> tuple[Numbers, NDArray[np.int64]]:
    """The intervals of every state of every board; a state equal to the one before it keeps that one's."""
    merits = board["merit"].to_numpy()
    errors = board["error"].fill_null(np.nan).to_numpy()
    printed = board["rank"].to_numpy()
    items_of = items_asked(board)
    with_items = items.are_known(board)
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


def tied_first(boards: Boards, design_effect: pl.DataFrame, items: ItemResults = NO_ITEMS) -> pl.DataFrame:
    """Table `tied_first`: the newest state of each board with binomial errors and without outcomes by item.

    Models of a board answer the same items, so that their errors are alike: the variance of a difference is that of
    independent errors times 1 - correlation. By how much is not known of such a board. `tied_independent` counts the
    models tied for first with correlation 0 (as tables `rank` and `board_card` have it: by the ranks that hold for all
    at once), `tied_correlated` with the largest
    `correlation` that was measured on a test that is known item by item (`design_effect`), which is `measured_on`.
    No row where errors are the source's own, of fewer than two models with an error, or where nothing was measured.
    """
    schema = PUBLISHED["tied_first"]
    measured = design_effect.drop_nulls("correlation").sort("correlation", "benchmark_id").tail(1)
    if measured.is_empty():
        return pl.DataFrame(schema=schema)
    like = measured.row(0, named=True)
    newest = boards.placed.filter(pl.col("observed_at") == pl.col("observed_at").max().over("board_id")).collect()
    own_errors = (pl.col("std_error") > 0).fill_null(value=False)
    binomial = newest.filter((pl.col("error").is_not_null() & ~own_errors).sum().over("board_id") >= 2).filter(
        ~own_errors.any().over("board_id")
    )
    has_items = pl.Series(items.are_known(binomial))
    without_items = binomial.with_columns(pl.Series("asked", items_asked(binomial)), has_items=has_items).filter(
        ~pl.col("has_items").any().over(STATE)
    )
    rows = []
    for (board_id, observed_at), state in without_items.group_by(STATE, maintain_order=True):
        merits, errors, n_items = (state[name].to_numpy() for name in ("merit", "error", "asked"))
        tied = [
            int((_rank_sets(merits, errors, n_items, correlation).low_joint == 1).sum())
            for correlation in (0.0, like["correlation"])
        ]
        counted = int(np.isfinite(errors).sum())
        rows.append((board_id, observed_at, counted, *tied, like["correlation"], like["benchmark_id"], like["n_items"]))
    return pl.DataFrame(rows, schema=schema, orient="row").sort("board_id")


def _rank_sets(merits: Numbers, errors: Numbers, n_items: Numbers, correlation: float) -> RankSets:
    """The rank sets if the errors of every two models have this correlation."""
    left = 1 - correlation
    return rank_intervals(merits, errors * np.sqrt(left), items=n_items / left)


def lead_changes(rank: pl.DataFrame, breakpoint: pl.DataFrame) -> pl.DataFrame:
    """Table `lead`: one row for each day on which a board shows another first than on the day before it was seen.

    States are the last of each day. Where models share first place, it changed hands if none of those that shared it
    does so still; the first by name stands for them. `kind` says how: `left` (the former first is listed no more),
    `entered` (the new one was not listed before) or `passed`. `beyond_noise` is whether the errors of the new state
    rule out that the former first is first still; null where it left or has no known error; `beyond_clusters` whether
    they do over other clusters of items, null where these are not known. A change with a breakpoint
    in between (`spans_breakpoint`) is a change of scale, names, data or rules and of nothing else: its kind is null.
    `could_be_first` counts the models that are tied for first on the new state (the first tier).
    """
    states = _last_of_days(rank)
    firsts = (
        states.filter(pl.col("rank") == 1)
        .group_by("board_id", "on_date")
        .agg(models=pl.col("model_id").sort())
        .sort("board_id", "on_date")
        .with_columns(
            from_on=pl.col("on_date").shift().over("board_id"), were=pl.col("models").shift().over("board_id")
        )
    )
    moved = firsts.filter(pl.col("models").list.set_intersection("were").list.len() == 0).select(
        "board_id", "from_on", "on_date", model_id=pl.col("models").list.first(), before=pl.col("were").list.first()
    )
    listed = states.select("board_id", "on_date", "model_id", "rank_low", "rank_low_clustered")
    new_names = {"model_id": "before", "rank_low": "low_now", "rank_low_clustered": "low_clustered"}
    former = listed.rename(new_names).with_columns(still=True)
    earlier = listed.select("board_id", "model_id", from_on="on_date", listed_before=pl.lit(value=True))
    could_be = states.group_by("board_id", "on_date").agg(could_be_first=(pl.col("tier") == 1).sum().cast(pl.Int64))
    joined = (
        moved.join(former, on=["board_id", "on_date", "before"], how="left")
        .join(earlier, on=["board_id", "from_on", "model_id"], how="left")
        .join(could_be, on=["board_id", "on_date"])
        .join(_spanning(moved, breakpoint), on=["board_id", "on_date"], how="left")
        .with_columns(pl.col("spans_breakpoint").fill_null(value=False))
    )
    kind = first_case(
        ("left", pl.col("still").is_null()), ("entered", pl.col("listed_before").is_null()), ("passed", ALWAYS)
    )
    return (
        joined.with_columns(
            kind=pl.when(~pl.col("spans_breakpoint")).then(kind),
            beyond_noise=pl.when(~pl.col("spans_breakpoint")).then(pl.col("low_now") > 1),
            beyond_clusters=pl.when(~pl.col("spans_breakpoint")).then(pl.col("low_clustered") > 1),
        )
        .match_to_schema(PUBLISHED["lead"], extra_columns="ignore")
        .sort("board_id", "on_date")
    )


def _last_of_days(rank: pl.DataFrame) -> pl.DataFrame:
    dated = rank.with_columns(on_date=pl.col("observed_at").dt.date())
    return dated.filter(pl.col("observed_at") == pl.col("observed_at").max().over("board_id", "on_date"))


def _spanning(moved: pl.DataFrame, breakpoints: pl.DataFrame) -> pl.DataFrame:
    breaks = breakpoints.select("board_id", broke_on="on_date").join(moved, on="board_id")
    spanned = breaks.filter(pl.col("broke_on").is_between(pl.col("from_on"), pl.col("on_date"), closed="right"))
    return spanned.select("board_id", "on_date", spans_breakpoint=pl.lit(value=True)).unique()
