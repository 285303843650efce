"""What may be used instead of a benchmark."""

from typing import Any

import polars as pl

from benchhealth.analytics.answers.instead import CLEARLY, STANDING, alternatives
from benchhealth.analytics.record.tables import empty
from tests.support.answers import answer, rows_of
from tests.support.frames import benchmark, frames, result

SCHEMA = pl.Schema(
    {
        **dict.fromkeys(STANDING, pl.String()),
        **dict.fromkeys(("curated", "is_fresh", "is_dormant"), pl.Boolean()),
        **dict.fromkeys(("models", "apart", "headroom"), pl.Float64()),
    }
)
OWN = {"benchmark_id": "own", "domain": "code", "curated": True, "stage": "saturated", "headroom": 0.01}
FIT = {
    **{"name": "X", "domain": "code", "curated": True, "stage": "discriminating", "is_fresh": True},
    **{"is_dormant": False, "models": 30.0, "apart": 0.6, "headroom": 0.4},
}


def ranked(
    *others: dict[str, Any], own: float | None = 0.01, named: dict[str, str] | None = None
) -> list[tuple[str, bool]]:
    rows = [{**OWN, "headroom": own}, *({**FIT, "benchmark_id": f"x{at}", **each} for at, each in enumerate(others))]
    successor = rows_of(
        empty("successor").schema,
        [{"benchmark_id": "own", "successor_id": key, "why": why} for key, why in (named or {}).items()],
    )
    found = alternatives(rows_of(SCHEMA, rows), empty("transfer"), successor)
    return found.filter(pl.col("benchmark_id") == "own").select("other_id", "fits").rows()


def test_what_still_measures_fits_and_what_is_not_known_well_enough_does_not() -> None:
    assert ranked({}) == [("x0", True)]
    for lacking in (
        {"is_fresh": False},
        {"models": 4.0},
        {"apart": None},
        {"is_dormant": True},
        {"stage": "unknown"},
        {"domain": "games"},
        {"curated": False},
    ):
        assert ranked(lacking) == [], lacking


def test_what_is_running_out_needs_clearly_more_room_and_a_top_that_can_be_told_apart() -> None:
    running_out = {"stage": "compressing", "headroom": 0.2}
    assert ranked(running_out)
    assert not ranked(running_out, own=0.2 - CLEARLY + 0.01)
    assert not ranked(running_out, own=None)
    assert not ranked({**running_out, "apart": 0.1})


def test_what_a_curator_names_comes_first_and_is_listed_although_it_does_not_fit() -> None:
    assert ranked({"name": "A"}, {"name": "B", "domain": "games"}, named={"x1": "why"}) == [("x1", True), ("x0", True)]
    assert ranked({"stage": "saturated"}, {}, named={"x0": "why"}) == [("x1", True), ("x0", False)]


def test_code_by_hand_and_by_agents_is_one_ability_and_its_own_domain_comes_first() -> None:
    assert ranked({"domain": "agentic-code", "name": "A"}, {"name": "B"}) == [("x1", True), ("x0", True)]


def test_the_answer_is_the_first_of_them() -> None:
    rows = [result(of, f"m{at}", 0.7 - 0.1 * at, n_items=1000) for of in ("a", "b") for at in range(6)]
    row = answer(frames(rows), "instead")
    assert (row["reply"], row["case"], row["other_id"], row["kind"]) == ("yes", "same_domain", "b", "discriminating")
    assert answer(frames(rows[:6]), "instead")["case"] == "none_fits"
    assert answer(frames(rows[:6], [benchmark("a", domain=None)]), "instead")["case"] == "no_domain"
    named = answer(
        frames(rows[:6], [benchmark("a"), benchmark("c")]),
        "instead",
        successor=[{"benchmark_id": "a", "successor_id": "c", "why": "w"}],
    )
    assert (named["reply"], named["case"], named["other_id"]) == ("partly", "named_only", "c")
