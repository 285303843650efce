"""Which SQL is answered: one SELECT over the published tables, judged by how DuckDB itself parses it.

What may leave are views; the tables behind them lie in the same connection under qualified names. So no name may be
qualified, and in FROM only functions that read nothing are allowed.
"""

import json
from collections.abc import Iterator
from typing import Any

import duckdb

from benchhealth.analytics.record.tables import PUBLISHED

MOST_CHARACTERS = 4_000
"""The longest question in SQL that is accepted, in characters."""

ALLOWED_IN_FROM = frozenset({"unnest", "generate_series", "range"})
"""Functions that may stand where a table does: they make rows out of nothing."""

FORBIDDEN_FUNCTIONS = frozenset(
    {"getenv", "getvariable", "current_setting", "nextval", "currval", "write_log", "parse_log_message"}
)
"""Functions that would reveal something of the process, or change it."""

FORBIDDEN_NODES = frozenset({"SHOW_REF", "COLUMN_DATA", "DELIM_GET", "BOUND_TABLE_REF"})
"""Types of node that may stand in place of a table and are not one: descriptions, and what only plans hold."""

RECURSION = ("RECURSIVE_CTE_NODE", "right")
"""The half of a recursive query that reads what was found so far."""

ONE_SELECT = "Only one SELECT is answered: nothing that changes, loads, attaches or explains anything."


class Refused(ValueError):  # noqa: N818 - what is said to whoever asked
    """A question that is not answered, with the reason as a sentence."""


def tables_of(connection: duckdb.DuckDBPyConnection, sql: str) -> list[str]:
    """The published tables that the question reads, sorted. Raises Refused where it may not be asked."""
    if len(sql) > MOST_CHARACTERS:
        raise Refused(f"The question is longer than {MOST_CHARACTERS:,} letters.")
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
    tables = sorted({name for node, scope in _nodes(tree) if (name := _table_read_by(node)) and name not in scope})
    for name in tables:
        if name not in PUBLISHED:
            raise Refused(f"There is no table {name[:60]}. The Data page and api/ list them all.")
    return tables


def _tree(connection: duckdb.DuckDBPyConnection, sql: str) -> dict[str, Any]:
    row = connection.cursor().execute("SELECT json_serialize_sql(?)", [sql]).fetchone()
    assert row is not None
    tree: dict[str, Any] = json.loads(row[0])
    return tree


def _nodes(tree: object) -> Iterator[tuple[dict[str, Any], frozenset[str]]]:
    """Every node of the parsed SQL, with the names that there mean a query of WITH and not a table.

    A name of WITH is visible to what follows it and not in its own query; a recursive one also in its second half.
    """
    waiting: list[tuple[object, frozenset[str]]] = [(tree, frozenset())]
    while waiting:
        node, scope = waiting.pop()
        if isinstance(node, dict):
            for entry in (node.get("cte_map") or {}).get("map", []):
                waiting.append((entry["value"], scope))
                scope |= {_case_folded(entry["key"])}
            yield node, scope
            for key, value in node.items():
                itself = {_case_folded(node["cte_name"])} if (node.get("type"), key) == RECURSION else set()
                if key != "cte_map":
                    waiting.append((value, scope | itself))
        elif isinstance(node, list):
            waiting.extend((child, scope) for child in node)


def _case_folded(name: str) -> str:
    """The name as DuckDB compares it: only ASCII letters have a case."""
    return name.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


def _table_read_by(node: dict[str, Any]) -> str | None:
    """The table that a node reads; None where it reads none. Raises Refused for what may not be read or called."""
    kind = node.get("type")
    if kind == "BASE_TABLE":
        return _unqualified_name(node)
    if kind == "TABLE_FUNCTION":
        called = str((node.get("function") or {}).get("function_name", "")).lower()
        if called not in ALLOWED_IN_FROM:
            raise Refused(
                f"The function {called} may not stand in FROM: only {', '.join(sorted(ALLOWED_IN_FROM))} may."
            )
    elif isinstance(kind, str) and kind in FORBIDDEN_NODES:
        raise Refused(ONE_SELECT)
    elif kind == "FUNCTION" and str(node.get("function_name", "")).lower() in FORBIDDEN_FUNCTIONS:
        raise Refused(f"The function {node['function_name']} may not be called.")
    return None


def _unqualified_name(node: dict[str, Any]) -> str:
    name = str(node.get("table_name", ""))
    if node.get("schema_name") or node.get("catalog_name"):
        raise Refused("Tables go by their own names, without a schema or a catalogue before them.")
    return _case_folded(name)
