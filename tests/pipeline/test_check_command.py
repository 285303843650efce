"""Is my model contaminated? Two files, `import`, `assess` and `check`, as a user meets them."""

import shutil
from collections.abc import Iterator
from datetime import datetime, time
from pathlib import Path

import numpy as np
import pytest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.published import twin_pairs
from benchhealth.dashboard.published.generation import View
from benchhealth.pipeline import night
from benchhealth.pipeline.cli import main
from benchhealth.pipeline.export.tables import export
from benchhealth.warehouse.read import open_current
from tests.pipeline.conftest import settings_of
from tests.pipeline.test_same_generation import as_of

HEAD = "benchmark_id,model,score,unit,n_items,dated_on,released_on"
ACCURACY, LEAK = 0.55, 0.3
OWN = ("import", "alder", "birch", "maple", "our-")
"""What every row of one's own names."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models on GSM8K and its fresh sample, one of which has learnt 30% of the items; and a twin of one's own."""
    made = tmp_path_factory.mktemp("own")
    rng = np.random.default_rng(7)
    solved, fresh = rng.random(1319) < ACCURACY, rng.random(1205) < ACCURACY
    learnt = solved | (rng.random(1319) < LEAK)

    def write(name: str, head: str, lines: list[str]) -> None:
        (made / name).write_text("\n".join([head, *lines, ""]))

    def line(benchmark: str, model: str, right: np.ndarray) -> str:
        return f"{benchmark},{model},{100 * right.mean():.3f},percent,{right.size},2024-12-01,2024-11-20"

    write("gsm8k.csv", HEAD, [line("gsm8k", "Alder 7B", learnt), line("gsm8k", "Birch 7B", solved)])
    write("gsm1k.csv", HEAD, [line("gsm1k", "Alder 7B", fresh), line("gsm1k", "Birch 7B", fresh)])
    few = np.array([True] * 4 + [False])
    write("gsm8k_first_items.csv", HEAD, [line("gsm8k", "Birch 7B", few), line("import-our-exam", "Maple 3", ~few)])
    exam, anew = [], []
    for place, skill in enumerate(np.linspace(0.3, 0.8, 20)):
        right = rng.random(600) < skill
        if place == 6:
            right |= rng.random(600) < 0.5
        exam.append(f"{line('import-our-exam', f'Maple {place}', right)},public,,")
        again = line("import-our-exam-anew", f"Maple {place}", rng.random(600) < skill)
        anew.append(f"{again},private,import-our-exam,fresh sample")
    write("anew.csv", f"{HEAD},labels,twin_of,twin_kind", anew)
    write("exam.csv", f"{HEAD},labels,twin_of,twin_kind", exam)
    return made


