"""The tables behind pages, read from the small generation."""

from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.pages.leaderboards import page as leaderboards
from benchhealth.dashboard.pages.overview import page as overview
from benchhealth.dashboard.pages.overview import table as overview_table
from benchhealth.dashboard.published import generation, standings
from benchhealth.dashboard.published.benchmarks import is_old
from benchhealth.dashboard.published.generation import ParameterError, PublishedTable, View, did_you_mean
from benchhealth.dashboard.published.results import boards, frontier, leaders, results
from benchhealth.dashboard.widgets import tables
from benchhealth.warehouse.read import NoGeneration
from benchhealth.warehouse.reader import Reader


@pytest.fixture
def view(small_home: Path) -> View:
    return View(Reader(small_home).current())


def test_of_near_ids_the_plain_ones_come_first() -> None:
    ids = ["an-agent-gpt55", "jaume/mod-gpt5", "mgpt", "gpt-4", "gpt-5.1", "gpt-5-of-august", "jaume/gpt-5", "gpt-50"]
    named = did_you_mean("gpt5", ids, {"gpt-5-of-august": "GPT-5"})
    assert named == " (did you mean gpt-5-of-august, gpt-5.1, jaume/gpt-5, jaume/mod-gpt5 or mgpt?)"
    assert did_you_mean("mmlo", ["mmlongbench", "mmlu"]) == " (did you mean mmlu or mmlongbench?)"
    two_names = {"arena-text": "Chatbot Arena / LMArena", "arena-search": "LMArena search"}
    assert did_you_mean("lmarena", list(two_names), two_names) == " (did you mean arena-text or arena-search?)"
    assert did_you_mean("", ids) == did_you_mean("!?", ids) == did_you_mean("zebra", ids) == ""


def test_every_benchmark_is_in_the_overview_once(view: View) -> None:
    rows = overview.benchmarks(view)
    assert rows["benchmark_id"].is_unique().all()
    assert set(rows["benchmark_id"]) == set(view.table("benchmark")["benchmark_id"])
    stages = dict(rows.select("benchmark_id", "stage").iter_rows())
    assert stages["silent-exam"] == "unknown"
    assert rows.filter(pl.col("benchmark_id") == "silent-exam").item(0, "frontier") is None


