"""A card of anybody's leaderboard in the browser: a form, and an answer to what is sent; nothing is stored."""

from collections.abc import Mapping, Sequence
from datetime import date
from html import escape
from string import Template

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from benchhealth.analytics.audit.audit import MISSING, audit
from benchhealth.analytics.audit.board import BoardError
from benchhealth.analytics.audit.csv_board import COLUMNS, ColumnsError
from benchhealth.analytics.audit.files import board_in
from benchhealth.dashboard.figures.palette import DARK, FONT, LIGHT
from benchhealth.dashboard.guard.headers import CONTENT_POLICY
from benchhealth.dashboard.guard.turns import Turns
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.benchmarks import assessed_on
from benchhealth.dashboard.report.audited import FORMS, made_of, on_board
from benchhealth.dashboard.serving.responses import for_reader, reader, refusal
from benchhealth.dashboard.words.text import capital

MOST_BYTES = 20 * 1024 * 1024
"""Bytes of all files that are sent at once."""

MOST_FILES = 200
MOST_WAITING, MOST_OF_ONE, MOST_SECONDS = 8, 2, 30.0

MOST_NAMES = 200
"""Columns of a file that are offered to choose among."""

_LABELS: Mapping[str, str] = {
    "model": "Model",
    "score": "Score, or whether it was right",
    "n": "Number of items behind a score",
    "item": "Item or task",
    "cluster": "What an item belongs to",
}
_CHOOSE = (
    "The first line of the file names no column that is recognised. Say below which is which, choose the file again "
    "(nothing of it was stored), and send both."
)
_FIELDS = 2 + len(_LABELS)
_ASKING = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
_FORM = Template(
    """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Audit a leaderboard · benchhealth</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 $font; max-width: 40rem; margin: 2rem auto; padding: 0 1rem; background: $paper; color: $ink; }
label { display: block; margin: 1rem 0 .3rem; font-weight: 600; }
input, select, button { font: inherit; padding: .5rem; min-height: 44px; max-width: 100%; }
summary { font-weight: 600; margin: 1rem 0 .3rem; min-height: 44px; cursor: pointer; }
.wrong { border-left: 3px solid $accent; padding-left: .8rem; }
button { background: $accent; color: #fff; border: 0; border-radius: 6px; padding: .5rem 1.2rem; margin-top: 1.2rem; }
</style>
<h1>A card for your leaderboard</h1>
<p>Who is tied, which neighbours differ, what would settle first place. A CSV (model and item, model and task, or model
with score and n), or logs, one a model: lm-evaluation-harness samples, Inspect, HELM per instance, Every Eval Ever
instances, SWE-bench lists. At most $megabytes MB. Nothing is kept and nothing is sent on.</p>
$wrong
<form method=post enctype="multipart/form-data">
<label for="file">File, or several logs</label><input id="file" name="file" type="file" multiple required>
<details $opened><summary>Which column is which</summary>
<p>For a CSV whose columns have other names than model, item, score, n and cluster. What is left open goes by its
name.</p>$columns</details>
<label for="missing">A missing cell counts</label>
<select id="missing" name="missing"><option value="wrong">as wrong</option>
<option value="complete">for nobody: only items that all answered</option></select>
<label for="form">As</label>
<select id="form" name="form"><option value="html">a page</option><option value="pdf">PDF</option>
<option value="md">Markdown</option><option value="json">JSON</option></select><br>
<button>Make the card</button></form>
<p><a href="leaderboards">Back to the leaderboards</a></p></html>"""
)


def routes() -> list[Route]:
    """The routes of the form for a file of one's own, and of what is sent with it."""
    turns = Turns(MOST_WAITING, MOST_OF_ONE, MOST_SECONDS)

    async def asked(_request: Request) -> Response:
        return _form()

    async def sent(request: Request) -> Response:
        size = request.headers.get("content-length", "")
        if not size.isdecimal():
            return PlainTextResponse("say how long it is\n", status_code=411)
        if int(size) > MOST_BYTES:
            return PlainTextResponse(f"at most {MOST_BYTES // 2**20} MB are read\n", status_code=413)
        try:
            sending = request.form(max_files=MOST_FILES, max_fields=_FIELDS)
            async with turns.turn_async(reader(request)), sending as form:
                files = [file for file in form.getlist("file") if isinstance(file, UploadFile)]
                bodies = [(file.filename or "file", await file.read()) for file in files]
                fields = {name: str(form.get(name, "")) for name in ("missing", "form", *COLUMNS)}
            return await run_in_threadpool(_answer, bodies, {name: value for name, value in fields.items() if value})
        except ColumnsError as wrong:
            return _form(_CHOOSE, wrong.columns)
        except BoardError as wrong:
            reason = f"this is no leaderboard: {wrong}"
            return _form(reason) if for_reader(request.headers) else PlainTextResponse(f"{reason}\n", status_code=400)
        except Exception as refused:
            return refusal(refused, request)

    return [Route("/audit", asked, methods=["GET"]), Route("/audit", sent, methods=["POST"])]


def _form(reason: str = "", columns: Sequence[str] = ()) -> Response:
    """The form; with what was wrong with a file, and its columns to choose among where none was recognised."""
    wrong = "" if not reason else f'<p class="wrong" role="alert">{escape(capital(reason))}</p>'
    page = _FORM.substitute(
        font=FONT, accent=LIGHT.accent, paper=f"light-dark({LIGHT.paper}, {DARK.paper})",
        ink=f"light-dark({LIGHT.ink}, {DARK.ink})",
        megabytes=MOST_BYTES // 2**20, wrong=wrong, opened="open" if columns else "",
        columns="\n".join(_field(name, label, columns[:MOST_NAMES]) for name, label in _LABELS.items()),
    )  # fmt: skip
    headers = {CONTENT_POLICY: _ASKING, "Cache-Control": "no-store" if reason else "no-cache"}
    return HTMLResponse(page, status_code=400 if reason else 200, headers=headers)


def _field(name: str, label: str, columns: Sequence[str]) -> str:
    """What one of COLUMNS is chosen with: a list of the file's columns, or a line to write its name in."""
    labelled = f'<label for="{name}">{label}</label>'
    if not columns:
        return f'{labelled}<input id="{name}" name="{name}" maxlength="200" placeholder="{COLUMNS[name][0]}">'
    options = "".join(f'<option value="{escape(column)}">{escape(column)}</option>' for column in columns)
    return f'{labelled}<select id="{name}" name="{name}"><option value="">by its name</option>{options}</select>'


def _answer(files: list[tuple[str, bytes]], fields: Mapping[str, str]) -> Response:
    missing, form = fields.get("missing", MISSING[0]), fields.get("form", "html")
    named = {column: fields[column] for column in COLUMNS if column in fields}
    if missing not in MISSING or form not in FORMS:
        return PlainTextResponse(f"missing is {' or '.join(MISSING)}, form {', '.join(FORMS)}\n", status_code=400)
    audited = audit(board_in(files, named), missing)
    name = files[0][0] if len(files) == 1 else f"{len(files)} files"
    report = on_board(audited, name, made_of(name, [body for _, body in files]), _today())
    written = FORMS[form]
    headers = {"Content-Disposition": f'inline; filename="card.{form}"', "Cache-Control": "no-store"}
    return Response(written.written(report, audited), media_type=written.media_type, headers=headers)


def _today() -> date:
    """The day of the generation that is served, as the dashboard has no clock; it dates the PDF alone."""
    return assessed_on(generation.current()) or date(1970, 1, 1)
