"""How to cite a table and take its rows, at `/cite/<address of its CSV>`; charts have theirs at `/chart/<name>.txt`."""

import re

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.benchmarks import last_known
from benchhealth.dashboard.serving.responses import caching_headers, refusal
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.terms.citing import Cited, as_text, citation_forms

_CITED = re.compile(r"(?:csv(?:/[\w.-]+){1,2}|data(?:/[\w.-]+){1,2}\.csv|query\.csv)")


def routes() -> list[Route]:
    """The routes that answer with citations."""
    return [Route("/cite/{path:path}", _answer)]


async def _answer(request: Request) -> Response:
    path = str(request.path_params["path"])
    if not _CITED.fullmatch(path):
        return PlainTextResponse("only a table that comes as CSV can be cited here; see /api/\n", status_code=404)
    try:
        view = await run_in_threadpool(generation.current)
        until = await run_in_threadpool(last_known, view)
    except Exception as refused:
        return refusal(refused)
    address = f"{request.base_url}{path}{f'?{request.url.query}' if request.url.query else ''}"
    name = path.removeprefix("csv/").removeprefix("data/").removesuffix(".csv").replace("/", " ").replace("-", " ")
    title = f"table of {name}" if name != "query" else "an answer to a query"
    text = f"benchhealth: {title}. Data to {day_of(until)} at the latest. Generation {view.name}. {address}"
    cited = Cited(text, title, name, view.name, until, page=address, csv=address)
    return PlainTextResponse(as_text(citation_forms(cited)), headers=caching_headers(view))
