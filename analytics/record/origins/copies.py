"""Numbers that several rows print, as a table, and the results without the copies."""

import polars as pl

from benchhealth.analytics.record.frames import Frames, benchmark_by_benchmark
from benchhealth.analytics.record.origins.origins import RESULT_KEY, origins
from benchhealth.analytics.record.tables import as_published
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS

_ROW = ["file", "source_id", "benchmark_id", "model_id", "setting", "reporter"]
"""What makes two rows versions of one result: a file has each once in every version."""


def copies(frames: Frames) -> pl.DataFrame:
    """Table `copy`: the standing rows of every number that more than one row is, and those that were corrected.

    Of benchmarks whose scores have a range: ratings move as a whole, and two of different days are no copies.
    """
    bounded = frames.benchmark.filter(pl.col("unit").is_in(BOUNDED_UNITS))["benchmark_id"].implode()
    competes = (pl.col("kind") == "model") & pl.col("stands") & pl.col("score").is_finite()
    tables = [
        _copies(results, frames)
        for results in benchmark_by_benchmark(frames.result.filter(competes & pl.col("benchmark_id").is_in(bounded)))
    ]
    return as_published(pl.concat(tables), "copy").sort("benchmark_id", "model_id", "origin", *RESULT_KEY)


def counted_once(rows: pl.DataFrame, copy: pl.DataFrame, snapshot: pl.DataFrame) -> pl.DataFrame:
    """Stored versions of results without those of copies; what counts has the reporter of its original.

    A result without a day has the day of the copy that has one. `rows` have the columns of `frames.RESULT`, `copy` is
    the table of that name. The order is kept.
    """
    files = snapshot.select("snapshot_id", "source_id", file="board_id")
    dated = copy.filter(pl.col("dated_on").is_not_null()).sort("dated_on", "snapshot_id")
    days = dated.group_by("benchmark_id", "model_id", "origin", maintain_order=True).agg(
        copied_on=pl.col("dated_on").first(), copied_basis=pl.col("date_basis").first()
    )
    copied = (
        copy.join(files, on="snapshot_id")
        .join(days, on=["benchmark_id", "model_id", "origin"], how="left")
        .select(*_ROW, "counts", "origin_reporter", "copied_on", "copied_basis")
        .unique(_ROW, keep="first", maintain_order=True)
    )
    undated = pl.col("dated_on").is_null()
    numbered = rows.with_row_index("place")
    printed_again = (
        numbered.join(copied, on=["benchmark_id", "model_id"], how="semi")
        .join(files.drop("source_id"), on="snapshot_id")
        .join(copied, on=_ROW)
        .with_columns(
            reporter=pl.coalesce("origin_reporter", "reporter"),
            date_basis=pl.when(undated & pl.col("copied_on").is_not_null())
            .then("copied_basis")
            .otherwise("date_basis"),
            dated_on=pl.coalesce("dated_on", "copied_on"),
        )
    )
    changed = ("reporter", "date_basis", "dated_on")
    of_copy = printed_again.select("place", "counts", pl.col(changed).name.suffix("_counted"))
    return (
        numbered.join(of_copy, on="place", how="left", maintain_order="left")
        .filter(pl.col("counts").fill_null(value=True))
        .with_columns(pl.coalesce(f"{column}_counted", column).alias(column) for column in changed)
        .select(rows.columns)
    )


def with_measured_originals(rows: pl.DataFrame, copy: pl.DataFrame, snapshot: pl.DataFrame) -> pl.DataFrame:
    """Ranked results, `passed_on` no more where the number's original, which counts as this row, has a known measurer.

    The row that says most of a number counts for it, and that may be of a place that passes it on.
    """
    files = snapshot.select("snapshot_id", file="board_id")
    key = [name for name in _ROW if name != "reporter"]
    measured = (
        copy.filter("counts", pl.col("measured_by").is_not_null()).join(files, on="snapshot_id").select(key).unique()
    )
    joined = rows.join(measured.with_columns(known=pl.lit(value=True)), on=key, how="left", maintain_order="left")
    return joined.with_columns(pl.col("passed_on") & pl.col("known").is_null()).drop("known")


def _copies(results: pl.LazyFrame, frames: Frames) -> pl.DataFrame:
    """The copies within one part of the results; a model's only row on a benchmark is an original and counts."""
    rows = results.filter(pl.len().over("benchmark_id", "model_id") > 1).collect()
    with_origin = origins(rows, frames.lineage, frames.measurer)
    traced = pl.concat([rows.select("source_id", "score", "dated_on", "date_basis"), with_origin], how="horizontal")
    shared = pl.len().over("benchmark_id", "model_id", "origin") > 1
    return traced.filter(shared | ~pl.col("counts"))
