"""Two scores on one benchmark, by numbers or by models, as the parameters of an address ask for them."""

from itertools import product
from typing import Any

import numpy as np
import polars as pl

from benchhealth.analytics.audit.board import below_one
from benchhealth.analytics.difference.two_scores import ClusterEffect, Difference, Paired, Score, difference, paired
from benchhealth.analytics.record.by_item.clusters import spread_between
from benchhealth.analytics.record.conditions.recognise import UNSTATED
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS, Z95
from benchhealth.analytics.statistics.units.rank_sets import critical_values
from benchhealth.dashboard.published.answers import words_of
from benchhealth.dashboard.published.benchmarks import named_benchmark
from benchhealth.dashboard.published.boards.items import by_item, cluster_name
from benchhealth.dashboard.published.generation import ParameterError, Params, View, did_you_mean, required, slug
from benchhealth.dashboard.words.boards.difference import (
    ANOTHER,
    DOMAIN,
    PART,
    SECOND_MEASUREMENT,
    Instead,
    LikeTests,
    ScorePair,
    Side,
)
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
_REPORTED = """
    SELECT r.model_id, coalesce(any_value(m.name), r.model_id) AS model
    FROM result r LEFT JOIN model m USING (model_id) LEFT JOIN position p USING (benchmark_id, model_id)
    WHERE r.stands AND r.benchmark_id = $benchmark GROUP BY r.model_id ORDER BY min(p.rank) NULLS LAST, r.model_id
"""
_ITEMS = """
    FROM item_result WHERE benchmark_id = $benchmark AND model_id IN ($first, $second)
    ORDER BY snapshot_id DESC, n_items DESC, source_row
"""
_ELSEWHERE = """
    SELECT r.model_id, coalesce(m.name, r.model_id) AS model, r.score, r.std_error, r.n_items, r.side AS reporter,
        coalesce(r.condition, $unstated) AS condition
    FROM result r LEFT JOIN model m USING (model_id)
    WHERE r.stands AND r.benchmark_id = $benchmark AND (r.model_id = $model OR lower(m.name) = lower($model))
    ORDER BY r.dated_on DESC NULLS LAST, r.score DESC, r.source_row
"""
_ASKED = """
    SELECT max(n_items) FROM result
    WHERE stands AND benchmark_id = $benchmark AND condition = $condition AND model_id IN ($first, $second)
"""
_NEAREST = f"""
    WITH twins AS (
        SELECT other_id AS id FROM twin WHERE original_id = $benchmark
        UNION SELECT original_id FROM twin WHERE other_id = $benchmark
    ), shared AS (
        SELECT benchmark_id, any_value(n_models) AS n_models FROM position
        WHERE model_id IN ($first, $second) AND benchmark_id <> $benchmark GROUP BY benchmark_id HAVING count(*) = 2
    ), near AS (
        SELECT s.benchmark_id, b.name, b.curated, s.n_models, CASE WHEN t.id IS NOT NULL THEN '{SECOND_MEASUREMENT}'
            WHEN starts_with(s.benchmark_id, $benchmark || '/') THEN '{PART}'
            WHEN b.domain = $domain THEN '{DOMAIN}' ELSE '{ANOTHER}' END AS kind
        FROM shared s JOIN benchmark b USING (benchmark_id) LEFT JOIN twins t ON t.id = s.benchmark_id
    )
    SELECT benchmark_id, coalesce(name, benchmark_id), kind FROM near
    WHERE curated OR kind IN ('{SECOND_MEASUREMENT}', '{PART}')
    ORDER BY list_position(['{SECOND_MEASUREMENT}', '{PART}', '{DOMAIN}', '{ANOTHER}'], kind), n_models DESC,
        benchmark_id LIMIT 1
"""  # noqa: S608 - the kinds are constants


def score_pair(view: View, params: Params) -> ScorePair:
    """What the parameters ask: `first` and `second` as numbers (with `n` and `shots`, one for both or one each), or `a`
    and `b` as models, BEST for the best of the others. Scores of unlike conditions are not compared: the answer then
    has the nearest question that can be answered. Raises ParameterError where they name nothing, or no score.
    """
    benchmark = named_benchmark(view, required(params, BENCHMARK))
    if params.get(MODEL) or params.get(OTHER):
        return _models(view, benchmark, required(params, MODEL), params.get(OTHER) or BEST)
    return _numbers(view, benchmark, params)


