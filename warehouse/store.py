"""The facts database: append-only, written by one process at a time, snapshots whole or not at all."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import duckdb
import polars as pl

from analytics.record.tables import DATE_BASES, REPORTERS
from warehouse.batch import RESULT_FACT, Batch
from warehouse.facts import (
    FACTS,
    SOURCE,
    FactError,
    append,
    quoted,
    read_through,
    relation,
    select,
    transaction,
)
from warehouse.faults import DamagedError, explained
from warehouse.ledger import Ledger, LedgerEntry
from warehouse.locking import Locked, exclusive
from warehouse.migrations import check_edition, migrate
from warehouse.read import PUBLISHED_FOLDER

DATABASE = "warehouse.duckdb"
LOCK = "lock"
KINDS = ("model", "human", "random", "cheating")
RESULT_KEY = ("benchmark_id", "model_id", "setting", "reporter")
READER_PATIENCE = 10.0
"""Seconds that a writer waits for short readers (a status query) to let go of the database."""


MEND = (
    "`benchhealth restore --replace --from BACKUP` puts back what was backed up; without a backup move it and its .wal "
    "away, then `benchhealth init` and `benchhealth ingest --history` store the facts anew (imports are to be "
    "repeated); what is published stays in service"
)
_writers: dict[Path, duckdb.DuckDBPyConnection] = {}
"""Databases that this process has open for writing: DuckDB refuses a second, read-only handle beside them."""


class Store:
    """The facts of one home, open for writing. Made by `Store.open`; its methods may be called from several threads."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._mutex = threading.Lock()
        self.ledger = Ledger(connection, self._mutex)

    @classmethod
    @contextmanager
    def open(cls, home: Path, *, anew: bool = False) -> Iterator["Store"]:
        """Open the facts of `home`, made if missing and migrated if older, under the exclusive lock `home/lock`.

        Where something was published from facts that are gone, new ones are made only if `anew` is set: a night that
        began with none would publish next to nothing. Raises Locked if another run holds the lock or keeps the database
        open, NewerHome if a later edition wrote the database, FactError if it has other columns than these,
        DamagedError if any of it cannot be read.
        """
        with exclusive(home / LOCK, wait=False):
            path = (home / DATABASE).resolve()
            if not anew and _is_lost(path, home):
                raise DamagedError(path, "it is gone or empty, and something was published from it", MEND)
            with explained(path, MEND), closing(_connect_to_write(path)) as connection:
                read_through(connection)
                migrate(connection)
                _writers[path] = connection
                try:
                    yield cls(connection)
                finally:
                    _writers.pop(path)

    def write(self, batch: Batch) -> bool:
        """Store one snapshot whole, in one transaction. False, and nothing changed, if it is already there.

        Raises FactError if a fact breaks a rule: a (benchmark, model, setting, reporter) twice, a date without its
        basis, an unknown reporter, basis or kind.
        """
        return batch.snapshot_id in self.write_all([batch])

    def write_all(self, batches: Sequence[Batch], entries: Sequence[LedgerEntry] = ()) -> set[str]:
        """Store snapshots whole, and what the ledger says of them, in one transaction: all or nothing.

        Returns the ids of those that were not there before. Raises FactError like `write`.
        """
        with self._mutex, transaction(self._connection) as cursor:
            there = _known(cursor, batches)
            new = {batch.snapshot_id: batch for batch in batches if batch.snapshot_id not in there}
            tables = rows_of(list(new.values()))
            try:
                check_results(tables["result"], ("snapshot_id", *RESULT_KEY))
            except FactError as error:
                raise FactError(f"{', '.join(batch.url for batch in batches)}: {error}") from error
            for table, frame in tables.items():
                append(cursor, table, frame)
            self.ledger.append(cursor, entries)
            return set(new)

    def append_all(self, tables: dict[str, pl.DataFrame]) -> None:
        """Append rows to many tables in one transaction; the caller vouches for them (see `warehouse.bundle`)."""
        with self._mutex, transaction(self._connection) as cursor:
            for table, frame in tables.items():
                append(cursor, table, frame.select(FACTS[table].names()))

    def append_new(self, table: str, rows: pl.DataFrame, key: Sequence[str], *, at: str) -> int:
        """Append the rows whose key the table does not hold yet, in one transaction; returns how many.

        The table is written in order of time: nothing is appended where it holds a later instant in the column `at`.
        """
        with self._mutex, transaction(self._connection) as cursor:
            with relation(rows) as incoming:
                late = f'SELECT count(*) FROM "{table}" WHERE "{at}" > (SELECT min("{at}") FROM {incoming})'  # noqa: S608
                if cursor.sql(late).pl().item():
                    return 0
            stored = cursor.sql(f'SELECT {", ".join(key)} FROM "{table}"').pl()  # noqa: S608 - a table of this package
            new = rows.join(stored, on=list(key), how="anti", maintain_order="left")
            append(cursor, table, new)
            return new.height

    def write_sources(self, sources: pl.DataFrame) -> None:
        """Store what the catalogue says of each source, in place of what it said before; schema `facts.SOURCE`."""
        if sources.schema != SOURCE:
            raise FactError(f"source: expected {SOURCE}, got {sources.schema}")
        if sources["source_id"].is_duplicated().any():
            raise FactError("source: a source_id twice")
        with self._mutex, transaction(self._connection) as cursor:
            with relation(sources) as named:
                cursor.sql(f"DELETE FROM source WHERE source_id IN (SELECT source_id FROM {named})")  # noqa: S608 - own
            append(cursor, "source", sources)

    def write_looks(self, looks: pl.DataFrame) -> None:
        """Store until when boards are known, schema `LOOK`; a look no later than one that is stored says nothing."""
        if looks.schema != FACTS["look"]:
            raise FactError(f"look: expected {FACTS['look']}, got {looks.schema}")
        board = ["source_id", "board_id"]
        with self._mutex, transaction(self._connection) as cursor:
            stored = cursor.sql('SELECT source_id, board_id, max(looked_at) AS "stored" FROM look GROUP BY ALL').pl()
            newest = looks.group_by(board).agg(pl.col("looked_at").max()).join(stored, on=board, how="left")
            news = newest.filter(pl.col("stored").is_null() | (pl.col("looked_at") > pl.col("stored")))
            append(cursor, "look", news.drop("stored"))

    def source_ids(self) -> set[str]:
        """The sources of which the catalogue's row is stored."""
        return set(select(self._connection, "SELECT source_id FROM source")["source_id"])

    def sources_with_facts(self) -> set[str]:
        """The sources of which a snapshot is stored."""
        return set(select(self._connection, "SELECT DISTINCT source_id FROM snapshot")["source_id"])

    def results(self, snapshot_id: str) -> pl.DataFrame:
        """The results of one stored snapshot, unordered; schema `batch.RESULT_FACT`."""
        columns = ", ".join(f'"{column}"' for column in RESULT_FACT)
        return select(
            self._connection,
            f"SELECT {columns} FROM result WHERE snapshot_id = {quoted(snapshot_id)}",  # noqa: S608 - own columns
        )

    def names(self) -> pl.DataFrame:
        """Every published name as stored: `source_id`, `published_name`, `model_id`, `setting` (null: a model fact)."""
        return select(
            self._connection,
            """
            SELECT DISTINCT source_id, published_name, model_id, setting FROM result JOIN snapshot USING (snapshot_id)
            UNION
            SELECT DISTINCT source_id, name, model_id, NULL FROM model_fact JOIN snapshot USING (snapshot_id)
            ORDER BY ALL
            """,
        )

    def rows_like(self, names: pl.DataFrame) -> pl.DataFrame:
        """Key and `published_name` of all results of the snapshots that have one of these names, with their `row`."""
        with self._mutex, transaction(self._connection) as cursor, relation(names) as named:
            return cursor.sql(
                f"""
                SELECT r.rowid AS "row", snapshot_id, source_id, published_name, benchmark_id, model_id, setting,
                    reporter
                FROM result r JOIN snapshot USING (snapshot_id)
                WHERE snapshot_id IN (
                    SELECT snapshot_id FROM result JOIN snapshot USING (snapshot_id)
                    SEMI JOIN {named} USING (source_id, published_name)
                )
                """  # noqa: S608 - own
            ).pl()

    def rename(self, results: pl.DataFrame, models: pl.DataFrame) -> int:
        """Name stored facts again, in one transaction; returns how many rows of both tables changed.

        `results` has `row` (of `rows_like`), `model_id` and `setting`; `models` has `source_id`, `published_name` and
        `model_id`.
        """
        with (
            self._mutex,
            transaction(self._connection) as cursor,
            relation(results) as renamed,
            relation(models) as named,
        ):
            cursor.sql(
                f"""
                UPDATE result SET model_id = n.model_id, setting = n.setting FROM {renamed} n
                WHERE result.rowid = n."row"
                """  # noqa: S608 - own
            )
            facts = cursor.execute(
                f"""
                UPDATE model_fact SET model_id = n.model_id FROM {named} n JOIN snapshot s USING (source_id)
                WHERE model_fact.snapshot_id = s.snapshot_id AND model_fact.name = n.published_name
                    AND model_fact.model_id <> n.model_id
                """  # noqa: S608 - own
            ).fetchone()
        return results.height + (int(facts[0]) if facts else 0)

    def snapshot_ids(self) -> set[str]:
        """The ids of all stored snapshots."""
        return set(select(self._connection, "SELECT snapshot_id FROM snapshot")["snapshot_id"])


