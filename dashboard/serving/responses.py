"""What all routes answer with: caching by generation, and why something cannot be sent."""

from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from types import MappingProxyType

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.status import HTTP_400_BAD_REQUEST, HTTP_503_SERVICE_UNAVAILABLE

from benchhealth.dashboard.guard.headers import AGAIN
from benchhealth.dashboard.guard.turns import Busy
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import ParameterError, View
from benchhealth.dashboard.serving.absent import for_reader, home_of, page
from benchhealth.warehouse.read import UNREADABLE, NoGeneration
from benchhealth.warehouse.sharing.generation import NotShareable, UnknownSource

NO_HEADERS: Mapping[str, str] = MappingProxyType({})
WITHHELD = "X-Withheld-Rows"
"""The header that says how many rows an answer does not hold because they may not leave."""

REFUSED = "This cannot be shown"
REFUSALS: Mapping[type[Exception], tuple[int, str]] = {
    NoGeneration: (503, "not ready: no generation can be read; /readyz says why"),
    **dict.fromkeys(UNREADABLE, (503, "not ready: a part of the generation cannot be read; ask again")),
    NotShareable: (503, "not ready: {error}"),
    UnknownSource: (404, "no files of its own: {error}"),
    ParameterError: (400, "{error}"),
    Busy: (503, "{error}"),
    OSError: (503, "the file cannot be written: {error.strerror}"),
}
"""What can keep an answer from being given: the status, and what is said of it, paths of this machine left out."""


def refusal(error: Exception, request: Request | None = None) -> Response:
    """The answer to a failure that is foreseen, for a browser's reader as a page; any other is raised again."""
    for kind, (status, message) in REFUSALS.items():
        if isinstance(error, kind):
            text = message.format(error=error)
            retry = AGAIN if status == HTTP_503_SERVICE_UNAVAILABLE else {}
            if request is not None and for_reader(request.headers):
                home = home_of(request.url.path)
                return HTMLResponse(page(home, REFUSED, text), status_code=status, headers={**retry, "Vary": "Accept"})
            return PlainTextResponse(f"{text}\n", status_code=status, headers=retry)
    raise error


def response_to(request: Request, make: Callable[[View], Response], more: Mapping[str, str] = NO_HEADERS) -> Response:
    """What `make` makes of the current generation, for who has not got it yet; or why it cannot be made.

    An answer carries the headers of `caching_headers` and `more`; one that reports a wrong request does not.
    """
    try:
        view = generation.current()
        return _not_modified(request, view, more) or _with_headers(make(view), view, more)
    except Exception as error:
        return refusal(error, request)


def endpoint(make: Callable[[View, Request], Response]) -> Callable[[Request], Response]:
    """The route that answers with what `make` makes of the current generation for a request, as `response_to` does."""

    @wraps(make)
    def answer(request: Request) -> Response:
        return response_to(request, lambda view: make(view, request))

    return answer


async def answered_async(
    request: Request, make: Callable[[View], Awaitable[Response]], more: Mapping[str, str] = NO_HEADERS
) -> Response:
    """The same as `response_to` for what is made by awaiting; what computes goes into a thread."""
    try:
        view = await run_in_threadpool(generation.current)
        return _not_modified(request, view, more) or _with_headers(await make(view), view, more)
    except Exception as error:
        return refusal(error, request)


def _not_modified(request: Request, view: View, more: Mapping[str, str]) -> Response | None:
    return Response(status_code=304, headers={**caching_headers(view), **more}) if is_known(request, view) else None


def _with_headers(answer: Response, view: View, more: Mapping[str, str]) -> Response:
    if answer.status_code < HTTP_400_BAD_REQUEST:
        answer.headers.update({**caching_headers(view), **more})
    return answer


def reader(request: Request) -> str:
    """The address of the reader: the one that the proxy names, or that of the connection."""
    return request.client.host if request.client else ""


def caching_headers(view: View) -> dict[str, str]:
    """Headers of an answer made of this generation."""
    return {"ETag": f'"{view.name}"', "Cache-Control": "no-cache"}


def is_known(request: Request, view: View) -> bool:
    """Whether the client already holds the answer of this generation.

    A proxy that packs answers marks their ETag as weak (`W/"..."`); a client may name several.
    """
    named = request.headers.get("if-none-match", "").split(",")
    return caching_headers(view)["ETag"] in (tag.strip().removeprefix("W/") for tag in named)
