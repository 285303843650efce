"""The verdict card of a benchmark by address, for a frame in a page of others: the cells that its page shows."""

from collections.abc import Mapping
from html import escape
from importlib.resources import files
from string import Template

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from benchhealth.dashboard.figures.palette import DARK, FONT, HEADING_FONT, LIGHT, Palette
from benchhealth.dashboard.guard.headers import CONTENT_POLICY, EMBEDDED, FROM_ANYWHERE
from benchhealth.dashboard.pages.benchmark import head
from benchhealth.dashboard.pages.benchmark.card import cells_with_addresses
from benchhealth.dashboard.published.answers import card_of
from benchhealth.dashboard.published.benchmarks import assessed_on
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.results import known_benchmark
from benchhealth.dashboard.serving.charts import faces
from benchhealth.dashboard.serving.responses import WITHHELD, endpoint
from benchhealth.dashboard.widgets import links
from benchhealth.dashboard.words.card.cells import Cell
from benchhealth.dashboard.words.numbers import day_of

PATH = "/embed/card"
ABOVE = "../"
"""What leads from the frame to the addresses of pages."""


def routes() -> list[Route]:
    """The route of the card."""
    return [Route(PATH, _card)]


@endpoint
def _card(view: View, request: Request) -> Response:
    params = dict(request.query_params)
    benchmark_id = known_benchmark(view.shared(), params)
    cells = card_of(view.shared(), benchmark_id)
    if not cells:
        return PlainTextResponse("no answer to this may leave\n", status_code=404)
    framed = card_document(view.shared(), benchmark_id, DARK if params.get("theme") == "dark" else LIGHT)
    withheld = max(0, len(card_of(view, benchmark_id)) - len(cells))
    headers = {CONTENT_POLICY: EMBEDDED, **FROM_ANYWHERE, WITHHELD: str(withheld)}
    return Response(framed, media_type="text/html", headers=headers)


def card_document(view: View, benchmark_id: str, colours: Palette) -> str:
    """The card as a document without a script: title, cells with the way to their evidence, and its day."""
    title, _ = head.of_benchmark(view, benchmark_id)
    values = {
        "title": escape(title),
        "page": escape(ABOVE + links.address("benchmark", benchmark=benchmark_id), quote=True),
        "cells": "\n".join(_cell(cell, ABOVE + address) for cell, address in cells_with_addresses(view, benchmark_id)),
        "source": escape(f"as of {day_of(assessed_on(view))} · benchhealth, generation {view.name}"),
        "font": FONT,
        "heading": HEADING_FONT,
        "faces": faces(),
        **_colours(colours),
    }
    return Template(files(__package__).joinpath("card.html").read_text(encoding="utf-8")).substitute(values)


def _colours(colours: Palette) -> Mapping[str, str]:
    """The colours of the document; those of the replies are the ones of the page and of the picture of a link."""
    shared = ("paper", "card", "line", "ink", "ink2", "accent")
    return {
        **{name: getattr(colours, name) for name in shared},
        "yes": colours.accent,
        "partly": colours.doubt,
        "no": colours.stages["saturated"].text,
        "unknown": colours.ink3,
    }


def _cell(cell: Cell, url: str) -> str:
    number = f" ({escape(cell.number)})" if cell.number else ""
    return (
        f'<div><dt><a href="{escape(url, quote=True)}" target="_blank" rel="noopener">{escape(cell.question)}</a></dt>'
        f'<dd><b class="{cell.kind}">{escape(cell.word)}</b>{number}</dd><dd>{escape(cell.brief)}</dd></div>'
    )
