"""What a link shows where it is pasted, as oEmbed 1.0: the verdict card, a chart, or the picture of the page."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import orjson
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.status import HTTP_501_NOT_IMPLEMENTED

from benchhealth.dashboard.figures.chart import ChartSpec, Nothing
from benchhealth.dashboard.figures.moved import with_moved
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.figures.picture import HIGH, WIDE
from benchhealth.dashboard.guard.headers import FROM_ANYWHERE
from benchhealth.dashboard.pages.benchmark import head
from benchhealth.dashboard.published.answers import card_of
from benchhealth.dashboard.published.generation import ParameterError, View
from benchhealth.dashboard.published.results import known_benchmark
from benchhealth.dashboard.serving import share
from benchhealth.dashboard.serving.responses import response_to
from benchhealth.dashboard.serving.tables import ALL_ORIGINS
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.dashboard.words.terms.citing import AUTHOR
from benchhealth.dashboard.words.text import one_line

LONGEST_ADDRESS = 4_000
"""The longest address that is answered, in characters."""

FRAME_WIDE, CARD_HIGH, AROUND = 800, 520, 160
"""Pixels of a frame where no less is asked for, and what title and source take above and below a figure."""

USUAL_HIGH = 450
"""The height of a figure without one of its own, as Plotly draws it."""

SECONDS = 3600
"""How many seconds an answer may be cached."""

_DIGITS = 6
Params = Mapping[str, str]


class AbsentError(ValueError):
    """The address is none of this dashboard, or nothing is at it."""


def routes(pages: Sequence[PageSpec]) -> list[Route]:
    """`/oembed?url=…&format=json`, with `maxwidth` and `maxheight`."""
    named = {spec.url_path: spec for spec in pages} | {"": pages[0]}
    charts = with_moved(chart for spec in pages for chart in spec.charts)

    def made(view: View, request: Request) -> Response:
        params = request.query_params
        limits = _pixels(params.get("maxwidth", "")), _pixels(params.get("maxheight", ""))
        base = str(request.base_url)
        try:
            content = _shown_at(view.shared(), _parts(params.get("url", ""), base), named, charts)
        except (AbsentError, ParameterError):
            return PlainTextResponse("no page, card or chart of this dashboard is at that address\n", status_code=404)
        return Response(orjson.dumps(_fitted(content, limits, base)), media_type="application/json")

    def answer(request: Request) -> Response:
        if request.query_params.get("format", "json") != "json":
            content = "an answer comes as json\n"
            return PlainTextResponse(content, status_code=HTTP_501_NOT_IMPLEMENTED, headers=ALL_ORIGINS)
        reply = response_to(request, lambda view: made(view, request))
        reply.headers.update({**ALL_ORIGINS, **FROM_ANYWHERE})
        return reply

    return [Route(f"/{share.OEMBED}", answer)]


def _parts(url: str, base: str) -> tuple[str, Params, str]:
    """Path from the root, parameters and fragment of an address of this dashboard. Raises AbsentError for another.

    The scheme is not compared: a proxy that speaks TLS need not say so.
    """
    try:
        target, root = urlsplit(url), urlsplit(base)
        query = dict(parse_qsl(target.query, max_num_fields=50))
    except ValueError as wrong:
        raise AbsentError(url[:40]) from wrong
    ours = target.netloc.lower() == root.netloc.lower() and f"{target.path or '/'}".startswith(root.path)
    if len(url) > LONGEST_ADDRESS or target.scheme not in ("http", "https") or not ours:
        raise AbsentError(url[:40])
    return target.path.removeprefix(root.path).strip("/"), query, target.fragment


def _shown_at(
    view: View, address: tuple[str, Params, str], pages: Mapping[str, PageSpec], charts: Mapping[str, ChartSpec]
) -> dict[str, Any]:
    """Raises AbsentError and ParameterError where nothing is there."""
    path, query, fragment = address
    if path == "embed/card":
        return _card(view, query)
    if path.startswith("embed/") and path.removeprefix("embed/") in charts:
        return _chart(view, charts[path.removeprefix("embed/")], query)
    if path not in pages:
        raise AbsentError(path)
    spec = pages[path]
    if fragment in charts:
        return _chart(view, charts[fragment], query)
    params = share.of_page(spec.shared, query)
    picture = share.picture_of(view, spec, params)
    if spec.url_path == "benchmark" and params and card_of(view, params["benchmark"]):
        return _card(view, params)
    return {
        "type": "link",
        "title": picture.named,
        "thumbnail_url": share.address(spec, params),
        "thumbnail_width": WIDE,
        "thumbnail_height": HIGH,
    }


def _card(view: View, params: Params) -> dict[str, Any]:
    benchmark_id = known_benchmark(view, params)
    if not card_of(view, benchmark_id):
        raise AbsentError(benchmark_id)
    title, _ = head.of_benchmark(view, benchmark_id)
    return _rich_reply(title, f"embed/card?{urlencode({'benchmark': benchmark_id}, quote_via=quote)}", CARD_HIGH)


def _chart(view: View, spec: ChartSpec, params: Params) -> dict[str, Any]:
    drawn = spec.of(view, params, LIGHT)
    if isinstance(drawn, Nothing):
        raise AbsentError(spec.name)
    high = int(drawn.figure.layout.height or USUAL_HIGH) + AROUND
    return _rich_reply(drawn.title, spec.embed_address(params), high)


def _rich_reply(title: str, address: str, high: int) -> dict[str, Any]:
    return {"type": "rich", "title": title, "html": address, "width": FRAME_WIDE, "height": high}


def _fitted(content: Mapping[str, Any], largest_size: tuple[int | None, int | None], base: str) -> dict[str, Any]:
    """The answer with whole addresses, no larger than is asked for; a picture that is larger is left out."""
    title = one_line(content["title"])
    answer = {
        **content,
        "version": "1.0",
        "title": title,
        "author_name": AUTHOR,
        "provider_name": "benchhealth",
        "provider_url": base,
        "cache_age": SECONDS,
    }
    if content["type"] == "link":
        answer["thumbnail_url"] = f"{base}{content['thumbnail_url']}"
        if any(limit is not None and limit < side for limit, side in zip(largest_size, (WIDE, HIGH), strict=True)):
            return {name: value for name, value in answer.items() if not name.startswith("thumbnail")}
        return answer
    for side, limit in zip(("width", "height"), largest_size, strict=True):
        answer[side] = content[side] if limit is None else min(content[side], limit)
    answer["html"] = (
        f'<iframe src="{escape(base + content["html"], quote=True)}" width="{answer["width"]}" '
        f'height="{answer["height"]}" '
        f'title="{escape(title, quote=True)}" loading="lazy" style="border:0"></iframe>'
    )
    return answer


def _pixels(text: str) -> int | None:
    """A whole number of pixels from 1 on. Raises ParameterError for what is none."""
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS and int(text) > 0):
        raise ParameterError("maxwidth and maxheight are whole numbers of pixels from 1 on")
    return int(text)
