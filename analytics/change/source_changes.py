"""What changed in what sources say: versions held back, new sources, new results, corrected rows, breaks."""

import polars as pl

from benchhealth.analytics.change.previous import Tables
from benchhealth.analytics.record.breakpoints import PROPOSED
from benchhealth.analytics.record.current import CONTINUOUS
from benchhealth.analytics.record.frames import benchmark_of_board, is_whole, source_of_board
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS

NOT_IN_SERVICE = ("held", "failed")
"""The states of a source whose newest version is not in service."""

KEY = ["snapshot_id", "benchmark_id", "model_id", "setting", "reporter"]


def source_changes(before: Tables, after: Tables) -> list[pl.DataFrame]:
    """Rows of the kinds held, source, results, correction, break and incident."""
    kinds = (_results, _corrections, _breaks, _incidents)
    return [*_states(before, after), *(changes_of(before, after) for changes_of in kinds)]


def _states(before: Tables, after: Tables) -> list[pl.DataFrame]:
    earlier = before["source"].select("source_id", before="status")
    current = after["source"].select("source_id", "last_observed_at", after="status")
    moved = current.join(earlier, on="source_id", how="left").filter(pl.col("after").ne_missing(pl.col("before")))
    observed_on = pl.col("last_observed_at").dt.date()
    first = pl.col("before").is_null() | (pl.col("before") == "never")
    answering = moved.filter(pl.col("after") == "ok")
    return [
        _kept_out(before, after),
        answering.select(
            "source_id",
            "before",
            "after",
            kind=pl.lit("source"),
            on_day=observed_on,
            case=pl.when(first).then(pl.lit("read_first")).otherwise(pl.lit("read_again")),
        ),
    ]


def _kept_out(before: Tables, after: Tables) -> pl.DataFrame:
    """Versions that are kept out of service and were not before: a row for each board, state and day of them.

    `on_day` is the day of the version, `after` its state, `until_day` that of the copy in service, `names` the paths.
    """
    key = ["source_id", "path", "ref", "state"]
    newly_kept_out = (
        after["kept_out"]
        .filter(pl.col("state").is_in(NOT_IN_SERVICE))
        .join(before["kept_out"].select(key).unique(), on=key, how="anti", nulls_equal=True)
        .join(_in_service(after), on="board_id", how="left")
        .with_columns(benchmark_id=benchmark_of_board())
        .join(after["benchmark"].select("benchmark_id", is_known=True), on="benchmark_id", how="left")
    )
    of_a_row = newly_kept_out.group_by(
        "source_id",
        "board_id",
        benchmark_id=pl.when("is_known").then("benchmark_id"),
        after="state",
        on_day=pl.col("version_at").dt.date(),
        until_day="in_service",
        maintain_order=True,
    )
    return of_a_row.agg(names=pl.col("path").sort()).with_columns(
        kind=pl.lit("held"),
        case=pl.when(pl.col("after") == "held").then(pl.lit("version_held")).otherwise(pl.lit("not_read")),
    )


def _in_service(after: Tables) -> pl.DataFrame:
    """The day of the newest stored version of each board."""
    return after["snapshot"].group_by("board_id").agg(in_service=pl.col("observed_at").max().dt.date())


def _results(before: Tables, after: Tables) -> pl.DataFrame:
    """How many rows of each source's new files stand with a statement that no row made before."""
    old = before["snapshot"].select("snapshot_id")
    fresh = after["snapshot"].join(old, on="snapshot_id", how="anti").select("snapshot_id", "source_id", "observed_at")
    statement = ["benchmark_id", "model_id", "setting", "reporter", "score"]
    rows = after["result"].filter("stands").select("snapshot_id", *statement).join(fresh, on="snapshot_id")
    new = rows.join(before["result"].select(statement), on=statement, how="anti", nulls_equal=True)
    return (
        new.group_by("source_id")
        .agg(n=pl.len().cast(pl.Int64), on_day=pl.col("observed_at").max().dt.date())
        .with_columns(kind=pl.lit("results"), case=pl.lit("new_results"))
    )