def rows_of(batches: Sequence[Batch]) -> dict[str, pl.DataFrame]:
    """The rows of these snapshots, each with its snapshot_id, by table of the facts; `FACTS` has their schemas."""
    parts = {
        "result": "results",
        "rejection": "rejections",
        "model_fact": "models",
        "benchmark_fact": "benchmarks",
        "report_fact": "reports",
        "mention_fact": "mentions",
        "name_fact": "names",
        "own_fact": "own",
        "item_fact": "items",
    }
    found = {"snapshot": [snapshot_row(batch) for batch in batches]} | {
        table: [getattr(batch, part).with_columns(snapshot_id=pl.lit(batch.snapshot_id)) for batch in batches]
        for table, part in parts.items()
    }
    return {
        table: pl.concat([pl.DataFrame(schema=FACTS[table]), *frames], how="diagonal", rechunk=True)
        for table, frames in found.items()
    }


def snapshot_row(batch: Batch) -> pl.DataFrame:
    """The row of the table `snapshot` for a batch: what is not rejected is kept."""
    rejected = batch.rejections.height
    row = (
        batch.snapshot_id,
        batch.source_id,
        batch.board_id,
        batch.observed_at,
        batch.fetched_at,
        batch.url,
        batch.ref,
        batch.sha256,
        batch.rows_in,
        batch.rows_in - rejected,
        rejected,
    )
    return pl.DataFrame([row], schema=FACTS["snapshot"], orient="row")


