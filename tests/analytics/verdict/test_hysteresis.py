"""Verdicts do not flicker: within a margin nothing changes, beyond it everything does, and the past decides alone."""

from datetime import date, timedelta

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.analytics.verdict.rule import Comparison, Rule
from benchhealth.analytics.verdict.rules import NARROW_HEADROOM
from benchhealth.analytics.verdict.verdict import WITH_MARGIN, sides_by_month
from tests.support.frames import Row, benchmark, frames, result
from tests.support.soaking import examples
from tests.support.verdicts import LIMITS, Indicators, judged_all, verdict


def comparison(rule: Rule) -> Comparison:
    (test,) = rule.tests
    assert isinstance(test, Comparison)
    return test


COLUMNS = sorted({comparison(rule).measure.column for rule in WITH_MARGIN})


def sides(*boards: tuple[Rule, list[float | None]]) -> list[list[bool | None]]:
    """Of each board whether its rule held at the end of each month of these values."""
    months = [
        {
            "benchmark_id": f"{number:02}",
            "on": date(2024, 1, 31) + timedelta(days=31 * month),
            comparison(rule).measure.column: value,
        }
        for number, (rule, values) in enumerate(boards)
        for month, value in enumerate(values)
    ]
    columns = pl.Schema({"benchmark_id": pl.String(), "on": pl.Date(), **dict.fromkeys(COLUMNS, pl.Float64())})
    held = sides_by_month(pl.DataFrame(months, schema=columns), LIMITS)
    return [
        held.filter(benchmark_id=f"{number:02}")[f"was_{rule.name}"].to_list()
        for number, (rule, _) in enumerate(boards)
    ]


def limit_and_margin(rule: Rule) -> tuple[float, float]:
    test = comparison(rule)
    assert test.margin is not None
    return 0.0 if test.threshold is None else getattr(LIMITS, test.threshold), getattr(LIMITS, test.margin)


def boards(best: list[float]) -> list[Row]:
    """One version of a board a month: the best as given, four models well apart below it, of 100,000 items."""
    return [
        result(
            "a", f"m{place}", score, n_items=100_000, dated_on=date(2024, 1, 1), observed_on=date(2024, 1 + index, 5)
        )
        for index, top in enumerate(best)
        for place, score in enumerate((top, 0.6, 0.5, 0.4, 0.3))
    ]


@settings(max_examples=25, deadline=None)
@given(share=st.lists(st.floats(-0.95, 0.95), min_size=1, max_size=15))
def test_a_value_that_oscillates_within_the_margin_never_changes_sides(share: list[float]) -> None:
    """Whichever the rule, and on whichever side it began."""
    cases = [(rule, *limit_and_margin(rule), outside) for rule in WITH_MARGIN for outside in (-2.0, 2.0)]
    boards = [(rule, [limit + each * margin for each in (outside, *share)]) for rule, limit, margin, outside in cases]
    for (rule, _, _, outside), sides_of in zip(cases, sides(*boards), strict=True):
        assert set(sides_of) == {(outside > 0) == (comparison(rule).side == "above")}, (rule.name, outside)


def test_beyond_the_margin_it_changes_and_in_the_first_month_the_limit_decides() -> None:
    (sides_of,) = sides((NARROW_HEADROOM, [None, 0.26, 0.24, 0.22, 0.26, 0.28, 0.24]))
    assert sides_of == [None, False, False, True, True, False, False]


@examples(15, soak=50)
@given(st.lists(st.floats(-0.0195, 0.0195), min_size=1, max_size=6))
def test_no_stage_changes_while_headroom_oscillates_within_the_margin(moves: list[float]) -> None:
    # a clear first month, then anything within the margin of a quarter of headroom
    left = [0.3, *(0.25 + move for move in moves)]
    held = [None, *sides((NARROW_HEADROOM, list(left)))[0]]
    nights = [(board(now), {"narrow": was, "surely_narrow": was}) for now, was in zip(left, held, strict=False)]
    assert {night["stage"] for night in judged_all(nights)} == {"discriminating"}


def board(headroom: float) -> Indicators:
    return {"n_models": 5, "age_months": 20, "headroom": headroom, "resolution_top5": 1, "months_since_result": 1}


@pytest.mark.soak
def test_a_board_that_dances_on_the_limit_flickers_without_memory_and_not_with_it() -> None:
    facts = frames(boards([0.70, 0.755, 0.745, 0.755]), [benchmark("a")])
    nights = [date(2024, month, 15) for month in (1, 2, 3, 4)]
    assert [verdict(facts, night, remembers=False)["stage"] for night in nights] == [
        "discriminating",
        "compressing",
        "discriminating",
        "compressing",
    ]
    assert {verdict(facts, night)["stage"] for night in nights} == {"discriminating"}


def test_past_the_margin_the_stage_changes_and_the_reasons_say_what_was_kept() -> None:
    facts = frames(boards([0.70, 0.76, 0.78, 0.74]), [benchmark("a")])
    verdicts = [verdict(facts, date(2024, month, 20)) for month in (1, 2, 3, 4)]
    assert [each["stage"] for each in verdicts] == ["discriminating", "discriminating", "compressing", "compressing"]
    (not_yet,) = [reason for reason in verdicts[1]["reasons"] if "(95%" in reason and "counted as" in reason]
    assert not_yet.startswith(
        "headroom is 0.24 (95% interval 0.237 to 0.243), not yet counted as below 0.25 (it was not"
    )
    (still,) = [reason for reason in verdicts[3]["reasons"] if "counted as" in reason]
    assert still.startswith(
        "headroom is 0.26 and the upper end of its 95% interval is 0.263, still counted as below 0.25 (it was at the"
    )


def test_the_same_facts_give_the_same_verdict_again() -> None:
    facts = frames(boards([0.70, 0.76]), [benchmark("a")])
    assert verdict(facts, date(2024, 2, 20)) == verdict(facts, date(2024, 2, 20))


def test_a_month_in_which_nothing_was_seen_remembers_nothing() -> None:
    facts = frames(boards([0.76]), [benchmark("a")])
    assert verdict(facts, date(2024, 1, 20)) == verdict(facts, date(2024, 1, 20), remembers=False)
