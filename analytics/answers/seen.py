"""Have models seen the items? Never no: what was not found may not have been looked for well enough."""

import polars as pl

from benchhealth.analytics.answers.cases import AssessedTables, Case, Question, only
from benchhealth.analytics.contamination.exposure import WITHHELD
from benchhealth.analytics.contamination.reports import DECLARED
from benchhealth.analytics.record.tables.case import ALWAYS, first_case
from benchhealth.analytics.verdict.thresholds import LIMITS

FEWEST_MODELS = 10
"""A test of fewer models is not counted: one that stands out would be a tenth of them or more."""

TESTS = ("twin", "cutoff_break", "anomaly")
"""The rungs of the ladder of evidence that test models, from the one that speaks most."""

BEARING = ("retired", "access")
"""Kinds of incident that may bear on whether models have seen items, where no report documents it."""

_MUCH = LIMITS.contaminated_share

CASES = (
    Case("documented", "yes", f"a report documents that {_MUCH:.0%} of the items or more were in training data"),
    Case("documented_little", "yes", f"a report documents it of less than {_MUCH:.0%} of the items"),
    Case("documented_unmeasured", "yes", "a report documents it without a share"),
    Case("declared", "yes", "developers name the test itself among their training data"),
    Case("declared_task", "partly", "developers name the benchmark among their training data, not its test"),
    Case("stand_out", "partly", "some of the tested models score higher than what they cannot have seen predicts"),
    Case("nothing_found", "unknown", "no model stands out in a test that shows a leak of 30%", "looked_too_weakly"),
    Case("too_weak", "unknown", "no model stands out, and the test misses a leak of 30%", "looked_too_weakly"),
    Case("withheld", "unknown", "nobody looked; the answers are not public", "nobody_looked"),
    Case("nobody_looked", "unknown", "no report, no declaration, and no test of ten models or more", "nobody_looked"),
)

_LEVELS_FOUND = ("moderate", "high")


def find(tables: AssessedTables) -> pl.DataFrame:
    """`value` is the largest documented share of the items, else the share of tested models that stand out.

    `flagged` of `tested` models stand out in the test that speaks most, whatever the case is about; `count` of `n` are
    those models, or the reports, or the models of the developers who declare it (`n_of`). `kind` is the rung of the
    ladder that the case is about. `missed` is the least share of the items whose leak the test would have shown in half
    of the models. `second` are the models that could have seen the items; `said_by` whose training data the report is
    about. Of an unknown `on_day` is the day of the newest incident that may bear on it.
    """
    rungs = tables.full_evidence.risk.filter(pl.col("model_id").is_null())
    rows = tables.rows.select("benchmark_id", "labels")
    findings = _reports(tables, rungs), _declarations(rungs), _strongest_tests(rungs)
    for table in (*findings, _n_exposed_models(tables), _incidents(tables)):
        rows = rows.join(table, on="benchmark_id", how="left", maintain_order="left")
    case = first_case(
        ("documented", pl.col("share") >= _MUCH),
        ("documented_little", pl.col("share") > 0),
        ("documented_unmeasured", pl.col("reports").is_not_null() & pl.col("share").is_null()),
        ("declared", pl.col("declared") == "high"),
        ("declared_task", pl.col("declared").is_not_null()),
        ("stand_out", pl.col("test_level").is_in(_LEVELS_FOUND)),
        ("nothing_found", pl.col("test_level") == "low"),
        ("too_weak", pl.col("test").is_not_null()),
        ("withheld", pl.col("labels").is_in(WITHHELD)),
        ("nobody_looked", ALWAYS),
    )
    return _numbers(rows.with_columns(case=case))


