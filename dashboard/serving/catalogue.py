"""Lists every address of open data, as a page, as JSON and as OpenAPI; and the files that crawlers read."""

from html import escape
from urllib.parse import quote
from xml.sax.saxutils import escape as xml

import orjson
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from benchhealth.analytics.indicators import INDICATORS
from benchhealth.analytics.record.tables import PUBLISHED, TABLES
from benchhealth.dashboard.figures.chart import ChartSpec
from benchhealth.dashboard.published.benchmarks import assessed_on
from benchhealth.dashboard.published.generation import View, columns_of
from benchhealth.dashboard.published.questions import FILE_ROWS
from benchhealth.dashboard.replies.reply_list import REPLIES
from benchhealth.dashboard.serving.described.openapi import FORMS_OF_CHARTS, PARQUET, Address, document
from benchhealth.dashboard.serving.described.parameters import (
    BENCHMARK,
    MONTH,
    OEMBED,
    QUESTION,
    REPORTED,
    SEARCH,
    STORY,
    TEXT,
    THEME,
    Parameter,
    of_chart,
    of_reply,
)
from benchhealth.dashboard.serving.responses import endpoint, for_reader, listing
from benchhealth.dashboard.serving.tables import ALL_ORIGINS
from benchhealth.dashboard.words.terms.citing import QUOTING
from benchhealth.warehouse.sharing import csvw

_FIXED_ADDRESSES = (
    Address("/data/{table}.csv", "A table of the generation as CSV, without formulas.", "text/csv"),
    Address("/data/{table}.parquet", "The same as Parquet; parts of the file can be asked for (Range).", PARQUET),
    Address(
        f"/data/{{table}}.csv{csvw.SUFFIX}",
        "What the columns of that CSV mean, as W3C's metadata for tables; each CSV names it in its header Link.",
        csvw.MEDIA_TYPE,
    ),
    Address(
        "/data/{source}/{table}.csv",
        "The rows of a source that has terms of its own; also as parquet.",
        "text/csv",
        also={"parquet": PARQUET},
    ),
    Address(
        "/csv/{page_table}",
        "A table as a page shows it, as CSV without formulas; the parameters are those of the page.",
        "text/csv",
        open_ended=True,
    ),
    Address(
        "/query.csv",
        f"At most {FILE_ROWS:,} rows of the answer to one SELECT over these tables; also as json and arrow.",
        "text/csv",
        {"sql": Parameter("one SELECT in the SQL of DuckDB", TEXT, "SELECT name FROM benchmark", required=True)},
        also={"json": "QueryAnswer", "arrow": "application/vnd.apache.arrow.file"},
    ),
    Address("/badge/{benchmark}.svg", "The stage of a benchmark, for its readme.", "image/svg+xml"),
    Address(
        "/embed/card",
        "The verdict card of a benchmark, for a frame.",
        "text/html",
        {"benchmark": BENCHMARK.must, "theme": THEME},
    ),
    Address("/share/{page}.png", "The picture that a link to a page shows, 1200 x 630 pixels.", "image/png"),
    Address("/share/{page}/{benchmark}.png", "The same of a page about a benchmark or a model.", "image/png"),
    Address(
        "/oembed",
        "What a link to a page or a chart of this dashboard shows where it is pasted, as oEmbed.",
        "OEmbed",
        OEMBED,
    ),
    Address(
        "/audit",
        "A form; what is sent there (POST, `file`, at most 20 MB) is answered as the card of that leaderboard.",
        "text/html",
    ),
    Address(
        "/report.pdf",
        "Two pages on a benchmark or on a domain; also as html.",
        "application/pdf",
        REPORTED,
        also={"html": "text/html"},
    ),
    Address(
        "/feed.xml",
        "What changed, as an Atom feed; of a question to the desk its answer.",
        "application/atom+xml",
        {"benchmark": BENCHMARK, **QUESTION},
    ),
    Address(
        "/feed.json",
        "The answer to a question to the desk, as a JSON Feed.",
        "application/feed+json",
        {**QUESTION, "domain": QUESTION["domain"].must},
    ),
    Address("/digest.html", "A month on one page, which prints.", "text/html", {"month": MONTH}),
    Address(
        "/decision.pdf",
        "Two pages on the answer to a question to the desk; also as html.",
        "application/pdf",
        {**QUESTION, "domain": QUESTION["domain"].must},
        also={"html": "text/html"},
    ),
    Address(
        "/cite/{csv}",
        "How to cite the table at that address of a CSV, and to take it with pandas, polars, R and SQL.",
        "text/plain",
        open_ended=True,
    ),
    Address("/edition/", "The editions that are kept: month, files, bytes, hash, DOI.", "application/json"),
    Address(
        "/edition/{month}/croissant.json",
        "An edition described as Croissant; each of its files lies beside it, the same bytes for ever.",
        "application/json",
    ),
    Address("/search.json", "What the search of the pages finds.", "SearchAnswer", SEARCH),
    Address("/glossary.json", "The terms of the dashboard with their meanings.", "Terms"),
    Address(
        "/story.pdf",
        "A story on at most three sheets; also as html.",
        "application/pdf",
        {"story": STORY},
        {"html": "text/html"},
    ),
    Address("/meta.json", "The generation: its day, tables, columns, rows and sources.", "Generation"),
    Address("/readyz", "Whether a generation is served, and what is wrong beside it.", "State"),
    Address("/healthz", "Whether the process answers at all.", "State"),
)
"""The addresses beside those of replies and of charts."""