def _corrections(before: Tables, after: Tables) -> pl.DataFrame:
    """Rows that stood and that their source has replaced by another number, by source and benchmark.

    Ratings are refitted with every version, and what is counted on moves by design: there it is no correction. Nor is
    it across a breakpoint, proposed or curated: another measurement corrects nothing.
    """
    moves = pl.col("refresh").eq_missing(CONTINUOUS)
    bounded = (
        after["benchmark"].filter(pl.col("unit").is_in(BOUNDED_UNITS) & is_whole() & ~moves).select("benchmark_id")
    )
    stood = before["result"].select(*KEY, "score").join(bounded, on="benchmark_id", how="semi")
    current = after["result"].select(*KEY, "score", "stands").join(bounded, on="benchmark_id", how="semi")
    withdrawn = stood.join(current.filter(~pl.col("stands")).select(KEY), on=KEY, how="semi", nulls_equal=True)
    statement = [
        "source_id",
        *(name for name in KEY[1:] if name != "setting"),
        "score",
    ]  # a reworded setting is no number
    source = after["snapshot"].select("snapshot_id", "source_id")
    standing = current.filter("stands").join(source, on="snapshot_id").select(statement)
    lost = withdrawn.join(source, on="snapshot_id").join(standing, on=statement, how="anti", nulls_equal=True)
    return (
        lost.join(_broken_since(before, after), on=["source_id", "benchmark_id"], how="anti")
        .group_by("source_id", "benchmark_id")
        .agg(n=pl.len().cast(pl.Int64))
        .with_columns(kind=pl.lit("correction"), case=pl.lit("rows_replaced"))
    )


def _broken_since(before: Tables, after: Tables) -> pl.DataFrame:
    """`source_id`, `benchmark_id` of boards that broke after what the previous generation knew of their source."""
    last_seen = before["snapshot"].group_by("source_id").agg(seen_on=pl.col("observed_at").max().dt.date())
    breaks = after["breakpoint"].with_columns(source_id=source_of_board(), benchmark_id=benchmark_of_board())
    later = breaks.join(last_seen, on="source_id").filter(pl.col("on_date") > pl.col("seen_on"))
    return later.select("source_id", "benchmark_id").unique()


def _breaks(before: Tables, after: Tables) -> pl.DataFrame:
    """Breakpoints of whole benchmarks that were not known before, curated or proposed."""
    key = ["board_id", "on_date", "kind"]
    new = after["breakpoint"].join(before["breakpoint"].select(key).unique(), on=key, how="anti", nulls_equal=True)
    return break_rows(new).filter(is_whole())


def break_rows(breakpoint: pl.DataFrame) -> pl.DataFrame:
    """Rows of kind break, one for each breakpoint: `after` is its kind, `on_day` its day."""
    is_proposed = pl.col("kind").fill_null("").str.starts_with(PROPOSED)
    return breakpoint.select(
        "board_id",
        benchmark_id=benchmark_of_board(),
        kind=pl.lit("break"),
        after="kind",
        on_day="on_date",
        case=pl.when(is_proposed)
        .then(pl.lit("break_proposed"))
        .when(pl.col("case").is_not_null())
        .then("case")
        .when(pl.col("note").is_null())
        .then(pl.lit("not_compared"))
        .otherwise(pl.lit("broke")),
        names=pl.when(is_proposed)
        .then(pl.concat_list("case", pl.col("kind").str.strip_prefix(PROPOSED)))
        .otherwise(pl.coalesce("names", pl.concat_list("note"))),
        numbers="numbers",
        until_day="until_day",
    )


def _incidents(before: Tables, after: Tables) -> pl.DataFrame:
    """Incidents of whole benchmarks that a curator has written down since; leaks and breaks have rows of their own.

    A generation without any is of an edition that had no such table: then nothing is known to be new.
    """
    key = ["benchmark_id", "on_date", "kind", "subject"]
    curated = after["incident"].filter(pl.col("home") == "incident", pl.lit(before["incident"].height > 0))
    new = curated.join(before["incident"].select(key).unique(), on=key, how="anti", nulls_equal=True)
    return new.filter(is_whole()).select(
        "benchmark_id",
        kind=pl.lit("incident"),
        after="kind",
        on_day="on_date",
        case=pl.lit("happened"),
        names=pl.concat_list("subject", "said"),
    )
