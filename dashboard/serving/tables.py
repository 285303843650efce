"""Tables by address: those of the contract as CSV and Parquet, and answers to questions in SQL."""

from collections.abc import Mapping

import orjson
import polars as pl
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.published import generation, questions
from benchhealth.dashboard.published.files.csv import neutral_csv
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.tables import PublishedTable
from benchhealth.dashboard.serving.answers import WITHHELD, caching, is_known, refusal
from benchhealth.dashboard.serving.downloads import CSV, FORMS, Download

ALL_ORIGINS = {"Access-Control-Allow-Origin": "*"}
"""Open data may be read by the scripts of any page."""

NO_CSV = "CSV cannot hold a column of this answer: CAST it AS VARCHAR, or ask for json.\n"


def routes(tables: Mapping[str, PublishedTable]) -> list[Route]:
    """The routes; `tables` are all that the dashboard knows, by name."""
    published = {table.published: table for table in tables.values() if table.published}

    async def data(request: Request) -> Response:
        name, form = str(request.path_params["name"]), str(request.path_params["form"])
        if name not in published or form not in FORMS:
            said = f"no such table; as csv or parquet there are {', '.join(sorted(PUBLISHED))}\n"
            return PlainTextResponse(said, status_code=404)
        try:
            view = await run_in_threadpool(generation.current)
            if is_known(request, view):
                return Response(status_code=304, headers=caching(view))
            of = request.path_params.get("source")
            return await Download(published[name], view, {}, of, form).answer({**caching(view), **ALL_ORIGINS})
        except Exception as refused:
            return refusal(refused)

    return [
        Route("/data/{name}.{form:str}", data),
        Route("/data/{source}/{name}.{form:str}", data),
        Route("/query.{form:str}", _query),
    ]


async def _query(request: Request) -> Response:
    """The answer to the SQL in the parameter `sql`, as csv or json."""
    form, sql = request.path_params["form"], request.query_params.get("sql", "")
    if form not in ("csv", "json"):
        return PlainTextResponse("an answer comes as csv or json\n", status_code=404)
    try:
        view = await run_in_threadpool(generation.current)
        if is_known(request, view):
            return Response(status_code=304, headers=caching(view))
        found = await run_in_threadpool(questions.ask, view, sql, questions.FILE_ROWS)
    except questions.Refused as refused:
        return PlainTextResponse(f"{refused}\n", status_code=400, headers=ALL_ORIGINS)
    except Exception as error:
        return refusal(error)
    return _answer(found, view, sql, form)


def _answer(found: questions.Answered, view: View, sql: str, form: str) -> Response:
    headers = {**caching(view), **ALL_ORIGINS, WITHHELD: str(sum(found.withheld.values()))}
    if form == "csv":
        named = {"Content-Disposition": 'attachment; filename="benchhealth-query.csv"'}
        try:
            return Response(neutral_csv(found.rows), media_type=CSV, headers={**headers, **named})
        except pl.exceptions.PolarsError:
            return PlainTextResponse(NO_CSV, status_code=400, headers=ALL_ORIGINS)
    body = {
        "sql": sql,
        "generation": view.name,
        "cut": found.cut,
        "withheld_rows_of_tables_read": found.withheld,
        "rows": found.rows.to_dicts(),
    }
    return Response(orjson.dumps(body, default=str), media_type="application/json", headers=headers)
