"""What is said of the two bests: a lead only where others still look."""

from datetime import date

import polars as pl
import pytest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.verdict.history import CROSSED, MARGIN
from benchhealth.dashboard.pages.benchmark.figures.two_curves import title
from benchhealth.dashboard.words.answers import room
from benchhealth.dashboard.words.prose.corroboration import ahead
from benchhealth.dashboard.words.prose.judged.since import how_set

FACTS = {"higher_is_better": True, "unit": "fraction"}


def sides(looked: date) -> pl.DataFrame:
    ends = [("third_party", 0.49, looked, True), ("self", 0.96, date(2026, 2, 19), True)]
    return pl.DataFrame(ends, schema=["reporter", "score", "dated_on", "carried"], orient="row")


def test_who_stopped_looking_is_not_behind() -> None:
    """MATH: others measured last in August 2024, makers report until 2026."""
    title_text = title(sides(date(2024, 8, 30)), FACTS)
    assert title_text.startswith(
        "Others measured last in Aug 2024; what makers reported later stands 47 points above it"
    )
    assert "ahead" not in title_text


def test_a_lead_fits_the_numbers_that_are_shown() -> None:
    """HLE: 46% measured and 65% claimed are 18.3 points apart, not 19 and not 18."""
    assert "run 18.3 points ahead" in ahead(0.4644, 0.647, higher_is_better=True)
    assert "run 47 points ahead" in ahead(0.49, 0.96, higher_is_better=True)


def test_a_lead_is_said_where_both_sides_look() -> None:
    assert title(sides(date(2025, 12, 1)), FACTS).startswith("Makers' reports run 47 points ahead")


@pytest.mark.parametrize(("measured", "claimed"), [(0.50, 0.51), (0.60, 0.50)])
def test_no_lead_is_said_within_two_points(measured: float, claimed: float) -> None:
    assert not ahead(measured, claimed, higher_is_better=True)


@pytest.mark.parametrize(("best", "is_said"), [(0.958, True), (0.84, False), (0.70, False)])
def test_what_others_measured_in_another_condition_is_said_where_it_bears_out_makers(
    best: float, is_said: bool
) -> None:
    """SWE-bench Verified: Epoch measured 83% under its scaffold, OpenHands 96% under its own, makers claim 96%."""
    row: dict[str, object] = dict.fromkeys(PUBLISHED["answer"])
    row |= {"second_unit": "percent", "measured": 0.835, "measured_on": date(2026, 4, 24), "claimed": 0.96, "count": 24}
    row |= {"claimed_on": date(2026, 8, 11)}
    elsewhere = {"score": best, "condition": "OpenHands", "dated_on": date(2026, 6, 11)}
    sentence = room.both_numbers_sentence(row, elsewhere)
    assert sentence.startswith(room.both_numbers_sentence(row)) and room.both_numbers_sentence(row)
    assert sentence.endswith(" In another condition, OpenHands, others measured 96% (11 Jun 2026).") is is_said


@pytest.mark.parametrize(
    ("claimed_under", "end"),
    [
        ("as reported", "48 listed models, no tools; the claim states no condition."),
        ("maker's own scaffold", "48 listed models, no tools; claimed under: maker's own scaffold."),
        ("no tools", "48 listed models, no tools."),
        (None, "48 listed models, no tools."),
    ],
)
def test_what_makers_claim_under_another_condition_is_said_with_it(claimed_under: str | None, end: str) -> None:
    """Humanity's Last Exam: others measured 46% without tools, a maker claims 65% and not under which condition."""
    row: dict[str, object] = dict.fromkeys(PUBLISHED["answer"])
    row |= {"second_unit": "percent", "measured": 0.46, "measured_on": date(2026, 4, 16), "claimed": 0.65, "count": 48}
    row |= {"claimed_on": date(2026, 8, 14), "condition": "no tools"}
    assert room.both_numbers_sentence(row, None, claimed_under).endswith(end)


def test_what_is_left_is_said_beside_what_makers_report() -> None:
    """FrontierMath: 48% left by Epoch's runs, 89% reported by a maker."""
    row: dict[str, object] = dict.fromkeys(PUBLISHED["answer"])
    row |= {
        **{"case": "open", "value": 0.476, "second": 0.524, "second_unit": "fraction", "measured": 0.524},
        **{"measured_on": date(2026, 4, 24), "claimed": 0.89, "claimed_on": date(2026, 7, 9), "bound": None},
    }
    assert room.wording(row, {}).number == "48% left; makers report 89%"
    assert room.wording(row | {"claimed": 0.53}, {}).number == "48% left"
    near = room.wording(row | {"claimed": 0.53}, {}).sentence
    assert "best score of other parties is 52%" in near and "of the makers 53%" in near
    assert not room.two_numbers(row | {"claimed": 0.53})
    by_makers = {"value": 0.003, "second": 0.933, "measured": 0.873, "claimed": 0.933}
    assert room.wording(row | by_makers, {}).number == "0.3% left; others measured 87%"
    assert room.wording(row | {"claimed": 0.42}, {}).number == "48% left", "makers are not ahead"


def test_the_day_of_a_rule_that_waits_is_no_day_of_a_change() -> None:
    """MATH: saturated since Apr 2026, and nothing happened in that month."""
    sentence = how_set(date(2026, 4, 30), CROSSED, None, "people_reached_and_stalled")
    assert sentence.startswith(
        "Apr 2026 is the first month end at which results had come in for 12 months after the last"
    )
    assert not how_set(date(2026, 4, 30), CROSSED, None, "exhausted")


def test_the_limits_that_a_margin_waits_for_are_named() -> None:
    """ImageNet: hardly any room in Nov 2019, and beyond the margin in Nov 2023."""
    assert how_set(date(2023, 11, 20), MARGIN, date(2019, 11, 11)) == (
        "room or order at the top was first below the limits of this stage in Nov 2019, and clearly so in Nov 2023"
    )
