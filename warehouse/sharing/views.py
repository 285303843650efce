"""The rules as views over a generation that is attached: for one choice of sources, one view for each table.

A sentence of ours that names what may not leave (a model, benchmark, organisation, report or address) is left out.
"""

# ruff: noqa: S608  SQL made of this package's own words

import re

# ruff: noqa: S608  SQL made of this package's own words
from collections.abc import Callable, Mapping, Sequence

import duckdb
import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.columns import TEXTS
from benchhealth.warehouse.sharing.fact_sources import report_key
from benchhealth.warehouse.sharing.marks import RELATIONS, SOURCE_RELATIONS, is_stated
from benchhealth.warehouse.sharing.rules import RULES, WITHHELD, Rule
from benchhealth.warehouse.sql import relation, select

Query = Callable[[str], pl.DataFrame]
"""The rows of a query in which `#name` is a table of the whole generation and `@name` a relation of the marks."""

_ELSEWHERE = "source_id IS NOT NULL AND source_id NOT IN (FROM @allowed)"
_CLOSED_NAMES = f"""
    (SELECT published_name AS word FROM #alias WHERE {_ELSEWHERE}
    UNION SELECT model_id FROM #model UNION SELECT name FROM #model)
    EXCEPT SELECT published_name FROM #alias WHERE NOT ({_ELSEWHERE})
    EXCEPT SELECT id FROM @open_model
    EXCEPT SELECT name FROM #model WHERE {is_stated("model", "model_id", "name")}
"""
_IMPORTED_NAMES = """
    (SELECT published_name AS word FROM #alias WHERE source_id IN (FROM @imported)
    UNION SELECT id FROM @imported_model)
    EXCEPT SELECT published_name FROM #alias WHERE source_id IS NULL OR source_id IN (FROM @allowed)
    EXCEPT SELECT id FROM @open_model
    UNION SELECT benchmark_id FROM #benchmark WHERE benchmark_id NOT IN (FROM @known_benchmark)
    UNION SELECT name FROM #benchmark WHERE benchmark_id NOT IN (FROM @known_benchmark)
"""
_PLACES = f"""
    SELECT url AS word FROM #snapshot WHERE {_ELSEWHERE}
    UNION SELECT 'file:///' FROM @imported
    UNION SELECT 'as ' || source_id || ' states' FROM #source WHERE {_ELSEWHERE}
"""
_REPORTS = "SELECT DISTINCT unnest([subject, method, reference_url]) AS word FROM #contamination_report WHERE {}"
_SEALED_REPORTS = f"""
    {_REPORTS.format(f"{report_key()} NOT IN (FROM @open_report)")}
    EXCEPT {_REPORTS.format(f"{report_key()} IN (FROM @open_report)")}
"""
_NO_NAME = r"^([a-z]+|[\d.,%+\-\s]+|.{1,2})$"
"""A model that a closed source calls `baseline` or `2` cannot be told from a word of ours."""


def sealed_makers(query: Query) -> pl.DataFrame:
    """The organisations that no allowed source names: column `maker`."""
    organisations = "SELECT organisation FROM #model"
    all_makers, allowed = (
        query(sql).select(maker="organisation").drop_nulls().unique()
        for sql in (organisations, f"{organisations} WHERE {is_stated('model', 'model_id', 'organisation')}")
    )
    return all_makers.join(allowed, on="maker", how="anti").sort("maker")


def sealed_words(query: Query) -> list[str]:
    """Every name and address that may not stand in a sentence of ours."""
    closed = query(_CLOSED_NAMES).filter(~pl.col("word").str.contains(_NO_NAME))
    always = [query(sql) for sql in (_IMPORTED_NAMES, _PLACES, _SEALED_REPORTS)]
    makers = sealed_makers(query).select(word="maker")
    return pl.concat([closed, *always, makers])["word"].drop_nulls().unique().sort().to_list()


def texts_naming(texts: pl.Series, words: list[str]) -> list[str]:
    """The texts that contain one of the words as a whole word."""
    if not words:
        return []
    candidates = texts.filter(texts.str.contains_any(words))
    matches = candidates.str.extract_many(words, overlapping=True)
    return [
        text
        for text, inside in zip(candidates, matches, strict=True)
        if any(re.search(_word_pattern(word), text) for word in inside)
    ]


