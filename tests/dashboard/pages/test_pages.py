"""Leaderboards, Changes, Trust, Data and Methods, run whole over a small generation and over an empty one."""

from pathlib import Path
from types import ModuleType

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.pages.benchmark import page as benchmark
from benchhealth.dashboard.pages.changes import page as changes
from benchhealth.dashboard.pages.data import data_tables, row_search
from benchhealth.dashboard.pages.data import page as data
from benchhealth.dashboard.pages.leaderboards import page as leaderboards
from benchhealth.dashboard.pages.methods import page as methods
from benchhealth.dashboard.pages.models import page as models
from benchhealth.dashboard.pages.report import page as report
from benchhealth.dashboard.pages.trust import page as trust
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import ParameterError, View
from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.reader import Reader
from benchhealth.warehouse.store import Store
from tests.support import facts as builders
from tests.support.answers import rows_of
from tests.support.facts import derived, publish, registry
from tests.support.rendered_page import markup, publish_tables, rendered, text
from tests.support.small_generation import NOW

PAGES = (leaderboards, changes, trust, data, methods, report)


@pytest.fixture(scope="module")
def empty_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return publish_tables(tmp_path_factory.mktemp("empty"), {})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.__name__.split(".")[-2])
def test_each_page_runs_over_the_small_generation(page: ModuleType, small_home: Path) -> None:
    app = rendered(page, small_home)
    assert app.title


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.__name__.split(".")[-2])
def test_each_page_says_what_is_missing_where_there_is_nothing(page: ModuleType, empty_home: Path) -> None:
    text_shown = text(rendered(page, empty_home))
    assert any(word in text_shown for word in ("No ", "Nothing ", "nothing", "no "))


@pytest.mark.parametrize(
    ("page", "query", "expected"),
    [
        (leaderboards, {"board": "nobody/nothing"}, "holds no leaderboard"),
        (trust, {"twin": "nobody-to-none"}, "holds no twin"),
        (data, {"source": "nobody"}, "was rejected"),
        (benchmark, {"benchmark": "<script>no-such"}, "holds no benchmark `<script>no-such`"),
        (trust, {"benchmark": "no-such"}, "holds no benchmark `no-such`"),
        (trust, {"benchmark": "hard exam "}, "Did you mean: [Hard exam](<trust?benchmark=hard-exam>)"),
        (benchmark, {"benchmark": "hard"}, "Did you mean: [Hard exam](<benchmark?benchmark=hard-exam>)"),
        (models, {"model": "model_30"}, "Did you mean: [Model 30](<models?model=model-30>)"),
        (leaderboards, {"board": "arenas/arena"}, "Did you mean: [Arena](<leaderboards?board=arena"),
    ],
)
def test_an_unknown_id_in_the_address_is_said_to_be_unknown(
    page: ModuleType, query: dict[str, str], expected: str, small_home: Path
) -> None:
    assert expected in markup(rendered(page, small_home, **query))


def test_the_address_chooses_the_board_and_the_depth(small_home: Path) -> None:
    app = rendered(leaderboards, small_home, board="arena/arena", k="5")
    assert {box.key: box.value for box in app.selectbox}["board_box"] == "arena/arena"
    assert "of the top 5" in text(app)
    assert "the whole board moved by a constant" in text(app)


def test_a_link_to_a_view_names_what_was_chosen_by_default() -> None:
    """The first board, twin or day of the next generation may be another one."""
    script = """
import streamlit as st
from benchhealth.dashboard.widgets import links
from benchhealth.dashboard.widgets import filters

filters.id_picker("board", "Board", {"a/exam": "Exam", "b/exam": "Exam"})
filters.pick_one("k", "Top", ["10", "5"])
filters.id_picker("from", "From", {"x": "X"}, placeholder="none yet")
st.markdown(links.permalink("here"))
"""
    app = AppTest.from_string(script)
    app.query_params["search"] = "a b"
    app.run()
    assert app.markdown[-1].value.endswith("?search=a%20b&board=a%2Fexam&k=10#here")
    assert app.selectbox(key="board_box").options == ["Exam · a/exam", "Exam · b/exam"]
    app.selectbox(key="board_box").select("b/exam").run()
    assert "board=b%2Fexam" in app.markdown[-1].value


def test_a_look_that_there_was_is_shown_and_another_day_is_not(small_home: Path) -> None:
    text_shown = text(rendered(leaderboards, small_home, board="arena/arena", day="2024-10-15"))
    assert "look of 15 Oct 2024" in text_shown
    assert "look of 15 Oct 2024" not in text(rendered(leaderboards, small_home, board="arena/arena", day="1999-01-01"))


def test_a_twin_is_shown_on_either_scale(small_home: Path) -> None:
    assert "points lower" in text(rendered(trust, small_home, twin="exam-to-fresh"))
    assert "standard normal units" in text(rendered(trust, small_home, twin="exam-to-fresh", scale="probit"))


def test_a_twin_is_shown_closer_with_what_its_gap_can_be_called(small_home: Path) -> None:
    text_shown = text(rendered(trust, small_home, twin="exam-to-fresh", scale="logit", more="closer"))
    assert "log odds" in text_shown
    assert "What the gap can be called" in text_shown and "comes with" in text_shown
    assert "a new sample by the same procedure" in text_shown
    assert "Effective robustness" in text_shown and "of one date or of none" not in text_shown
    assert "carries over" in text(rendered(trust, small_home, more="order"))


