"""The search by address, for the box in the menu: what may leave of what matches, as JSON; and the glossary."""

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from benchhealth.dashboard.published.finding.search import meant, search
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.serving.packed import compressed
from benchhealth.dashboard.serving.responses import endpoint
from benchhealth.dashboard.words.terms.glossary import as_dict

MOST_RESULTS = 50
"""How many results of a kind a request may ask for."""


def routes() -> list[Route]:
    """`/search.json?q=&each=`, and the glossary, which a page asks for once."""
    return [Route("/search.json", answer), Route("/glossary.json", glossary)]


def glossary(request: Request) -> Response:
    """The terms with their other words, meanings and addresses."""
    return compressed(request, orjson.dumps(as_dict()), "application/json", {"Cache-Control": "public, max-age=86400"})


@endpoint
def answer(view: View, request: Request) -> Response:
    """Benchmarks, models, leaderboards and sources that match `q`, each kind with its first rows and their number.

    `meant` are questions that are spelt like this one and find more.
    """
    query, number = request.query_params.get("q", ""), request.query_params.get("each", "")
    per_kind = min(MOST_RESULTS, int(number)) if number.isascii() and number.isdecimal() else 6
    matches = search(view.shared(), query, per_kind)
    groups, alternatives = [group.as_dict() for group in matches], meant(view.shared(), query, matches)
    body = orjson.dumps({"query": query, "generation": view.name, "groups": groups, "meant": alternatives})
    return Response(body, media_type="application/json")
