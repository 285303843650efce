"""What is left of a scale, and why that may be unknown."""

from datetime import date
from typing import Any

import pytest

from tests.support.answers import answer
from tests.support.frames import benchmark, frames, result


def room(best: float, **facts: object) -> dict[str, Any]:
    rows = [result("a", f"m{place}", best - 0.05 * place, n_items=2000) for place in range(6)]
    return answer(frames(rows, [benchmark("a", **facts)]), "room")


@pytest.mark.parametrize(
    ("best", "reply", "case"),
    [(0.5, "yes", "open"), (0.8, "partly", "narrow"), (0.95, "no", "exhausted_with_error"), (0.94, "no", "exhausted")],
)
def test_the_reply_follows_the_limits_of_the_rules(best: float, reply: str, case: str) -> None:
    row = room(best)
    assert (row["reply"], row["case"], row["bound"]) == (reply, case, None)
    assert row["value"] == pytest.approx(1 - best)
    assert row["low"] < row["value"] < row["high"]
    assert (row["unit"], row["n"], row["n_of"], row["count"]) == ("share", 2000, "items", 6)
    assert (row["second"], row["second_unit"]) == (best, "percent")


def test_where_chance_is_not_known_what_is_left_is_at_least_so_much() -> None:
    row = room(0.5, floor=None)
    assert (row["reply"], row["bound"]) == ("yes", "at_least")
    assert row["value"] == pytest.approx(0.5)


def test_where_chance_decides_and_is_not_known_the_answer_is_unknown() -> None:
    row = room(0.8, floor=None)
    assert (row["reply"], row["case"], row["why_unknown"], row["value"]) == (
        "unknown",
        "chance_unknown",
        "nobody_looked",
        None,
    )
    assert (row["low"], row["high"]) == pytest.approx((0.2, 0.4))


def test_a_rating_cannot_be_asked_and_what_has_no_result_was_not_looked_at() -> None:
    rating = room(0.5, unit="rating", floor=None, ceiling=None)
    assert (rating["case"], rating["why_unknown"]) == ("open_ended", "cannot_be_asked")
    none = answer(frames([], [benchmark("a")]), "room")
    assert (none["case"], none["why_unknown"]) == ("not_in_bundle", "nobody_looked")
    uncurated = answer(frames([], [benchmark("a", curated=False)]), "room")
    assert (uncurated["case"], uncurated["why_unknown"]) == ("no_result", "nobody_looked")


def test_the_best_beside_what_is_left_is_of_the_side_that_decides() -> None:
    """OSWorld-Verified: others measured 65% and so 35% is left, beside the 86% that makers report."""
    rows = [
        result("a", f"m{index}", 0.654 - index / 100, reporter="third_party", dated_on=date(2025, 8, 1))
        for index in range(5)
    ]
    claim = result("a", "new", 0.861, reporter="self", dated_on=date(2025, 9, 1))
    facts = frames([*rows, claim], [benchmark("a", floor=0.0, n_items=369)])
    sides = [
        {"benchmark_id": "a", "reporter": name, "carried": True, "score": best, "dated_on": date(2025, 9, 1)}
        for name, best in (("third_party", 0.654), ("self", 0.861))
    ]
    row = answer(facts, "room", reporter_frontier=sides)
    assert row["value"] == pytest.approx(0.346)
    assert (row["second"], row["measured"], row["claimed"]) == (0.654, 0.654, 0.861)
    assert row["handed_in"] is None
    unclaimed = answer(facts, "room", reporter_frontier=sides[:1])
    assert (unclaimed["second"], unclaimed["claimed"], unclaimed["handed_in"]) == (0.654, None, 0.861)
    unknown_sides = answer(facts, "room")
    assert (unknown_sides["second"], unknown_sides["handed_in"]) == (None, None), "no best of others to compare with"
