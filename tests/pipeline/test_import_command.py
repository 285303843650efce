"""`benchhealth import` as a user meets it: from a file to the pages, or one clear refusal."""

import json
import logging
from contextlib import nullcontext
from pathlib import Path

import pytest

from benchhealth.analytics.schedule import StepsDone
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.results import boards, leaders, results
from benchhealth.pipeline.cli import main
from benchhealth.pipeline.night import assess, import_results
from benchhealth.pipeline.settings import Settings
from benchhealth.pipeline.status import show
from benchhealth.warehouse.read import open_current
from tests.pipeline.conftest import REPOSITORY

TABLE = """benchmark_id,model,score,unit,std_error,n_items,dated_on
import-our-exam,Alder 7B,61.5,percent,1.2,1500,2026-05-01
import-our-exam,Birch 34B,72.0,percent,1.1,1500,2026-05-02
import-our-exam,Cedar 1,44.25,percent,1.3,1500,2026-04-01
humaneval,Alder 7B,0.5,fraction,,164,2026-05-01
"""


def settings(home: Path) -> Settings:
    return Settings(home=home, registry=REPOSITORY / "data" / "registry", bundle=home / "none", token=None)


@pytest.mark.soak  # test_check_command brings a benchmark of one's own too
def test_a_new_benchmark_is_on_the_pages_after_assess(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    progress: list[StepsDone] = []
    monkeypatch.setattr("benchhealth.pipeline.night.step_progress", lambda _run: nullcontext(progress.append))
    home, file = tmp_path / "home", tmp_path / "own.csv"
    file.write_text(TABLE)
    import_results(settings(home), file)
    assess(settings(home), as_of=None)
    assert [step.done for step in progress] == sorted(step.done for step in progress)
    assert {step.steps for step in progress} == {progress[-1].done}  # public facts and one's own together
    generation = open_current(home)
    try:
        view = View(generation)
        assert view.table("verdict").filter(benchmark_id="import-our-exam").height == 1
        listed = results(view, {"benchmark": "import-our-exam"})
        assert listed["url"].unique().to_list() == [file.resolve().as_uri()]
        assert sorted(listed["source_row"]) == ["line 2", "line 3", "line 4"]
        assert boards(view, "import-our-exam") == ["import/import-our-exam"]
        board = leaders(view, {"board": "import/import-our-exam"})
        assert board["model"].to_list() == ["Birch 34B", "Alder 7B", "Cedar 1"]
        assert "alder-7b" in results(view, {"benchmark": "humaneval"})["model_id"].to_list()
    finally:
        generation.close()
    capsys.readouterr()
    assert show(settings(home), as_json=True) == 0
    (imported,) = json.loads(capsys.readouterr().out)["sources"]
    assert (imported["state"], imported["kept"], imported["rejected"]) == ("fresh", 4, 0)


def test_the_command_imports_once_and_refuses_what_is_bad(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    home, file = tmp_path / "home", tmp_path / "own.csv"
    monkeypatch.setenv("BENCHHEALTH_HOME", str(home))
    caplog.set_level(logging.INFO)
    file.write_text(TABLE)
    assert main(["import", str(file)]) == 0
    assert "4 results from 1 files" in caplog.text
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    assert main(["import", str(file)]) == 0
    assert "1 files were there before" in caplog.text
    file.write_text(TABLE + "import-our-exam,Elm,161.5,percent,,,\n")
    assert main(["import", str(file)]) == 1
    assert f"{file}: line 6: outside 0 to 100: '161.5'" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before


def test_export_without_facts_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BENCHHEALTH_HOME", str(tmp_path / "empty"))
    assert main(["export", "--to", str(tmp_path / "out"), "--format", "eee"]) == 1
    assert "benchhealth init" in capsys.readouterr().err
