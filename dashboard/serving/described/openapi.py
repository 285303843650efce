"""All addresses in the terms of OpenAPI 3.1: parameters, answers, errors, examples, enough to make a client of."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchhealth.analytics.audit.audit import MISSING
from benchhealth.analytics.audit.csv_board import COLUMNS
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.guard.turns import RETRY_SECONDS
from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.report.audited import FORMS
from benchhealth.dashboard.serving.described.parameters import TEXT, Parameter
from benchhealth.dashboard.serving.responses import WITHHELD

_TEXT: Mapping[str, Any] = {"type": "string"}
_COUNT: Mapping[str, Any] = {"type": "integer", "minimum": 0}
_ANY_OBJECT: Mapping[str, Any] = {"type": "object", "additionalProperties": True}
_ROWS: Mapping[str, Any] = {"type": "array", "items": _ANY_OBJECT}
_DAY: Mapping[str, Any] = {"type": ["string", "null"], "format": "date"}


def _object(properties: Mapping[str, Any], *optional: str, description: str = "") -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    meaning = {"description": description} if description else {}
    return {**_ANY_OBJECT, **meaning, "properties": dict(properties), "required": required}


SCHEMAS: Mapping[str, Any] = {
    "Reply": _object(
        {
            "asked": _TEXT,
            "text": {**_TEXT, "description": "the sentences of the page"},
            "data": {**_ANY_OBJECT, "description": "the codes and numbers that they are made of"},
            "known_until": {**_DAY, "description": "the day until which all of it is known"},
            "conditions": {"type": "array", "items": _TEXT, "description": "those that the results share"},
            "citation": _TEXT,
            "page": {**_TEXT, "format": "uri", "description": "the view that shows the same"},
            "generation": _TEXT,
        },
        description="One reply, the same by address, in Python and from the tools of agents.",
    ),
    "QueryAnswer": _object(
        {
            "sql": _TEXT,
            "generation": _TEXT,
            "cut": {"type": "boolean", "description": "whether there would be more rows"},
            "withheld_rows_of_tables_read": {"type": "object", "additionalProperties": _COUNT},
            "rows": _ROWS,
        }
    ),
    "ChartRows": _object(
        {
            "chart": _TEXT,
            "title": {**_TEXT, "description": "the finding"},
            "subtitle": _TEXT,
            "known_until": _DAY,
            "sources": _ROWS,
            "method": {**_TEXT, "description": "the address of its method, from the root"},
            "generation": _TEXT,
            "rows": _ROWS,
        }
    ),
    "Figure": _object({"data": _ROWS, "layout": _ANY_OBJECT}, description="A figure of Plotly."),
    "OEmbed": _object(
        {
            "type": {"type": "string", "enum": ["rich", "link"]},
            "version": {"type": "string", "enum": ["1.0"]},
            "title": _TEXT,
            "author_name": _TEXT,
            "provider_name": _TEXT,
            "provider_url": {**_TEXT, "format": "uri"},
            "cache_age": _COUNT,
            "html": {**_TEXT, "description": "of type rich: a frame"},
            "width": _COUNT,
            "height": _COUNT,
            "thumbnail_url": {**_TEXT, "format": "uri"},
            "thumbnail_width": _COUNT,
            "thumbnail_height": _COUNT,
        },
        *("html", "width", "height", "thumbnail_url", "thumbnail_width", "thumbnail_height"),
    ),
    "SearchAnswer": _object(
        {"query": _TEXT, "generation": _TEXT, "groups": _ROWS, "meant": {"type": "array", "items": {}}}
    ),
    "Terms": _ROWS,
    "Generation": _object(
        {
            "generation": _TEXT,
            "as_of": _DAY,
            "rules_version": {"type": "array", "items": _TEXT},
            "tables": {"type": "object", "additionalProperties": _ANY_OBJECT},
            "sources": _ROWS,
            "csv": {"type": "array", "items": _TEXT},
            "csv_under_own_terms": {"type": "array", "items": _TEXT},
        }
    ),
    "State": _object({"status": _TEXT}),
    "Leaderboard": {
        "type": "object",
        "required": ["file"],
        "properties": {
            "file": {"type": "array", "items": {**_TEXT, "format": "binary"}, "description": "a CSV, or logs"},
            "missing": {"type": "string", "enum": list(MISSING), "description": "what a missing cell counts as"},
            "form": {"type": "string", "enum": list(FORMS)},
            **{name: {**_TEXT, "description": f"the column of the {name}"} for name in COLUMNS},
        },
    },
}

EXAMPLES: Mapping[str, Any] = {
    "Reply": {
        "asked": "answer",
        "text": "Do the top models differ beyond error? No. 0 of 10 pairs of the top five differ by more.",
        "data": {"benchmark_id": "gpqa-diamond", "key": "order", "reply": "No", "row": {"value": 0.0, "n": 10}},
        "known_until": "2026-08-22",
        "conditions": ["no tools"],
        "citation": "benchhealth: GPQA Diamond. Do the top models differ beyond error? No. Data to 22 Aug 2026.",
        "page": "https://bench.example.org/benchmark?benchmark=gpqa-diamond#order",
        "generation": "gen-20260822T000000Z-000001",
    },
    "QueryAnswer": {
        "sql": "SELECT name FROM benchmark",
        "generation": "gen-20260822T000000Z-000001",
        "cut": False,
        "withheld_rows_of_tables_read": {"benchmark": 0},
        "rows": [{"name": "GPQA Diamond"}],
    },
    "OEmbed": {
        "type": "link",
        "version": "1.0",
        "title": "What can be trusted",
        "author_name": "The benchhealth contributors",
        "provider_name": "benchhealth",
        "provider_url": "https://bench.example.org/",
        "cache_age": 3600,
    },
    "State": {"status": "ready"},
}


VERSION = "1"
JSON = "application/json"
PARQUET = "application/vnd.apache.parquet"
FORMS_OF_CHARTS: Mapping[str, str] = {"json": "ChartRows", "plotly": "Figure", "txt": "text/plain"}


@dataclass(frozen=True)
class Address:
    """A path with {parameters}, what it gives, as what, and the parameters of its query.

    `kind` is a media type, or the name of a schema where it gives JSON of a known form. `also` are other forms: the
    ending in place of the one of the path, and what that gives. One that is `open_ended` reads other parameters too.
    """

    path: str
    gives: str
    kind: str
    query: Mapping[str, Parameter] = field(default_factory=dict)
    also: Mapping[str, str] = field(default_factory=dict)
    open_ended: bool = False

    @property
    def media_type(self) -> str:
        """What the answer is, as its header says it."""
        return _media_type(self.kind)

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of the query with their meaning."""
        return {name: parameter.meaning for name, parameter in self.query.items()}

    def forms(self) -> dict[str, str]:
        """Every path that it stands for, with its kind."""
        stem = self.path.rpartition(".")[0]
        return {self.path: self.kind, **{f"{stem}.{form}": kind for form, kind in self.also.items()}}