def test_pairs_that_may_be_one_model_are_listed_and_said_not_to_be_merged(tmp_path: Path) -> None:
    row = (
        "alder-7b",
        "alder-7b-preview",
        3.0,
        "the same name but for preview; one maker",
        ["x", "y"],
        ["z"],
        9,
        2,
        1,
        0,
        None,
        None,
        None,
    )
    pairs = pl.DataFrame([row], schema=PUBLISHED["likely_alias"], orient="row")
    with Store.open(tmp_path):
        pass
    nothing = registry()
    publish(tmp_path, nothing, load(tmp_path, nothing, NOW), derived(likely_alias=pairs), NOW)
    text_shown = text(rendered(data, tmp_path, queue="Likely aliases"))
    assert "1 pair of names may be one model" in text_shown
    assert "Nothing is merged on likeness" in text_shown
    view = View(Reader(tmp_path).current())
    assert data_tables.LIKELY.build(view, {})["sources"].to_list() == ["x, y"]


def test_what_a_curator_names_instead_is_led_to_with_its_stage_and_the_reason(tmp_path: Path) -> None:
    row = {"benchmark_id": "old", "successor_id": "new", "why": "the same, with harder questions"}
    row["source_url"] = "https://example.org/why"
    curated = registry([builders.benchmark("old", "Old"), builders.benchmark("new", "New")])
    placed = {"benchmark_id": "old", "other_id": "new", "place": 1, "fits": False, "reason": "named", "loses": []}
    tables = {
        "successor": pl.DataFrame([row], schema=PUBLISHED["successor"]),
        "alternative": rows_of(PUBLISHED["alternative"], [{**placed, "failed": "no_result", "why": row["why"]}]),
    }
    home = publish_tables(tmp_path, tables, curated)
    text_shown = text(rendered(benchmark, home, benchmark="old"))
    instead = text_shown.split("Use instead")[1]
    assert "**[New](benchmark?benchmark=new)**" in instead
    assert "Not enough known" in instead.split("[New]")[1]
    assert "the same, with harder questions" in instead
    assert "**[" not in text(rendered(benchmark, home, benchmark="new")).split("Use instead")[1]


def test_contamination_is_worded_as_documented(small_home: Path) -> None:
    text_shown = text(rendered(trust, small_home, more="reports")).lower()
    assert "cheat" not in text_shown
    assert "published measurement" in text_shown


def test_methods_have_a_topic_for_every_anchor() -> None:
    from benchhealth.dashboard.pages.methods.topics import GROUPS, TITLES
    from benchhealth.dashboard.words.definitions import ANCHORS

    assert set(TITLES) == ANCHORS
    assert sum(len(group.topics) for group in GROUPS) == len(TITLES)


@pytest.mark.parametrize("topic", ["headroom", "kendall_tau", "stages", "thresholds", "glossary", "reproduction"])
def test_a_topic_is_drawn_where_the_address_asks_for_it(topic: str, small_home: Path) -> None:
    closed, opened = rendered(methods, small_home), rendered(methods, small_home, topic=topic)
    anchors = [block.proto.anchor for block in opened.header]
    assert topic in anchors
    assert topic not in [block.proto.anchor for block in closed.header]
    assert len(text(opened)) > len(text(closed)) + 100


def test_an_unknown_topic_is_said_to_be_unknown(small_home: Path) -> None:
    assert "There is no topic `nothing`" in text(rendered(methods, small_home, topic="nothing"))


def test_any_row_is_found_and_leads_to_its_file(small_home: Path) -> None:
    generation.use(small_home)
    view = generation.current()
    rows_matching = row_search.matching_rows(view, {"table": "result", "find": "HARD-exam"})
    assert 0 < rows_matching.height <= row_search.LIMIT
    assert set(rows_matching["benchmark_id"]) == {"hard-exam"}
    assert row_search.matching_rows(view, {"table": "verdict", "find": "' OR 1=1 --"}).is_empty()
    with pytest.raises(ParameterError):
        row_search.matching_rows(view, {"table": 'result" --'})
    assert "of result" in text(rendered(data, small_home, table="result", find="hard-exam"))


def test_rows_of_every_table_can_be_looked_up(small_home: Path) -> None:
    """Also of those that have a column `place` of their own, of which some lead to a file."""
    generation.use(small_home)
    view = generation.current()
    for name in PUBLISHED:
        leads = row_search.link_column(name)
        rows_matching = row_search.matching_rows(view, {"table": name})
        assert rows_matching.width == len(PUBLISHED[name]) + (2 if leads else 0), name
        assert leads is None or leads == rows_matching.columns[0], name
    assert (
        row_search.link_column("result"),
        row_search.link_column("differing_number"),
        row_search.link_column("verdict"),
    ) == (
        "place",
        "file",
        None,
    )
    assert "of verdict reason" in text(rendered(data, small_home, table="verdict_reason"))


def test_a_question_in_the_address_is_answered_on_the_page(small_home: Path) -> None:
    app = rendered(data, small_home, sql="SELECT count(*) AS n FROM verdict")
    assert "1 row" in text(app)
    assert app.text_area(key="sql_box").value == "SELECT count(*) AS n FROM verdict"
    assert "Only one SELECT" in text(rendered(data, small_home, sql="DROP TABLE verdict"))


def test_a_report_is_offered_for_what_the_address_names(small_home: Path) -> None:
    text_shown = text(rendered(report, small_home))
    assert "Nothing is chosen" in text_shown
    assert "2 pages A4" in text(rendered(report, small_home, domain="science"))
    assert "6 pages A4" in text(rendered(report, small_home, benchmark="exam,hard-exam"))
    unknown = text(rendered(report, small_home, benchmark="exam,nope"))
    assert "No report is made of `nope`" in unknown
    assert "No domain has this id; there are " in text(rendered(report, small_home, domain="xyz"))
    assert "Two pages to print on" in unknown
