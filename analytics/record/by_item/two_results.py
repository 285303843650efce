"""The error of the difference of two results where both are known item by item: pair by pair, and over clusters."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from benchhealth.analytics.record.by_item.clusters import ItemClusters, Spread
from benchhealth.analytics.record.by_item.item_results import ItemResults
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.errors import Z95

_ADDRESS = ("snapshot_id", "source_row")
_FOUND = pl.Schema({"error_by_item": pl.Float64(), "error_clustered": pl.Float64()})


def with_item_errors(pairs: pl.DataFrame, items: ItemResults, clusters: ItemClusters, other: str) -> pl.DataFrame:
    """The pairs with `error_by_item` and `error_clustered`, null where the two are not results of one known test.

    The addresses of the second end in `other`. Errors over clusters are as wide as the 95% of Student's t are beside
    those of a normal distribution.
    """
    sides = [pairs.select(**{name: f"{name}{end}" for name in _ADDRESS}) for end in ("", other)]
    by_item = items.known(sides[0]) & items.known(sides[1])
    errors: list[tuple[float | None, float | None]] = [(None, None)] * pairs.height
    for index in np.flatnonzero(by_item).tolist():
        errors[index] = _errors([side.row(index, named=True) for side in sides], items, clusters)
    return pairs.with_columns(pl.DataFrame(errors, schema=_FOUND, orient="row"))


def _errors(
    two: list[Mapping[str, Any]], items: ItemResults, clusters: ItemClusters
) -> tuple[float | None, float | None]:
    results = pl.DataFrame(two)
    variance = float(items.variances(results)[0, 1])
    by_item = float(np.sqrt(variance)) if np.isfinite(variance) else None
    spread = clusters.spread(results)
    if not isinstance(spread, Spread) or not np.isfinite(spread.variances[0, 1]):
        return by_item, None
    wider = float(student.as_far_out(Z95, spread.degrees)) / Z95
    return by_item, wider * float(np.sqrt(spread.variances[0, 1]))
