"""The running bests of benchmarks between chance and ceiling, and how long they took."""

from datetime import date

import polars as pl
import pytest

from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.compare import curves, figure
from benchhealth.dashboard.pages.compare.curves import by_pace, heading, times

FACTS = pl.DataFrame(
    {
        "benchmark_id": ["fast", "slow", "born-solved", "open-ended"],
        "name": ["Fast exam", "Slow exam", "Born solved", "Open ended"],
        "stage": ["saturated", "compressing", "saturated", "discriminating"],
        "between": [[], [], [], []],
        "released_on": [date(2020, 1, 1)] * 4,
        "floor": [0.2, None, 0.0, None],
        "ceiling": [1.0, 1.0, 1.0, None],
        "known_until": [date(2024, 1, 1)] * 4,
        "age_months": [1.0, 9.0, 1.0, 1.0],
    }
)
STEPS = pl.DataFrame(
    [
        ("fast", date(2019, 7, 1), 0.3, False),
        ("fast", date(2020, 7, 1), 0.7, False),
        ("fast", date(2021, 1, 1), 0.95, False),
        ("fast", date(2024, 1, 1), 0.95, True),
        ("slow", date(2020, 2, 1), 0.1, False),
        ("slow", date(2023, 1, 1), 0.5, False),
        ("slow", date(2024, 1, 1), 0.5, True),
        ("born-solved", date(2021, 1, 1), 0.95, False),
        ("born-solved", date(2024, 1, 1), 0.95, True),
        ("open-ended", date(2021, 1, 1), 1200.0, False),
    ],
    schema=["benchmark_id", "dated_on", "score", "carried"],
    orient="row",
).with_columns(
    model_id=pl.lit("a-model"),
    date_precision=pl.lit("day"),
    condition=pl.when(pl.col("benchmark_id") == "fast").then(pl.lit("no tools")).otherwise(pl.lit("as reported")),
)


@pytest.fixture
def lines() -> pl.DataFrame:
    return curves.curves(STEPS, FACTS)


def of(rows: pl.DataFrame, benchmark_id: str) -> pl.DataFrame:
    return rows.filter(benchmark_id=benchmark_id)


def test_scores_are_shares_of_the_way_from_chance_to_ceiling(lines: pl.DataFrame) -> None:
    assert of(lines, "fast")["share"].to_list() == pytest.approx([0.125, 0.625, 0.9375, 0.9375])
    assert of(lines, "slow")["share"].to_list() == [0.1, 0.5, 0.5]
    assert of(lines, "open-ended").is_empty()


def test_what_was_there_before_the_release_counts_from_its_day(lines: pl.DataFrame) -> None:
    assert of(lines, "fast")["months"][0] == 0
    assert of(lines, "fast")["months"][2] == pytest.approx(12, abs=0.1)


def test_months_to_half_and_to_nine_tenths_of_the_scale(lines: pl.DataFrame) -> None:
    times_of = {row["benchmark_id"]: row for row in times(lines).iter_rows(named=True)}
    assert times_of["fast"]["months_to_half"] == pytest.approx(6, abs=0.1)
    assert times_of["fast"]["months_to_nine_tenths"] == pytest.approx(12, abs=0.1)
    assert times_of["slow"]["months_to_half"] == pytest.approx(36, abs=0.1)
    assert times_of["slow"]["months_to_nine_tenths"] is None
    assert [times_of[one]["half_at_first"] for one in ("fast", "slow", "born-solved")] == [False, False, True]
    assert by_pace(times(lines))["benchmark_id"].to_list() == ["fast", "born-solved", "slow"]


def test_the_heading_names_the_fastest_and_the_slowest_that_began_below_half(lines: pl.DataFrame) -> None:
    assert heading(times(lines)) == "Fast exam was half solved after 6 months, Slow exam after 36"
    assert heading(times(of(lines, "born-solved"))) == "How fast benchmarks are used up"
    assert heading(times(lines.clear())) == "How fast benchmarks are used up"


def test_open_and_closed_weights_are_lines_of_their_own() -> None:
    kinds = [STEPS.with_columns(weights=pl.lit(kind)) for kind in ("closed", "open")]
    rows = curves.curves(pl.concat(kinds), FACTS)
    assert times(rows).height == 6
    late = rows.with_columns(months=pl.when(weights="open").then(pl.col("months") + 5).otherwise("months"))
    assert heading(times(late)) == "Fast exam was half solved after 6 months by closed weights, 11 by open"
    chart = figure.chart(rows, "calendar", LIGHT)
    assert isinstance(chart, Chart)
    assert [trace.line.dash for trace in chart.figure.data] == ["solid", "dot"] * 3
    assert "Dotted: open weights" in chart.subtitle
    assert "Fast exam, open 94%" in chart.figure.layout.annotations[3].text


