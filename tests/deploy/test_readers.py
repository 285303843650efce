"""New generations and a replica that dies cost no reader behind the shipped proxy an error; memory stays what it is."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.support import asgi_client
from tests.support.proxy import needs_nginx
from tests.support.small_generation import build

pytestmark = [needs_nginx, pytest.mark.soak]


def played_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **plan: float) -> Any:  # noqa: ANN401 - of a module that is imported late
    monkeypatch.syspath_prepend(Path(__file__).parents[2])
    restarts = import_module("tests.support.readers_amid_restarts")
    home, logs = tmp_path / "home", tmp_path / "logs"
    logs.mkdir()
    build(home)
    return asgi_client.finished(restarts.play(restarts.Plan(**plan), home, logs))


def test_no_reader_meets_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = played_out(tmp_path, monkeypatch, readers=4, seconds=10, think=1, publish_every=2, kill_every=4)
    assert log.errors == []
    assert log.kills >= 1 and log.generations >= 1 and len(log.changes) > 4
    assert log.cut <= log.kills


def test_memory_stays_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = played_out(tmp_path, monkeypatch, readers=60, seconds=180, think=6, publish_every=10, kill_every=25)
    assert log.errors == []
    assert log.kills >= 4 and log.generations >= 10
    weighed = [megabytes for second, megabytes in log.memory["first replica"] if second > 60]
    half = len(weighed) // 2
    assert max(weighed[half:]) < 1.1 * max(weighed[:half]), log.lines()