def addresses(charts: tuple[ChartSpec, ...]) -> list[Address]:
    """Every address whose answer stays where it is: the fixed ones, and those of all replies and charts."""
    listed = list(_FIXED_ADDRESSES)
    for reply in REPLIES.values():
        path, meaning = f"/reply/{reply.name}.json", f"{reply.gives} As JSON."
        listed.append(Address(path, meaning, "Reply", of_reply(reply), open_ended=reply.open_ended))
    for spec in sorted(charts, key=lambda one: one.name):
        query = {**of_chart(spec), "theme": THEME}
        forms = "also as json, as plotly (the figure), and as txt to cite and to take them"
        meaning = f"The rows that the chart {spec.name} draws; {forms}."
        listed.append(Address(f"/chart/{spec.name}.csv", meaning, "text/csv", of_chart(spec), FORMS_OF_CHARTS))
        listed.append(Address(f"/embed/{spec.name}", f"The chart {spec.name} for a frame.", "text/html", query))
    return listed


def routes(url_paths: tuple[str, ...], charts: tuple[ChartSpec, ...]) -> list[Route]:
    """The routes; `url_paths` are the addresses of pages, the first at the root."""
    listed = addresses(charts)

    def api(request: Request) -> Response:
        return _described(request, listed)

    def openapi(request: Request) -> Response:
        body = orjson.dumps(document(listed, str(request.base_url)))
        return Response(body, media_type="application/json", headers=ALL_ORIGINS)

    @endpoint
    def sitemap(view: View, request: Request) -> Response:
        return Response(_sitemap(view.shared(), url_paths, str(request.base_url)), media_type="application/xml")

    return [
        Route("/api", lambda _request: RedirectResponse("./api/", status_code=308)),
        Route("/api/", api),
        Route("/api/openapi.json", openapi),
        Route("/llms.txt", _llms),
        Route("/robots.txt", _robots),
        Route("/sitemap.xml", sitemap),
    ]


def _llms(request: Request) -> Response:
    """For language models: what is here, which addresses reply, and when a verdict may be repeated."""
    base = str(request.base_url)
    replies = [f"- [{reply.name}]({base}reply/{reply.name}.json): {reply.gives}" for reply in REPLIES.values()]
    lines = (
        "# benchhealth",
        "",
        "> Is this AI benchmark still measuring anything? One answer to each of ten questions about every benchmark, "
        "with the day until which it is known, the condition that it is about, and its sources.",
        "",
        *(f"- {rule}" for rule in QUOTING),
        "",
        "## Replies (JSON)",
        "",
        *replies,
        "",
        "## Data",
        "",
        f"- [All addresses]({base}api/): tables with the meaning of every column, charts, badges, reports",
        f"- [OpenAPI]({base}api/openapi.json)",
        f"- [SQL]({base}query.json?sql=SELECT%20name%20FROM%20benchmark): one SELECT, at most {FILE_ROWS:,} rows",
        f"- [What changed]({base}feed.xml)",
        "",
        "## Pages",
        "",
        f"- [The map of all benchmarks]({base})",
        f"- [How everything is computed]({base}methods)",
        "",
    )
    return Response("\n".join(lines), media_type="text/plain; charset=utf-8", headers=ALL_ORIGINS)