def test_leaderboards_to_choose_from_are_of_whole_curated_benchmarks_of_the_domain(
    view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = overview.benchmarks(view)
    board = pl.col("benchmark_id").alias("board_id")
    dated = {"days": 20, "last_observed_at": datetime(2026, 1, 1, tzinfo=UTC)}
    listed = every.select("benchmark_id", board, **{name: pl.lit(value) for name, value in dated.items()})
    monkeypatch.setattr(standings, "boards", lambda _view: listed)
    ids = set(leaderboards.options_of(view))
    assert "exam/f1" in set(listed["benchmark_id"])
    assert "exam/f1" not in ids
    assert ids <= set(every.filter(pl.col("curated"))["benchmark_id"])
    of_domain = every.filter(pl.col("benchmark_id").is_in(list(leaderboards.options_of(view, domain="science"))))
    assert set(of_domain["domain_group"]) == {"science"}


def test_every_result_has_the_address_it_came_from(view: View) -> None:
    rows = results(view, {"benchmark": "exam"})
    assert rows.height == 30
    assert rows["url"].str.starts_with("https://").all()
    assert rows["source_row"].null_count() == 0
    assert rows["ranked"].all()


def test_a_row_that_names_its_own_paper_has_that_address_and_no_other_row_has(view: View) -> None:
    rows = results(view, {"benchmark": "hard-exam"})
    assert rows.filter(pl.col("model_id") == "formula")["url"].to_list() == ["https://example.org/paper/of-its-own"]
    assert rows.filter(pl.col("model_id") != "formula")["url"].n_unique() == 1


def test_a_number_that_only_snapshots_date_stands_at_its_first_or_on_no_day(view: View) -> None:
    rows = results(view, {"benchmark": "arena"})
    assert rows.select("model_id", "setting", "score", "score_published").is_unique().all()
    new = rows.drop_nulls("dated_on")
    first = rows["first_observed_at"].min()
    assert 0 < new.height < rows.height
    assert (new["dated_on"] <= new["first_observed_at"].dt.date()).all()
    assert set(rows.filter(first_observed_at=first)["dated_on"]) == {None}


def test_the_leaderboard_is_the_newest_state(view: View) -> None:
    (board,) = boards(view, "arena")
    rows = leaders(view, {"board": board})
    assert rows["observed_at"].n_unique() == 1
    assert rows["rank"].to_list() == sorted(rows["rank"])
    assert boards(view, "exam/f1") == []


def test_the_frontier_ends_on_the_day_of_the_assessment(view: View) -> None:
    rows = frontier(view, {"benchmark": "exam"})
    assert rows.row(-1, named=True)["carried"]
    assert rows["score"].is_sorted()


@pytest.mark.parametrize("params", [{}, {"benchmark": ""}, {"benchmark": "nope"}])
def test_what_is_not_there_is_refused(view: View, params: dict[str, str]) -> None:
    with pytest.raises(ParameterError):
        results(view, params)


def test_intervals_are_written_to_the_same_digits() -> None:
    rows = pl.DataFrame({"low": [0.34, 0.1, None, None], "high": [0.5, None, 0.25, None]})
    assert tables.intervals_as_text(rows * 100, "low", "high", ",.1f").to_list() == [
        "34.0 to 50.0",
        "from 10.0",
        "up to 25.0",
        None,
    ]
    assert tables.intervals_as_text(rows, "low", "high", ".3g")[0] == "0.34 to 0.5"


def test_each_order_puts_its_own_first_and_what_is_old_last(view: View) -> None:
    every = overview_table.ordered_benchmarks(overview.benchmarks(view), "room")
    old = every.select(is_old()).to_series()
    assert old.is_sorted()
    assert every.filter(~old)["headroom"].drop_nulls().is_sorted(descending=True)
    lately = overview_table.ordered_benchmarks(overview.benchmarks(view), "lately").filter(~old)
    assert (lately["stage"] == "saturated").is_sorted(descending=True)
    by_name = (
        overview_table.ordered_benchmarks(overview.benchmarks(view), "name").filter(~old)["name"].str.to_lowercase()
    )
    assert by_name.is_sorted()


def test_filters_of_the_map_keep_what_they_name(view: View) -> None:
    every = overview.benchmarks(view)

    def selected_ids(**params: str) -> set[str]:
        return set(overview.filtered_rows(every, params)["benchmark_id"])

    assert "exam/f1" in selected_ids(parts="1") and "strange" not in selected_ids(parts="1")
    assert "strange" in selected_ids(uncurated="1")
    assert selected_ids(search="FRESH exam") == {"exam-fresh"}
    assert selected_ids(domain="science,code") == {"hard-exam"}
    for stage in set(every["stage"]):
        assert selected_ids(stage=stage) == selected_ids() & set(every.filter(stage=stage)["benchmark_id"])
    flagged = every.filter(pl.col("flags").list.len() > 0)
    flag = flagged["flags"][0][0]
    assert selected_ids(flag=flag) == selected_ids() & set(
        every.filter(pl.col("flags").list.contains(flag))["benchmark_id"]
    )


def test_names_of_tables_and_pages_are_unique() -> None:
    tables = [table.name for spec in PAGES for table in spec.tables]
    assert len(tables) == len(set(tables))
    assert len({spec.url_path for spec in PAGES}) == len(PAGES)


def test_a_view_reads_once_and_is_replaced_when_a_generation_is_published(small_home: Path, tmp_path: Path) -> None:
    generation.use(tmp_path)
    with pytest.raises(NoGeneration):
        generation.current()
    generation.use(small_home)
    first = generation.current()
    assert generation.current() is first
    assert first.table("benchmark") is first.table("benchmark")


def test_addresses_of_tables_are_quoted() -> None:
    table = PublishedTable("results", results)
    assert table.address({}) == "csv/results"
    assert table.address({"benchmark": "a/b c&d"}) == "csv/results?benchmark=a%2Fb%20c%26d"


def test_a_generation_may_be_opened_twice_in_one_process(small_home: Path) -> None:
    first, second = Reader(small_home).current(), Reader(small_home).current()
    assert first is not second
    assert first.table("verdict").equals(second.table("verdict"))
