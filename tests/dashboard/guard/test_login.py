"""Where a login is demanded nothing is answered without one, and a provider on this machine can give it."""

import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import requests
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from benchhealth.dashboard.guard.login import OPEN, LoggedIn, Login, LoginError
from tests.dashboard.conftest import serving
from tests.support import asgi_client
from tests.support.scripted_server import Handler
from tests.support.scripted_server import serving as scripted

SECRET = "s" * 40
ORIGIN = "http://127.0.0.1:8501"
LOGIN = Login(Path("secrets.toml"), SECRET, ORIGIN, ("ada@example.org", "*@lab.example.org"))
ADA = {"is_logged_in": True, "origin": ORIGIN, "email": "Ada@example.org", "email_verified": True}


async def _stream(websocket: WebSocket) -> None:
    await websocket.accept()


APP = Starlette(
    routes=[
        WebSocketRoute("/_stcore/stream", _stream),
        Route("/{path:path}", lambda request: PlainTextResponse(f"inside {request.url.path}")),
    ],
    middleware=[Middleware(LoggedIn, login=LOGIN)],
)


def cookie(claims: Mapping[str, object], secret: str = SECRET, name: str = "_streamlit_user") -> str:
    return f"_streamlit_user={create_signed_value(secret, name, json.dumps(claims)).decode()}"


def test_whoever_is_named_is_let_in() -> None:
    assert asgi_client.get(APP, "/csv/benchmarks", Cookie=cookie(ADA)).status == 200
    assert asgi_client.get(APP, "/", Cookie=cookie({**ADA, "email": "x@lab.example.org"})).status == 200


STRANGERS = {
    "none": "",
    "not signed": "_streamlit_user=" + json.dumps(ADA).replace('"', "").replace(" ", "").replace(",", "."),
    "signed by another": cookie(ADA, "t" * 40),
    "signed for another cookie": cookie(ADA, name="_streamlit_user_tokens"),
    "not logged in": cookie({**ADA, "is_logged_in": False}),
    "only nearly": cookie({**ADA, "is_logged_in": "yes"}),
    "of another dashboard": cookie({**ADA, "origin": "https://evil.example"}),
    "another person": cookie({**ADA, "email": "eve@evil.example"}),
    "with her name in front": cookie({**ADA, "email": "ada@example.org.evil.example"}),
    "not verified": cookie({**ADA, "email_verified": False}),
    "without address": cookie({"is_logged_in": True, "origin": ORIGIN}),
    "no object": cookie([]),  # type: ignore[arg-type]
}
INSIDE = (
    *("/", "/data", "/csv/benchmarks", "/data/result.parquet", "/query.json", "/report.pdf", "/chart/map.csv"),
    *(
        "/embed/map",
        "/badge/mmlu.svg",
        "/share/benchmark/mmlu.png",
        "/feed.xml",
        "/meta.json",
        "/search.json",
        "/api/",
        "/sitemap.xml",
    ),
    *("/_stcore/health", "/_stcore/agent/interact", "/_stcore/host-config", "/media/x.csv", "/plotly.js"),
    *("/readyz/", "/readyz/../csv/benchmarks", "/auth/login/x", "//auth/login", "/static", "/STATIC/x"),
)


def test_measurements_are_for_who_asks_past_the_proxy_and_whoever_is_let_in() -> None:
    assert asgi_client.get(APP, "/metrics").status == 200
    through = {"X-Forwarded-For": "203.0.113.7"}
    assert asgi_client.get(APP, "/metrics", **through).status == 401
    assert asgi_client.get(APP, "/metrics", **through, Cookie=cookie(ADA)).status == 200


@pytest.mark.parametrize("who", STRANGERS)
def test_nobody_else_is(who: str) -> None:
    headers = {"Cookie": STRANGERS[who]} if STRANGERS[who] else {}
    for path in INSIDE:
        answer = asgi_client.get(APP, path, **headers)
        assert answer.status == 401, path
        assert "inside" not in answer.body
        assert answer.headers["cache-control"] == "no-store"
    assert opened(headers) == "websocket.close"
    for path in OPEN:
        assert asgi_client.get(APP, path, **headers).status == 200


def opened(headers: Mapping[str, str]) -> str:
    sent: list[str] = []

    async def receive() -> Mapping[str, object]:
        return {"type": "websocket.connect"}

    async def send(message: Mapping[str, object]) -> None:
        sent.append(str(message["type"]))

    pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "websocket", "path": "/_stcore/stream", "headers": pairs, "query_string": b"", "subprotocols": []}
    asgi_client.finished(APP(scope, receive, send))  # type: ignore[arg-type]
    return sent[0]


def test_a_websocket_is_opened_for_whoever_is_let_in() -> None:
    assert opened({"Cookie": cookie(ADA)}) == "websocket.accept"


def back(**cookies: str) -> Starlette:
    """The dashboard where the way back from the provider leads to the first page with these cookies, as Streamlit's."""

    def answer(_request: Request) -> Response:
        leading = RedirectResponse("/", 302)
        for name, value in cookies.items():
            leading.set_cookie(name, value, max_age=60) if value else leading.delete_cookie(name)
        return leading

    return Starlette(routes=[Route("/oauth2callback", answer)], middleware=[Middleware(LoggedIn, login=LOGIN)])


def test_a_way_back_that_brings_no_login_ends_in_place_of_a_circle() -> None:
    """Streamlit leads to the first page when a provider refuses, and that one would lead to the provider again."""
    for cookies in ({}, {"_streamlit_user": ""}, {"_streamlit_user_tokens": "t"}, {"_streamlit_session": "s"}):
        answer = asgi_client.get(back(**cookies), "/oauth2callback", Accept="text/html")
        assert (answer.status, "location" in answer.headers) == (401, False), cookies
        assert "did not succeed" in answer.body
        assert ("set-cookie" in answer.headers) == bool(cookies)
    assert asgi_client.get(back(_streamlit_user="signed"), "/oauth2callback").status == 302
    assert asgi_client.get(back(), "/oauth2callback", Cookie=cookie(ADA)).status == 302


