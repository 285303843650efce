"""The tables shipped with the bundled facts are those that would be computed; of other facts they are refused."""

import json
import logging
import os
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import benchhealth
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.serving import server
from benchhealth.pipeline import night, shipped
from benchhealth.pipeline.cli import main
from benchhealth.pipeline.settings import Settings
from benchhealth.pipeline.shipped import FOLDER, edition, embedded_home, ship, shipped_tables
from benchhealth.warehouse.bundle import BundleError, NotRedistributable
from benchhealth.warehouse.loading.shipped import RESULT, read_shipped, write_shipped
from benchhealth.warehouse.read import current_path, open_current
from benchhealth.warehouse.sql import FACTS
from benchhealth.warehouse.store import fact_table
from tests.pipeline.conftest import REPOSITORY, settings_of
from tests.pipeline.test_same_generation import published
from tests.support import mixed_generation, small_generation

OPEN, ALIKE = "gsm1k", "milestones"
LICENCE = "CC-BY-SA-4.0"
OF_RUNS = {"run_start", "run_end", "ledger"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Two sources, one of them share-alike, with their tables beside them and the home in which those were computed."""
    folder = tmp_path_factory.mktemp("made")
    bundle = folder / "snapshot"
    bundle.mkdir()
    for key in (OPEN, ALIKE):
        shutil.copy(REPOSITORY / "data" / "snapshot" / f"{key}.parquet", bundle)
    settings = settings_of(folder / "home", bundle)
    night.init(settings)
    assert ship(settings) == folder / FOLDER
    return settings


@pytest.fixture
def copied(made: Settings, tmp_path: Path) -> Settings:
    """The same facts and tables elsewhere, and no home."""
    for folder in (made.bundle, made.bundle.with_name(FOLDER), made.registry):
        shutil.copytree(folder, tmp_path / folder.name)
    return replace(made, home=tmp_path / "home", bundle=tmp_path / "snapshot", registry=tmp_path / "registry")


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in; no home is named, and the cache of the user is empty too."""
    monkeypatch.delenv("BENCHHEALTH_HOME", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "empty"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def no_assessment(*_: object, **__: object) -> None:
    raise AssertionError("it was computed")


@pytest.mark.soak
def test_every_table_is_equal_to_the_last_bit(made: Settings) -> None:
    read = dict(read_shipped(made.bundle.with_name(FOLDER), made.bundle))
    assert set(read) == set(PUBLISHED) - {"run"}
    with closing(open_current(made.home)) as generation:
        for name, rows in read.items():
            table = generation.table(name)
            assert rows.schema == table.schema, name
            order = table.columns if name == RESULT else ()  # many threads write it, in any order
            assert (rows.sort(order) if order else rows).equals(table.sort(order) if order else table), name
    assert read[RESULT].height > 300 and read[RESULT]["benchmark_id"].is_sorted()


def test_what_rests_on_share_alike_sources_lies_under_their_licence(made: Settings) -> None:
    folder = made.bundle.with_name(FOLDER)
    scores = pl.read_parquet(made.bundle / f"{ALIKE}.parquet").filter(table="result")["score"]
    apart = pl.read_parquet(folder / LICENCE / "frontier.parquet")
    assert apart["score"].is_in(scores.implode()).any()
    assert not pl.read_parquet(folder / "frontier.parquet")["score"].is_in(scores.implode()).any()
    assert ALIKE not in pl.read_parquet(folder / "snapshot.parquet")["source_id"]
    assert [path.stem for path in (folder / RESULT).iterdir()] == [OPEN]
    assert [path.stem for path in (folder / LICENCE / RESULT).iterdir()] == [ALIKE]


def test_nothing_is_shipped_that_may_not_be_passed_on(made: Settings, tmp_path: Path) -> None:
    mixed_generation.build(tmp_path / "mixed")
    with pytest.raises(NotRedistributable, match="may not be passed on"):
        write_shipped(current_path(tmp_path / "mixed"), made.bundle, tmp_path / "to")
    assert not (tmp_path / "to").exists()


def test_results_that_the_bundle_lacks_are_not_shipped(made: Settings, copied: Settings, tmp_path: Path) -> None:
    file = copied.bundle / f"{OPEN}.parquet"
    pl.read_parquet(file).filter(pl.col("score").is_null() | (pl.col("score") < 0.5)).write_parquet(file)
    with pytest.raises(BundleError, match="of which the bundle holds"):
        write_shipped(current_path(made.home), copied.bundle, tmp_path / "to")


@pytest.mark.soak
def test_init_takes_them_and_leaves_the_same_home(
    made: Settings, copied: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(night, "assess_frames", no_assessment)
    night.init(copied)
    assert published(copied.home) == published(made.home)
    with closing(open_current(copied.home)) as generation:
        (run,) = generation.table("run").select("command", "status", "detail").rows()
    assert run[:2] == ("init", "ok") and run[2].endswith("tables as shipped")
    for name in FACTS.keys() - OF_RUNS:
        columns = [column for column in FACTS[name] if column != "issued_at"]
        first, second = (fact_table(home, name).select(columns).sort(columns) for home in (made.home, copied.home))
        assert first.equals(second), name
    night.init(copied)
    assert len(list((copied.home / "published").glob("gen-*"))) == 1


def test_without_a_home_they_are_put_in_service_once(
    made: Settings, copied: Settings, nowhere: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(night, "assess_frames", no_assessment)
    cache = nowhere.parent / "cache" / "benchhealth"
    for age, name in enumerate(("newer", "older")):
        (cache / name).mkdir(parents=True)
        os.utime(cache / name, (1e9 - age, 1e9 - age))
    with caplog.at_level(logging.INFO):
        home = embedded_home(copied)
    lines = [line.removeprefix("bundled facts: ") for line in caplog.messages if line.startswith("bundled facts: ")]
    assert (lines[0], lines[-1]) == ("begun", "ready, the first time only")
    assert any(line.startswith(f"100 of {len(PUBLISHED)} tables, now ") for line in lines)
    assert published(home) == published(made.home)
    assert sorted(path.name for path in cache.iterdir() if path.is_dir()) == sorted((home.name, "newer"))
    monkeypatch.setattr(shipped, "shipped_tables", no_assessment)
    assert embedded_home(copied) == home
    assert not copied.home.exists() and not list(nowhere.iterdir())


def other_facts(settings: Settings) -> None:
    with (settings.registry / "successor.csv").open("ab") as file:
        file.write(b"\n")


def fewer_facts(settings: Settings) -> None:
    (settings.bundle / f"{ALIKE}.parquet").unlink()


def damaged(settings: Settings) -> None:
    file = settings.bundle.with_name(FOLDER) / "verdict.parquet"
    file.write_bytes(file.read_bytes()[:-9] + b"123456789")


def missing(settings: Settings) -> None:
    (settings.bundle.with_name(FOLDER) / "verdict.parquet").unlink()


def absent(settings: Settings) -> None:
    shutil.rmtree(settings.bundle.with_name(FOLDER))


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (other_facts, "the tables shipped with this program are of other facts or rules: they are computed anew"),
        (fewer_facts, "the tables shipped with this program are of other facts or rules: they are computed anew"),
        (damaged, "the tables shipped with this program are damaged: they are computed anew"),
        (missing, "the tables shipped with this program are damaged: they are computed anew"),
        (absent, ""),
    ],
)
def test_of_other_facts_or_damaged_they_are_refused_and_it_says_why(
    copied: Settings, change: Callable[[Settings], None], line: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        assert shipped_tables(copied) is not None
        assert caplog.messages == []
        change(copied)
        assert shipped_tables(copied) is None
    assert caplog.messages == [line] * bool(line)


def test_a_changed_rule_makes_another_edition(
    copied: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package"
    for room in shipped.RULES:
        (package / room).mkdir(parents=True)
    rule = package / "analytics" / "verdict.py"
    rule.write_text("LEAST = 5\n")
    monkeypatch.setattr(benchhealth, "__file__", str(package / "__init__.py"))
    before = edition(copied)
    assert edition(copied) == before
    rule.write_text("LEAST = 6\n")
    assert edition(copied) != before


def build_small(settings: Settings) -> None:
    settings.home.mkdir(parents=True)
    small_generation.build(settings.home)


def test_commands_that_read_answer_without_a_home(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(night, "init", build_small)
    monkeypatch.setattr(shipped, "shipped_tables", lambda _settings: None)
    assert main(["difference", "exam", "71.2", "72.4"]) == 0
    assert "on Exam" in capsys.readouterr().out
    assert main(["report", "--benchmark", "exam", "--output", str(nowhere.parent / "exam.html")]) == 0
    assert main(["compare", "model-3", "--on", "exam"]) == 0
    assert main(["check", "model-3"]) == 0
    assert not list(nowhere.iterdir())


def test_two_logs_are_compared_without_a_generation(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "embedded_home", no_assessment)
    logs = [nowhere / f"{model}.json" for model in ("alder", "birch")]
    for log in logs:
        rows = [{"id": index, "scores": {"match": {"value": "CI"[index % 2]}}} for index in range(20)]
        log.write_text(json.dumps({"eval": {"model": log.stem, "task": "arc"}, "samples": rows}))
    assert main(["compare", *map(str, logs)]) == 0


def test_a_home_that_was_named_or_begun_is_not_passed_over(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shipped, "embedded_home", no_assessment)
    (nowhere / "var").mkdir()
    assert main(["difference", "exam", "71.2", "72.4"]) == 1
    assert "nothing is published" in capsys.readouterr().err
    monkeypatch.setenv("BENCHHEALTH_HOME", str(nowhere / "named"))
    assert main(["difference", "exam", "71.2", "72.4"]) == 1
    assert "nothing is published" in capsys.readouterr().err


def test_without_words_it_serves(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[tuple[object, ...]] = []
    monkeypatch.setattr(night, "init", build_small)
    monkeypatch.setattr(shipped, "shipped_tables", lambda _settings: None)
    monkeypatch.setattr(server, "serve", lambda *given, **_: served.append(given[:3]))
    assert main([]) == 0
    ((home, port, host),) = served
    assert (port, host) == (8501, "127.0.0.1")
    assert isinstance(home, Path) and home.is_relative_to(nowhere.parent / "cache")
