"""What shared items do to the error of a difference and of a slope, on every test that is known item by item."""

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

    A test is a whole benchmark with a number of items, as its newest file has it; a run is a model in one setting; of
    two benchmarks that are one set of items the one with more runs counts, then the first by name. `correlation` is the
    mean correlation, over pairs of runs, of what they did on the items, `variance_ratio` the mean over pairs of the
    variance of their difference item by item to that of independent errors, and `apart_paired` and `apart_unpaired`
    of how many of all `pairs` the difference is beyond either 95% error. `slope_spread` is that of
    `statistics.units.line.slope_spread` on the probit scale. Where items come in `clusters`, `cluster_ratio` is the
    mean over pairs of the variance of their difference over clusters (`clustered_mean.clustered_items`, a missing
    answer counted as wrong) to that of independent errors, known with so many `cluster_degrees` of freedom. `basis` is
    `items` where they are on record here, and `curated` where they were measured before and may not be passed on
    (data/registry/design_effect.csv).
    """
    items = item_results(frames)
    rows = [row for test in _tests(frames, items) if (row := _effect_of(items, test)) is not None]
    schema = PUBLISHED["design_effect"]
    here = pl.DataFrame(rows, schema=schema, orient="row")
    sets = here.select("source_id", "benchmark_id", "n_items")
    curated = frames.design_effect.join(sets, on=_TEST, how="anti").with_columns(basis=pl.lit("curated"))
    return pl.concat([here, curated.select(schema.names())]).sort(_TEST)


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
    outcomes = items.outcomes(rows)
    if outcomes is None:
        return None
    n = outcomes.shape[1]
    share = outcomes.mean(axis=1)
    place = probit(share, n)
    apart = np.triu_indices(share.size, 1)
    paired, alone = difference_variances(outcomes)[apart], _unpaired(outcomes)[apart]
    difference = np.abs(share[:, None] - share[None, :])[apart]
    first = rows.row(0, named=True)
    return {
        **{name: first[name] for name in _TEST},
        "n_runs": share.size,
        "correlation": mean_correlation(outcomes),
        "variance_ratio": float((paired / alone).mean()),
        "slope_spread": slope_spread(outcomes, np.sqrt(2 * np.pi) * np.exp(place**2 / 2), place),
        "pairs": difference.size,
        "apart_paired": int((difference > Z95 * np.sqrt(paired)).sum()),
        "apart_unpaired": int((difference > Z95 * np.sqrt(alone)).sum()),
        **_over_clusters(items, rows, alone),
        "basis": "items",
        "observed_on": first["observed_at"].date(),
        "source_url": first["url"],
    }


def _over_clusters(items: ItemResults, rows: pl.DataFrame, alone: Numbers) -> dict[str, Any]:
    spread = spread_between(items, rows)
    if spread is None:
        return {}
    ratio = float((spread.variances[np.triu_indices(rows.height, 1)] / alone).mean())
    return {"clusters": spread.clusters, "cluster_ratio": ratio, "cluster_degrees": spread.degrees}


def _unpaired(outcomes: Numbers) -> Numbers:
    """The variance of every difference as if each model had items of its own."""
    variances = outcomes.var(axis=1, ddof=1) / outcomes.shape[1]
    return np.asarray(variances[:, None] + variances[None, :])
