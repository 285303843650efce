"""The HTML document of a page: Streamlit's own, with the script `navigation.js` before all others and `document.css`.

The script tells Streamlit where its server is and keeps links between pages within the tab. On paper the menu, the
buttons and the empty margins go, and what does not fit the width is scaled down, not cut.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

import orjson
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from benchhealth.dashboard.guard.headers import CONTENT_POLICY, page_policy
from benchhealth.dashboard.serving import share
from benchhealth.dashboard.serving.options import FAVICON
from benchhealth.dashboard.serving.packed import BUNDLE, compressed
from benchhealth.dashboard.widgets.page import PageSpec

_HERE = files(__package__)
_STATIC = Path(str(files("streamlit") / "static"))
SCRIPTS = ("toolbar.js", "navigation.js", "search.js", "terms.js")
"""What runs before Streamlit's own scripts, in this order."""

LATER = ("stories.js", "years.js", "life.js", "whole.js")
"""Scripts that a page loads only when it needs them."""

DRAWN_WITH = ("PlotlyChart", "TextInput", "ButtonGroup")
"""Streamlit's scripts for the parts of the first page. Streamlit asks for each, and then for what each imports, when
the first such part has come; the document names them all, so that they come with the rest."""

_IMPORTED = re.compile(r'(?:from|import)"\./([\w.-]+\.js)"')

MOVED = {
    "churn": "leaderboards",
    "twins": "trust",
    "contamination": "trust",
    "aging": "field",
    "goodhart": "field",
}
"""Pages of the first edition, and where what they showed is now; the parameters of their addresses lead on."""

_WITHOUT_SCRIPTS = re.compile(r"<noscript>.*?</noscript>", re.DOTALL)
WITHOUT_SCRIPTS = (
    "<noscript><p>JavaScript, which draws these pages, is off. Without it there are "
    '<a href="./digest.html">what changed in the last month</a>, <a href="./report.html">reports</a>, and '
    '<a href="./api/">all tables, charts and answers by address</a>.</p></noscript>'
)
"""What a reader without JavaScript sees, in place of Streamlit's words for programs."""

_SCRIPT_NAME = re.compile(r'"\./static/js/([\w.-]+\.js)"')

_DESCRIPTION = (
    "Is this AI benchmark still measuring anything? Saturation, rank churn, twins and contamination evidence."
)


_DESCRIBED = f'\n    <meta name="description" content="{_DESCRIPTION}" />'
_TITLE = "<title>Streamlit</title>"


def routes(pages: Sequence[PageSpec]) -> list[Route]:
    """Routes for the document of each page. The first page is at the root; its own address and old ones lead on."""
    first, *other_paths = (spec.url_path for spec in pages)
    return [
        *(Route(f"/{name}", _answer((_HERE / name).read_text, "text/javascript")) for name in (*SCRIPTS, *LATER)),
        Route("/favicon.ico", _answer(lambda: FAVICON, "image/svg+xml")),
        Route("/", _document(pages[0], "", first, tuple(other_paths))),
        Route(f"/{first}", _leading_to("")),
        *(Route(f"/{path}", _leading_to(current)) for path, current in MOVED.items()),
        *(Route(f"/{spec.url_path}", _document(spec, spec.url_path, first, tuple(other_paths))) for spec in pages[1:]),
    ]


def _document(spec: PageSpec, path: str, first: str, other_paths: tuple[str, ...]) -> Callable[[Request], Response]:
    """An answer with the document of this page, whose head says what a link to it shows."""
    headers = {CONTENT_POLICY: page_policy(), "Cache-Control": "no-cache"}

    def written(request: Request) -> Response:
        html = _html(first, other_paths)
        described = share.tags(spec, dict(request.query_params), str(request.base_url), path)
        if described is not None:
            title, tags = described
            html = html.replace(_DESCRIBED, tags, 1).replace(
                "<title>benchhealth</title>", f"<title>{escape(title)} · benchhealth</title>", 1
            )
        return compressed(request, html.encode(), "text/html", headers, remembered=described is None)

    return written


def _leading_to(page: str) -> Callable[[Request], Response]:
    """An answer that leads to a page with the parameters of the address asked for."""

    def answer(request: Request) -> Response:
        return RedirectResponse(f"./{page}{'?' + request.url.query if request.url.query else ''}")

    return answer


def _answer(
    body: Callable[[], str], media_type: str, headers: Mapping[str, str] = MappingProxyType({})
) -> Callable[[Request], Response]:
    return lambda request: compressed(request, body().encode(), media_type, {"Cache-Control": "no-cache", **headers})


@cache
def _html(first: str, other_paths: tuple[str, ...]) -> str:
    """Streamlit's document with the scripts in front of all others; raises ValueError where it has no head.

    `first` is the page at the root, which scripts know by its own address too.
    """
    before_head, head_tag, after_head = (_STATIC / "index.html").read_text(encoding="utf-8").partition("<head>")
    if not head_tag:
        raise ValueError("Streamlit's document has no <head>")
    settings = escape(orjson.dumps({"pages": ("", *other_paths), "first": first}).decode(), quote=True)
    scripts = "".join(f'\n    <script defer src="./{name}" data-dashboard="{settings}"></script>' for name in SCRIPTS)
    added = (
        f"{scripts}"
        f"{_DESCRIBED}"
        '\n    <link rel="alternate" type="application/atom+xml" title="What changed" href="./feed.xml" />'
        f"\n    <style>\n{(_HERE / 'document.css').read_text()}</style>"
    )
    ahead = "".join(
        f'    <link rel="modulepreload" crossorigin href="./static/js/{name}" />\n  ' for name in scripts_ahead()
    )
    named = _WITHOUT_SCRIPTS.sub(WITHOUT_SCRIPTS, after_head.replace(_TITLE, "<title>benchhealth</title>", 1))
    return before_head + head_tag + added + named.replace("</head>", f"{ahead}</head>", 1)


def scripts_ahead() -> list[str]:
    """The names of the scripts in `DRAWN_WITH` and of all that they import, without what Streamlit's document has.

    One that Streamlit calls something else is left out: then it comes later.
    """
    scripts, document = _STATIC / "static" / "js", (_STATIC / "index.html").read_text(encoding="utf-8")
    wanted = [path.name for stem in DRAWN_WITH for path in scripts.glob(f"{stem}.*.js")]
    for name in wanted:
        imported = dict.fromkeys(_IMPORTED.findall((scripts / name).read_text(encoding="utf-8")))
        wanted += [script for script in imported if script not in wanted and f"/{script}" not in document]
    return wanted


def pack_ahead() -> None:
    """Pack all scripts that the document names, so that the first reader does not wait for it."""
    for name in (*_SCRIPT_NAME.findall((_STATIC / "index.html").read_text(encoding="utf-8")), *scripts_ahead()):
        BUNDLE.pack(f"/static/js/{name}")
