"""How runs and sources stand, told from the ledger: the published tables `run` and `source`."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import duckdb
import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED, REFUSED
from benchhealth.warehouse.faults import masked
from benchhealth.warehouse.locking import is_held
from benchhealth.warehouse.places.location import location_of
from benchhealth.warehouse.sql import as_known, select
from benchhealth.warehouse.store import LOCK, reading


def run_table(home: Path) -> pl.DataFrame:
    """The published table `run`, oldest first; of publishing only what failed or was killed is a run of its own.

    A run without an end is running if it is known to go on (in a home of its own: if it is the newest and the lock is
    held), else crashed.
    """
    is_locked = is_held(home / LOCK)
    with reading(home) as connection:
        runs = select(
            connection,
            """
            SELECT run_id, started_at, ended_at, command, status, detail
            FROM run_start LEFT JOIN run_end USING (run_id)
            WHERE command != 'publish' OR coalesce(status, '') != 'ok' ORDER BY started_at, run_id
            """,
        )
    newest = runs["run_id"].item(-1) if runs.height else ""
    running = location_of(home).running(newest, is_locked=is_locked)
    goes_on = pl.col("run_id").is_in(sorted(running))
    open_status = pl.when(goes_on).then(pl.lit("running")).otherwise(pl.lit("crashed"))
    with_status = _masked(runs, "detail").with_columns(status=pl.coalesce("status", open_status)).cast(PUBLISHED["run"])
    return with_status.filter((pl.col("command") != "publish") | (pl.col("status") != "running"))


def trouble_table(home: Path) -> pl.DataFrame:
    """The files whose newest version is not in service: `source_id`, `path`, `state` (failed or held), `ref`, `reason`.

    `ref` is the commit of the first version that broke: a run names it last (`ingest.run.reader.Reader.settle`).
    `since` is when that was first said, in the oldest run after the last one that ended well for the file.
    """
    with reading(home) as connection:
        files = select(
            connection,
            """
            WITH said AS (
                SELECT l.*, coalesce(run_id, '') AS run_id
                FROM ledger l ASOF LEFT JOIN run_start r ON l."at" >= r.started_at
                WHERE state IN ('written', 'published', 'unchanged', 'listed', 'failed', 'held', 'refused')
            ), of_run AS (
                SELECT source_id, path, run_id, max(seq) AS seq, arg_max(state, seq) AS state,
                    arg_max(ref, seq) AS ref, arg_max(detail, seq) AS reason,
                    min("at") FILTER (state IN ('failed', 'held')) AS since
                FROM said GROUP BY source_id, path, run_id
            ), numbered AS (
                SELECT *, max(seq) FILTER (state NOT IN ('failed', 'held')) OVER (PARTITION BY source_id, path) AS good
                FROM of_run
            )
            SELECT source_id, path, arg_max(state, seq) AS state, arg_max(ref, seq) AS ref,
                arg_max(reason, seq) AS reason, min(since) AS since
            FROM numbered WHERE good IS NULL OR seq > good
            GROUP BY source_id, path ORDER BY source_id, path
            """,
        )
    return _masked(files, "reason")


def refused_table(home: Path) -> pl.DataFrame:
    """The versions that a curator refused for good: as `trouble_table`, one row a version, `state` refused."""
    with reading(home) as connection:
        versions = select(
            connection,
            f"""
            SELECT source_id, path, arg_max(state, seq) AS state, ref, arg_max(detail, seq) AS reason,
                min("at") FILTER (state = '{REFUSED}') AS since
            FROM ledger GROUP BY source_id, path, url, ref HAVING arg_max(state, seq) = '{REFUSED}'
            ORDER BY source_id, path, since, ref
            """,  # noqa: S608 - own words
        )
    return _masked(versions, "reason")


def kept_out_table(home: Path, board_of: Callable[[str, str], str | None]) -> pl.DataFrame:
    """The published table `kept_out`: what `trouble_table` and `refused_table` have, with what else names a version.

    `board_of` gives the board of a source's path, None where it is not known. `version_at` is when the version was
    committed, null where it was never fetched.
    """
    with reading(home) as connection:
        versions = select(
            connection,
            """
            SELECT source_id, path, ref, max(try_cast(detail AS TIMESTAMP)) AS version_at
            FROM ledger WHERE state = 'fetched' GROUP BY source_id, path, ref
            """,
        )
    kept_out = pl.concat([trouble_table(home), refused_table(home)])
    boards = [board_of(source_id, path) for source_id, path in kept_out.select("source_id", "path").iter_rows()]
    return (
        kept_out.with_columns(pl.Series("board_id", boards, dtype=pl.String))
        .join(versions, on=["source_id", "path", "ref"], how="left", maintain_order="left")
        .match_to_schema(PUBLISHED["kept_out"], extra_columns="ignore", integer_cast="upcast")
    )


def _masked(table: pl.DataFrame, column: str) -> pl.DataFrame:
    """Earlier versions wrote what may hold a password."""
    texts = [text and masked(text) for text in table[column]]
    return table.with_columns(pl.Series(column, texts, dtype=pl.String))


def reached_table(home: Path, until: datetime) -> pl.DataFrame:
    """When each source was first asked for here (`asked_at`) and last answered (`reached_at`, null for never).

    What came with a bundle was asked for by nobody. What is later than `until` was noted by a clock that was ahead.
    """
    with reading(home) as connection:
        return select(
            connection,
            as_known(
                """
            SELECT source_id, min("at") AS asked_at,
                max("at") FILTER (state IN ('fetched', 'unchanged', 'listed')) AS reached_at
            FROM ledger WHERE NOT starts_with(url, 'bundle:') AND "at" <= $as_of
            GROUP BY source_id ORDER BY source_id
            """,
                until,
            ),
        )


def source_table(connection: duckdb.DuckDBPyConnection, as_of: datetime) -> pl.DataFrame:
    """The published table `source`: what was observed up to `as_of`, and how the last fetching of each file ended.

    `status` is failed or held if that is how any of the source's files ended last, ok if all went well or its
    snapshots came with a bundle, never if nothing of it was fetched.
    """
    sql = """
        WITH seen AS (
            SELECT source_id, max(observed_at) FILTER (observed_at <= $as_of) AS last_observed_at, max(fetched_at) AS at
            FROM snapshot GROUP BY source_id
        ), outcome AS (
            SELECT source_id, arg_max(state, seq) AS state
            FROM ledger
            WHERE state IN ('written', 'published', 'unchanged', 'listed', 'failed', 'held', 'refused')
            GROUP BY source_id, path
        ), verdict AS (
            SELECT source_id, bool_or(state = 'failed') AS failed, bool_or(state = 'held') AS held
            FROM outcome GROUP BY source_id
        ), reached AS (
            SELECT source_id, max("at") AS "at"
            FROM ledger WHERE state IN ('fetched', 'unchanged', 'listed') GROUP BY source_id
        )
        SELECT s.source_id, title, homepage, licence, redistributable, cadence, last_observed_at,
            greatest(seen.at, reached.at) AS last_fetched_at,
            CASE WHEN failed THEN 'failed' WHEN held THEN 'held'
                WHEN verdict.source_id IS NOT NULL OR seen.source_id IS NOT NULL THEN 'ok' ELSE 'never' END AS status,
            s.kind
        FROM source s LEFT JOIN seen USING (source_id) LEFT JOIN verdict USING (source_id)
            LEFT JOIN reached USING (source_id)
        ORDER BY s.source_id
    """
    return select(connection, as_known(sql, as_of))


def newest_look(home: Path) -> datetime | None:
    """The last instant at which any source was seen, by an answer or by what is in a file of it; None without facts."""
    sql = "SELECT greatest((SELECT max(looked_at) FROM look), (SELECT max(observed_at) FROM snapshot)) AS last_seen"
    with reading(home) as connection:
        last_seen: datetime | None = select(connection, sql).item()
    return last_seen
