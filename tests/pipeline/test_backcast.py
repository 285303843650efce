"""What would have been said at past months' ends: a month whole or not at all, once, and of what was known then."""

import shutil
from datetime import date, datetime, time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from benchhealth.analytics.assess import assess
from benchhealth.analytics.statistics.random_streams import SEED
from benchhealth.pipeline import backcast as backcasting
from benchhealth.pipeline.backcast import backcast
from benchhealth.pipeline.errors import UsageError
from benchhealth.pipeline.night import init
from benchhealth.warehouse.forecasts import files
from benchhealth.warehouse.forecasts.verdicts import FORECASTS, VERDICTS, fill, ledger
from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.read import open_current
from benchhealth.warehouse.store import Store
from tests.pipeline.conftest import benchhealth, settings_of
from tests.support.curated_facts import curated


@pytest.fixture
def home(small_home: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(small_home, tmp_path / "home", symlinks=True))


def days(home: Path) -> list[date]:
    return sorted(ledger(home, VERDICTS)["issued_on"].unique())


@pytest.mark.soak
def test_a_run_that_is_stopped_leaves_whole_months_and_is_taken_up_again(
    home: Path, small_bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_of(home, small_bundle)
    filled: list[int] = []

    def twice(store: Store, tables: dict[str, pl.DataFrame], filled_at: datetime) -> int:
        if len(filled) == 1:
            raise KeyboardInterrupt
        filled.append(fill(store, tables, filled_at))
        return filled[-1]

    monkeypatch.setattr(backcasting, "fill", twice)
    with pytest.raises(KeyboardInterrupt):
        backcast(settings, months=3)
    assert len(days(home)) == 1
    assert ledger(home, VERDICTS).height == filled[0] - ledger(home, FORECASTS).height
    before = ledger(home, VERDICTS)
    monkeypatch.setattr(backcasting, "fill", fill)
    backcast(settings, months=3)
    assert len(days(home)) == 3
    assert ledger(home, VERDICTS).join(before, on=["benchmark_id", "issued_on"], how="semi").height == before.height
    complete = ledger(home, VERDICTS)
    backcast(settings, months=3)
    assert ledger(home, VERDICTS).equals(complete)
    assert complete["backcast"].all()
    assert set(complete["held_on"].drop_nulls()) == {days(home)[0]}


@pytest.mark.soak
def test_what_was_entered_is_published_and_travels_with_the_bundle(home: Path, small_bundle: Path) -> None:
    """It is in the next generation, and in that of a home that begins with the bundle."""
    backcast(settings_of(home, small_bundle), months=2)
    assert benchhealth(home, "assess").returncode == 0
    bundle = home.parent / "bundle"
    shutil.copytree(small_bundle, bundle, symlinks=True)
    assert [path.stem for path in files.write(home, bundle)][:1] == [VERDICTS]
    anew = home.parent / "anew"
    init(settings_of(anew, bundle))
    for place in (home, anew):
        generation = open_current(place)
        assert set(generation.table("verdict_history")["basis"]) == {
            "by date",
            "known then",
            "same sources",
        }
        assert generation.table("verdict_revision").height
        generation.close()
    columns = ("benchmark_id", "issued_on", "stage", "generation")
    assert ledger(anew, VERDICTS).select(columns).equals(ledger(home, VERDICTS).select(columns))
    assert not ledger(anew, VERDICTS)["backcast"].all()


@pytest.mark.soak
def test_a_month_says_what_an_assessment_of_its_end_says(home: Path, small_bundle: Path) -> None:
    settings = settings_of(home, small_bundle)
    backcast(settings, months=1)
    (day,) = days(home)
    end = datetime.combine(day, time.max)
    frames = load(home, curated(), end)
    steps = assess(frames, day, np.random.default_rng(SEED), tables=("verdict",), steps=("stated",)).tables
    held = ledger(home, VERDICTS).filter(pl.col("held_on").is_null())
    verdicts = steps["verdict"].select("benchmark_id", "stage", "flags", "p", "case")
    assert held.height > 10
    assert held.join(verdicts, on=verdicts.columns, how="anti", nulls_equal=True).is_empty()


def test_without_facts_there_is_nothing_to_backcast(tmp_path: Path, small_bundle: Path) -> None:
    with Store.open(tmp_path):
        pass
    with pytest.raises(UsageError, match="benchhealth init"):
        backcast(settings_of(tmp_path, small_bundle), months=2)


@pytest.mark.parametrize("months", ["0", "-3", "some"])
def test_a_number_of_months_that_is_none_is_refused(tmp_path: Path, months: str) -> None:
    done = benchhealth(tmp_path, "backcast", f"--months={months}")
    assert done.returncode == 2
    assert "no number of months" in done.stderr
