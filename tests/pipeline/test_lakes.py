"""Two runs ingest real sources into one lake at once, one is killed: the facts are those of one run into a file."""

import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from tests.support.facts import facts
from tests.support.lakes.postgres import Cluster
from tests.support.replay import REGISTRY, SERVE, TABLES, replaying
from warehouse.loading.load import load
from warehouse.places.lake import Lake
from warehouse.places.location import place
from warehouse.registry import read_registry

ROOT = Path(__file__).parents[2]
KEYS = ("evalplus", "gsm1k", "squad", "timm")
LATER = datetime(2030, 1, 1)

pytestmark = pytest.mark.skipif(not SERVE.exists(), reason="the upstream files are not beside the project")


def start(home: Path, url: str, lake: Lake | None) -> subprocess.Popen[str]:
    where = [lake.libpq, str(lake.data)] if lake else ["", ""]
    command = [sys.executable, "-m", "tests.support.lakes.process", "ingest", home, *where, "3", url, *KEYS]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


@pytest.mark.soak
def test_two_runs_one_killed_equal_one_run_into_a_file(cluster: Cluster, tmp_path: Path) -> None:
    lake = cluster.lake(tmp_path / "lake")
    alone, one, two = (tmp_path / name for name in ("alone", "one", "two"))
    with replaying() as url:
        with start(alone, url, None) as process:
            assert process.wait(timeout=300) == 0
        with start(one, url, lake) as doomed, start(two, url, lake) as survivor:
            assert doomed.stdout is not None
            assert survivor.stdout is not None
            assert doomed.stdout.readline() == survivor.stdout.readline() == "open\n"
            doomed.kill()
            assert survivor.wait(timeout=300) == 0
            assert set(survivor.stdout.readline().split()) <= set(KEYS)
    place(one, lake)
    try:
        assert facts(one, TABLES) == facts(alone, TABLES)
        registry = read_registry(REGISTRY)
        assert load(one, registry, LATER).result.equals(load(alone, registry, LATER).result)
    finally:
        place(one, None)
