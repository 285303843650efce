"""Proxies and targets: the declared twins, and the raw rates whose debiased form the same source publishes."""

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analytics.regression import probit

ALSO = (
    ("alpacaeval-2-to-length-controlled", "alpacaeval-2-raw", "alpacaeval-2", "debiased metric", "alpaca-eval"),
    ("arena-to-style-control", "lmarena-text-bt", "lmarena-text-style-control", "debiased metric", None),
)
"""Pairs in which the target is the proxy with what the judge likes (length, style) taken out; a declared twin of the
same two benchmarks stands for them."""

COLUMNS = ("pair_id", "original_id", "other_id", "kind", "source_id")
Numbers = NDArray[np.float64]


class Points(NamedTuple):
    """The models of a pair, by model id: merits (higher is better) in points or the unit, and on the scale of a line.

    `across` and `up` are proxy and target on the probit scale for shares of known items, else as they are. `when` is
    the debut in days since 1970, `family` the first word of the model's id.
    """

    model_id: list[str]
    family: list[str]
    when: Numbers
    proxy: Numbers
    target: Numbers
    across: Numbers
    up: Numbers


def declared(twin_pair: pl.DataFrame) -> pl.DataFrame:
    """Every pair once: the declared twins and those of `ALSO` that they do not name."""
    twins = twin_pair.select(pl.col("twin_id").alias("pair_id"), *COLUMNS[1:])
    also = pl.DataFrame(ALSO, schema=dict.fromkeys(COLUMNS, pl.String()), orient="row")
    return pl.concat([twins, also.join(twins, on=["original_id", "other_id"], how="anti")]).sort("pair_id")


def matched(past: pl.DataFrame, pairs: pl.DataFrame, debut: pl.DataFrame) -> dict[str, Points]:
    """The points of every pair by its id. `debut` has each model's day of release, or the first day any source has
    it."""
    named = pl.concat([pairs["original_id"], pairs["other_id"]]).unique().implode()
    rows = (
        past.filter("listed", pl.col("benchmark_id").is_in(named))
        .select(*_NEEDED, items=pl.col("n_items").cast(pl.Float64))
        .join(debut, on="model_id")
        .sort("merit", "source_row", descending=[True, False])
    )
    by_benchmark = {str(key[0]): group for key, group in rows.group_by("benchmark_id", maintain_order=True)}
    nothing = rows.clear()
    return {
        pair["pair_id"]: _points(
            by_benchmark.get(pair["original_id"], nothing),
            by_benchmark.get(pair["other_id"], nothing),
            pair["source_id"],
        )
        for pair in pairs.iter_rows(named=True)
    }


_NEEDED = ("benchmark_id", "source_id", "model_id", "setting", "source_row", "merit", "score", "sign", "bounded")


def _points(original: pl.DataFrame, other: pl.DataFrame, source_id: str | None) -> Points:
    """The models listed on both sides, matched as twins are; of several settings the best on the proxy stands."""
    key = ["model_id"] if source_id is None else ["model_id", "setting"]
    sides = [
        (rows if source_id is None else rows.filter(pl.col("source_id") == source_id))
        .unique(key, keep="first", maintain_order=True)
        .drop("source_row", "source_id", "benchmark_id")
        for rows in (original, other)
    ]
    both = (
        sides[0]
        .join(sides[1], on=key, suffix="_other")
        .sort("merit", *key, descending=[True] + [False] * len(key))
        .unique("model_id", keep="first", maintain_order=True)
        .with_columns(family=pl.coalesce(pl.col("model_id").str.extract(r"^(?:.*/)?([a-z]+)"), "model_id"))
        .sort("model_id")
    )
    return _on_scales(both)


def _on_scales(both: pl.DataFrame) -> Points:
    column = {name: both[name].cast(pl.Float64).fill_null(np.nan).to_numpy() for name in _NUMBERS}
    bounded = both.height > 0 and bool(both["bounded"].all() and both["bounded_other"].all())
    proxy, target = column["merit"], column["merit_other"]
    across, up = proxy, target
    if bounded:
        proxy, target = 100 * proxy, 100 * target
        curved = column["sign"] * probit(column["score"], column["items"])
        curved_other = column["sign_other"] * probit(column["score_other"], column["items_other"])
        is_curved = bool(np.isfinite(curved).all() and np.isfinite(curved_other).all())
        across, up = (curved, curved_other) if is_curved else (proxy, target)
    days = both["debut"].cast(pl.Int32).cast(pl.Float64).to_numpy()
    return Points(both["model_id"].to_list(), both["family"].to_list(), days, proxy, target, across, up)


_NUMBERS = ("merit", "merit_other", "score", "score_other", "items", "items_other", "sign", "sign_other")


def pooled(found: Points) -> Points:
    """One point for the models of a family that came on one day, their mean: they are one choice, not several."""
    if not found.model_id:
        return found
    frame = pl.DataFrame(
        {"family": found.family, "when": found.when, **{name: getattr(found, name) for name in _SIDES}}
    )
    means = frame.group_by("family", "when").agg(pl.col(_SIDES).mean()).sort("when", "family")
    sides = [means[name].to_numpy() for name in _SIDES]
    return Points(means["family"].to_list(), means["family"].to_list(), means["when"].to_numpy(), *sides)


_SIDES = ["proxy", "target", "across", "up"]
