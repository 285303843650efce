"""Two generations, and the address of a dashboard over one of them: a real server in a thread of this process."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.routing import Route

from benchhealth.dashboard.guard.hosts import Hosts
from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.serving import charts, downloads, replies, tables
from benchhealth.dashboard.serving.server import TABLES, guards, meta
from tests.support import mixed_generation, small_generation
from tests.support.ports import free_port

CHARTS = tuple(spec for page in PAGES for spec in page.charts)


@pytest.fixture(scope="package")
def small_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("small")
    small_generation.build(home)
    return home


@pytest.fixture(scope="package")
def mixed_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("mixed")
    mixed_generation.build(home)
    return home


@pytest.fixture(scope="package")
def address() -> Iterator[str]:
    """Where the home that `generation.use` named last is served, behind the guard of the dashboard."""
    app = Starlette(
        routes=[*charts.routes(CHARTS), *tables.routes(TABLES), *replies.routes(), Route("/meta.json", meta)],
        middleware=guards(Hosts.of(None, "127.0.0.1"), None),
    )
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="critical", lifespan="off", ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}/"
    server.should_exit = True
    thread.join(20)


def serve(home: Path) -> None:
    """Serve this home from now on."""
    generation.use(home)
    downloads.use(home)
