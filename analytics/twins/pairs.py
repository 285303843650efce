"""Declared pairs of measurements of the same thing, and the models that were measured on both sides."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from benchhealth.analytics.record.boards import best, newest, rankable
from benchhealth.analytics.record.by_item.item_results import ItemResults, item_results
from benchhealth.analytics.record.conditions.references import in_reference, references
from benchhealth.analytics.record.current import benchmark_facts
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.origins.origins import with_passed_on
from benchhealth.analytics.record.origins.sides import is_by_others, is_claim
from benchhealth.analytics.statistics.arrays import Numbers

RERUN = "independent rerun"
"""The kind of twin whose original is what makers report of their own models, and the other what third parties find."""


class Pairs(NamedTuple):
    """The models measured on both sides, by model id; scores and errors in points, an unknown error is NaN.

    `share_*` are the scores as fractions and `items_*` the numbers of items (NaN: unknown), for the probit scale.
    `sign` is +1 where higher is better on both sides, -1 where lower is, and 0 where the sides differ. `dated_on` is
    the first day on which the original was known to list the model, None where only the first version of its file
    says so: it may have been there before. `outcomes_*` are what each model did on each item, (models, items), as
    shares; None of a side that is not known item by item for all of them. `ends_*` are floor and ceiling, as fractions.
    """

    model_id: list[str]
    original: Numbers
    other: Numbers
    original_error: Numbers
    other_error: Numbers
    share_original: Numbers
    share_other: Numbers
    items_original: Numbers
    items_other: Numbers
    sign: int
    bounded: bool
    setting: Sequence[str] = ()
    dated_on: Sequence[date | None] = ()
    outcomes_original: Numbers | None = None
    outcomes_other: Numbers | None = None
    ends_original: tuple[float, float] = (np.nan, np.nan)
    ends_other: tuple[float, float] = (np.nan, np.nan)


BY_MODEL = (
    *("original", "other", "original_error", "other_error"),
    *("share_original", "share_other", "items_original", "items_other"),
)
"""The fields of `Pairs` that have a number for each model."""


class Matched(NamedTuple):
    """A declared twin (a row of `twin_pair`) with the models that were measured on both sides."""

    declared: Mapping[str, Any]
    pairs: Pairs


def matched_pairs(frames: Frames) -> list[Matched]:
    """Every declared pair with the models measured on both sides, by twin_id.

    Both sides are read from the newest version of each file, as of the end of `observed_on` where that is set. Within
    one source, models are matched on model and setting, so one model in three settings is three points; between
    sources, where settings have no common names, each model is matched in its best setting on either side. Either side
    holds the condition alone by which its benchmark is judged.
    """
    declared = replace(frames, result=of_twins(frames))
    rows = with_passed_on(in_reference(rankable(declared), references(declared)), frames.measurer)
    matched_twins = matched_among(rows, frames.twin_pair, item_results(frames))
    ends = _ends(frames)
    return [
        Matched(row, pairs._replace(ends_original=ends[row["original_id"]], ends_other=ends[row["other_id"]]))
        for row, pairs in matched_twins
    ]


def _ends(frames: Frames) -> defaultdict[str, tuple[float, float]]:
    """Floor and ceiling of every benchmark, NaN where unknown."""
    ends = [pl.col(name).cast(pl.Float64).fill_null(np.nan) for name in ("floor", "ceiling")]
    facts = benchmark_facts(frames).select("benchmark_id", *ends)
    return defaultdict(lambda: (np.nan, np.nan), {name: (low, high) for name, low, high in facts.iter_rows()})


def matched_among(rows: pl.DataFrame, twin_pair: pl.DataFrame, items: ItemResults) -> list[Matched]:
    """Every declared pair with the models that these rankable `rows` have on both sides, by twin_id."""
    by_id = rows.partition_by("benchmark_id", as_dict=True).items()
    by_benchmark = defaultdict(rows.clear, {str(name): results for (name,), results in by_id})
    return [
        Matched(row, _matched_scores(by_benchmark, row, items))
        for row in twin_pair.sort("twin_id").iter_rows(named=True)
    ]


def of_twins(frames: Frames) -> pl.LazyFrame:
    """The results of benchmarks that are a side of a declared pair."""
    named = pl.concat([frames.twin_pair["original_id"], frames.twin_pair["other_id"]]).unique()
    return frames.result.filter(pl.col("benchmark_id").is_in(named.implode()))


def _matched_scores(rows: Mapping[str, pl.DataFrame], declared: Mapping[str, Any], items: ItemResults) -> Pairs:
    """The rows of both sides, given by benchmark, matched; scores of both in the same order."""
    source, until = declared["source_id"], declared["observed_on"]
    other_source = declared["other_source_id"] or source
    key = ["model_id", "run"] if source is not None and source == other_source else ["model_id"]
    listed = [
        _side(rows[declared[side]], declared["kind"], side, source_id)
        for side, source_id in (("original_id", source), ("other_id", other_source))
    ]
    sides = [
        best(newest(side.with_columns(run=_run()), until), key).select(
            *("model_id", "run", "setting", "score", "error", "sign", "bounded", "snapshot_id", "source_row"),
            items=pl.col("n_items").cast(pl.Float64),
        )
        for side in listed
    ]
    twin = (
        sides[0]
        .join(sides[1], on=key, suffix="_other", maintain_order="none")
        .join(_first_seen(listed[0]), on="model_id", how="left", maintain_order="none")
        .sort(key)
    )
    signs = set(twin["sign"]) | set(twin["sign_other"])
    bounded = bool(twin["bounded"].all() and twin["bounded_other"].all()) and not twin.is_empty()
    points = 100.0 if bounded else 1.0
    column = {name: twin[name].fill_null(np.nan).to_numpy() for name in twin.columns if twin[name].dtype == pl.Float64}
    return Pairs(
        model_id=twin["model_id"].to_list(),
        original=points * column["score"],
        other=points * column["score_other"],
        original_error=points * column["error"],
        other_error=points * column["error_other"],
        share_original=column["score"],
        share_other=column["score_other"],
        items_original=column["items"],
        items_other=column["items_other"],
        sign=int(signs.pop()) if len(signs) == 1 else 0,
        bounded=bounded,
        setting=twin["setting"].to_list(),
        dated_on=twin["seen_on"].to_list(),
        outcomes_original=items.outcomes(twin),
        outcomes_other=items.outcomes(twin.select(snapshot_id="snapshot_id_other", source_row="source_row_other")),
    )


def _run() -> pl.Expr:
    """How a model was run: the setting without the set of tasks, in which the two sides differ by their nature."""
    return pl.col("setting").str.replace_all(r"(?:^|, )subset=[^,]+", "").str.strip_prefix(", ")


def _side(rows: pl.DataFrame, kind: str, side: str, source: str | None) -> pl.DataFrame:
    """The rows of every version of a benchmark that count for one side of a pair."""
    counts = []
    if source is not None:
        counts.append(pl.col("source_id") == source)
    if kind == RERUN:
        counts.append(is_claim() if side == "original_id" else is_by_others())
    return rows.filter(*counts) if counts else rows


def _first_seen(rows: pl.DataFrame) -> pl.DataFrame:
    """`seen_on` of each model, as `Pairs.dated_on` says."""
    day = pl.col("dated_on")
    return rows.group_by("model_id").agg(seen_on=pl.when(~day.is_null().any()).then(day.min()))
