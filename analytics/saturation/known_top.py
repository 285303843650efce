"""Whether the highest score that papers print is among what boards and collections hold: else all that follows is low.

A curve that ends at 89.6% says that there is room; a paper that prints 95.2% says that our sources stopped looking.
"""

import polars as pl

from benchhealth.analytics.record.conditions.recognise import EXCLUDED
from benchhealth.analytics.record.evidence import PUBLISHED_TOP, Evidence, Indicator, Unless, settle, with_known_until
from benchhealth.analytics.record.frames import PAPERS, Frames
from benchhealth.analytics.record.tables.case import Case
from benchhealth.analytics.record.tables.declared import Unit
from benchhealth.analytics.statistics.float_noise import without_float_noise

AS_HIGH = 0.005
"""Half a point: a score that is lower by less may be the same, printed with fewer digits."""


def published_tops(frames: Frames, known_facts: pl.DataFrame) -> pl.DataFrame:
    """For each benchmark that papers were read for, the best that they print and the best of everybody else.

    Schema PUBLISHED_TOP. Under whatever condition: what is asked is whether anybody else holds a score as high.
    """
    about = known_facts.filter("bounded", pl.col("sign").is_not_null()).select("benchmark_id", "sign")
    rows = frames.result.filter(
        pl.col("stands"), pl.col("kind") == "model", pl.col("score").is_finite(), pl.col("condition") != EXCLUDED
    ).select("benchmark_id", "model_id", "score", "dated_on", "source_id")
    printed = rows.filter(pl.col("source_id").is_in(PAPERS))
    compared = rows.join(printed.select("benchmark_id").unique(), on="benchmark_id", how="semi").collect()
    merits = compared.join(about, on="benchmark_id").with_columns(
        merit=without_float_noise(pl.col("score")) * pl.col("sign")
    )
    of_papers = pl.col("source_id").is_in(PAPERS)
    best = (
        merits.filter(of_papers)
        .sort("benchmark_id", "merit", "model_id", descending=[False, True, False])
        .unique("benchmark_id", keep="first", maintain_order=True)
        .select("benchmark_id", "model_id", top="score", top_on="dated_on", top_merit="merit")
    )
    elsewhere = merits.filter(~of_papers).group_by("benchmark_id").agg(elsewhere=pl.col("merit").max())
    return (
        best.join(elsewhere, on="benchmark_id", how="left", maintain_order="left")
        .join(about, on="benchmark_id")
        .with_columns(gap=pl.col("top_merit") - pl.col("elsewhere"), elsewhere=pl.col("elsewhere") * pl.col("sign"))
        .match_to_schema(PUBLISHED_TOP, extra_columns="ignore", integer_cast="upcast")
        .sort("benchmark_id")
    )


def _gap(evidence: Evidence) -> pl.DataFrame:
    rows = with_known_until(evidence).join(evidence.published_top, on="benchmark_id", how="left", maintain_order="left")
    missing = Case("published_top_missing", on_day="top_on", names=("model_id",), numbers=("top", "elsewhere"))
    alone_case = Case("published_top_alone", on_day="top_on", names=("model_id",), numbers=("top",))
    is_missing = pl.col("gap") > AS_HIGH
    return settle(
        rows,
        Unless(pl.col("top").is_null(), "no_published_top", "not_applicable"),
        Unless(pl.col("elsewhere").is_null(), alone_case),
        Unless(~is_missing, Case("published_top_listed", numbers=("top", "elsewhere")), "not_applicable"),
        value=pl.col("gap"),
        note=missing,
    )


KNOWN_TOP = Indicator(
    "known_top_missing",
    "Known top that the sources miss",
    "By how much the highest score that papers print exceeds the best that any board or collection here holds, under "
    "whatever condition. Not applicable where none was read, or where a source holds as much.",
    "the registry's published milestones, each with its place",
    _gap,
    unit=Unit.SHARE,
)
