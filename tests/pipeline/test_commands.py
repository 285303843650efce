"""The commands as an operator meets them: exit codes, what is left after a bad night, what is printed."""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.sharing import Terms, terms
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.ingest.catalog import SOURCES
from benchhealth.ingest.network import fetch
from benchhealth.pipeline.cli import main
from benchhealth.pipeline.export.tables import export
from benchhealth.pipeline.night import assess
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse import publish as publishing
from benchhealth.warehouse.bundle import read_bundles
from benchhealth.warehouse.read import open_current
from benchhealth.warehouse.store import Store, fact_table
from tests.pipeline.conftest import REPOSITORY, SERVE, SMALL, benchhealth
from tests.support.night_process import BEFORE, Job, Kill, Point, finished
from tests.support.replay import replaying
from tests.support.scripted_server import fixed, serving

pytestmark = pytest.mark.xdist_group("bundle")

NOWHERE = "http://127.0.0.1:9"
"""The discard port: nobody answers there."""


@pytest.fixture
def home(small_home: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "home"
    shutil.copytree(small_home, copy, symlinks=True)
    return copy


def test_status_tells_sources_and_runs(small_home: Path) -> None:
    done = benchhealth(small_home, "status", "--json")
    state = json.loads(done.stdout)
    assert {source["source_id"] for source in state["sources"]} >= set(SMALL)
    assert state["runs"][0]["command"] == "init"
    assert state["runs"][0]["status"] == "ok"
    assert (done.returncode, state["well"], state["reasons"]) == (0, True, [])
    assert "last runs" in benchhealth(small_home, "status").stdout


def test_without_a_generation_the_message_says_what_to_do(tmp_path: Path) -> None:
    done = benchhealth(tmp_path / "empty", "status")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "init" in done.stderr


def test_an_unknown_source_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BENCHHEALTH_HOME", str(home))
    assert main(["ingest", "--source", "nonsense", "--source", "swe_bench"]) == 1
    errors = capsys.readouterr().err
    assert "no source called nonsense" in errors and "swe_bench (did you mean swe-bench, " in errors
    assert "Traceback" not in errors


def test_a_held_lock_is_75(home: Path) -> None:
    with Store.open(home):
        assert benchhealth(home, "assess").returncode == 75
        assert benchhealth(home, "nightly", "--mirror", NOWHERE).returncode == 75


@pytest.mark.soak
def test_a_dead_upstream_is_a_failed_source_and_the_last_facts_stay(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of two sources squad alone has an upstream to ask; gsm1k comes with the repository. Nobody waits to try again."""
    before = _results(home)
    monkeypatch.setenv("BENCHHEALTH_HOME", str(home))
    monkeypatch.setattr(fetch, "Pace", partial(fetch.Pace, sleep=lambda _seconds: None))
    assert main(["ingest", "--source", "squad", "--source", "gsm1k", "--mirror", NOWHERE]) == 2
    assert main(["assess"]) == 0
    capsys.readouterr()
    assert main(["status", "--json"]) == 0  # asked for once, a moment ago: a note, and no hand is needed yet
    sources = json.loads(capsys.readouterr().out)["sources"]
    squad = next(source for source in sources if source["source_id"] == "squad")
    assert squad["state"] == "failed"
    assert _results(home) == before


@pytest.mark.parametrize(
    "arguments",
    [
        *(("ingest", "--mirror", address) for address in ("nonsense", "", "ftp://a/b", "http://", "http://[", "//a")),
        ("ingest", "--mirror", "https://a:port/"),
        ("ingest", "--mirror", "https://a b/"),
        ("nightly", "--mirror", "nonsense"),
        *(("serve", "--port", port) for port in ("99999", "65536", "-1", "http", "")),
    ],
)
def test_what_cannot_be_asked_is_refused_at_once(
    arguments: tuple[str, str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("BENCHHEALTH_HOME", str(tmp_path))
    with pytest.raises(SystemExit) as refused:
        main(arguments)
    line = capsys.readouterr().err.splitlines()[-1]
    assert (refused.value.code, f"{arguments[2]!r} is no" in line, "_" in line) == (2, True, False), line
    assert not list(tmp_path.iterdir())


def test_no_source_that_answers_is_1(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHHEALTH_HOME", str(home))
    with serving(fixed(404)) as upstream:
        assert main(["ingest", "--source", "squad", "--mirror", upstream.url]) == 1


@pytest.mark.soak
def test_a_killed_run_is_seen_and_the_generation_stays(home: Path) -> None:
    published = (home / "published" / "current.duckdb").readlink()
    run = subprocess.Popen(
        [sys.executable, "-m", "benchhealth.pipeline.cli", "assess"],
        cwd=REPOSITORY,
        env={**os.environ, "BENCHHEALTH_HOME": str(home)},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert run.stderr is not None
    assert "assess: begun" in run.stderr.readline()
    run.send_signal(signal.SIGKILL)
    run.wait()
    run.stderr.close()
    done = benchhealth(home, "status", "--json")
    state = json.loads(done.stdout)
    assert state["runs"][0]["status"] == "crashed"
    assert (done.returncode, [reason["kind"] for reason in state["reasons"]]) == (3, ["publish-failed"])
    assert state["running"] is None
    assert (home / "published" / "current.duckdb").readlink() == published


@pytest.mark.soak
def test_a_killed_publish_is_seen(home: Path) -> None:
    published = (home / "published" / "current.duckdb").readlink()
    job = Job(home, "assess", SMALL, kill=Kill(Point("publish", "benchhealth.warehouse.publish:_swap", BEFORE), 1, 0))
    assert finished(job) == -signal.SIGKILL
    done = benchhealth(home, "status", "--json")
    state = json.loads(done.stdout)
    assert [run["command"] for run in state["runs"][:2]] == ["publish", "assess"]
    assert [run["status"] for run in state["runs"][:2]] == ["crashed", "ok"]
    assert (done.returncode, [reason["kind"] for reason in state["reasons"]]) == (3, ["publish-failed"])
    assert (home / "published" / "current.duckdb").readlink() == published
    assert finished(replace(job, kill=None)) == 0
    done = benchhealth(home, "status", "--json")
    assert (done.returncode, json.loads(done.stdout)["runs"][0]["command"]) == (0, "assess")
    with closing(open_current(home)) as generation:
        assert generation.table("run")["command"].to_list()[-2:] == ["publish", "assess"]


@pytest.mark.soak
def test_a_disk_that_fills_while_the_next_generation_is_written_leaves_the_last(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = home / "published"
    before = sorted(folder.iterdir())
    settings = Settings(home=home, registry=REPOSITORY / "data" / "registry", bundle=home, token=None)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space"):
        patch.setattr(publishing, "append", full)
        assess(settings, as_of=None)
    state = json.loads(benchhealth(home, "status", "--json").stdout)
    assert [run["status"] for run in state["runs"][:2]] == ["failed", "ok"]
    assert state["runs"][0]["command"] == "publish"
    assert "No space" in state["runs"][0]["detail"]
    assert sorted(folder.iterdir()) == before
    assess(settings, as_of=None)
    assert json.loads(benchhealth(home, "status", "--json").stdout)["runs"][0]["status"] == "ok"


@pytest.mark.soak
def test_assess_as_of_a_past_day_knows_nothing_later_and_imports_nothing_heavy(home: Path) -> None:
    heavy = ("pandas", "pyarrow.dataset", "streamlit", "plotly", "sklearn")
    code = (
        "from benchhealth.pipeline.cli import main; import sys; main(['assess', '--as-of', '2021-01-01']); "
        f"print(set({heavy}) & sys.modules.keys())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "BENCHHEALTH_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=900,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "set()"  # DuckDB draws its progress for whoever has no file
    generation = open_current(home)
    try:
        assert str(generation.query("SELECT max(as_of) FROM verdict").item()) == "2021-01-01"
        assert generation.query("SELECT max(observed_at) < DATE '2021-01-02' FROM snapshot").item()
        assert generation.query("SELECT max(dated_on) <= DATE '2021-01-01' FROM frontier").item()
    finally:
        generation.close()


@pytest.mark.soak  # tests/warehouse/sharing exports both forms of a home of each kind of source
@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_export_writes_every_table(small_home: Path, tmp_path: Path, kind: str) -> None:
    assert benchhealth(small_home, "export", "--to", str(tmp_path), "--format", kind).returncode == 0
    assert {path.stem for path in tmp_path.glob(f"*.{kind}")} == set(PUBLISHED)
    assert "Apache-2.0" in (tmp_path / "README.md").read_text()
    generation = open_current(small_home)
    try:
        expected = generation.query("SELECT count(*) FROM result").item()
    finally:
        generation.close()
    if kind == "parquet":
        assert pl.read_parquet(tmp_path / "result.parquet").height == expected
    else:
        with (tmp_path / "result.csv").open(newline="") as file:
            assert sum(1 for _ in csv.reader(file)) == expected + 1


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_an_export_of_the_bundled_facts_holds_back_what_is_curated_about_closed_boards_alone(
    bundled_home: Path, tmp_path: Path, kind: str
) -> None:
    settings = Settings(home=bundled_home, registry=bundled_home, bundle=bundled_home, token=None)
    export(settings, to=tmp_path, kind=kind)
    tables = {
        path.stem: pl.read_parquet(path) if kind == "parquet" else pl.read_csv(path, infer_schema=False)
        for path in tmp_path.glob(f"*.{kind}")
    }
    generation = open_current(bundled_home)
    try:
        counts = {name: generation.query(f'SELECT count(*) FROM "{name}"').item() for name in PUBLISHED}
    finally:
        generation.close()
    free = {
        source.key for source in SOURCES if terms(source.licence, redistributable=source.redistributable) is Terms.OPEN
    }
    held_back = {name for name in PUBLISHED if tables[name].height != counts[name]}
    assert {
        "alias",
        "breakpoint",
        "result",
        "snapshot",
        "frontier",
    } <= held_back  # share-alike has own files
    assert {"benchmark", "reproduction", "survival"}.isdisjoint(held_back)
    assert set(tables["snapshot"]["source_id"]) <= free
    assert set(tables["result"]["snapshot_id"]) <= set(tables["snapshot"]["snapshot_id"])
    assert set(tables["alias"]["source_id"].drop_nulls()) <= free
    assert {board.split("/")[0] for board in tables["breakpoint"]["board_id"]} <= free
    values = tables["fact_source"].filter(pl.col("attribute") != "benchmark_id")  # who has a benchmark may be known
    assert set(values["source_id"].drop_nulls()) <= free


@pytest.mark.soak
@pytest.mark.skipif(not SERVE.exists(), reason="the replayed upstreams are not beside this checkout")
def test_history_from_the_replayed_upstreams_equals_the_bundle(tmp_path: Path) -> None:
    keys = ("eee", "gsm1k")
    with replaying() as mirror:
        arguments = ("ingest", "--history", *(f"--source={key}" for key in keys), "--mirror", mirror)
        assert benchhealth(tmp_path, *arguments).returncode == 0
        once = _results(tmp_path)
        assert benchhealth(tmp_path, *arguments).returncode == 0
    assert _results(tmp_path) == once
    bundled = read_bundles(*(REPOSITORY / "data" / "snapshot" / f"{key}.parquet" for key in keys))
    assert once == _counted(bundled["snapshot"], bundled["result"])


def _results(home: Path) -> dict[tuple[str, str], int]:
    """How many results each snapshot of a home has, by source and address."""
    return _counted(fact_table(home, "snapshot"), fact_table(home, "result"))


def _counted(snapshots: pl.DataFrame, results: pl.DataFrame) -> dict[tuple[str, str], int]:
    rows = snapshots.join(results.group_by("snapshot_id").len(), on="snapshot_id", how="left")
    return {(source, url): count for source, url, count in rows.select("source_id", "url", "len").iter_rows()}
