"""A night that is killed, again and again, wherever it is: the next one goes on, and in the end all is as without."""

import time
from datetime import datetime
from pathlib import Path

import polars as pl
import pytest

from ingest.network.raw import sweep
from tests.pipeline.test_nights import MONTH_ENDS
from tests.support.replay import SERVE, command, evening, facts, replaying, unlike
from tests.support.soaking import Soak
from warehouse.publish import generations
from warehouse.read import open_current
from warehouse.status import run_table

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(not SERVE.exists(), reason="the replayed upstreams are not beside this checkout"),
]

KILLS = 20
LONGEST = 15.0
"""Seconds after which the kill comes at the latest: the moments are spread over what a run does meanwhile."""

LONG_AFTER = datetime(2100, 1, 1)

SOURCES = ("evalplus", "aider", "livebench", "gsm1k", "epoch", "llm-stats", "nlp-progress", "mteb")
"""Files, dated files, trees, archives taken member by member and folder by folder, and a paper."""


def check_whole(found: dict[str, pl.DataFrame], reference: dict[str, pl.DataFrame]) -> int:
    """What is stored is whole and belongs there; returns how many versions that is."""
    for table, rows in found.items():
        assert rows.join(reference[table], on=rows.columns, how="anti", nulls_equal=True).is_empty(), table
        assert rows.is_duplicated().sum() <= reference[table].is_duplicated().sum(), table
    snapshots = found["snapshot"]
    assert snapshots["snapshot_id"].is_unique().all()
    kept = pl.concat([found[table].select("snapshot_id") for table in ("result", "model_fact", "report_fact")])
    for rows, column in ((kept, "rows_kept"), (found["rejection"].select("snapshot_id"), "rows_rejected")):
        counted = snapshots.join(rows.group_by("snapshot_id").len(), on="snapshot_id", how="left")
        assert (counted[column] == counted["len"].fill_null(0)).all()
    return snapshots.height


def check_swept(home: Path) -> None:
    """What a killed run had begun to save goes when it is old; until then another worker may be saving it."""
    sweep(home, LONG_AFTER)
    assert not list((home / "raw").rglob("*.part"))


def stored_versions(home: Path, reference: dict[str, pl.DataFrame]) -> int:
    """How many versions are stored, all of them whole; none where there are no facts yet."""
    try:
        found = facts(home)
    except FileNotFoundError:
        return 0
    return check_whole(found, reference)


def test_an_ingest_killed_anywhere_is_finished_by_the_next(tmp_path: Path, soak: Soak) -> None:
    moments = soak.random
    asked = ["ingest", "--history", *(part for key in SOURCES for part in ("--source", key))]
    with replaying() as url:
        assert command(tmp_path / "calm", *asked, "--mirror", url).wait() == 0
        reference = facts(tmp_path / "calm")
        home, stored = tmp_path / "killed", [0]
        for _ in range(KILLS):
            worker = command(home, *asked, "--mirror", url)
            time.sleep(moments.uniform(1, LONGEST))
            worker.kill()
            worker.wait()
            stored.append(stored_versions(home, reference))
        assert stored == sorted(stored)
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
