"""The HTML document of a page: Streamlit's own, told where it is served from, how to go back, and how to be printed.

Streamlit's browser code finds its server by asking below the page's address first, so that every deep link costs two
failed requests and two errors in the console. A setting of its own, read before it starts, says where to ask.

On the way back through the browser's history Streamlit opens a page without the filters of its address, and it leaves
a step without them behind. That step is left out, and the page is loaded as anybody gets it who opens its address.

On paper the menu, the buttons and the empty margins go, and what does not fit the width is scaled down, not cut.
"""

from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

_BASE_SCRIPT = """\
window.__streamlit = {BACKEND_BASE_URL: new URL("./", document.currentScript.src).href};
let here = location.pathname + location.search;
let stripped = false; // whether the last step only took filters off, as Streamlit does before it leaves a page
const fewer = (was, now) => {
  const before = new URLSearchParams(was), after = [...new URLSearchParams(now)];
  return after.length < [...before].length && after.every(([name, value]) => before.getAll(name).includes(value));
};
const { pushState, replaceState } = history;
history.pushState = (state, title, url) => {
  const next = new URL(url ?? location, location), leaves = next.pathname !== location.pathname;
  const strips = !leaves && fewer(location.search, next.search);
  (leaves && stripped ? replaceState : pushState).call(history, state, title, url);
  stripped = strips;
  here = location.pathname + location.search;
};
history.replaceState = (...given) => {
  replaceState.apply(history, given);
  stripped = false;
  here = location.pathname + location.search;
};
addEventListener("popstate", (event) => {
  if (location.pathname + location.search === here) return; // a jump to a heading
  event.stopImmediatePropagation();
  location.reload();
});
"""
_PRINT_STYLE = """\
@page { margin: 14mm; }
@media print {
  [data-testid="stSidebar"], [data-testid="stHeader"], [data-testid="stToolbar"] { display: none !important; }
  [data-testid="stMainBlockContainer"] { padding: 0 !important; }
  [data-testid="stApp"], [data-testid="stAppViewContainer"], [data-testid="stMain"] {
    position: static !important; overflow: visible !important; display: block !important; height: auto !important;
  }
  [data-testid="stPlotlyChart"], [data-testid="stDataFrame"] { break-inside: avoid; overflow: visible !important; }
  [data-testid="stVerticalBlock"] { display: block !important; }
  [data-testid="stVerticalBlock"] > * { margin-bottom: 0.8rem; }
  [data-testid="stHeading"], h1, h2, h3 { break-inside: avoid; break-after: avoid; }
}
"""
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
    added = (
        '\n    <script src="./base.js"></script>'
        f'\n    <meta name="description" content="{_DESCRIPTION}" />\n    <style>\n{_PRINT_STYLE}</style>'
    )
    return head + opened + added + rest.replace("<title>Streamlit</title>", "<title>benchhealth</title>", 1)
