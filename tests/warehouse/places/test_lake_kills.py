"""Kills of a run that writes into a lake: nothing is lost, nothing is there twice, the next run goes on."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchhealth.warehouse.places.location import place
from benchhealth.warehouse.store import fact_table
from tests.support.lakes.postgres import Cluster
from tests.support.lakes.process import ROWS

ROOT = Path(__file__).parents[3]
LONGEST = 1.0
"""Seconds over which the kills are spread, from the first snapshot that a process has stored."""


@pytest.mark.parametrize("kills", [1, pytest.param(250, marks=pytest.mark.soak)])
def test_a_kill_at_any_moment_loses_and_doubles_nothing(cluster: Cluster, tmp_path: Path, kills: int) -> None:
    lake = cluster.lake(tmp_path / "lake")
    place(tmp_path, lake)
    moments = random.Random(kills)
    written: list[int] = []
    for _ in range(kills):
        command = [sys.executable, "-m", "tests.support.lakes.process", tmp_path, lake.libpq, lake.data, "2"]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as worker:
            assert worker.stdout is not None
            written.append(int(worker.stdout.readline()))
            time.sleep(moments.uniform(0, LONGEST))
            worker.kill()
            written += [int(line) for line in worker.stdout if line.endswith("\n")]
        snapshots, ledger = fact_table(tmp_path, "snapshot"), fact_table(tmp_path, "ledger")
        assert snapshots["snapshot_id"].is_unique().all()
        assert max(written) <= snapshots.height <= max(written) + 1
        assert fact_table(tmp_path, "result").height == snapshots.height * ROWS
        assert fact_table(tmp_path, "rejection").height == snapshots.height
        assert sorted(ledger["ref"]) == sorted(snapshots["ref"])
        assert ledger["seq"].is_unique().all()
    assert written == sorted(set(written))
    place(tmp_path, None)
