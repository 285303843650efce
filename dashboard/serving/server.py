"""The server: Streamlit's own application with routes beside it, for machines and for downloads."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from analytics.record.tables import PUBLISHED
from dashboard.pages import PAGES
from dashboard.published import generation
from dashboard.published.csv import neutral_csv
from dashboard.published.generation import View
from dashboard.published.tables import ParameterError
from dashboard.serving import document
from dashboard.serving.options import SERVER_OPTIONS
from warehouse.read import NoGeneration

ENTRY_SCRIPT = Path(__file__).with_name("entry") / "app.py"
TABLES = {table.name: table for spec in PAGES for table in spec.tables}
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    # Everything the page needs is on this host; Streamlit's own bundle evaluates code and sets inline styles.
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
        "connect-src 'self' ws: wss: data: blob:; worker-src 'self' blob:; frame-ancestors 'self'"
    ),
}


def serve(home: Path, port: int, host: str = "127.0.0.1") -> None:
    """Serve the dashboard over the generations published in `home` until the process is told to stop."""
    application(home).run(config={**SERVER_OPTIONS, "server.address": host, "server.port": port})


def application(home: Path) -> st.App:
    """The ASGI application. One a process: where generations are read from is the process's own state."""
    generation.use(home)
    return st.App(
        ENTRY_SCRIPT.resolve(),
        routes=[
            Route("/readyz", readyz),
            Route("/meta.json", meta),
            Route("/csv/{name}", table_csv),
            *document.routes(tuple(spec.url_path for spec in PAGES)),
        ],
        middleware=[Middleware(_Headers)],
    )


def readyz(_request: Request) -> Response:
    """200 with the generation's name where one can be read, 503 with the reason otherwise."""
    try:
        view = generation.current()
        view.table("verdict")
    except NoGeneration as missing:
        return PlainTextResponse(f"not ready: {missing}\n", status_code=503)
    return PlainTextResponse(f"ready: {view.name}\n")


def meta(request: Request) -> Response:
    """The generation as JSON: name, day, rules, tables with their columns and rows, sources, CSV routes."""
    return _answer(request, lambda view: orjson.dumps(described(view)), "application/json")


def described(view: View) -> dict[str, Any]:
    """What `/meta.json` says."""
    verdicts = view.table("verdict").select("rules_version", "as_of").unique()
    return {
        "generation": view.name,
        "as_of": verdicts["as_of"].max(),
        "rules_version": sorted(verdicts["rules_version"].drop_nulls()),
        "tables": {
            name: {
                "columns": {column: str(kind) for column, kind in schema.items()},
                "rows": view.query(f'SELECT count(*) AS rows FROM "{name}"').item(),  # noqa: S608 - the contract's names
            }
            for name, schema in PUBLISHED.items()
        },
        "sources": view.table("source").to_dicts(),
        "csv": sorted(f"csv/{name}" for name in TABLES),
    }


def table_csv(request: Request) -> Response:
    """A table that a page shows, as CSV without formulas. The parameters are the ones of the page."""
    name = str(request.path_params["name"])
    if name not in TABLES:
        return PlainTextResponse(f"no such table; there are {', '.join(sorted(TABLES))}\n", status_code=404)
    params = dict(request.query_params)
    try:
        answer = _answer(request, lambda view: neutral_csv(TABLES[name].build(view, params)), "text/csv; charset=utf-8")
    except ParameterError as refused:
        return PlainTextResponse(f"{refused}\n", status_code=400)
    answer.headers["Content-Disposition"] = f'attachment; filename="benchhealth-{name}.csv"'
    return answer


def _answer(request: Request, body: Callable[[View], bytes], media_type: str) -> Response:
    """The body for the newest generation; unchanged where the client has that generation already."""
    try:
        view = generation.current()
    except NoGeneration as missing:
        return PlainTextResponse(f"not ready: {missing}\n", status_code=503)
    headers = {"ETag": f'"{view.name}"', "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(body(view), media_type=media_type, headers=headers)


class _Headers:
    """Adds the security headers to every HTTP answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)
