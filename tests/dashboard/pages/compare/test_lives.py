"""Lives beneath each other: the shortest first, from release or by calendar."""

from datetime import date

import polars as pl

from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.compare import lives

ABOUT = pl.DataFrame(
    [
        ("long", "Long", date(2020, 1, 1), date(2024, 1, 1)),
        ("short", "Short", date(2023, 1, 1), date(2024, 1, 1)),
        ("open", "Open", date(2025, 1, 1), None),
    ],
    schema=["benchmark_id", "name", "released_on", "since"],
    orient="row",
)
STRETCHES = pl.DataFrame(
    [
        ("long", "discriminating", date(2020, 1, 1), date(2024, 1, 1)),
        ("long", "saturated", date(2024, 1, 1), date(2026, 1, 1)),
        ("short", "discriminating", date(2023, 1, 1), date(2024, 1, 1)),
        ("short", "saturated", date(2024, 1, 1), date(2026, 1, 1)),
        ("open", "discriminating", date(2025, 1, 1), date(2026, 1, 1)),
    ],
    schema=["benchmark_id", "stage", "from_on", "until_on"],
    orient="row",
)


def chart(clock: str) -> Chart:
    lives_chart = lives.chart(STRETCHES, ABOUT, {"long": date(2022, 1, 1)}, clock, LIGHT)
    assert isinstance(lives_chart, Chart)
    return lives_chart


def test_the_shortest_life_comes_first_and_the_title_says_both() -> None:
    lives_chart = chart("release")
    assert lives_chart.title == "Short lasted 12 months, Long lasted 4 years; 2 of 3 are saturated"
    assert list(lives_chart.figure.layout.yaxis.ticktext) == ["Short", "Long", "Open"]
    labels = [note.text for note in lives_chart.figure.layout.annotations]
    assert "<b>after 12 months</b>" in labels
    assert "still measuring" in labels
    assert labels.count("▼") == 1
    assert len(lives_chart.figure.layout.shapes) == STRETCHES.height


def test_clocks_begin_at_the_release_or_run_by_calendar() -> None:
    by_age, by_day = chart("release").figure.layout.shapes, chart("calendar").figure.layout.shapes
    assert by_age[0].x0 == 0
    assert str(by_day[0].x0).startswith("2023-01-01")
    nothing = lives.chart(STRETCHES.clear(), ABOUT, {}, "release", LIGHT)
    assert isinstance(nothing, Nothing)


def test_a_chosen_benchmark_whose_stages_have_no_day_is_named_as_left_out() -> None:
    one = lives.chart(STRETCHES.filter(benchmark_id="open"), ABOUT.head(1).vstack(ABOUT.tail(1)), {}, "release", LIGHT)
    assert isinstance(one, Chart)
    assert one.title == "Where stages are dated, the one benchmark is not saturated"
    assert one.subtitle.endswith("Left out, as none of its stages has a day: Long.")
    assert "Left out" not in chart("release").subtitle
