"""The edition of a facts database, and how one of an older edition becomes one of this."""

from collections.abc import Callable

import duckdb
import polars as pl

from benchhealth.warehouse.loading.items import packed_lists
from benchhealth.warehouse.sql import (
    FACTS,
    FactError,
    append,
    create_table,
    quoted,
    select,
    sql_type,
    tables_of,
    transaction,
)

Migration = Callable[[duckdb.DuckDBPyConnection], None]


class NewerHome(FactError):  # noqa: N818 - a state, not a fault
    """A later edition of the program wrote this database: what this one does not know of it, it could not keep."""

    edition: int | None = None


def _add_looks_and_mentions(cursor: duckdb.DuckDBPyConnection) -> None:
    """Edition 1: what a look at a source proves (`source.kind`), until when each board is known (`look`), mentions.

    What the ledger of edition 0 says of fetching is dated by this machine's clock, also where a mirror answered: it
    proves nothing about the upstream, so a board is known until its newest version, until it is looked at again. The
    kind of a source in the catalogue is stored by the next run; all others are imports.
    """
    cursor.sql("ALTER TABLE source ADD COLUMN kind VARCHAR")
    cursor.sql("UPDATE source SET kind = 'paper'")
    cursor.sql("CREATE TABLE look (source_id VARCHAR, board_id VARCHAR, looked_at TIMESTAMP)")
    cursor.sql(
        "CREATE TABLE mention_fact (snapshot_id VARCHAR, source_row VARCHAR, benchmark_id VARCHAR, document VARCHAR, "
        "document_kind VARCHAR, organisation VARCHAR, model VARCHAR, mentioned_on DATE, url VARCHAR)"
    )


def _add_listed_names(cursor: duckdb.DuckDBPyConnection) -> None:
    """Edition 2: names that a registry lists as one.

    The first homes of edition 1 have no mentions: their table came some commits after the count of editions.
    """
    cursor.sql(
        "CREATE TABLE IF NOT EXISTS mention_fact (snapshot_id VARCHAR, source_row VARCHAR, benchmark_id VARCHAR, "
        "document VARCHAR, document_kind VARCHAR, organisation VARCHAR, model VARCHAR, mentioned_on DATE, url VARCHAR)"
    )
    cursor.sql(
        "CREATE TABLE name_fact (snapshot_id VARCHAR, source_row VARCHAR, entity VARCHAR, listed VARCHAR, "
        "name VARCHAR, key VARCHAR)"
    )


def _add_own_facts(cursor: duckdb.DuckDBPyConnection) -> None:
    """Edition 3: what comes with results of one's own, twins above all."""
    cursor.sql(
        "CREATE TABLE own_fact (snapshot_id VARCHAR, benchmark_id VARCHAR, labels VARCHAR, twin_of VARCHAR, "
        "twin_kind VARCHAR)"
    )


def _add_item_facts(cursor: duckdb.DuckDBPyConnection) -> None:
    """Edition 4: results item by item. Files that are stored already are not read again for them."""
    cursor.sql("CREATE TABLE item_fact (snapshot_id VARCHAR, source_row VARCHAR, items VARCHAR[], outcomes DOUBLE[])")


def _add_issued_forecasts(cursor: duckdb.DuckDBPyConnection) -> None:
    """Edition 5: the ledger of forecasts, empty: what generations before forecast was not written down on its day."""
    cursor.sql(
        "CREATE TABLE forecast_issued (benchmark_id VARCHAR, horizon_months BIGINT, issued_on DATE, "
        "generation VARCHAR, made_on DATE, target_on DATE, population VARCHAR, method VARCHAR, best DOUBLE, "
        "chance DOUBLE, median DOUBLE, low80 DOUBLE, high80 DOUBLE, issued_at TIMESTAMP)"
    )


def _add_prices(cursor: duckdb.DuckDBPyConnection) -> None:
    """Edition 6: what providers ask for models, empty: no file with prices was read before."""
    cursor.sql(
        "CREATE TABLE price_fact (snapshot_id VARCHAR, source_row VARCHAR, provider VARCHAR, published_name VARCHAR, "
        "model_id VARCHAR, input DOUBLE, output DOUBLE, cache_read DOUBLE, cache_write DOUBLE, terms VARCHAR, "
        "starts_on DATE)"
    )


def _add_printed_in(cursor: duckdb.DuckDBPyConnection) -> None:
    """Edition 7: where a row says that its number stands, null for rows that were stored before it was read."""
    cursor.sql("ALTER TABLE result ADD COLUMN printed_in VARCHAR")


def _pack_items(cursor: duckdb.DuckDBPyConnection) -> None:
    """Edition 8: items in lists that runs share, and what a run did on them as packed bits."""
    cursor.sql("CREATE TABLE item (list_id VARCHAR, place BIGINT, item VARCHAR, cluster VARCHAR, source_id VARCHAR)")
    cursor.sql(
        "CREATE TABLE item_run (snapshot_id VARCHAR, source_row VARCHAR, list_id VARCHAR, n_named BIGINT, "
        "outcome_bits VARCHAR, outcome_levels DOUBLE[], answered_bits VARCHAR, chosen_bits VARCHAR, "
        "chosen_options DOUBLE[])"
    )
    listed: set[str] = set()
    for (snapshot_id,) in cursor.sql("SELECT DISTINCT snapshot_id FROM item_fact ORDER BY ALL").fetchall():
        rows = cursor.sql(_OLD_ITEMS.format(quoted(snapshot_id))).pl()
        runs, items = packed_lists(rows)
        append(cursor, "item_run", runs)
        append(cursor, "item", items.filter(~pl.col("list_id").is_in(list(listed))))
        listed |= set(items["list_id"])
    cursor.sql("DROP TABLE item_fact")