IN_PATH: Mapping[str, Parameter] = {
    "table": Parameter("a table of the contract", {**TEXT, "enum": list(PUBLISHED)}, "verdict"),
    "page_table": Parameter(
        "a table of a page",
        {**TEXT, "enum": sorted({one.name for page in PAGES for one in page.tables if not one.published})},
        "twins",
    ),
    "source": Parameter("the id of a source that has terms of its own, of the table source"),
    "benchmark": Parameter("the id of a benchmark", example="gpqa-diamond"),
    "page": Parameter("the address of a page", {**TEXT, "enum": [page.url_path for page in PAGES]}, "benchmark"),
    "month": Parameter("the month of an edition", {**TEXT, "pattern": r"^\d{4}-\d{2}$"}, "2026-08"),
    "csv": Parameter("the address of a CSV, from the root", {**TEXT, "pattern": "^(csv/|data/|query)"}, "csv/twins"),
}
"""The parameters that are parts of a path."""

_HEADERS: Mapping[str, Any] = {
    "ETag": {"description": "the generation that the answer is made of", "schema": TEXT},
    WITHHELD: {
        "description": "rows that are left out, as they may not be passed on",
        "schema": {"type": "integer", "minimum": 0},
    },
    "Retry-After": {"description": f"seconds: {RETRY_SECONDS}", "schema": {"type": "integer"}},
}


def _in_words(description: str, example: str, *headers: str) -> dict[str, Any]:
    return {
        "description": description,
        "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in headers},
        "content": {"text/plain": {"schema": TEXT, "example": f"{example}\n"}},
    }


RESPONSES: Mapping[str, Any] = {
    "Known": {"description": "the generation is the one that If-None-Match names"},
    "Invalid": _in_words("a parameter is missing or names nothing; the answer says which", "no benchmark 'nothing'"),
    "LoginDemanded": _in_words(
        "this dashboard demands a login", "a login is demanded: open the dashboard in a browser"
    ),
    "Absent": _in_words("there is no such thing, or nothing of it can be shown", "no chart: No results item by item."),
    "OtherHost": _in_words("the dashboard does not answer under that name", "this dashboard does not answer"),
    "Unsatisfiable": _in_words("the file has no such part", ""),
    "Unavailable": _in_words(
        "no generation can be read, or too much is asked at once: ask again",
        f"too many such answers are under way: ask again in {RETRY_SECONDS} seconds",
        "Retry-After",
    ),
}
_ERRORS = {"400": "Invalid", "401": "LoginDemanded", "404": "Absent", "421": "OtherHost", "503": "Unavailable"}


