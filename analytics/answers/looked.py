"""Is it still looked at: do results come in, and have we looked lately?"""

import polars as pl

from benchhealth.analytics.answers.cases import AssessedTables, Case, Question, only
from benchhealth.analytics.record.origins.sides import is_makers
from benchhealth.analytics.record.tables.case import ALWAYS, first_case
from benchhealth.analytics.verdict.thresholds import LIMITS

CASES = (
    Case("results_come_in", "yes", "the newest dated result is no older than a year at the last look"),
    Case(
        "shown_without_results", "partly", "no result of a year reached us, and a maker's document of a year shows it"
    ),
    Case("dormant", "no", "no result of a year reached us, and no maker's document of a year shows it"),
    Case("not_looked", "unknown", "its sources were not read for half a year", "nobody_looked"),
    Case("undated", "unknown", "its sources were read, and no result has a day", "looked_too_weakly"),
    Case("no_result", "unknown", "no source has a result of it", "nobody_looked"),
)


def find(tables: AssessedTables) -> pl.DataFrame:
    """`value` is for how many months no result had come at the last look; `on_day` the newest result's, of `n`.

    The newest result may be under another condition, and later than the last look at what the benchmark is judged by.
    `second` is how many months before the assessment the last look was. `count` are the makers whose documents of the
    year before the assessment show it, where any document is known. `measured_on` is until when others measured it
    under the condition that it is judged by, `claimed_on` until when makers report it under that condition, each the
    day of the last result.
    """
    dated = tables.full_evidence.reported.group_by("benchmark_id").agg(on_day=pl.col("dated_on").max(), n=pl.len())
    rows = tables.rows.join(dated, on="benchmark_id", how="left", maintain_order="left")
    for days in (tables.side("third_party", "measured"), _last_judged_claim_days(tables)):
        rows = rows.join(days, on="benchmark_id", how="left", maintain_order="left")
    since, is_old = pl.col("months_since_result"), pl.col("months_since_result") > LIMITS.dormant_months
    case = first_case(
        ("no_result", pl.col("months_since_look").is_null()),
        ("dormant", pl.col("is_dormant")),
        ("not_looked", pl.col("is_stale")),
        ("undated", since.is_null()),
        ("shown_without_results", is_old),
        ("results_come_in", ALWAYS),
    )
    with_case = rows.with_columns(case=case)
    is_known = ~pl.col("case").is_in([case.code for case in CASES if case.reply == "unknown"])
    return with_case.select(
        "benchmark_id",
        "case",
        "on_day",
        value=only(is_known, since.clip(lower_bound=0.0)),
        unit=only(is_known, pl.lit("months")),
        n=pl.col("n").cast(pl.Int64),
        n_of=only(pl.col("n").is_not_null(), pl.lit("results")),
        count=pl.col("makers_mentioning_12m").cast(pl.Int64),
        measured_on="measured_on",
        claimed_on="claimed_on",
        second="months_since_look",
        second_unit=only(pl.col("months_since_look").is_not_null(), pl.lit("months")),
        evidence=only(
            pl.col("months_since_look").is_not_null(),
            pl.concat_list(
                only(since.is_not_null(), pl.lit("indicator/months_since_result")),
                pl.lit("indicator/months_since_look"),
            ).list.drop_nulls(),
        ),
    )


def _last_judged_claim_days(tables: AssessedTables) -> pl.DataFrame:
    """Of benchmarks that makers report, the day of their last result under the condition that it is judged by."""
    judged = tables.full_evidence.history.filter(is_makers()).group_by("benchmark_id")
    claimed = judged.agg(claimed_on=pl.col("dated_on").max())
    return claimed.join(tables.side("self", "claimed").select("benchmark_id"), on="benchmark_id", how="semi")


LOOKED = Question("looked", CASES, find)
