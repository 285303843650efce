"""The rules as views over a generation that is attached: for one choice of sources, one view for each table."""

# ruff: noqa: S608  SQL made of this package's own words

import re
from collections.abc import Mapping, Sequence

import duckdb
import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.columns import TEXTS
from benchhealth.warehouse.facts import relation, select
from benchhealth.warehouse.sharing.marks import GIVEN, MARKS
from benchhealth.warehouse.sharing.rules import RULES, WITHHELD, Rule
from benchhealth.warehouse.sharing.words import naming, sealed_makers, sealed_words


class Views:
    """Views named like the published tables, in a schema of their own, with what the rules ask beside them."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, schema: str, stored: Mapping[str, str]) -> None:
        """`stored` says under which name each published table of the whole generation is found."""
        self._connection = connection
        self._stored = stored
        self._schema = schema
        self._marks = f"{schema}_marks"
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
        connection.execute(f"CREATE SCHEMA {self._marks}")

    def make(self, allowed: Sequence[str], imported: Sequence[str]) -> None:
        """Make all views for the case that rows of the allowed sources may be among them."""
        for mark, chosen in zip(GIVEN, (allowed, imported), strict=True):
            self._hold(mark, pl.DataFrame({"source_id": chosen}, schema={"source_id": pl.String}))
        for mark, sql in MARKS.items():
            self._connection.execute(self._named(f"CREATE TABLE @{mark} AS {sql}"))
        self._hold("sealed_maker", sealed_makers(self._asked))
        self._blot()
        for name, rule in RULES.items():
            self._connection.execute(self._named(self._view(name, rule)))

    def beyond(self, narrower: "Views", name: str) -> str:
        """A query for the rows of a table that these views show and narrower ones do not."""
        rule = RULES[name]
        if rule.cells or rule.texts:
            return f'FROM {self._schema}."{name}" EXCEPT ALL FROM {narrower._schema}."{name}"'
        here, there = (views._named(rule.leaves) for views in (self, narrower))
        return f'FROM {self._stored[name]} AS "{name}" WHERE ({here}) AND ({there}) IS NOT TRUE'

    def _view(self, name: str, rule: Rule) -> str:
        cells = {**rule.cells, **{column: _blotted(name, column) for column in rule.texts}}
        replaced = ", ".join(f'{cell} AS "{column}"' for column, cell in cells.items())
        columns = f"* REPLACE ({replaced})" if replaced else "*"
        view = f'{self._schema}."{name}"'
        return f'CREATE VIEW {view} AS SELECT {columns} FROM #{name} AS "{name}" WHERE {rule.leaves}'

    def _blot(self) -> None:
        """Hold the sentences that name what may not leave: `named`, and lists of sentences in `named_list`."""
        every = [(name, column) for name, rule in RULES.items() for column in rule.texts]
        lists = [place for place in every if PUBLISHED[place[0]][place[1]] == TEXTS]
        words = sealed_words(self._asked)
        flat = " UNION ".join(f"SELECT {_each(name, column)} AS text FROM #{name}" for name, column in every)
        texts = self._asked(flat)["text"].drop_nulls() if words else pl.Series("text", [], dtype=pl.String)
        self._hold("named", pl.DataFrame({"text": naming(texts, words)}, schema={"text": pl.String}))
        longer = " UNION ".join(
            f"SELECT {column} AS old FROM #{name} WHERE list_has_any({column}, (SELECT list(text) FROM @named))"
            for name, column in lists
        )
        hidden = self._asked("FROM @named")["text"]
        old = self._asked(longer)["old"]
        new = old.list.eval(
            pl.when(pl.element().is_in(hidden.implode())).then(pl.lit(WITHHELD)).otherwise(pl.element())
        )
        self._hold("named_list", pl.DataFrame({"old": old, "new": new}, schema={"old": TEXTS, "new": TEXTS}))

    def _hold(self, mark: str, rows: pl.DataFrame) -> None:
        with relation(rows) as held:
            self._connection.execute(self._named(f"CREATE TABLE @{mark} AS FROM ") + held)

    def _asked(self, sql: str) -> pl.DataFrame:
        return select(self._connection, self._named(sql))

    def _named(self, sql: str) -> str:
        of_whole = re.sub(r"#(\w+)", lambda table: self._stored[table[1]], sql)
        return re.sub(r"@(\w+)", rf'{self._marks}."\1"', of_whole)


def _each(name: str, column: str) -> str:
    return f"unnest({column})" if PUBLISHED[name][column] == TEXTS else column


def _blotted(name: str, column: str) -> str:
    """The column with what may not be named blotted out: a sentence says so, an address is gone."""
    if PUBLISHED[name][column] == TEXTS:
        return f"coalesce((SELECT any_value(new) FROM @named_list WHERE old = {column}), {column})"
    instead = "NULL" if column.endswith("_url") else f"'{WITHHELD}'"
    return f"CASE WHEN {column} IN (FROM @named) THEN {instead} ELSE {column} END"
