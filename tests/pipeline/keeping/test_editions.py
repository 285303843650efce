"""A home as each edition of the program left it is migrated, assessed and backed up; one of a later is refused."""

import lzma
import tarfile
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from benchhealth.ingest.network import raw
from benchhealth.pipeline.doctor.command import all_findings
from benchhealth.pipeline.keeping.bodies import needed_hashes
from benchhealth.pipeline.settings import now
from benchhealth.warehouse.migrations import MIGRATIONS, edition_of
from benchhealth.warehouse.read import OlderGeneration, current_path, open_current
from benchhealth.warehouse.sql import FACTS
from benchhealth.warehouse.status import run_table
from benchhealth.warehouse.store import DATABASE, Store, fact_table, reading
from tests.pipeline.conftest import settings_of
from tests.pipeline.keeping.conftest import Command
from tests.support.soaking import some

HOMES = Path(__file__).parents[2] / "warehouse" / "homes"
EDITIONS = range(len(MIGRATIONS) + 1)
EACH_EDITION = pytest.mark.parametrize("number", some(EDITIONS, plain=[0, EDITIONS[-1]]))
"""The oldest and the newest in the suite, all in the soak."""

RESULTS = 127
"""Of the paper GSM1k 126, and one that was imported."""


def stored(edition: int, to: Path) -> Path:
    """The home that the program of that edition wrote; tests/warehouse/homes/README.md says how."""
    with lzma.open(HOMES / f"edition-{edition}.tar.xz") as file, tarfile.open(fileobj=file) as tar:
        tar.extractall(to, filter="tar")
    return to


def edition(home: Path) -> int:
    with reading(home) as connection:
        return edition_of(connection)


def tables(home: Path) -> dict[str, int]:
    """How many rows each table has that is there."""
    with duckdb.connect(home / DATABASE, read_only=True) as connection:
        names = [name for (name,) in connection.sql("SELECT table_name FROM duckdb_tables()").fetchall()]
        return {name: connection.sql(f'SELECT count(*) FROM "{name}"').fetchall()[0][0] for name in names}


def test_a_home_of_every_edition_is_stored() -> None:
    assert {file.name for file in HOMES.glob("*.xz")} == {f"edition-{number}.tar.xz" for number in EDITIONS}


@EACH_EDITION
def test_the_doctor_looks_at_a_stored_home_before_it_is_migrated(number: int, tmp_path: Path) -> None:
    home = stored(number, tmp_path)
    findings = all_findings(settings_of(home, home), now())
    assert not [finding.text() for finding in findings if "could not be checked" in finding.what]
    older = [finding for finding in findings if finding.check == "editions" and finding.note]
    assert bool(older) == (number < len(MIGRATIONS))
    assert edition(home) == number


@EACH_EDITION
def test_a_stored_home_is_migrated_whole(number: int, tmp_path: Path) -> None:
    home = stored(number, tmp_path)
    assert edition(home) == number
    before = tables(home)
    with Store.open(home):
        pass
    assert edition(home) == len(MIGRATIONS)
    after = tables(home)
    assert after["item_run"] == before.pop("item_fact", 0), "renamed when items were packed"
    assert {name: after[name] for name in before if name != "edition"} == {
        name: count for name, count in before.items() if name != "edition"
    }
    assert {name: fact_table(home, name).schema for name in FACTS} == dict(FACTS)
    assert after["result"] == RESULTS
    for sha256 in needed_hashes(home) & {path.stem for path in (home / raw.FOLDER).glob("*/*.gz")}:
        raw.load(home, sha256)
    assert run_table(home)["command"].to_list() == ["init", "import"]


@pytest.mark.soak
@pytest.mark.parametrize("number", EDITIONS)
def test_a_stored_home_is_assessed_and_published(number: int, tmp_path: Path, command: Command) -> None:
    home = stored(number, tmp_path)
    assert command(home, "assess", "--as-of", "2026-11-27") == (0, "")
    with closing(open_current(home)) as generation:
        assert generation.is_of_this_edition()
        assert generation.table("result").height == RESULTS
        assert generation.table("benchmark")["benchmark_id"].is_in(["gsm8k", "gsm1k"]).sum() == 2
    assert command(home, "export", "--to", tmp_path / "open") == (0, "")


@EACH_EDITION
def test_a_backup_of_an_older_edition_restores_into_this_one(number: int, tmp_path: Path, command: Command) -> None:
    home = stored(number, tmp_path / "old")
    assert command(home, "backup", "--to", tmp_path / "b.tar") == (0, "")
    assert edition(home) == number
    assert command(tmp_path / "new", "restore", "--from", tmp_path / "b.tar") == (0, "")
    assert edition(tmp_path / "new") == len(MIGRATIONS)
    assert fact_table(tmp_path / "new", "result").height == RESULTS
    if (home / "published").exists():
        with closing(open_current(tmp_path / "new")) as generation:
            assert isinstance(generation, OlderGeneration)
            assert generation.path.name == current_path(home).name
            assert generation.table("result").height == RESULTS - 1


OPENING_FACTS = (
    ("init",),
    ("ingest", "--source", "gsm1k"),
    ("assess",),
    ("nightly",),
    ("import", "own.csv"),
    ("status",),
    ("bundle", "--to", "bundle"),
    ("backup", "--to", "b.tar"),
)
"""Every command that opens the facts, with what it needs besides."""


@pytest.mark.parametrize("arguments", OPENING_FACTS, ids=lambda arguments: arguments[0])
def test_an_older_program_says_that_a_newer_wrote_the_home(
    arguments: tuple[str, ...], tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = stored(EDITIONS[-1], tmp_path / "home")
    with duckdb.connect(home / DATABASE) as connection:
        connection.execute("INSERT INTO edition VALUES (99)")
    before = (home / DATABASE).read_bytes()
    monkeypatch.chdir(tmp_path)
    code, line = command(home, *arguments)
    assert code == 1
    assert f"edition 99 and this program knows edition {len(MIGRATIONS)}" in line
    assert "\n" not in line
    assert (home / DATABASE).read_bytes() == before
