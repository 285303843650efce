"""Contamination evidence as pages show it: rungs of the ladder, tests of single models, and their calibration.

Reasons and numbers are those of the published tables; here they are only put side by side.
"""

from datetime import date

import polars as pl

from benchhealth.analytics.contamination.table import KEY as OVERALL
from benchhealth.analytics.contamination.table import RUNGS
from benchhealth.analytics.statistics.summaries.ends import latest
from benchhealth.dashboard.published.generation import ParameterError, Params, PublishedTable, View, always, required
from benchhealth.dashboard.published.results import known_benchmark

KEYS = tuple(rung.key for rung in RUNGS)
TESTS = tuple(rung.key for rung in RUNGS if rung.is_test)
TITLES = {rung.key: rung.title for rung in RUNGS} | {OVERALL: "Overall risk"}

_OF_BENCHMARKS_SQL = "SELECT * FROM contamination_risk WHERE model_id IS NULL"
_PAIRS = """
    SELECT r.rung, r.level, r.value, r.low, r.high, r.p_value, r.q_value, r.detectable, r.n, r.status, r.reason,
        r.source_url, coalesce(m.name, r.model_id) AS model, r.model_id
    FROM contamination_risk r LEFT JOIN model m ON m.model_id = r.model_id
    WHERE r.benchmark_id = $benchmark AND r.model_id IS NOT NULL
"""

_OF_MODEL_SQL = """
    SELECT r.*, coalesce(b.name, r.benchmark_id) AS benchmark
    FROM contamination_risk r LEFT JOIN benchmark b USING (benchmark_id) WHERE r.model_id = $model
"""
_TESTED = """
    SELECT DISTINCT r.model_id, coalesce(m.name, r.model_id) AS name
    FROM contamination_risk r LEFT JOIN model m USING (model_id)
    WHERE r.model_id IS NOT NULL AND r.p_value IS NOT NULL ORDER BY lower(name), r.model_id
"""


def rungs(view: View, params: Params) -> pl.DataFrame:
    """Every rung for one benchmark and, where `model` is given, for the pair (column `who` has which)."""
    benchmark_id = known_benchmark(view, params)
    of_benchmark = (
        _with_names(view).filter(pl.col("benchmark_id") == benchmark_id).with_columns(who=pl.lit("benchmark"))
    )
    frames = [_rows_about(of_benchmark)]
    if params.get("model"):
        pair = _tested_pairs(view, benchmark_id).filter(pl.col("model_id") == params["model"])
        if pair.is_empty():
            raise ParameterError(f"nothing is known of {params['model']!r} and {benchmark_id!r}")
        frames.append(_rows_about(pair.with_columns(who=pl.lit("model"))))
    return pl.concat(frames).sort(_rung_position(), "who", maintain_order=True)


def excesses(view: View, params: Params) -> pl.DataFrame:
    """One test's result for each model on one benchmark: points above expectation with interval, the highest first.

    `is_extrapolated` where no other model measured here is like it, so that it is shown but not counted.
    """
    benchmark_id, rung = known_benchmark(view, params), required(params, "rung")
    if rung not in TESTS:
        raise ParameterError(f"rung is one of {', '.join(TESTS)}")
    return (
        _tested_pairs(view, benchmark_id)
        .filter((pl.col("rung") == rung) & pl.col("p_value").is_not_null())
        .with_columns(is_extrapolated=pl.col("q_value").is_null())
        .sort("value", "model", descending=[True, False])
        .select(
            "model", "value", "low", "high", "level", "p_value", "q_value", "detectable", "is_extrapolated", "n",
            "reason", "source_url", "model_id",
        )
    )  # fmt: skip


def calibration(view: View, _params: Params) -> pl.DataFrame:
    """How often each test flags where the truth is known, with the rung's title."""
    return (
        view.table("contamination_calibration")
        .with_columns(_title())
        .sort(_rung_position(), "truth", "leak")
        .select("title", "truth", "leak", "n", "flagged", "low", "high", "rung")
    )


