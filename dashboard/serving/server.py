"""The server: Streamlit's own application with routes beside it, for machines and for downloads."""

import gc
import logging
import os
import socket
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any

import orjson
import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.figures import moved
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.guard import heads
from benchhealth.dashboard.guard.headers import Guarded
from benchhealth.dashboard.guard.hosts import Hosts, KnownHosts
from benchhealth.dashboard.guard.login import LoggedIn, Login
from benchhealth.dashboard.guard.pace import Paced
from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.pages.benchmark import head
from benchhealth.dashboard.pages.benchmark.page import CURVE
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.benchmarks import benchmarks, best_known
from benchhealth.dashboard.published.files import editions as kept_editions
from benchhealth.dashboard.published.generation import SharedView, View, columns_of
from benchhealth.dashboard.serving import (
    badges,
    catalogue,
    charts,
    document,
    downloads,
    packed,
    replies,
    share,
    tables,
)
from benchhealth.dashboard.serving.described import oembed
from benchhealth.dashboard.serving.downloads import Download
from benchhealth.dashboard.serving.entry.regrouped import Regrouped
from benchhealth.dashboard.serving.feeds import changes
from benchhealth.dashboard.serving.operating import health as watched
from benchhealth.dashboard.serving.operating.health import Clock, healthz, metrics, readyz
from benchhealth.dashboard.serving.options import SERVER_OPTIONS
from benchhealth.dashboard.serving.printed import audit, card, citations, digest, editions, reports, stories
from benchhealth.dashboard.serving.responses import Absent, answered_async, caching_headers, endpoint
from benchhealth.dashboard.widgets import wrong
from benchhealth.warehouse.objects.generations import Follower
from benchhealth.warehouse.read import NoGeneration

ENTRY_SCRIPT = Path(__file__).with_name("entry") / "app.py"
IMPORTED_FIRST = "pandas"
"""Imported before any thread starts: Plotly takes it for imported as soon as another thread has begun, and fails."""

REFUSED_IMPORT = "matplotlib.pyplot"
"""Kept from being imported: pandas imports it for coloured tables, which no page has. That takes a second, and several
where matplotlib has no list of fonts yet."""

TABLES = {table.name: table for spec in PAGES for table in spec.tables}


def serve(  # noqa: PLR0913 - what an operator may set
    home: Path,
    port: int,
    host: str = "127.0.0.1",
    report_url: str | None = None,
    clock: Clock | None = None,
    *,
    hosts: str | None = None,
    login: Path | None = None,
    follower: Follower | None = None,
) -> None:
    """Serve the dashboard over the generations published in `home` until the process is told to stop.

    `report_url`: where *Something wrong?* leads (`dashboard.widgets.wrong`). `clock`: the present instant, for the ages
    in `/readyz` and `/metrics`, which tell none without it. `hosts`: the names under which it answers besides its own
    (`dashboard.guard.hosts`). `login`: the secrets file of the login that it demands (`dashboard.guard.login`).
    `follower`: what keeps the home in step with an address. Raises HostsError, LoginError, and OSError for a port
    that is taken.
    """
    _try_port(host, port)
    wrong.use(report_url)
    demanded = Login.read(login) if login else None
    app = application(home, Hosts.of(hosts, host), demanded, clock, follower)
    options = {**SERVER_OPTIONS, "server.address": host, "server.port": port}
    if demanded:
        options["secrets.files"] = [str(demanded.secrets)]
    logging.getLogger(__name__).info("serving on http://%s:%d (Ctrl+C ends it)", host, port)
    sys.modules[REFUSED_IMPORT] = None  # type: ignore[assignment]  # refused, as if it were not installed
    import_module(IMPORTED_FIRST)
    heads.limit_heads()
    Thread(target=prepare, daemon=True).start()
    app.run(config=options)


def _try_port(host: str, port: int) -> None:
    """Raise OSError where nothing can listen there, before threads have begun that would end with the process."""
    try:
        socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else error
        raise OSError(f"nothing can listen on port {port} of {host}: {why}; --port takes another") from error


def prepare() -> None:
    """Draw and pack what the first reader would otherwise wait for.

    What the program itself is made of is no longer looked through for garbage: that took 0.1 s of every tenth visit.
    """
    gc.collect()
    gc.freeze()
    draw_first_page()
    document.pack_ahead()
    share.warm()