def of_outcomes(
    outcomes: tuple[Numbers, Numbers],
    names: tuple[str, str],
    benchmark: str,
    *,
    run_variances: Numbers | None = None,
) -> ScorePair:
    """Two models over the items of which both have an outcome, from 0 to 1 each; others are not finite.

    `run_variances`, (2, items), is the variance of an outcome that is a mean of several runs.
    """
    first_outcomes, second_outcomes = outcomes
    items = np.isfinite(first_outcomes) & np.isfinite(second_outcomes)
    rerun = None if run_variances is None else run_variances[:, items]
    pair = paired(first_outcomes[items], second_outcomes[items], run_variances=rerun)
    first, second = (
        Side(name, float(values[items].mean()), model_id=name) for name, values in zip(names, outcomes, strict=True)
    )
    return ScorePair("", benchmark, "fraction", first, second, pair.difference, pairs=pair, test_items=int(items.sum()))


def positions(view: View, benchmark_id: str) -> pl.DataFrame:
    """Where each model stands on the benchmark, best first: the table `position`, with the `model` by name."""
    key = ("positions on", benchmark_id)
    return view.recent(key, lambda: view.query(_POSITIONS, benchmark=benchmark_id))


def models_with_results(view: View, benchmark_id: str) -> pl.DataFrame:
    """The models with a standing result on the benchmark under any condition, by `model_id` and name (`model`)."""
    return view.query(_REPORTED, benchmark=benchmark_id)


def _numbers(view: View, benchmark: Row, params: Params) -> ScorePair:
    values = [_given_score(params, name, benchmark["unit"]) for name in (FIRST, SECOND)]
    is_share = benchmark["unit"] in BOUNDED_UNITS
    if is_share and 0 < max(values) < 0.01 and not any("%" in params[name] for name in (FIRST, SECOND)):
        raise ParameterError(str(below_one("scores are in percent", max(values) * 100)))
    items = _one_or_two(params, ITEMS, benchmark["n_items"], least=1) if is_share else (None, None)
    shots = _one_or_two(params, SHOTS, None, least=0)
    called = zip(("the first", "the second"), values, items, strict=True)
    sides = [Side(name, value, size) for name, value, size in called]
    like, effect = _design_effects(view, benchmark, is_share=is_share)
    unlike = [("the number of examples", f"{shots[0]}", f"{shots[1]}")] if shots[0] != shots[1] else []
    stated = None if shots[0] is None else f"{shots[0]} examples in the prompt; nothing else is stated"
    first_score, second_score = (Score(side.value, items=side.items) for side in sides)
    return ScorePair(
        first=sides[0],
        second=sides[1],
        difference=difference(first_score, second_score, _correlations(like), effect=effect),
        like=like,
        unlike=unlike,
        condition=stated,
        **_benchmark_facts(view, benchmark),
    )


def _benchmark_facts(view: View, benchmark: Row) -> dict[str, Any]:
    benchmark_id = benchmark["benchmark_id"]
    return {
        "benchmark_id": benchmark_id,
        "benchmark": benchmark["name"] or benchmark_id,
        "unit": benchmark["unit"],
        "test_items": benchmark["n_items"],
        "cluster": cluster_name(view, benchmark_id),
        "twin": words_of(view, benchmark_id).get("second"),
        "known_until": benchmark["known_until"],
    }


def _given_score(params: Params, name: str, unit: str | None) -> float:
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


def _one_or_two(params: Params, name: str, default: int | None, *, least: int) -> tuple[int | None, int | None]:
    """One whole number for both, or one each with a comma between them."""
    text = params.get(name, "")
    if not text:
        return default, default
    numbers = text.split(",")
    if len(numbers) > 2 or not all(digits.strip().isdecimal() and least <= int(digits) < 10**9 for digits in numbers):
        raise ParameterError(f"{name} is a whole number from {least} on, or two with a comma between them")
    return int(numbers[0]), int(numbers[-1])


