"""What must hold in a generation before it goes into service, asked of the built file itself."""

from collections.abc import Mapping, Sequence

import duckdb
import polars as pl

from benchhealth.analytics.record.tables import FLAGS, STAGES, STATUSES, TABLES
from benchhealth.analytics.record.tables.declared import Table
from benchhealth.warehouse.sql import columns_in_sql, columns_of, select

CONTRADICTIONS: Mapping[str, tuple[str, Sequence[str]]] = {
    "a snapshot's rows are not all accounted for": (
        "SELECT snapshot_id FROM snapshot WHERE rows_in IS DISTINCT FROM rows_kept + rows_rejected",
        (),
    ),
    "a snapshot's rejections are not as many as it counts": (
        """
        SELECT snapshot_id FROM snapshot
        LEFT JOIN (SELECT snapshot_id, count(*) AS found FROM rejection GROUP BY snapshot_id) USING (snapshot_id)
        WHERE coalesce(found, 0) <> rows_rejected
        """,
        (),
    ),
    "a result without its snapshot": ("SELECT snapshot_id FROM result ANTI JOIN snapshot USING (snapshot_id)", ()),
    "a rejection without its snapshot": (
        "SELECT snapshot_id FROM rejection ANTI JOIN snapshot USING (snapshot_id)",
        (),
    ),
    "a snapshot without its source": ("SELECT source_id FROM snapshot ANTI JOIN source USING (source_id)", ()),
    "a result without its benchmark": ("SELECT benchmark_id FROM result ANTI JOIN benchmark USING (benchmark_id)", ()),
    "a mention without its benchmark": (
        "SELECT benchmark_id FROM mention ANTI JOIN benchmark USING (benchmark_id)",
        (),
    ),
    "a result without its model": ("SELECT model_id FROM result ANTI JOIN model USING (model_id)", ()),
    "a result without a basis of its date, or without a date that is not the first look's": (
        "SELECT snapshot_id FROM result WHERE date_basis IS NULL OR (dated_on IS NULL AND date_basis <> 'snapshot')",
        (),
    ),
    "an unknown stage": ("SELECT stage FROM verdict WHERE NOT list_contains($known, stage)", STAGES),
    "an unknown flag": (
        "SELECT flag FROM (SELECT unnest(flags) AS flag FROM verdict) WHERE NOT list_contains($known, flag)",
        FLAGS,
    ),
    "an unknown status": (
        "SELECT status FROM indicator WHERE status IS NULL OR NOT list_contains($known, status)",
        STATUSES,
    ),
    "a value without evidence": (
        "SELECT benchmark_id || ' ' || indicator FROM indicator WHERE (status = 'ok') = (value IS NULL)",
        (),
    ),
    "a Kendall's tau beyond [-1, 1]": (
        """
        SELECT kendall_tau FROM (
            SELECT kendall_tau FROM churn
            UNION ALL SELECT kendall_tau FROM twin UNION ALL SELECT kendall_tau_top FROM twin
        ) WHERE kendall_tau NOT BETWEEN -1 AND 1
        """,
        (),
    ),
}
"""What must not be found, the query that would find it, and the words that replace `$known` in it."""


class CheckError(ValueError):
    """A built generation contradicts itself or the contract."""


def check_generation(connection: duckdb.DuckDBPyConnection, heights: Mapping[str, int]) -> None:
    """Check schemas, numbers of rows, keys and cross references of a built generation; raises CheckError."""
    columns_in_file = columns_of(connection)
    for name, table in TABLES.items():
        if columns_in_file.get(name) != columns_in_sql(table.schema):
            raise CheckError(f"{name}: expected {columns_in_sql(table.schema)}, got {columns_in_file.get(name)}")
    for name, rows, keys in _table_counts(connection).iter_rows():
        if rows != heights[name]:
            raise CheckError(f"{name}: {heights[name]} rows went in, {rows} are there")
        if keys == rows:
            continue
        table = TABLES[name]
        repeated = select(
            connection,
            f'SELECT {_key(table)} FROM "{name}" GROUP BY ALL HAVING count(*) > 1 LIMIT 1',  # noqa: S608 - as above
        )
        if not repeated.is_empty():
            raise CheckError(f"{name}: more than one row for {dict(zip(table.key, repeated.row(0), strict=True))}")
    for fault, (sql, exceptions) in CONTRADICTIONS.items():
        found_rows = select(connection, sql.replace("$known", str(list(exceptions))))
        if not found_rows.is_empty():
            raise CheckError(f"{fault}: {found_rows.height} times, such as {found_rows.item(0, 0)}")


def _table_counts(connection: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """How many rows each table of the contract has, and how many hashes of keys: of as many no key is there twice."""
    counts = (
        f"SELECT '{name}' AS name, count(*) AS rows, count(DISTINCT hash({_key(table)})) AS keys FROM \"{name}\""  # noqa: S608
        for name, table in TABLES.items()
    )
    return select(connection, " UNION ALL ".join(counts))


def _key(table: Table) -> str:
    return ", ".join(f'"{column}"' for column in table.key)
