"""What stands for a replica where a test is about the proxy: it says its name, or goes away as one that died."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

DIES = "dies"
"""In an address: the connection ends without an answer."""
NOT_READY = '{"ready": false, "reason": "nothing is published"}'


class Named(BaseHTTPRequestHandler):
    name = ""
    asked: ClassVar[list[str]] = []
    """What all replicas were asked."""

    def do_GET(self) -> None:
        self.asked.append(self.path)
        if DIES in self.path:
            self.close_connection = True
            return
        head = dict(self.headers.items())
        ready = self.path != "/readyz"
        answer = f"{self.name} {head.get('X-Forwarded-For')} {head['Host']}\n" * 100
        body = (answer if ready else NOT_READY).encode()
        self.send_response(200 if ready else 503)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Replica", self.name)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


def times_asked(path: str) -> int:
    """How many requests for this address came to any replica of this process."""
    return Named.asked.count(path)


@contextmanager
def replica(name: str, port: int) -> Iterator[ThreadingHTTPServer]:
    """A replica at this port until the block ends; `shutdown()` and `server_close()` end it before."""
    server = ThreadingHTTPServer(("127.0.0.1", port), type("Named", (Named,), {"name": name}))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