def _known(cursor: duckdb.DuckDBPyConnection, batches: Sequence[Batch]) -> set[str]:
    """Which of the snapshots are stored."""
    if not batches:
        return set()
    ids = ", ".join(quoted(batch.snapshot_id) for batch in batches)
    found = cursor.sql(f"SELECT snapshot_id FROM snapshot WHERE snapshot_id IN ({ids})").fetchall()  # noqa: S608 - own
    return {snapshot_id for (snapshot_id,) in found}


@contextmanager
def reading(home: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to read the facts of `home`: the store that this process has open, else a read-only one.

    Raises Locked if another process has the store open, FileNotFoundError if there is none, NewerHome if a later
    edition wrote it, DamagedError where what is read is damaged.
    """
    path = (home / DATABASE).resolve()
    if path in _writers:
        yield _writers[path]
        return
    if not path.exists():
        raise FileNotFoundError(f"no facts at {path}; `benchhealth init` stores the bundled ones")
    with explained(path, MEND), closing(connect_to_read(path)) as connection:
        check_edition(connection)
        yield connection


def fact_table(home: Path, name: str) -> pl.DataFrame:
    """All rows of one table of the facts, unordered; schema `FACTS[name]`."""
    columns = ", ".join(f'"{column}"' for column in FACTS[name].names())
    with reading(home) as connection:
        return select(connection, f'SELECT {columns} FROM "{name}"')  # noqa: S608 - a table of this package


def check_facts(home: Path) -> None:
    """Read all facts of a home once. Raises DamagedError, and what `reading` raises."""
    with reading(home) as connection:
        read_through(connection)


def _is_lost(path: Path, home: Path) -> bool:
    return (not path.exists() or not path.stat().st_size) and any((home / PUBLISHED_FOLDER).glob("gen-*.duckdb"))


def connect_to_read(path: Path) -> duckdb.DuckDBPyConnection:
    """A read-only connection to a facts database of any edition. Raises Locked where another process has it open."""
    try:
        return duckdb.connect(path, read_only=True)
    except duckdb.IOException as error:
        if _is_locked(error):
            raise Locked(f"another process has {path} open") from error
        raise


def _connect_to_write(path: Path) -> duckdb.DuckDBPyConnection:
    """The facts are a set: without an order of rows to keep, all cores write, and the file is a third smaller."""
    deadline = time.monotonic() + READER_PATIENCE
    while True:
        try:
            connection = duckdb.connect(path)
        except duckdb.IOException as error:
            if not _is_locked(error):
                raise
            if time.monotonic() > deadline:
                raise Locked(f"another process has {path} open") from error
            time.sleep(0.1)
        else:
            connection.execute("SET preserve_insertion_order = false")
            return connection


def _is_locked(error: duckdb.IOException) -> bool:
    return "Could not set lock" in str(error)


def check_results(results: pl.DataFrame, key: tuple[str, ...] = RESULT_KEY) -> None:
    """Raise FactError if a result breaks a rule of the facts; `key` is what identifies a row."""
    missing = [name for name in ("benchmark_id", "model_id", "setting", "score", "kind") if results[name].has_nulls()]
    if missing:
        raise FactError(f"results without {', '.join(missing)}")
    twice = results.filter(pl.struct(key).is_duplicated())
    if not twice.is_empty():
        raise FactError(f"{twice.height} results share a key, such as {twice.select(key).row(0)}")
    for column, known in (("date_basis", DATE_BASES), ("reporter", REPORTERS), ("kind", KINDS)):
        strange = set(results[column].drop_nulls().unique()) - set(known)
        if strange:
            raise FactError(f"{column} {sorted(strange)} is not one of {known}")
    if (results["dated_on"].is_null() != results["date_basis"].is_null()).any():
        raise FactError("a date without its basis, or a basis without its date")
    if not results["score"].is_finite().all():
        raise FactError("a score that is not finite")
