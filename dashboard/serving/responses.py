"""What all routes answer with: caching by generation, why something cannot be sent, and 404 for what is nowhere.

What no page, no file and no route is at is answered here, in place of Streamlit's document for any address.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from html import escape
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Match
from starlette.status import HTTP_400_BAD_REQUEST, HTTP_503_SERVICE_UNAVAILABLE
from starlette.types import Receive, Scope, Send

from benchhealth.dashboard.figures.palette import DARK, FONT, LIGHT
from benchhealth.dashboard.guard.headers import AGAIN, FROM_ANYWHERE
from benchhealth.dashboard.guard.login import CALLBACK
from benchhealth.dashboard.guard.turns import Busy
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import ParameterError, View
from benchhealth.warehouse.read import UNREADABLE, NoGeneration
from benchhealth.warehouse.sharing.generation import LackingTable, NotShareable, UnknownSource


def home_of(path: str) -> str:
    """The way from an address to the first page."""
    return "../" * (path.count("/") - 1) or "./"


def for_reader(headers: Headers) -> bool:
    """Whether a browser asks for what it will show, not a program."""
    return "text/html" in headers.get("accept", "")


def page(home: str, heading: str, reason: str) -> str:
    """A page that says why nothing is shown, with the ways on; `home` leads to the first page."""
    links = (("The map of all benchmarks", ""), ("What can be had by address", "api/"), ("Data", "data"))
    items = "".join(f'<li><a href="{escape(home + path, quote=True)}">{label}</a></li>' for label, path in links)
    dark = f"body {{ background: {DARK.paper}; color: {DARK.ink}; }} a {{ color: {DARK.accent}; }}"
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{heading} · benchhealth</title><style>body {{ margin: 12vh auto; max-width: 34rem; "
        f"padding: 1rem; background: {LIGHT.paper}; color: {LIGHT.ink}; font: 16px/1.5 {FONT}; }} "
        f"a {{ color: {LIGHT.accent}; }} @media (prefers-color-scheme: dark) {{ {dark} }}</style>"
        f"<h1>{heading}</h1><p>{escape(reason)}</p>"
        f"<ul>{items}</ul></html>"
    )


def listing(heading: str, body: str) -> str:
    """A page with tables of what is to be had, in colours for daylight."""
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{heading}</title>'
        f"<style>body {{ margin: 5vh auto; max-width: 60rem; padding: 0 1rem; background: {LIGHT.paper}; "
        f"color: {LIGHT.ink}; font: 16px/1.5 {FONT}; }} a {{ color: {LIGHT.accent}; }} td {{ padding: 4px 12px 4px 0; "
        f"border-bottom: 1px solid {LIGHT.line}; vertical-align: top; overflow-wrap: anywhere; }}</style>"
        f"<h1>{heading}</h1>{body}</html>"
    )


def for_an_hour(*, with_login: bool) -> Mapping[str, str]:
    """The headers of a picture that places of others show, again and again: an hour old is young enough.

    Where a login is demanded, only the reader's own browser keeps it.
    """
    return {"Cache-Control": f"{'private' if with_login else 'public'}, max-age=3600", **FROM_ANYWHERE}


NO_HEADERS: Mapping[str, str] = MappingProxyType({})

WITHHELD = "X-Withheld-Rows"
"""The header that says how many rows an answer does not hold because they may not leave."""

REFUSED = "This cannot be shown"

REFUSALS: Mapping[type[Exception], tuple[int, str]] = {
    NoGeneration: (503, "not ready: no generation can be read; /readyz says why"),
    **dict.fromkeys(UNREADABLE, (503, "not ready: a part of the generation cannot be read; ask again")),
    NotShareable: (503, "not ready: {error}"),
    UnknownSource: (404, "no files of its own: {error}"),
    LackingTable: (404, "{error}"),
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


STREAMLITS = frozenset({"/_stcore/health", "/_stcore/host-config"})

BELOW = ("/_stcore/agent/", "/_stcore/bidi-components/", "/media/", "/component/")
"""There, and below these, Streamlit answers itself, with 404 where it has nothing.

Where it takes files, `/_stcore/upload_file/`, is not among them: no page asks for one, and it keeps in memory whatever
anybody sends as long as their session lasts.

Its own measurements, `/_stcore/metrics`, are not among them: it has no option to close them, they walk through every
reader's session, and `/metrics` has the one number in them that an operator needs."""

NOTHING = "Nothing is at this address"

RENAMED = "It may have been mistyped, or a benchmark may have been renamed."

WAYS_IN = ("/auth/", CALLBACK)
"""Further addresses that exist where a login is demanded."""


class Absent(BaseRoute):
    """Stands after all routes of the dashboard and before those of Streamlit."""

    def __init__(self, pages: tuple[str, ...], *, with_login: bool = False) -> None:
        self._below = (*BELOW, *WAYS_IN) if with_login else BELOW
        static = Path(str(files("streamlit") / "static"))
        bundled = (file.relative_to(static).as_posix() for file in static.rglob("*") if file.is_file())
        self._there = frozenset(["", *pages, *bundled]) - {"index.html"}  # the document of pages, without what we add

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match every HTTP request whose address neither the dashboard nor Streamlit answers."""
        if scope["type"] != "http":
            return Match.NONE, {}
        path = str(scope["path"]).removeprefix(str(scope.get("root_path", "")))
        if path in STREAMLITS or path.startswith(self._below) or path.strip("/") in self._there:
            return Match.NONE, {}
        return Match.FULL, {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Say so, and where to go: for browsers a page, for programs JSON."""
        home = home_of(str(scope["path"]))
        headers = {"Cache-Control": "no-cache", "Vary": "Accept"}
        answer: Response
        if for_reader(Headers(scope=scope)):
            answer = HTMLResponse(page(home, NOTHING, RENAMED), status_code=404, headers=headers)
        else:
            answer = JSONResponse({"error": NOTHING, "see": f"{home}api/"}, status_code=404, headers=headers)
        await answer(scope, receive, send)
