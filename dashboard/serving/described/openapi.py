"""All addresses in the terms of OpenAPI 3.1: parameters, answers, errors, examples, enough to make a client of."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.guard.turns import RETRY_SECONDS
from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.serving.answers import WITHHELD
from benchhealth.dashboard.serving.described.parameters import TEXT, Parameter
from benchhealth.dashboard.serving.described.schemas import EXAMPLES, SCHEMAS

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
        path: {"get": _operation(one, path, kind)} for one in listed for path, kind in one.forms().items()
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


def _parameter(name: str, parameter: Parameter, place: str) -> dict[str, Any]:
    several = parameter.schema.get("type") == "array"
    example: dict[str, Any] = (
        {} if parameter.example is None else {"example": [parameter.example] if several else parameter.example}
    )
    return {
        "name": name,
        "in": place,
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
        "400": {"$ref": "#/components/responses/Invalid"},
        "401": {"$ref": "#/components/responses/LoginDemanded"},
        "411": _in_words("the request does not say how long it is", "say how long it is"),
        "413": _in_words("it is too large", "at most 20 MB are read"),
        "421": {"$ref": "#/components/responses/OtherHost"},
        "503": {"$ref": "#/components/responses/Unavailable"},
    },
}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/responses/{name}"}


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
