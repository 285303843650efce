"""Twins as pages show them: every declared pair, the models measured on both sides of one, and what its gap can be."""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.twins.pairs import SAME_THING
from benchhealth.analytics.twins.residuals import GROUPINGS
from benchhealth.dashboard.published.generation import (
    ParameterError,
    Params,
    PublishedTable,
    View,
    one_of,
    recently,
    required,
)
from benchhealth.dashboard.published.models import own_models, own_twins
from benchhealth.dashboard.words.measurers.houses import head_of
from benchhealth.dashboard.words.settings import UNSTATED, setting_texts

SCALES = ("linear", "probit", "logit")
CLOCKS = ("year", "age")


def twins(view: View, params: Params) -> pl.DataFrame:
    """Every twin on one scale with the names of both sides, how many models are flagged, and what its gap can be."""
    scale = one_of(params, "scale", SCALES)
    return view.kept(("twins", scale), lambda: _twins(view, scale))


def twins_of(view: View, benchmark_id: str) -> pl.DataFrame:
    """The twins that a benchmark is the original or the other of, on the linear scale; same things first."""
    is_side = pl.any_horizontal(pl.col("original_id", "other_id") == benchmark_id)
    return twins(view, {}).filter(is_side)


def _twins(view: View, scale: str) -> pl.DataFrame:
    named = view.table("benchmark").select("benchmark_id", "name", "unit", "known_until")
    sides = (
        named.rename(
            {"benchmark_id": f"{side}_id", "name": side, "unit": f"{side}_unit", "known_until": f"{side}_until"}
        )
        for side in ("original", "other")
    )
    original_facts, other_facts = sides
    both_known = pl.all_horizontal(pl.col("original_until", "other_until").is_not_null())
    tested = (
        _public_residuals(view)
        .group_by("twin_id")
        .agg(
            tested=pl.col("flagged").is_not_null().sum().cast(pl.Int64),
            flagged=pl.col("flagged").sum().cast(pl.Int64),
        )
    )
    return (
        view.table("twin")
        .filter(pl.col("scale") == scale)
        .join(original_facts, on="original_id", how="left")
        .join(other_facts, on="other_id", how="left")
        .join(tested, on="twin_id", how="left")
        .join(_release_years(view), on="twin_id", how="left")
        .join(_gap_facts(view), on="twin_id", how="left")
        .with_columns(
            known_until=pl.when(both_known).then(pl.min_horizontal("original_until", "other_until")),
            n_released=pl.col("n_released").fill_null(0),
            original=_with_titles("original", "original_id", "by"),
            other=_with_titles("other", "other_id", "other_by"),
            tested=pl.col("tested").fill_null(0),
            flagged=pl.col("flagged").fill_null(0),
        )
        .drop("by", "other_by", "original_until", "other_until")
        .with_columns(same=pl.col("kind").is_in(SAME_THING))
        .sort("same", "n_models", "twin_id", descending=[True, True, False])
        .drop("same")
    )


def setting_of_several() -> pl.Expr:
    """The setting of a residual, `crop 0.9`, where its model has several on the twin; else empty."""
    stated = pl.when(pl.col("setting") == "").then(pl.lit(UNSTATED)).otherwise(setting_texts(pl.col("setting")))
    several = pl.len().over("twin_id", "model_id") > 1
    return pl.when(several).then(stated).otherwise(pl.lit("")).alias("setting_of_several")


def in_setting() -> pl.Expr:
    """The same in brackets, after a name: ` (crop 0.9)`."""
    setting = setting_of_several()
    return pl.when(setting == "").then(setting).otherwise(pl.format(" ({})", setting)).alias("in_setting")


def _release_years(view: View) -> pl.DataFrame:
    """For each twin the number of results whose model has a day of release, and the first and last of their years."""
    released = view.table("model").select("model_id", "released_on").drop_nulls()
    day = pl.col("released_on").dt.year()
    return (
        _public_residuals(view)
        .join(released, on="model_id")
        .group_by("twin_id")
        .agg(n_released=pl.len().cast(pl.Int64), first_year=day.min(), last_year=day.max())
    )


def _public_residuals(view: View) -> pl.DataFrame:
    """The residuals that count for a twin: those of one's own models on public twins are left out."""
    residual, mine = view.table("twin_residual"), list(own_models(view))
    of_public = ~pl.col("twin_id").is_in(own_twins(view))
    return residual.filter(~(of_public & pl.col("model_id").is_in(mine))) if mine else residual


