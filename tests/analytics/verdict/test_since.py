"""Since when a stage holds: by replaying the curve under today's rules."""

from datetime import date

from benchhealth.analytics.record.frames import Frames
from tests.support.frames import Row, benchmark, frames, result
from tests.support.histories import histories_of
from tests.support.verdicts import LIMITS

AS_OF = date(2026, 1, 1)


def since(facts: Frames) -> tuple[str, date | None]:
    row = histories_of(facts, AS_OF).verdict.row(0, named=True)
    return row["stage"], row["since"]


def how(facts: Frames) -> tuple[object, ...]:
    row = histories_of(facts, AS_OF).verdict.row(0, named=True)
    return row["stage"], row["since"], row["since_case"], row["reached_on"]


def waves(*steps: tuple[date, float], **more: object) -> list[Row]:
    """Twelve models on each day, up to the score and a point apart."""
    rows = []
    for on, top in steps:
        scores = [top - 0.01 * index for index in range(12)]
        rows += [result("a", f"{on}-{index}", score, n_items=50_000, dated_on=on) for index, score in enumerate(scores)]
    return [{**row, **more} for row in rows]


OPEN, FULL = (date(2023, 3, 5), 0.5), (date(2024, 6, 9), 0.99)


def test_a_stage_holds_from_the_day_on_which_its_last_change_came() -> None:
    facts = [benchmark("a", released_on=date(2022, 1, 1))]
    assert since(frames(waves(OPEN), facts)) == ("discriminating", OPEN[0])
    assert since(frames(waves(OPEN, FULL), facts)) == ("saturated", FULL[0])
    later = (date(2025, 2, 2), 0.98)
    assert since(frames(waves(OPEN, FULL, later), facts)) == ("saturated", FULL[0])


def test_what_is_unknown_has_no_day() -> None:
    assert since(frames([], [benchmark("a")])) == ("unknown", None)


def test_a_first_look_is_no_day() -> None:
    rows = waves(FULL, date_basis="snapshot", dated_on=None)
    stage, day = since(frames(rows, [benchmark("a", released_on=date(2022, 1, 1))]))
    assert (stage, day) == ("saturated", None)


RELEASED = [benchmark("a", released_on=date(2022, 1, 1))]


def test_how_the_day_is_set_is_said() -> None:
    assert how(frames(waves(OPEN, FULL), RELEASED)) == ("saturated", FULL[0], "crossed", None)
    assert how(frames(waves(FULL), RELEASED)) == ("saturated", FULL[0], "first_day", None)


def test_the_day_of_the_fifth_model_is_not_that_of_saturation() -> None:
    """SuperGLUE, as it was dated once: T5 in October 2019, the fifth model in September 2024."""
    days = [date(2019, 10, 23), date(2020, 6, 5), date(2021, 7, 5), date(2022, 2, 17), date(2024, 9, 12)]
    rows = [result("a", f"m{index}", 0.95 + index / 1000, n_items=50_000, dated_on=on) for index, on in enumerate(days)]
    early = [benchmark("a", released_on=date(2019, 5, 2))]
    assert how(frames(rows, early)) == ("saturated", days[-1], "fifth_model", days[0])


def test_the_day_of_the_margin_is_not_that_of_the_limit() -> None:
    near = LIMITS.exhausted_headroom - LIMITS.headroom_margin / 4
    steps = ((date(2023, 3, 5), 0.5), (date(2024, 6, 9), 1 - near), (date(2025, 4, 2), 0.99))
    rows = waves(*steps)
    stage, day, case, reached = how(frames(rows, RELEASED))
    assert (stage, day, case, reached) == ("saturated", steps[2][0], "margin", steps[1][0])


def test_a_test_is_judged_from_three_months_on() -> None:
    """On the day itself, whether or not a result comes then: before, it was that of the next result."""
    young = [benchmark("a", released_on=FULL[0])]
    later, grown = (date(2024, 12, 1), 0.98), date(2024, 9, 9)
    assert how(frames(waves(FULL, later), young)) == ("saturated", grown, "grown_up", FULL[0])


def test_the_day_from_which_makers_alone_report_is_not_that_of_saturation() -> None:
    """MMLU: others measured .87 until December 2024, makers reported .93 from April 2025 on."""
    by_others = waves((date(2024, 2, 1), 0.5), reporter="third_party")
    reported = waves((date(2024, 6, 9), 0.99), (date(2025, 6, 1), 0.98), reporter="self")
    assert how(frames([*by_others, *reported], RELEASED)) == ("saturated", date(2025, 6, 1), "others_stopped", None)
