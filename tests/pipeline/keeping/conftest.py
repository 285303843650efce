"""One home with all that a home can hold, and a backup of it, shared by the tests of keeping."""

import os
import shutil
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from benchhealth.pipeline.cli import main
from benchhealth.pipeline.keeping.backup import backup
from benchhealth.pipeline.night import import_results
from benchhealth.warehouse.ledger import LedgerEntry
from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.store import Store
from tests.pipeline.conftest import settings_of
from tests.support.facts import NOON, batch, derived, publish, registry, rejection, result, sources

SQUAD = {"benchmark_id": "squad-2.0", "name": "SQuAD", "metric": "EM", "unit": "percent", "higher_is_better": True}

OWN = "benchmark_id,model,score,unit,n_items\nsquad-1.1,Alder 7B,71.5,percent,100\n"
MODELS = 3_000
"""Enough results for blocks of their own in the database."""


def unchanged(url: str) -> LedgerEntry:
    return LedgerEntry("squad", url, url, "", sha256(url.encode()).hexdigest(), "", "unchanged", "", NOON)


@pytest.fixture(scope="session")
def kept_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two versions of one file, a row of one's own with its raw body, and a generation. No test changes it."""
    folder = tmp_path_factory.mktemp("kept")
    home = folder / "home"
    (folder / "own.csv").write_text(OWN)
    curated = registry([SQUAD])
    with Store.open(home) as store:
        store.write_sources(sources("squad"))
        for day in (0, 1):
            rows = [result(model_id=f"m{number}", score=number / MODELS) for number in range(MODELS)]
            store.ledger.record(*(unchanged(f"https://example.org/{day}/{number}") for number in range(MODELS)))
            store.write(batch(rows, ref=f"{day}", observed_at=NOON + timedelta(days=day), rejections=[rejection()]))
        publish(home, curated, load(home, curated, NOON), derived(), NOON)
    import_results(settings_of(home, folder), folder / "own.csv")
    return home


@pytest.fixture(scope="session")
def kept_backup(kept_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return backup(settings_of(kept_home, kept_home), destination=tmp_path_factory.mktemp("backups"))


@pytest.fixture
def home(kept_home: Path, tmp_path: Path) -> Path:
    """A copy of `kept_home` of one's own."""
    shutil.copytree(kept_home, tmp_path / "home", symlinks=True)
    return tmp_path / "home"


Command = Callable[..., tuple[int, str]]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line in this process: its exit code and its line about what is wrong, empty where nothing is."""

    def run(home: Path, *arguments: str | os.PathLike[str]) -> tuple[int, str]:
        monkeypatch.setenv("BENCHHEALTH_HOME", str(home))
        capsys.readouterr()
        code = main([os.fspath(argument) for argument in arguments])
        errors = capsys.readouterr().err
        lines = [line for line in errors.splitlines() if line.startswith("benchhealth: ")]
        assert len(lines) <= 1, errors
        return code, "".join(lines)

    return run
