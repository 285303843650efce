"""What a link shows where it is shared: tags in the head of a page's document, and a picture by address.

The same head has what programs read of a page: a Dataset of schema.org, and the way to its oEmbed.
"""

from collections.abc import Mapping, Sequence
from html import escape
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from benchhealth.dashboard.figures.picture import HIGH, QUESTION, WIDE, Line, Picture, png
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.benchmarks import assessed_on
from benchhealth.dashboard.published.generation import ParameterError, Params, View
from benchhealth.dashboard.serving.described import dataset
from benchhealth.dashboard.serving.responses import REFUSALS, for_an_hour, response_to
from benchhealth.dashboard.widgets.page import PageSpec, Shared
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.text import one_line, words_within

FOLDER, OEMBED = "share", "oembed"
SUFFIX = ".png"

LONGEST_PARAMETERS = 2_000
"""Characters of the parameters of a picture: an address that is longer has none."""

SHOWN_TITLE, SHOWN_TEXT = 110, 300
"""Characters of title and description that the tags hold: places cut what is longer."""

_WARMED = Picture(QUESTION, QUESTION, None, (Line(QUESTION, QUESTION, QUESTION),), QUESTION)


def routes(pages: Sequence[PageSpec], *, with_login: bool = False) -> list[Route]:
    """The pictures of all pages."""
    named = {spec.url_path: spec for spec in pages}
    headers = for_an_hour(with_login=with_login)

    def answer(request: Request) -> Response:
        page = str(request.path_params["page"])
        spec = named.get(page)
        if spec is None:
            return PlainTextResponse(f"no such page; there are {', '.join(sorted(named))}\n", status_code=404)
        return _document_response(request, spec, headers)

    return [
        Route(f"/{FOLDER}/{{page}}{SUFFIX}", answer),
        Route(f"/{FOLDER}/{{page}}/{{first:path}}{SUFFIX}", answer),
    ]


def _document_response(request: Request, spec: PageSpec, headers: Mapping[str, str]) -> Response:
    def made(view: View) -> Response:
        params = dict(request.query_params)
        if first := request.path_params.get("first"):
            if spec.shared is None or not spec.shared.params:
                return PlainTextResponse("this page has one picture\n", status_code=404)
            params[spec.shared.params[0]] = str(first)
        try:
            return Response(picture_png(view.shared(), spec, params), media_type="image/png")
        except ParameterError:
            return PlainTextResponse("no such picture\n", status_code=404)

    return response_to(request, made, headers)


def picture_png(view: View, spec: PageSpec, params: Params) -> bytes:
    """The picture of a page with these parameters, kept for the generation among what was asked for last.

    Raises ParameterError where the parameters name nothing that there is.
    """
    used = of_page(spec.shared, params)
    key = ("picture of a link", spec.url_path, tuple(sorted(used.items())))
    return view.recent(key, lambda: png(picture_of(view, spec, used)))


def picture_of(view: View, spec: PageSpec, params: Params) -> Picture:
    """What a link to the page with these parameters shows. Raises as `picture_png`."""
    used = of_page(spec.shared, params)
    try:
        picture = None if spec.shared is None else spec.shared.of(view, used)
    except ParameterError:
        if used:
            raise
        picture = None
    return picture or Picture(QUESTION, f"{spec.title} · benchhealth", source=edition(view))


def edition(view: View) -> str:
    """The last line of a picture: until which day it holds."""
    day = assessed_on(view)
    return f"as of {day_of(day)} · facts under the licences of their sources" if day else ""


def of_page(shared: Shared | None, params: Params) -> dict[str, str]:
    """Those of the parameters that the page's picture reads. Raises ParameterError where they are too long."""
    used = {name: params[name] for name in (shared.params if shared else ()) if params.get(name)}
    if sum(map(len, used.values())) > LONGEST_PARAMETERS:
        raise ParameterError(f"at most {LONGEST_PARAMETERS:,} characters")
    return used


def address(spec: PageSpec, params: Params) -> str:
    """The address of the picture of a page with these parameters, from the root: `share/benchmark/mmlu.png`."""
    used = of_page(spec.shared, params)
    first = next(iter(spec.shared.params), "") if spec.shared else ""
    segment = f"/{quote(used.pop(first), safe='/')}" if first in used else ""
    return f"{FOLDER}/{spec.url_path}{segment}{SUFFIX}{f'?{urlencode(used, quote_via=quote)}' if used else ''}"


def tags(spec: PageSpec, params: Params, base: str, path: str) -> tuple[str, str] | None:
    """The title of the document of a page and its tags for places that show links; None where nothing can be read.

    `base` is the address of the dashboard with a slash at its end, `path` that of the page below it. Where the
    parameters name nothing that there is, the tags are those of the page without them.
    """
    try:
        view = generation.current().shared()
        try:
            used = of_page(spec.shared, params)
            picture = view.recent(
                ("link to", spec.url_path, tuple(sorted(used.items()))), lambda: picture_of(view, spec, used)
            )
        except ParameterError:
            used = {}
            picture = picture_of(view, spec, used)
    except tuple(REFUSALS):
        return None
    query = f"?{urlencode(used, quote_via=quote)}" if used else ""
    title, url = words_within(one_line(picture.title), SHOWN_TITLE), f"{base}{path}{query}"
    opened = _meta_elements(
        {
            "og:type": "website",
            "og:site_name": "benchhealth",
            "og:title": title,
            "og:description": words_within(one_line(picture.subtitle), SHOWN_TEXT),
            "og:url": url,
            "og:image": f"{base}{address(spec, used)}",
            "og:image:type": "image/png",
            "og:image:width": str(WIDE),
            "og:image:height": str(HIGH),
            "og:image:alt": words_within(picture.alt, SHOWN_TEXT),
        }
    )
    described = dataset.script_element(dataset.dataset(view, spec, used, picture, url, base))
    return title, f"{opened}{_embeddable(url, title, base)}{described}"


def _embeddable(url: str, title: str, base: str) -> str:
    """The element that leads from the page at `url` to what it shows where it is pasted."""
    href = f"{base}{OEMBED}?{urlencode({'url': url, 'format': 'json'}, quote_via=quote)}"
    return (
        '\n    <link rel="alternate" type="application/json+oembed" '
        f'href="{escape(href, quote=True)}" title="{escape(title, quote=True)}" />'
    )


def _meta_elements(properties: Mapping[str, str]) -> str:
    elements = "".join(
        f'\n    <meta property="{name}" content="{escape(value, quote=True)}" />' for name, value in properties.items()
    )
    description = escape(properties["og:description"], quote=True)
    return (
        f'{elements}\n    <meta name="twitter:card" content="summary_large_image" />'
        f'\n    <meta name="description" content="{description}" />'
    )


def warm() -> None:
    """Load the faces, so that the first picture does not wait for them."""
    png(_WARMED)
