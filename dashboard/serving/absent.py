"""What no page, no file and no route is at: 404 in place of Streamlit's document for any address."""

from html import escape
from importlib.resources import files
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from benchhealth.dashboard.figures.palette import DARK, FONT, LIGHT
from benchhealth.dashboard.guard.login import CALLBACK

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
