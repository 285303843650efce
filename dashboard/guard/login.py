"""Who may see the dashboard where a login is demanded: by OpenID, with Streamlit's own routes, cookie and secrets.

One check stands before everything: pages, their websocket, files, reports, charts and badges. Without a login only the
way to it is open, the program's own scripts and styles, and whether the server is up.
"""

import json
import tomllib
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from http.cookies import SimpleCookie
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose
from streamlit.auth_util import encode_provider_token, get_cookie_with_chunks
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from benchhealth.dashboard.guard.faults import LoginError

SETTING = "BENCHHEALTH_LOGIN"
NEEDED = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")
SHORTEST_SECRET = 32
CALLBACK = "/oauth2callback"
PROVIDER = "default"

OPEN = frozenset(("/auth/login", "/auth/logout", CALLBACK, "/readyz", "/healthz", "/favicon.ico", "/favicon.png"))
MEASURED = "/metrics"
"""Open to whoever asks past the proxy, as Prometheus does: a 401 would look to it like a dashboard that is down."""

OPEN_BELOW = "/static/"
"""Streamlit's bundle, which everybody can have from elsewhere."""


@dataclass(frozen=True)
class Login:
    """Who is let in, and what signs the cookie that says who somebody is."""

    secrets: Path
    cookie_secret: str = field(repr=False)
    origin: str
    emails: tuple[str, ...]

    @classmethod
    def read(cls, secrets: Path) -> "Login":
        """The demand that Streamlit's secrets file makes: `[auth]`, and `emails` in `[login]`. Raises LoginError."""
        try:
            tables = tomllib.loads(secrets.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise LoginError(f"{SETTING}: {secrets} cannot be read as TOML: {error}") from error
        auth, login = _section(tables, "auth"), _section(tables, "login")
        if missing := [name for name in NEEDED if not isinstance(auth.get(name), str) or not auth[name]]:
            raise LoginError(f"{SETTING}: {secrets} lacks {', '.join(missing)} in [auth]")
        if len(auth["cookie_secret"]) < SHORTEST_SECRET:
            raise LoginError(f"{SETTING}: cookie_secret in {secrets} is shorter than {SHORTEST_SECRET} characters")
        callback = urlsplit(auth["redirect_uri"])
        if callback.scheme not in ("http", "https") or not callback.path.endswith(CALLBACK) or "{" in callback.netloc:
            raise LoginError(f"{SETTING}: redirect_uri in {secrets} is not the dashboard's address and {CALLBACK}")
        emails = login.get("emails")
        if not isinstance(emails, list) or not emails or not all(isinstance(email, str) for email in emails):
            raise LoginError(
                f"{SETTING}: {secrets} lacks emails in [login]: who is let in, such as "
                '["ada@example.org", "*@example.org"], or ["*"] for whoever the provider knows'
            )
        if find_spec("authlib") is None or find_spec("httpx") is None:
            install = "pip install --require-hashes -r requirements-full.lock"
            raise LoginError(f"{SETTING}: a login needs Authlib and httpx: {install}")
        origin = f"{callback.scheme}://{callback.netloc}"
        return cls(secrets, auth["cookie_secret"], origin, tuple(email.casefold() for email in emails))

    def lets_in(self, connection: HTTPConnection) -> bool:
        """Whether the connection carries a cookie that was signed here, for somebody who is let in."""

        def one(name: str) -> bytes | None:
            value = connection.cookies.get(name)
            return decode_signed_value(self.cookie_secret, name, value) if value else None

        try:
            user = json.loads(get_cookie_with_chunks(one, USER_COOKIE_NAME) or b"null")
        except ValueError:
            return False
        return isinstance(user, dict) and user.get("is_logged_in") is True and self._knows(user)

    def _knows(self, user: dict[str, Any]) -> bool:
        """An address that the provider has not verified is anybody's claim."""
        if user.get("origin") != self.origin:
            return False
        if "*" in self.emails:
            return True
        email = user.get("email")
        if not isinstance(email, str) or user.get("email_verified") is not True:
            return False
        return any(fnmatchcase(email.casefold(), pattern) for pattern in self.emails)


def _section(tables: dict[str, Any], name: str) -> dict[str, Any]:
    section = tables.get(name)
    return section if isinstance(section, dict) else {}


class LoggedIn:
    """Lets nobody pass who is not logged in: a page leads to the provider, everything else is a 401 or 403."""

    def __init__(self, app: ASGIApp, login: Login) -> None:
        self.app = app
        self._login = login

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on if its address is open or its reader is let in; else ask for a login."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        path = str(scope["path"]).removeprefix(str(scope.get("root_path", "")))
        connection = HTTPConnection(scope)
        is_open = scope["type"] == "http" and (
            path in OPEN
            or path.startswith(OPEN_BELOW)
            or (path == MEASURED and "x-forwarded-for" not in connection.headers)
        )
        if self._login.lets_in(connection):
            await self.app(scope, receive, send)
        elif is_open:
            await self.app(scope, receive, _without_circle(scope, receive, send) if path == CALLBACK else send)
        elif scope["type"] == "websocket":
            await WebSocketClose(reason="not logged in")(scope, receive, send)
        elif USER_COOKIE_NAME in connection.cookies and "text/html" in connection.headers.get("accept", ""):
            message = "This account may not see the dashboard. Log out at auth/logout and use another one.\n"
            await PlainTextResponse(message, status_code=403, headers=_KEPT_BY_NOBODY)(scope, receive, send)
        elif "text/html" in connection.headers.get("accept", ""):
            address = f"{scope.get('root_path', '')}/auth/login?provider={quote(encode_provider_token(PROVIDER))}"
            await RedirectResponse(address, status_code=303, headers=_KEPT_BY_NOBODY)(scope, receive, send)
        else:
            message = "a login is demanded: open the dashboard in a browser\n"
            await PlainTextResponse(message, status_code=401, headers=_KEPT_BY_NOBODY)(scope, receive, send)


def _without_circle(scope: Scope, receive: Receive, send: Send) -> Send:
    """Sends what the way back from the provider answers, and a 401 in place of a redirect that brings no login.

    Streamlit leads to the first page then, which leads to the provider, and one that asks nothing leads back: for ever.
    """
    is_ended = False

    async def send_unless_in_vain(message: Message) -> None:
        nonlocal is_ended
        if message["type"] == "http.response.start" and 300 <= message["status"] < 400:
            cookies = [pair for pair in message["headers"] if pair[0].lower() == b"set-cookie"]
            if not any(_logs_in(value) for _, value in cookies):
                is_ended = True
                text = "The login did not succeed; the dashboard's log says why. Open the dashboard to try again.\n"
                answer = PlainTextResponse(text, status_code=401, headers=_KEPT_BY_NOBODY)
                answer.raw_headers += cookies  # which clear what is left of an older login
                await answer(scope, receive, send)
        if not is_ended:
            await send(message)

    return send_unless_in_vain


def _logs_in(cookie: bytes) -> bool:
    value = SimpleCookie(cookie.decode("latin-1")).get(USER_COOKIE_NAME)
    return value is not None and value.value != ""


_KEPT_BY_NOBODY = {"Cache-Control": "no-store"}
