"""Leaderboards: who was first, whether by skill, on which day, and what first place of many tasks hangs on."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import polars as pl
import pytest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.figures import reign
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.language import LABEL
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.leaderboards import board_tables, many_tasks
from benchhealth.dashboard.pages.leaderboards import page as leaderboards
from benchhealth.dashboard.pages.leaderboards.figures import tiers, turnover
from benchhealth.dashboard.published import generation, reigns, standings
from benchhealth.dashboard.published.domains import groups
from benchhealth.dashboard.published.generation import ParameterError, View
from benchhealth.dashboard.published.reigns import Board
from benchhealth.dashboard.words.boards import first_place as words
from benchhealth.dashboard.words.domains import NAMES
from benchhealth.warehouse.reader import Reader
from tests.support import board_tables as made
from tests.support.facts import benchmark, registry
from tests.support.rendered_page import publish_tables, rendered, text

KNOWN = registry([benchmark("exam", "Exam", domain="reading"), benchmark("many", "Many")])
NO_BREAKS = pl.DataFrame(schema={"on_date": pl.Date, "kind": pl.String, "note": pl.String, "source_url": pl.String})


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return publish_tables(tmp_path_factory.mktemp("boards"), made.tables(), KNOWN)


@pytest.fixture
def view(home: Path) -> View:
    generation.use(home)
    return generation.current()


def board(*days: date, breaks: pl.DataFrame = NO_BREAKS) -> Board:
    return Board("arena/exam", "Exam", "rating", days, breaks)


def test_the_page_answers_whether_first_place_changed_by_skill(home: Path) -> None:
    text_shown = text(rendered(leaderboards, home, board=made.BOARD))
    assert "models led in 5 months; on 30 of 30 days several were tied for first" in text_shown
    assert "Skill or noise?" in text_shown
    assert "In 2024, first place changed hands" in text_shown
    assert " in first place" in text_shown
    assert "leaving out 1 of" in text_shown and "Without 1 task" not in text_shown, "the panel opens on demand"
    assert "Without 1 task" in text(rendered(leaderboards, home, board=made.BOARD, tasks=made.MANY))
    assert "without ties (0: none)" in text_shown


def test_on_a_phone_the_name_of_a_model_stands_within_its_band(view: View) -> None:
    chart = leaderboards.ON_DAY.of(view, {"board": made.BOARD, "day": "2024-02-10"}, LIGHT)
    assert isinstance(chart, Chart)
    bands = sorted((shape.y1, shape.y0) for shape in chart.figure.layout.shapes if shape.fillcolor)
    names = [note for note in chart.figure.layout.annotations if note.yshift and note.yanchor != "bottom"]
    assert bands and len(names) == chart.rows.height
    half_a_line = LABEL * 0.7
    for name in names:
        middle = name.y + name.yshift / tiers.ROW_HEIGHT
        low, high = (middle + side * half_a_line / tiers.ROW_HEIGHT for side in (-1, 1))
        assert any(min(band) <= low and high <= max(band) for band in bands), name.text


def test_a_chosen_day_and_left_out_tasks_are_drawn(home: Path, view: View) -> None:
    text_shown = text(rendered(leaderboards, home, board=made.BOARD, day="2024-02-10"))
    assert "share first place on Exam; look of 10 Feb 2024" in text_shown
    assert "The first 17 places are two tiers" in text_shown
    out = {"tasks": made.MANY, "out": "many/t0|many/t1|many/t2"}
    chart = many_tasks.LEFT_OUT.of(view, out, LIGHT)
    assert isinstance(chart, Chart)
    assert chart.title.startswith("Without 3 tasks")
    assert chart.rows["left_out"].unique().to_list() == ["many/t0, many/t1, many/t2"]
    every = many_tasks.LEFT_OUT.of(view, {**out, "out": "|".join(f"many/t{index}" for index in range(4))}, LIGHT)
    assert isinstance(every, Chart)
    assert every.title == "Without 4 tasks nothing is left to compare"


def test_a_board_of_many_tasks_is_known_until_its_own_last_look(tmp_path: Path) -> None:
    looks = [("old", date(2024, 4, 29)), ("new", date(2026, 8, 22))]
    rows = [
        {"board_id": "new/exam", "source_id": source, "benchmark_id": "exam", "known_until": day}
        for source, day in looks
    ]
    home = publish_tables(tmp_path, {"board": pl.DataFrame(rows, schema=PUBLISHED["board"])})
    view = View(Reader(home).current())
    assert many_tasks.looked_at_until(view, "old/exam") == date(2024, 4, 29)
    assert many_tasks.looked_at_until(view, "other/exam") is None


def test_says_whether_a_board_is_whole_and_what_a_cut_leaves_out() -> None:
    cut = "the best 100 of 107 models by mean rank"
    assert many_tasks.extent({"as_defined": True, "cut": cut}) == ", the whole board as its authors define it"
    assert many_tasks.extent({"as_defined": False, "cut": cut}) == f" ({cut})"
    assert not many_tasks.extent({"as_defined": False, "cut": None})


def test_reigns_end_at_breaks_and_where_nobody_looked() -> None:
    days = (date(2025, 1, 1), date(2025, 1, 5), date(2025, 1, 9), date(2025, 6, 1))
    broke = pl.DataFrame([{"on_date": date(2025, 1, 7), "kind": "scale"}], schema=NO_BREAKS.schema)
    one = board(*days, breaks=broke)
    assert [one.until(index) for index in range(4)] == [days[1], days[1], days[2], days[3]]
    assert one.unseen() == [(days[1], days[2]), (days[2], days[3])]


def test_names_of_rows_that_are_cut_on_a_phone_differ() -> None:
    months = ("2024-08-08", "2024-09-03", "2024-11-20")
    names = reign._names_within([*(f"openai/ChatGPT-4o-latest ({day})" for day in months), "GPT-4"], [18] * 4)
    assert names == ["ChatGPT-4o-…08-08)", "ChatGPT-4o-…09-03)", "ChatGPT-4o-…11-20)", "GPT-4"]


@pytest.mark.parametrize(("begin", "end", "beside"), [(0, 60, "right"), (0, 30, "left"), (30, 60, "right")])
def test_a_name_stands_within_the_plot_whoever_led_throughout(begin: int, end: int, beside: str) -> None:
    """On the row of a model that led on every look, before its end; else after the row, or before it."""
    one = board(date(2026, 6, 1), date(2026, 7, 31))
    days = [one.days[0] + timedelta(number) for number in (begin, end)]
    rows = pl.DataFrame({"place": [1], "model": ["a model"], "from_on": days[:1], "to_on": days[1:]})
    figure = go.Figure()
    reign._names(figure, one, rows, LIGHT)
    (name,) = figure.layout.annotations
    assert (name.xanchor, name.x) == (beside, days[0] if begin else days[1])


def test_a_reign_of_one_day_is_on_that_day() -> None:
    one = board(date(2026, 6, 1), date(2026, 6, 16))
    firsts = pl.DataFrame({"observed_on": [one.days[-1]], "model": ["oak"], "is_first": [True]})
    newest = pl.DataFrame({"on_date": [one.days[-1]]})
    assert reign.leader(one, "Epoch AI", firsts, newest) == "oak was first on the list of Epoch AI on 16 Jun 2026"
    since = reign.leader(one, "Epoch AI", firsts, newest.clear())
    assert since == "oak was first on the list of Epoch AI from 1 Jun 2026 to 16 Jun 2026"
    figure = go.Figure()
    row = {"model": "oak", "place": 1, "is_first": True, "from_on": one.days[-1], "to_on": one.days[-1]}
    reign._lines(figure, pl.DataFrame([row]), 4, "blue", 1)
    assert figure.data[0].hovertext[0] == "<b>oak</b><br>first<br>on 16 Jun 2026"


def test_a_board_seen_once_has_no_reign(tmp_path: Path) -> None:
    home = publish_tables(tmp_path, {"rank": made.ranks(1), "board_card": made.cards(made.ranks(1))}, KNOWN)
    text_shown = text(rendered(leaderboards, home, board=made.BOARD))
    for missing in ("one look, so no history", "nobody can say who led before", "can be held against noise"):
        assert missing in text_shown
    assert "task by task" in text_shown


def test_what_is_missing_is_said(view: View) -> None:
    short = board(date(2025, 1, 1))
    charts = [
        turnover.chart(short, pl.DataFrame(schema=PUBLISHED["churn"]), LIGHT),
        turnover.movement(short, pl.DataFrame(schema=PUBLISHED["volatility"]), LIGHT),
    ]
    assert all(isinstance(one, Nothing) for one in charts)
    with pytest.raises(ParameterError):
        board_tables.subsets(view, {"tasks": "nothing"})
    with pytest.raises(ParameterError):
        reigns.board_on(view, {"board": made.BOARD, "day": "yesterday"})


LEAD = {
    **{"board_id": "arena/exam", "from_on": date(2025, 1, 1), "on_date": date(2025, 2, 1), "model": "lab/Oak"},
    **{"model_before": "Elm", "kind": "entered", "could_be_first": 3, "spans_breakpoint": False},
    "beyond_clusters": None,
}


@pytest.mark.parametrize(
    ("beyond", "answer"),
    [
        ([True, True], ": first place changed beyond noise."),
        ([True, False], ": first place changed beyond noise at times"),
        ([False], ": every change of first place is within noise"),
        ([None], ": whether the change of first place is noise is not known."),
        ([], ": first place did not change hands"),
    ],
)
def test_skill_or_noise(beyond: list[bool | None], answer: str) -> None:
    schema = {name: pl.Series([value]).dtype for name, value in LEAD.items()} | {"beyond_noise": pl.Boolean()}
    leads = pl.DataFrame([{**LEAD, "beyond_noise": one} for one in beyond], schema=schema)
    sentence, evidence = words.skill_or_noise([date(2025, 1, 1), date(2025, 2, 1)], leads)
    assert sentence.startswith(f"2 looks from 1 Jan 2025 to 1 Feb 2025{answer}")
    assert evidence.startswith("In 2025, first place changed hands")


@pytest.mark.parametrize(
    ("more", "ending"),
    [
        ({"beyond_noise": True}, "Oak replaced Elm in first place as a newcomer, beyond noise"),
        (
            {"beyond_noise": True, "beyond_clusters": False},
            "Oak replaced Elm in first place as a newcomer, beyond noise, within it over other clusters of items",
        ),
        ({"beyond_noise": False}, "as a newcomer, within noise, 3 tied for first"),
        ({"beyond_noise": None, "kind": "left"}, "Oak replaced Elm in first place, for that is listed no more"),
        ({"beyond_noise": None, "spans_breakpoint": True}, "across a break: not compared"),
    ],
)
def test_each_change_of_hands_is_a_line(more: dict[str, Any], ending: str) -> None:
    assert words.event({**LEAD, **more}).endswith(ending)


def test_places_that_changed_are_added_up_without_breaks() -> None:
    row = {"board_id": "arena/exam", "k": 10, "entered": 2, "left": 2, "renamed": 0, "turnover": 0.2}
    row |= {"newcomers": 1, "departures": 0, "exchanged": 1, "expected_spread": 0.02}
    more = {"expected_turnover": 0.1, "spans_breakpoint": False}
    rows = [{**row, **more, "from_on": date(2025, month, 1), "to_on": date(2025, month + 1, 1)} for month in (1, 2, 3)]
    rows[1] |= {"spans_breakpoint": True, "left": None, "exchanged": None, "expected_turnover": None}
    steps = pl.DataFrame(rows, schema=PUBLISHED["churn"])
    days = [date(2025, month, 1) for month in range(1, 6)]
    for looks, ending in ((days[:4], "left out."), (days, "left out. 1 look of 5 found the board unchanged.")):
        chart = turnover.chart(board(*looks), steps, LIGHT)
        assert isinstance(chart, Chart)
        assert chart.subtitle.endswith(ending)
    rates = turnover.comparable_steps(steps)
    assert rates["moved"].to_list() == rates["came"].to_list() == [1, 2]
    among = "2 places changed hands among listed models until Apr 2025"
    assert turnover.title(rates) == f"{among}, as many as noise explains (2); 2 newcomers came in"
    assert turnover.against_noise({"moved": 5, "by_noise": 2.0, "reach": 1.1}) == "more than the 2 of noise"
    assert turnover.against_noise({"moved": 0, "by_noise": 2.0, "reach": 1.1}) == "fewer than the 2 of noise"


def test_equals_are_drawn_in_rows_of_their_own() -> None:
    ranking = pl.DataFrame({"entry": ["a", "b"], "value": [0.5, 0.5], "place": [1, 1]})
    both_rankings = many_tasks.both_orders(ranking, ranking)
    assert both_rankings["row"].to_list() == [1, 2]
    assert many_tasks.left_out_title(ranking, ranking, ["exam/t"], "task") == "Without 1 task a is still first"


def test_the_freshest_board_with_a_history_comes_first(view: View) -> None:
    assert list(leaderboards.options_of(view, made.BOARD)) == [made.BOARD]
    assert standings.boards(view)["board_id"].to_list() == [made.BOARD]


def test_a_domain_leaves_its_boards_alone(view: View, home: Path) -> None:
    about = view.table("benchmark").select("benchmark_id", "domain_group")
    boards = standings.boards(view).join(about, on="benchmark_id")
    group = boards.filter(pl.col("board_id") == made.BOARD)["domain_group"].item()
    assert group in groups(view)
    assert made.BOARD in leaderboards.options_of(view, None, group)
    others = [one for one in NAMES if one != group]
    assert not any(made.BOARD in leaderboards.options_of(view, None, one) for one in others)
    assert "tied for first" in text(rendered(leaderboards, home, domain=group))
    assert f"No leaderboard on {groups(view)[group].lower()}" not in text(rendered(leaderboards, home, domain="none"))
