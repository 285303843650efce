"""Are the labels right, as far as anybody has looked?"""

import polars as pl

from benchhealth.analytics.answers.cases import AssessedTables, Case, Question, only
from benchhealth.analytics.record.frontier import RATING
from benchhealth.analytics.record.tables.case import ALWAYS, first_case

WHOLE, SAMPLE, PART = COVERS = ("whole", "sample", "part")

CASES = (
    Case("wrong", "no", "an audit of the whole test found faulty items"),
    Case("wrong_in_sample", "no", "an audit of a sample of the test found faulty items"),
    Case("wrong_in_part", "no", "an audit of a part of the test found faulty items; of the rest nothing is known"),
    Case("none_wrong", "yes", "an audit of the whole test found none"),
    Case("none_wrong_in_some", "partly", "an audit of a sample or a part found none"),
    Case("not_audited", "unknown", "no audit is on record", "nobody_looked"),
    Case("no_labels", "unknown", "a rating counts wins, and no answer is the right one", "cannot_be_asked"),
)


def find(tables: AssessedTables) -> pl.DataFrame:
    """`value` is the share of the checked items that is known to be faulty, `count` of the `n` that were checked.

    `second` is the share of items on which no right answer scores. `said_by` is who checked and how, as the registry
    has it; `kind` what the audit covers (whole, sample, part), `part` which part. Of several audits that of the whole
    counts, then of a sample, then the one of the most items. Audits are on record until the day of the assessment.
    """
    order = pl.col("covers").replace_strict({name: index for index, name in enumerate(COVERS)}, default=len(COVERS))
    audits = (
        tables.frames.label_error.sort(
            order, "n_checked", "share_flawed", "source_url", descending=[False, True, True, False], nulls_last=True
        )
        .unique("benchmark_id", keep="first", maintain_order=True)
        .select("benchmark_id", "covers", "part", "n_checked", "share_flawed", "share_unreachable", "method")
    )
    rows = tables.full_evidence.facts.join(audits, on="benchmark_id", how="left", maintain_order="left")
    is_audited, flawed = pl.col("share_flawed").is_not_null(), pl.col("share_flawed")
    return rows.select(
        "benchmark_id",
        case=first_case(
            ("wrong", (flawed > 0) & (pl.col("covers") == WHOLE)),
            ("wrong_in_sample", (flawed > 0) & (pl.col("covers") == SAMPLE)),
            ("wrong_in_part", flawed > 0),
            ("none_wrong", is_audited & (pl.col("covers") == WHOLE)),
            ("none_wrong_in_some", is_audited),
            ("no_labels", pl.col("unit") == RATING),
            ("not_audited", ALWAYS),
        ),
        value=flawed,
        unit=only(is_audited, pl.lit("share")),
        count=(flawed * pl.col("n_checked")).round().cast(pl.Int64),
        n=only(is_audited, pl.col("n_checked")),
        n_of=only(is_audited & pl.col("n_checked").is_not_null(), pl.lit("items")),
        second=only(is_audited, pl.col("share_unreachable")),
        second_unit=only(is_audited & pl.col("share_unreachable").is_not_null(), pl.lit("share")),
        kind=only(is_audited, pl.col("covers")),
        part=only(is_audited, pl.col("part")),
        said_by=only(is_audited, pl.col("method")),
        known_until=pl.lit(tables.full_evidence.as_of),
        evidence=only(is_audited, pl.concat_list(pl.format("label_error/{}", "covers"))),
    )


LABELS = Question("labels", CASES, find)
