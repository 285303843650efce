"""What changed in what sources say: versions held back, new sources, new results, corrected rows, breaks."""

import polars as pl

from benchhealth.analytics.change.previous import Tables
from benchhealth.analytics.change.rows import whole
from benchhealth.analytics.record.breakpoints import PROPOSED
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS

NOT_IN_SERVICE = ("held", "failed")
"""The states of a source whose newest version is not in service."""

KEY = ["snapshot_id", "benchmark_id", "model_id", "setting", "reporter"]


def source_changes(before: Tables, after: Tables) -> list[pl.DataFrame]:
    """Rows of the kinds held, source, results, correction and break."""
    return [*_states(before, after), _results(before, after), _corrections(before, after), _breaks(before, after)]


def _states(before: Tables, after: Tables) -> list[pl.DataFrame]:
    past = before["source"].select("source_id", before="status")
    now = after["source"].select("source_id", "last_observed_at", after="status")
    moved = now.join(past, on="source_id", how="left").filter(pl.col("after").ne_missing(pl.col("before")))
    seen = pl.col("last_observed_at").dt.date()
    held = moved.filter(pl.col("after").is_in(NOT_IN_SERVICE))
    fault = pl.when(pl.col("after") == "held").then(pl.lit("version_held")).otherwise(pl.lit("not_read"))
    first = pl.col("before").is_null() | (pl.col("before") == "never")
    others = moved.filter(pl.col("after") == "ok")
    return [
        held.select("source_id", "before", "after", kind=pl.lit("held"), on_day=seen, case=fault),
        others.select(
            "source_id",
            "before",
            "after",
            kind=pl.lit("source"),
            on_day=seen,
            case=pl.when(first).then(pl.lit("read_first")).otherwise(pl.lit("read_again")),
        ),
    ]


def _results(before: Tables, after: Tables) -> pl.DataFrame:
    """How many rows of new files of each source stand that say what no row said before."""
    seen = before["snapshot"].select("snapshot_id")
    fresh = after["snapshot"].join(seen, on="snapshot_id", how="anti").select("snapshot_id", "source_id", "observed_at")
    said = ["benchmark_id", "model_id", "setting", "reporter", "score"]
    rows = after["result"].filter("stands").select("snapshot_id", *said).join(fresh, on="snapshot_id")
    new = rows.join(before["result"].select(said), on=said, how="anti", nulls_equal=True)
    return (
        new.group_by("source_id")
        .agg(n=pl.len().cast(pl.Int64), on_day=pl.col("observed_at").max().dt.date())
        .with_columns(kind=pl.lit("results"), case=pl.lit("new_results"))
    )


def _corrections(before: Tables, after: Tables) -> pl.DataFrame:
    """Rows that stood and that their source has replaced by another number, by source and benchmark.

    Ratings are refitted with every version, so there it is no correction.
    """
    bounded = after["benchmark"].filter(pl.col("unit").is_in(BOUNDED_UNITS) & whole()).select("benchmark_id")
    stood = before["result"].select(*KEY, "score").join(bounded, on="benchmark_id", how="semi")
    now = after["result"].select(*KEY, "score", "stands").join(bounded, on="benchmark_id", how="semi")
    gone = stood.join(now.filter(~pl.col("stands")).select(KEY), on=KEY, how="semi", nulls_equal=True)
    said = ["source_id", *KEY[1:], "score"]
    source = after["snapshot"].select("snapshot_id", "source_id")
    standing = now.filter("stands").join(source, on="snapshot_id").select(said)
    lost = gone.join(source, on="snapshot_id").join(standing, on=said, how="anti", nulls_equal=True)
    return (
        lost.group_by("source_id", "benchmark_id")
        .agg(n=pl.len().cast(pl.Int64))
        .with_columns(kind=pl.lit("correction"), case=pl.lit("rows_replaced"))
    )


def _breaks(before: Tables, after: Tables) -> pl.DataFrame:
    """Curated breakpoints of whole benchmarks that were not known before."""
    key = ["board_id", "on_date", "kind"]
    new = after["breakpoint"].join(before["breakpoint"].select(key).unique(), on=key, how="anti", nulls_equal=True)
    curated = new.filter(~pl.col("kind").fill_null("").str.starts_with(PROPOSED)).with_columns(
        benchmark_id=pl.col("board_id").str.splitn("/", 2).struct.field("field_1")
    )
    return curated.filter(whole()).select(
        "board_id",
        "benchmark_id",
        kind=pl.lit("break"),
        after="kind",
        on_day="on_date",
        case=pl.when(pl.col("note").is_null()).then(pl.lit("not_compared")).otherwise(pl.lit("broke")),
        names=pl.concat_list("note"),
    )
