"""All numbers of one model on one benchmark, side by side; and the matrix of blind spots, over rows made for both."""

from datetime import date
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.pages.benchmark import page as benchmark_page
from benchhealth.dashboard.pages.benchmark.tabs.top_models import several
from benchhealth.dashboard.pages.field import page as field_page
from benchhealth.dashboard.pages.models import page as models_page
from benchhealth.dashboard.pages.numbers import page as numbers_page
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.results import boards, leaders
from benchhealth.dashboard.words.measurers import differing
from tests.support.rendered_page import rendered, text
from tests.support.small_generation import build

Row = dict[str, object]


def _numbers(model_id: str) -> list[Row]:
    first: Row = {
        "benchmark_id": "exam", "model_id": model_id, "place": 1, "score": 0.85, "error": 0.025, "who": "maker",
        "condition": "no tools", "setting": "maj@64", "published_name": "Alder 7B", "dated_on": date(2024, 2, 1),
        "date_basis": "model_release", "n_items": 198, "unlike": [], "copies": 1, "source_id": "exams",
        "against_source_id": "exams", "source_row": "line 3",
    }  # fmt: skip
    other = {
        "place": 2, "score": 0.66, "who": "independent", "house": "exams", "setting": "", "difference": -0.19,
        "difference_error": 0.035, "within": False, "unlike": ["setting", "reporter"], "copies": 0,
    }  # fmt: skip
    return [first, first | other]


def _spots(model_id: str) -> list[Row]:
    row: Row = {
        "model_id": model_id, "model_place": 1, "released_on": date(2024, 2, 1), "houses": [], "results": 0,
        "makers": 2, "models": 9, "known_until": date(2025, 1, 3), "looked_on": date(2025, 1, 3), "looked": True,
    }  # fmt: skip
    sized = {"benchmark_id": "exam", "benchmark_place": 1, "who": "independent", "houses": ["exams"], "n_items": 8000}
    small = {"benchmark_id": "hard-exam", "benchmark_place": 2, "who": "maker", "n_items": 400, "labels": "private"}
    unknown = {"benchmark_id": "arena", "benchmark_place": 3, "who": "nobody", "looked": False, "looked_on": None}
    return [row | sized, row | small, row | unknown]


def _frame(table: str, rows: list[Row]) -> pl.DataFrame:
    schema = PUBLISHED[table]
    return pl.DataFrame([{name: row.get(name) for name in schema} for row in rows], schema=schema, orient="row")


@pytest.fixture(scope="module")
def model_id(small_home: Path) -> str:
    generation.use(small_home)
    view = generation.current()
    return str(leaders(view, {"board": boards(view, "exam")[0]})["model_id"][0])


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, model_id: str) -> Path:
    place = tmp_path_factory.mktemp("numbers")
    numbers, spots = _frame("differing_number", _numbers(model_id)), _frame("blind_spot", _spots(model_id))
    build(place, {"differing_number": numbers, "blind_spot": spots})
    return place


def test_each_number_says_in_what_it_is_unlike_the_first_and_where_it_is_printed(home: Path, model_id: str) -> None:
    text_shown = text(rendered(numbers_page, home, benchmark="exam", model=model_id))
    assert "2 numbers on Exam, from 66.0% to 85.0%" in text_shown
    assert (
        "Error does not cover the difference; what it does not cover is unlike the first in setting (1) and"
        in text_shown
    )
    assert "\u221219.0, beyond error | setting, reporter" in text_shown
    assert "maj@64 | its maker | Alder 7B | release of the model, 1 Feb 2024 | 198 |" in text_shown
    assert "line 3, and 1 copy" in text_shown


def test_numbers_that_are_rounded_to_one_are_no_range() -> None:
    rows = pl.DataFrame({"score": [0.0932, 0.0927]})
    assert differing.title(rows, "Oak", "Exam", "fraction").endswith("on Exam, all of them 9.3% as rounded")


def test_without_differing_numbers_or_names_the_page_says_where_to_go(
    home: Path, small_home: Path, model_id: str
) -> None:
    alone = text(rendered(numbers_page, small_home, benchmark="hard-exam", model=model_id))
    assert "has no two numbers on Hard exam that differ" in alone
    strange = text(rendered(numbers_page, home, benchmark="exam", model="<b>nothing</b>"))
    assert "No pair of a model and a benchmark is called" in strange
    assert "All numbers of one model" in text(rendered(numbers_page, home))


def test_the_benchmark_and_the_model_lead_there(home: Path, model_id: str) -> None:
    generation.use(home)
    view = generation.current()
    rows = leaders(view, {"board": boards(view, "exam")[0]})
    assert f"numbers?benchmark=exam&model={model_id}" in several(view, "exam", rows).replace("%2F", "/")
    assert several(view, "hard-exam", rows) == ""
    assert "numbers?benchmark=exam" in text(rendered(models_page, home, model=model_id))


def test_the_matrix_counts_what_is_missing_and_what_filling_it_takes(home: Path) -> None:
    text_shown = text(rendered(field_page, home, chart="blind-spots"))
    assert "Independent parties measured 1 of 3 pairs" in text_shown
    assert "On 1 of these no source of independent results was read since the model came out" in text_shown
    assert "Filling the 2 pairs that no independent party measured would take 400 answers" in text_shown
    assert "On 1 further pair, of 1 benchmark, the number of items is not on record" in text_shown
    assert "On 1 pair the answers are private" in text_shown
    assert "| 0 | 0 | 1 | none on record | not known | not known |" in text_shown


def test_without_leading_models_there_is_no_matrix(small_home: Path) -> None:
    assert "No matrix can be drawn yet." in text(rendered(field_page, small_home, chart="blind-spots"))


def test_who_measured_is_told_by_year_and_where_nobody_did(small_home: Path) -> None:
    text_shown = text(rendered(benchmark_page, small_home, benchmark="exam", tab="Who reports"))
    assert "1 independent party measured models on Exam" in text_shown
    assert "| Year | Parties |" in text_shown
    nobody = text(rendered(benchmark_page, small_home, benchmark="silent-exam", tab="Who reports"))
    assert "No independent party has measured it" in nobody
