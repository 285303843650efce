"""Two scores on one benchmark, by numbers or by models, as the parameters of an address ask for them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from benchhealth.analytics.difference.paired import Paired, paired
from benchhealth.analytics.difference.two_scores import Difference, Score, difference
from benchhealth.analytics.record.conditions.recognise import UNSTATED
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS, Z95
from benchhealth.analytics.statistics.units.rank_sets import critical_values
from benchhealth.dashboard.published.answers import words_of
from benchhealth.dashboard.published.boards.by_item import by_item
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.tables import ParameterError, Params, required
from benchhealth.dashboard.words.boards.difference import Asked, LikeTests, Side
from benchhealth.dashboard.words.text import one_line

BENCHMARK, FIRST, SECOND, ITEMS, SHOTS, MODEL, OTHER = "benchmark", "first", "second", "n", "shots", "a", "b"
PARAMS = (BENCHMARK, FIRST, SECOND, ITEMS, SHOTS, MODEL, OTHER)
BEST = "best"
"""Given for the second model: the best of the others."""

NEARLY = 0.05
"""The share of the items that may be missing: some problems of a test cannot be run."""

_POSITIONS = """
    SELECT p.*, coalesce(m.name, p.model_id) AS model FROM position p LEFT JOIN model m USING (model_id)
    WHERE p.benchmark_id = $benchmark ORDER BY p.rank, p.model_id
"""
_ITEMS = """
    FROM item_result WHERE benchmark_id = $benchmark AND model_id IN ($first, $second)
    ORDER BY snapshot_id DESC, n_items DESC, source_row
"""
_ELSEWHERE = """
    SELECT DISTINCT condition FROM result WHERE stands AND benchmark_id = $benchmark AND model_id = $model
    ORDER BY condition