def _word_pattern(word: str) -> str:
    before = r"(?<!\w)" if re.match(r"\w", word) else ""
    after = r"(?!\w)" if re.search(r"\w$", word) else ""
    return before + re.escape(word) + after


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
        for mark, chosen in zip(SOURCE_RELATIONS, (allowed, imported), strict=True):
            self._hold(mark, pl.DataFrame({"source_id": chosen}, schema={"source_id": pl.String}))
        for mark, sql in RELATIONS.items():
            self._connection.execute(self._resolved(f"CREATE TABLE @{mark} AS {sql}"))
        self._hold("sealed_maker", sealed_makers(self._select))
        self._blot()
        for name, rule in RULES.items():
            self._connection.execute(self._resolved(self._view(name, rule)))

    def beyond(self, narrower: "Views", name: str) -> str:
        """A query for the rows of a table that these views show and narrower ones do not."""
        rule = RULES[name]
        if rule.cells or rule.texts:
            return f'FROM {self._schema}."{name}" EXCEPT ALL FROM {narrower._schema}."{name}"'
        wider, narrow = (views._resolved(rule.leaves) for views in (self, narrower))
        return f'FROM {self._stored[name]} AS "{name}" WHERE ({wider}) AND ({narrow}) IS NOT TRUE'

    def _view(self, name: str, rule: Rule) -> str:
        cells = {**rule.cells, **{column: _masked_column(name, column) for column in rule.texts}}
        replaced = ", ".join(f'{cell} AS "{column}"' for column, cell in cells.items())
        columns = f"* REPLACE ({replaced})" if replaced else "*"
        view = f'{self._schema}."{name}"'
        return f'CREATE VIEW {view} AS SELECT {columns} FROM #{name} AS "{name}" WHERE {rule.leaves}'

    def _blot(self) -> None:
        """Hold the sentences that name what may not leave: `named`, and lists of sentences in `named_list`."""
        text_columns = [(name, column) for name, rule in RULES.items() for column in rule.texts]
        lists = [address for address in text_columns if PUBLISHED[address[0]][address[1]] == TEXTS]
        words = sealed_words(self._select)
        flat = " UNION ".join(f"SELECT {_texts_of(name, column)} AS text FROM #{name}" for name, column in text_columns)
        texts = self._select(flat)["text"].drop_nulls() if words else pl.Series("text", [], dtype=pl.String)
        self._hold("named", pl.DataFrame({"text": texts_naming(texts, words)}, schema={"text": pl.String}))
        longer = " UNION ".join(
            f"SELECT {column} AS old FROM #{name} WHERE list_has_any({column}, (SELECT list(text) FROM @named))"
            for name, column in lists
        )
        hidden = self._select("FROM @named")["text"]
        old = self._select(longer)["old"]
        new = old.list.eval(
            pl.when(pl.element().is_in(hidden.implode())).then(pl.lit(WITHHELD)).otherwise(pl.element())
        )
        self._hold("named_list", pl.DataFrame({"old": old, "new": new}, schema={"old": TEXTS, "new": TEXTS}))

    def _hold(self, mark: str, rows: pl.DataFrame) -> None:
        with relation(rows) as marked:
            self._connection.execute(self._resolved(f"CREATE TABLE @{mark} AS FROM ") + marked)

    def _select(self, sql: str) -> pl.DataFrame:
        return select(self._connection, self._resolved(sql))

    def _resolved(self, sql: str) -> str:
        of_whole = re.sub(r"#(\w+)", lambda table: self._stored[table[1]], sql)
        return re.sub(r"@(\w+)", rf'{self._marks}."\1"', of_whole)


def _texts_of(name: str, column: str) -> str:
    return f"unnest({column})" if PUBLISHED[name][column] == TEXTS else column


def _masked_column(name: str, column: str) -> str:
    """The column with what may not be named blotted out: a sentence says so, an address is gone."""
    if PUBLISHED[name][column] == TEXTS:
        return f"coalesce((SELECT any_value(new) FROM @named_list WHERE old = {column}), {column})"
    instead = "NULL" if column.endswith("_url") else f"'{WITHHELD}'"
    return f"CASE WHEN {column} IN (FROM @named) THEN {instead} ELSE {column} END"
