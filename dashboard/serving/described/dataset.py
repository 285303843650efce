"""What search engines for data are told of a page: a Dataset of schema.org, as JSON-LD in the head of its document."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import orjson

from benchhealth.analytics.record.tables import TABLES
from benchhealth.dashboard.figures.picture import QUESTION, Picture
from benchhealth.dashboard.published.benchmarks import assessed_on, last_known
from benchhealth.dashboard.published.generation import ParameterError, View
from benchhealth.dashboard.replies.reply import Reply
from benchhealth.dashboard.replies.reply_list import REPLIES
from benchhealth.dashboard.serving.described.openapi import JSON, PARQUET
from benchhealth.dashboard.widgets import provenance
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.dashboard.words.terms.citing import ALL_SOURCES, AUTHOR, citation
from benchhealth.dashboard.words.text import one_line, words_within

ABOUT: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "benchmark": ("benchmark", ("frontier", "results")),
    "models": ("model", ("model-results",)),
}
"""Pages about one thing: the parameter that names it, which is a question of programs too, and tables of it alone."""

TABLES_OF: Mapping[str, tuple[str, ...]] = {
    "overview": ("benchmark", "verdict", "answer", "map_month"),
    "benchmark": ("benchmark", "result", "frontier", "answer", "verdict", "indicator", "corroboration"),
    "compare": ("frontier", "weights_frontier", "benchmark"),
    "models": ("model", "position", "model_position", "alias"),
    "leaderboards": ("board", "rank", "churn", "lead", "tied_first", "board_card"),
    "decide": ("decision", "alternative", "reservation"),
    "trust": ("twin", "twin_residual", "transfer", "contamination_report", "contamination_risk"),
    "field": ("survival", "hazard", "life", "stage_stock", "goodhart", "static_dynamic", "blind_spot"),
    "changes": ("change", "dated_change"),
    "data": tuple(TABLES),
    "methods": ("indicator", "forecast_skill", "stage_calibration", "verdict_revision_count"),
    "reproduction": ("reproduction", "reproduction_detail", "left_out"),
    "report": ("benchmark", "verdict", "answer"),
    "search": ("benchmark", "model", "board", "source"),
    "numbers": ("differing_number",),
    "story": ("result", "frontier", "rank", "twin"),
}
"""The tables of the contract that each page is drawn from, as far as a reader would take them."""

SHORTEST_DESCRIPTION, LONGEST_DESCRIPTION = 50, 5000
"""Letters of a description that search engines for data take."""


def dataset(  # noqa: PLR0913, PLR0917 - what a page is made of
    view: View, spec: PageSpec, params: Mapping[str, str], picture: Picture, url: str, base: str
) -> dict[str, Any]:
    """The Dataset at `url`: the shareable data of a page, or of the one thing that `params` name.

    `picture` is what a link to the page shows, `base` the address of the dashboard with a slash at its end.
    """
    title, reply = one_line(picture.named), _reply(view, spec, params)
    until = reply.known_until if reply else last_known(view)
    cited = reply.at(base).citation if reply else citation(title, until, ALL_SOURCES, view.name, url)
    day = assessed_on(view)
    described: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "@id": url,
        "url": url,
        "name": title,
        "description": _table_description(title, one_line(picture.subtitle)),
        "creator": {"@type": "Organization", "name": AUTHOR, "url": base},
        "license": f"{base}data",
        "isAccessibleForFree": True,
        "version": view.name,
        "creditText": cited,
        "includedInDataCatalog": {"@type": "DataCatalog", "name": "benchhealth", "url": base},
        "distribution": _distribution(spec, params if reply else {}, base),
    }
    if day:
        described["dateModified"] = day.isoformat()
    if until:
        described["temporalCoverage"] = f"../{until.isoformat()}"
    if spec.url_path != "data":
        described["isPartOf"] = {"@type": "Dataset", "@id": f"{base}data", "url": f"{base}data"}
    if reply and "answers" in reply.data:
        described["variableMeasured"] = [
            {"@type": "PropertyValue", "name": row["question"], "value": row["tile"], "description": row["line"]}
            for row in reply.data["answers"].values()
        ]
        sources = provenance.of_benchmarks(view, [params["benchmark"]])
        described["isBasedOn"] = [
            {"@type": "CreativeWork", "name": source.title, "url": source.url} for source in sources
        ]
    return described


def script_element(described: Mapping[str, Any]) -> str:
    """The element for the head of a document; no text in it can end it."""
    body = orjson.dumps(described).decode().replace("<", "\\u003c")
    return f'\n    <script type="application/ld+json">{body}</script>'


def _reply(view: View, spec: PageSpec, params: Mapping[str, str]) -> Reply | None:
    name, _tables = ABOUT.get(spec.url_path, ("", ()))
    if not params.get(name):
        return None
    try:
        return REPLIES[name].of(view, {name: params[name]})
    except ParameterError:
        return None


def _distribution(spec: PageSpec, params: Mapping[str, str], base: str) -> list[dict[str, str]]:
    """Each table as Parquet, and the reply and the rows about the one thing that `params` name."""
    name, tables = ABOUT.get(spec.url_path, ("", ()))
    query = f"{name}={quote(params.get(name, ''), safe='')}"
    of_one = [] if not params else [("reply", JSON, f"reply/{name}.json?{query}")]
    of_one += [(table, "text/csv", f"csv/{table}?{query}") for table in tables if params]
    of_all = [(table, PARQUET, f"data/{table}.parquet") for table in TABLES_OF.get(spec.url_path, ())]
    return [
        {"@type": "DataDownload", "name": called, "encodingFormat": kind, "contentUrl": f"{base}{path}"}
        for called, kind, path in (*of_one, *of_all)
    ]


def _table_description(title: str, subtitle: str) -> str:
    text = subtitle if len(subtitle) >= SHORTEST_DESCRIPTION else f"{title}. {subtitle}".strip()
    return words_within(text if len(text) >= SHORTEST_DESCRIPTION else f"{text} {QUESTION}", LONGEST_DESCRIPTION)
