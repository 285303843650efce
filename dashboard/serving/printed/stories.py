"""Stories by address, `/story.pdf?story=imagenet` and `/story.html`: three sheets of what may leave."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.tables import ParameterError, required
from benchhealth.dashboard.report.stories.content import printed
from benchhealth.dashboard.serving.answers import caching, is_known, refusal
from benchhealth.dashboard.serving.printed.reports import FORMS
from benchhealth.dashboard.words.stories.listed import PAGE, STORY

ADDRESS = f"/{PAGE}.{{form:str}}"


def routes() -> list[Route]:
    """The route of printed stories."""
    return [Route(ADDRESS, _answer)]


async def _answer(request: Request) -> Response:
    return await run_in_threadpool(_printed, request)


def _printed(request: Request) -> Response:
    form = str(request.path_params["form"])
    if form not in FORMS:
        return PlainTextResponse("a story comes as html or pdf\n", status_code=404)
    try:
        view = generation.current()
        if is_known(request, view):
            return Response(status_code=304, headers=caching(view))
        key = required(dict(request.query_params), STORY)
        shared = view.shared()
        media_type, write = FORMS[form]
        body = shared.recent(("printed story", key, form), lambda: write(printed(shared, key, str(request.base_url))))
    except ParameterError as error:
        return PlainTextResponse(f"{error}\n", status_code=404)
    except Exception as error:
        return refusal(error)
    shown = {"Content-Disposition": f'inline; filename="benchhealth-{key}.{form}"'}
    return Response(body, media_type=media_type, headers={**caching(view), **shown})
