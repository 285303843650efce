"""The forms of JSON that addresses answer with, as JSON Schema, and examples of them."""

from collections.abc import Mapping
from typing import Any

from benchhealth.analytics.audit.audit import MISSING
from benchhealth.analytics.audit.table import COLUMNS
from benchhealth.dashboard.report.audited import FORMS

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
