"""Tables about how benchmarks age: survival curves, hazard ratios, and scores by the age of the items."""

from datetime import date

import polars as pl

from benchhealth.analytics.aging.lives import OVERALL
from benchhealth.analytics.aging.survival import NAIVE
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.verdict.history import BY_DATE
from benchhealth.dashboard.published.benchmarks import benchmarks, named_stage
from benchhealth.dashboard.published.generation import ParameterError, Params, PublishedTable, View

RELEASED = "released"
"""The division by the years of release."""


def divisions(view: View) -> list[str]:
    """The ways to divide benchmarks into cohorts for which there are curves: `all` first, then by name."""
    cohorts = view.table("survival").filter(pl.col("cohort") != NAIVE)["cohort"].unique().to_list()
    prefixes = {name.split(": ", 1)[0] for name in cohorts}
    return [*([OVERALL] if OVERALL in prefixes else []), *sorted(prefixes - {OVERALL})]


def curves(view: View, params: Params) -> pl.DataFrame:
    """The survival curves of one way to divide benchmarks; by default of all of them, and of the dead alone."""
    division = params.get("by") or OVERALL
    rows = view.table("survival")
    if division == OVERALL:
        return rows.filter(pl.col("cohort").is_in([OVERALL, NAIVE]))
    if division not in divisions(view):
        raise ParameterError(f"nothing is divided by {division!r}")
    return rows.filter(pl.col("cohort").str.starts_with(f"{division}: "))


def whole_lives(view: View, _params: Params) -> pl.DataFrame:
    """Table `life` with names and stages; `how`: how the day of the present stage is known, or why it is not."""
    names = benchmarks(view).select("benchmark_id", "name", "curated", "stage")
    stage_starts = (
        view.table("verdict_history").filter(pl.col("until_on").is_null(), basis=BY_DATE).select("benchmark_id", "how")
    )
    rows = view.table("life").join(names, on="benchmark_id").join(stage_starts, on="benchmark_id", how="left")
    return rows.select("name", "stage", "how", *view.table("life").columns, "curated").sort("benchmark_id")


def saturated_lives(view: View) -> pl.DataFrame:
    """The lives of curated benchmarks that are saturated: `name`, `case` and `how`."""
    curated = benchmarks(view).filter("curated", named_stage() == "saturated")
    return whole_lives(view, {}).join(curated, on="benchmark_id", how="semi").select("name", "case", "how")


def with_dated_items(view: View) -> list[str]:
    """The benchmarks whose items are dated, by id."""
    return sorted(view.table("item_age")["benchmark_id"].unique().to_list())


def models_on_dated_items(view: View, benchmark_id: str) -> list[str]:
    """The choices of the menu of models: `all`, then the models with scores on the dated items of the benchmark.

    Models whose end of training data is stated come first, the latest of them before the others.
    """
    rows = view.table("item_age").filter(pl.col("benchmark_id") == benchmark_id).drop_nulls("model_id")
    models = (
        rows.select("model_id", "cutoff_on")
        .unique()
        .sort("model_id")
        .sort("cutoff_on", descending=True, nulls_last=True)
    )
    return [OVERALL, *models["model_id"].unique(maintain_order=True).to_list()]


def item_ages(view: View, params: Params) -> pl.DataFrame:
    """The scores of one model (default: the mean of all) by month and difficulty of the items."""
    benchmarks = with_dated_items(view)
    chosen = params.get("dated") or (benchmarks[0] if benchmarks else "")
    model = params.get("model") or OVERALL
    if benchmarks and chosen not in benchmarks:
        raise ParameterError(f"no dated items of {chosen!r}")
    rows = view.table("item_age").filter(pl.col("benchmark_id") == chosen)
    if model == OVERALL:
        return rows.filter(pl.col("model_id").is_null())
    if model not in set(rows["model_id"]):
        raise ParameterError(f"no scores of {model!r} on dated items")
    return rows.filter(pl.col("model_id") == model)


def training_ends(view: View, benchmark_id: str, model: str) -> list[tuple[date, str]]:
    """The stated days on which training data end, oldest first, each with its label.

    Of one model its own day, with the source that states it; of `all` the days from the first dated item on, with the
    models.
    """
    rows = view.table("item_age").filter(pl.col("benchmark_id") == benchmark_id).drop_nulls("cutoff_on")
    of_model = rows if model == OVERALL else rows.filter(pl.col("model_id") == model)
    stated = of_model.select("model_id", "cutoff_on", "cutoff_source").unique().sort("cutoff_on", "model_id")
    if model != OVERALL:
        return [(day, f"training to {day:%Y-%m-%d} ({source})") for _, day, source in stated.iter_rows()]
    first = view.table("item_age").filter(pl.col("benchmark_id") == benchmark_id)["month"].min()
    grouped = stated.filter(pl.col("cutoff_on") >= first).group_by("cutoff_on", maintain_order=True).agg("model_id")
    return [(day, ", ".join(models)) for day, models in grouped.iter_rows()]


def break_test(view: View, benchmark_id: str, model: str) -> Row | None:
    """What the test for a break at the end of a model's training data found; None where none was possible."""
    rows = view.rows("contamination_risk", benchmark_id=benchmark_id, model_id=model, rung="cutoff_break", status="ok")
    return rows.row(0, named=True) if rows.height else None


CURVES = PublishedTable("survival", curves)
HAZARDS = PublishedTable("hazards", lambda view, _params: view.table("hazard"))
LIVES = PublishedTable("lives", whole_lives)
ITEM_AGES = PublishedTable("item-ages", item_ages)