def _robots(request: Request) -> Response:
    lines = (
        "User-agent: *",
        "Disallow: /_stcore/",
        "Disallow: /query.",
        "Disallow: /report.pdf",
        "Disallow: /decision.",
        "Disallow: /story.pdf",
        "Disallow: /audit",
        "Allow: /",
    )
    return PlainTextResponse("\n".join([*lines, f"Sitemap: {request.base_url}sitemap.xml", ""]))


def _described(request: Request, listed: list[Address]) -> Response:
    """The list of addresses: a page for browsers, JSON for programs."""
    if for_reader(request.headers):
        return HTMLResponse(_page(listed), headers={"Vary": "Accept"})
    body = {
        "about": "benchhealth: is this AI benchmark still measuring anything? Open data by address.",
        "openapi": "openapi.json",
        "tables": list(PUBLISHED),
        "columns": {
            name: {"row": table.row, "key": list(table.key), "columns": columns_of(name)}
            for name, table in TABLES.items()
        },
        "indicators": {indicator.key: {"title": indicator.title, "unit": indicator.unit} for indicator in INDICATORS},
        "caching": "answers carry the generation as their ETag; If-None-Match is answered with 304",
        "withheld": "rows that may not be passed on are left out and counted in the header X-Withheld-Rows",
        "addresses": [
            {"path": address.path, "gives": address.gives, "type": address.media_type, "query": address.parameters}
            for address in listed
        ],
    }
    return Response(orjson.dumps(body), media_type="application/json", headers={**ALL_ORIGINS, "Vary": "Accept"})


def _page(listed: list[Address]) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(address.path)}{'?' if address.query else ''}"
        f"{'&amp;'.join(f'{name}=…' for name in address.query)}</code></td><td>{escape(address.gives)}</td></tr>"
        for address in listed
    )
    tables = "".join(_section(name) for name in TABLES)
    return listing(
        "Open data by address",
        "<p>Every address is stable. Answers carry the generation that they are made of as their ETag. Rows that may "
        "not be passed on are left out, and counted in the header <code>X-Withheld-Rows</code>. For programs: "
        '<a href="openapi.json">OpenAPI</a>, or this page as JSON (ask without <code>Accept: text/html</code>). '
        '<a href="../data">Data</a> explains where everything comes from.</p>'
        f"<table>{rows}</table><h2>Tables</h2>{tables}",
    )


def _section(name: str) -> str:
    """A table with where to take it and what its columns mean."""
    rows = "".join(
        f"<tr><td><code>{escape(column['column'])}</code></td><td>{escape(column['type'])}</td>"
        f"<td>{escape(column['unit'])}</td><td>{escape(column['meaning'])}</td></tr>"
        for column in columns_of(name)
    )
    return (
        f"<details><summary><code>{name}</code>: a row is {escape(TABLES[name].row)}. "
        f'<a href="../data/{name}.csv">CSV</a> <a href="../data/{name}.parquet">Parquet</a></summary>'
        f"<table>{rows}</table></details>"
    )


def _sitemap(view: View, url_paths: tuple[str, ...], base: str) -> str:
    rows = view.table("benchmark").filter("curated")["benchmark_id"].sort()
    on = assessed_on(view)
    changed = f"<lastmod>{on.isoformat()}</lastmod>" if on else ""
    paths = ["", *url_paths[1:], *(f"benchmark?benchmark={quote(benchmark_id)}" for benchmark_id in rows)]
    items = "".join(f"<url><loc>{xml(base + path)}</loc>{changed}</url>\n" for path in paths)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        f"{items}</urlset>\n"
    )
