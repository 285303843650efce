"""What the image runs, as it runs there: a plain user who writes to the state and to a temporary folder alone."""

import json
import subprocess
from datetime import date
from pathlib import Path

import pytest

from benchhealth.warehouse.read import open_current
from benchhealth.warehouse.status import run_table
from tests.support import sandbox
from tests.support.replay import SERVE, evening
from tests.support.small_generation import build

BUNDLE = sandbox.ROOT / "data" / "snapshot"
SMALL = ("evalplus", "gsm1k", "squad")
TOUCH = "for place in /etc /tmp /usr/bin data dashboard /srv /media; do touch $place/x 2>&1 && echo may; done; id -u"
SERVED = """
import asyncio, json, subprocess, sys, time, urllib.request
sys.path.insert(0, ".")
from perf.protocol import Reader

def asked(path):
    with urllib.request.urlopen(f"http://127.0.0.1:8501{path}", timeout=60) as answer:
        return answer.status, len(answer.read())

async def drawn():
    async with Reader("http://127.0.0.1:8501") as reader:
        return (await reader.visit()).plain

command = [sys.executable, "-m", "benchhealth.pipeline.cli", "serve", "--host", "0.0.0.0", "--port", "8501"]
with subprocess.Popen(command, stdout=sys.stderr) as server:
    try:
        while server.poll() is None:
            try:
                asked("/readyz")
                break
            except OSError:
                time.sleep(0.2)
        paths = ("/readyz", "/data/verdict.csv", "/data/verdict.parquet", "/report.pdf?domain=reading")
        found = {path: asked(path) for path in paths}
        found["drawn"] = asyncio.run(drawn())
    finally:
        server.terminate()
print(json.dumps(found))
"""
NIGHT = """
import subprocess, sys
replay = [sys.executable, sys.argv[1], "--port", "0", *sys.argv[2:]]
with subprocess.Popen(replay, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as upstreams:
    try:
        mirror = upstreams.stdout.readline().split()[-1]
        night = [sys.executable, "-m", "benchhealth.pipeline.cli", "nightly", "--mirror", mirror]
        code = subprocess.run(night).returncode
    finally:
        upstreams.terminate()
sys.exit(code)
"""


@pytest.fixture(autouse=True)
def _can() -> None:
    if reason := sandbox.why_not():
        pytest.skip(reason)


def well(done: "subprocess.CompletedProcess[str]", *codes: int) -> "subprocess.CompletedProcess[str]":
    assert done.returncode in (codes or (0,)), done.stderr
    for word in ("Traceback", "panicked", "Read-only file system", "Permission denied"):
        assert word not in done.stderr, done.stderr
    return done


@pytest.mark.parametrize(("reads_only", "may"), [(False, 2), (True, 1)])
def test_nothing_else_can_be_written(tmp_path: Path, reads_only: bool, may: int) -> None:
    (tmp_path / "published" / "files").mkdir(parents=True)
    output = sandbox.run(["sh", "-c", TOUCH], tmp_path, BUNDLE, reads_only=reads_only).stdout.splitlines()
    assert output.count("may") == may
    assert output[-1] == str(sandbox.USER)


@pytest.mark.soak
def test_a_dashboard_serves_a_state_that_it_only_reads(tmp_path: Path) -> None:
    build(tmp_path)
    (tmp_path / "published" / "files").mkdir()
    before = sorted(tmp_path.rglob("*"))
    done = well(sandbox.run(["python", "-c", SERVED], tmp_path, BUNDLE, reads_only=True))
    result = json.loads(done.stdout.splitlines()[-1])
    assert result.pop("drawn") > 10_000
    assert {status for status, _ in result.values()} == {200}
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.soak
@pytest.mark.skipif(not SERVE.exists(), reason="the replayed upstreams are not beside this checkout")
def test_the_first_generation_and_a_night(tmp_path: Path) -> None:
    bundle, home = tmp_path / "bundle", tmp_path / "home"
    bundle.mkdir()
    home.mkdir()
    for key in SMALL:
        (bundle / f"{key}.parquet").write_bytes((BUNDLE / f"{key}.parquet").read_bytes())
    well(sandbox.run(["python", "-m", "benchhealth.pipeline.cli", "init"], home, bundle))
    first = open_current(home).path
    replayed = [str(SERVE), "--api-limit", "0", *evening(date(2023, 6, 30))]
    well(sandbox.run(["python", "-c", NIGHT, *replayed], home, bundle, seconds=3600), 0, 2)
    assert open_current(home).path != first
    assert set(run_table(home)["command"]) == {"init", "nightly"}
