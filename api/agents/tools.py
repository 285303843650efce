"""The tools: what each is called with, and the reply as plain values, never longer than an agent can read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson
import polars as pl

from benchhealth.analytics.record.conditions.recognise import UNSTATED
from benchhealth.analytics.record.tables import PUBLISHED, TABLES
from benchhealth.api.errors import InvalidError
from benchhealth.api.questions import Facts
from benchhealth.dashboard.replies.reply import LONGEST_VALUE, plain
from benchhealth.dashboard.replies.reply_list import REPLIES
from benchhealth.dashboard.words.terms.citing import ALL_SOURCES, citation
from benchhealth.dashboard.words.text import count
from benchhealth.warehouse.queries.grammar import MOST_CHARACTERS

MOST_BYTES = 24_000
"""Bytes of the JSON of a reply; rows go from its end until it fits, and are counted."""

MOST_LETTERS = 6_000
"""The sentences of a reply are cut after this many characters."""

MOST_ROWS, USUAL_ROWS = 200, 30
"""Rows of a table that can be asked for, and that are given where it is not said."""

Arguments = Mapping[str, Any]


@dataclass(frozen=True)
class Tool:
    """A tool: its name, what it gives, the JSON Schema of its arguments, and what makes the reply of them."""

    name: str
    gives: str
    schema: Mapping[str, Any]
    made: Callable[[Facts, Arguments], dict[str, Any]] = field(repr=False)


def reply_of_tool(facts: Facts, name: str, arguments: Arguments) -> dict[str, Any]:
    """The reply of a tool in JSON's types. Raises the errors of the API, and InvalidError for unknown arguments.

    Keys: asked, text, data, known_until, conditions, citation, page, generation; and `left_out` where it was cut.
    """
    tool = TOOLS.get(name)
    if tool is None:
        raise InvalidError(f"no tool {name[:40]!r}; there are {', '.join(TOOLS)}")
    _check(tool, arguments)
    return cut_to_size(tool.made(facts, arguments))


def cut_to_size(reply: dict[str, Any]) -> dict[str, Any]:
    """The reply cut to what may be sent: first its text, then rows from the end; `left_out` states what is missing."""
    text, data = str(reply["text"]), dict(reply["data"])
    cut = {**reply, "text": text, "data": data}
    if len(text) > MOST_LETTERS:
        cut["text"], cut["left_out"] = f"{text[:MOST_LETTERS]}\u2026", "the rest of the text: see the page"
    rows = list(data.get("rows", ()))
    while rows and len(orjson.dumps(cut)) > MOST_BYTES:
        n_dropped = max(1, len(rows) // 4)
        rows = rows[:-n_dropped]
        data["rows"], data["rows_left_out"] = rows, data.get("rows_left_out", 0) + n_dropped
        cut["left_out"] = f"{data['rows_left_out']} rows: ask for fewer, or see the page"
    if len(orjson.dumps(cut)) > MOST_BYTES:
        cut["data"], cut["left_out"] = {}, "codes and numbers, which are too many: see the page"
    return cut


def _check(tool: Tool, arguments: Arguments) -> None:
    properties, required = tool.schema["properties"], tool.schema.get("required", ())
    for name, value in arguments.items():
        if name not in properties and not tool.schema["additionalProperties"]:
            raise InvalidError(f"{tool.name} reads {', '.join(properties)}, not {str(name)[:40]!r}")
        kind = properties.get(name, _TEXT)["type"]
        if kind == "object":
            if not isinstance(value, dict):
                raise InvalidError(f"{name} is an object")
        elif isinstance(value, bool) or not isinstance(value, int if kind == "integer" else str | int | float):
            raise InvalidError(f"{str(name)[:40]} is {'a whole number' if kind == 'integer' else 'a text'}")
        elif len(str(value)) > properties.get(name, _TEXT).get("maxLength", LONGEST_VALUE):
            raise InvalidError(f"{str(name)[:40]} is too long")
    for name in required:
        if arguments.get(name) in (None, ""):
            raise InvalidError(f"{name} is missing")


def _replying(name: str) -> Tool:
    spec = REPLIES[name]

    def made(facts: Facts, arguments: Arguments) -> dict[str, Any]:
        return facts.ask(name, **{key: str(value) for key, value in arguments.items()}).as_dict()

    properties = {param: {**_TEXT, "description": meaning} for param, meaning in spec.params.items()}
    schema = {**_schema(properties, *spec.required), "additionalProperties": spec.open_ended}
    return Tool(name, spec.gives, schema, made)


def _table(facts: Facts, arguments: Arguments) -> dict[str, Any]:
    name, where = str(arguments["table"]), dict(arguments.get("where", {}))
    limit, start = _number(arguments, "limit", USUAL_ROWS, MOST_ROWS), _number(arguments, "start", 0, 10**9)
    for column, value in where.items():
        for single_value in value if isinstance(value, list) else [value]:
            if isinstance(single_value, list | dict) or len(str(single_value)) > LONGEST_VALUE:
                raise InvalidError(f"{str(column)[:40]} is held against a value or a list of values")
    rows = facts.table(name, **where)
    sent = rows.slice(start, limit)
    on = f" where {', '.join(f'{column} is {value}' for column, value in where.items())}" if where else ""
    sentence = f"{count(rows.height, 'row')} of table {name}{on}: a row is {TABLES[name].row}"
    data = {
        "table": name,
        "columns": {single_value.name: single_value.meaning for single_value in TABLES[name].columns},
        "rows": sent.to_dicts(),
        "rows_left_out": rows.height - sent.height,
    }
    return _of_rows(facts, "table", sentence, data, sent, f"data?table={name}")


def _sql(facts: Facts, arguments: Arguments) -> dict[str, Any]:
    limit = _number(arguments, "limit", USUAL_ROWS, MOST_ROWS)
    rows = facts.sql(str(arguments["sql"]))
    sent = rows.head(limit)
    data = {"sql": arguments["sql"], "rows": sent.to_dicts(), "rows_left_out": rows.height - sent.height}
    sentence = f"{count(rows.height, 'row')} answer this question in SQL"
    return _of_rows(facts, "sql", sentence, data, sent, "data?tab=Query#query")


def _of_rows(  # noqa: PLR0913, PLR0917 - what a reply is made of
    facts: Facts, question: str, sentence: str, data: Mapping[str, Any], rows: pl.DataFrame, page: str
) -> dict[str, Any]:
    """The reply for rows. It is known until the earliest day of their benchmarks, else the last day of any."""
    dated = facts.table("benchmark").select("benchmark_id", "known_until")
    if "benchmark_id" in rows.columns and rows["benchmark_id"].dtype == pl.String and rows.height:
        days = dated.filter(pl.col("benchmark_id").is_in(rows["benchmark_id"].implode()))["known_until"]
        until = None if days.is_empty() or days.null_count() else days.min()
    else:
        until = dated["known_until"].max()
    conditions: list[str] = []
    if "condition" in rows.columns and rows["condition"].dtype == pl.String:
        conditions = rows["condition"].drop_nulls().unique().sort().to_list()
    generation = facts.generation
    reply = {
        "asked": question,
        "text": f"{sentence}.",
        "data": data,
        "known_until": until,
        "conditions": [condition for condition in conditions if condition != UNSTATED],
        "citation": citation(sentence, until, ALL_SOURCES, generation, facts.address + page),  # type: ignore[arg-type]
        "page": facts.address + page,
        "generation": generation,
    }
    return dict(plain(reply))


def _number(arguments: Arguments, name: str, usual: int, most: int) -> int:
    value = arguments.get(name, usual)
    if not 0 <= value <= most:
        raise InvalidError(f"{name} is a whole number from 0 to {most:,}")
    return int(value)


def _schema(properties: Mapping[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


_TEXT: Mapping[str, Any] = {"type": "string", "maxLength": LONGEST_VALUE}
_LIMIT = {"type": "integer", "minimum": 0, "maximum": MOST_ROWS, "description": f"rows; {USUAL_ROWS} without it"}
TABLE = Tool(
    "table",
    "Rows of a published table with the meaning of its columns, by values of columns.",
    _schema(
        {
            "table": {**_TEXT, "enum": list(PUBLISHED)},
            "where": {"type": "object", "description": "a value or a list of values for each column, by its name"},
            "limit": _LIMIT,
            "start": {"type": "integer", "minimum": 0, "description": "how many rows to pass over"},
        },
        "table",
    ),
    _table,
)
SQL = Tool(
    "sql",
    "The answer to one SELECT over the published tables, in the SQL of DuckDB; nothing else is answered.",
    _schema({"sql": {"type": "string", "maxLength": MOST_CHARACTERS}, "limit": _LIMIT}, "sql"),
    _sql,
)
TOOLS: Mapping[str, Tool] = {tool.name: tool for tool in (*map(_replying, REPLIES), TABLE, SQL)}
