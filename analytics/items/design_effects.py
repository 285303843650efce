"""How much smaller the errors of differences and slopes are because models answer the same items (design effects)."""

from typing import Any

import numpy as np
import polars as pl

from benchhealth.analytics.record.by_item.clusters import spread_between
from benchhealth.analytics.record.by_item.item_results import ItemResults, item_results
from benchhealth.analytics.record.frames import Frames, is_whole
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.regression import probit
from benchhealth.analytics.statistics.units.line import slope_spread
from benchhealth.analytics.statistics.units.paired import difference_variances, mean_correlation

FEWEST_RUNS = 8
"""With fewer runs the slope of an item is mostly noise."""


_TEST = ["source_id", "benchmark_id", "n_items"]


def design_effects(frames: Frames) -> pl.DataFrame:
    """Table `design_effect`: one row for each test of which FEWEST_RUNS runs or more are known item by item.

    A test is a whole benchmark with a number of items, as its newest file has it; a run is a model in one setting. Of
    two benchmarks that are one set of items the one with more runs counts, then the first by name.

    Over all pairs of runs: `correlation` is the mean correlation of their outcomes on the items. `variance_ratio` is
    the mean ratio of two variances of their difference, item by item and as if errors were independent.
    `apart_paired` and `apart_unpaired` are the numbers of `pairs` whose difference is beyond the 95% error by the first
    variance and by the second. `slope_spread` is how unlike the items' slopes are on the probit scale.
    Where items come in `clusters`, `cluster_ratio` is the mean ratio of the variance over clusters
    (a missing answer counted as wrong) to that of independent errors, and
    `cluster_degrees` its degrees of freedom. `basis` is `items` where the items are on record here, and `curated` where
    they were measured before and may not be passed on (data/registry/design_effect.csv).
    """
    items = item_results(frames)
    rows = [row for test in _tests(frames, items) if (row := _effect_of(items, test)) is not None]
    schema = PUBLISHED["design_effect"]
    effects = pl.DataFrame(rows, schema=schema, orient="row")
    sets = effects.select("source_id", "benchmark_id", "n_items")
    curated = frames.design_effect.join(sets, on=_TEST, how="anti").with_columns(basis=pl.lit("curated"))
    return pl.concat([effects, curated.select(schema.names())]).sort(_TEST)


def _tests(frames: Frames, items: ItemResults) -> list[pl.DataFrame]:
    """The runs of each test, without tests that are the same items again."""
    about = frames.snapshot.select("snapshot_id", "source_id", "observed_at", "url")
    rows = (
        frames.item_result.filter(is_whole())
        .join(about, on="snapshot_id")
        .filter(pl.col("observed_at") == pl.col("observed_at").max().over(_TEST))
        .sort(*_TEST, "model_id", "setting", "source_row")
    )
    tests = [rows for _, rows in rows.group_by(_TEST, maintain_order=True) if rows.height >= FEWEST_RUNS]
    tests.sort(key=lambda rows: (-rows.height, rows["benchmark_id"][0]))
    by_items: dict[frozenset[str], pl.DataFrame] = {}
    for rows in tests:
        by_items.setdefault(items.names(rows), rows)
    return list(by_items.values())


def _effect_of(items: ItemResults, rows: pl.DataFrame) -> dict[str, Any] | None:
    """The row of the table for the runs of one test; None where their outcomes are not on record."""
    outcomes = items.outcomes(rows)
    if outcomes is None:
        return None
    n = outcomes.shape[1]
    share = outcomes.mean(axis=1)
    strength = probit(share, n)
    pair_places = np.triu_indices(share.size, 1)
    paired, unpaired = difference_variances(outcomes)[pair_places], _independent_variances(outcomes)[pair_places]
    difference = np.abs(share[:, None] - share[None, :])[pair_places]
    first = rows.row(0, named=True)
    return {
        **{name: first[name] for name in _TEST},
        "n_runs": share.size,
        "correlation": mean_correlation(outcomes),
        "variance_ratio": float((paired / unpaired).mean()),
        "slope_spread": slope_spread(outcomes, np.sqrt(2 * np.pi) * np.exp(strength**2 / 2), strength),
        "pairs": difference.size,
        "apart_paired": int((difference > Z95 * np.sqrt(paired)).sum()),
        "apart_unpaired": int((difference > Z95 * np.sqrt(unpaired)).sum()),
        **_over_clusters(items, rows, unpaired),
        "basis": "items",
        "observed_on": first["observed_at"].date(),
        "source_url": first["url"],
    }


def _over_clusters(items: ItemResults, rows: pl.DataFrame, unpaired: Numbers) -> dict[str, Any]:
    """The columns about clusters of items; `unpaired` are the variances of the differences of all pairs."""
    spread = spread_between(items, rows)
    if spread is None:
        return {}
    ratio = float((spread.variances[np.triu_indices(rows.height, 1)] / unpaired).mean())
    return {"clusters": spread.clusters, "cluster_ratio": ratio, "cluster_degrees": spread.degrees}


def _independent_variances(outcomes: Numbers) -> Numbers:
    """The variance of the difference of every two models as if each had answered items of its own."""
    variances = outcomes.var(axis=1, ddof=1) / outcomes.shape[1]
    return np.asarray(variances[:, None] + variances[None, :])