def leakage(view: View, _params: Params) -> pl.DataFrame:
    """For each source with declared leakage how much more is scored where it is declared, with the source's title."""
    return (
        view.table("declared_leakage")
        .join(
            view.table("source").select("source_id", "title", "known_until"),
            on="source_id",
            how="left",
            maintain_order="left",
        )
        .with_columns(pl.coalesce("title", "source_id").alias("title"))
        .select(
            "title", "value", "low", "high", "unit", "share_declared", "n_declared", "n", "n_mixed",
            "n_models", "n_tasks", "known_until", "status", "reason", "source_id",
        )
    )  # fmt: skip


def own_rungs(view: View, params: Params) -> pl.DataFrame:
    """All evidence about one model, by benchmark and rung.

    Raises ParameterError for a model of which nothing is.
    """
    model_id = required(params, "model")
    rows = view.query(_OF_MODEL_SQL, model=model_id)
    if rows.is_empty():
        raise ParameterError(f"nothing is known of {model_id!r}")
    return rows.with_columns(_title()).sort("benchmark", _rung_position(), maintain_order=True).select(
        "benchmark", "title", "level", "value", "low", "high", "p_value", "q_value", "detectable", "n", "reason",
        "source_url", "rung", "benchmark_id",
    )  # fmt: skip


def own_tests(view: View, params: Params) -> pl.DataFrame:
    """The tests of one model: points above expectation with interval, the highest first, by benchmark and rung."""
    return (
        own_rungs(view, params)
        .filter(pl.col("rung").is_in(TESTS) & pl.col("p_value").is_not_null())
        .with_columns(is_extrapolated=pl.col("q_value").is_null())
        .sort("value", "benchmark", descending=[True, False])
    )


@always
def tested_models(view: View) -> dict[str, str]:
    """The models with a result of some test, by id with their name, in the order of the names."""
    return dict(view.query(_TESTED).iter_rows())


def model_name(view: View, model_id: str) -> str:
    """The model's name, or its id where it has no name."""
    names = view.query("SELECT coalesce(name, model_id) AS name FROM model WHERE model_id = $model", model=model_id)
    return str(names["name"][0]) if names.height else model_id


def last_known_of(view: View, benchmark_ids: list[str]) -> date | None:
    """The last day that any of these benchmarks is known of."""
    return latest(view.table("benchmark").filter(pl.col("benchmark_id").is_in(benchmark_ids))["known_until"])


def tests_with_results(view: View, benchmark_id: str) -> list[str]:
    """The tests with a result for some model on this benchmark."""
    answering = set(_tested_pairs(view, benchmark_id).filter(pl.col("p_value").is_not_null())["rung"])
    return [key for key in TESTS if key in answering]


@always
def _with_names(view: View) -> pl.DataFrame:
    """The rows about whole benchmarks with their name, domain and whether they are curated."""
    benchmarks = view.table("benchmark").select("benchmark_id", "domain_group", "curated", benchmark="name")
    rows = view.query(_OF_BENCHMARKS_SQL).join(benchmarks, on="benchmark_id", how="left", maintain_order="left")
    return rows.with_columns(pl.coalesce("benchmark", "benchmark_id").alias("benchmark"))


def _tested_pairs(view: View, benchmark_id: str) -> pl.DataFrame:
    return view.query(_PAIRS, benchmark=benchmark_id)


def _rows_about(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.select(
        "rung", _title(), "who", "level", "value", "low", "high", "p_value", "q_value", "detectable", "n", "reason",
        "source_url",
    )  # fmt: skip


def _title() -> pl.Expr:
    return pl.col("rung").replace_strict(TITLES, return_dtype=pl.String).alias("title")


def _rung_position() -> pl.Expr:
    """The place of a rung on the ladder, the overall level last."""
    return pl.col("rung").replace_strict([*KEYS, OVERALL], list(range(len(KEYS) + 1)), return_dtype=pl.Int64)


RUNGS_OF = PublishedTable("contamination-ladder", rungs)
EXCESSES = PublishedTable("contamination-excess", excesses)
CALIBRATION = PublishedTable("contamination-calibration", calibration)
RUNGS_OF_MODEL = PublishedTable("contamination-model", own_rungs)
LEAKAGE = PublishedTable("declared-leakage", leakage)
