"""One home for all tests of the whole: the first generation, built once by the real command from the bundled facts."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchhealth.pipeline.night import init
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.read import Generation, open_current
from tests.support.home_cache import shared_home

REPOSITORY = Path(__file__).resolve().parents[2]
SMALL = ("evalplus", "gsm1k", "squad")
SERVE = REPOSITORY.parent / "shared" / "upstream" / "serve"


def benchhealth(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line as a user would, with its state in `home`."""
    return subprocess.run(
        [sys.executable, "-m", "benchhealth.pipeline.cli", *arguments],
        cwd=REPOSITORY,
        env={**os.environ, "BENCHHEALTH_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=900,  # a busy machine is no failure
        check=False,
    )


@pytest.fixture(scope="session")
def bundled_home() -> Path:
    """Built by the worker that first asks for it, and shared with the others: no test changes it."""

    def build(home: Path) -> None:
        done = benchhealth(home, "init")
        assert done.returncode == 0, done.stderr

    return shared_home("bundled", build)


@pytest.fixture(scope="session")
def small_bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of bundled facts like `data/snapshot`, of three sources only."""
    bundle = tmp_path_factory.mktemp("bundle")
    for key in SMALL:
        (bundle / f"{key}.parquet").symlink_to(REPOSITORY / "data" / "snapshot" / f"{key}.parquet")
    return bundle


@pytest.fixture(scope="session")
def small_home(small_bundle: Path) -> Path:
    """A home like `bundled_home`, of three sources only: for tests that run several commands, on a copy."""
    return shared_home("small", lambda home: init(settings_of(home, small_bundle)))


def settings_of(home: Path, bundle: Path) -> Settings:
    """The project's own settings but for the home and the bundled facts."""
    return Settings(home=home, registry=REPOSITORY / "data" / "registry", bundle=bundle, token=None)


@pytest.fixture(scope="session")
def bundled(bundled_home: Path) -> Iterator[Generation]:
    generation = open_current(bundled_home)
    yield generation
    generation.close()
