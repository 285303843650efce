"""An edition: the same bytes from the same facts, nothing that may not leave, and descriptions that validators take."""

import io
import json
import os
import shutil
from datetime import date, datetime
from pathlib import Path

import polars as pl
import pytest
from pypdf import PdfReader

from benchhealth.analytics.record.tables import TABLES
from benchhealth.pipeline.errors import UsageError
from benchhealth.pipeline.export.edition import command
from benchhealth.pipeline.export.tables import in_order
from benchhealth.pipeline.night import assess
from benchhealth.warehouse.keeping import editions
from tests.pipeline.conftest import settings_of
from tests.pipeline.export.conftest import ADDRESS, MONTH
from tests.support import mixed_generation as mixed
from tests.support.mixed_generation import told_of

SMALL_MONTH = "2025-12"


def read(path: Path) -> str:
    """All that a reader of the file can see of it."""
    if path.suffix == ".parquet":
        return pl.read_parquet(path).write_json()
    if path.suffix == ".pdf":
        return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(path.read_bytes())).pages)
    if path.parent.name == "charts":
        figure = json.loads(path.read_text())
        del figure["layout"]["template"]  # colours of Plotly's own, with all sorts of numbers
        return json.dumps(figure)
    return path.read_text()


def test_nothing_leaves_that_may_not(edition: Path) -> None:
    files = [path for path in edition.rglob("*") if path.is_file()]
    kinds_of = {kind: [path for path in files if told_of(kind, read(path))] for kind in mixed.KINDS}
    assert kinds_of["open"]
    assert kinds_of["shut"] == kinds_of["import"] == []
    apart = edition / "tables" / "alike"
    assert kinds_of["alike"]
    assert [path for path in kinds_of["alike"] if apart not in path.parents and path.suffix == ".parquet"] == []


def test_each_table_is_there_by_its_key(edition: Path) -> None:
    for name, table in TABLES.items():
        rows = pl.read_parquet(edition / "tables" / f"{name}.parquet")
        assert rows.schema == table.schema
        assert rows.equals(in_order(rows.sample(fraction=1.0, shuffle=True, seed=7), table)), name


def test_the_descriptions_name_every_table_with_its_bytes(edition: Path) -> None:
    croissant = json.loads((edition / "croissant.json").read_text())
    package = json.loads((edition / "datapackage.json").read_text())
    hashes = {one["contentUrl"]: one["sha256"] for one in croissant["distribution"]}
    assert set(hashes) == {f"tables/{name}.parquet" for name in TABLES}
    assert hashes == {path: editions.digest_of(edition / path) for path in hashes}
    assert {one["path"]: one["hash"] for one in package["resources"]} == {
        path: f"sha256:{digest}" for path, digest in hashes.items()
    }
    assert all(one["bytes"] == (edition / one["path"]).stat().st_size for one in package["resources"])
    assert croissant["url"] == f"{ADDRESS}edition/{MONTH}/"


def test_the_manifest_names_all_other_files(edition: Path) -> None:
    listed = editions.read_manifest(editions.manifest_of(edition), "here")
    there = {path.relative_to(edition).as_posix() for path in edition.rglob("*") if path.is_file()}
    assert set(listed) == there
    page = (edition / "index.html").read_text()
    assert all(f'href="{name}"' in page for name in there - {"index.html"})


@pytest.fixture(scope="module")
def home(small_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the small home, which keeps the edition of a month."""
    copy = tmp_path_factory.mktemp("small") / "home"
    return Path(shutil.copytree(small_home, copy, symlinks=True))


@pytest.mark.soak
def test_made_again_after_other_runs_it_is_the_same(home: Path, small_bundle: Path, tmp_path: Path) -> None:
    settings = settings_of(home, small_bundle)
    first = command.keep(settings, SMALL_MONTH)
    assess(settings, as_of=date(2026, 3, 1))  # more runs and another generation in between
    again = tmp_path / "again"
    shutil.copytree(home, again, symlinks=True, ignore=shutil.ignore_patterns(editions.FOLDER))
    second = command.keep(settings_of(again, small_bundle), SMALL_MONTH)
    assert {name: body.sha256 for name, body in second.files.items()} == {
        name: body.sha256 for name, body in first.files.items()
    }
    assert command.keep(settings, SMALL_MONTH) == first
    verdicts = pl.read_parquet(first.files["tables/verdict.parquet"].path)
    assert verdicts["as_of"].unique().to_list() == [date(2025, 12, 31)]
    results = pl.read_parquet(first.files["tables/snapshot.parquet"].path)
    assert results["observed_at"].max() < datetime(2026, 1, 1)
    assert pl.read_parquet(first.files["tables/run.parquet"].path).is_empty()


def test_a_month_that_is_not_over_or_unknown_is_refused(home: Path, small_bundle: Path) -> None:
    settings = settings_of(home, small_bundle)
    with pytest.raises(UsageError, match="is not over"):
        command.keep(settings, "2999-01")
    with pytest.raises(UsageError, match="nothing is known here"):
        command.keep(settings, "1999-01")
    with pytest.raises(UsageError, match="no month"):
        command.keep(settings, "2026-13")
    assert not [path for path in home.iterdir() if path.name.startswith(".edition-")]


@pytest.mark.soak
def test_a_night_keeps_the_last_month_of_a_home_that_was_at_work_then(
    home: Path, small_bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_of(home, small_bundle)
    assert command.keep_last(settings) is None  # its first run is of today
    monkeypatch.setattr(command, "was_at_work", lambda *_: True)
    monkeypatch.setattr(command, "now", lambda: datetime(2026, 1, 1, 3))
    edition = command.keep_last(settings)
    assert edition is None  # that month is kept already
    shutil.rmtree(home / editions.FOLDER)
    assert command.keep_last(settings) is not None
    assert editions.months(home) == [SMALL_MONTH]


def test_the_last_complete_month() -> None:
    assert command.last_complete(datetime(2026, 1, 1)) == "2025-12"
    assert command.last_complete(datetime(2026, 3, 31, 23, 59)) == "2026-02"
    assert command.end_of("2024-02") == datetime(2024, 2, 29, 23, 59, 59, 999999)


@pytest.mark.soak
def test_the_files_are_written_where_they_are_asked_for(home: Path, small_bundle: Path, tmp_path: Path) -> None:
    settings = settings_of(home, small_bundle)
    command.run(settings, month=SMALL_MONTH, to=tmp_path / "out", address=None, doi=None)
    edition = command.keep(settings, SMALL_MONTH)
    there = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert there == set(edition.files)
    assert os.system(f"cd {tmp_path / 'out'} && sha256sum --quiet -c {editions.MANIFEST}") == 0
    command.run(settings, month=SMALL_MONTH, to=None, address=None, doi="10.5281/zenodo.1234567")
    assert command.keep(settings, SMALL_MONTH).doi == "10.5281/zenodo.1234567"
