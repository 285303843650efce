"""The HTML document of a page: Streamlit's own, with the script `navigation.js` before all others and `document.css`.

The script tells Streamlit where its server is and keeps links between pages within the tab. On paper the menu, the
buttons and the empty margins go, and what does not fit the width is scaled down, not cut.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType

import orjson
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from dashboard.guard.headers import CONTENT_POLICY, page_policy
from dashboard.serving.options import FAVICON
from dashboard.serving.packed import packed

_HERE = files(__package__)
SCRIPTS = ("toolbar.js", "navigation.js", "search.js")
"""What runs before Streamlit's own scripts, in this order."""

_CHARTS = re.compile(r"PlotlyChart\.[\w-]+\.js")

MOVED = {
    "churn": "leaderboards",
    "twins": "trust",
    "contamination": "trust",
    "aging": "field",
    "goodhart": "field",
}
"""Pages of the first edition, and where what they showed is now; the parameters of their addresses lead on."""

_DESCRIPTION = (
    "Is this AI benchmark still measuring anything? Saturation, rank churn, twins and contamination evidence."
)


def routes(url_paths: tuple[str, ...]) -> list[Route]:
    """Routes for the document of each page. The first page is at the root; its own address and old ones lead on."""
    first, *others = url_paths
    document = _answer(partial(_html, ("", *others)), "text/html", {CONTENT_POLICY: page_policy()})
    return [
        *(Route(f"/{name}", _answer((_HERE / name).read_text, "text/javascript")) for name in SCRIPTS),
        Route("/favicon.ico", _answer(lambda: FAVICON, "image/svg+xml")),
        Route("/", document),
        Route(f"/{first}", _leading_to("")),
        *(Route(f"/{path}", _leading_to(now)) for path, now in MOVED.items()),
        *(Route(f"/{path}", document) for path in others),
    ]


def _leading_to(page: str) -> Callable[[Request], Response]:
    """An answer that leads to a page with the parameters of the address asked for."""

    def answer(request: Request) -> Response:
        return RedirectResponse(f"./{page}{'?' + request.url.query if request.url.query else ''}")

    return answer


def _answer(
    body: Callable[[], str], media_type: str, headers: Mapping[str, str] = MappingProxyType({})
) -> Callable[[Request], Response]:
    return lambda request: packed(request, body().encode(), media_type, {"Cache-Control": "no-cache", **headers})


@cache
def _html(paths: tuple[str, ...]) -> str:
    """Streamlit's document with the script in front of all others; raises ValueError where it has no head."""
    static = files("streamlit") / "static"
    html = (static / "index.html").read_text(encoding="utf-8")
    head, opened, rest = html.partition("<head>")
    if not opened:
        raise ValueError("Streamlit's document has no <head>")
    settings = escape(orjson.dumps({"pages": paths}).decode(), quote=True)
    scripts = "".join(f'\n    <script src="./{name}" data-dashboard="{settings}"></script>' for name in SCRIPTS)
    added = (
        f"{scripts}"
        f'\n    <meta name="description" content="{_DESCRIPTION}" />'
        '\n    <link rel="alternate" type="application/atom+xml" title="What changed" href="./feed.xml" />'
        f"\n    <style>\n{(_HERE / 'document.css').read_text()}</style>"
    )
    named = rest.replace("<title>Streamlit</title>", "<title>benchhealth</title>", 1)
    return head + opened + added + named.replace("</head>", f"{_chart_script(static)}</head>", 1)


def _chart_script(static: Traversable) -> str:
    """A line that fetches what draws charts with the rest; Streamlit asks for it when the first chart has come.

    It is half of all bytes. Empty where Streamlit calls it something else: then it comes later.
    """
    found = [script.name for script in (static / "static" / "js").iterdir() if _CHARTS.fullmatch(script.name)]
    return "".join(f'    <link rel="modulepreload" crossorigin href="./static/js/{name}" />\n  ' for name in found)
