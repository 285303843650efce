"""How many models may be first where a board publishes no outcomes by item: with independent errors and like ones."""

import numpy as np
import polars as pl

from benchhealth.analytics.record.boards import STATE, Boards
from benchhealth.analytics.record.by_item.item_results import NO_ITEMS, ItemResults
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.units.rank_sets import RankSets, items_asked, rank_intervals


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
    has_items = pl.Series(items.known(binomial))
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