def _numbers(rows: pl.DataFrame) -> pl.DataFrame:
    """The columns of the answer, each of what the case is about."""
    documented = pl.col("case").is_in(["documented", "documented_little", "documented_unmeasured"])
    declared = pl.col("case").is_in(["declared", "declared_task"])
    tested = pl.col("case").is_in(["stand_out", "nothing_found", "too_weak"])
    stands_out = pl.col("case") == "stand_out"
    is_unknown = pl.col("case").is_in([case.code for case in CASES if case.reply == "unknown"])
    value = pl.when(documented).then("share").when(stands_out).then("test_value")
    flagged = (pl.col("test_value") * pl.col("test_n")).round().cast(pl.Int64)
    missed = only(tested & ~stands_out, pl.col("detectable"))
    return rows.select(
        "benchmark_id",
        "case",
        value=value,
        low=only(stands_out, pl.col("test_low")),
        high=only(stands_out, pl.col("test_high")),
        unit=only(value.is_not_null(), pl.lit("share")),
        count=pl.when(documented).then("reports").when(declared).then("declaring").when(tested).then(flagged),
        n=pl.when(documented).then("reports").when(declared).then("declaring").when(tested).then("test_n"),
        n_of=pl.when(documented).then(pl.lit("reports")).when(declared | tested).then(pl.lit("models")),
        flagged=flagged,
        tested="test_n",
        missed=missed,
        missed_unit=only(missed.is_not_null(), pl.lit("share")),
        kind=pl.when(tested).then("test").when(documented).then(pl.lit("report"))
        .when(declared).then(pl.lit("declared_training")),
        said_by=only(documented, pl.col("subject")),
        on_day=only(is_unknown, pl.col("incident_on")),
        second=pl.col("exposed").cast(pl.Float64),
        second_unit=only(pl.col("exposed").is_not_null(), pl.lit("models")),
        evidence=_evidence(documented, declared),
    )  # fmt: skip


def _evidence(documented: pl.Expr, declared: pl.Expr) -> pl.Expr:
    reported = pl.when(documented).then(pl.format("contamination_report/{}", pl.col("report_url").fill_null("")))
    named = reported.when(declared).then(pl.lit("contamination_risk/declared_training"))
    return pl.concat_list(named, pl.format("contamination_risk/{}", "test")).list.drop_nulls()


def _reports(tables: AssessedTables, rungs: pl.DataFrame) -> pl.DataFrame:
    """For each benchmark with reports that are not declarations: how many, the largest share, whose and where."""
    largest = pl.col("share").fill_null(-1.0)
    named = (
        tables.full_evidence.report.filter(~pl.col("method").str.contains(DECLARED).fill_null(value=False))
        .sort(largest, "subject", descending=[True, False])
        .unique("benchmark_id", keep="first", maintain_order=True)
        .select("benchmark_id", "subject", report_url="reference_url")
    )
    counted = rungs.filter(pl.col("rung") == "report", pl.col("level") != "unknown")
    return counted.select("benchmark_id", share="value", reports="n").join(named, on="benchmark_id", how="left")


def _declarations(rungs: pl.DataFrame) -> pl.DataFrame:
    declarations = rungs.filter(pl.col("rung") == "declared_training", pl.col("level") != "unknown")
    return declarations.select("benchmark_id", declared="level", declaring=pl.col("value").cast(pl.Int64))


def _strongest_tests(rungs: pl.DataFrame) -> pl.DataFrame:
    """For each benchmark the strongest test: one that found models, else the one that would miss least."""
    is_test = pl.col("rung").is_in(TESTS) & (pl.col("status") == "ok") & (pl.col("n") >= FEWEST_MODELS)
    order = pl.col("rung").replace_strict({name: index for index, name in enumerate(TESTS)}, default=None)
    level = pl.when(pl.col("level").is_in(_LEVELS_FOUND)).then(0).when(pl.col("level") == "low").then(1).otherwise(2)
    return (
        rungs.filter(is_test)
        .sort(level, pl.when(level == 0).then(order).otherwise(0), "detectable", order, nulls_last=True)
        .unique("benchmark_id", keep="first", maintain_order=True)
        .select(
            "benchmark_id",
            "detectable",
            test="rung",
            test_level="level",
            test_value="value",
            test_low="low",
            test_high="high",
            test_n="n",
        )
    )


def _n_exposed_models(tables: AssessedTables) -> pl.DataFrame:
    """How many models could have seen the items of each benchmark."""
    could = (pl.col("rung") == "exposure") & (pl.col("level") == "moderate") & pl.col("model_id").is_not_null()
    return tables.full_evidence.risk.filter(could).group_by("benchmark_id").agg(exposed=pl.len())


def _incidents(tables: AssessedTables) -> pl.DataFrame:
    """For each benchmark the day of its newest incident of a kind that may bear on the question."""
    bearing = tables.full_evidence.incident.filter(pl.col("kind").is_in(BEARING))
    return bearing.group_by("benchmark_id").agg(incident_on=pl.col("on_date").max())


SEEN = Question("seen", CASES, find)