_OLD_ITEMS = """
    SELECT i.*, s.source_id, r.benchmark_id, r.n_items
    FROM item_fact i JOIN snapshot s USING (snapshot_id) LEFT JOIN (
        SELECT snapshot_id, source_row, max(benchmark_id) AS benchmark_id, max(n_items) AS n_items
        FROM result GROUP BY ALL
    ) r USING (snapshot_id, source_row)
    WHERE snapshot_id = {} ORDER BY source_row
"""


def _add_issued_verdicts(cursor: duckdb.DuckDBPyConnection) -> None:
    """Edition 9: the ledger of verdicts and that of backcast forecasts, both empty."""
    cursor.sql(
        "CREATE TABLE verdict_issued (benchmark_id VARCHAR, issued_on DATE, held_on DATE, backcast BOOLEAN, "
        'stage VARCHAR, "case" VARCHAR, flags VARCHAR[], p DOUBLE, headroom DOUBLE, best DOUBLE, best_model VARCHAR, '
        "condition VARCHAR, rules_version VARCHAR, generation VARCHAR, issued_at TIMESTAMP)"
    )
    cursor.sql(
        "CREATE TABLE forecast_backcast (benchmark_id VARCHAR, horizon_months BIGINT, issued_on DATE, made_on DATE, "
        "target_on DATE, population VARCHAR, method VARCHAR, best DOUBLE, chance DOUBLE, median DOUBLE, low80 DOUBLE, "
        "high80 DOUBLE, shown BOOLEAN, issued_at TIMESTAMP)"
    )


def _add_row_setting(cursor: duckdb.DuckDBPyConnection) -> None:
    """Edition 10: what of a result's setting the row states beside the name. Of rows before it nobody noted it."""
    cursor.sql("ALTER TABLE result ADD COLUMN row_setting VARCHAR")


MIGRATIONS: tuple[Migration, ...] = (
    _add_looks_and_mentions,
    _add_listed_names,
    _add_own_facts,
    _add_item_facts,
    _add_issued_forecasts,
    _add_prices,
    _add_printed_in,
    _pack_items,
    _add_issued_verdicts,
    _add_row_setting,
)
"""How a database of each edition becomes one of the next: the first for edition 0, and so on. Never change one that was
released; their number is the edition of this program."""


def edition_of(connection: duckdb.DuckDBPyConnection) -> int:
    """The edition of a facts database; 0 of one from before editions were counted."""
    try:
        return int(select(connection, "SELECT max(edition) FROM edition").item())
    except duckdb.CatalogException:
        return 0


def check_edition(connection: duckdb.DuckDBPyConnection) -> int:
    """The edition of a facts database. Raises NewerHome for one of a later edition than this program's."""
    edition = edition_of(connection)
    if edition > len(MIGRATIONS):
        newer = NewerHome(
            f"the facts here are of edition {edition} and this program knows edition {len(MIGRATIONS)}: "
            "use the later version of benchhealth that wrote them, or another home"
        )
        newer.edition = edition
        raise newer
    return edition


def _columns(cursor: duckdb.DuckDBPyConnection) -> dict[str, dict[str, str]]:
    """The columns of each table with their SQL types, in order."""
    sql = """
        SELECT table_name, column_name, data_type FROM duckdb_columns()
        WHERE database_name = current_database() ORDER BY table_name, column_index
    """
    columns: dict[str, dict[str, str]] = {}
    for table, column, kind in cursor.sql(sql).fetchall():
        columns.setdefault(table, {})[column] = kind
    return columns


def check_columns(cursor: duckdb.DuckDBPyConnection) -> None:
    """Raise FactError where a table has other columns than this edition's, or is missing."""
    present = _columns(cursor)
    for name, schema in FACTS.items():
        needed = {column: sql_type(kind) for column, kind in schema.items()}
        if list(present.get(name, {}).items()) != list(needed.items()):
            raise FactError(f"{name} in the facts database has {present.get(name)}, this version needs {needed}")


def _take(step: Migration, cursor: duckdb.DuckDBPyConnection, tables: list[str]) -> None:
    try:
        step(cursor)
    except duckdb.CatalogException as error:
        raise FactError(f"no facts database of an older edition: it has {', '.join(tables)} ({error})") from error


def migrate(connection: duckdb.DuckDBPyConnection) -> None:
    """Bring a database to this edition, in one transaction, or make its tables where it has none.

    Raises NewerHome, and FactError where a table has other columns than this edition's.
    """
    edition = check_edition(connection)
    tables = tables_of(connection)
    is_new = not tables
    with transaction(connection) as cursor:
        cursor.sql("CREATE TABLE IF NOT EXISTS edition (edition BIGINT)")
        steps = MIGRATIONS[len(MIGRATIONS) if is_new else edition :]
        for step in steps:
            _take(step, cursor, tables)
        if is_new or steps:
            cursor.sql(f"INSERT INTO edition VALUES ({len(MIGRATIONS)})")  # noqa: S608 - a number
        for name, schema in FACTS.items() if is_new else ():
            cursor.sql(create_table(name, schema))
        check_columns(cursor)
