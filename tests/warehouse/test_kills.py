"""What a power cut or an impatient operator leaves behind: nothing half done, at whatever moment it comes."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchhealth.warehouse.publish import KEEP
from benchhealth.warehouse.read import generations, open_current
from benchhealth.warehouse.status import run_table
from benchhealth.warehouse.store import Store, fact_table
from tests.support.soaking import Soak
from tests.support.writer_process import ROWS

KILLS = 20
LONGEST_ROUND = 1.5
"""Seconds that a round of work may last: the kills are spread over it."""


def start(home: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.writer_process", home],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.soak
def test_a_kill_at_any_moment_leaves_whole_facts_and_a_whole_generation(tmp_path: Path, soak: Soak) -> None:
    moments = soak.random
    served = 0
    for _ in range(KILLS):
        with start(tmp_path) as worker:
            assert worker.stdout is not None
            committed = [int(worker.stdout.readline())]
            time.sleep(moments.uniform(0, LONGEST_ROUND))
            worker.kill()
            committed += [int(line) for line in worker.stdout if line.endswith("\n")]
        with Store.open(tmp_path) as store:
            snapshots = len(store.snapshot_ids())
        assert fact_table(tmp_path, "result").height == snapshots * ROWS
        assert fact_table(tmp_path, "rejection").height == snapshots
        assert set(run_table(tmp_path)["status"]) <= {"crashed"}
        generation = open_current(tmp_path)
        marker = int(generation.table("difficulty")["difficulty"].item())
        assert generation.table("result").height == marker * ROWS
        assert max([served, *committed]) <= marker <= snapshots
        served = marker
    with start(tmp_path) as worker:
        assert worker.stdout is not None
        assert int(worker.stdout.readline()) == snapshots + 1
        worker.kill()
    assert len(generations(tmp_path)) in (KEEP, KEEP + 1)
