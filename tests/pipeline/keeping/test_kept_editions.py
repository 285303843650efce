"""Editions through the years: in backups, found by the doctor, kept by the night; a failure breaks no night."""

import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from benchhealth.pipeline import night
from benchhealth.pipeline.doctor.stored import bodies
from benchhealth.pipeline.export.edition import command as editions_command
from benchhealth.pipeline.export.edition.command import last_complete, was_at_work
from benchhealth.pipeline.keeping.backup import backup
from benchhealth.pipeline.settings import now
from benchhealth.warehouse.keeping.editions import MANIFEST, keep, kept_edition, months, note_doi
from benchhealth.warehouse.status import run_table
from benchhealth.warehouse.store import Store
from tests.pipeline.conftest import settings_of
from tests.warehouse.test_kept_editions import written

Command = Callable[..., tuple[int, str]]


@pytest.fixture
def with_edition(home: Path, tmp_path: Path) -> Path:
    """A home that keeps an edition."""
    keep(home, "2026-08", written(tmp_path / "a", card="said", tables__one="rows"))
    note_doi(home, "2026-08", "10.5281/zenodo.1")
    return home


def test_a_backup_holds_editions_and_a_restore_puts_them_beside_others(
    with_edition: Path, tmp_path: Path, command: Command
) -> None:
    there = kept_edition(with_edition, "2026-08")
    backup(settings_of(with_edition, tmp_path), destination=tmp_path / "one.tar")
    other = tmp_path / "other"
    july = keep(other, "2026-07", written(tmp_path / "b", card="July"))
    assert command(other, "restore", "--replace", "--from", tmp_path / "one.tar") == (0, "")
    assert months(other) == ["2026-08", "2026-07"]
    assert kept_edition(other, "2026-07") == july
    back = kept_edition(other, "2026-08")
    assert back is not None and there is not None
    assert (back.sha256, back.doi) == (there.sha256, "10.5281/zenodo.1")
    assert {name: body.path.read_bytes() for name, body in back.files.items() if name != MANIFEST} == {
        "card": b"said",
        "tables/one": b"rows",
    }


def test_a_restore_mends_a_damaged_body_and_the_doctor_names_it(
    with_edition: Path, tmp_path: Path, command: Command
) -> None:
    settings = settings_of(with_edition, tmp_path)
    backup(settings, destination=tmp_path / "one.tar")
    assert not list(bodies(settings, now()))
    damaged = kept_edition(with_edition, "2026-08").files["card"].path  # type: ignore[union-attr]
    damaged.write_text("other")
    (bodies_of,) = bodies(settings, now())
    assert str(damaged) in bodies_of.text()
    assert command(with_edition, "restore", "--replace", "--from", tmp_path / "one.tar") == (0, "")
    assert damaged.read_text() == "said"


def test_nothing_of_an_edition_is_let_go(with_edition: Path) -> None:
    before = sorted(path for path in (with_edition / "editions").rglob("*"))
    with Store.open(with_edition) as store:
        night.prune(with_edition, store, night.Settings.from_environment().keep, now() + timedelta(days=3_650))
    assert sorted(path for path in (with_edition / "editions").rglob("*")) == before


def test_an_edition_that_fails_is_on_record_and_breaks_nothing(
    small_home: Path, small_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Path(shutil.copytree(small_home, tmp_path / "small", symlinks=True))
    settings = settings_of(home, small_bundle)

    def unable(_settings: object) -> None:
        raise ZeroDivisionError("a chart")

    monkeypatch.setattr(editions_command, "keep_last", unable)
    with Store.open(home) as store:
        night._keep_edition(settings, store)
    last = run_table(home).row(-1, named=True)
    assert (last["command"], last["status"]) == ("edition", "failed")
    assert "a chart" in last["detail"]


def test_a_home_was_at_work_from_its_first_generation_on(small_home: Path) -> None:
    assert not was_at_work(small_home, last_complete(now()))
    assert was_at_work(small_home, f"{now():%Y-%m}")
