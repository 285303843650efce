"""The shipped proxy at work before two replicas: what it redirects, limits, packs, shuts, and whom it sends where."""

import gzip
import http.client
import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.support.ports import free_ports
from tests.support.proxy import NAME, Proxy, needs_nginx, proxying
from tests.support.replica import DIES, NOT_READY, replica, times_asked

pytestmark = needs_nginx


@dataclass(frozen=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def replica(self) -> str:
        return str(self.headers["X-Replica"])


@dataclass(frozen=True)
class Site:
    """The proxy, and the replicas behind it."""

    proxy: Proxy
    replicas: dict[str, ThreadingHTTPServer]

    def get(self, path: str = "/", *, client_address: str = "127.0.0.1", host: str = "", **headers: str) -> Answer:
        """What a reader at this address of the machine is answered."""
        connection = http.client.HTTPSConnection(
            NAME, self.proxy.https, timeout=20, context=self.proxy.trust(), source_address=(client_address, 0)
        )
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return answer(connection, path, {"Host": host or f"{NAME}:{self.proxy.https}", **named})


def answer(connection: http.client.HTTPConnection, path: str, headers: dict[str, str]) -> Answer:
    try:
        connection.request("GET", path, headers=headers)
        given = connection.getresponse()
        return Answer(given.status, given.headers, given.read())
    finally:
        connection.close()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    ports = free_ports(2)
    with ExitStack() as running:
        replicas = {name: running.enter_context(replica(name, port)) for name, port in zip("ab", ports, strict=True)}
        yield Site(running.enter_context(proxying(tmp_path, ports)), replicas)


def test_plain_http_leads_to_tls_and_another_name_to_nothing(site: Site) -> None:
    plain = http.client.HTTPConnection("127.0.0.1", site.proxy.http, timeout=20)
    moved = answer(plain, "/benchmark?benchmark=exam", {"Host": NAME})
    assert (moved.status, moved.headers["Location"]) == (308, f"https://{NAME}/benchmark?benchmark=exam")
    with pytest.raises(http.client.RemoteDisconnected):
        answer(plain, "/", {"Host": "elsewhere.example"})
    with pytest.raises(http.client.RemoteDisconnected):
        site.get(host="elsewhere.example")


def test_answers_are_packed_and_name_the_reader_and_the_host(site: Site) -> None:
    given = site.get(Accept_Encoding="gzip", X_Forwarded_For="192.0.2.1")
    assert (given.status, given.headers["Content-Encoding"]) == (200, "gzip")
    assert given.headers["Strict-Transport-Security"] == "max-age=63072000"
    assert "nginx/" not in given.headers["Server"]
    assert f" 127.0.0.1 {NAME}:{site.proxy.https}\n" in gzip.decompress(given.body).decode()


def test_a_reader_stays_with_a_replica_and_readers_share_them(site: Site) -> None:
    cookie = site.get().headers["Set-Cookie"]
    assert re.fullmatch(r"benchhealth_at=[0-9a-f]{32}; Path=/; HttpOnly; Secure; SameSite=Lax", cookie)
    mine = cookie.partition(";")[0]
    stayed = [site.get("/_stcore/stream", Cookie=mine) for _ in range(10)]
    assert len({given.replica for given in stayed}) == 1
    assert [given.headers["Set-Cookie"] for given in stayed] == [None] * 10
    assert {site.get(Cookie=f"benchhealth_at={number}").replica for number in range(20)} == {"a", "b"}
    assert len({site.get("/embed/frontier").replica for _ in range(10)}) == 1
    assert site.get("/badge/exam.svg").headers["Set-Cookie"] is None


def test_a_replica_that_dies_costs_no_reader_an_error_and_none_of_them_a_page(site: Site) -> None:
    replica_of = {number: site.get(Cookie=f"benchhealth_at={number}").replica for number in range(20)}
    site.replicas["a"].shutdown()
    site.replicas["a"].server_close()
    after = {number: site.get(Cookie=f"benchhealth_at={number}") for number in range(20)}
    assert {given.status for given in after.values()} == {200}
    assert {given.replica for given in after.values()} == {"b"}
    site.replicas["b"].shutdown()
    site.replicas["b"].server_close()
    down = site.get()
    assert (down.status, down.headers["Retry-After"], down.headers["Cache-Control"]) == (503, "10", "no-store")
    assert b"Back in a moment" in down.body
    assert set(replica_of.values()) == {"a", "b"}


@pytest.mark.parametrize(("path", "replicas"), [("/query.json", 1), ("/query.csv", 1), ("/benchmark", 2)])
def test_a_question_that_ends_a_replica_is_not_asked_of_the_next(site: Site, path: str, replicas: int) -> None:
    asked = f"{path}?sql={DIES}&at={site.proxy.https}"
    assert site.get(asked).status == 503
    assert times_asked(asked) == replicas
    assert site.get("/benchmark").status == 200


def test_one_address_that_asks_too_much_waits_and_no_other(site: Site) -> None:
    asked = [site.get("/csv/frontier", client_address="127.0.0.7").status for _ in range(30)]
    assert asked.count(200) >= 21
    busy = site.get("/csv/frontier", client_address="127.0.0.7")
    assert (busy.status, busy.headers["Retry-After"]) == (429, "10")
    assert b"Try again in ten seconds" in busy.body
    assert site.get("/csv/frontier", client_address="127.0.0.8").status == 200
    assert site.get("/", client_address="127.0.0.7").status == 200


def test_why_it_is_not_ready_comes_through(site: Site) -> None:
    given = site.get("/readyz")
    assert (given.status, given.body.decode()) == (503, NOT_READY)
    assert json.loads(given.body)["ready"] is False


def test_measurements_are_for_this_machine_alone(site: Site) -> None:
    assert site.get("/metrics").status == 200
    assert site.get("/metrics", client_address="127.0.0.2").status == 403
    assert site.get("/readyz", client_address="127.0.0.2").status != 403


def test_the_health_of_the_proxy_is_its_own(site: Site) -> None:
    plain = http.client.HTTPConnection("127.0.0.1", site.proxy.watched, timeout=20)
    assert answer(plain, "/proxy", {"Host": "127.0.0.1"}).status == 200


@pytest.mark.parametrize(("version", "is_spoken"), [("tls1_1", False), ("tls1_2", True), ("tls1_3", True)])
def test_old_tls_is_refused(site: Site, version: str, is_spoken: bool) -> None:
    asked = f"openssl s_client -connect 127.0.0.1:{site.proxy.https} -servername {NAME} -{version}"
    weak = ["-cipher", "DEFAULT@SECLEVEL=0"]
    done = subprocess.run([*asked.split(), *weak], input="", capture_output=True, text=True, timeout=20, check=False)
    assert ("BEGIN CERTIFICATE" in done.stdout) == is_spoken, done.stderr
    assert is_spoken or "alert " in done.stderr
