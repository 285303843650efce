"""A benchmark's badge by address: its stage and until when that is known, for its own readme."""

from html import escape

import polars as pl
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from benchhealth.analytics.verdict.rules import STAGE_OF
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.published.answers import answers_of, card_of
from benchhealth.dashboard.published.benchmarks import AGED_MONTHS, benchmarks
from benchhealth.dashboard.published.boards.ties import of_benchmark
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.serving.responses import for_an_hour, response_to
from benchhealth.dashboard.widgets import provenance
from benchhealth.dashboard.words.boards.ties import tie_with_day as said_of_ties
from benchhealth.dashboard.words.card.cells import stage_until
from benchhealth.dashboard.words.measurers.houses import head_of
from benchhealth.dashboard.words.text import one_line

LABEL, QUESTION = "benchhealth", "stage"
LETTER, PAD = 6.4, 7.0
"""Pixels: the mean width of a letter of 11, and the blank at both ends of a text."""


def routes(*, with_login: bool = False) -> list[Route]:
    """The route of badges."""
    headers = for_an_hour(with_login=with_login)

    def answer(request: Request) -> Response:
        def made(view: View) -> Response:
            drawn = badge(view.shared(), str(request.path_params["benchmark"]))
            if drawn is None:
                return PlainTextResponse("no such benchmark\n", status_code=404)
            return Response(drawn, media_type="image/svg+xml")

        return response_to(request, made, headers)

    return [Route("/badge/{benchmark:path}.svg", answer)]


def badge(view: View, benchmark_id: str) -> str | None:
    """The badge as SVG, or None for a benchmark that there is not; without an answer that may leave, it is unknown."""
    rows = benchmarks(view).filter(pl.col("benchmark_id") == benchmark_id)
    if rows.is_empty():
        return None
    row, answered = rows.row(0, named=True), answers_of(view, benchmark_id).get(QUESTION)
    stage = "unknown" if answered is None else STAGE_OF[answered["case"]]
    message = stage_until(card_of(view, benchmark_id))
    is_doubted = answered is not None and bool(answered["between"])
    is_old = is_doubted or row["age_months"] is None or row["age_months"] > AGED_MONTHS
    colour = LIGHT.stages["unknown" if is_old else stage].text
    return _badge_svg(message, colour, f"{one_line(row['name'])}: {message}{_tied(view, benchmark_id)}")


def _tied(view: View, benchmark_id: str) -> str:
    """How many are tied for first, on whose list: of what may leave it can be another one than the page has."""
    ties = of_benchmark(view, benchmark_id)
    said = "" if ties is None else said_of_ties(ties)
    if ties is None or not said:
        return ""
    source_id = ties["board_id"].split("/", maxsplit=1)[0]
    return f"; on the list of {head_of(provenance.titles(view).get(source_id, source_id))} {said}"


def _badge_svg(message: str, colour: str, title: str) -> str:
    left, right = (len(text) * LETTER + 2 * PAD for text in (LABEL, message))
    texts = "".join(
        f'<text x="{x:.1f}" y="14" textLength="{len(text) * LETTER:.1f}">{escape(text)}</text>'
        for x, text in ((PAD, LABEL), (left + PAD, message))
    )
    wide = left + right
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.1f}" height="20" role="img" '
        f'aria-label="{escape(title, quote=True)}"><title>{escape(title)}</title>'
        f'<clipPath id="round"><rect width="{wide:.1f}" height="20" rx="4"/></clipPath><g clip-path="url(#round)">'
        f'<rect width="{wide:.1f}" height="20" fill="{LIGHT.ink}"/>'
        f'<rect x="{left:.1f}" width="{right:.1f}" height="20" fill="{colour}"/></g>'
        f'<g fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">{texts}</g></svg>\n'
    )