def _like_tests(view: View, benchmark: Row) -> LikeTests | None:
    """The correlations of errors measured on this test, else on all tests that are known item by item."""
    rows = view.table("design_effect").drop_nulls("correlation")
    on_this = rows.filter(pl.col("benchmark_id") == benchmark["benchmark_id"])
    correlations = (on_this if on_this.height else rows)["correlation"].clip(0.0, 0.999)
    ends = correlations.min(), correlations.max()
    return None if correlations.is_empty() else LikeTests(float(ends[0]), float(ends[1]), correlations.len())  # type: ignore[arg-type]


def _design_effects(view: View, benchmark: Row, *, is_share: bool) -> tuple[LikeTests | None, ClusterEffect | None]:
    """How alike errors are, and what the clusters of this very test do to them, by its newest file that names any."""
    if not is_share:
        return None, None
    rows = view.table("design_effect").filter(pl.col("benchmark_id") == benchmark["benchmark_id"])
    newest = rows.drop_nulls("cluster_ratio").sort("observed_on", "n_items").tail(1)
    effect = newest.select("cluster_ratio", "cluster_degrees", "clusters").rows()
    return _like_tests(view, benchmark), ClusterEffect(*effect[0]) if effect else None


def _correlations(like: LikeTests | None) -> tuple[float, ...]:
    return () if like is None else tuple(dict.fromkeys((like.low, like.high)))


def _models(view: View, benchmark: Row, first: str, second: str) -> ScorePair:
    rows = positions(view, benchmark["benchmark_id"])
    first_row = _position(rows, first)
    rivals = rows if first_row is None else rows.filter(pl.col("model_id") != first_row["model_id"])
    if second == BEST and rivals.is_empty():
        raise ParameterError("no other model has a standing result on it")
    second_row = rivals.row(0, named=True) if second == BEST else _position(rows, second)
    if first_row is None or second_row is None:
        return _other_condition(view, benchmark, first, second if second_row is None else second_row["model_id"])
    if second_row["model_id"] == first_row["model_id"]:
        raise ParameterError("two models are compared, not one with itself")
    z, picked = _quantile_and_count(rows, first_row["model_id"]) if second == BEST else (Z95, None)
    pairs = _item_difference(view, first_row, second_row, z)
    is_share = benchmark["unit"] in BOUNDED_UNITS
    measured = _design_effects(view, benchmark, is_share=is_share and pairs is None)
    condition = first_row["condition"]
    asked = view.query(
        _ASKED, benchmark=benchmark["benchmark_id"], condition=condition, first=first_row["model_id"],
        second=second_row["model_id"],
    ).item()  # fmt: skip
    facts = _benchmark_facts(view, benchmark) | ({"test_items": asked} if asked else {})
    scores = [_score(row, facts["test_items"] if is_share else None) for row in (first_row, second_row)]
    compared = pairs.difference if pairs else _interval(scores[0], scores[1], measured, z)
    return ScorePair(
        first=_side(first_row),
        second=_side(second_row),
        difference=compared,
        like=measured[0],
        pairs=pairs,
        picked_of=picked,
        condition=None if condition in (None, UNSTATED) else condition,
        **facts,
    )


def _side(row: Row) -> Side:
    return Side(row["model"], row["score"], None, row["reporter"], row["model_id"])


def _other_condition(view: View, benchmark: Row, first: str, second: str) -> ScorePair:
    """Two models compared under another condition, as one of them has no result under the condition that counts.

    Without one their scores are not compared, and the nearest test is named on which both stand.
    """
    results = [_results(view, benchmark, word) for word in (first, second)]
    ids = [rows["model_id"][0] for rows in results]
    if ids[0] == ids[1]:
        raise ParameterError("two models are compared, not one with itself")
    shared = results[0].filter(pl.col("condition").is_in(results[1]["condition"].implode()))
    condition = None if shared.is_empty() else shared["condition"][0]
    first_row, second_row = (
        (rows if condition is None else rows.filter(pl.col("condition") == condition)).row(0, named=True)
        for rows in results
    )
    sides = {"first": _side(first_row), "second": _side(second_row), **_benchmark_facts(view, benchmark)}
    if condition is not None:
        is_share = benchmark["unit"] in BOUNDED_UNITS
        measured = _design_effects(view, benchmark, is_share=is_share)
        scores = [_reported_score(row, is_share=is_share) for row in (first_row, second_row)]
        compared = _interval(scores[0], scores[1], measured, Z95)
        return ScorePair(difference=compared, like=measured[0], condition=condition, is_other_condition=True, **sides)
    about = {"benchmark": benchmark["benchmark_id"], "domain": benchmark["domain"]}
    nearest = view.query(_NEAREST, first=ids[0], second=ids[1], **about)
    return ScorePair(
        difference=difference(Score(first_row["score"]), Score(second_row["score"])),
        unlike=[("the condition", first_row["condition"], second_row["condition"])],
        instead=None if nearest.is_empty() else Instead(*nearest.row(0)),
        **sides,
    )


