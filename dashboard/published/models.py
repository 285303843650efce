"""What pages show of models: where each stands, on which benchmarks, and what two have in common."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from benchhealth.analytics.models.pair import TASKS, told_apart
from benchhealth.analytics.record.sharing import Terms, with_terms
from benchhealth.dashboard.published.benchmarks import benchmarks
from benchhealth.dashboard.published.boards.items import by_item
from benchhealth.dashboard.published.generation import (
    ParameterError,
    Params,
    PublishedTable,
    View,
    always,
    recently,
    required,
)

Facts = Mapping[str, Any]

OFFERED = 700
"""Models in a picker: the search of the menu finds all, and a list of all would be sent with every page."""

_RESULTS = """
    SELECT r.benchmark_id, coalesce(b.name, r.benchmark_id) AS benchmark, r.condition, r.setting, r.reporter,
        r.score_published, r.score, r.std_error, min(r.dated_on) AS dated_on, max(r.date_precision) AS date_precision,
        bool_or(r.stands) AS stands, s.source_id,
        max(s.observed_at) AS last_observed_at, arg_max(s.url, s.observed_at) AS url,
        arg_max(s.ref, s.observed_at) AS ref, arg_max(r.source_row, s.observed_at) AS source_row
    FROM result r JOIN snapshot s USING (snapshot_id) LEFT JOIN benchmark b USING (benchmark_id)
    WHERE r.model_id = $model
    GROUP BY ALL
    ORDER BY benchmark, dated_on DESC, score_published DESC, s.source_id, r.setting
"""

_OF_MODEL_SQL = """
    SELECT model_id FROM (SELECT model_id, source_id FROM result JOIN snapshot USING (snapshot_id))
    GROUP BY model_id HAVING bool_and(list_contains($own, source_id))
"""

_ITEMS = "SELECT * FROM item_result WHERE model_id IN ($model, $other)"
_TASKS = """
    WITH listed AS (
        SELECT r.benchmark_id, s.source_id, r.model_id, arg_max(r.score, s.observed_at) AS score
        FROM result r JOIN snapshot s USING (snapshot_id)
        WHERE r.model_id IN ($model, $other) AND r.stands AND r.benchmark_id LIKE '%/%'
            AND r.benchmark_id NOT LIKE '%/%/%'
        GROUP BY ALL
    )
    SELECT split_part(o.benchmark_id, '/', 1) AS benchmark_id, o.source_id, o.benchmark_id AS task, o.score,
        t.score AS other_score
    FROM listed o JOIN listed t USING (benchmark_id, source_id)
    JOIN benchmark p ON p.benchmark_id = o.benchmark_id
    JOIN benchmark w ON w.benchmark_id = split_part(o.benchmark_id, '/', 1)
    WHERE o.model_id = $model AND t.model_id = $other AND p.unit = w.unit
    ORDER BY ALL
"""

_BOTH = """
    SELECT r.benchmark_id, coalesce(b.name, r.benchmark_id) AS name
    FROM result r JOIN benchmark b USING (benchmark_id)
    WHERE r.stands AND b.curated AND r.benchmark_id NOT LIKE '%/%' AND r.model_id IN ($model, $other)
    GROUP BY ALL HAVING count(DISTINCT r.model_id) = 2 ORDER BY name, r.benchmark_id
"""

_SEVERAL = """
    SELECT benchmark_id, model_id, count(*) AS n FROM differing_number
    GROUP BY ALL ORDER BY n DESC, benchmark_id, model_id
"""


def own_sources(view: View) -> list[str]:
    """The sources that were imported, of which something is stored."""
    spoken = view.table("source").filter(pl.col("last_observed_at").is_not_null())
    return with_terms(spoken, Terms.IMPORTED)


@always
def own_models(view: View) -> frozenset[str]:
    """The models without any public result."""
    brought = own_sources(view)
    return frozenset(view.query(_OF_MODEL_SQL, own=brought)["model_id"]) if brought else frozenset()


def own_twins(view: View) -> list[str]:
    """The twins that were declared with the results."""
    return view.table("twin_gap").filter(pl.col("twin_id").str.starts_with("import-"))["twin_id"].to_list()


@always
def models(view: View) -> pl.DataFrame:
    """Every model of the generation, the newest first.

    Columns: model_id, name, organisation, released_on, open_weights, ability with ability_low, ability_high and place
    (of `capability`, 1 is best; null where it is on too few benchmarks), and for the best of its day those of
    `model_position`: benchmarks, n, best, beyond, seen_gap, n_seen, fresh_gap, n_fresh (both gaps with
    low and high ends), by_others, by_self.
    """
    able = view.table("capability").select(
        "model_id",
        ability="score",
        ability_low="low",
        ability_high="high",
        place=pl.col("score").rank("min", descending=True).cast(pl.Int64),
    )
    positions_then = view.table("model_position").filter(pl.col("clock") == "then").drop("clock")
    return (
        view.table("model")
        .with_columns(pl.coalesce("name", "model_id").alias("name"))
        .join(able, on="model_id", how="left")
        .join(positions_then, on="model_id", how="left")
        .with_columns(pl.col("benchmarks").fill_null(0))
        .sort("released_on", "benchmarks", "model_id", descending=[True, True, False], nulls_last=True)
    )


def known_model(view: View, params: Params, name: str = "model") -> str:
    """The model that the parameters name; raises ParameterError where there is none of that id."""
    wanted_id = required(params, name)
    model_id = called_now(view, wanted_id)
    if model_id is None:
        raise ParameterError(f"no model {wanted_id!r}")
    return model_id


def called_now(view: View, wanted_id: str) -> str | None:
    """The id itself, or the id of the model that now bears this name; None where no model or several do."""
    if exists(view, wanted_id):
        return wanted_id
    return view.kept("former ids", lambda: former_ids(view.table("alias"))).get(wanted_id)


def former_ids(alias: pl.DataFrame) -> dict[str, str]:
    """The ids that published names make by themselves, alone or behind their source's key, to the id of the model."""
    plain = pl.col("published_name").str.to_lowercase().str.replace_all(r"[\s_]+", "-")
    named = alias.drop_nulls("published_name").select("model_id", plain=plain, source=pl.col("source_id"))
    prefixed = named.drop_nulls("source").select("model_id", plain=pl.format("{}-{}", "source", "plain"))
    plain_names = pl.concat([named.select("model_id", "plain"), prefixed]).unique()
    single = plain_names.filter(pl.len().over("plain") == 1)
    return dict(single.select("plain", "model_id").iter_rows())


