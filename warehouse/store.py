"""The facts database: append-only, written by one process at a time, snapshots whole or not at all."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import duckdb
import polars as pl

from benchhealth.analytics.record.tables import DATE_BASES, KINDS, REPORTERS
from benchhealth.warehouse.batch import RESULT_FACT, Batch
from benchhealth.warehouse.ledger import Ledger, LedgerEntry
from benchhealth.warehouse.locking import exclusive
from benchhealth.warehouse.places.claims import Opened
from benchhealth.warehouse.places.location import DATABASE, location_of
from benchhealth.warehouse.sql import FACTS, SOURCE, FactError, append, quoted, read_through, relation, select

__all__ = ["DATABASE", "LOCK", "RESULT_KEY", "Store", "check_facts", "check_results", "fact_table", "reading"]

LOCK = "lock"
WAIT_SECONDS = 60.0
"""Seconds that a run waits while another one replaces the same rows."""
RESULT_KEY = ("benchmark_id", "model_id", "setting", "reporter")


class Store:
    """The facts of one home, open for writing. Made by `Store.open`; its methods may be called from several threads."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._connection = opened.connection
        self.claims = opened.claims
        """What of the facts this run has for itself, where others write beside it."""
        self.ledger = Ledger(opened)

    @classmethod
    @contextmanager
    def open(cls, home: Path, *, anew: bool = False) -> Iterator["Store"]:
        """Open the facts of `home`, made if missing and migrated if older, under the exclusive lock `home/lock`.

        Where something was published from facts that are gone, new ones are made only if `anew` is set: a night that
        began with none would publish next to nothing. Raises Locked if another run holds the lock or keeps the facts
        open, NewerHome if a later edition wrote them, FactError if they have other columns than these, a DatabaseFault
        if any of them cannot be read.
        """
        with exclusive(home / LOCK, wait=False), location_of(home).writing(anew=anew) as opened:
            yield cls(opened)

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

        def work(cursor: duckdb.DuckDBPyConnection) -> set[str]:
            stored = _stored_ids(cursor, batches)
            new = {batch.snapshot_id: batch for batch in batches if batch.snapshot_id not in stored}
            tables = rows_of(list(new.values()))
            try:
                check_results(tables["result"], ("snapshot_id", *RESULT_KEY))
            except FactError as error:
                raise FactError(f"{', '.join(batch.url for batch in batches)}: {error}") from error
            tables["item"] = _new_lists(cursor, tables["item"])
            for table, frame in tables.items():
                append(cursor, table, frame)
            self.ledger.append(cursor, entries)
            return set(new)

        return self._opened.write(work)

    def append_all(self, tables: dict[str, pl.DataFrame]) -> None:
        """Append rows to many tables in one transaction; the caller vouches for them (see `warehouse.bundle`)."""

        def work(cursor: duckdb.DuckDBPyConnection) -> None:
            for table, frame in tables.items():
                rows = frame.select(FACTS[table].names())
                append(cursor, table, _new_lists(cursor, rows) if table == "item" else rows)

        self._opened.write(work)

    def append_new(self, table: str, rows: pl.DataFrame, key: Sequence[str], *, dated_by: str) -> int:
        """Append the rows whose key the table does not hold yet, in one transaction; returns how many.

        The table is written in order of time: nothing is appended where its column `dated_by` holds a later one.
        """

        def work(cursor: duckdb.DuckDBPyConnection) -> int:
            with relation(rows) as incoming:
                late = f'SELECT count(*) FROM "{table}" WHERE "{dated_by}" > (SELECT min("{dated_by}") FROM {incoming})'  # noqa: S608
                if cursor.sql(late).pl().item():
                    return 0
            stored = cursor.sql(f'SELECT {", ".join(key)} FROM "{table}"').pl()  # noqa: S608 - a table of this package
            new = rows.join(stored, on=list(key), how="anti", maintain_order="left")
            append(cursor, table, new)
            return new.height

        return self._opened.write(work)

    def write_sources(self, sources: pl.DataFrame) -> None:
        """Store what the catalogue says of each source, in place of what it said before; schema `facts.SOURCE`."""
        if sources.schema != SOURCE:
            raise FactError(f"source: expected {SOURCE}, got {sources.schema}")
        if sources["source_id"].is_duplicated().any():
            raise FactError("source: a source_id twice")

        def work(cursor: duckdb.DuckDBPyConnection) -> None:
            stored = cursor.sql("SELECT * FROM source").pl()
            news = sources.join(stored, on=sources.columns, how="anti", nulls_equal=True, maintain_order="left")
            if news.is_empty():
                return  # nothing that another writer could come between
            with relation(news) as named:
                cursor.sql(f"DELETE FROM source WHERE source_id IN (SELECT source_id FROM {named})")  # noqa: S608 - own
            append(cursor, "source", news)

        with self.claims.hold("the table source", patience=WAIT_SECONDS):
            self._opened.write(work)

    def write_looks(self, looks: pl.DataFrame) -> None:
        """Store until when boards are known, schema `LOOK`; a look no later than one that is stored says nothing."""
        if looks.schema != FACTS["look"]:
            raise FactError(f"look: expected {FACTS['look']}, got {looks.schema}")
        board = ["source_id", "board_id"]

        def work(cursor: duckdb.DuckDBPyConnection) -> None:
            stored = cursor.sql('SELECT source_id, board_id, max(looked_at) AS "stored" FROM look GROUP BY ALL').pl()
            newest = looks.group_by(board).agg(pl.col("looked_at").max()).join(stored, on=board, how="left")
            news = newest.filter(pl.col("stored").is_null() | (pl.col("looked_at") > pl.col("stored")))
            append(cursor, "look", news.drop("stored"))

        self._opened.write(work)

    def source_ids(self) -> set[str]:
        """The sources of which the catalogue's row is stored."""
        return set(select(self._connection, "SELECT source_id FROM source")["source_id"])

    def sources_with_facts(self) -> set[str]:
        """The sources of which a snapshot is stored."""
        return set(select(self._connection, "SELECT DISTINCT source_id FROM snapshot")["source_id"])

    def days(self, table: str, columns: Sequence[str]) -> pl.DataFrame:
        """What a ledger that is written day by day holds already: these columns of it, each row once."""
        listed = ", ".join(f'"{column}"' for column in columns)
        return select(self._connection, f'SELECT DISTINCT {listed} FROM "{table}"')  # noqa: S608 - own columns

    def results(self, snapshot_id: str) -> pl.DataFrame:
        """The results of one stored snapshot, unordered; schema `batch.RESULT_FACT`."""
        columns = ", ".join(f'"{column}"' for column in RESULT_FACT)
        return select(
            self._connection,
            f"SELECT {columns} FROM result WHERE snapshot_id = {quoted(snapshot_id)}",  # noqa: S608 - own columns
        )

    def names(self) -> pl.DataFrame:
        """Every published name as stored: `source_id`, `published_name`, `model_id`, `setting`, `row_setting`.

        `setting` is null for a model fact.
        """
        return select(
            self._connection,
            """
            SELECT DISTINCT source_id, published_name, model_id, setting, row_setting
            FROM result JOIN snapshot USING (snapshot_id)
            UNION
            SELECT DISTINCT source_id, name, model_id, NULL, NULL FROM model_fact JOIN snapshot USING (snapshot_id)
            ORDER BY ALL
            """,
        )

    def rows_like(self, names: pl.DataFrame) -> pl.DataFrame:
        """Key and `published_name` of all results of the snapshots that have one of these names, with their `row`."""
        with relation(names) as named:
            return select(
                self._connection,
                f"""
                SELECT r.rowid AS "row", snapshot_id, source_id, published_name, benchmark_id, model_id, setting,
                    row_setting, reporter
                FROM result r JOIN snapshot USING (snapshot_id)
                WHERE snapshot_id IN (
                    SELECT snapshot_id FROM result JOIN snapshot USING (snapshot_id)
                    SEMI JOIN {named} USING (source_id, published_name)
                )
                """,  # noqa: S608 - own
            )

    def rename(self, results: pl.DataFrame, models: pl.DataFrame) -> int:
        """Name stored facts again, in one transaction; returns how many rows of both tables changed.

        `results` has `row` (of `rows_like`), `model_id` and `setting`; `models` has `source_id`, `published_name` and
        `model_id`.
        """

        def work(cursor: duckdb.DuckDBPyConnection) -> int:
            with relation(results) as renamed, relation(models) as named:
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

        return self._opened.write(work)

    def tidy(self) -> None:
        """Make less of what nights leave behind where facts lie in many files; no fact changes, and no reader waits."""
        self._opened.tidy()

    def snapshot_ids(self) -> set[str]:
        """The ids of all snapshots that are stored."""
        return set(select(self._connection, "SELECT snapshot_id FROM snapshot")["snapshot_id"])