@pytest.fixture(scope="module")
def homes(
    folder: Path, small_home: Path, small_bundle: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """The same facts as published without and with the import, on one day."""
    brought = tmp_path_factory.mktemp("brought") / "home"
    shutil.copytree(small_home, brought, symlinks=True)
    day = as_of(small_home)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(night, "now", lambda: datetime.combine(day, time(12)))
        night.import_results(settings_of(brought, small_bundle), folder)
    night.assess(settings_of(brought, small_bundle), as_of=day)
    return small_home, brought


@pytest.fixture
def view(homes: tuple[Path, Path]) -> Iterator[View]:
    generation = open_current(homes[1])
    yield View(generation)
    generation.close()


def published(home: Path) -> dict[str, dict[str, int]]:
    """Each table as its rows in words, with how often each stands there."""
    generation = open_current(home)
    try:
        counts_of = {}
        for name in PUBLISHED:
            counted: dict[str, int] = {}
            for row in generation.table(name).iter_rows():
                counted[repr(row)] = counted.get(repr(row), 0) + 1
            counts_of[name] = counted
        return counts_of
    finally:
        generation.close()


@pytest.mark.soak
def test_what_is_published_without_an_import_is_published_with_it(homes: tuple[Path, Path]) -> None:
    without, brought = (published(home) for home in homes)
    added = {}
    for name in PUBLISHED.keys() - {"run"}:
        lost = {row for row, times in without[name].items() if brought[name].get(row, 0) != times}
        assert lost == set(), name
        added[name] = brought[name].keys() - without[name].keys()
        assert [row for row in added[name] if not any(word in row for word in OWN)] == [], name
    assert {name for name, rows in added.items() if rows} >= {
        *("result", "snapshot", "model", "benchmark", "twin", "twin_residual", "twin_power", "contamination_risk"),
        *("verdict", "indicator", "rank", "frontier", "position"),
    }


@pytest.mark.soak  # tests/warehouse/sharing exports what was imported too
def test_nothing_of_it_leaves(homes: tuple[Path, Path], small_bundle: Path, tmp_path: Path) -> None:
    export(settings_of(homes[1], small_bundle), to=tmp_path, kind="csv")
    written = {file.name: file.read_text().casefold() for file in tmp_path.rglob("*.csv")}
    assert written["result.csv"].count("gsm1k") > 60
    assert [
        name for name, text in written.items() for word in ("alder", "birch", "maple", "our-exam") if word in text
    ] == []


def checked(
    model: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *more: str
) -> tuple[int, str, str]:
    monkeypatch.setenv("BENCHHEALTH_HOME", str(home))
    capsys.readouterr()
    code = main(["check", model, *more])
    output = capsys.readouterr()
    return code, " ".join(output.out.split()), output.err


def test_a_leaked_model_stands_out_and_a_clean_one_does_not(
    homes: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = homes[1]
    page = tmp_path / "alder.html"
    paper = tmp_path / "alder.pdf"
    outputs = ("--output", str(page), "--output", str(paper))
    code, leaked, _ = checked("Alder 7B", home, monkeypatch, capsys, *outputs)
    assert paper.read_bytes().startswith(b"%PDF")
    assert code == 0
    assert "On GSM1k, Alder 7B scores 1" in leaked
    basis = "points lower than on GSM8K (q below 0.001, 63 results, until 22 Nov 2024)"
    assert basis in leaked
    assert basis in Path("docs/questions.md").read_text()
    assert "no proof that items were seen" in leaked
    assert "cheat" not in leaked.casefold()
    written = page.read_text()
    assert "than on GSM8K (q below 0.001, 63 results" in written
    assert written.count("data:image/svg+xml") == 1
    code, clean, _ = checked("birch-7b", home, monkeypatch, capsys)
    assert code == 0
    assert "than on GSM8K, which chance explains (q = 0." in clean
    assert "a leak of 30% of the items to one public model would have shown in" in clean


def test_of_two_files_the_larger_is_tested_and_the_reader_is_told(
    homes: tuple[Path, Path], view: View, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    residual = view.table("twin_residual").sort("twin_id")
    birch = residual.filter(model_id="birch-7b", twin_id="gsm8k-to-gsm1k")["original"].item()
    assert birch == pytest.approx(100 * ACCURACY, abs=5)
    told = checked("birch-7b", homes[1], monkeypatch, capsys)[1]
    assert "Of 2 results of yours on GSM8K the largest is tested: 1,319 items." in told
    assert "of yours on" not in checked("Alder 7B", homes[1], monkeypatch, capsys)[1]
    assert residual.filter(model_id="maple-3")["original"].item() > 25


def test_a_twin_of_ones_own_finds_the_model_that_learnt_its_items(
    homes: tuple[Path, Path], view: View, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    residual = view.table("twin_residual").filter(twin_id="import-import-our-exam-to-import-our-exam-anew")
    assert residual.height == 20
    assert residual.filter("flagged")["model_id"].to_list() == ["maple-6"]
    labels = dict(view.table("benchmark").select("benchmark_id", "labels").iter_rows())
    assert (labels["import-our-exam"], labels["import-our-exam-anew"]) == ("public", "private")
    _, output, _ = checked("Maple 6", homes[1], monkeypatch, capsys)
    assert "On our-exam-anew, Maple 6 scores" in output
    assert "points lower than models with its score on our-exam (q" in output
    assert "20 results" in output


def test_ones_own_models_are_marked_and_counted_in_nothing_public(homes: tuple[Path, Path], view: View) -> None:
    rows = twin_pairs.residuals(view, {"twin": "gsm8k-to-gsm1k"})
    assert set(rows.filter("own")["model_id"]) == {"alder-7b", "birch-7b"} == set(rows.filter("beside")["model_id"])
    mine = twin_pairs.twins(view, {}).filter(twin_id="gsm8k-to-gsm1k").row(0, named=True)
    generation = open_current(homes[0])
    try:
        public = twin_pairs.twins(View(generation), {}).filter(twin_id="gsm8k-to-gsm1k").row(0, named=True)
    finally:
        generation.close()
    assert mine == public
    own_twin = twin_pairs.residuals(view, {"twin": "import-import-our-exam-to-import-our-exam-anew"})
    assert own_twin["own"].all()
    assert not own_twin["beside"].any()
    risk = view.table("contamination_risk").filter(benchmark_id="gsm8k")
    levels = dict(risk.filter(rung="overall").drop_nulls("model_id").select("model_id", "level").iter_rows())
    assert (levels["alder-7b"], levels["birch-7b"]) == ("high", "low")


def test_a_model_that_is_not_there_is_an_error_that_names_near_ones(
    homes: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, output, error = checked("Aldr 7B", homes[1], monkeypatch, capsys)
    assert (code, output) == (1, "")
    assert error.startswith("benchhealth: no model called 'Aldr 7B' (did you mean alder-7b")
    code, _, error = checked("zzzzqqqq", homes[1], monkeypatch, capsys)
    assert code == 1
    assert "`benchhealth import` and `benchhealth assess` bring one" in error
    code, output, error = checked("alder-7b", homes[1], monkeypatch, capsys, "--output", str(tmp_path / "page.docx"))
    assert (code, output) == (1, "")
    assert "ending in .html or .pdf" in error
    code, _, error = checked("alder-7b", tmp_path / "empty", monkeypatch, capsys)
    assert code == 1
    assert "benchhealth init" in error


def test_a_public_model_is_checked_on_public_results(
    homes: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, output, _ = checked("gpt-4o", homes[1], monkeypatch, capsys)
    assert code == 0
    assert "Public results: " in output
    assert "results of yours of the same model are in none of it" in output
    assert "over 63 public results until 22 Nov 2024" in output
