"""What browsers are told they may do with an answer.

Each kind of answer has the narrowest policy that lets it work. Nothing is evaluated and no inline script runs anywhere:
Streamlit's one inline script is let through by its hash. Its styles and Plotly's are inline and must be.
"""

import re
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from benchhealth.dashboard.guard.turns import RETRY_SECONDS

_INLINE = re.compile(r"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL)
_CLOSED = "base-uri 'none'; form-action 'none'"

FRAMED_NOWHERE = f"{_CLOSED}; frame-ancestors 'none'"
NOTHING = f"default-src 'none'; {FRAMED_NOWHERE}"
"""For what is data: it loads and runs nothing."""

PRINTED = f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; {_CLOSED}; frame-ancestors 'self'"
"""For documents without scripts: the report, which its page shows in a frame, the catalogue, what is not there."""

EMBEDDED = (
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data: blob:; "
    f"font-src 'self'; {_CLOSED}; frame-ancestors *"
)
"""For the chart or card that others put into a frame: nothing else may be framed."""

HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(
        f"{feature}=()"
        for feature in (
            *("accelerometer", "autoplay", "bluetooth", "browsing-topics", "camera", "display-capture", "geolocation"),
            *("gyroscope", "hid", "idle-detection", "magnetometer", "microphone", "midi", "payment", "serial", "usb"),
            *("screen-wake-lock", "xr-spatial-tracking"),
        )
    ),
}
"""What goes with every answer; a route may say otherwise."""

CONTENT_POLICY = "Content-Security-Policy"
AGAIN: Mapping[str, str] = {
    "Retry-After": str(RETRY_SECONDS),
    "Refresh": str(RETRY_SECONDS),
    CONTENT_POLICY: f"default-src 'none'; {_CLOSED}; frame-ancestors 'self'",
}
"""For an answer that cannot be given now: a browser asks again by itself, and a frame of ours shows the reason."""

FROM_ANYWHERE = {"Cross-Origin-Resource-Policy": "cross-origin"}
"""For what pages of others may load: badges, open data, the embedded chart and card."""

PACKED_BY_THEMSELVES = (".parquet", ".pdf")
AS_THEY_ARE = "/edition/"
"""What lies there is known by the hash of its bytes, so that nobody packs them."""


@cache
def page_policy() -> str:
    """The policy of the dashboard's own documents, which run Streamlit's bundle and nothing else.

    The bundle counts in 64 bits by WebAssembly, which gives no text a way to become code.
    """
    document = (files("streamlit") / "static" / "index.html").read_text(encoding="utf-8")
    hashes = " ".join(f"'sha256-{b64encode(sha256(code.encode()).digest()).decode()}'" for code in _inline(document))
    return (
        f"default-src 'none'; script-src 'self' {hashes} 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' data: blob:; worker-src 'self' blob:; "
        f"manifest-src 'self'; frame-src 'self'; {FRAMED_NOWHERE}"
    )


def _inline(document: str) -> list[str]:
    return [code for code in _INLINE.findall(document) if code.strip()]


def _policy(media_type: str) -> str:
    """What an answer may do that does not say it itself. A script may be a worker, which its own answer binds."""
    if media_type == "application/pdf":
        return f"default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; {FRAMED_NOWHERE}"
    if media_type.endswith("/javascript"):
        return page_policy()
    return PRINTED if media_type == "text/html" else NOTHING


class Guarded:
    """Adds the headers to every HTTP answer, and keeps Streamlit from packing what gains nothing by it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add the security headers to its response."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
                for name, value in {**HEADERS, CONTENT_POLICY: _policy(media_type)}.items():
                    headers.setdefault(name, value)
            await send(message)

        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path = str(scope["path"]).removeprefix(str(scope.get("root_path", "")))
        if path.endswith(PACKED_BY_THEMSELVES) or path.startswith(AS_THEY_ARE):
            scope = {**scope, "headers": [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]}
        await self.app(scope, receive, send_with_headers)
