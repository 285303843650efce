"""Charts by address, outside the page script: what is drawn as CSV or JSON, a citation, and the chart for a frame.

All of it holds only what may leave. Answers carry the generation as their ETag.
"""

from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

import orjson
from plotly.io import to_json
from plotly.offline import get_plotlyjs
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing
from benchhealth.dashboard.figures.moved import with_moved
from benchhealth.dashboard.figures.palette import DARK, FACES, FONT, HEADING_FONT, LIGHT
from benchhealth.dashboard.guard.headers import CONTENT_POLICY, EMBEDDED, FROM_ANYWHERE
from benchhealth.dashboard.published.files import editions
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.replies.cited import figure_of
from benchhealth.dashboard.serving.packed import compressed
from benchhealth.dashboard.serving.responses import WITHHELD, response_to
from benchhealth.dashboard.words.terms.citing import Cited, as_text, citation_forms
from benchhealth.warehouse.sharing.csv import neutral_csv


def routes(charts: tuple[ChartSpec, ...]) -> list[Route]:
    """The routes of all charts."""
    named = with_moved(charts)

    def rows(request: Request) -> Response:
        spec = named.get(request.path_params["name"])
        if spec is None:
            return PlainTextResponse(f"no such chart; there are {', '.join(sorted(named))}\n", status_code=404)
        return _answer(request, spec, str(request.path_params["form"]))

    def embed(request: Request) -> Response:
        spec = named.get(request.path_params["name"])
        if spec is None:
            return PlainTextResponse("no such chart\n", status_code=404)
        return _answer(request, spec, "embed")

    return [
        Route("/chart/{name}.{form:str}", rows),
        Route("/embed/{name}", embed),
        Route("/plotly.js", _plotly),
        Route("/embed.js", _embed_script),
    ]


def _answer(request: Request, spec: ChartSpec, form: str) -> Response:
    makers = {"csv": _csv, "json": _json, "plotly": _plotly_json, "txt": _text, "embed": _embed}
    if form not in makers:
        return PlainTextResponse("a chart comes as csv, json, plotly or txt\n", status_code=404)

    def made(view: View) -> Response:
        params = dict(request.query_params)
        chart = spec.of(view.shared(), params, DARK if params.get("theme") == "dark" else LIGHT)
        if isinstance(chart, Nothing):
            return PlainTextResponse(f"no chart: {chart.reason}\n", status_code=404)
        unfiltered = spec.of(view, params, LIGHT)
        withheld = max(0, unfiltered.rows.height - chart.rows.height) if isinstance(unfiltered, Chart) else 0
        answer = makers[form](chart, spec, view, request)
        answer.headers[WITHHELD] = str(withheld)
        return answer

    return response_to(request, made)


def _csv(chart: Chart, spec: ChartSpec, _view: View, _request: Request) -> Response:
    named = {"Content-Disposition": f'attachment; filename="benchhealth-{spec.name}.csv"'}
    return Response(neutral_csv(chart.rows), media_type="text/csv; charset=utf-8", headers=named)


def _json(chart: Chart, spec: ChartSpec, view: View, _request: Request) -> Response:
    body = {
        "chart": spec.name,
        "title": chart.title,
        "subtitle": chart.subtitle,
        "known_until": chart.known_until,
        "sources": [vars(source) for source in chart.sources],
        "method": f"methods#{chart.method}",
        "generation": view.name,
        "rows": chart.rows.to_dicts(),
    }
    return Response(orjson.dumps(body, default=str), media_type="application/json")


def _plotly_json(chart: Chart, _spec: ChartSpec, view: View, _request: Request) -> Response:
    return Response(orjson.dumps(figure_of(chart, view.name)), media_type="application/json")


def _text(chart: Chart, spec: ChartSpec, view: View, request: Request) -> Response:
    base, params = str(request.base_url), dict(request.query_params)
    page = f"{base}{spec.embed_address(params)}"
    cited = Cited(
        text=chart.citation(view.name, page),
        title=chart.title,
        key=spec.name,
        generation=view.name,
        known_until=chart.known_until,
        page=page,
        csv=f"{base}{spec.address('csv', params)}",
    )
    return PlainTextResponse(as_text([*citation_forms(cited), *_in_edition(spec, params, base)]))


def _in_edition(spec: ChartSpec, params: Mapping[str, str], base: str) -> list[tuple[str, str]]:
    """The chart as it was said in the newest edition, whose address answers with the same bytes for ever."""
    file = editions.chart_file(spec.name, {name: params[name] for name in spec.params if params.get(name)})
    edition = editions.newest_with(file)
    return [(f"Edition {edition.month}", f"{base}edition/{edition.month}/{file}")] if edition else []


def _embed(chart: Chart, _spec: ChartSpec, view: View, request: Request) -> Response:
    colours = DARK if request.query_params.get("theme") == "dark" else LIGHT
    values = {
        "title": escape(chart.title),
        "subtitle": escape(chart.subtitle),
        "alt": escape(chart.alt, quote=True),
        "source": escape(f"{chart.source_text()} · benchhealth, generation {view.name}"),
        "paper": colours.paper,
        "ink": colours.ink,
        "ink2": colours.ink2,
        "font": FONT,
        "heading": HEADING_FONT,
        "faces": faces(),
        "figure": _figure(chart),
    }
    page = Template(files(__package__).joinpath("embed.html").read_text(encoding="utf-8"))
    headers = {CONTENT_POLICY: EMBEDDED, **FROM_ANYWHERE}
    return Response(page.substitute(values), media_type="text/html", headers=headers)


def _figure(chart: Chart) -> str:
    """The figure as JSON inside HTML. Plotly's WebGL traces evaluate code, which the frame's policy forbids."""
    figure = orjson.loads(str(to_json(chart.figure, validate=False)))
    for trace in figure["data"]:
        trace["type"] = trace["type"].removesuffix("gl")
    return orjson.dumps(figure).decode().replace("<", "\\u003c")


@cache
def faces() -> str:
    """The dashboard's faces for a frame without Streamlit, whose files they are; without them, the system's own."""
    media = Path(str(files("streamlit") / "static" / "static" / "media"))
    return "\n".join(
        f'@font-face {{ font-family: "{name}"; src: url("../static/media/{path.name}") format("woff2"); '
        "font-weight: 200 900; font-display: swap; }"
        for name, file in FACES.items()
        for path in sorted(media.glob(f"{file}.*.woff2"))
    )


def _plotly(request: Request) -> Response:
    caching_for_a_day = {"Cache-Control": "public, max-age=86400"}
    return compressed(request, get_plotlyjs().encode(), "text/javascript", caching_for_a_day)


def _embed_script(request: Request) -> Response:
    script = files(__package__).joinpath("embed.js").read_bytes()
    return compressed(request, script, "text/javascript", {"Cache-Control": "no-cache"})
