"""Replies by address, as JSON made of what may leave: questions of programs, the search of the menu, the glossary."""

import orjson
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from benchhealth.dashboard.published.finding.search import RESULTS_OF_KIND, meant, search
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.replies.reply_list import REPLIES
from benchhealth.dashboard.serving.packed import compressed
from benchhealth.dashboard.serving.responses import endpoint, response_to
from benchhealth.dashboard.serving.tables import ALL_ORIGINS
from benchhealth.dashboard.words.terms.glossary import as_dict


def routes() -> list[Route]:
    """`/reply/<question>.json` with the parameters of the question, `/search.json?q=&each=`, and the glossary."""
    return [Route("/reply/{name}.json", answer), Route("/search.json", found), Route("/glossary.json", glossary)]


def answer(request: Request) -> Response:
    """The reply to a question of `dashboard.replies.reply_list`, with the page that shows the same here."""
    spec = REPLIES.get(str(request.path_params["name"]))
    if spec is None:
        message = f"no such question; there are {', '.join(REPLIES)}\n"
        return PlainTextResponse(message, status_code=404, headers=ALL_ORIGINS)

    def made(view: View) -> Response:
        body = spec.of(view.shared(), dict(request.query_params)).at(str(request.base_url))
        return Response(orjson.dumps(body.as_dict()), media_type="application/json")

    reply = response_to(request, made)
    reply.headers.update(ALL_ORIGINS)
    return reply


MOST_RESULTS = 50
"""How many results of a kind a request may ask for."""


def glossary(request: Request) -> Response:
    """The terms with their other words, meanings and addresses."""
    return compressed(request, orjson.dumps(as_dict()), "application/json", {"Cache-Control": "public, max-age=86400"})


@endpoint
def found(view: View, request: Request) -> Response:
    """Benchmarks, models, leaderboards and sources that match `q`, each kind with its first rows and their number.

    `meant` are questions that are spelt like this one and find more.
    """
    query, number = request.query_params.get("q", ""), request.query_params.get("each", "")
    per_kind = min(MOST_RESULTS, int(number)) if number.isascii() and number.isdecimal() else RESULTS_OF_KIND
    matches = search(view.shared(), query, per_kind)
    groups, alternatives = [group.as_dict() for group in matches], meant(view.shared(), query, matches)
    body = orjson.dumps({"query": query, "generation": view.name, "groups": groups, "meant": alternatives})
    return Response(body, media_type="application/json")
