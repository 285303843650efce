"""The map's page: its filters are its address, and what a card counts is what its link shows."""

import re
from html import escape
from pathlib import Path

import plotly.graph_objects as go
import pytest

from benchhealth.analytics.record.tables import STAGES
from benchhealth.dashboard.figures.chart import Chart
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.overview import page
from benchhealth.dashboard.pages.overview.finding import finding
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.answers import numbers_to
from benchhealth.dashboard.published.benchmarks import benchmarks, is_in_use
from benchhealth.dashboard.published.generation import ParameterError
from benchhealth.dashboard.words.text import count
from tests.support.rendered_page import markup, publish_tables, rendered, text
from tests.support.small_generation import HOSTILE


@pytest.fixture
def empty_home(tmp_path: Path) -> Path:
    return publish_tables(tmp_path, {})


def test_what_is_left_is_that_of_the_answers(small_home: Path) -> None:
    generation.use(small_home)
    view = generation.current()
    rooms = numbers_to(view, "room")
    chart = page.MAP.of(view, {}, LIGHT)
    assert isinstance(chart, Chart)
    hovers = [hover for trace in chart.figure.data for hover in trace.hovertext or () if "left" in hover]
    assert hovers
    assert {hover.split("<br>")[2].partition(" (")[0] for hover in hovers} <= set(rooms.values())


@pytest.mark.parametrize("home", ["small_home", "bundled_home"])
def test_the_title_and_what_makes_it_whole_add_up(home: str, request: pytest.FixtureRequest) -> None:
    """The denominator is the sum of all that is said of it, and of all curated ones with what is left out."""
    generation.use(request.getfixturevalue(home))
    view = generation.current()
    every_benchmark = page.filtered_rows(benchmarks(view), {})
    sentence = finding(view)
    in_use, measuring = (
        int(number)
        for number in re.findall(r"^Of (\d+) AI benchmarks? in use, (\d+|none) (?:is|are) still", sentence.title)[0]
    )
    others = [int(number) for number in re.findall(r"(\d+) (?:is|are|cannot)", sentence.rest)]
    assert measuring + sum(others) == in_use == page.filtered_rows(every_benchmark, {"recent": "1"}).height
    curated, again, old, silent = (
        int(number) for number in re.findall(r"(\d+) (?:curated|are in use|of which|that nobody)", sentence.how)
    )
    assert (curated, again) == (every_benchmark.height, in_use) and curated == in_use + old + silent
    unjudged = [int(number) for number in re.findall(r"(\d+) (?:too|not known)", sentence.how)]
    assert sum(unjudged) == in_use - measuring - sum(others[:-1] if "cannot" in sentence.rest else others)


def test_pills_count_what_the_title_counts(small_home: Path) -> None:
    app = rendered(page, small_home)
    shown = {option[2:].rpartition(" ")[0]: int(option.rpartition(" ")[2]) for option in app.button_group[0].options}
    numbers = re.findall(r"\d+", app.title[0].value)
    assert [str(sum(shown.values())), str(shown["Still measuring"])] == numbers


def test_stages_are_counted_within_the_other_filters(small_home: Path) -> None:
    generation.use(small_home)
    rows = page.filtered_rows(benchmarks(generation.current()), {})
    domain = rows["domain_group"].drop_nulls()[0]
    app = rendered(page, small_home, domain=domain)
    shown = [int(option.rpartition(" ")[2]) for option in app.button_group[0].options]
    of_domain = rows.filter(is_in_use(), domain_group=domain).height
    assert sum(shown) == of_domain < rows.filter(is_in_use()).height


def test_a_filter_is_in_the_address_by_its_id_and_without_counts(small_home: Path) -> None:
    app = rendered(page, small_home, stage="unknown", order="name")
    assert app.session_state["stage_box"] == ["unknown"]
    assert app.session_state["order_box"] == "name"
    assert rendered(page, small_home, recent="1").session_state["recent_box"] is True
    assert rendered(page, small_home, stage="no such stage").session_state["stage_box"] == []


def test_a_value_that_no_filter_has_is_said_and_filters_nothing(small_home: Path) -> None:
    app = rendered(page, small_home, domain="no-such-domain", stage="saturated")
    assert "No domain is called no-such-domain." in text(app)
    assert app.title[0].value == rendered(page, small_home, stage="saturated").title[0].value
    generation.use(small_home)
    with pytest.raises(ParameterError, match="no domain 'no-such-domain'; there are"):
        page.MAP.of(generation.current(), {"domain": "no-such-domain"}, LIGHT)


def test_a_value_that_no_curated_benchmark_has_filters_all_the_same(small_home: Path) -> None:
    generation.use(small_home)
    rows = page.filtered_rows(benchmarks(generation.current()), {})
    absent = next(stage for stage in STAGES if stage not in set(rows["stage"]))
    app = rendered(page, small_home, stage=absent)
    assert app.session_state["stage_box"] == [absent]
    assert app.title[0].value.startswith("0 benchmarks: ")


def test_the_map_knows_a_domain_of_an_earlier_address(small_home: Path) -> None:
    generation.use(small_home)
    now, before = (page.MAP.of(generation.current(), {"domain": word}, LIGHT) for word in ("language", "reading"))
    assert isinstance(now, Chart)
    assert isinstance(before, Chart)
    assert before.title == now.title
    assert before.rows.equals(now.rows)


def test_the_heading_is_about_what_the_filters_keep(small_home: Path) -> None:
    generation.use(small_home)
    rows = page.filtered_rows(benchmarks(generation.current()), {"domain": "science"})
    app = rendered(page, small_home, domain="science")
    assert app.title[0].value == f"{count(rows.height, 'benchmark')}: science"
    assert len(app.title) == 1
    assert rendered(page, small_home).title[0].value.endswith(" still measuring")


def test_every_row_of_the_map_is_one_mark_and_no_label_stands_for_two(small_home: Path) -> None:
    generation.use(small_home)
    chart = page.MAP.of(generation.current(), {"uncurated": "1", "parts": "1"}, LIGHT)
    assert isinstance(chart, Chart)
    figure: go.Figure = chart.figure
    marks = [one for trace in figure.data if trace.customdata is not None for (one,) in trace.customdata]
    assert sorted(marks) == sorted(chart.rows["benchmark_id"])
    assert len(set(marks)) == len(marks)


def test_published_names_stay_text_in_lists(small_home: Path) -> None:
    app = rendered(page, small_home, uncurated="1")
    assert HOSTILE[:12] not in markup(app)
    rows = "".join(block.proto.body for block in app.get("html") if 'class="rows"' in block.proto.body)
    assert escape(HOSTILE) in rows and "<b>Best" not in rows


def test_an_empty_generation_says_so(empty_home: Path) -> None:
    app = rendered(page, empty_home)
    assert app.title[0].value == "No AI benchmark is in use"
    assert "Nothing matches" in text(app)
