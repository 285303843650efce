"""How hypothesis looks for counterexamples, the same for every test: no test may fail because the machine is busy.

`make test` draws some examples, always the same ones where CI is set; `make soak` (and HYPOTHESIS_PROFILE=soak) draws
many and fresh ones. A test that needs fewer says so with its own `settings(max_examples=...)`.
"""

import gc
import logging
import os
import sys

# Idle threads turn in circles, and there is a process of tests to every core already.
os.environ.setdefault("POLARS_MAX_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Compiled modules are kept, whatever the machine says: else each command that a test starts compiles the program anew,
# and each process of tests compiles all tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.support import soaking

if TYPE_CHECKING:
    from benchhealth.warehouse.objects.access import Access
    from tests.support.lakes.postgres import Cluster

Config = Mapping[str, str | bool | int | float | list[str]]

BETWEEN_COLLECTIONS = (10_000, 20, 50)
"""New objects before the youngest are looked at, and such looks before the older ones are."""

IN_TESTS: Config = {"threads": 1, "default_block_size": 16_384}
"""What databases of tests are opened with. A small generation takes 2 MB in such blocks, 28 MB in common ones."""

BUSY = (HealthCheck.too_slow,)
"""Health checks that measure time."""

ROOMS = ("analytics", "api", "dashboard", "ingest", "pipeline", "warehouse")

WHOLE = frozenset({"browser", "server", "bundled", "bundled_home", "whole_server"})
"""Fixtures that take many seconds."""

settings.register_profile(
    "tests",
    deadline=None,
    max_examples=15,
    derandomize="CI" in os.environ,
    database=None if "CI" in os.environ else settings.default.database,
    suppress_health_check=BUSY,
)
settings.register_profile("soak", deadline=None, max_examples=1_000, suppress_health_check=BUSY, print_blob=True)


@pytest.fixture(scope="session", autouse=True)
def one_thread_a_database() -> Iterator[None]:
    """DuckDB too has one thread in a process of tests, and writes small files; commands that tests start do neither."""
    import duckdb

    connect = duckdb.connect

    def connect_alone(
        database: Path | str = ":memory:", read_only: bool = False, config: Config | None = None
    ) -> duckdb.DuckDBPyConnection:
        return connect(database, read_only, {**IN_TESTS, **(config or {})})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(duckdb, "connect", connect_alone)
        yield


@pytest.fixture(scope="session", autouse=True)
def homes_of_the_run(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Homes that all processes of the run share lie beside the folders of each."""
    from tests.support.home_cache import share_homes_in

    own = tmp_path_factory.getbasetemp()
    share_homes_in(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@pytest.fixture(scope="session", autouse=True)
def no_module_under_two_names() -> Iterator[None]:
    """A room that was imported without `benchhealth.` before its name would live twice, with two states."""
    yield
    assert [room for room in ROOMS if room in sys.modules] == []


@pytest.fixture(scope="session")
def cluster() -> "Iterator[Cluster]":
    """A throw-away PostgreSQL; tests that need it are skipped where it is not installed."""
    from tests.support.lakes.postgres import running

    with running() as running_cluster:
        yield running_cluster


@pytest.fixture(scope="session")
def bucket_access() -> "Iterator[Access]":
    """How what stands in for S3 is reached; it has the bucket `benchhealth`."""
    from tests.support.lakes.objects import serving

    with serving() as access:
        yield access


def pytest_configure(config: pytest.Config) -> None:
    """Choose the profile before test modules are imported, as their `settings(...)` build on it."""
    sys.dont_write_bytecode = False
    gc.disable()
    asked_for_soak = config.getoption("markexpr", default="") == "soak"
    soaking.choose_seed(soak=asked_for_soak)
    config.pluginmanager.register(soaking)
    if not config.getoption("--hypothesis-profile", default=None):
        default = "soak" if asked_for_soak else "tests"
        settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", default))


def pytest_collection_finish() -> None:
    """What collecting has made lives to the end: no collection of garbage need look at it, then or later.

    Of what tests make, most goes without a collection: to look every 700 objects takes a tenth of all processor time.
    """
    gc.freeze()
    gc.set_threshold(*BETWEEN_COLLECTIONS)
    gc.enable()
    _let_loggers_propagate()


def _let_loggers_propagate() -> None:
    """Let what Streamlit's many loggers say reach pytest by way of the root, as that of all others does.

    To loggers that do not propagate pytest adds its handlers one by one, twice in each of the three phases of a test.
    """
    for logger in logging.root.manager.loggerDict.values():
        if isinstance(logger, logging.Logger):
            logger.propagate = True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as `whole` what needs a browser, a server or all bundled facts: `make check` leaves these out."""
    for item in items:
        if isinstance(item, pytest.Function) and WHOLE & set(item.fixturenames):
            item.add_marker("whole")
