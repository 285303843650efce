"""Reports by address: two pages on benchmarks or on a domain as HTML or PDF, without what may not leave."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.report.content import on_benchmarks, on_field
from benchhealth.dashboard.report.html import page
from benchhealth.dashboard.report.pdf import document
from benchhealth.dashboard.report.tree import Report
from benchhealth.dashboard.serving.answers import caching, is_known, refusal

FORMS: Mapping[str, tuple[str, Callable[[Report], bytes]]] = {
    "html": ("text/html; charset=utf-8", page),
    "pdf": ("application/pdf", document),
}
UNCHOSEN = '<p>No benchmark is named. <a href="report">Choose benchmarks or a domain for a report.</a></p>'
"""What is said where nothing is asked for, with the way to the page that makes the addresses of reports."""
KEPT = 48
"""Reports that are kept of those asked for last: some tens of kilobytes each."""


def routes() -> list[Route]:
    """The routes; reports are made one after another, so that many readers cannot take all processors."""
    making = asyncio.Semaphore(1)
    made: OrderedDict[tuple[str, ...], bytes] = OrderedDict()

    async def report(request: Request) -> Response:
        form = str(request.path_params["form"])
        if form not in FORMS:
            return PlainTextResponse("a report comes as html or pdf\n", status_code=404)
        try:
            view = await run_in_threadpool(generation.current)
            if is_known(request, view):
                return Response(status_code=304, headers=caching(view))
            asked, domain = request.query_params.getlist("benchmark"), request.query_params.get("domain")
            chosen = [one for text in asked for one in text.split(",") if one]
            if not chosen and not domain:
                return HTMLResponse(UNCHOSEN, status_code=400)
            key = (view.name, form, str(request.base_url), domain or "", *chosen)
            async with making:
                if key not in made:
                    made[key] = await run_in_threadpool(_made, view, form, chosen, domain, str(request.base_url))
                made.move_to_end(key)
                while len(made) > KEPT:
                    made.popitem(last=False)
                body = made[key]
        except Exception as refused:
            return refusal(refused)
        stem = "-".join(["benchhealth", *([domain] if domain and not chosen else chosen[:1])])
        name = "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in stem if letter.isascii())
        shown = {"Content-Disposition": f'inline; filename="{name}.{form}"'}
        return Response(body, media_type=FORMS[form][0], headers={**caching(view), **shown})

    return [Route("/report.{form:str}", report)]


def _made(view: View, form: str, chosen: list[str], domain: str | None, base: str) -> bytes:
    shared = view.shared()
    report = on_field(shared, domain, base) if domain and not chosen else on_benchmarks(shared, chosen, base)
    return FORMS[form][1](report)
