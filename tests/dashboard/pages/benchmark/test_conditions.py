"""Which condition a benchmark's page is about, and what it says of others."""

from datetime import date
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.pages.benchmark import page as benchmark_page
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.results import results_of_curve as counted
from tests.support.facts import benchmark, registry
from tests.support.rendered_page import publish_tables, rendered, text

AS_OF = date(2025, 1, 3)


def ends(benchmark_id: str, condition: str, score: float) -> dict[str, object]:
    row = {"benchmark_id": benchmark_id, "dated_on": AS_OF, "score": score, "model_id": "m", "carried": True}
    return {**row, "condition": condition}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    curves = [ends("exam", name, score) for name, score in (("no tools", 0.62), ("tools", 0.97), ("*text*", 0.5))]
    judged = dict.fromkeys(PUBLISHED["condition_headroom"]) | {"benchmark_id": "exam"}
    tables = {
        "condition_frontier": pl.DataFrame(curves, schema=PUBLISHED["condition_frontier"]),
        "condition_headroom": pl.DataFrame(
            [{**judged, "condition": "no tools"}], schema=PUBLISHED["condition_headroom"]
        ),
    }
    return publish_tables(tmp_path, tables, registry([benchmark("exam", "Exam"), benchmark("quiz", "Quiz")]))


def test_the_page_names_its_condition_and_the_best_under_each_other(home: Path) -> None:
    text_shown = text(rendered(benchmark_page, home, benchmark="exam"))
    assert "[Condition](methods#conditions): **no tools**." in text_shown
    assert "best under 2 of 2 other conditions: tools 97% and *text* 50% ([CSV]" in text_shown


@pytest.mark.parametrize(
    ("others", "said"),
    [(1, "best under 1 of 2 conditions: c0 50% ([CSV]"), (3, "best under 2 of 3 other conditions: c2 52%")],
)
def test_one_other_condition_is_one_of_two(tmp_path: Path, others: int, said: str) -> None:
    curves = [ends("exam", "no tools", 0.9), *(ends("exam", f"c{n}", 0.5 + n / 100) for n in range(others))]
    judged = dict.fromkeys(PUBLISHED["condition_headroom"]) | {"benchmark_id": "exam", "condition": "no tools"}
    tables = {
        "condition_frontier": pl.DataFrame(curves, schema=PUBLISHED["condition_frontier"]),
        "condition_headroom": pl.DataFrame([judged], schema=PUBLISHED["condition_headroom"]),
    }
    home = publish_tables(tmp_path, tables, registry([benchmark("exam", "Exam")]))
    assert said in text(rendered(benchmark_page, home, benchmark="exam"))


def test_a_benchmark_without_results_names_none(home: Path) -> None:
    assert "[Condition]" not in text(rendered(benchmark_page, home, benchmark="quiz"))


def test_curves_beside_leave_out_the_own_and_all_but_the_farthest(home: Path) -> None:
    generation.use(home)
    view = generation.current()
    facts = {"benchmark_id": "exam", "higher_is_better": True}
    assert benchmark_page.beside_conditions(view, facts)["condition"].to_list() == ["*text*", "tools"]
    assert benchmark_page.CONDITIONS.build(view, {"benchmark": "exam"}).height == 3


def test_points_of_a_curve_are_of_models_standing_and_under_its_condition() -> None:
    every = pl.DataFrame(
        [("no tools", True, True), ("no tools", False, True), ("no tools", True, False), ("tools", True, True)],
        schema={"condition": pl.String, "stands": pl.Boolean, "ranked": pl.Boolean},
        orient="row",
    )
    steps = pl.DataFrame({"condition": ["no tools"]})
    assert counted(every, {"unit": "percent"}, steps).height == 1
    assert counted(every, {"unit": "rating"}, steps).height == 2