SOUND = {
    "redirect_uri": f"{ORIGIN}/oauth2callback",
    "cookie_secret": SECRET,
    "client_id": "benchhealth",
    "client_secret": "c" * 40,
    "server_metadata_url": "http://127.0.0.1:1/.well-known/openid-configuration",
}


def written(folder: Path, auth: Mapping[str, str], login: str = 'emails = ["ada@example.org"]') -> Path:
    file = folder / "secrets.toml"
    lines = ["[auth]", *(f"{name} = {json.dumps(value)}" for name, value in auth.items()), "[login]", login]
    file.write_text("\n".join(lines))
    return file


@pytest.mark.parametrize("name", SOUND)
def test_a_demand_that_cannot_be_held_stops_the_start(name: str, tmp_path: Path) -> None:
    with pytest.raises(LoginError, match=f"lacks {name} in"):
        Login.read(written(tmp_path, {key: value for key, value in SOUND.items() if key != name}))


def test_so_does_one_that_is_weak_or_names_nobody(tmp_path: Path) -> None:
    with pytest.raises(LoginError, match="cannot be read"):
        Login.read(tmp_path / "nothing.toml")
    with pytest.raises(LoginError, match="shorter than 32"):
        Login.read(written(tmp_path, {**SOUND, "cookie_secret": "short"}))
    with pytest.raises(LoginError, match="redirect_uri"):
        Login.read(written(tmp_path, {**SOUND, "redirect_uri": ORIGIN}))
    for emails in ("", "emails = []", "emails = [1]", 'emails = "*"'):
        with pytest.raises(LoginError, match="who is let in"):
            Login.read(written(tmp_path, SOUND, emails))
    assert SECRET not in repr(LOGIN)


class Provider:
    """A provider of OpenID that asks nobody for a password: it says that its one user is there."""

    def __init__(self) -> None:
        from joserfc.jwk import RSAKey

        self.key = RSAKey.generate_key(2048, parameters={"kid": "k"}, private=True)
        self.email, self.nonce, self.takes_codes = "ada@example.org", "", True
        self.url = ""

    def answer(self, handler: Handler) -> None:
        path, query = urlsplit(handler.path).path, parse_qs(urlsplit(handler.path).query)
        if path == "/authorize":
            self.nonce = query["nonce"][0]
            back = f"{query['redirect_uri'][0]}?{urlencode({'code': 'c', 'state': query['state'][0]})}"
            handler.send(302, Location=back)
            return
        if path == "/token" and not self.takes_codes:
            handler.send(400, b'{"error": "invalid_grant"}', Content_Type="application/json")
            return
        body = {"/token": self._token, "/jwks": self._keys}.get(path, self._metadata)()
        handler.send(200, json.dumps(body).encode(), Content_Type="application/json")

    def _metadata(self) -> dict[str, object]:
        places = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "jwks"}
        return {
            "issuer": self.url,
            **{name: f"{self.url}/{path}" for name, path in places.items()},
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def _keys(self) -> dict[str, object]:
        return {"keys": [self.key.as_dict(private=False)]}

    def _token(self) -> dict[str, object]:
        from joserfc import jwt

        now = int(time.time())
        claims = {"iss": self.url, "aud": "benchhealth", "sub": "1", "iat": now, "exp": now + 60, "nonce": self.nonce}
        who = {"email": self.email, "email_verified": True}
        token = jwt.encode({"alg": "RS256", "kid": "k"}, {**claims, **who}, self.key)
        return {"id_token": token, "access_token": "a", "token_type": "Bearer", "expires_in": 60}


@pytest.fixture
def provider() -> Iterator[Provider]:
    pytest.importorskip("authlib", reason="the extra `login` is not installed")
    made = Provider()
    with scripted(made.answer) as script:
        made.url = script.url
        yield made


@pytest.mark.whole
def test_the_running_dashboard_lets_in_whom_the_provider_vouches_for(
    provider: Provider, small_home: Path, tmp_path: Path
) -> None:
    auth = {**SOUND, "server_metadata_url": f"{provider.url}/.well-known/openid-configuration"}
    with serving(
        small_home,
        tmp_path,
        login=lambda origin: written(tmp_path, {**auth, "redirect_uri": f"{origin}/oauth2callback"}),
    ) as server:
        assert requests.get(f"{server}/csv/benchmarks", timeout=20).status_code == 401
        browsing = {"Accept": "text/html"}
        with requests.Session() as ada:
            page = ada.get(server, headers=browsing, timeout=30)
            assert (page.status_code, urlsplit(page.url).path) == (200, "/")
            assert "navigation.js" in page.text
            assert ada.get(f"{server}/csv/benchmarks", timeout=20).text.startswith("benchmark_id")
            ada.get(f"{server}/auth/logout", timeout=20, allow_redirects=False)
            assert ada.get(f"{server}/csv/benchmarks", timeout=20).status_code == 401
        provider.email = "eve@evil.example"
        with requests.Session() as eve:
            assert eve.get(server, headers=browsing, timeout=30).status_code == 403
            assert eve.get(f"{server}/csv/benchmarks", timeout=20).status_code == 401
        provider.takes_codes = False
        with requests.Session() as ada:
            page = ada.get(server, headers=browsing, timeout=30)
            assert (page.status_code, len(page.history)) == (401, 3)
            assert "did not succeed" in page.text
    log = (tmp_path / "server.log").read_text()
    assert SECRET not in log
    assert auth["client_secret"] not in log
