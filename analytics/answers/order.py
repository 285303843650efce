"""Do the top models differ beyond the errors of their scores?"""

import polars as pl

from benchhealth.analytics.answers.cases import AssessedTables, Case, Question, only
from benchhealth.analytics.record.tables.case import ALWAYS, first_case

CASES = (
    Case("apart", "yes", "more than three in ten pairs of the top five differ beyond error"),
    Case("apart_at_the_end", "yes", "they differ, though hardly any room is left above them"),
    Case("crowded", "partly", "at most three in ten pairs differ beyond error"),
    Case("unresolved", "no", "at most one in ten pairs differs beyond error"),
    Case("too_few_models", "unknown", "fewer than two models have a result", "nobody_looked"),
    Case("errors_unknown", "unknown", "the error is not known of all of the top five", "nobody_looked"),
)


def find(tables: AssessedTables) -> pl.DataFrame:
    """`value` is the share of the `n` pairs of the top five that differ beyond error, `count` their number.

    `second` is that number where the models are compared item by item, if what each did on the items is known.
    """
    pairs = tables.of("resolution_top5", n="n")
    paired = tables.of("resolution_top5_paired", paired="value", n_paired="n")
    rows = tables.rows.join(pairs, on="benchmark_id", how="left").join(paired, on="benchmark_id", how="left")
    is_known, value = pl.col("resolution_top5").is_not_null(), pl.col("resolution_top5")
    second = (pl.col("paired") * pl.col("n_paired")).round()
    return rows.select(
        "benchmark_id",
        case=first_case(
            ("unresolved", pl.col("is_unresolved")),
            ("crowded", pl.col("is_crowded")),
            ("apart_at_the_end", is_known & pl.col("is_nearly_exhausted")),
            ("apart", is_known),
            ("too_few_models", pl.col("n_models") < 2),
            ("errors_unknown", ALWAYS),
        ),
        value=value,
        unit=only(is_known, pl.lit("share")),
        count=(value * pl.col("n")).round().cast(pl.Int64),
        n="n",
        n_of=only(is_known, pl.lit("pairs")),
        second=second,
        second_unit=only(second.is_not_null(), pl.lit("pairs")),
        evidence=only(
            is_known,
            pl.concat_list(
                pl.lit("indicator/resolution_top5"),
                only(second.is_not_null(), pl.lit("indicator/resolution_top5_paired")),
            ).list.drop_nulls(),
        ),
    )


ORDER = Question("order", CASES, find)
