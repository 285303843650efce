"""Proxies and targets: the declared twins, with the models that are measured on both sides."""

from typing import NamedTuple

import numpy as np
import polars as pl

from benchhealth.analytics.record.origins.sides import is_by_others, is_claim
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.group_mean import group_mean
from benchhealth.analytics.statistics.regression import probit
from benchhealth.analytics.twins.pairs import RERUN

COLUMNS = ("pair_id", "original_id", "other_id", "kind", "source_id", "other_source_id")


class Points(NamedTuple):
    """The models of a pair, by model id: merits (higher is better) in points or the unit, and on the scale of a line.

    `x` and `y` are proxy and target on the probit scale for shares of known items, else as they are. `when` is
    the debut in days since 1970, `family` the first word of the model's id.
    """

    model_id: list[str]
    family: list[str]
    when: Numbers
    proxy: Numbers
    target: Numbers
    x: Numbers
    y: Numbers


def declared(twin_pair: pl.DataFrame) -> pl.DataFrame:
    """Every declared twin once, as proxy (`original_id`) and target (`other_id`), by `pair_id`."""
    return twin_pair.select(pl.col("twin_id").alias("pair_id"), *COLUMNS[1:]).sort("pair_id")


def points_of_pairs(history: pl.DataFrame, pairs: pl.DataFrame, debut: pl.DataFrame) -> dict[str, Points]:
    """The points of every pair by its id. `debut` has each model's day of release, or the first day any source has
    it.

    Sides are matched as those of twins are (`analytics.twins.pairs.matched_pairs`), but for the pinned day of a few:
    here the newest listed results count, and one point for each model.
    """
    named = pl.concat([pairs["original_id"], pairs["other_id"]]).unique().implode()
    rows = (
        history.filter("listed", pl.col("benchmark_id").is_in(named))
        .select(*_NEEDED, items=pl.col("n_items").cast(pl.Float64))
        .join(debut, on="model_id")
        .sort("merit", "source_row", "source_id", "model_id", "setting", descending=[True, *[False] * 4])
    )
    by_benchmark = {str(key[0]): group for key, group in rows.group_by("benchmark_id", maintain_order=True)}
    nothing = rows.clear()
    return {
        pair["pair_id"]: _points(
            _side(by_benchmark.get(pair["original_id"], nothing), pair["source_id"], pair["kind"], is_claim()),
            _side(
                by_benchmark.get(pair["other_id"], nothing),
                pair["other_source_id"] or pair["source_id"],
                pair["kind"],
                is_by_others(),
            ),
            one_source=pair["source_id"] is not None and pair["other_source_id"] in {None, pair["source_id"]},
        )
        for pair in pairs.iter_rows(named=True)
    }


def _side(rows: pl.DataFrame, source_id: str | None, kind: str, reported: pl.Expr) -> pl.DataFrame:
    """The rows of one side: of its source, and of a rerun those of who reported or measured them."""
    if source_id is not None:
        rows = rows.filter(pl.col("source_id") == source_id)
    return rows.filter(reported) if kind == RERUN else rows


_NEEDED = (
    "benchmark_id",
    "source_id",
    "reporter",
    "passed_on",
    "model_id",
    "setting",
    "source_row",
    "merit",
    "score",
    "sign",
    "bounded",
)


def _points(original: pl.DataFrame, target: pl.DataFrame, *, one_source: bool) -> Points:
    """The models listed on both sides, matched as twins are; of several settings the best on the proxy stands."""
    key = ["model_id", "setting"] if one_source else ["model_id"]
    sides = [
        rows.unique(key, keep="first", maintain_order=True).drop(
            "source_row", "source_id", "reporter", "passed_on", "benchmark_id"
        )
        for rows in (original, target)
    ]
    joined = (
        sides[0]
        .join(sides[1], on=key, suffix="_other")
        .sort("merit", *key, descending=[True] + [False] * len(key))
        .unique("model_id", keep="first", maintain_order=True)
        .with_columns(family=pl.coalesce(pl.col("model_id").str.extract(r"^(?:.*/)?([a-z]+)"), "model_id"))
        .sort("model_id")
    )
    return _on_scales(joined)


def _on_scales(joined: pl.DataFrame) -> Points:
    column = {name: joined[name].cast(pl.Float64).fill_null(np.nan).to_numpy() for name in _NUMBERS}
    bounded = joined.height > 0 and bool(joined["bounded"].all() and joined["bounded_other"].all())
    proxy, target = column["merit"], column["merit_other"]
    x, y = proxy, target
    if bounded:
        proxy, target = 100 * proxy, 100 * target
        curved = column["sign"] * probit(column["score"], column["items"])
        curved_other = column["sign_other"] * probit(column["score_other"], column["items_other"])
        is_curved = bool(np.isfinite(curved).all() and np.isfinite(curved_other).all())
        x, y = (curved, curved_other) if is_curved else (proxy, target)
    days = joined["debut"].cast(pl.Int32).cast(pl.Float64).to_numpy()
    return Points(joined["model_id"].to_list(), joined["family"].to_list(), days, proxy, target, x, y)


_NUMBERS = ("merit", "merit_other", "score", "score_other", "items", "items_other", "sign", "sign_other")


def pooled_families(points: Points) -> Points:
    """One point for the models of a family that came on one day, their mean: they are one choice, not several."""
    if not points.model_id:
        return points
    frame = pl.DataFrame(
        {"family": points.family, "when": points.when, **{name: getattr(points, name) for name in _SIDES}}
    )
    means = frame.group_by("family", "when").agg(group_mean(*_SIDES)).sort("when", "family")
    sides = [means[name].to_numpy() for name in _SIDES]
    return Points(means["family"].to_list(), means["family"].to_list(), means["when"].to_numpy(), *sides)


_SIDES = ["proxy", "target", "x", "y"]
