from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.breakpoints import PROPOSED
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.pages.data import data_tables, sources
from benchhealth.dashboard.pages.trust import transfer_tables
from benchhealth.dashboard.published import standings, twin_pairs
from benchhealth.dashboard.published.files.places import file_address
from benchhealth.dashboard.published.generation import ParameterError, PublishedTable, View
from benchhealth.dashboard.words.measurers.houses import head_of
from benchhealth.ingest.catalog import SOURCES
from benchhealth.warehouse.reader import Reader
from benchhealth.warehouse.sharing.csv import neutral_csv

RAW = "https://raw.githubusercontent.com/lab/exams/c0ffee/results/exam.csv"
UNKNOWN = [
    (data_tables.REASONS, {"source": "nobody"}),
    (data_tables.REJECTED, {"source": "nobody"}),
    (data_tables.SNAPSHOTS, {"source": "nobody"}),
    (standings.TOP, {"board": "nobody/nothing"}),
    (standings.TOP, {}),
    (standings.STEPS, {"board": "arena/arena", "k": "ten"}),
    (standings.STEPS, {"board": "arena/arena", "from": "yesterday"}),
    (twin_pairs.RESIDUALS, {"twin": "nobody"}),
    (twin_pairs.TWINS, {"scale": "square"}),
    (twin_pairs.GROUPS, {"twin": "exam-to-fresh", "by": "colour"}),
    (twin_pairs.AGES, {"twin": "exam-to-fresh", "clock": "moon"}),
    (twin_pairs.ROBUSTNESS, {}),
    (transfer_tables.TRANSFERS, {"from": "nobody"}),
]


LETTER, EDGES = 6.0, 18.0
"""Pixels of a letter of a table, on average, and between its text and both edges of its cell."""


def test_no_text_of_the_table_of_sources_is_cut() -> None:
    """Neither the name of a source nor how often it is expected to change, whatever is followed."""
    wide = {shown.column.name: shown.width for shown in sources.COLUMNS}
    shown_texts = {
        "title": [head_of(source.title, sources.TITLE) for source in SOURCES],
        "cadence": [sources.expected_cadence(source.cadence) for source in SOURCES],
        "status": ["ok", "failed", sources.NOT_FETCHED],
    }
    for column, texts in shown_texts.items():
        room = wide[column]
        assert room is not None
        assert [text for text in texts if len(text) * LETTER + EDGES > room] == [], column
    assert sum(width or 0 for width in wide.values()) <= 1130


def test_how_often_a_source_changes_is_worded_as_on_changes() -> None:
    assert sources.expected_cadence("some times a month; when it pleases") == "several times monthly"
    assert sources.expected_cadence("when a curator adds one") == "when a curator adds one"
    assert "some times" not in " ".join(sources.expected_cadence(source.cadence) for source in SOURCES)


@pytest.fixture(scope="module")
def view(small_home: Path) -> View:
    return View(Reader(small_home).current())


def test_a_row_is_found_on_the_page_of_its_file_at_its_commit() -> None:
    page = "https://github.com/lab/exams/blob/c0ffee/results/exam.csv"
    assert file_address(RAW, "line 12") == f"{page}?plain=1#L12"
    assert file_address(RAW, "line 12, column EM") == f"{page}?plain=1#L12"
    assert file_address(RAW, "[3].models[1]") == page
    assert file_address("https://arxiv.org/abs/2405.00332v4", "line 2") == "https://arxiv.org/abs/2405.00332v4"
    assert file_address("javascript:alert(1)", "line 2") is None
    assert file_address(None, None) is None


def test_rows_read_are_rows_kept_and_rejected(view: View) -> None:
    rows = data_tables.sources(view, {})
    assert (rows["rows_in"] == rows["rows_kept"] + rows["rows_rejected"]).all()
    assert rows["rows_rejected"].sum() == view.table("rejection").height
    assert data_tables.reasons(view, {})["rows"].sum() == view.table("rejection").height


def test_rejected_rows_are_shown_as_published_with_their_place(view: View) -> None:
    rows = data_tables.rejected_rows(view, {"source": "exams"})
    published = view.table("rejection")
    assert rows["published"].to_list() == published["published"].to_list()
    assert rows["place"].str.starts_with("https://github.com/").all()
    assert data_tables.rejected_rows(view, {"reason": "another"}).is_empty()


@pytest.mark.parametrize(("table", "params"), UNKNOWN, ids=str)
def test_what_names_nothing_is_refused(view: View, table: PublishedTable, params: dict[str, str]) -> None:
    with pytest.raises(ParameterError):
        table.build(view, params)


def test_every_published_table_can_be_downloaded(view: View) -> None:
    assert [table.name for table in data_tables.DOWNLOADS] == [f"published-{name}" for name in PUBLISHED]
    for name, table in zip(PUBLISHED, data_tables.DOWNLOADS, strict=True):
        rows = table.build(view, {})
        assert rows.schema == PUBLISHED[name]
        assert neutral_csv(rows).startswith(",".join(PUBLISHED[name]).encode())


def test_no_two_tables_share_an_address() -> None:
    names = [table.name for page in PAGES for table in page.tables]
    assert len(set(names)) == len(names)


def test_the_top_of_a_board_has_no_rank_beyond_k_and_days_within_the_limits(view: View) -> None:
    every = standings.top(view, {"board": "arena/arena", "k": "5"})
    assert every["rank"].max() <= 5
    days = every["observed_on"].unique().sort()
    later = standings.top(view, {"board": "arena/arena", "k": "5", "from": str(days[2]), "to": str(days[4])})
    assert later["observed_on"].unique().sort().to_list() == days[2:5].to_list()


def test_comparisons_are_those_of_the_published_table(view: View) -> None:
    steps = standings.steps(view, {"board": "arena/arena", "k": "10"})
    published = view.table("churn").filter((pl.col("board_id") == "arena/arena") & (pl.col("k") == 10))
    assert steps.sort("from_on").equals(published.sort("from_on"))
    assert steps["spans_breakpoint"].any()
    assert standings.breaks(view, {"board": "arena/arena"}).height == 1


def test_a_twin_without_models_is_listed(view: View) -> None:
    assert set(twin_pairs.twins(view, {})["twin_id"]) == set(view.table("twin")["twin_id"])


def test_only_proposals_that_nobody_has_judged_are_listed(view: View) -> None:
    published = view.table("breakpoint")
    proposals = data_tables.proposed_breakpoints(view, {})
    assert proposals.height == published["kind"].str.starts_with(PROPOSED).sum()
    assert "rescaled" not in proposals["kind"].to_list()
    assert not proposals["kind"].str.starts_with(PROPOSED).any()
