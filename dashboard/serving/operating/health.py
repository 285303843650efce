"""`/healthz`: the process lives. `/readyz`: a generation is served; what is wrong beside it."""

from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from benchhealth.dashboard.published import generation
from benchhealth.dashboard.serving.operating import home
from benchhealth.warehouse.objects.generations import Trouble
from benchhealth.warehouse.read import NoGeneration, OlderGeneration
from benchhealth.warehouse.watch.reasons import Reason

NOT_KEPT = {"Cache-Control": "no-store"}
FORWARDED = "x-forwarded-for"
"""The header in which the proxy always names its client: a request with it came through the proxy."""

PROGRAM = version("benchhealth")


async def healthz(_request: Request) -> Response:
    """200 as long as the process answers at all: its loop turns. It asks for nothing else, not even for a thread."""
    return _answer({"status": "alive", "version": PROGRAM})


def readyz(request: Request) -> Response:
    """200 with the generation where one can be read, 503 with the reason otherwise; faults stand in both.

    A fault beside a generation (a failed night, a source that is overdue) takes no reader anything: it stays 200.
    Whoever asks through the proxy gets the kinds of faults alone: texts name paths, hosts and processes.
    """
    is_public = FORWARDED in request.headers
    state = home.home_state()
    faults = [_fault(reason) for reason in state.alarms]
    if state.trouble:
        faults.insert(0, _unfollowed(state.trouble))
    at_work = asdict(state.at_work) | {"text": state.at_work.text()} if state.at_work else None
    try:
        view = generation.current()
        assessed = view.table("verdict")["as_of"].max()
    except NoGeneration as missing:
        reason = {"kind": "no-generation", "about": "published", "text": str(missing)}
        return _answer(_public_state(is_public, status="not ready", faults=[reason, *faults], running=at_work), 503)
    published = view.published
    if why := generation.unread():
        faults.insert(0, {"kind": "other-generation", "about": view.name, "text": f"{view.name} is served: {why}"})
    if isinstance(published, OlderGeneration):
        text = f"{view.name} is of an earlier edition of the program; `benchhealth init` publishes one of this"
        faults.insert(0, {"kind": "older-generation", "about": view.name, "text": text})
    served = {
        "name": view.name,
        "number": published.number,
        "published_at": published.published_at,
        "age_seconds": round((state.now - published.published_at).total_seconds()) if state.now else None,
        "as_of": assessed,
    }
    return _answer(_public_state(is_public, status="ready", generation=served, faults=faults, running=at_work))


def _public_state(is_public: bool, /, **state: Any) -> Mapping[str, Any]:  # noqa: ANN401  any JSON
    if not is_public:
        return state
    at_work = state["running"]
    return state | {
        "faults": [{"kind": kind} for kind in sorted({fault["kind"] for fault in state["faults"]})],
        "running": at_work and {name: at_work[name] for name in ("command", "started_at", "phase")},
    }


def _fault(reason: Reason) -> dict[str, Any]:
    return {"kind": reason.kind, "about": reason.about, "since": reason.since, "text": reason.text()}


def _unfollowed(trouble: Trouble) -> dict[str, Any]:
    text = f"new generations are not seen for {trouble.seconds:.0f} s: {trouble.why}"
    return {"kind": "generations-unreached", "about": trouble.address, "text": text}


def _answer(state: Mapping[str, Any], status: int = 200) -> Response:
    body = orjson.dumps(state, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_UTC_Z | orjson.OPT_NAIVE_UTC)
    return Response(body, status, media_type="application/json", headers=NOT_KEPT)
