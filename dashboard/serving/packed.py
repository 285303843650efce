"""Gzip for what never changes while the server runs: documents, scripts and Streamlit's own bundle.

All other answers are packed by Streamlit's middleware, which leaves these out because it would pack them anew each
time; here each is packed once and kept. The first visit of a page takes 2 MB of scripts instead of 8.
"""

import gzip
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

TEXTS: Mapping[str, str] = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
"""The files of the bundle that are worth it; fonts and pictures are packed by themselves."""

FOR_EVER = "public, immutable, max-age=31536000"
"""A file of the bundle has its hash in its name."""

PACKED_KEPT = 32
"""Documents and scripts of the dashboard's own."""

COMPRESSION_LEVEL = 6


def compressed(
    request: Request, body: bytes, media_type: str, headers: Mapping[str, str], *, remembered: bool = True
) -> Response:
    """The answer, packed where the client can unpack it; what depends on the whole address is not `kept`."""
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(body, media_type=media_type, headers={**headers, "Vary": "Accept-Encoding"})
    packed_headers = {**headers, "Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Response(
        _gzip(body) if remembered else gzip.compress(body, COMPRESSION_LEVEL, mtime=0),
        media_type=media_type,
        headers=packed_headers,
    )


@lru_cache(PACKED_KEPT)
def _gzip(body: bytes) -> bytes:
    return gzip.compress(body, COMPRESSION_LEVEL, mtime=0)


class Bundle(BaseRoute):
    """Answers for Streamlit's own files that are worth packing, before Streamlit does; a client that cannot unpack
    them goes on to Streamlit."""

    def __init__(self) -> None:
        folder = Path(str(files("streamlit") / "static"))
        paths = (path for path in (folder / "static").rglob("*") if path.suffix in TEXTS)
        self._there = {f"/{path.relative_to(folder).as_posix()}": path for path in paths}
        self._packed: dict[str, bytes] = {}

    def pack(self, path: str) -> bytes:
        """The file at this address, packed the first time it is asked for. Raises KeyError where there is none."""
        if path not in self._packed:
            self._packed[path] = gzip.compress(self._there[path].read_bytes(), COMPRESSION_LEVEL, mtime=0)
        return self._packed[path]

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether it is such a file, asked for by a client that can unpack it."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return Match.NONE, {}
        path = str(scope["path"]).removeprefix(str(scope.get("root_path", "")))
        unpacks = "gzip" in Headers(scope=scope).get("accept-encoding", "")
        return (Match.FULL, {"bundled": path}) if unpacks and path in self._there else (Match.NONE, {})

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file in its packed form, which is made once."""
        path: str = scope["bundled"]
        body = self._packed.get(path) or await run_in_threadpool(self.pack, path)
        headers = {"Cache-Control": FOR_EVER, "Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        await Response(body, media_type=TEXTS[Path(path).suffix], headers=headers)(scope, receive, send)


BUNDLE = Bundle()
"""The one bundle of this process, so that each file is packed once."""
