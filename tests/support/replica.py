"""What stands for a replica where a test is about the proxy: it says its name and does nothing else."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NOT_READY = '{"ready": false, "reason": "nothing is published"}'


class _Named(BaseHTTPRequestHandler):
    name = ""

    def do_GET(self) -> None:
        head = dict(self.headers.items())
        ready = self.path != "/readyz"
        said = f"{self.name} {head.get('X-Forwarded-For')} {head['Host']}\n" * 100
        body = (said if ready else NOT_READY).encode()
        self.send_response(200 if ready else 503)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Replica", self.name)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def replica(name: str, port: int) -> Iterator[ThreadingHTTPServer]:
    """A replica at this port until the block ends; `shutdown()` and `server_close()` end it before."""
    server = ThreadingHTTPServer(("127.0.0.1", port), type("Named", (_Named,), {"name": name}))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