def rows_of(batches: Sequence[Batch]) -> dict[str, pl.DataFrame]:
    """The rows of these snapshots, each with its snapshot_id, by table of the facts; `FACTS` has their schemas."""
    attributes = {
        "result": "results",
        "rejection": "rejections",
        "model_fact": "models",
        "benchmark_fact": "benchmarks",
        "report_fact": "reports",
        "mention_fact": "mentions",
        "name_fact": "names",
        "own_fact": "own_facts",
        "item_run": "items",
        "price_fact": "prices",
    }
    frames_of = {"snapshot": [snapshot_row(batch) for batch in batches], "item": [batch.lists for batch in batches]} | {
        table: [getattr(batch, attribute).with_columns(snapshot_id=pl.lit(batch.snapshot_id)) for batch in batches]
        for table, attribute in attributes.items()
    }
    return {
        table: pl.concat([pl.DataFrame(schema=FACTS[table]), *frames], how="diagonal", rechunk=True)
        for table, frames in frames_of.items()
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


def _stored_ids(cursor: duckdb.DuckDBPyConnection, batches: Sequence[Batch]) -> set[str]:
    """The ids among these snapshots that are stored already."""
    if not batches:
        return set()
    ids = ", ".join(quoted(batch.snapshot_id) for batch in batches)
    rows = cursor.sql(f"SELECT snapshot_id FROM snapshot WHERE snapshot_id IN ({ids})").fetchall()  # noqa: S608 - own
    return {snapshot_id for (snapshot_id,) in rows}


def _new_lists(cursor: duckdb.DuckDBPyConnection, items: pl.DataFrame) -> pl.DataFrame:
    """Those of the lists of items that are not stored yet, each once; a stored list never changes."""
    if items.is_empty():
        return items
    stored = cursor.sql("SELECT DISTINCT list_id FROM item").pl()
    return items.join(stored, on="list_id", how="anti").unique(["list_id", "place"], maintain_order=True)


def reading(home: Path) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
    """A connection to read the facts of `home`, in the state that they have now.

    Raises Locked if another process keeps them for itself, FileNotFoundError if there are none, NewerHome if a later
    edition wrote them, a DatabaseFault where they cannot be read.
    """
    return location_of(home).reading()


def fact_table(home: Path, name: str) -> pl.DataFrame:
    """All rows of one table of the facts, unordered; schema `FACTS[name]`."""
    columns = ", ".join(f'"{column}"' for column in FACTS[name].names())
    with reading(home) as connection:
        return select(connection, f'SELECT {columns} FROM "{name}"')  # noqa: S608 - a table of this package


def check_facts(home: Path) -> None:
    """Read all facts of a home once. Raises what `reading` raises."""
    with reading(home) as connection:
        read_through(connection)


def check_results(results: pl.DataFrame, key: tuple[str, ...] = RESULT_KEY) -> None:
    """Raise FactError if a result breaks a rule of the facts; `key` is what identifies a row."""
    missing = [name for name in ("benchmark_id", "model_id", "setting", "score", "kind") if results[name].has_nulls()]
    if missing:
        raise FactError(f"results without {', '.join(missing)}")
    repeated = results.filter(pl.struct(key).is_duplicated())
    if not repeated.is_empty():
        raise FactError(f"{repeated.height} results share a key, such as {repeated.select(key).row(0)}")
    for column, allowed in (("date_basis", DATE_BASES), ("reporter", REPORTERS), ("kind", KINDS)):
        strange = set(results[column].drop_nulls().unique()) - set(allowed)
        if strange:
            raise FactError(f"{column} {sorted(strange)} is not one of {allowed}")
    if (results["dated_on"].is_null() != results["date_basis"].is_null()).any():
        raise FactError("a date without its basis, or a basis without its date")
    if not results["score"].is_finite().all():
        raise FactError("a score that is not finite")
