"""What changed as an Atom feed (RFC 4287): changes of the last 30 days that may leave, of all or of one benchmark."""

from collections.abc import Mapping
from datetime import date
from typing import Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5
from xml.etree import ElementTree

import polars as pl
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.answers import answers_to
from benchhealth.dashboard.published.benchmarks import assessed_on, benchmarks
from benchhealth.dashboard.published.changes import changes
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.serving.answers import caching, is_known, refusal
from benchhealth.dashboard.words.answers.said import words
from benchhealth.dashboard.words.changes import said, subject
from benchhealth.dashboard.words.text import one_line

ADDRESS = "/feed.xml"
MEDIA_TYPE = "application/atom+xml; charset=utf-8"
ENTRIES = 500
"""So many changes are in the feed, those of the newest edition and of curated benchmarks first."""

_ATOM = "http://www.w3.org/2005/Atom"
_IDENTITY = ("made_on", "against", "kind", "benchmark_id", "board_id", "source_id", "model_id", "before", "after")
"""What makes a change the same in every later generation."""


def routes() -> list[Route]:
    """The route of the feed; `?benchmark=` chooses one."""
    return [Route(ADDRESS, _answer)]


async def _answer(request: Request) -> Response:
    return await run_in_threadpool(_feed, request)


def _feed(request: Request) -> Response:
    try:
        view = generation.current()
        if is_known(request, view):
            return Response(status_code=304, headers=caching(view))
        shared = view.shared()
        wanted = request.query_params.get("benchmark", "")
        if wanted and shared.table("benchmark").filter(pl.col("benchmark_id") == wanted).is_empty():
            return PlainTextResponse("no such benchmark\n", status_code=404, headers=caching(view))
        body = written(shared, str(request.base_url), wanted)
    except Exception as error:
        return refusal(error)
    return Response(body, media_type=MEDIA_TYPE, headers=caching(view))


def written(view: View, base: str, benchmark_id: str = "") -> bytes:
    """The feed of a generation as bytes; `base` is the absolute address of the dashboard, ending in a slash."""
    rows = changes(view)
    if benchmark_id:
        rows = rows.filter(pl.col("benchmark_id") == benchmark_id)
    ElementTree.register_namespace("", _ATOM)
    feed = ElementTree.Element(f"{{{_ATOM}}}feed")
    query = f"?benchmark={quote(benchmark_id, safe='')}" if benchmark_id else ""
    made_on = rows["made_on"].max() if rows.height else assessed_on(view)
    of = f": {_label(view, benchmark_id)}" if benchmark_id else ""
    _add(feed, "title", f"benchhealth, what changed{of}")
    _add(feed, "id", _urn("feed", benchmark_id))
    _add(feed, "updated", _instant(made_on))
    _add(feed, "subtitle", "What each generation says of AI benchmarks that the one before did not.")
    _add(_add(feed, "author"), "name", "benchhealth")
    _add(feed, "generator", "benchhealth")
    _add(feed, "link", rel="self", type="application/atom+xml", href=f"{base}feed.xml{query}")
    _add(feed, "link", rel="alternate", type="text/html", href=f"{base}changes{query}")
    stages = {row["benchmark_id"]: row for row in answers_to(view, "stage").iter_rows(named=True)}
    for row in rows.head(ENTRIES).iter_rows(named=True):
        now = stages.get(row["benchmark_id"])
        _entry(feed, row, base, "" if now is None else f" {words(now, {}).alt}")
    body: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return body


def _label(view: View, benchmark_id: str) -> str:
    return str(benchmarks(view).filter(pl.col("benchmark_id") == benchmark_id)["label"][0])


def _entry(feed: ElementTree.Element, row: Mapping[str, Any], base: str, now: str) -> None:
    """An entry; `now` is what the generation says of the stage of the benchmark that the change is about."""
    entry = _add(feed, "entry")
    _add(entry, "title", f"{subject(row)}: {said(row)}")
    _add(entry, "id", _urn("change", *(str(row[column]) for column in _IDENTITY)))
    _add(entry, "updated", _instant(row["made_on"]))
    benchmark = row["benchmark_id"]
    to = f"benchmark?benchmark={quote(benchmark, safe='')}" if benchmark else "changes"
    _add(entry, "link", rel="alternate", type="text/html", href=f"{base}{to}")
    _add(entry, "category", term=row["kind"])
    _add(entry, "summary", f"{subject(row)}: {said(row)}.{now}", type="text")


def _add(parent: ElementTree.Element, tag: str, text: str | None = None, **attributes: str) -> ElementTree.Element:
    child = ElementTree.SubElement(parent, f"{{{_ATOM}}}{tag}", attributes)
    if text is not None:
        child.text = one_line(text)
    return child


def _urn(*parts: str) -> str:
    return uuid5(NAMESPACE_URL, "/".join(("benchhealth", *parts))).urn


def _instant(day: object) -> str:
    """A day as RFC 3339; of changes only the day is known. Without any, the day that time is counted from."""
    return f"{day if isinstance(day, date) else date(1970, 1, 1)}T00:00:00Z"
