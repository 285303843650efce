"""Two runs at once over one lake, of which one dies: the other finishes, and the facts are those of one run."""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from benchhealth.warehouse.objects.access import Access
from benchhealth.warehouse.places.catalogue import catalogue
from benchhealth.warehouse.places.lake import Lake
from benchhealth.warehouse.places.location import place
from benchhealth.warehouse.read import current_path, open_current
from tests.pipeline.test_followed import dashboard, serves, shown
from tests.pipeline.test_followed import wait_for as until
from tests.support import asgi_client
from tests.support.lakes.gated import Gate, gated
from tests.support.lakes.homes import environment
from tests.support.lakes.objects import BUCKET
from tests.support.lakes.postgres import Cluster
from tests.support.night_process import Job, finished, start
from tests.support.replay import SERVE, facts, replaying, unlike

KEYS = ("aider", "evalplus", "lmarena", "squad")
PATIENCE = 120.0

pytestmark = pytest.mark.skipif(not SERVE.exists(), reason="the upstream files are not beside the project")

Lent = dict[str, tuple[str, bool, str]]


def lent(lake: Lake) -> Lent:
    """By source: the process that had it last, whether it is done, and after whose death it was taken over."""
    rows = catalogue(lake.libpq).ask("SELECT source_id, worker, done_at IS NOT NULL, coalesce(after, '') FROM lease")
    return {key: (worker, done, after) for key, worker, done, after in rows if key in KEYS}


def of(lent_to: Lent, pid: int | None, *, done: bool) -> list[str]:
    """The sources that this process works on, or has done."""
    return sorted(key for key, (worker, over, _) in lent_to.items() if f"-{pid}-" in worker and over == done)


def wait_for(lake: Lake, holds: Callable[[Lent], bool]) -> Lent:
    give_up = time.monotonic() + PATIENCE
    while not holds(lent_parts := lent(lake)):
        assert time.monotonic() < give_up, lent_parts
        time.sleep(0.05)
    return lent_parts


def written_by_two(lake: Lake, homes: Sequence[Path]) -> None:
    """Both write one source at once; each then waits for its upstream with another one in hand, and one is killed."""
    with replaying() as url, gated(url, KEYS) as first, gated(url, KEYS) as second:
        gates: tuple[Gate, Gate] = (first, second)
        doomed, survivor = (
            start(Job(home, "ingest", KEYS, gate.url, environment=environment(lake)))
            for home, gate in zip(homes, gates, strict=True)
        )
        pids = (doomed.pid, survivor.pid)
        lent_parts = wait_for(lake, lambda lent_parts: all(len(of(lent_parts, pid, done=False)) == 1 for pid in pids))
        for gate, pid in zip(gates, pids, strict=True):
            gate.open(*of(lent_parts, pid, done=False))
        lent_parts = wait_for(
            lake,
            lambda lent_parts: all(len(of(lent_parts, pid, done=over)) == 1 for pid in pids for over in (False, True)),
        )
        (left,) = of(lent_parts, doomed.pid, done=False)
        doomed.kill()
        second.open_all()
        survivor.join(PATIENCE)
        assert survivor.exitcode == 0, (homes[1] / "log").read_text()
    lent_parts = lent(lake)
    assert len(of(lent_parts, survivor.pid, done=True)) == len(KEYS) - 1
    assert f"-{survivor.pid}-" in lent_parts[left][0]
    assert f"-{doomed.pid}-" in lent_parts[left][2]


@pytest.mark.soak
def test_what_a_dead_run_held_passes_to_the_one_that_lives(cluster: Cluster, tmp_path: Path) -> None:
    lake, alone, homes = cluster.lake(tmp_path / "lake"), tmp_path / "alone", (tmp_path / "one", tmp_path / "two")
    written_by_two(lake, homes)
    with replaying() as url:
        assert finished(Job(alone, "ingest", KEYS, url)) == 0
    place(homes[0], lake)
    try:
        assert not unlike(facts(homes[0]), facts(alone))
    finally:
        place(homes[0], None)


@pytest.mark.soak
def test_a_dashboard_with_another_setting_shows_what_both_wrote(
    cluster: Cluster, bucket_access: Access, tmp_path: Path
) -> None:
    lake, homes, reader = cluster.lake(tmp_path / "lake"), (tmp_path / "one", tmp_path / "two"), tmp_path / "reader"
    address = {
        "BENCHHEALTH_GENERATIONS": f"s3://{BUCKET}/two-writers",
        "AWS_ENDPOINT_URL": str(bucket_access.endpoint),
        "AWS_ACCESS_KEY_ID": str(bucket_access.key_id),
        "AWS_SECRET_ACCESS_KEY": str(bucket_access.secret_key),
    }
    written_by_two(lake, homes)
    assert finished(Job(homes[1], "assess", KEYS, environment={**environment(lake), **address})) == 0
    with dashboard(reader, address) as served:
        assert serves(current_path(homes[1]).resolve())(until(served, bool))
        assert current_path(homes[1]).stem.encode() in asgi_client.finished(shown(served))
    with closing(open_current(reader)) as generation:
        assert set(generation.table("snapshot")["source_id"]) == set(KEYS)
