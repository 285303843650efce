"""A generation with nothing in it that may not leave: what `export` writes and what every address serves."""

from pathlib import Path

import duckdb
import polars as pl

from benchhealth.analytics.record.sharing import Terms, with_terms
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.warehouse.faults import first_line
from benchhealth.warehouse.read import (
    RETURNS_MEMORY,
    UNREADABLE,
    Generation,
    NoGeneration,
    attached_tables,
    lacking_tables,
    remedy,
)
from benchhealth.warehouse.sharing.views import Views

_MODEST: dict[str, str | bool | int | float | list[str]] = {**RETURNS_MEMORY, "threads": 1}
"""One core is enough for what is asked once for a generation; the others go on serving pages."""


_FOR_OTHERS: dict[str, str | bool | int | float | list[str]] = {
    "temp_directory": "",
    "python_enable_replacements": False,
}
"""For SQL of others: nothing is written, and no name is read as a variable of this program."""


class NotShareable(LookupError):  # noqa: N818 - a state, not a fault
    """The generation does not say whose word its rows are, so nothing of it may leave."""


class UnknownSource(LookupError):  # noqa: N818 - a state, not a fault
    """A source that has no files of its own: there is none of that name, or it has no terms of its own."""


OLDER = "the generation was made before there were such tables (`benchhealth assess` makes one that has them)"
"""Why a table of the contract is not there."""


class LackingTable(LookupError):  # noqa: N818 - a state, not a fault
    """A table of the contract that the generation is older than: empty would say that nothing was found."""

    def __init__(self, name: str) -> None:
        """Say why the table of this name is not there."""
        super().__init__(f"no table {name}: {OLDER}")


class SharedGeneration(Generation):
    """What may leave of a generation: the same tables under the same names, read in the same way.

    Views over the file in a database in memory: no row is copied. Without `of` it is what may be mixed and passed on;
    with a source of Terms.OWN_TERMS, which are in `with_own_terms`, the rows that may leave under its licence. Raises
    NotShareable for a generation published before the table `fact_source`, UnknownSource where `of` is no such source,
    NoGeneration where the file cannot be read (any more).
    """

    def __init__(self, path: Path, source_id: str | None = None, memory: str | None = None) -> None:
        """Show what may leave; with `memory`, the most that DuckDB may use, it is fit for SQL of others."""
        limits = _FOR_OTHERS | {"memory_limit": memory} if memory else {}
        connection = duckdb.connect(":memory:", config={**_MODEST, **limits})
        super().__init__(path, connection)
        try:
            self._stored = attached_tables(connection, path)
            if not self._stored["fact_source"].startswith("whole."):
                raise NotShareable(
                    "this generation does not say whose word its rows are; `benchhealth assess` makes one"
                )
            source = self.query(f"FROM {self._stored['source']}")
            self.lacking = lacking_tables(connection)
            """The tables of the contract that the file is older than; they are empty here."""
            self.with_own_terms = tuple(with_terms(source, Terms.OWN_TERMS))
            self._show(connection, source, source_id)
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
        except UNREADABLE as error:
            self.close()
            raise NoGeneration(f"{path} cannot be read ({first_line(error)}); {remedy(path.parent.parent)}") from error
        except BaseException:
            self.close()
            raise

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A new cursor over the views; the caller closes it."""
        return self._connection.cursor()

    def withheld(self, name: str) -> int:
        """How many rows of a table of the whole generation are not here."""
        return self.count_whole(name) - self.count(name)

    def count_whole(self, name: str) -> int:
        """How many rows a table of the whole generation has."""
        return self._rows(self._stored[name])

    def _show(self, connection: duckdb.DuckDBPyConnection, source: pl.DataFrame, source_id: str | None) -> None:
        open_sources, imported = with_terms(source, Terms.OPEN), with_terms(source, Terms.IMPORTED)
        if source_id is None:
            Views(connection, "main", self._stored).make(open_sources, imported)
            return
        if source_id not in self.with_own_terms:
            raise UnknownSource(source_id)
        narrower, wider = (Views(connection, schema, self._stored) for schema in ("narrower", "wider"))
        narrower.make(open_sources, imported)
        wider.make([*open_sources, source_id], imported)
        for name in PUBLISHED:
            connection.execute(f'CREATE VIEW "{name}" AS {wider.beyond(narrower, name)}')

    def count(self, name: str) -> int:
        """How many rows of a table of the contract are here."""
        return self._rows(f'"{name}"')

    def _rows(self, table: str) -> int:
        return int(self.query(f"SELECT count(*) FROM {table}").item())  # noqa: S608 - a table of the contract
