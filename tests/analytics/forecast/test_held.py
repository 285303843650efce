"""How often backcast forecasts held: counted by hand, of those that are due alone."""

from datetime import date

import numpy as np
import polars as pl
import pytest

from benchhealth.analytics.forecast.held import forecast_held
from benchhealth.analytics.forecast.record import Judge, forecast_backcast
from benchhealth.analytics.record.tables.of_forecasts import BACKCAST
from tests.analytics.forecast.simulated import AS_OF, world
from tests.warehouse.forecasts.test_issued import generation

FIRST = date(2025, 5, 16)


def judge() -> tuple[Judge, list[str]]:
    made = generation(world(np.random.default_rng(4), apart=True), AS_OF)
    return made.judge, list(made.judge.series.benchmark_ids)


def test_statements_that_are_due_are_counted_and_shown_ones_apart() -> None:
    by, names = judge()
    row = {"horizon_months": 6, "issued_on": FIRST, "made_on": FIRST, "population": "off the capability scale"}
    row |= {"target_on": date(2025, 11, 16), "chance": 0.3, "best": 0.1, "method": "running_mean"}
    wide = [
        {**row, "benchmark_id": name, "median": 0.5, "low80": -9.0, "high80": 9.0, "shown": True} for name in names[:4]
    ]
    narrow = [
        {**row, "benchmark_id": name, "median": 5.0, "low80": 4.9, "high80": 5.1, "shown": False} for name in names[4:8]
    ]
    late = {**wide[0], "target_on": date(2030, 1, 1), "horizon_months": 12}
    ledger = pl.DataFrame([*wide, *narrow, late], schema=BACKCAST)
    backcasts = forecast_backcast(ledger, by, AS_OF)
    assert backcasts.height == 9
    assert forecast_backcast(ledger, by, FIRST).is_empty()
    happened = backcasts.filter("happened").select("benchmark_id", "shown")
    assert happened.height > 2
    held = forecast_held(backcasts, by)
    assert set(held["horizon_months"]) == {6}
    intervals = held.filter(what="interval")
    every = intervals.filter(pl.col("shown").is_null()).row(0, named=True)
    assert every["statements"] == happened.height
    assert every["held"] == pytest.approx(happened["shown"].mean())
    assert every["held_low"] <= every["held"] <= every["held_high"]
    assert intervals.filter(shown=True)["held"].to_list() in ([1.0], [])
    assert intervals.filter(shown=False)["held"].to_list() in ([0.0], [])
    chances = held.filter(pl.col("what") == "chance", pl.col("shown").is_null()).row(0, named=True)
    assert (chances["least"], chances["statements"]) == (0.2, 8)
    assert chances["held"] == happened.height / 8


def test_without_a_due_statement_there_is_no_row() -> None:
    by, _ = judge()
    assert forecast_held(forecast_backcast(pl.DataFrame(schema=BACKCAST), by, AS_OF), by).is_empty()
