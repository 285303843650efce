"""A night that is killed, again and again, wherever it is: the next one goes on, and in the end all is as without."""

import time
from pathlib import Path

import pytest

from benchhealth.warehouse.read import generations, open_current
from benchhealth.warehouse.status import run_table
from tests.pipeline.test_nights import MONTH_ENDS
from tests.support.killing import check_swept, check_whole, stored
from tests.support.replay import SERVE, command, evening, facts, replaying, unlike
from tests.support.soaking import Soak

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(not SERVE.exists(), reason="the replayed upstreams are not beside this checkout"),
]

KILLS = 20
LONGEST = 15.0
"""Seconds after which the kill comes at the latest: the moments are spread over what a run does meanwhile."""

SOURCES = ("evalplus", "aider", "livebench", "gsm1k", "epoch", "llm-stats", "nlp-progress", "mteb")
"""Files, dated files, trees, archives taken member by member and folder by folder, and a paper."""


def test_an_ingest_killed_anywhere_is_finished_by_the_next(tmp_path: Path, soak: Soak) -> None:
    moments = soak.random
    asked = ["ingest", "--history", *(part for key in SOURCES for part in ("--source", key))]
    with replaying() as url:
        assert command(tmp_path / "calm", *asked, "--mirror", url).wait() == 0
        reference = facts(tmp_path / "calm")
        home, versions = tmp_path / "killed", [0]
        for _ in range(KILLS):
            worker = command(home, *asked, "--mirror", url)
            time.sleep(moments.uniform(1, LONGEST))
            worker.kill()
            worker.wait()
            versions.append(stored(home, reference))
        assert versions == sorted(versions)
        assert command(home, *asked, "--mirror", url).wait() == 0
    assert not unlike(facts(home), reference)
    assert set(run_table(home)["status"]) <= {"crashed", "ok"}
    check_swept(home)


def test_a_night_killed_while_it_publishes_leaves_the_last_generation(tmp_path: Path, soak: Soak) -> None:
    moments = soak.random
    home, log = tmp_path / "home", tmp_path / "home" / "log"
    with replaying(*evening(MONTH_ENDS[1])) as url:
        assert command(home, "nightly", "--mirror", url).wait() == 2
        before = facts(home)
        published = open_current(home).path
        for _ in range(KILLS // 2):
            start = log.stat().st_size
            worker = command(home, "nightly", "--mirror", url)
            while "BenchBench" not in log.read_text()[start:]:
                time.sleep(0.05)
            time.sleep(moments.uniform(0, 2 * LONGEST))
            worker.kill()
            worker.wait()
            generation = open_current(home)
            assert generation.table("result").height > 0
            generation.close()
            check_whole(facts(home), before)
        assert command(home, "nightly", "--mirror", url).wait() == 2
    assert not unlike(facts(home), before)
    assert open_current(home).path != published
    assert len(generations(home)) <= 4
