"""What machines ask: `/healthz`, `/readyz`, `/metrics`, and addresses at which nothing is."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from prometheus_client import Metric
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from starlette.applications import Starlette
from starlette.routing import Route

from benchhealth.dashboard.published import generation
from benchhealth.dashboard.serving.operating import health as watched
from benchhealth.dashboard.serving.operating import reruns
from benchhealth.dashboard.serving.operating.health import healthz, metrics, readyz
from benchhealth.dashboard.serving.responses import Absent
from benchhealth.warehouse.locking import exclusive
from benchhealth.warehouse.objects.access import Access
from benchhealth.warehouse.objects.bucket import Bucket
from benchhealth.warehouse.objects.generations import Follower, Published
from benchhealth.warehouse.store import LOCK
from benchhealth.warehouse.watch import home_state, mark, notes, running
from benchhealth.warehouse.watch.home_state import HomeState, KeptOut, Phase, RunRecord, WatchedSource
from benchhealth.warehouse.watch.reasons import KINDS
from benchhealth.warehouse.watch.running import Running
from tests.support import asgi_client
from tests.support.small_generation import NOW

ROUTES = [Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", metrics)]
get = partial(asgi_client.get, Starlette(routes=[*ROUTES, Absent(("", "benchmark"))]))
AT = NOW + timedelta(days=40)


@pytest.fixture
def home(small_home: Path, tmp_path: Path) -> Iterator[Path]:
    copy = tmp_path / "home"
    shutil.copytree(small_home, copy, symlinks=True)
    generation.use(copy)
    watched.use(copy, lambda: AT)
    yield copy
    generation.use(small_home)
    watched.use(small_home, None)


def left(home: Path) -> None:
    """What a run leaves that held a file and failed to publish."""
    home_state.write(
        home,
        HomeState(
            at=NOW,
            version="0.1.0",
            sources=(WatchedSource('od"d\\', "weekly", live=True, asked_at=NOW, reached_at=AT - timedelta(days=1)),),
            kept_out=(KeptOut('od"d\\', "a.csv", "held", "c", "drift", NOW),),
            runs=(RunRecord("1", NOW, NOW, "publish", "failed", "OSError: full"),),
            phases=(),
            last_good=(Phase("0", "assess", NOW, 12.5, well=True),),
        ),
    )


def families() -> dict[str, Metric]:
    answer = get("/metrics")
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("application/openmetrics-text; version=1.0.0")
    assert answer.body.endswith("# EOF\n")
    return {family.name: family for family in text_string_to_metric_families(answer.body)}


def values(family: Metric) -> dict[tuple[str, ...], float]:
    return {tuple(sample.labels.values()): sample.value for sample in family.samples}


def test_the_process_lives_whatever_the_home_is(tmp_path: Path) -> None:
    generation.use(tmp_path)
    answer = get("/healthz")
    assert (answer.status, json.loads(answer.body)["status"]) == (200, "alive")


def test_ready_says_what_is_served_how_old_it_is_and_what_is_wrong_beside_it(home: Path) -> None:
    left(home)
    answer = get("/readyz")
    state = json.loads(answer.body)
    assert (answer.status, state["status"]) == (200, "ready")
    assert answer.headers["content-type"] == "application/json"
    assert (state["generation"]["number"], state["generation"]["as_of"]) == (1, "2025-01-03")
    assert state["generation"]["age_seconds"] == 40 * 86_400
    assert {fault["kind"] for fault in state["faults"]} == {"publish-failed", "held-too-long"}
    assert all(fault["text"] for fault in state["faults"])


def test_through_the_proxy_faults_and_runs_are_named_without_their_texts(home: Path) -> None:
    import os

    left(home)
    run = Running("1", "nightly", os.getpid(), os.uname().nodename, "0.1.0", NOW, NOW, "ingest", NOW)
    notes.write(running.path_of(home), run)
    with exclusive(home / LOCK, wait=False):
        answer = get("/readyz", **{"X-Forwarded-For": "203.0.113.7"})
    state = json.loads(answer.body)
    assert (answer.status, state["status"], state["generation"]["number"]) == (200, "ready", 1)
    assert state["faults"] == [{"kind": "held-too-long"}, {"kind": "publish-failed"}]
    assert set(state["running"]) == {"command", "started_at", "phase"}
    generation.use(home / "empty")
    answer = get("/readyz", **{"X-Forwarded-For": "203.0.113.7"})
    assert (answer.status, str(home) in answer.body) == (503, False)


def test_a_lock_that_cannot_be_read_makes_no_error(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable(*_: object) -> bool:
        raise PermissionError("lock")

    notes.write(running.path_of(home), Running("1", "nightly", 1, "elsewhere", "0.1.0", NOW, NOW))
    monkeypatch.setattr(running, "is_held", unreadable)
    assert json.loads(get("/readyz").body)["running"] is None
    assert values(families()["benchhealth_run_at_work"]) == {(): 0}


def test_an_address_that_is_not_reached_is_said_beside_what_is_served(home: Path) -> None:
    gone = Bucket("s3://away/x", Access("http://127.0.0.1:1", key_id="tests", secret_key="tests"))
    follower = Follower(Published(gone), home)
    watched.use(home, lambda: AT, follower)
    assert values(families()["benchhealth_generations_unreached_seconds"]) == {(): 0}
    follower.look()
    state = json.loads(get("/readyz").body)
    assert (state["status"], state["generation"]["number"]) == ("ready", 1)
    assert [(fault["kind"], fault["about"]) for fault in state["faults"]] == [("generations-unreached", "s3://away/x")]
    assert "s3://away/x/current.json cannot be reached" in state["faults"][0]["text"]
    assert values(families()["benchhealth_generations_unreached_seconds"])[()] > 0


def test_another_generation_is_served_where_the_one_in_service_cannot_be_read_and_that_is_told(home: Path) -> None:
    (home / "published" / "current.duckdb").unlink()
    generation.use(home)
    state = json.loads(get("/readyz").body)
    assert (state["status"], state["generation"]["number"]) == ("ready", 1)
    assert state["faults"][0]["kind"] == "other-generation"
    assert "`benchhealth init`" in state["faults"][0]["text"]
    assert values(families()["benchhealth_generation_in_service"]) == {(): 0}


def test_not_ready_is_503_with_the_reason(home: Path) -> None:
    shutil.rmtree(home / "published")
    generation.use(home)
    answer = get("/readyz")
    state = json.loads(answer.body)
    assert (answer.status, state["status"]) == (503, "not ready")
    assert "`benchhealth init`" in state["faults"][0]["text"]
    assert values(families()["benchhealth_generation_readable"]) == {(): 0}
    assert "benchhealth_generation_in_service" not in families()


def test_the_numbers_are_those_of_the_generation_and_of_what_runs_leave(home: Path) -> None:
    left(home)
    metric_families = families()
    assert values(metric_families["benchhealth_generation_age_seconds"]) == {(): 40 * 86_400}
    view = generation.current()
    rows_of = dict(view.query("SELECT source_id, sum(rows_kept) FROM snapshot GROUP BY ALL").iter_rows())
    assert values(metric_families["benchhealth_source_rows_kept"]) == {(key,): rows for key, rows in rows_of.items()}
    until = dict(view.table("source").select("source_id", "known_until").iter_rows())
    ages = {(key,): (AT - datetime(on.year, on.month, on.day)).total_seconds() for key, on in until.items()}
    assert values(metric_families["benchhealth_source_look_age_seconds"]) == ages
    assert values(metric_families["benchhealth_files_kept_out"]) == {("held",): 1, ("failed",): 0}
    assert values(metric_families["benchhealth_phase_duration_seconds"]) == {("assess",): 12.5}
    (answered,) = metric_families["benchhealth_source_answered_timestamp_seconds"].samples
    assert answered.labels == {"source": 'od"d\\'}
    needed = values(metric_families["benchhealth_hand_needed"])
    assert {kind for (kind,) in needed} == set(KINDS)
    assert {kind for (kind,), count in needed.items() if count} == {"publish-failed", "held-too-long"}


def test_a_night_that_could_say_nothing_but_its_mark_and_a_full_disk_are_counted(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = mark.begin(home, "1", "nightly", "0.1.0", NOW)
    mark.end(home, begun, NOW, "failed", "OSError: full")
    needed = values(families()["benchhealth_hand_needed"])
    assert {kind for (kind,), count in needed.items() if count} == {"night-failed"}
    monkeypatch.setattr("benchhealth.warehouse.watch.home.NO_ROOM_BYTES", 2**80)
    needed = values(families()["benchhealth_hand_needed"])
    assert {kind for (kind,), count in needed.items() if count} == {"night-failed", "not-writable"}
    assert {fault["kind"] for fault in json.loads(get("/readyz").body)["faults"]} == {"night-failed", "not-writable"}


def test_what_no_run_has_left_is_not_made_up(home: Path) -> None:
    metric_families = families()
    assert "benchhealth_generation_number" in metric_families
    assert not {"benchhealth_files_kept_out", "benchhealth_phase_duration_seconds"} & set(metric_families)
    (home / home_state.FILE).write_text("{")
    assert "benchhealth_files_kept_out" not in families()


def test_a_run_at_work_is_seen_while_it_lasts(home: Path) -> None:
    import os

    run = Running("1", "nightly", os.getpid(), os.uname().nodename, "0.1.0", NOW, NOW, "ingest", NOW)
    notes.write(running.path_of(home), run)
    assert values(families()["benchhealth_run_at_work"]) == {(): 0}
    with exclusive(home / LOCK, wait=False):
        metric_families = families()
        assert json.loads(get("/readyz").body)["running"]["phase"] == "ingest"
    assert values(metric_families["benchhealth_run_at_work"]) == {(): 1}
    assert list(values(metric_families["benchhealth_run_started_timestamp_seconds"])) == [("nightly", "ingest")]
    assert "benchhealth_run_progress_ratio" not in metric_families
    notes.write(running.path_of(home), replace(run, phase="assess", steps=84, steps_done=21, step="twins"))
    with exclusive(home / LOCK, wait=False):
        assert values(families()["benchhealth_run_progress_ratio"]) == {("assess",): 0.25}
        assert "21 of 84 steps, now twins" in json.loads(get("/readyz").body)["running"]["text"]


def test_reruns_are_counted_by_page(home: Path) -> None:
    def count() -> float:
        samples = families()["benchhealth_rerun_seconds"].samples
        return sum(one.value for one in samples if one.name.endswith("_count") and one.labels["page"] == "a page")

    before = count()
    with reruns.time_drawing("a page"), pytest.raises(KeyError):
        raise KeyError
    with pytest.raises(KeyError), reruns.time_drawing("a page"):
        raise KeyError
    assert count() == before + 2


@pytest.mark.parametrize(
    "path",
    [
        *("/nothing", "/benchmark/x", "/healthz/", "/_stcore/nothing", "/_stcore/upload_file/a/b", "/_stcore/stream/x"),
        *("/_stcore/metrics", "/_stcore/metrics/", "/st-metrics"),
    ],
)
def test_where_nothing_is_a_browser_gets_a_page_and_a_program_json_and_both_404(path: str) -> None:
    page, plain = get(path, Accept="text/html,*/*"), get(path)
    assert (page.status, plain.status) == (404, 404)
    assert page.headers["content-type"].startswith("text/html") and "<h1>" in page.body
    assert "Nothing" in json.loads(plain.body)["error"]


def test_a_file_is_taken_from_nobody(server: str) -> None:
    import urllib.error
    import urllib.request

    for path in ("/_stcore/upload_file/a/b", "/_stcore/upload_file/"):
        for method in ("PUT", "POST", "DELETE", "OPTIONS"):
            asked = urllib.request.Request(f"{server}{path}", data=b"x" * 1000, method=method)
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(asked, timeout=60)
            with refused.value:
                assert refused.value.code in (404, 405), method


def test_the_real_server_answers_and_counts(server: str) -> None:
    import urllib.error
    import urllib.request

    with urllib.request.urlopen(f"{server}/metrics", timeout=60) as answer:
        metric_families = {one.name: one for one in text_string_to_metric_families(answer.read().decode())}
    assert {"benchhealth_readers", "benchhealth_generation_number", "process_resident_memory_bytes"} <= set(
        metric_families
    )
    for path in ("/_stcore/nothing", "/nothing", "/_stcore/metrics", "/_stcore/metrics/"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{server}{path}", timeout=60)
        with refused.value:
            assert refused.value.code == 404
    with urllib.request.urlopen(f"{server}/_stcore/health", timeout=60) as answer:
        assert answer.status == 200
