"""Where the Python API finds its facts, and results of one's own held against them without a trace."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import benchhealth as bh
from benchhealth.pipeline import night
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.read import current_path
from tests.support import small_generation


def test_without_a_home_the_bundled_facts_are_assessed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path] = []

    def init(settings: Settings) -> None:
        made.append(settings.home)
        settings.home.mkdir(parents=True)
        small_generation.build(settings.home)

    monkeypatch.setattr(night, "init", init)
    monkeypatch.setenv("BENCHHEALTH_HOME", str(tmp_path / "none"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first, again = bh.open(), bh.open()
    assert len(made) == 1 and made[0].parent == tmp_path / "cache" / "benchhealth"
    assert first.generation == again.generation and first.answer("exam") == again.answer("exam")
    monkeypatch.setenv("BENCHHEALTH_HOME", str(made[0]))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another"))
    assert bh.open().generation == first.generation
    assert len(made) == 1


@pytest.mark.parametrize("frame", [pl.DataFrame(), pl.DataFrame({"model": ["a", "b"]})])
def test_a_check_needs_one_model(frame: pl.DataFrame, tmp_path: Path) -> None:
    with pytest.raises(bh.InvalidError, match="which model"):
        bh.check(frame, where=tmp_path)


def test_a_frame_of_pandas_is_checked_and_its_bad_row_named(small_home: Path) -> None:
    row = {"benchmark_id": ["no-such-exam"], "model": ["Alder 7B"], "score": [71.5], "unit": ["percent"]}
    with pytest.raises(bh.InvalidError, match="nothing was imported:\n  line 2: unknown benchmark") as refused:
        bh.check(pl.DataFrame(row).to_pandas(), where=small_home)  # type: ignore[arg-type]
    assert "results.csv" not in str(refused.value)


@pytest.mark.soak
def test_a_leaked_model_is_told_and_nothing_of_it_stays(small_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """30% of GSM8K's items learnt by heart: higher than on GSM1K by more than chance; simulated."""
    rng = np.random.default_rng(7)
    solved, fresh = rng.random(1319) < 0.55, rng.random(1205) < 0.55
    learnt = solved | (rng.random(1319) < 0.3)
    results = pl.DataFrame(
        {
            "benchmark_id": ["gsm8k", "gsm1k"],
            "model": "Alder 7B",
            "score": [100 * learnt.mean(), 100 * fresh.mean()],
            "unit": "percent",
            "n_items": [1319, 1205],
            "dated_on": "2026-05-01",
            "released_on": "2026-04-20",
        }
    )
    before = sorted(path.name for path in small_home.rglob("*")), current_path(small_home)
    text = " ".join(bh.check(results, where=small_home).split())
    assert text.startswith("Alder 7B: does it score higher than second measurements predict?")
    assert "Your own results: 2 benchmarks" in text and "more than chance" in text
    assert (sorted(path.name for path in small_home.rglob("*")), current_path(small_home)) == before
    with pytest.raises(bh.InvalidError, match="no-such-exam"):
        bh.check(results.with_columns(benchmark_id=pl.lit("no-such-exam")), where=small_home)
    with pytest.raises(bh.InvalidError, match="no model called"):
        bh.open(small_home).check("Alder 7B")
