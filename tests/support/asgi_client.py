"""Routes asked within this process: the server of Streamlit around them has nothing to do with what they answer."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from functools import cache
from threading import Thread
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlencode

from starlette.applications import Starlette

Done = TypeVar("Done")


class Answer(NamedTuple):
    """What a route said."""

    status: int
    headers: Mapping[str, str]
    body: str


async def ask(app: Starlette, path: str, params: Mapping[str, str] | None = None, **headers: str) -> Answer:
    """One request; names of headers with underscores for dashes."""
    sent: list[Mapping[str, object]] = []

    async def send(message: Mapping[str, object]) -> None:
        sent.append(message)

    async def receive() -> Mapping[str, object]:
        await asyncio.sleep(60)
        return {"type": "http.disconnect"}

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": urlencode(params or {}).encode(),
        "headers": [(name.replace("_", "-").lower().encode(), value.encode()) for name, value in headers.items()],
    }
    await app(scope, receive, send)  # type: ignore[arg-type]
    answer_headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}  # type: ignore[attr-defined]
    body = b"".join(message.get("body", b"") for message in sent[1:])  # type: ignore[misc]
    return Answer(sent[0]["status"], answer_headers, body.decode(errors="replace"))  # type: ignore[arg-type]


def get(app: Starlette, path: str, params: Mapping[str, str] | None = None, **headers: str) -> Answer:
    """One request and nothing beside it."""
    return finished(ask(app, path, params, **headers))


def asked_once(app: Starlette) -> Callable[[str, Mapping[str, str]], Answer]:
    """As `get`, where nothing changes what the app answers: each address is asked for once."""

    @cache
    def answer(path: str, params: frozenset[tuple[str, str]]) -> Answer:
        return get(app, path, dict(params))

    return lambda path, params: answer(path, frozenset(params.items()))


def finished(work: Coroutine[Any, Any, Done]) -> Done:
    """What the coroutine returns, run in a thread beside: a browser may have left a loop in this one."""
    return asyncio.run_coroutine_threadsafe(work, _loop()).result()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """One loop for all requests of this process, as a server has, in a thread that ends with the process."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, daemon=True).start()
    return loop
