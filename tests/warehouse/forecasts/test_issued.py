"""The ledger of forecasts: entered live or not at all, once a day, never changed, and scored by a later generation."""

from datetime import date, datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.forecast.record import forecast_record
from benchhealth.analytics.forecast.series import known_results
from benchhealth.analytics.forecast.table import Forecasts, forecasts
from benchhealth.analytics.record.current import benchmark_facts, ranked_results
from benchhealth.analytics.record.edits import edits
from benchhealth.analytics.record.frontier import history_of
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.of_forecasts import ISSUED
from benchhealth.warehouse.forecasts.issued import issue, issued
from benchhealth.warehouse.store import Store
from tests.analytics.forecast.simulated import AS_OF, listed, world
from tests.support.frames import Row, frames
from tests.support.soaking import examples

TODAY = date(2025, 3, 1)
NOW = datetime(2025, 3, 1, 4)


def forecast(benchmark_id: str = "a", **more: object) -> Row:
    row = {"benchmark_id": benchmark_id, "made_on": TODAY, "target_on": date(2025, 9, 1), "method": "half_shift"}
    row |= {"median": 0.6, "low80": 0.5, "high80": 0.75, "horizon_months": 6, "chance": 0.7, "best": 0.5}
    return {**row, "population": "on the capability scale, dated by release", **more}


def made(*rows: Row) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=PUBLISHED["forecast"])


def enter(
    home: Path, *rows: Row, published_at: datetime = NOW, as_of: date | None = None, generation: str = "gen-1"
) -> int:
    with Store.open(home) as store:
        day = as_of or published_at.date()
        return issue(store, made(*rows), generation=generation, as_of=day, published_at=published_at)


def test_a_night_that_is_repeated_on_its_day_enters_nothing_twice_and_changes_nothing(tmp_path: Path) -> None:
    assert enter(tmp_path, forecast(), forecast("b")) == 2
    before = issued(tmp_path)
    again = enter(tmp_path, forecast(median=0.9), forecast("b"), forecast("c"), published_at=NOW + timedelta(hours=3))
    assert again == 1
    after = issued(tmp_path)
    assert after.filter(pl.col("benchmark_id") != "c").equals(before)
    assert enter(tmp_path, forecast(), published_at=NOW + timedelta(days=1), generation="gen-2") == 1
    assert issued(tmp_path)["issued_on"].to_list() == [TODAY] * 3 + [TODAY + timedelta(days=1)]
    assert issued(tmp_path).schema == ISSUED


@pytest.mark.parametrize(
    ("row", "dates"),
    [
        (forecast(), {"as_of": TODAY - timedelta(days=1)}),
        (forecast(target_on=TODAY), {}),
        (forecast(made_on=TODAY + timedelta(days=1)), {}),
    ],
    ids=["an assessment of a past day", "a day that has come", "a look in the future"],
)
def test_what_is_no_forecast_of_the_future_made_today_is_not_entered(
    tmp_path: Path, row: Row, dates: dict[str, date]
) -> None:
    assert enter(tmp_path, row, **dates) == 0  # type: ignore[arg-type]
    assert issued(tmp_path).is_empty()


def test_nothing_is_entered_of_a_day_before_the_last_entry(tmp_path: Path) -> None:
    assert enter(tmp_path, forecast()) == 1
    earlier = NOW - timedelta(days=40)
    row = forecast("b", made_on=earlier.date(), target_on=date(2025, 8, 1))
    assert enter(tmp_path, row, published_at=earlier) == 0
    assert issued(tmp_path).height == 1


@examples(3, 50)
@given(days=st.lists(st.integers(0, 60), min_size=1, max_size=6))
def test_the_ledger_only_grows_and_in_order_of_time(tmp_path_factory: pytest.TempPathFactory, days: list[int]) -> None:
    home = tmp_path_factory.mktemp("ledger")
    before = pl.DataFrame(schema=ISSUED)
    for after in days:
        issued_at = NOW + timedelta(days=after)
        target = issued_at.date() + timedelta(days=180)
        enter(
            home,
            forecast(made_on=issued_at.date(), target_on=target, median=0.5 + after / 1000),
            published_at=issued_at,
        )
        now = issued(home)
        assert now.head(before.height).equals(before)
        assert now["issued_on"].is_sorted()
        assert now["issued_on"].is_unique().all()
        before = now


def generation(rows: list[Row], on: date) -> Forecasts:
    facts = frames(rows, listed())
    about = benchmark_facts(facts)
    dated = known_results(history_of(ranked_results(facts, about), on), facts.snapshot)
    known_until = about.select("benchmark_id", known_until=pl.lit(on))
    changed = edits(ranked_results(facts, about))
    return forecasts(dated, about, known_until, changed, on, np.random.default_rng(1))


def test_two_generations_the_first_forecasts_and_the_second_tells_what_came(tmp_path: Path) -> None:
    rows = world(np.random.default_rng(4), apart=True)
    first_day = AS_OF - timedelta(days=230)
    early = [{**row, "observed_at": datetime(2025, 5, 16)} for row in rows if row["dated_on"] <= first_day]
    first = generation(early, first_day)
    assert first.forecast["median"].count() > 5
    issued_at = datetime(first_day.year, first_day.month, first_day.day, 5)
    with Store.open(tmp_path) as store:
        entered = issue(store, first.forecast, generation="gen-1", as_of=first_day, published_at=issued_at)
    assert entered == first.forecast.height
    ledger = issued(tmp_path)

    same_day = forecast_record(ledger, first.judge, first_day)
    assert set(same_day["state"]) == {"waiting"}
    assert same_day.select("happened", "outcome", "inside", "error").null_count().sum_horizontal().item() == 4 * entered

    second = generation(rows, AS_OF)
    record = forecast_record(ledger, second.judge, AS_OF)
    assert record.schema == PUBLISHED["forecast_record"]
    assert record.select(ISSUED.names()).equals(ledger)
    due = record.filter(state="due")
    assert due.height == record.filter(pl.col("target_on") <= AS_OF).height > 5
    truth = {
        name: max(row["score"] for row in rows if row["benchmark_id"] == name and row["dated_on"] <= target)
        for name, target in due.select("benchmark_id", "target_on").rows()
    }
    for row in due.iter_rows(named=True):
        outcome = truth[row["benchmark_id"]]
        assert row["outcome"] == outcome
        assert row["persistence_error"] == pytest.approx(outcome - row["best"])
        assert row["error"] == pytest.approx(abs(outcome - row["median"]))
        assert row["inside"] is (row["low80"] <= outcome <= row["high80"] if row["happened"] else None)
    happened = due.filter("happened")
    assert happened["error"].mean() < happened["persistence_error"].mean()  # type: ignore[operator]


def test_a_day_that_has_come_without_a_look_since_is_not_scored(tmp_path: Path) -> None:
    rows = world(np.random.default_rng(4), apart=True)
    judge = generation(rows, AS_OF).judge
    enter(tmp_path, forecast("b00", target_on=AS_OF + timedelta(days=3)), forecast("gone"))
    record = forecast_record(issued(tmp_path), judge, AS_OF + timedelta(days=30))
    assert record.select("benchmark_id", "state", "outcome").rows() == [
        ("b00", "not seen", None),
        ("gone", "not seen", None),
    ]