"""

Row = Mapping[str, Any]


def asked(view: View, params: Params) -> Asked:
    """What the parameters ask: `first` and `second` as numbers (with `n` and `shots`, one for both or one each), or `a`
    and `b` as models, BEST for the best of the others. Raises ParameterError where they name nothing, or no score.
    """
    benchmark = _benchmark(view, required(params, BENCHMARK))
    if params.get(MODEL) or params.get(OTHER):
        return _models(view, benchmark, required(params, MODEL), params.get(OTHER) or BEST)
    return _numbers(view, benchmark, params)


def positions(view: View, benchmark_id: str) -> pl.DataFrame:
    """Where each model stands on the benchmark, best first: the table `position`, with the `model` by name."""
    key = ("positions on", benchmark_id)
    return view.recent(key, lambda: view.query(_POSITIONS, benchmark=benchmark_id))


def _benchmark(view: View, asked_for: str) -> Row:
    """The row of a benchmark by its id or its name."""
    table = view.table("benchmark")
    word = one_line(asked_for)
    exact = table.filter(pl.col("benchmark_id") == word)
    if exact.is_empty():
        named = table.filter(pl.col("name").str.to_lowercase() == word.casefold())
        exact = named.filter("curated") if named.height > 1 else named
    if exact.height != 1:
        raise ParameterError(f"no benchmark {word!r}; one is named by its id or its whole name")
    return exact.row(0, named=True)


def _numbers(view: View, benchmark: Row, params: Params) -> Asked:
    values = [_value(params, name, benchmark["unit"]) for name in (FIRST, SECOND)]
    is_share = benchmark["unit"] in BOUNDED_UNITS
    items = _each(params, ITEMS, benchmark["n_items"], least=1) if is_share else (None, None)
    shots = _each(params, SHOTS, None, least=0)
    called = zip(("the first", "the second"), values, items, strict=True)
    sides = [Side(name, value, size) for name, value, size in called]
    like = _like(view, benchmark) if is_share else None
    unlike = [("the number of examples", f"{shots[0]}", f"{shots[1]}")] if shots[0] != shots[1] else []
    stated = None if shots[0] is None else f"{shots[0]} examples in the prompt; nothing else is stated"
    one, other = (Score(side.value, items=side.items) for side in sides)
    return Asked(
        first=sides[0],
        second=sides[1],
        found=difference(one, other, _correlations(like)),
        like=like,
        unlike=unlike,
        condition=stated,
        **_about(view, benchmark),
    )


def _about(view: View, benchmark: Row) -> dict[str, Any]:
    benchmark_id = benchmark["benchmark_id"]
    return {
        "benchmark_id": benchmark_id,
        "benchmark": benchmark["name"] or benchmark_id,
        "unit": benchmark["unit"],
        "test_items": benchmark["n_items"],
        "twin": words_of(view, benchmark_id).get("second"),
        "known_until": benchmark["known_until"],
    }


def _value(params: Params, name: str, unit: str | None) -> float:
    text = required(params, name).strip().removesuffix("%").replace(",", ".")
    try:
        value = float(text)
    except ValueError:
        raise ParameterError(f"{name} is a score, not {one_line(text)[:40]!r}") from None
    if unit in BOUNDED_UNITS:
        value /= 100
        if not 0 <= value <= 1:
            raise ParameterError(f"{name} is a score in percent, from 0 to 100")
    if not np.isfinite(value):
        raise ParameterError(f"{name} is a finite score")
    return value


def _each(params: Params, name: str, default: int | None, *, least: int) -> tuple[int | None, int | None]:
    """One whole number for both, or one each with a comma between them."""
    text = params.get(name, "")
    if not text:
        return default, default
    parts = text.split(",")
    if len(parts) > 2 or not all(part.strip().isdecimal() and least <= int(part) < 10**9 for part in parts):
        raise ParameterError(f"{name} is a whole number from {least} on, or two with a comma between them")
    return int(parts[0]), int(parts[-1])


def _like(view: View, benchmark: Row) -> LikeTests | None:
    """What was measured on this very test, else on all that are known item by item."""
    rows = view.table("design_effect").drop_nulls("correlation")
    own = rows.filter(pl.col("benchmark_id") == benchmark["benchmark_id"])
    found = (own if own.height else rows)["correlation"].clip(0.0, 0.999)
    ends = found.min(), found.max()
    return None if found.is_empty() else LikeTests(float(ends[0]), float(ends[1]), found.len())  # type: ignore[arg-type]


def _correlations(like: LikeTests | None) -> tuple[float, ...]:
    return () if like is None else tuple(dict.fromkeys((like.low, like.high)))


def _models(view: View, benchmark: Row, first: str, second: str) -> Asked:
    rows = positions(view, benchmark["benchmark_id"])
    one = _standing(view, benchmark, rows, first)
    others = rows.filter(pl.col("model_id") != one["model_id"])
    if second == BEST and others.is_empty():
        raise ParameterError("no other model has a standing result on it")
    other = others.row(0, named=True) if second == BEST else _standing(view, benchmark, rows, second)
    if other["model_id"] == one["model_id"]:
        raise ParameterError("two models are compared, not one with itself")
    z, picked = _picked(rows, one["model_id"]) if second == BEST else (Z95, None)
    pairs = _paired(view, one, other, z)
    is_share = benchmark["unit"] in BOUNDED_UNITS
    like = _like(view, benchmark) if is_share and pairs is None else None
    found = pairs.found if pairs else _apart(one, other, like, z, benchmark["n_items"] if is_share else None)
    sides = [Side(row["model"], row["score"], None, row["reporter"], row["model_id"]) for row in (one, other)]
    condition = one["condition"]
    return Asked(
        first=sides[0],
        second=sides[1],
        found=found,
        like=like,
        pairs=pairs,
        picked_of=picked,
        condition=None if condition in (None, UNSTATED) else condition,
        **_about(view, benchmark),
    )


def _apart(one: Row, other: Row, like: LikeTests | None, z: float, test_items: int | None) -> Difference:
    """The difference by the errors of the two."""
    return difference(_score(one, test_items), _score(other, test_items), _correlations(like), z)


def _score(row: Row, test_items: int | None) -> Score:
    """The score of a position; on items where its error is that of right and wrong answers to about the whole test."""
    value, error = row["score"], row["error"] or None
    if test_items is not None and error is not None and 0 < value < 1:
        items = round(value * (1 - value) / error**2)
        if abs(items - test_items) <= NEARLY * test_items:
            return Score(value, items=items)
    return Score(value, error=error)


def _standing(view: View, benchmark: Row, rows: pl.DataFrame, asked_for: str) -> Row:
    """The model's position, by its id or its name."""
    word = one_line(asked_for)
    named = rows.filter((pl.col("model_id") == word) | (pl.col("model").str.to_lowercase() == word.casefold()))
    if named.height == 1:
        return named.row(0, named=True)
    elsewhere = view.query(_ELSEWHERE, benchmark=benchmark["benchmark_id"], model=word)["condition"].drop_nulls()
    conditions = ", ".join(repr(one) for one in elsewhere.to_list())
    under = f"; its results are of other conditions ({conditions})" if conditions else ""
    name = benchmark["name"] or benchmark["benchmark_id"]
    raise ParameterError(f"no standing result of {word!r} under the condition by which {name} is judged{under}")


def _picked(rows: pl.DataFrame, model_id: str) -> tuple[float, int]:
    """The quantile for a model against the best of the others, and of how many that is."""
    known = rows.filter(pl.col("error") > 0)
    at = known["model_id"].index_of(model_id)
    errors = known["error"].to_numpy()
    return (Z95 if at is None else float(critical_values(errors, rows.height)[at])), rows.height - 1


def _paired(view: View, one: Row, other: Row, z: float) -> Paired | None:
    """The two item by item, where the newest file that has the compared scores of both has the same items of both."""
    items = by_item(view, _ITEMS, benchmark=one["benchmark_id"], first=one["model_id"], second=other["model_id"])
    rows = items.rows.with_columns(points=pl.Series(items.points(items.rows)))
    for _, same in rows.group_by("snapshot_id", "n_items", maintain_order=True):
        sides = [
            same.filter(
                pl.col("model_id") == row["model_id"], (pl.col("points") - row["score"] * pl.col("n_items")).abs() <= 1
            ).head(1)
            for row in (one, other)
        ]
        both = pl.concat(sides)
        outcomes = items.outcomes(both) if both.height == 2 else None
        if outcomes is not None:
            return paired(outcomes[0], outcomes[1], z)
    return None
