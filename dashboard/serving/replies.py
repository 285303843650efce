"""Replies by address: one question of a program each, as JSON, made of what may leave."""

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from benchhealth.dashboard.published import generation
from benchhealth.dashboard.replies.listed import REPLIES
from benchhealth.dashboard.serving.answers import caching, is_known, refusal
from benchhealth.dashboard.serving.tables import ALL_ORIGINS


def routes() -> list[Route]:
    """`/reply/<question>.json` with the parameters of the question."""
    return [Route("/reply/{name}.json", answer)]


async def answer(request: Request) -> Response:
    """The reply to a question of `dashboard.replies.listed`, with the page of this dashboard that shows the same."""
    return await run_in_threadpool(_answer, request)


def _answer(request: Request) -> Response:
    spec = REPLIES.get(str(request.path_params["name"]))
    if spec is None:
        said = f"no such question; there are {', '.join(REPLIES)}\n"
        return PlainTextResponse(said, status_code=404, headers=ALL_ORIGINS)
    try:
        view = generation.current()
        if is_known(request, view):
            return Response(status_code=304, headers=caching(view))
        said_to = spec.of(view.shared(), dict(request.query_params)).at(str(request.base_url))
    except Exception as error:
        refused = refusal(error)
        refused.headers.update(ALL_ORIGINS)
        return refused
    body = orjson.dumps(said_to.as_dict())
    return Response(body, media_type="application/json", headers={**caching(view), **ALL_ORIGINS})
