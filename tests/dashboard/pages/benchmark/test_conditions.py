"""Which condition a benchmark's page is about, and what it says of others."""

from datetime import date
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.pages.benchmark import measured
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
    assert "best under 2 of 2 other conditions until Jan 2025: tools 97% and *text* 50% ([CSV]" in text_shown


@pytest.mark.parametrize(
    ("others", "said"),
    [
        (1, "best under 1 of 2 conditions until Jan 2025: c0 50% ([CSV]"),
        (3, "best under 2 of 3 other conditions until Jan 2025: c2 52%"),
    ],
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


def test_the_bests_of_other_conditions_are_dated_by_themselves(tmp_path: Path) -> None:
    """SWE-bench Verified: its own condition was read until April 2026, the best of another is of August."""
    later = {**ends("exam", "maker's own scaffold", 0.96), "dated_on": date(2025, 5, 11)}
    judged = dict.fromkeys(PUBLISHED["condition_headroom"]) | {"benchmark_id": "exam", "condition": "no tools"}
    tables = {
        "condition_frontier": pl.DataFrame(
            [ends("exam", "no tools", 0.9), later], schema=PUBLISHED["condition_frontier"]
        ),
        "condition_headroom": pl.DataFrame([judged], schema=PUBLISHED["condition_headroom"]),
    }
    home = publish_tables(tmp_path, tables, registry([benchmark("exam", "Exam")]))
    assert "until May 2025: maker's own scaffold 96%" in text(rendered(benchmark_page, home, benchmark="exam"))


def test_the_best_of_each_side_has_the_day_on_which_it_came(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """MMLU: o3 was reported in April 2025; makers' newest result, which another maker gave, is of August 2026."""
    generation.use(home)
    steps = [
        ("third_party", date(2024, 10, 22), 0.87, "day", False), ("third_party", date(2024, 12, 26), 0.87, "day", True),
        ("self", date(2024, 12, 17), 0.92, "day", False), ("self", date(2025, 4, 30), 0.93, "month", False),
        ("self", date(2026, 8, 12), 0.93, "day", True),
    ]  # fmt: skip
    columns = ["reporter", "dated_on", "score", "date_precision", "carried"]
    sides = pl.DataFrame(steps, schema=columns, orient="row").with_columns(
        pl.lit("no tools").alias("condition"), pl.lit("m").alias("model_id"), pl.lit("M").alias("model"),
        pl.lit(None, pl.String).alias("maker"),
    )  # fmt: skip
    monkeypatch.setattr(measured, "sides_apart", lambda _view, _facts: sides)
    bests = measured._bests(generation.current(), "exam")
    assert bests is not None
    assert bests["Who measured, when"].to_list() == ["others\\, 22 Oct 2024", "its maker\\, Apr 2025"]


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