def exists(view: View, model_id: str) -> bool:
    """Whether the generation holds a model of that id."""
    return model_id in view.kept("model ids", lambda: frozenset(view.table("model")["model_id"]))


def facts_of(view: View, model_id: str) -> Facts:
    """The row of `models` about one model, which must be listed."""
    return models(view).row(by_predicate=pl.col("model_id") == model_id, named=True)


def models_to_choose(view: View, also: str | None) -> Mapping[str, str]:
    """The models on most benchmarks in the order of their names, and the one that is asked for."""

    def build() -> dict[str, str]:
        most = models(view).sort("benchmarks", "model_id", descending=[True, False]).head(OFFERED)
        return dict(most.sort(pl.col("name").str.to_lowercase(), "model_id").select("model_id", "name").iter_rows())

    listed = view.kept("offered models", build)
    return listed if also is None or also in listed else {also: facts_of(view, also)["name"], **listed}


def summary_of(view: View, model_id: str, clock: str) -> Facts | None:
    """The row of `model_position` of a model, None where it has no result on a curated benchmark."""
    matching = view.table("model_position").filter((pl.col("model_id") == model_id) & (pl.col("clock") == clock))
    return matching.row(0, named=True) if matching.height else None


@recently
def positions(view: View, model_id: str) -> pl.DataFrame:
    """The rows of `position` of a model with name, unit, stage, age_months and known_until of each benchmark.

    `rival_then_name` and `rival_now_name` are whom it is held against. Of releases of one benchmark the last alone.
    """
    about = benchmarks(view).select("benchmark_id", "name", "unit", "stage", "between", "age_months", "known_until")
    names = view.table("model").select("model_id", name_=pl.coalesce("name", "model_id"))
    rows = view.rows("position", model_id=model_id, superseded=False)
    for clock in ("then", "now"):
        named = names.rename({"model_id": f"rival_{clock}", "name_": f"rival_{clock}_name"})
        rows = rows.join(named, on=f"rival_{clock}", how="left", maintain_order="left")
    return rows.join(about, on="benchmark_id", how="left", maintain_order="left")


@recently
def pair(view: View, model_id: str, other_id: str) -> pl.DataFrame:
    """The benchmarks that two models have in common (`analytics.models.pair.APART`), with what `positions` adds."""
    first, second = positions(view, model_id), positions(view, other_id)
    tasks = view.query(_TASKS, model=model_id, other=other_id).match_to_schema(TASKS)
    items = by_item(view, _ITEMS, model=model_id, other=other_id)
    compared = told_apart(first, second, view.table("benchmark"), tasks, items, view.table("design_effect"))
    about = ("benchmark_id", "name", "unit", "stage", "between", "age_months", "known_until")
    return compared.join(first.select(about), on="benchmark_id", how="left", maintain_order="left")


@recently
def apart_by_condition(view: View, model_id: str, other_id: str) -> pl.DataFrame:
    """The curated benchmarks on which both have standing results that `pair` does not compare: benchmark_id and name.

    The two were not both measured under the condition that the benchmark is judged by.
    """
    on_both = view.query(_BOTH, model=model_id, other=other_id)
    compared = pair(view, model_id, other_id).select("benchmark_id")
    later = pl.concat(
        [view.rows("position", model_id=entity_id, superseded=True) for entity_id in (model_id, other_id)]
    )
    return on_both.join(compared, on="benchmark_id", how="anti", maintain_order="left").join(
        later, on="benchmark_id", how="anti", maintain_order="left"
    )


@always
def several_numbers(view: View) -> pl.DataFrame:
    """Of each model and benchmark in `differing_number` `n`, how many numbers it has: those of most first."""
    return view.query(_SEVERAL)


def results(view: View, params: Params) -> pl.DataFrame:
    """Every number that was ever published for a model, by benchmark, each once, with its latest address."""
    return view.query(_RESULTS, model=known_model(view, params))


RESULTS = PublishedTable("model-results", results)
