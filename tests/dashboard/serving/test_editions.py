"""Editions by address: the bytes that were kept, their hash in the answer, parts of them, and never other bytes."""

import hashlib
import json
from base64 import b64decode
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from benchhealth.dashboard.guard.headers import Guarded
from benchhealth.dashboard.published.files import editions as kept_editions
from benchhealth.dashboard.serving.printed import editions
from benchhealth.warehouse.keeping.editions import MANIFEST, keep, note_doi
from tests.support import asgi_client
from tests.warehouse.test_kept_editions import written

APP = Starlette(routes=editions.routes(), middleware=[Middleware(Guarded), Middleware(GZipMiddleware)])
get = partial(asgi_client.get, APP)
ROWS = "rows " * 1_000


@pytest.fixture(autouse=True)
def home(tmp_path: Path) -> Iterator[Path]:
    files = written(tmp_path / "a", answers__one="{}", big=ROWS)
    (files / "index.html").write_text("<!doctype html>")
    keep(tmp_path / "home", "2026-08", files)
    kept_editions.use(tmp_path / "home")
    yield tmp_path / "home"
    kept_editions.use(tmp_path / "none")


def test_a_file_is_answered_with_its_hash(home: Path) -> None:
    answer = get("/edition/2026-08/big", accept_encoding="gzip")
    digest = hashlib.sha256(ROWS.encode()).digest()
    assert (answer.status, answer.body) == (200, ROWS)
    assert "content-encoding" not in answer.headers
    assert answer.headers["etag"] == f'"{digest.hex()}"'
    for name in ("repr-digest", "content-digest"):
        assert b64decode(answer.headers[name].removeprefix("sha-256=:").removesuffix(":")) == digest
    assert "immutable" in answer.headers["cache-control"]
    assert get("/edition/2026-08/big", if_none_match=answer.headers["etag"]).status == 304
    assert get("/edition/2026-08/big", if_none_match='"other"').status == 200


def test_a_part_is_answered_with_the_hash_of_the_whole() -> None:
    answer = get("/edition/2026-08/big", range="bytes=0-3")
    assert (answer.status, answer.body) == (206, "rows")
    assert "repr-digest" in answer.headers
    assert "content-digest" not in answer.headers


def test_the_manifest_is_there_and_names_all_others() -> None:
    listed = dict(line.split("  ")[::-1] for line in get(f"/edition/2026-08/{MANIFEST}").body.splitlines())
    assert listed["big"] == hashlib.sha256(ROWS.encode()).hexdigest()
    assert set(listed) == {"answers/one", "big", "index.html"}


def test_the_folder_is_its_page_and_all_are_listed(home: Path) -> None:
    assert get("/edition/2026-08/").headers["content-type"].startswith("text/html")
    assert get("/edition/2026-08").headers["location"].endswith("/2026-08/")
    note_doi(home, "2026-08", "10.5281/zenodo.1")
    (one,) = json.loads(get("/edition/").body)
    assert (one["month"], one["files"], one["doi"]) == ("2026-08", 4, "10.5281/zenodo.1")
    assert "10.5281/zenodo.1" in get("/edition/", accept="text/html").body


@pytest.mark.parametrize(
    "path", ["2026-07/big", "2026-08/none", "2026-08/../2026-08.sha256", "x/big", "2026-08/bodies"]
)
def test_there_is_nothing_else(path: str) -> None:
    assert get(f"/edition/{path}").status == 404


def test_damaged_bytes_are_not_sent(home: Path) -> None:
    assert get("/edition/2026-08/big").status == 200
    for body in (home / "editions" / "bodies").glob("??/*"):
        if body.stat().st_size == len(ROWS):
            body.write_text("other" * 1_000)
    answer = get("/edition/2026-08/big")
    assert answer.status == 503
    assert "other" not in answer.body


def test_a_chart_is_found_in_the_newest_edition(home: Path, tmp_path: Path) -> None:
    assert kept_editions.newest_with("big") is not None
    assert kept_editions.newest_with("charts/curve/gpqa.json") is None
    keep(home, "2026-09", written(tmp_path / "b", charts__stock="{}"))
    assert kept_editions.newest_with("big") is None
    newest = kept_editions.newest_with(kept_editions.chart_file("stock", {}).removesuffix(".json"))
    assert newest is not None
    assert newest.month == "2026-09"
    assert kept_editions.chart_file("curve", {"benchmark": "a/b"}) == "charts/curve/a-b.json"
    assert kept_editions.chart_file("curve", {"benchmark": "a", "curve": "apart"}) == ""
