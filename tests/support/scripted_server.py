"""A real HTTP server on a free port whose answers a test scripts, and that remembers what it was asked."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

_OF_ONE_HOP = {"connection", "content-length", "transfer-encoding", "host"}


@dataclass
class Asked:
    """One request as it arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    client_port: int
    body: bytes = b""


Answer = Callable[["Handler"], None]


@dataclass
class Scripted:
    """Answers in order; the last one is repeated."""

    answers: list[Answer]
    asked: list[Asked] = field(default_factory=list)
    url: str = ""
    over: threading.Event = field(default_factory=threading.Event)

    def next(self) -> Answer:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script: Scripted

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.script.asked.append(Asked(self.command, self.path, dict(self.headers), self.client_address[1], body))
        self.script.next()(self)

    do_HEAD = do_POST = do_GET  # noqa: N815  the standard library's names

    def send(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.head(status, len(body), **headers)
        if self.command != "HEAD":
            self.wfile.write(body)

    def head(self, status: int, length: int | None, **headers: str) -> None:
        self.send_response(status)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in ({"Content-Type": "text/plain; charset=utf-8"} | named).items():
            self.send_header(name, value)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def server_over(self, seconds: float) -> bool:
        """Wait so long, or until the test is over; whether it is."""
        return self.script.over.wait(seconds)

    def log_message(self, *_args: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_args: object) -> None:
        """A client that hangs up on a misbehaving server is what these tests are about."""


@contextmanager
def serving(*answers: Answer) -> Iterator[Scripted]:
    script = Scripted(list(answers))
    handler = type("ScriptedHandler", (Handler,), {"script": script})
    server = _Server(("127.0.0.1", 0), handler)
    script.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield script
    finally:
        script.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def fixed(status: int, body: bytes = b"", **headers: str) -> Answer:
    return lambda handler: handler.send(status, body, **headers)


def passed_on(handler: Handler, upstream: str) -> None:
    """Answer as the server at the address `upstream` does."""
    asked = {name: value for name, value in handler.headers.items() if name.lower() not in _OF_ONE_HOP}
    with closing(http.client.HTTPConnection(urlsplit(upstream).netloc, timeout=60)) as connection:
        connection.request(handler.command, handler.path, headers=asked)
        answer = connection.getresponse()
        body = answer.read()
    handler.send_response_only(answer.status)
    for name, value in answer.getheaders():
        if name.lower() not in _OF_ONE_HOP:
            handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)
