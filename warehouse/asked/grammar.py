"""Which SQL is let through: one SELECT over the published tables, judged by how DuckDB itself reads it.

The names of what may leave are views; what they are views over lies in the same connection under qualified names. So
no name may be qualified, and a function in FROM is none that could read anything.
"""

import json
from collections.abc import Iterator
from typing import Any

import duckdb

from benchhealth.analytics.record.tables import PUBLISHED

LETTERS = 4_000
"""The longest question in SQL that is accepted, in characters."""

IN_FROM = frozenset({"unnest", "generate_series", "range"})
"""Functions that may stand where a table does: they make rows out of nothing."""

UNFIT = frozenset({"getenv", "getvariable", "current_setting", "nextval", "currval", "write_log", "parse_log_message"})
"""Functions that would tell of the process, or change it."""

NO_TABLE = frozenset({"SHOW_REF", "COLUMN_DATA", "DELIM_GET", "BOUND_TABLE_REF"})
"""What may stand where a table does and is none: descriptions, and what only plans hold."""

RECURSION = ("RECURSIVE_CTE_NODE", "right")
"""The half of a recursive query that reads what was found so far."""

ONE_SELECT = "Only one SELECT is answered: nothing that changes, loads, attaches or explains anything."


class Refused(ValueError):  # noqa: N818 - what is said to whoever asked
    """A question that is not answered, with the reason as a sentence."""


def tables_of(connection: duckdb.DuckDBPyConnection, sql: str) -> list[str]:
    """The published tables that the question reads, sorted. Raises Refused where it may not be asked."""
    if len(sql) > LETTERS:
        raise Refused(f"The question is longer than {LETTERS:,} letters.")
    if not sql.strip().strip(";").strip():
        raise Refused("Nothing was asked.")
    tree = _tree(connection, sql)
    if tree.get("error"):
        message = str(tree.get("error_message", ""))
        if tree.get("error_type") == "not implemented" or "Only SELECT" in message:
            raise Refused(ONE_SELECT)
        raise Refused(f"The SQL cannot be read: {message.splitlines()[0] if message else 'no reason is given'}.")
    if len(tree["statements"]) != 1:
        raise Refused(ONE_SELECT)
    read = sorted({name for node, scope in _nodes(tree) if (name := _read(node)) and name not in scope})
    for name in read:
        if name not in PUBLISHED:
            raise Refused(f"There is no table {name[:60]}. The Data page and api/ list them all.")
    return read


def _tree(connection: duckdb.DuckDBPyConnection, sql: str) -> dict[str, Any]:
    row = connection.cursor().execute("SELECT json_serialize_sql(?)", [sql]).fetchone()
    assert row is not None
    tree: dict[str, Any] = json.loads(row[0])
    return tree


def _nodes(tree: object) -> Iterator[tuple[dict[str, Any], frozenset[str]]]:
    """Every node, with the names that stand for a part of the question there and not for a table.

    A name of WITH holds for what follows it, and not in its own query; a recursive one holds in its second half.
    """
    waiting: list[tuple[object, frozenset[str]]] = [(tree, frozenset())]
    while waiting:
        node, scope = waiting.pop()
        if isinstance(node, dict):
            for entry in (node.get("cte_map") or {}).get("map", []):
                waiting.append((entry["value"], scope))
                scope |= {_folded(entry["key"])}
            yield node, scope
            for key, value in node.items():
                itself = {_folded(node["cte_name"])} if (node.get("type"), key) == RECURSION else set()
                if key != "cte_map":
                    waiting.append((value, scope | itself))
        elif isinstance(node, list):
            waiting.extend((part, scope) for part in node)


def _folded(name: str) -> str:
    """The name as DuckDB compares it: only ASCII letters have a case."""
    return name.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


def _read(node: dict[str, Any]) -> str | None:
    """The table that a node reads, if it reads one. Raises Refused where it may not."""
    kind = node.get("type")
    if kind == "BASE_TABLE":
        return _table(node)
    if kind == "TABLE_FUNCTION":
        called = str((node.get("function") or {}).get("function_name", "")).lower()
        if called not in IN_FROM:
            raise Refused(f"The function {called} may not stand in FROM: only {', '.join(sorted(IN_FROM))} may.")
    elif isinstance(kind, str) and kind in NO_TABLE:
        raise Refused(ONE_SELECT)
    elif kind == "FUNCTION" and str(node.get("function_name", "")).lower() in UNFIT:
        raise Refused(f"The function {node['function_name']} may not be called.")
    return None


def _table(node: dict[str, Any]) -> str:
    name = str(node.get("table_name", ""))
    if node.get("schema_name") or node.get("catalog_name"):
        raise Refused("Tables go by their own names, without a schema or a catalogue before them.")
    return _folded(name)
