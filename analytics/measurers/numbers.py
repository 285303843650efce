"""The numbers that stand on curated benchmarks, each with who measured it: what the room reads."""

import polars as pl

from benchhealth.analytics.record.conditions.recognise import EXCLUDED
from benchhealth.analytics.record.frames import Frames, is_whole
from benchhealth.analytics.record.origins.origins import RESULT_KEY, origins
from benchhealth.analytics.record.tables.case import ALWAYS, first_case
from benchhealth.analytics.statistics.errors import true_error

INDEPENDENT, NOT_SAID, MAKER = "independent", "not said", "maker"
"""Who stands behind a number: a known house that is not the model's maker; a place that prints it without saying who
measured it; its maker, or whoever handed the result in."""

_READ = (
    *("snapshot_id", "benchmark_id", "model_id", "setting", "reporter", "score", "std_error", "n_items", "dated_on"),
    *("date_basis", "date_precision", "source_row", "condition", "source_id", "board_id", "published_name"),
    "printed_in",
)


def standing_numbers(frames: Frames, benchmark_facts: pl.DataFrame) -> pl.DataFrame:
    """Every result of a model that stands on a curated whole benchmark, in the order of its key.

    Beside columns of `result`: `who` (INDEPENDENT, NOT_SAID or MAKER), `house` (who measured it; null where nobody
    says, or where it is the maker's), `origin`, `basis` and `counts` (false in further copies of one number) as in
    `record.origins`, `merit` (the score, negative where lower is better), `error` (standard error, null where not
    known) and `unit`; `n_items` is the benchmark's where a row has none; `benchmark_released_on` is when that came out.

    A row of a third party whose digits are the maker's is a quotation, so it is the maker's. What somebody handed in to
    a board under the word self may be of the maker, so it is no independent one either.
    """
    curated = benchmark_facts.filter("curated", is_whole())
    about = curated.select(
        "benchmark_id", "sign", "unit", "bounded", benchmark_items="n_items", benchmark_released_on="released_on"
    )
    rows = (
        frames.result.filter(
            "stands", pl.col("kind") == "model", pl.col("score").is_finite(), pl.col("condition") != EXCLUDED
        )
        .join(about.lazy(), on="benchmark_id", how="inner")
        .with_columns(pl.coalesce("n_items", "benchmark_items").alias("n_items"))
        .select(*_READ, "sign", "unit", "bounded", "benchmark_released_on")
        .sort(*RESULT_KEY[1:], "snapshot_id", "source_row")
        .collect()
    )
    with_origins = origins(rows, frames.lineage, frames.measurer)
    origin = with_origins.select("counts", "independent", "origin", "basis", house="measured_by")
    return (
        pl.concat([rows, origin], how="horizontal")
        .with_columns(
            merit=pl.col("score") * pl.col("sign").fill_null(1.0),
            who=first_case(
                (MAKER, ~pl.col("independent")), (NOT_SAID, pl.col("house").is_null()), (INDEPENDENT, ALWAYS)
            ),
            house=pl.when("independent").then("house"),
            error=true_error(),
        )
        .drop("sign", "bounded", "independent", "board_id", "printed_in")
    )
