"""The date on which a target stopped following its proxy: put in and found again, or not found where there is none."""

from datetime import date, timedelta

import numpy as np

from benchhealth.analytics.goodhart.decoupling import decoupling
from benchhealth.analytics.goodhart.measure import Finding, MeasureInputs
from tests.analytics.goodhart.measure_inputs import inputs, measure_rows
from tests.support.frames import benchmark, result, twin_pair
from tests.support.reason_sentences import reason

START = date(2023, 1, 1)
APART = date(2024, 7, 1)


def world(lower: float, n: int = 80) -> MeasureInputs:
    """A proxy that improves for two years and a target that from `APART` on lies lower than the proxy predicts."""
    rng = np.random.default_rng(12)
    rows = []
    for index in range(n):
        day = START + timedelta(days=730 * index // n)
        proxy = 1000 + index + float(rng.normal(0, 20))
        target = 0.9 * proxy + float(rng.normal(0, 10)) - (lower if day >= APART else 0.0)
        name = f"{'abcdefgh'[index % 8]}-{index}"
        rows += [result("proxy", name, proxy, dated_on=day), result("target", name, target, dated_on=day)]
    ratings = [benchmark(name, unit="rating", floor=None, ceiling=None) for name in ("proxy", "target")]
    return inputs(rows, ratings, twin_pairs=[twin_pair("pair", "proxy", "target", source_id="lab")])


def of(rows: list[Finding], measure: str) -> Finding:
    return next(row for row in rows if row.measure == measure)


def test_the_date_and_the_size_that_were_put_in_come_out() -> None:
    rows = measure_rows(decoupling, world(30.0))
    when, size = of(rows, "decoupling_date"), of(rows, "decoupling_size")
    assert when.status == size.status == "ok"
    assert when.on_date is not None
    assert abs((when.on_date - APART).days) <= 45
    assert when.low is not None
    assert when.high is not None
    assert when.low <= 2024.5 <= when.high
    assert size.low is not None
    assert size.high is not None
    assert size.low <= 30 <= size.high
    assert "q = 0.001 over 1 pairs" in reason(of(rows, "decoupling_p"))
    short = {row.year: row.value for row in rows if row.measure == "target_shortfall"}
    assert set(short) == {2023, 2024}


def test_no_date_is_given_where_the_target_follows() -> None:
    rows = measure_rows(decoupling, world(0.0))
    assert of(rows, "decoupling_p").status == "ok"
    for name in ("decoupling_date", "decoupling_size"):
        assert of(rows, name).status == "not_applicable"
        assert of(rows, name).value is None
        assert reason(of(rows, name)).startswith("no break is found")


def test_few_points_are_said_to_be_few() -> None:
    rows = measure_rows(decoupling, world(30.0, n=10))
    assert {reason(row) for row in rows if row.measure != "target_shortfall"} == {"10 points, 20 are needed"}
