"""Whether pairs of models that a board tells apart come in the same order when somebody else measures them."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.churn.census import families
from benchhealth.analytics.measurers.numbers import INDEPENDENT, MAKER
from benchhealth.analytics.record.by_item.item_results import ItemResults
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.columns import FLAG, INSTANT, NUMBER, by_type
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.units.clustered_share import clustered_share
from benchhealth.analytics.statistics.units.ties import pairs_beyond_error

OTHERS, MAKERS = "others", "makers"
"""Whose order is held against a second measurement: that of a house which made none of the models, or the makers'."""

FEWEST_FAMILIES = 5
"""With fewer families of benchmarks no share is given."""

_SCHEMA = PUBLISHED["order_rerun"]
_TEST = ["benchmark_id", "condition"]


class _Pairs(NamedTuple):
    """Of pairs of models measured twice: whether the first tells them apart, and what the second says: 1 the same
    order, -1 the other, 0 equal; `contradicts` where that is beyond the second's own error."""

    apart: NDArray[np.bool_]
    order: Numbers
    contradicts: NDArray[np.bool_]


def order_reruns(standing_numbers: pl.DataFrame, frames: Frames, items: ItemResults) -> pl.DataFrame:
    """Table `order_rerun`: how often a second measurement gives the same order, for pairs beyond error and within.

    Two measurements are the best numbers of the same models on one curated benchmark under one condition by two houses
    of which neither made the models (OTHERS), or by their makers and by such a house (MAKERS); copies of one number are
    none. The first is the one with more models of known error, of makers theirs. Pairs differ where the first's
    difference is beyond 95% of its error, item by item where that is known and else as if independent, one pair at a
    time. `same` of the `pairs` come in the first's order, `turned` in the other, `contradicted` of these beyond the
    second's own error; the others have equal scores. `share` is `same` of `pairs`, of FEWEST_FAMILIES families or more,
    with the interval of benchmarks that come in families (`clustered_share`). Prompts, effort and versions may differ
    between the two.
    """
    family = families(standing_numbers.select("benchmark_id").unique(), frames)
    looked = frames.snapshot.select("snapshot_id", "observed_at")
    rows = (
        standing_numbers.filter(pl.col("counts") & pl.col("who").is_in([INDEPENDENT, MAKER]))
        .with_columns(house=pl.when(pl.col("who") == MAKER).then(pl.lit("")).otherwise("house"))
        .sort(*_TEST, "house", "model_id", "merit", "error", descending=[False] * 4 + [True, False], nulls_last=True)
        .unique([*_TEST, "house", "model_id"], keep="first", maintain_order=True)
        .join(family, on="benchmark_id", maintain_order="left")
        .join(looked, on="snapshot_id", how="left", maintain_order="left")
    )
    pairs_of_tests = [pl.DataFrame(schema=_PAIR_SCHEMA)]
    for _, test in rows.group_by(_TEST, maintain_order=True):
        pairs_of_tests += [_of_two(*measurements, items) for measurements in _measurements(test)]
    pairs = pl.concat(pairs_of_tests)
    counted = [_summary_row(kind, apart, group) for (kind, apart), group in pairs.group_by("kind", "apart")]
    return pl.DataFrame(counted, schema=_SCHEMA, orient="row").sort("kind", "apart", descending=True)


_PAIR_SCHEMA = pl.Schema(
    {
        **dict.fromkeys(("kind", "benchmark_id", "family"), pl.String()),
        **by_type((INSTANT, "seen_at"), (FLAG, "apart"), (NUMBER, "order"), (FLAG, "contradicts")),
    }
)


def _measurements(test: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame, pl.DataFrame]]:
    """Every two measurements of one test: the kind, the first and the second."""
    by_house = {str(house): rows for (house,), rows in test.group_by("house", maintain_order=True)}
    makers = by_house.pop("", None)
    with_errors = {house: rows.drop_nulls("error").height for house, rows in by_house.items()}
    for first, second in combinations(sorted(by_house, key=lambda house: (-with_errors[house], house)), 2):
        yield OTHERS, by_house[first], by_house[second]
    if makers is not None:
        for rows in by_house.values():
            yield MAKERS, makers, rows


def _of_two(kind: str, first: pl.DataFrame, second: pl.DataFrame, items: ItemResults) -> pl.DataFrame:
    remeasured = second.select("model_id", "merit", "error", "origin")
    on_both = first.drop_nulls("error").join(remeasured, on="model_id", suffix="_again", maintain_order="left")
    on_both = on_both.filter(pl.col("origin").ne_missing(pl.col("origin_again")))
    if on_both.height < 2:
        return pl.DataFrame(schema=_PAIR_SCHEMA)
    first_variances, rerun_variances = (_independent_variances(on_both[name]) for name in ("error", "error_again"))
    shared = items.variances(on_both) if items.are_known(on_both).any() else np.full_like(first_variances, np.nan)
    variances = np.where(np.isfinite(shared), shared, first_variances)
    pairs = _pair_orders(on_both["merit"].to_numpy(), variances, on_both["merit_again"].to_numpy(), rerun_variances)
    seen_at = max(run["observed_at"].max() for run in (first, second))  # type: ignore[type-var]
    about = {
        "kind": kind,
        "benchmark_id": on_both["benchmark_id"][0],
        "family": on_both["family"][0],
        "seen_at": seen_at,
    }
    return pl.DataFrame(pairs._asdict()).select(
        *(pl.lit(value, _PAIR_SCHEMA[name]).alias(name) for name, value in about.items()), *_Pairs._fields
    )


def _independent_variances(errors: pl.Series) -> Numbers:
    """The variances of all differences as if errors were independent."""
    squares = errors.fill_null(np.nan).to_numpy() ** 2
    return np.asarray(squares[:, None] + squares[None, :])


def _pair_orders(merits: Numbers, variances: Numbers, rerun_merits: Numbers, rerun_variances: Numbers) -> _Pairs:
    upper = np.triu_indices(merits.size, 1)
    apart, _ = pairs_beyond_error(merits, variances)
    beyond, _ = pairs_beyond_error(rerun_merits, rerun_variances)
    first, second = (np.sign(values[:, None] - values[None, :])[upper] for values in (merits, rerun_merits))
    compared = first != 0
    order = (first * second)[compared]
    return _Pairs(apart[upper][compared], order, beyond[upper][compared] & (order < 0))


def _summary_row(kind: object, apart: object, pairs: pl.DataFrame) -> dict[str, Any]:
    same = (pairs["order"] > 0).to_numpy()
    row: dict[str, Any] = {
        "kind": kind,
        "apart": apart,
        "pairs": pairs.height,
        "same": int(same.sum()),
        "turned": pairs.filter(pl.col("order") < 0).height,
        "contradicted": int(pairs["contradicts"].sum()),
        "benchmarks": pairs["benchmark_id"].n_unique(),
        "families": pairs["family"].n_unique(),
        "seen_until": pairs["seen_at"].max(),
    }
    if row["families"] >= FEWEST_FAMILIES:
        row["share"], row["low"], row["high"] = clustered_share(same, pairs["family"].to_numpy())
    return row
