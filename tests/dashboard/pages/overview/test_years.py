"""The map through the years: its months are those of the table, and its last month is the first page."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.tables import STAGES
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.palette import DARK, LIGHT
from benchhealth.dashboard.pages.overview import page
from benchhealth.dashboard.pages.overview.finding import finding
from benchhealth.dashboard.pages.overview.years import view
from benchhealth.dashboard.pages.overview.years.states import (
    AGED,
    FRESH,
    OLD,
    counts_by_month,
    ends,
    first_with_results,
    place_of,
    states,
)
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.benchmarks import benchmarks, is_alive, is_in_use, named_stage
from benchhealth.dashboard.published.generation import ParameterError, View
from tests.support.generalising import all_faults
from tests.support.rendered_page import markup, publish_tables, rendered, text

CHANGE = 7


@pytest.fixture(scope="module")
def small(small_home: Path) -> View:
    generation.use(small_home)
    return generation.current()


@pytest.fixture(scope="module")
def bundled_view(bundled_home: Path) -> Iterator[View]:
    generation.use(bundled_home)
    yield generation.current()


def map_contents(shown: View) -> dict[str, object]:
    read: dict[str, object] = json.loads(view.payload(shown, finding(shown)[0], LIGHT))
    return read


@pytest.mark.parametrize("home", ["small_home", "bundled_home"])
def test_the_last_month_is_the_first_page_number_for_number(home: str, request: pytest.FixtureRequest) -> None:
    generation.use(request.getfixturevalue(home))
    shown = generation.current()
    curated = page.filtered_rows(benchmarks(shown), {})
    in_use, last = curated.filter(is_in_use()), counts_by_month(shown).row(-1, named=True)
    assert (last["measuring"], last["benchmarks"]) == (curated.filter(is_alive()).height, in_use.height)
    title = map_contents(shown)["titles"][-1]  # type: ignore[index]
    assert re.findall(r"\d+", title)[:2] == [str(last["benchmarks"]), str(last["measuring"])]
    by_stage = dict(in_use.group_by(stage=named_stage()).len().iter_rows())
    assert {stage: last[stage] for stage in STAGES if last[stage]} == by_stage
    drawn_now = states(shown).filter(pl.col("place") == pl.col("place").max(), "drawn")
    on_map = curated.filter(pl.col("headroom").is_not_null(), pl.col("released_on").is_not_null())
    columns = ["benchmark_id", "stage", "headroom"]
    assert drawn_now.select(columns).sort("benchmark_id").equals(on_map.select(columns).sort("benchmark_id"))


def test_each_month_adds_up(small: View, bundled_view: View) -> None:
    for shown in (small, bundled_view):
        rows = counts_by_month(shown)
        assert (rows.select(pl.sum_horizontal(STAGES)).to_series() == rows["benchmarks"]).all()
        assert rows["discriminating"].equals(rows["measuring"], check_names=False)
        assert rows["on"].to_list() == ends(shown)
        for row, title, rest in zip(rows.to_dicts(), map_contents(shown)["titles"], view.rests(shown), strict=True):  # type: ignore[call-overload]
            if row["benchmarks"]:
                assert f"f {row['benchmarks']} AI benchmark" in title
                assert f" in use, {row['measuring'] or 'none'} " in title
                clause = r"(\d+|The other one) (?:is|are|was|were|cannot|could not) "
                others = [1 if number == "The other one" else int(number) for number in re.findall(clause, rest)]
                assert sum(others) == row["benchmarks"] - row["measuring"]
            else:
                assert "no benchmark had a dated result" in title


def test_no_month_says_more_than_it_may(bundled_view: View) -> None:
    """What the browser gets as data is on no page that other tests read."""
    read = map_contents(bundled_view)
    for title, rest, basis in zip(read["titles"], read["rests"], read["bases"], strict=True):  # type: ignore[call-overload]
        assert all_faults([f"{title}. {rest}", basis]) == []


def test_what_the_browser_gets_is_what_the_months_are(bundled_view: View) -> None:
    """The changes of each mark, unfolded, are the states of each month."""
    rows = {key: frame for (key,), frame in states(bundled_view).group_by("benchmark_id")}
    marks = map_contents(bundled_view)["marks"]
    assert len({key for key, *_ in marks}) == len(marks)  # type: ignore[attr-defined, arg-type]
    for key, _, _, _, _, changes in marks:  # type: ignore[attr-defined]
        steps = [changes[index : index + CHANGE] for index in range(0, len(changes), CHANGE)]
        assert [step[0] for step in steps] == sorted({step[0] for step in steps})
        steps.insert(0, [0] * CHANGE)
        for row in rows[key].iter_rows(named=True):
            _, kind, stage, height, _, age, least = [step for step in steps if step[0] <= row["place"]][-1]
            assert (kind == view.DRAWN, kind == view.WAITING) == (row["drawn"], row["waits"])
            if row["drawn"]:
                assert STAGES[stage] == row["stage"] and (height / 1000) ** 2 == pytest.approx(
                    max(0.0, row["headroom"]), abs=0.001
                )
                assert (age, bool(least)) == (row["age"], row["at_least"])


def test_no_mark_before_the_release_and_none_falls_upwards_by_its_tail(bundled_view: View) -> None:
    rows = states(bundled_view)
    early = rows.filter(pl.col("on") < pl.col("released_on"), pl.col("result_on").is_null())
    assert early.is_empty()
    assert rows.filter(pl.col("tail") <= pl.col("headroom")).is_empty()
    aged = rows.filter(pl.col("result_on").is_not_null()).with_columns(
        months=(pl.col("on") - pl.col("result_on")).dt.total_days() / 30.4375
    )
    assert aged.filter(pl.col("months") <= 6)["age"].unique().to_list() == [FRESH]
    assert aged.filter(pl.col("months") > 6, pl.col("months") <= 18)["age"].unique().to_list() == [AGED]
    assert aged.filter(pl.col("months") > 18)["age"].unique().to_list() == [OLD]


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_a_month_is_a_chart_with_its_rows(small: View, palette: object) -> None:
    chart = view.MONTH.of(small, {"at": "2024-06"}, palette)  # type: ignore[arg-type]
    assert isinstance(chart, Chart)
    assert chart.title.startswith("June 2024: ") and "results dated to 30 Jun 2024" in chart.subtitle
    assert set(chart.rows["on"].to_list()) == {ends(small)[place_of("2024-06", ends(small)) or 0]}
    assert "exam" in chart.rows["benchmark_id"].to_list()
    early = view.MONTH.of(small, {"at": "2012-01"}, palette)  # type: ignore[arg-type]
    first = ends(small)[first_with_results(small) or 0]
    assert isinstance(early, Nothing) and f"First: {first:%B %Y}" in early.advice


@pytest.mark.parametrize("month", ["2011-12", "2124-01", "2024-13", "2024", "now", ""])
def test_a_month_that_there_is_not_is_said(small_home: Path, month: str) -> None:
    generation.use(small_home)
    if month:
        with pytest.raises(ParameterError, match="no month"):
            view.MONTH.of(generation.current(), {"at": month}, LIGHT)
    shown = text(rendered(page, small_home, at=month))
    assert "The map has no month" in shown and "First: " in shown


def test_the_way_leads_there_and_back(small_home: Path) -> None:
    assert "?at=2012-01" in markup(rendered(page, small_home))
    there = rendered(page, small_home, at="2012-01")
    assert not there.exception and "Is this AI benchmark still measuring anything?" not in text(there)


def test_without_a_verdict_there_is_no_month(tmp_path: Path) -> None:
    home = publish_tables(tmp_path, {})
    generation.use(home)
    assert view.MONTH.of(generation.current(), {}, LIGHT) == view.STRIP.of(generation.current(), {}, LIGHT)
    assert "The map has no month" in text(rendered(page, home, at="2019-06"))
    assert "at=2012-01" not in markup(rendered(page, home))
