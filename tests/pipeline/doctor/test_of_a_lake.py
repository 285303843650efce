"""What `doctor` and `status` say of facts in a lake, and `doctor` of tables that are missing."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from benchhealth.pipeline.cli import main
from benchhealth.pipeline.doctor.command import all_findings
from benchhealth.pipeline.settings import now
from benchhealth.pipeline.status import HAND
from benchhealth.warehouse.migrations import MIGRATIONS
from benchhealth.warehouse.places.catalogue import engine
from benchhealth.warehouse.places.lake import Lake
from benchhealth.warehouse.places.location import place
from benchhealth.warehouse.read import PUBLISHED_FOLDER
from benchhealth.warehouse.store import DATABASE, Store
from tests.pipeline.conftest import settings_of
from tests.support.lakes.homes import environment
from tests.support.lakes.postgres import Cluster

Said = Callable[[str], str]


@pytest.fixture
def lake(cluster: Cluster, tmp_path: Path) -> Lake:
    return cluster.lake(tmp_path / "lake")


@pytest.fixture
def home(lake: Lake, small_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """One that has published, with its facts in a lake."""
    home = tmp_path / "home"
    shutil.copytree(small_home, home, symlinks=True)
    (home / DATABASE).unlink()
    for name, value in environment(lake).items():
        monkeypatch.setenv(name, value)
    yield home
    place(home, None)


@pytest.fixture
def doctor_output(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Said:
    """What a command prints that says that a hand is needed."""
    monkeypatch.setenv("BENCHHEALTH_HOME", str(home))

    def run(name: str) -> str:
        capsys.readouterr()
        assert main([name]) == HAND, capsys.readouterr()
        return capsys.readouterr().out

    return run


def sql(lake: Lake, home: Path, statement: str) -> None:
    place(home, lake)
    with Store.open(home) as store:
        store._opened.write(lambda cursor: cursor.execute(statement))


@pytest.mark.soak
def test_a_lake_of_a_later_edition_is_said(lake: Lake, home: Path, doctor_output: Said) -> None:
    sql(lake, home, "INSERT INTO edition VALUES (999)")
    assert f"wrong: editions: the facts are of edition 999, this program knows {len(MIGRATIONS)}" in doctor_output(
        "doctor"
    )


@pytest.mark.soak
def test_a_table_that_is_missing_in_a_lake_is_said(lake: Lake, home: Path, doctor_output: Said) -> None:
    sql(lake, home, "DROP TABLE own_fact")
    (line,) = [line for line in doctor_output("doctor").splitlines() if line.startswith("wrong: facts: own_fact")]
    assert "Back up a lake" in line
    assert "restore --replace" not in line


def test_a_table_that_is_missing_in_a_file_is_said(small_home: Path, tmp_path: Path) -> None:
    shutil.copytree(small_home, tmp_path / "home", symlinks=True)
    with duckdb.connect(tmp_path / "home" / DATABASE) as connection:
        connection.execute("DROP TABLE own_fact")
    findings = all_findings(settings_of(tmp_path / "home", small_home), now())
    (line,) = [finding.text() for finding in findings if finding.check == "facts"]
    assert line.startswith("wrong: facts: own_fact in the facts database has None")
    assert "restore --replace" in line


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(
            """ledger (seq, source_id, url, path, state, "at")
                SELECT range, 'squad', 'u', 'p', 'unchanged', TIMESTAMP '2026-01-01' FROM range(400)""",
            id="what status asks",
        ),
        pytest.param(
            "rejection (snapshot_id, source_row, reason) SELECT 's', range, 'r' FROM range(400)",
            id="what it only looks at, as runs and ledger lie in the catalogue yet",
            marks=pytest.mark.soak,
        ),
    ],
)
def test_files_of_a_lake_that_are_gone_are_no_reason_to_replace_it(
    rows: str, lake: Lake, home: Path, doctor_output: Said
) -> None:
    sql(lake, home, f"INSERT INTO {rows}")
    engine().execute("SET enable_external_file_cache = false")
    Path(str(lake.data)).rename(home.parent / "away")
    try:
        assert "PostgreSQL and the lake's files can be reached" in doctor_output("status")
        refused(doctor_output("doctor"))
    finally:
        engine().execute("SET enable_external_file_cache = true")


def test_a_catalogue_that_refuses_is_no_reason_to_replace_the_lake(
    cluster: Cluster, home: Path, doctor_output: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = cluster.libpq("").rpartition("user=")[2]
    address = f"ducklake:postgres:dbname=nowhere host={cluster.folder} user={user} password=hidden"
    monkeypatch.setenv("BENCHHEALTH_STORE", address)
    assert "PostgreSQL and the lake's files can be reached" in doctor_output("status")
    refused(doctor_output("doctor"))


def refused(text: str) -> None:
    (line,) = [line for line in text.splitlines() if line.startswith("wrong: facts: ")]
    assert "see that PostgreSQL, its password and the lake's files can be reached" in line
    assert "hidden" not in text
    assert "restore" not in line


@pytest.mark.soak
def test_a_worker_that_only_ingests_has_no_generation_by_right(
    home: Path, lake: Lake, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`init` is run once, on one of them (DEPLOYMENT.md): whoever wants a generation here too assesses."""
    sql(lake, home, "SELECT 1")
    shutil.rmtree(home / PUBLISHED_FOLDER)
    monkeypatch.setenv("BENCHHEALTH_HOME", str(home))
    assert main(["status"]) == 1
    errors = capsys.readouterr().err
    assert f"nothing is published in {home}; `benchhealth assess`" in errors
    assert main(["doctor"]) == 0
    assert "note: generations: nothing is published" in capsys.readouterr().out
