"""What is known of a board item by item: pairs as if items were not shared, clusters of items, missing answers."""

from typing import Any

import numpy as np
import polars as pl

from benchhealth.analytics.record.by_item.clusters import ItemClusters, Spread
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.units.ties import apart_of

Card = dict[str, Any]

NOT_BY_ITEM, FIRST_NOT_BY_ITEM = "not_by_item", "first_not_by_item"


def by_item(look: pl.DataFrame, merits: Numbers, unpaired: Numbers, paired: Numbers, clusters: ItemClusters) -> Card:
    """The columns of `board_card` that hang on items; `look` are the rows of one look, best first.

    `merits` are those of the first models. The variances of their differences, (models, models), are `unpaired` if each
    model was asked items of its own, and `paired` as they were asked (NaN where items are not shared). The counts over
    clusters are those of `clustered_mean.clustered_items`: clusters of the kind are what was drawn, a missing answer
    counts as wrong, and the first ten are those by such scores. They need the outcomes of the model printed first.
    """
    top = merits.size
    apart = apart_of(merits, unpaired)
    return {
        "pairs_by_item": int(np.isfinite(paired[np.triu_indices(top, 1)]).sum()),
        "neighbours_apart_alone": apart.neighbours_apart,
        "pairs_apart_alone": apart.pairs_apart,
        "missing_cells": clusters.lacking(look),
        **_over_clusters(look, merits, clusters.spread(look)),
    }


def without_items(card: Card) -> Card:
    """What `card_items` gives, for a look at a board of which no outcome of an item is known; `card` is without it."""
    return {
        "pairs_by_item": 0,
        "neighbours_apart_alone": card["neighbours_apart"],
        "pairs_apart_alone": card["pairs_apart"],
        "clustered_reason": NOT_BY_ITEM,
    }


def _over_clusters(look: pl.DataFrame, merits: Numbers, spread: Spread | str | None) -> Card:
    if not isinstance(spread, Spread):
        return {"clustered_reason": spread or NOT_BY_ITEM}
    if not np.isfinite(spread.variances[0, 0]):
        return {"clustered_reason": FIRST_NOT_BY_ITEM}
    best = np.argsort(-np.nan_to_num(spread.scores, nan=-1.0), kind="stable")[: merits.size]
    z = float(student.as_far_out(Z95, spread.degrees))
    apart = apart_of(spread.scores[best], spread.variances[np.ix_(best, best)], z)
    width = z * float(np.sqrt(spread.variances[0, 1])) if merits.size > 1 else np.nan
    return {
        "clusters": spread.clusters,
        "clusters_alike": spread.degrees + 1,
        "tied_first_clustered": int((look["rank_low_joint_clustered"] == 1).sum()),
        "neighbours_apart_clustered": apart.neighbours_apart,
        "neighbours_clustered": apart.neighbours,
        "pairs_apart_clustered": apart.pairs_apart,
        "pairs_clustered": apart.pairs,
        "cluster_width": width if np.isfinite(width) else None,
    }