def _results(view: View, benchmark: Row, asked_for: str) -> pl.DataFrame:
    """The model's standing results on the benchmark, newest first. Raises ParameterError where it has none."""
    word = one_line(asked_for)
    rows = view.query(_ELSEWHERE, benchmark=benchmark["benchmark_id"], model=word, unstated=UNSTATED)
    if rows.is_empty():
        names = dict(models_with_results(view, benchmark["benchmark_id"]).select("model_id", "model").iter_rows())
        suggestion = did_you_mean(slug(word), list(names), names)
        raise ParameterError(
            f"no standing result of {word!r} on {benchmark['name'] or benchmark['benchmark_id']}{suggestion}"
        )
    return rows


def _reported_score(row: Row, *, is_share: bool) -> Score:
    """The score of one result, on its own number of items where that is stated."""
    if is_share and row["n_items"]:
        return Score(row["score"], items=row["n_items"])
    return Score(row["score"], error=row["std_error"] or None)


def _position(rows: pl.DataFrame, asked_for: str) -> Row | None:
    """The model's position, by its id or its name; None where it has none under the condition that counts."""
    word = one_line(asked_for)
    named = rows.filter((pl.col("model_id") == word) | (pl.col("model").str.to_lowercase() == word.casefold()))
    return named.row(0, named=True) if named.height == 1 else None


def _interval(
    first: Score, second: Score, measured: tuple[LikeTests | None, ClusterEffect | None], z: float
) -> Difference:
    """The difference of two scores, with an interval from the errors of both and what is known of their correlation."""
    like, effect = measured
    return difference(first, second, _correlations(like), z, effect)


def _score(row: Row, test_items: int | None) -> Score:
    """The score of a position; on items where its error is that of right and wrong answers to about the whole test."""
    value, error = row["score"], row["error"] or None
    if test_items is not None and error is not None and 0 < value < 1:
        items = round(value * (1 - value) / error**2)
        if abs(items - test_items) <= NEARLY * test_items:
            return Score(value, items=items)
    return Score(value, error=error)


def _quantile_and_count(rows: pl.DataFrame, model_id: str) -> tuple[float, int]:
    """The quantile for a model against the best of the others, and of how many that is."""
    with_errors = rows.filter(pl.col("error") > 0)
    index = with_errors["model_id"].index_of(model_id)
    errors = with_errors["error"].to_numpy()
    return (Z95 if index is None else float(critical_values(errors, rows.height)[index])), rows.height - 1


def _item_difference(view: View, first: Row, second: Row, z: float) -> Paired | None:
    """The two models compared item by item, where files hold the outcomes of both on the same items."""
    items = by_item(view, _ITEMS, benchmark=first["benchmark_id"], first=first["model_id"], second=second["model_id"])
    rows = items.rows.with_columns(points=pl.Series(items.points(items.rows)))
    sides = [
        rows.filter(
            pl.col("model_id") == row["model_id"], (pl.col("points") - row["score"] * pl.col("n_items")).abs() <= 1
        )
        for row in (first, second)
    ]
    files = [side["snapshot_id"].to_list() for side in sides]
    file_pairs = product(*(range(len(side)) for side in files))
    for left, right in sorted(file_pairs, key=lambda pair: files[0][pair[0]] != files[1][pair[1]]):
        joined = pl.concat([sides[0][left], sides[1][right]])
        outcomes = items.outcomes(joined)
        if outcomes is not None:
            return paired(outcomes[0], outcomes[1], z, spread=spread_between(items, joined))
    return None