def draw_first_page() -> None:
    """Draw the charts of the first page, which are kept, so that the first reader does not wait for them.

    The best known benchmark is drawn too: what that reads of the generation all benchmarks share. Without a generation
    there is nothing to draw: pages and `/readyz` say so.
    """
    with suppress(NoGeneration):
        view = generation.current()
        for chart in PAGES[0].charts:
            chart.of(view, {}, LIGHT)
        for benchmark_id in best_known(benchmarks(view))["benchmark_id"].head(1):
            head.of_benchmark(view, benchmark_id)
            CURVE.of(view, {"benchmark": benchmark_id}, LIGHT)


def application(
    home: Path,
    hosts: Hosts,
    login: Login | None = None,
    clock: Clock | None = None,
    follower: Follower | None = None,
) -> st.App:
    """The ASGI application. A process can have only one: which home generations are read from is global state."""
    generation.use(home)
    watched.use(home, clock, follower)
    downloads.use(home)
    kept_editions.use(home)
    paths = tuple(spec.url_path for spec in PAGES)
    drawn = tuple(spec for page in PAGES for spec in page.charts)
    return st.App(
        ENTRY_SCRIPT.resolve(),
        routes=[
            packed.BUNDLE,
            Route("/healthz", healthz),
            Route("/readyz", readyz),
            Route("/metrics", metrics),
            Route("/meta.json", meta),
            *tables.routes(TABLES),
            Route("/csv/{name}", table_csv),
            Route("/csv/{source}/{name}", table_csv),
            *changes.routes(),
            *replies.routes(),
            *card.routes(),
            *charts.routes(drawn),
            *badges.routes(with_login=login is not None),
            Regrouped(),
            *reports.routes(),
            *audit.routes(),
            *citations.routes(),
            *digest.routes(),
            *stories.routes(),
            *editions.routes(),
            *catalogue.routes(paths, drawn),
            *share.routes(PAGES, with_login=login is not None),
            *oembed.routes(PAGES),
            *document.routes(PAGES),
            Absent(paths, with_login=login is not None),
        ],
        middleware=guards(hosts, login),
    )


def guards(hosts: Hosts, login: Login | None) -> list[Middleware]:
    """The middleware before every answer, of these routes and of Streamlit alike: headers, hosts, login, pace."""
    return [
        Middleware(Guarded),
        Middleware(KnownHosts, hosts=hosts),
        *([Middleware(LoggedIn, login=login)] if login else []),
        Middleware(Paced),
    ]


@endpoint
def meta(view: View, _request: Request) -> Response:
    """What may leave of the generation as JSON: name, day, rules, tables (columns, row counts), sources, CSV routes."""
    return Response(orjson.dumps(meta_contents(view.shared())), media_type="application/json")


def meta_contents(view: SharedView) -> dict[str, Any]:
    """The contents of `/meta.json`: generation, day of assessment, version of rules, and schema of each table."""
    verdicts = view.table("verdict").select("rules_version", "as_of").unique()
    return {
        "generation": view.name,
        "as_of": verdicts["as_of"].max(),
        "rules_version": sorted(verdicts["rules_version"].drop_nulls()),
        "tables": {
            name: {
                "columns": {column: str(kind) for column, kind in schema.items()},
                "described": columns_of(name),
                "rows": view.query(f'SELECT count(*) AS rows FROM "{name}"').item(),  # noqa: S608 - the contract's names
                "withheld": view.withheld(name),
            }
            for name, schema in PUBLISHED.items()
        },
        "sources": view.table("source").to_dicts(),
        "csv": sorted(f"csv/{name}" for name in TABLES),
        "csv_under_own_terms": [
            f"csv/{source}/{name}"
            for source in view.with_own_terms
            for name in sorted(TABLES)
            if TABLES[name].published
        ],
    }


async def table_csv(request: Request) -> Response:
    """A table that a page shows, as CSV without formulas and without what may not leave.

    The parameters are the ones of the page. `/csv/<source>/<name>` has the rows of one source that has terms of its
    own; only published tables are there. The header X-Withheld-Rows says how many rows were left out.
    """
    name, source_id = str(request.path_params["name"]), request.path_params.get("source")
    table = TABLES.get(moved.TABLES.get(name, name))
    if table is None or (source_id and not table.published):
        return PlainTextResponse(f"no such table; there are {', '.join(sorted(TABLES))}\n", status_code=404)
    params = {} if table.published and name in moved.TABLES else dict(request.query_params)

    async def made(view: View) -> Response:
        headers = {**caching_headers(view), **(tables.described_by(request) if table.published else {})}
        return await Download(table, view, params, source_id).answer(headers)

    return await answered_async(request, made)
