"""The standard error of the difference of two results that are known item by item: over items, and over clusters."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from benchhealth.analytics.record.by_item.clusters import ItemClusters, Spread
from benchhealth.analytics.record.by_item.item_results import ItemResults
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.errors import Z95

_ADDRESS = ("snapshot_id", "source_row")
_ERRORS = pl.Schema({"error_by_item": pl.Float64(), "error_clustered": pl.Float64()})


class _Errors(NamedTuple):
    """The standard error of a difference over items and over clusters of items; None where it is not known."""

    by_item: float | None
    clustered: float | None


def with_item_errors(pairs: pl.DataFrame, items: ItemResults, clusters: ItemClusters, suffix: str) -> pl.DataFrame:
    """The pairs with `error_by_item` and `error_clustered`; null where the two are not known by item on one test.

    The columns of the address of the second result end in `suffix`. An error over clusters is multiplied by the ratio
    of the 95% quantile of Student's t to that of the normal distribution: few clusters leave few degrees of freedom.
    """
    sides = [pairs.select(**{name: f"{name}{end}" for name in _ADDRESS}) for end in ("", suffix)]
    is_known_by_item = items.are_known(sides[0]) & items.are_known(sides[1])
    errors = [_Errors(None, None)] * pairs.height
    for index in np.flatnonzero(is_known_by_item).tolist():
        errors[index] = _errors([side.row(index, named=True) for side in sides], items, clusters)
    return pairs.with_columns(pl.DataFrame(errors, schema=_ERRORS, orient="row"))


def _errors(pair: list[Mapping[str, Any]], items: ItemResults, clusters: ItemClusters) -> _Errors:
    """The errors of the difference of the results at these two addresses."""
    results = pl.DataFrame(pair)
    variance = float(items.variances(results)[0, 1])
    by_item = float(np.sqrt(variance)) if np.isfinite(variance) else None
    spread = clusters.spread(results)
    if not isinstance(spread, Spread) or not np.isfinite(spread.variances[0, 1]):
        return _Errors(by_item, None)
    t_to_normal = float(student.as_far_out(Z95, spread.degrees)) / Z95
    return _Errors(by_item, t_to_normal * float(np.sqrt(spread.variances[0, 1])))
