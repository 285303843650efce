"""The way from a file to a lake: a backup of the one is put into the other, once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchhealth.pipeline.cli import LOCKED
from benchhealth.pipeline.keeping import restore
from benchhealth.warehouse.places.lake import Lake
from benchhealth.warehouse.places.location import place
from benchhealth.warehouse.store import DATABASE, LOCK, Store, fact_table
from tests.pipeline.keeping.conftest import Command, unchanged
from tests.pipeline.keeping.test_backup import contents, same
from tests.support.lakes.homes import SECONDS, environment
from tests.support.lakes.postgres import Cluster


@pytest.fixture
def lake(cluster: Cluster, tmp_path: Path) -> Lake:
    """One that is not made yet."""
    return Lake(cluster.database(), str(tmp_path / "lake"), lease_seconds=SECONDS)


@pytest.fixture
def new(lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """No home yet, whose facts are to lie in the lake."""
    for name, value in environment(lake).items():
        monkeypatch.setenv(name, value)
    yield tmp_path / "new"
    place(tmp_path / "new", None)


@pytest.mark.soak
def test_a_backup_of_a_file_goes_into_an_empty_lake(
    kept_home: Path, kept_backup: Path, new: Path, command: Command
) -> None:
    assert command(new, "restore", "--from", kept_backup) == (0, "")
    assert same(new, kept_home)
    assert not (new / DATABASE).exists()
    moved = fact_table(new, "ledger")
    assert moved["seq"].is_unique().all()
    assert moved.height == fact_table(kept_home, "ledger").height
    with Store.open(new) as store:
        store.ledger.record(unchanged("https://example.org/later"))
    assert fact_table(new, "ledger")["seq"].max() == moved["seq"].max() + 1  # type: ignore[operator]

    before = contents(new)
    code, message = command(new, "restore", "--replace", "--from", kept_backup)
    assert code == 1
    assert "there are facts already" in message
    assert "make an empty database for the lake" in message
    assert contents(new) == before


@pytest.mark.soak
def test_what_another_run_is_at_work_on_is_not_filled_meanwhile(
    kept_backup: Path, lake: Lake, new: Path, command: Command
) -> None:
    """It would be there twice: until the first of both commits the lake is empty to each."""
    with lake.writing() as elsewhere, elsewhere.claims.hold("squad"):
        code, message = command(new, "restore", "--from", kept_backup)
    assert code == LOCKED
    assert "another run holds 'squad'" in message
    assert {path.name for path in new.iterdir()} == {LOCK}
    assert command(new, "restore", "--from", kept_backup) == (0, "")


@pytest.mark.soak
@pytest.mark.parametrize("last", ["fill", "_swap", "_serve"])
def test_a_killed_restore_is_run_again(  # noqa: PLR0917 - fixtures
    last: str, kept_home: Path, kept_backup: Path, new: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = getattr(restore, last)

    def killed(*given: object) -> None:
        done(*given)
        raise OSError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(restore, last, killed)
        assert command(new, "restore", "--from", kept_backup) == (1, "benchhealth: killed")
    assert command(new, "restore", "--from", kept_backup) == (0, "")
    assert same(new, kept_home)
    assert fact_table(new, "ledger").height == fact_table(kept_home, "ledger").height