@pytest.mark.parametrize("clock", ["release", "calendar"])
def test_the_chart_draws_its_rows_and_names_each_line_once_for_each_width(lines: pl.DataFrame, clock: str) -> None:
    chart = figure.chart(lines, clock, LIGHT)
    assert isinstance(chart, Chart)
    assert sum(len(trace.y) for trace in chart.figure.data) == chart.rows.height
    notes = chart.figure.layout.annotations
    assert [note.opacity for note in notes] == [0.99] * 3 + [0.98] * 3
    assert chart.title == "2 of 3 benchmarks had reached nine tenths of the scale"
    assert "1 Jan 2024" in chart.subtitle


def test_each_line_says_its_condition_from_where_it_is_drawn_and_how_old_it_is(lines: pl.DataFrame) -> None:
    chart = figure.chart(lines, "calendar", LIGHT)
    assert isinstance(chart, Chart)
    assert "Chance is not known for Slow exam: drawn from 0." in chart.subtitle
    assert "A grey mark: no data for six months or more." in chart.subtitle
    assert "Conditions differ. As reported: Born solved and Slow exam. No tools: Fast exam." in chart.subtitle
    assert {"condition", "floor", "ceiling", "known_until"} <= set(chart.rows.columns)
    ends = {trace.customdata[0][0]: trace.marker for trace in chart.figure.data}
    assert ends["slow"].line.color[-1] == LIGHT.stages["unknown"].mark, "not looked at for long"
    assert ends["fast"].symbol[-1] != "circle" == ends["fast"].symbol[0]
    assert "Slow exam 50%, Jan 2024" in chart.figure.layout.annotations[2].text
    assert "0 to ceiling, chance not known" in chart.figure.data[2].hovertext[0]


def test_each_benchmark_keeps_its_colour_when_another_is_added(lines: pl.DataFrame) -> None:
    ids = lines["benchmark_id"].unique(maintain_order=True).to_list()
    colours = []
    for chosen in (ids[1:], [*ids[1:], ids[0]]):
        chart = figure.chart(lines.filter(pl.col("benchmark_id").is_in(chosen)), "calendar", LIGHT, chosen)
        assert isinstance(chart, Chart)
        colours.append({trace.customdata[0][0]: trace.line.color for trace in chart.figure.data})
    assert len(set(colours[1].values())) == len(ids)
    assert colours[0] == {one: colours[1][one] for one in ids[1:]}


@pytest.mark.parametrize(
    ("first", "last", "step"), [("2025-01-10", "2025-05-10", "M1"), ("2024-01-01", "2025-09-01", "M3")]
)
def test_a_short_calendar_has_ticks_in_its_months(first: str, last: str, step: str) -> None:
    days = pl.Series([date.fromisoformat(first), date.fromisoformat(last)])
    rows = curves.curves(STEPS.head(2).with_columns(dated_on=days), FACTS)
    chart = figure.chart(rows, "calendar", LIGHT)
    assert isinstance(chart, Chart)
    assert chart.figure.layout.xaxis.dtick == step


def test_a_best_that_may_not_be_passed_on_is_said_to_be_withheld() -> None:
    until_then = STEPS.filter((pl.col("benchmark_id") != "fast") | (pl.col("dated_on") < date(2021, 1, 1)))
    chart = figure.chart(curves.curves(until_then, FACTS), "calendar", LIGHT)
    assert isinstance(chart, Chart)
    assert "Later bests of Fast exam are withheld by the terms of their sources." in chart.subtitle
    assert "Fast exam 62%, Jul 2020" in " ".join(note.text for note in chart.figure.layout.annotations)
    assert "withheld" not in figure.chart(curves.curves(STEPS, FACTS), "calendar", LIGHT).subtitle


def test_without_a_release_there_is_only_a_calendar(lines: pl.DataFrame) -> None:
    undated = lines.with_columns(months=pl.lit(None, pl.Float64))
    assert isinstance(figure.chart(undated, "release", LIGHT), Nothing)
    assert isinstance(figure.chart(undated, "calendar", LIGHT), Chart)
