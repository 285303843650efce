"""The ledger of verdicts: entered live or backcast, a day once, never changed, and as files beside the bundle."""

from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.tables.of_forecasts import BACKCAST
from benchhealth.analytics.record.tables.of_verdicts import VERDICT_ISSUED
from benchhealth.warehouse.bundle import BundleError
from benchhealth.warehouse.forecasts import files
from benchhealth.warehouse.forecasts.verdicts import FORECASTS, VERDICTS, enter, fill, ledger
from benchhealth.warehouse.store import Store
from tests.support.facts import batch, result, sources

TODAY = date(2025, 3, 1)
NOW = datetime(2025, 3, 1, 4)
MAY = date(2024, 5, 31)


def verdicts(*rows: tuple[str, str], on: date = TODAY, **more: object) -> pl.DataFrame:
    verdict_list = [
        {"benchmark_id": name, "stage": stage, "issued_on": on, "backcast": False, **more} for name, stage in rows
    ]
    return pl.DataFrame(verdict_list, schema=VERDICT_ISSUED)


def forecasts(on: date) -> pl.DataFrame:
    row = {"benchmark_id": "a", "horizon_months": 6, "issued_on": on, "made_on": on, "median": 0.6, "shown": False}
    return pl.DataFrame([{**row, "target_on": on + timedelta(days=180)}], schema=BACKCAST)


def live(home: Path, verdict_rows: pl.DataFrame, entered_at: datetime = NOW, as_of: date | None = None) -> int:
    with Store.open(home) as store:
        return enter(store, verdict_rows, generation="gen-1", as_of=as_of or entered_at.date(), published_at=entered_at)


def backcast(home: Path, on: date, *rows: tuple[str, str], held_on: date | None = None) -> int:
    verdict_rows = verdicts(*rows, on=on, **{"backcast": True, "held_on": held_on})
    with Store.open(home) as store:
        return fill(store, {VERDICTS: verdict_rows, FORECASTS: forecasts(on)}, NOW)


def test_a_day_is_entered_once_and_only_on_the_day(tmp_path: Path) -> None:
    assert live(tmp_path, verdicts(("a", "saturated"), ("b", "emerging"))) == 2
    assert live(tmp_path, verdicts(("a", "emerging")), NOW + timedelta(hours=3)) == 0
    assert live(tmp_path, verdicts(("a", "emerging")), as_of=TODAY - timedelta(days=1)) == 0
    held = ledger(tmp_path, VERDICTS)
    assert held.select("benchmark_id", "stage", "generation").rows() == [
        ("a", "saturated", "gen-1"),
        ("b", "emerging", "gen-1"),
    ]
    assert held.schema == VERDICT_ISSUED


def test_a_month_is_filled_once_on_each_basis_and_changes_nothing_that_is_there(tmp_path: Path) -> None:
    assert live(tmp_path, verdicts(("a", "saturated"))) == 1
    assert backcast(tmp_path, MAY, ("a", "emerging")) == 2
    before = ledger(tmp_path, VERDICTS)
    assert backcast(tmp_path, MAY, ("a", "saturated"), ("b", "emerging")) == 0
    assert ledger(tmp_path, VERDICTS).equals(before)
    assert backcast(tmp_path, MAY, ("a", "compressing"), held_on=MAY) == 1
    assert backcast(tmp_path, TODAY, ("a", "compressing")) == 2
    assert ledger(tmp_path, VERDICTS)["stage"].to_list() == ["compressing", "emerging", "saturated", "compressing"]
    assert ledger(tmp_path, FORECASTS)["issued_on"].to_list() == [MAY, TODAY]


def test_the_ledgers_travel_as_files(tmp_path: Path) -> None:
    home, other, bundle = (tmp_path / name for name in ("home", "other", "bundle"))
    assert files.read(bundle) == {}
    with Store.open(home):
        pass
    assert files.write(home, bundle) == []
    backcast(home, MAY, ("a", "emerging"), ("b", "saturated"))
    written = files.write(home, bundle)
    assert [path.name for path in written] == ["verdict_issued.parquet", "forecast_backcast.parquet"]
    with Store.open(other) as store:
        assert [fill(store, files.read(bundle), NOW) for _ in range(2)] == [3, 0]
    assert all(ledger(other, name).equals(ledger(home, name)) for name in (VERDICTS, FORECASTS))
    assert [path.read_bytes() for path in files.write(other, tmp_path / "again")] == [
        path.read_bytes() for path in written
    ]


@pytest.mark.parametrize("damage", ["bytes", "columns"])
def test_a_file_that_is_no_ledger_is_refused(tmp_path: Path, damage: str) -> None:
    backcast(tmp_path / "home", MAY, ("a", "emerging"))
    path = files.write(tmp_path / "home", tmp_path)[0]
    if damage == "bytes":
        path.write_bytes(path.read_bytes()[:-40])
    else:
        pl.read_parquet(path).drop("stage").write_parquet(path)
    with pytest.raises(BundleError, match="verdict_issued"):
        files.read(tmp_path)


@pytest.mark.parametrize(
    ("licence", "folders"),
    [("CC-BY-SA-4.0", ["CC-BY-SA-4.0", "CC-BY-SA-4.0", "ledgers"]), ("CC-BY-NC-4.0", [])],
    ids=["share-alike: apart", "closed: nothing"],
)
def test_what_a_licence_asks_for_is_done(tmp_path: Path, licence: str, folders: list[str]) -> None:
    home, closed = tmp_path / "home", licence == "CC-BY-NC-4.0"
    with Store.open(home) as store:
        store.write(batch([result("a")]))
        store.write_sources(sources("squad", redistributable=not closed).with_columns(licence=pl.lit(licence)))
        verdict_rows = verdicts(("a", "saturated"), ("b", "emerging"), best=0.9, backcast=True)
        fill(store, {VERDICTS: verdict_rows, FORECASTS: forecasts(MAY)}, NOW)
    written = files.write(home, tmp_path)
    assert sorted(path.parent.name for path in written) == folders
    for path in written:
        of = "a" if path.parent.name == licence else "b"
        assert set(pl.read_parquet(path)["benchmark_id"]) == {of}
    if not closed:
        read = files.read(tmp_path)
        assert {name: rows.height for name, rows in read.items()} == {VERDICTS: 2, FORECASTS: 1}
