"""The HTML document of a page: Streamlit's own, told where it is served from.

Streamlit's browser code finds its server by asking below the page's address first, so that every deep link costs two
failed requests and two errors in the console. A setting of its own, read before it starts, says where to ask.
"""

from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

_BASE_SCRIPT = 'window.__streamlit = {BACKEND_BASE_URL: new URL("./", document.currentScript.src).href};\n'
_DESCRIPTION = (
    "Is this AI benchmark still measuring anything? Saturation, rank churn, twins and contamination evidence."
)


def routes(url_paths: tuple[str, ...]) -> list[Route]:
    """Routes for the document of each page. The first page is at the root; its own address leads there."""
    first, *others = url_paths
    return [
        Route("/base.js", _base_script),
        Route("/", _document),
        Route(f"/{first}", _to_root),
        *(Route(f"/{path}", _document) for path in others),
    ]


def _to_root(request: Request) -> Response:
    return RedirectResponse(f"./?{request.url.query}" if request.url.query else "./")


def _document(_request: Request) -> Response:
    return Response(_html(), media_type="text/html", headers={"Cache-Control": "no-cache"})


def _base_script(_request: Request) -> Response:
    return Response(_BASE_SCRIPT, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


@cache
def _html() -> str:
    """Streamlit's document with the script in front of all others; raises ValueError where it has no head."""
    html = (files("streamlit") / "static" / "index.html").read_text(encoding="utf-8")
    head, opened, rest = html.partition("<head>")
    if not opened:
        raise ValueError("Streamlit's document has no <head>")
    added = f'\n    <script src="./base.js"></script>\n    <meta name="description" content="{_DESCRIPTION}" />'
    return head + opened + added + rest.replace("<title>Streamlit</title>", "<title>benchhealth</title>", 1)