def document(listed: list[Address], server: str) -> dict[str, Any]:
    """The document of OpenAPI 3.1 for these addresses of the dashboard at `server`."""
    operations: dict[str, dict[str, Any]] = {
        path: {"get": _operation(address, path, kind)} for address in listed for path, kind in address.forms().items()
    }
    operations["/audit"]["post"] = _AUDIT
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "benchhealth, open data",
            "version": VERSION,
            "summary": "Is this AI benchmark still measuring anything? Replies, tables and charts by address.",
            "description": (
                "Every answer carries its generation as the ETag. Errors are a sentence in plain text; what is at no "
                "address at all is answered as JSON (`error`, `see`)."
            ),
            "license": {"name": "Apache-2.0 for the program; each source states its own for its facts"},
        },
        "servers": [{"url": server.rstrip("/")}],
        "tags": [{"name": name} for name in dict.fromkeys(map(_tag, operations))],
        "paths": operations,
        "components": {"schemas": SCHEMAS, "responses": RESPONSES, "headers": _HEADERS},
    }


def _operation(address: Address, path: str, kind: str) -> dict[str, Any]:
    good: dict[str, Any] = {
        "description": address.gives,
        "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in ("ETag", WITHHELD)},
        "content": {_media_type(kind): _content(kind)},
    }
    answers = {"200": good, "304": _ref("Known"), **{code: _ref(name) for code, name in _ERRORS.items()}}
    if path.endswith(".parquet"):
        answers |= {"206": {**good, "description": "the part of the file that Range asks for"}}
        answers |= {"416": _ref("Unsatisfiable")}
    return {
        "operationId": re.sub(r"[^a-z0-9]+", "_", path.lower()).strip("_"),
        "tags": [_tag(path)],
        "summary": address.gives,
        "parameters": [
            *(_parameter(name, IN_PATH[name].must, "path") for name in re.findall(r"{(\w+)}", path)),
            *(_parameter(name, parameter, "query") for name, parameter in address.query.items()),
            *([_OTHERS] if address.open_ended else []),
        ],
        "responses": dict(sorted(answers.items())),
    }


def _parameter(name: str, parameter: Parameter, location: str) -> dict[str, Any]:
    several = parameter.schema.get("type") == "array"
    example: dict[str, Any] = (
        {} if parameter.example is None else {"example": [parameter.example] if several else parameter.example}
    )
    return {
        "name": name,
        "in": location,
        "required": parameter.required,
        "description": parameter.meaning,
        "schema": dict(parameter.schema),
        **example,
    }


_OTHERS: Mapping[str, Any] = {
    "name": "others",
    "in": "query",
    "required": False,
    "description": "the parameters of the page or the chart, each by its own name",
    "style": "form",
    "explode": True,
    "schema": {"type": "object", "additionalProperties": TEXT},
    "example": {"benchmark": "gpqa-diamond"},
}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/responses/{name}"}


_AUDIT: Mapping[str, Any] = {
    "operationId": "audit_sent",
    "tags": ["audit"],
    "summary": "The card of the leaderboard that is sent; nothing of it is kept.",
    "requestBody": {
        "required": True,
        "content": {"multipart/form-data": {"schema": {"$ref": "#/components/schemas/Leaderboard"}}},
    },
    "responses": {
        "200": {
            "description": "the card, in the form that was asked for",
            "content": {
                "text/html": {"schema": TEXT},
                "application/pdf": {"schema": {**TEXT, "format": "binary"}},
                "text/markdown": {"schema": TEXT},
                JSON: {"schema": {"type": "object"}},
            },
        },
        "400": _ref("Invalid"),
        "401": _ref("LoginDemanded"),
        "411": _in_words("the request does not say how long it is", "say how long it is"),
        "413": _in_words("it is too large", "at most 20 MB are read"),
        "421": _ref("OtherHost"),
        "503": _ref("Unavailable"),
    },
}


def _tag(path: str) -> str:
    return re.split(r"[/.]", path)[1]


def _media_type(kind: str) -> str:
    return kind if "/" in kind else JSON


def _content(kind: str) -> dict[str, Any]:
    if "/" not in kind:
        example = {"example": EXAMPLES[kind]} if kind in EXAMPLES else {}
        return {"schema": {"$ref": f"#/components/schemas/{kind}"}, **example}
    is_text = kind.startswith("text/") or kind.endswith(("+xml", "+json"))
    return {"schema": TEXT if is_text else {**TEXT, "format": "binary"}}
