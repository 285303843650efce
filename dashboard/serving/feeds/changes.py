"""The Atom feed of changes (RFC 4287), by day, by month, and from generation to generation.

It has only what may be passed on. The feed of all benchmarks has the dated changes of the months that the page shows by
default, an entry for each month, and what else the generations of the last 30 days say. The feed of one benchmark has
all its known changes.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import polars as pl
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from benchhealth.dashboard.published.answers import answers_to
from benchhealth.dashboard.published.benchmarks import assessed_on, benchmarks
from benchhealth.dashboard.published.deciding.question import DOMAIN, question_of
from benchhealth.dashboard.published.generation import ParameterError, Params, View
from benchhealth.dashboard.published.happened.changes import NEW, changes, changes_by_day
from benchhealth.dashboard.published.happened.months import Span, changes_in, known_day, months_later, span_of
from benchhealth.dashboard.serving.feeds import atom, decision
from benchhealth.dashboard.serving.responses import endpoint
from benchhealth.dashboard.words.answers.sentences import words
from benchhealth.dashboard.words.happened.changes import subject, what_changed
from benchhealth.dashboard.words.happened.months import digest, digest_title

ADDRESS, JSON_ADDRESS = "/feed.xml", "/feed.json"
ENTRIES = 500
"""The most changes in a feed: dated ones first, then, as far as there is room, those between generations."""
DIGESTS = 12
"""How many of the last months have an entry of their own, if something changed in them."""

_IDENTITY = ("made_on", "against", "kind", "benchmark_id", "board_id", "source_id", "model_id", "before", "after")
"""The columns that the id of an entry is made of, so that a change has the same id in every later generation."""
_DATED = ("on_day", "kind", "benchmark_id", "board_id", "source_id", "model_id", "before", "after")
_SAME = ["kind", "benchmark_id", "board_id", "after"]
"""Where a change between generations agrees in these columns with a dated one, only the dated one is shown."""


def routes() -> list[Route]:
    """The routes. `?benchmark=` asks for one benchmark, `?domain=` for an answer of the desk; that alone is in JSON."""
    return [Route(ADDRESS, _answer), Route(JSON_ADDRESS, _answer)]


@endpoint
def _answer(view: View, request: Request) -> Response:
    shared, base = view.shared(), str(request.base_url)
    as_json = request.url.path.endswith(JSON_ADDRESS)
    if DOMAIN in request.query_params or as_json:
        return _decision_feed(shared, dict(request.query_params), base, as_json=as_json)
    wanted = request.query_params.get("benchmark", "")
    if wanted and shared.table("benchmark").filter(pl.col("benchmark_id") == wanted).is_empty():
        return PlainTextResponse("no such benchmark\n", status_code=404)
    return Response(changes_feed(shared, base, wanted, view), media_type=atom.MEDIA_TYPE)


def _decision_feed(view: View, params: Params, base: str, *, as_json: bool) -> Response:
    """The feed of the desk's answer to the question that the address states. Refuses an address without a domain."""
    question = question_of(view, params)
    if question is None:
        raise ParameterError(f"the parameter {DOMAIN} is missing: this is the feed of a decision")
    feed = decision.feed_of(view, question, base)
    body = decision.as_json(feed, base) if as_json else decision.as_atom(feed, base)
    return Response(body, media_type=decision.JSON if as_json else atom.MEDIA_TYPE)


def changes_feed(view: View, base: str, benchmark_id: str = "", unshared: View | None = None) -> bytes:
    """The feed of a generation as bytes; `base` is the absolute address of the dashboard, ending in a slash.

    `unshared` also has what may not be passed on, which months count.
    """
    by_day = _by_day(view, benchmark_id)
    rows = changes(view).join(by_day, on=_SAME, how="anti", nulls_equal=True, maintain_order="left")
    if benchmark_id:
        rows = rows.filter(pl.col("benchmark_id") == benchmark_id)
    query = f"?benchmark={quote(benchmark_id, safe='')}" if benchmark_id else ""
    made_on = rows["made_on"].max() if rows.height else (by_day["on_day"].max() or assessed_on(view))
    labels = benchmarks(view).filter(pl.col("benchmark_id") == benchmark_id)["label"]
    about = f": {labels[0]}" if benchmark_id else ""
    feed = atom.feed_element(
        f"benchhealth, what changed{about}",
        atom.urn("feed", benchmark_id),
        "What changed of AI benchmarks, by day, by month and from generation to generation.",
        made_on,
    )
    atom.add(feed, "link", rel="self", type="application/atom+xml", href=f"{base}feed.xml{query}")
    atom.add(feed, "link", rel="alternate", type="text/html", href=f"{base}changes{query}")
    stages = {row["benchmark_id"]: row for row in answers_to(view, "stage").iter_rows(named=True)}
    if not benchmark_id:
        _add_digests(feed, view, base, unshared or view)
    entries = [*by_day.head(ENTRIES).to_dicts(), *rows.head(max(0, ENTRIES - by_day.height)).to_dicts()]
    for row in entries:
        stage_answer = stages.get(row["benchmark_id"])
        _add_change(feed, row, base, "" if stage_answer is None else f" {words(stage_answer, {}).alt}")
    return atom.feed_xml(feed)


def _by_day(view: View, benchmark_id: str) -> pl.DataFrame:
    """The dated changes of the feed, without first places that were found late, whose day is not known."""
    rows = changes_by_day(view).filter(~pl.col("late").fill_null(value=False))
    if benchmark_id:
        return rows.filter(pl.col("benchmark_id") == benchmark_id)
    span = span_of("", known_day(view))
    is_shown = pl.col("curated") | pl.col("benchmark_id").is_null() | (pl.col("kind") == NEW)
    return rows.filter(is_shown, pl.col("on_day").is_between(span.first, span.until, closed="left"))


def _add_digests(feed: ElementTree.Element, view: View, base: str, unshared: View) -> None:
    """Add an entry for each of the last months in which something changed, with the text of its digest."""
    known_until = known_day(view)
    last = span_of("", known_until).last
    for months_back in range(DIGESTS):
        span = Span(months_later(last, -months_back), months_later(last, -months_back))
        of_span = changes_in(view, span)
        if known_until is None or not of_span.total:
            continue
        lines = digest(of_span, changes_in(unshared, span))
        identity, page = atom.urn("digest", span.address), f"{base}digest.html?month={span.address}"
        entry = atom.add_entry(feed, digest_title(span, of_span), identity, min(known_until, span.until), page)
        atom.add(entry, "category", term="digest")
        atom.add(entry, "summary", " ".join(f"{line.heading}: {line.text}" for line in lines), type="text")


def _add_change(feed: ElementTree.Element, row: Mapping[str, Any], base: str, stage_text: str) -> None:
    """Add the entry of one change; `stage_text` is a sentence on the present stage of its benchmark, or empty."""
    title, benchmark = f"{subject(row)}: {what_changed(row)}", row["benchmark_id"]
    kind, day, columns = ("change", "made_on", _IDENTITY) if "made_on" in row else ("dated", "on_day", _DATED)
    identity = atom.urn(kind, *(str(row[column]) for column in columns))
    path = f"benchmark?benchmark={quote(benchmark, safe='')}" if benchmark else "changes"
    entry = atom.add_entry(feed, title, identity, row[day], f"{base}{path}")
    atom.add(entry, "category", term=row["kind"])
    atom.add(entry, "summary", f"{title}.{stage_text}", type="text")
