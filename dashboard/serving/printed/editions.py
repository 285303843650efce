"""Editions by address, `/edition/2026-08/…`: the bytes that were kept, each with its hash."""

from base64 import b64encode
from functools import lru_cache
from html import escape
from pathlib import Path

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from benchhealth.dashboard.guard.headers import FROM_ANYWHERE
from benchhealth.dashboard.published.files import editions
from benchhealth.dashboard.serving.responses import for_reader, listing
from benchhealth.dashboard.serving.tables import ALL_ORIGINS
from benchhealth.dashboard.words.terms import editions as words
from benchhealth.warehouse.keeping.editions import MONTH, Body, Edition, EditionError, check

FOR_EVER = "public, max-age=31536000, immutable, no-transform"
PAGE = "index.html"
MEDIA = {
    ".html": "text/html; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".json": "application/json",
    ".parquet": "application/vnd.apache.parquet",
    ".pdf": "application/pdf",
}
"""By the end of a name; all others are plain text."""


def routes() -> list[Route]:
    """The routes: all that are kept, and each file of each."""
    return [
        Route("/edition", lambda _request: RedirectResponse("./edition/", status_code=308)),
        Route("/edition/", _all),
        Route("/edition/{month}", _edition_folder),
        Route("/edition/{month}/{path:path}", _file),
    ]


def _edition_folder(request: Request) -> Response:
    """The folder of an edition, so that relative addresses lead into it."""
    month = str(request.path_params["month"])
    return RedirectResponse(f"./{month}/", status_code=308) if MONTH.fullmatch(month) else _missing_response(month)


def _missing_response(subject: str) -> Response:
    message = f"there is no {subject[:80]!r} among the editions; /edition/ lists all that are kept\n"
    return PlainTextResponse(message, status_code=404, headers=ALL_ORIGINS)


async def _all(request: Request) -> Response:
    """For browsers a page, for programs the same as JSON."""
    try:
        kept_editions = await run_in_threadpool(editions.kept_editions)
    except EditionError as wrong:
        return _damaged_response(wrong)
    headers = {**ALL_ORIGINS, "Cache-Control": "no-cache", "Vary": "Accept"}
    if for_reader(request.headers):
        return HTMLResponse(_page(kept_editions), headers=headers)
    body = [
        {
            "month": edition.month,
            "address": f"{edition.month}/",
            "files": len(edition.files),
            "bytes": edition.size,
            "manifest_sha256": edition.sha256,
            "doi": edition.doi or None,
        }
        for edition in kept_editions
    ]
    return Response(orjson.dumps(body), media_type="application/json", headers=headers)


async def _file(request: Request) -> Response:
    """A file of an edition: its bytes with their hash as ETag and Repr-Digest (RFC 9530), parts of it where asked."""
    month, name = str(request.path_params["month"]), str(request.path_params["path"]) or PAGE
    try:
        edition = await run_in_threadpool(editions.of_month, month)
        body = edition.files.get(name) if edition else None
        if body is None:
            return _missing_response(f"{month}/{name}")
        headers = {**ALL_ORIGINS, **FROM_ANYWHERE, **_cache_headers(body)}
        if body.sha256 in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        await run_in_threadpool(_checked_body, body, body.path.stat().st_mtime_ns)
    except (EditionError, FileNotFoundError) as wrong:
        return _damaged_response(wrong)
    if "range" not in request.headers:
        headers["Content-Digest"] = headers["Repr-Digest"]
    return FileResponse(
        body.path, media_type=MEDIA.get(Path(name).suffix, "text/plain; charset=utf-8"), headers=headers
    )


def _cache_headers(body: Body) -> dict[str, str]:
    digest = b64encode(bytes.fromhex(body.sha256)).decode()
    return {"ETag": f'"{body.sha256}"', "Repr-Digest": f"sha-256=:{digest}:", "Cache-Control": FOR_EVER}


@lru_cache(4096)
def _checked_body(body: Body, _changed: int) -> None:
    """Read a body once in this process, and again where its file has changed: damaged bytes are never sent."""
    check(body)


def _damaged_response(_wrong: Exception) -> Response:
    """Other bytes than those that were cited are never sent."""
    message = "this file is not as it was kept; it is put back from a backup (see `benchhealth doctor`)\n"
    return PlainTextResponse(message, status_code=503, headers=ALL_ORIGINS)


def _page(kept_editions: list[Edition]) -> str:
    none = "" if kept_editions else f"<p>{escape(words.NO_EDITIONS.replace('`', ''))}</p>"
    rows = "".join(
        f'<tr><td><a href="{edition.month}/">{edition.month}</a></td><td>{len(edition.files):,} files</td>'
        f"<td>{edition.size / 10**6:,.1f} MB</td><td>{_doi(edition)}</td><td><code>{edition.sha256}</code></td></tr>"
        for edition in kept_editions
    )
    return listing("Editions", f"<p>{words.ABOUT_EDITIONS} The hash is {words.HASH}</p><table>{rows}</table>{none}")


def _doi(edition: Edition) -> str:
    return (
        f'<a href="https://doi.org/{escape(edition.doi, quote=True)}">{escape(edition.doi)}</a>'
        if edition.doi
        else "no DOI"
    )
