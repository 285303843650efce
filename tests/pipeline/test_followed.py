"""A served dashboard whose generations come from an object address: it follows them, also when the store was away."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.pipeline.settings import now
from benchhealth.warehouse.objects.access import Access
from benchhealth.warehouse.objects.bucket import Bucket
from benchhealth.warehouse.objects.generations import Published
from benchhealth.warehouse.publish import publish
from benchhealth.warehouse.read import current_path, open_current
from perf.protocol import Reader
from tests.pipeline.conftest import REPOSITORY
from tests.support import asgi_client
from tests.support.lakes.objects import BUCKET
from tests.support.ports import free_port
from tests.support.scripted_server import Handler, passed_on, serving

PATIENCE = 120.0


class Line:
    """The way to the object store, which can be cut."""

    def __init__(self, upstream: str) -> None:
        self._upstream = upstream
        self.is_cut = False

    def answer(self, handler: Handler) -> None:
        if self.is_cut:
            handler.close_connection = True
        else:
            passed_on(handler, self._upstream)


class Seeing(Reader):
    """A reader who keeps what was sent of the page."""

    shown = b""

    def _is_end(self, message: ForwardMsg) -> bool:
        self.shown += message.SerializeToString()
        return super()._is_end(message)


@contextmanager
def dashboard(home: Path, environment: Mapping[str, str]) -> Iterator[str]:
    """The address of the real command at work."""
    port = free_port()
    with (home.parent / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "benchhealth.pipeline.cli", "serve", "--port", str(port)],
            cwd=REPOSITORY,
            env={**os.environ, "BENCHHEALTH_HOME": str(home), **environment},
            stdout=log,
            stderr=log,
        )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)


def readyz(address: str) -> dict[str, Any]:
    """What `/readyz` says, nothing while nobody answers."""
    try:
        with urllib.request.urlopen(f"{address}/readyz") as answer:
            return dict(json.load(answer))
    except OSError:
        return {}


def wait_for(address: str, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    give_up = time.monotonic() + PATIENCE
    while not holds(state := readyz(address)):
        assert time.monotonic() < give_up, state
        time.sleep(0.2)
    return state


def serves(generation: Path) -> Callable[[dict[str, Any]], bool]:
    return lambda state: bool(state) and state["generation"]["name"] == generation.stem


def unreached(state: dict[str, Any]) -> list[str]:
    return [fault["text"] for fault in state["faults"] if fault["kind"] == "generations-unreached"]


async def shown(address: str) -> bytes:
    async with Seeing(address) as reader:
        await asyncio.wait_for(reader.visit(), PATIENCE)
        return reader.shown


def published_again(home: Path, elsewhere: Published) -> Path:
    """The same tables as a new generation, here and at the address."""
    elsewhere.fetch(home)
    with closing(open_current(home)) as generation:
        tables = {name: generation.table(name) for name in PUBLISHED}
    return publish(home, tables, now(), hand_over=elsewhere.hand_over)


@pytest.mark.soak
def test_a_served_dashboard_follows_and_keeps_what_it_has_while_the_store_is_away(
    small_home: Path, bucket_access: Access, tmp_path: Path
) -> None:
    home = shutil.copytree(small_home, tmp_path / "writer", symlinks=True)
    assert bucket_access.endpoint is not None
    elsewhere = Published(Bucket(f"s3://{BUCKET}/followed", bucket_access))
    elsewhere.hand_over(first := current_path(home).resolve())
    line = Line(bucket_access.endpoint)
    with serving(line.answer) as script:
        environment = {
            "BENCHHEALTH_GENERATIONS": f"s3://{BUCKET}/followed",
            "AWS_ENDPOINT_URL": script.url,
            "AWS_ACCESS_KEY_ID": "tests",
            "AWS_SECRET_ACCESS_KEY": "tests",
        }
        with dashboard(tmp_path / "replica", environment) as address:
            assert not unreached(wait_for(address, serves(first)))
            assert first.stem.encode() in asgi_client.finished(shown(address))
            second = published_again(home, elsewhere)
            wait_for(address, serves(second))
            assert second.stem.encode() in asgi_client.finished(shown(address))
            line.is_cut = True
            state = wait_for(address, lambda state: bool(unreached(state)))
            assert serves(second)(state)
            assert "s3://benchhealth/followed/current.json cannot be reached" in unreached(state)[0]
            third = published_again(home, elsewhere)
            assert second.stem.encode() in asgi_client.finished(shown(address))
            line.is_cut = False
            assert not unreached(wait_for(address, serves(third)))