def _gap_facts(view: View) -> pl.DataFrame:
    """The columns of `twin_gap` that pages show; `by` and `other_by` name the sources of a twin that has two."""
    titles = dict(view.table("source").select("source_id", pl.coalesce("title", "source_id")).iter_rows())
    of_two = pl.col("other_source_id").is_not_null() & ~pl.col("twin_id").is_in(own_twins(view))
    return view.table("twin_gap").select(
        "twin_id",
        "source_id",
        "other_source_id",
        "note",
        "source_url",
        "gap_error",
        "cause",
        "sentence",
        "power_sentence",
        "detectable",
        "fading_p",
        "noise",
        "families",
        "slope_basis",
        "design_effect",
        "per_year",
        "per_year_low",
        "per_year_high",
        slope_scale="scale",
        fair_slope="slope",
        fair_slope_low="slope_low",
        fair_slope_high="slope_high",
        by=pl.when(of_two).then(source_name("source_id", titles)),
        other_by=pl.when(of_two).then(source_name("other_source_id", titles)),
    )


def source_name(side: str, titles: Mapping[str, str]) -> pl.Expr:
    """The name of the source of one side: the head of its title, the whole title where both sides have one head."""
    heads = {source_id: head_of(title) for source_id, title in titles.items()}
    are_alike = pl.col("source_id").replace(heads) == pl.col("other_source_id").replace(heads)
    return pl.when(are_alike).then(pl.col(side).replace(titles)).otherwise(pl.col(side).replace(heads))


def _with_titles(name: str, benchmark_id: str, source: str) -> pl.Expr:
    title = pl.coalesce(name, benchmark_id)
    return pl.when(pl.col(source).is_not_null()).then(pl.format("{} ({})", title, source)).otherwise(title)


@recently
def residuals(view: View, params: Params) -> pl.DataFrame:
    """The models of one twin with both scores, what was expected, residual, error, p and q; lowest residual first.

    `own` marks the reader's own models. `beside` marks those of them that are shown beside the models of a public twin
    and do not count in what is said about it.
    """
    rows = _with_model_names(view, _of_twin(view, "twin_residual", params))
    mine = pl.col("model_id").is_in(list(own_models(view)))
    is_public = params["twin"] not in own_twins(view)
    return rows.with_columns(own=mine, beside=mine & is_public).sort(
        "residual", "model_id", "original", nulls_last=True
    )


def groups(view: View, params: Params) -> pl.DataFrame:
    """The groups of one twin's models by the parameter `by`, with raw and shrunk mean residual; lowest first."""
    grouping = one_of(params, "by", GROUPINGS)
    return _of_twin(view, "twin_group", params).filter(pl.col("grouping") == grouping).sort("shrunk", "group")


def ages(view: View, params: Params) -> pl.DataFrame:
    """The mean gap of one twin's models of each year, by the calendar or by the original's age as `clock` says."""
    clock = one_of(params, "clock", CLOCKS)
    return _of_twin(view, "twin_age", params).filter(pl.col("clock") == clock).sort("at")


def robustness(view: View, params: Params) -> pl.DataFrame:
    """The effective robustness of each model of one twin, highest first."""
    rows = _with_model_names(view, _of_twin(view, "twin_robustness", params))
    return rows.sort("robustness", "model_id", "setting", descending=[True, False, False])


def reports(view: View, _params: Params) -> pl.DataFrame:
    """Every documented contamination report with the benchmark's name, the largest share first."""
    named = view.table("benchmark").select("benchmark_id", benchmark="name")
    return (
        view.table("contamination_report")
        .join(named, on="benchmark_id", how="left")
        .sort("share", "benchmark_id", "subject", descending=[True, False, False], nulls_last=True)
    )


def _of_twin(view: View, table: str, params: Params) -> pl.DataFrame:
    twin_id = required(params, "twin")
    if twin_id not in set(view.table("twin")["twin_id"]):
        raise ParameterError(f"no twin {twin_id!r}")
    return view.table(table).filter(pl.col("twin_id") == twin_id).drop("twin_id")


def _with_model_names(view: View, rows: pl.DataFrame) -> pl.DataFrame:
    models = view.table("model").select("model_id", model="name")
    return rows.join(models, on="model_id", how="left").with_columns(pl.coalesce("model", "model_id").alias("model"))


TWINS = PublishedTable("twins", twins)
RESIDUALS = PublishedTable("twin-residuals", residuals)
GROUPS = PublishedTable("twin-groups", groups)
AGES = PublishedTable("twin-ages", ages)
ROBUSTNESS = PublishedTable("twin-robustness", robustness)
REPORTS = PublishedTable("contamination-reports", reports)
