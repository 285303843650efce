"""Replies by address: one question of a program each, as JSON, made of what may leave."""

import orjson
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.replies.reply_list import REPLIES
from benchhealth.dashboard.serving.responses import response_to
from benchhealth.dashboard.serving.tables import ALL_ORIGINS


def routes() -> list[Route]:
    """`/reply/<question>.json` with the parameters of the question."""
    return [Route("/reply/{name}.json", answer)]


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
