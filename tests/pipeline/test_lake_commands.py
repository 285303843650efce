"""Every command once over a lake, its files on a disk and in S3, as a user would type them."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import polars as pl
import pytest

from benchhealth.warehouse.objects.access import Access
from benchhealth.warehouse.places.lake import Lake
from benchhealth.warehouse.store import DATABASE
from tests.pipeline.conftest import SMALL, benchhealth
from tests.support.lakes.homes import environment
from tests.support.lakes.objects import BUCKET
from tests.support.lakes.postgres import Cluster
from tests.support.night_process import Job, finished
from tests.support.replay import SERVE, replaying

OWN = "benchmark_id,model,score,unit\nsquad-1.1,Alder 7B,71.5,percent\n"

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(not SERVE.exists(), reason="the upstream files are not beside the project"),
]


@pytest.fixture(params=["disk", "s3"])
def settings(
    request: pytest.FixtureRequest, cluster: Cluster, bucket_access: Access, tmp_path: Path
) -> Iterator[Mapping[str, str]]:
    """What is set for a lake that is not made yet; with S3 the generations go there too."""
    if request.param == "disk":
        yield environment(Lake(cluster.database(), str(tmp_path / "lake")))
        return
    folder = f"s3://{BUCKET}/{tmp_path.name}"
    yield {
        **environment(Lake(cluster.database(), f"{folder}/facts")),
        "BENCHHEALTH_GENERATIONS": f"{folder}/generations",
        "AWS_ENDPOINT_URL": str(bucket_access.endpoint),
        "AWS_ACCESS_KEY_ID": str(bucket_access.key_id),
        "AWS_SECRET_ACCESS_KEY": str(bucket_access.secret_key),
    }


def test_every_command_works_over_a_lake_or_says_what_to_do(
    settings: Mapping[str, str], small_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, own_file = tmp_path / "home", tmp_path / "own.csv"
    own_file.write_text(OWN)
    rooms = tmp_path / "temporary"
    rooms.mkdir()
    for name, value in {**settings, "TMPDIR": str(rooms)}.items():  # `doctor` sees what others left in a shared one
        monkeypatch.setenv(name, value)

    def run(command: str, **given: object) -> None:
        job = Job(home, command, SMALL, environment=settings, **given)  # type: ignore[arg-type]
        assert finished(job) == 0, job.log.read_text()

    def typed(*arguments: object, code: int = 0) -> subprocess.CompletedProcess[str]:
        done = benchhealth(home, *map(str, arguments))
        assert done.returncode == code, done.stderr
        return done

    with replaying() as url:
        run("init", bundle=small_bundle)
        run("ingest", mirror=url)
        run("nightly", mirror=url)
    run("import", path=own_file)
    run("assess")
    state = json.loads(typed("status", "--json").stdout)
    assert state["facts"] == "read"
    assert [each["command"] for each in state["runs"]] == ["assess", "import", "nightly", "ingest", "init"]
    assert typed("doctor").stdout.splitlines()[-1] == "well"
    typed("export", "--to", tmp_path / "open")
    results = pl.read_parquet(tmp_path / "open" / "result.parquet")
    assert results.height > 0
    assert "Alder 7B" in typed("check", "Alder 7B").stdout
    typed("report", "--benchmark", "squad-1.1", "--output", tmp_path / "report.html")
    assert "pg_dump" in typed("backup", "--to", tmp_path, code=1).stderr
    assert "there is no folder" not in typed("status").stdout
    assert not (home / DATABASE).exists()
