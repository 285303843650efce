"""The names of hosts under which the dashboard answers.

A web page elsewhere can let a name of its own lead to this machine (DNS rebinding); its reader's browser then takes the
dashboard for a part of that page. The name stands in the request, so only names that are known are answered.
"""

import re
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

SETTING = "BENCHHEALTH_HOSTS"
ANY_HOST = "*"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - compared with, not bound to
"""Addresses that stand for every address of the machine."""

_NAME = r"[a-z0-9_](?:[a-z0-9_.-]{0,252})|\[[0-9a-f:.]{2,45}\]"
_HOST = re.compile(rf"({_NAME})(?::[0-9]{{1,5}})?", re.IGNORECASE)
_HOST_PATTERN = re.compile(rf"\*|(?:\*\.)?(?:{_NAME})|[0-9a-f:]{{2,45}}", re.IGNORECASE)


class HostsError(ValueError):
    """The setting names something that is not a host."""


@dataclass(frozen=True)
class Hosts:
    """The names that are answered, and whether any address of the machine is.

    An address in place of a name cannot be made to lead elsewhere, so where all addresses are bound all are answered.
    """

    names: frozenset[str]
    by_address: bool = False

    @classmethod
    def of(cls, setting: str | None, bound: str) -> "Hosts":
        """Loopback, the host `bound`, and those of `setting`: names with commas between them, `*.example.org`, or `*`.

        Raises HostsError.
        """
        names = [name for host in (setting or "").split(",") if (name := host.strip())]
        if wrong := [name for name in names if not _HOST_PATTERN.fullmatch(name)]:
            raise HostsError(
                f"{SETTING}: {', '.join(map(repr, wrong))} is no host: names without scheme and port, "
                "such as bench.example.org, *.example.org, or * for any"
            )
        bound_to = [] if bound in EVERYWHERE else [bound]
        return cls(frozenset(map(_bare_host, (*LOOPBACK, *bound_to, *names))), by_address=bound in EVERYWHERE)

    def allows(self, host: str) -> bool:
        """Whether a request that names this host is answered."""
        match = _HOST.fullmatch(host)
        if match is None:
            return False
        name = _bare_host(match[1])
        if ANY_HOST in self.names or name in self.names or (self.by_address and _is_address(name)):
            return True
        return any(name.endswith(pattern[1:]) for pattern in self.names if pattern.startswith("*."))


def _bare_host(name: str) -> str:
    return name.lower().strip("[]").rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class KnownHosts:
    """Refuses what names another host, and a websocket that a page of another origin opens."""

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self.app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what names a known host; 421 for another, and no websocket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        named = headers.getlist("host")
        refused = len(named) != 1 or not self._hosts.allows(named[0])
        if scope["type"] == "websocket":
            if refused or not _of_this_origin(headers.get("origin"), named[0], scope.get("scheme", "ws")):
                await WebSocketClose(reason="another host or origin")(scope, receive, send)
                return
        elif refused:
            message = f"this dashboard does not answer under that name; {SETTING} lists those under which it does\n"
            await PlainTextResponse(message, status_code=421)(scope, receive, send)
            return
        await self.app(scope, receive, send)


class SameOrigin:
    """Refuses requests from pages of another origin, for routes by POST: such a page could send one unseen."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer programs and pages of this very host; 403 for a page elsewhere."""
        headers = Headers(scope=scope) if scope["type"] == "http" else None
        if headers is None or _of_this_origin(headers.get("origin"), headers.get("host", ""), scope["scheme"]):
            await self.app(scope, receive, send)
            return
        await PlainTextResponse("a page of another origin is not answered\n", status_code=403)(scope, receive, send)


def _of_this_origin(origin: str | None, host: str, scheme: str) -> bool:
    """Whether a page of this very host and port asks; what is no browser names no origin.

    Where TLS is spoken a page without it is another's: somebody on the way may have written it. The other way round
    says nothing, because a proxy that speaks TLS need not say so.
    """
    if origin is None:
        return True
    try:
        page = urlsplit(origin)
    except ValueError:
        return False
    return page.netloc.lower() == host.lower() and (scheme not in ("wss", "https") or page.scheme == "https")
