"""Whether results come in, and whether anybody looked."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest

from tests.support.answers import AS_OF, answer
from tests.support.frames import frames, result


def looked(newest: date, on: date = AS_OF, mentions: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    rows = [result("a", f"m{index}", 0.5, dated_on=newest, observed_on=on) for index in range(6)]
    return answer(frames(rows, looked_on=on, mentions=mentions), "looked")


def test_a_result_of_the_last_year_is_yes() -> None:
    row = looked(date(2025, 7, 1))
    assert (row["reply"], row["case"], row["on_day"], row["n"]) == ("yes", "results_come_in", date(2025, 7, 1), 6)
    assert row["value"] == pytest.approx(6, abs=0.1)


def test_a_year_without_a_result_is_no_unless_a_maker_shows_it() -> None:
    old = date(2024, 7, 1)
    assert (looked(old)["reply"], looked(old)["case"]) == ("no", "dormant")
    shown = {
        "benchmark_id": "a",
        "organisation": "X",
        "document": "d",
        "mentioned_on": date(2025, 9, 1),
        "source_id": "s",
    }
    row = looked(old, mentions=[shown])
    assert (row["reply"], row["case"], row["count"]) == ("partly", "shown_without_results", 1)


def test_not_looking_is_not_the_same_as_nothing_new() -> None:
    row = looked(date(2025, 3, 1), on=date(2025, 4, 1))
    assert (row["reply"], row["case"], row["why_unknown"], row["value"]) == (
        "unknown",
        "not_looked",
        "nobody_looked",
        None,
    )
    assert row["second"] == pytest.approx(9, abs=0.1)


def test_until_when_others_measured_it_is_another_day_than_the_makers() -> None:
    rows = [result("a", f"m{index}", 0.5, reporter="third_party", dated_on=date(2025, 4, 24)) for index in range(5)]
    claim = result("a", "new", 0.9, reporter="self", dated_on=date(2025, 8, 11))
    sides = [
        {"benchmark_id": "a", "reporter": name, "carried": carried, "score": 0.5, "dated_on": on}
        for name, carried, on in (
            ("third_party", False, date(2025, 3, 1)),
            ("third_party", True, date(2025, 4, 24)),
            ("self", True, date(2025, 8, 11)),
        )
    ]
    row = answer(frames([*rows, claim]), "looked", reporter_frontier=sides)
    assert (row["measured_on"], row["claimed_on"]) == (date(2025, 4, 24), date(2025, 8, 11))
    assert (looked(date(2025, 7, 1))["measured_on"], looked(date(2025, 7, 1))["claimed_on"]) == (None, None)


def test_what_makers_report_under_another_condition_is_no_day_of_this_one() -> None:
    rows = [result("a", f"m{index}", 0.5, reporter="self", dated_on=date(2025, 4, 24)) for index in range(5)]
    elsewhere = {
        "benchmark_id": "a", "reporter": "self", "carried": True, "score": 0.9, "dated_on": date(2025, 8, 11),
    }  # fmt: skip
    assert answer(frames(rows), "looked", reporter_frontier=[elsewhere])["claimed_on"] == date(2025, 4, 24)
    others = [result("a", f"m{index}", 0.5, reporter="third_party") for index in range(5)]
    assert answer(frames(others), "looked", reporter_frontier=[elsewhere])["claimed_on"] is None
