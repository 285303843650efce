"""Verdicts do not flicker: within a margin nothing changes, beyond it everything does, and the past decides alone."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics.indicators import indicate
from analytics.record.frames import Frames
from analytics.verdict.hysteresis import BANDS, sides, stood
from analytics.verdict.thresholds import Thresholds
from analytics.verdict.verdict import judge
from tests.support.frames import Row, benchmark, evidence_of, frames, result

LIMITS = Thresholds()
COLUMNS = sorted({band.column for band in BANDS.values()})


def stage(facts: Frames, as_of: date, *, remembers: bool = True) -> str:
    """The stage at the end of a day by what was known then."""
    seen = facts.result["observed_at"].dt.date() <= as_of
    known = Frames(**{**vars(facts), "result": facts.result.filter(seen)})
    evidence = evidence_of(known, as_of)
    table = indicate(evidence)
    before = stood(known, evidence, table, LIMITS) if remembers else None
    return str(judge(table, LIMITS, as_of, before)["stage"].item())


def months(values: list[float | None], column: str) -> pl.DataFrame:
    ends = [date(2024, 1, 31) + timedelta(days=31 * at) for at in range(len(values))]
    columns = {name: values if name == column else None for name in COLUMNS}
    return pl.DataFrame(
        {"benchmark_id": ["a"] * len(values), "on": ends, **columns},
        schema_overrides=dict.fromkeys(COLUMNS, pl.Float64),
    )


def boards(best: list[float]) -> list[Row]:
    """One version of a board a month: the best as given, four models well apart below it, of 100,000 items."""
    return [
        result("a", f"m{place}", score, n_items=100_000, dated_on=date(2024, 1, 1), observed_on=date(2024, 1 + at, 5))
        for at, top in enumerate(best)
        for place, score in enumerate((top, 0.6, 0.5, 0.4, 0.3))
    ]


@pytest.mark.parametrize("name", sorted(BANDS))
@settings(max_examples=25, deadline=None)
@given(share=st.lists(st.floats(-0.95, 0.95), min_size=1, max_size=15))
def test_a_value_that_oscillates_within_the_margin_never_changes_sides(name: str, share: list[float]) -> None:
    band = BANDS[name]
    limit = 0.0 if band.limit is None else getattr(LIMITS, band.limit)
    margin = getattr(LIMITS, band.margin)
    for outside in (-2.0, 2.0):
        values = [limit + outside * margin, *(limit + each * margin for each in share)]
        found = sides(months(values, band.column), LIMITS)[f"was_{name}"]
        assert found.n_unique() == 1
        assert found[0] == ((outside > 0) == (band.side == "above"))


def test_beyond_the_margin_it_changes_and_in_the_first_month_the_limit_decides() -> None:
    column, name = BANDS["is_narrow"].column, "was_is_narrow"
    found = sides(months([None, 0.26, 0.24, 0.22, 0.26, 0.28, 0.24], column), LIMITS)[name].to_list()
    assert found == [None, False, False, True, True, False, False]


@settings(max_examples=3, deadline=None)
@given(st.lists(st.floats(-0.0195, 0.0195), min_size=2, max_size=6))
def test_no_stage_changes_while_headroom_oscillates_within_the_margin(moves: list[float]) -> None:
    # a clear first month, then anything within the margin of a quarter of headroom
    facts = frames(boards([0.70, *(0.75 + move for move in moves)]), [benchmark("a")])
    nights = [date(2024, 1 + at, day) for at in range(len(moves) + 1) for day in (6, 28)]
    assert {stage(facts, night) for night in nights} == {"discriminating"}


def test_a_board_that_dances_on_the_limit_flickers_without_memory_and_not_with_it() -> None:
    best = [0.70, *([0.755, 0.745] * 4)]
    facts = frames(boards(best), [benchmark("a")])
    nights = [date(2024, 1 + at, 15) for at in range(len(best))]
    with_memory, without = (
        [stage(facts, night, remembers=remembers) for night in nights] for remembers in (True, False)
    )
    assert sum(np.array(without)[1:] != np.array(without)[:-1]) == 8
    assert set(with_memory) == {"discriminating"}


def test_past_the_margin_the_stage_changes_and_the_reasons_say_what_was_kept() -> None:
    facts = frames(boards([0.70, 0.76, 0.78, 0.74]), [benchmark("a")])
    assert [stage(facts, date(2024, at, 20)) for at in (1, 2, 3, 4)] == [
        "discriminating",
        "discriminating",
        "compressing",
        "compressing",
    ]
    evidence = evidence_of(facts, date(2024, 4, 20))
    table = indicate(evidence)
    reasons = judge(table, LIMITS, date(2024, 4, 20), stood(facts, evidence, table, LIMITS))["reasons"].item()
    assert sum("it counts as on the side where it stood" in reason for reason in reasons) == 1
    again = stood(facts, evidence, table, LIMITS)
    assert again.equals(stood(facts, evidence, table, LIMITS))
    assert stood(frames(boards([0.5]), [benchmark("a")]), evidence, table.clear(), LIMITS).is_empty()
