"""Whether a benchmark lasts another year, by the forecasts that are published."""

from datetime import date
from typing import Any

import pytest

from tests.support.answers import answer
from tests.support.frames import benchmark, frames, result

MADE = {"benchmark_id": "a", "horizon_months": 12, "made_on": date(2026, 1, 1), "chance": 0.8, "n": 40}
MADE |= {"population": "on the capability scale", "basis": ["", "", "unproven"]}


def outlook(best: float = 0.5, unit: str = "percent", floor: float | None = 0.0, **made: object) -> dict[str, Any]:
    rows = [result("a", f"m{index}", best - 0.05 * index, n_items=1000) for index in range(6)]
    facts = frames(rows, [benchmark("a", unit=unit, floor=floor, **({"ceiling": None} if unit == "rating" else {}))])
    return answer(facts, "outlook", outlook=[{**MADE, **made}] if made else [])


@pytest.mark.parametrize(
    ("wait", "low", "high", "reply", "case"),
    [
        (30.0, 14.0, 60.0, "yes", "beyond_a_year"),
        (float("inf"), 24.0, float("inf"), "yes", "beyond_ten_years"),
        (14.0, 8.0, float("inf"), "partly", "about_a_year"),
        (7.0, 3.0, 11.0, "no", "within_a_year"),
        (0.0, 0.0, 0.0, "partly", "at_limit"),
    ],
)
def test_the_wait_and_its_interval_decide(wait: float, low: float, high: float, reply: str, case: str) -> None:
    row = outlook(median=0.6, wait=wait, wait_low=low, wait_high=high)
    assert (row["reply"], row["case"], row["second"]) == (reply, case, 0.8)
    if case.endswith("year") and "ten" not in case:
        assert (row["value"], row["low"], row["unit"]) == (wait, low, "months")
        assert row["high"] == (None if high == float("inf") else high)


def test_what_is_used_up_needs_no_forecast() -> None:
    assert (outlook(best=0.99)["reply"], outlook(best=0.99)["case"]) == ("no", "used_up")


@pytest.mark.parametrize(
    ("wait", "low", "high", "case", "bound"),
    [
        (30.0, 14.0, 60.0, "beyond_a_year", "at_least"),
        (14.0, 8.0, 40.0, "chance_unknown", None),
        (7.0, 3.0, 11.0, "chance_unknown", None),
        (0.0, 0.0, 0.0, "chance_unknown", None),
    ],
)
def test_without_a_chance_level_a_wait_is_the_least(
    wait: float, low: float, high: float, case: str, bound: str | None
) -> None:
    row = outlook(floor=None, median=0.6, wait=wait, wait_low=low, wait_high=high)
    assert (row["case"], row["bound"]) == (case, bound)


def test_why_nothing_is_forecast_is_told_apart() -> None:
    assert outlook(chance=0.4)["case"] == "chance_only"
    assert outlook(chance=0.4, population="off the capability scale")["case"] == "chance_beaten"
    assert outlook(basis=["", "", "anywhere"])["case"] == "anywhere"
    assert outlook(basis=["", "", "passed"], chance=None)["case"] == "day_passed"
    assert outlook(chance=None)["case"] == "no_skill"
    assert (outlook()["case"], outlook()["why_unknown"]) == ("no_curve", "nobody_looked")
    assert (outlook(unit="rating")["case"], outlook(unit="rating")["why_unknown"]) == ("open_ended", "cannot_be_asked")
