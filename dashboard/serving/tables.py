"""Tables by address: those of the contract as CSV and Parquet, and answers to questions in SQL."""

from collections.abc import AsyncIterator, Mapping
from typing import BinaryIO

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from benchhealth.analytics.record.tables import PUBLISHED, TABLES
from benchhealth.dashboard.published import generation, questions
from benchhealth.dashboard.published.generation import PublishedTable, View
from benchhealth.dashboard.serving import downloads
from benchhealth.dashboard.serving.downloads import CSV, FORMS, Download
from benchhealth.dashboard.serving.responses import WITHHELD, answered_async, caching_headers, is_known, reader, refusal
from benchhealth.warehouse.sharing import csvw

ALL_ORIGINS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": f"Accept-Ranges, Content-Range, ETag, Link, Retry-After, {WITHHELD}",
}
"""Open data may be read by the scripts of any page, and what is said of it."""

MEDIA: Mapping[str, str] = {"csv": CSV, "json": "application/json", "arrow": "application/vnd.apache.arrow.file"}
"""The forms in which a table is sent, with the media type of each."""


def routes(tables: Mapping[str, PublishedTable]) -> list[Route]:
    """The routes; `tables` are all that the dashboard knows, by name."""
    published = {table.published: table for table in tables.values() if table.published}
    files = {file: name for name, table in published.items() for file in (table.name, f"{name}.csv")}

    async def data(request: Request) -> Response:
        name, form = str(request.path_params["name"]), str(request.path_params["form"])
        if name not in published or form not in FORMS:
            message = f"no such table; as csv or parquet there are {', '.join(sorted(PUBLISHED))}\n"
            return PlainTextResponse(message, status_code=404)
        source_id = request.path_params.get("source")

        async def made(view: View) -> Response:
            described = described_by(request) if form == "csv" else {}
            headers = {**caching_headers(view), **ALL_ORIGINS, **described}
            return await Download(published[name], view, dict(request.query_params), source_id, form).answer(headers)

        return await answered_async(request, made)

    async def columns(request: Request) -> Response:
        file = request.url.path.rsplit("/", 1)[-1].removesuffix(csvw.SUFFIX)
        table = files.get(file)
        if table is None:
            return PlainTextResponse("no columns are described here; /api/ lists every table\n", status_code=404)
        try:
            source_id = request.path_params.get("source")
            if source_id and source_id not in (await run_in_threadpool(generation.current)).shared().with_own_terms:
                return PlainTextResponse("this source has no files of its own\n", status_code=404)
        except Exception as refused:
            return refusal(refused)
        body = orjson.dumps(csvw.description(TABLES[table], file))
        return Response(body, media_type=csvw.MEDIA_TYPE, headers=ALL_ORIGINS)

    return [
        *(Route(f"/{below}/{{name}}{csvw.SUFFIX}", columns) for below in ("csv", "csv/{source}")),
        *(Route(f"/{below}/{{name}}.csv{csvw.SUFFIX}", columns) for below in ("data", "data/{source}")),
        Route("/data/{name}.{form:str}", data),
        Route("/data/{source}/{name}.{form:str}", data),
        Route("/query.{form:str}", _query),
    ]


def described_by(request: Request) -> dict[str, str]:
    """The header that leads from the CSV at this address to what its columns mean."""
    file = request.url.path.rsplit("/", 1)[-1]
    return {"Link": f'<{file}{csvw.SUFFIX}>; rel="describedby"; type="{csvw.MEDIA_TYPE}"'}


async def _query(request: Request) -> Response:
    """The answer to the SQL in the parameter `sql`, as csv, json or arrow."""
    form, sql = request.path_params["form"], request.query_params.get("sql", "")
    if form not in MEDIA:
        return PlainTextResponse("an answer comes as csv, json or arrow\n", status_code=404)
    try:
        view = await run_in_threadpool(generation.current)
        if is_known(request, view):
            return Response(status_code=304, headers=caching_headers(view))
        room = await run_in_threadpool(downloads.room)
        answer_file = await questions.write(view, sql, form, reader(request), room)
    except questions.Refused as refused:
        return PlainTextResponse(f"{refused}\n", status_code=400, headers=ALL_ORIGINS)
    except Exception as error:
        answer = refusal(error)
        answer.headers.update(ALL_ORIGINS)
        return answer
    headers = {**caching_headers(view), **ALL_ORIGINS, WITHHELD: str(sum(answer_file.withheld.values()))}
    before, after = b"", b""
    if form == "csv":
        headers["Content-Disposition"] = 'attachment; filename="benchhealth-query.csv"'
    elif form == "json":
        before, after = _json_ends(answer_file, view, sql)
    headers["Content-Length"] = str(len(before) + answer_file.size + len(after))
    return StreamingResponse(_enclosed(before, answer_file.file, after), media_type=MEDIA[form], headers=headers)


def _json_ends(answer_file: questions.Written, view: View, sql: str) -> tuple[bytes, bytes]:
    """The bytes of the JSON before the rows and after them."""
    facts = {
        "sql": sql,
        "generation": view.name,
        "cut": answer_file.cut,
        "withheld_rows_of_tables_read": answer_file.withheld,
    }
    return orjson.dumps(facts)[:-1] + b',"rows":', b"}"


async def _enclosed(before: bytes, file: BinaryIO, after: bytes) -> AsyncIterator[bytes]:
    yield before
    async for piece in downloads.pieces(file):
        yield piece
    yield after
