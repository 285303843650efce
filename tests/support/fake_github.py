"""A small GitHub on a free port: raw files, commit listing with pages, trees, archives, ETags, the API limit."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

from tests.support.scripted_server import Answer, Handler

REPO = "owner/repo"
PAGE = 2


@dataclass(frozen=True)
class Committed:
    sha: str
    committed_at: datetime
    path: str
    body: bytes | None


@dataclass
class FakeGithub:
    """One repository; commits are kept oldest first, a body of None deletes the file."""

    commits: list[Committed] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    api_left: int = 60
    odd_paths: list[str] = field(default_factory=list)
    instead: dict[str, Answer] = field(default_factory=dict)
    copied_at: datetime | None = None
    url: str = ""

    def commit(self, path: str, body: bytes | None, committed_at: datetime) -> str:
        sha = hashlib.sha1(f"{len(self.commits)} {path}".encode(), usedforsecurity=False).hexdigest()
        self.commits.append(Committed(sha, committed_at, path, body))
        return sha

    def files_at(self, ref: str) -> dict[str, bytes]:
        files: dict[str, bytes] = {}
        for commit in self.commits:
            files |= {commit.path: commit.body} if commit.body is not None else {}
            if commit.body is None:
                files.pop(commit.path, None)
            if commit.sha == ref:
                return files
        if ref != "main":
            raise KeyError(ref)
        return files

    def taken(self, since: int = 0) -> list[str]:
        """What was asked for, by method and the end of the address."""
        return self.asked[since:]


class _Handler(Handler):
    github: FakeGithub

    def do_GET(self) -> None:  # noqa: N802  the standard library's name
        url = urlsplit(self.path)
        host, _, rest = unquote(url.path).lstrip("/").partition("/")
        self.github.asked.append(f"{self.command} {unquote(self.path)}")
        for part, answer in self.github.instead.items():
            if part in self.path:
                return answer(self)
        if any(broken in self.path for broken in self.github.broken):
            return self.reply(500, "text/plain", b"oops")
        try:
            if host == "raw.githubusercontent.com":
                _, _, ref, path = rest.split("/", 3)
                return self.reply(200, "text/plain; charset=utf-8", self.github.files_at(ref)[path])
            if host == "codeload.github.com":
                return self.reply(200, "application/x-gzip", self.tar(rest.rsplit("/", 1)[1]))
            return self.api(rest, parse_qs(url.query))
        except KeyError:
            return self.reply(404, "text/plain", b"404: Not Found")

    def date_time_string(self, timestamp: float | None = None) -> str:
        copied_at = self.github.copied_at
        return super().date_time_string(timestamp if copied_at is None else copied_at.replace(tzinfo=UTC).timestamp())

    do_HEAD = do_GET  # noqa: N815  the standard library's name

    def api(self, rest: str, query: dict[str, list[str]]) -> None:
        if self.github.api_left <= 0:
            return self.reply(403, "application/json", b'{"message": "limit"}', **{"X-RateLimit-Remaining": "0"})
        self.github.api_left -= 1
        if "/git/trees/" in rest:
            tree = [{"path": path, "type": "blob"} for path in [*self.github.files_at("main"), *self.github.odd_paths]]
            return self.reply(200, "application/json", json.dumps({"tree": tree, "truncated": False}).encode())
        commits = [commit for commit in reversed(self.github.commits) if commit.path == query["path"][0]]
        page = int(query["page"][0])
        more = {"Link": f'<https://api.github.com/repositories/1?page={page + 1}>; rel="next"'}
        shown = [
            {"sha": c.sha, "commit": {"committer": {"date": c.committed_at.strftime("%Y-%m-%dT%H:%M:%SZ")}}}
            for c in commits[(page - 1) * PAGE : page * PAGE]
        ]
        return self.reply(
            200, "application/json", json.dumps(shown).encode(), **(more if page * PAGE < len(commits) else {})
        )

    def tar(self, ref: str) -> bytes:
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w:gz") as tar:
            for path, body in self.github.files_at(ref).items():
                info = tarfile.TarInfo(f"repo-{ref}/{path}")
                info.size = len(body)
                tar.addfile(info, io.BytesIO(body))
        return out.getvalue()

    def reply(self, status: int, media: str, body: bytes, **headers: str) -> None:
        etag = f'W/"{hashlib.sha256(body).hexdigest()}"'
        if status == 200 and self.headers.get("If-None-Match") == etag:
            status, body = 304, b""
        self.send_response(status)
        for name, value in ({"Content-Type": media, "ETag": etag} | headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


@contextmanager
def fake_github() -> Iterator[FakeGithub]:
    github = FakeGithub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("FakeGithubHandler", (_Handler,), {"github": github}))
    server.daemon_threads = True
    github.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield github
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
