"""The cases in which conditions made a curve wrong, on the bundled facts: each under one condition, which is named."""

import polars as pl
import pytest

from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.results import boards
from benchhealth.warehouse.read import Generation

pytestmark = pytest.mark.xdist_group("bundle")


def one(generation: Generation, sql: str, benchmark_id: str) -> dict[str, object]:
    return generation.query(sql, {"id": benchmark_id}).row(0, named=True)


def best(generation: Generation, benchmark_id: str) -> dict[str, object]:
    sql = (
        "SELECT model_id, round(100 * score, 1) AS score, condition FROM frontier WHERE benchmark_id = $id AND carried"
    )
    return one(generation, sql, benchmark_id)


def ceiling(generation: Generation, benchmark_id: str) -> dict[str, object]:
    return one(generation, "SELECT * FROM condition_headroom WHERE benchmark_id = $id", benchmark_id)


def other(generation: Generation, benchmark_id: str, condition: str) -> float:
    sql = """
        SELECT round(100 * score, 1) FROM condition_frontier
        WHERE benchmark_id = $id AND condition = $condition AND carried
    """
    return float(generation.query(sql, {"id": benchmark_id, "condition": condition}).item())


def leader(generation: Generation, benchmark_id: str) -> dict[str, object]:
    """First place of the board that the page of a benchmark shows first."""
    sql = """
        SELECT model_id, round(100 * score, 1) AS score, condition FROM rank
        WHERE board_id = $id AND rank = 1 ORDER BY observed_at DESC LIMIT 1
    """
    return one(generation, sql, boards(View(generation), benchmark_id)[0])


def steps(generation: Generation, benchmark_id: str) -> pl.DataFrame:
    sql = "SELECT model_id, round(100 * score, 1) AS score FROM frontier WHERE benchmark_id = $id AND NOT carried"
    return generation.query(sql, {"id": benchmark_id})


def test_simpleqa_is_not_saturated_by_agents_that_search(bundled: Generation) -> None:
    assert best(bundled, "simpleqa")["condition"] == "no tools"
    curve = steps(bundled, "simpleqa")
    assert ("gpt-4.5-preview-2025-02-27", 62.5) in curve.rows()
    assert curve.filter(pl.col("score") > 90).is_empty()
    assert other(bundled, "simpleqa", "search") == 97.1
    raw = ceiling(bundled, "simpleqa")
    assert (raw["stage_raw"], raw["made_by"]) == ("saturated", "search")
    assert raw["stage"] not in ("saturated", "unknown")


def test_a_crawl_that_lost_a_setting_does_not_make_it_another_condition(bundled: Generation) -> None:
    sql = """
        SELECT DISTINCT condition FROM result
        WHERE benchmark_id = 'simpleqa' AND model_id = 'deepseek-v3.1' AND round(score, 3) = 0.934
    """
    assert bundled.query(sql)["condition"].to_list() == ["search"]


def test_hle_is_not_led_by_a_run_with_tools_on_its_text_alone(bundled: Generation) -> None:
    assert best(bundled, "hle")["condition"] == "no tools"
    assert "grok-4-heavy" not in steps(bundled, "hle")["model_id"].to_list()
    heavy = bundled.query(
        "SELECT DISTINCT condition FROM result WHERE benchmark_id = 'hle' AND model_id = 'grok-4-heavy'"
    )
    assert heavy["condition"].to_list() == ["tools, text only"]
    assert other(bundled, "hle", "tools, text only") >= 50.7


def test_arc_agi_has_no_score_of_another_model_and_errors_of_its_own_tasks(bundled: Generation) -> None:
    assert best(bundled, "arc-agi-1")["condition"] == "semi-private"
    rows = bundled.query("SELECT * FROM result WHERE benchmark_id = 'arc-agi-1'")
    wrong = rows.filter(pl.col("score") == 0.88, model_id="o3-2025-04-16")
    assert wrong.height
    assert set(wrong["condition"]) == {"excluded"}
    assert not wrong["stands"].any()
    assert ("o3-2025-04-16", 88.0) not in steps(bundled, "arc-agi-1").rows()
    assert rows.filter(condition="semi-private")["n_items"].unique().to_list() == [100]


def test_math_500_is_not_math(bundled: Generation) -> None:
    row = best(bundled, "math")
    assert row["condition"] == "no tools"
    assert not {"o1-2024-12-17", "o3-mini-2025-01-31"} & set(steps(bundled, "math")["model_id"])
    assert other(bundled, "math", "no tools, MATH-500") == 98.2
    items = bundled.query("SELECT DISTINCT n_items FROM result WHERE condition = 'no tools, MATH-500'")
    assert items["n_items"].to_list() == [500]
    assert ceiling(bundled, "math")["made_by"] == "MATH-500"


def test_anli_is_not_led_by_a_score_on_another_test(bundled: Generation) -> None:
    assert best(bundled, "anli")["score"] == 58.1
    rows = bundled.query("SELECT condition, stands FROM result WHERE benchmark_id = 'anli' AND model_id = 'unicorn'")
    assert set(rows.rows()) == {("excluded", False)}


@pytest.mark.parametrize("benchmark_id", ["swe-bench-verified", "simpleqa", "hle", "gpqa-diamond", "aime-2025"])
def test_curve_and_leaderboard_of_a_benchmark_have_one_leader(bundled: Generation, benchmark_id: str) -> None:
    row = best(bundled, benchmark_id)
    assert row["condition"] == ceiling(bundled, benchmark_id)["condition"]
    assert leader(bundled, benchmark_id) == row


def test_every_result_has_a_condition_and_its_board_is_ranked_in_one(bundled: Generation) -> None:
    assert bundled.query("SELECT count(*) FROM result WHERE condition IS NULL OR stands IS NULL").item() == 0
    several = bundled.query("SELECT board_id FROM rank GROUP BY board_id HAVING count(DISTINCT condition) > 1")
    assert several.is_empty()


def test_each_result_stands_once(bundled: Generation) -> None:
    sql = """
        SELECT s.board_id, r.benchmark_id, r.model_id, r.setting, r.reporter
        FROM result r JOIN snapshot s USING (snapshot_id)
        WHERE stands GROUP BY ALL HAVING count(*) > 1
    """
    assert bundled.query(sql).is_empty()


def test_a_verdict_that_rests_on_unstated_results_says_so(bundled: Generation) -> None:
    sql = """
        SELECT c.condition, v.reasons FROM verdict v JOIN condition_headroom c USING (benchmark_id)
    """
    for condition, reasons in bundled.query(sql).iter_rows():
        says = any("taken as reported" in reason for reason in reasons)
        names_another = any("under another condition" in reason for reason in reasons)
        assert says == (condition == "as reported" and not names_another), (condition, reasons)


def test_no_curve_of_a_condition_runs_back_in_time(bundled: Generation) -> None:
    """FrontierMath's independent runs are known until April 2026, what makers report of it until July."""
    sql = """
        SELECT benchmark_id, condition, max(dated_on) FILTER (WHERE carried) AS ends,
            max(dated_on) FILTER (WHERE NOT carried) AS last
        FROM condition_frontier GROUP BY ALL HAVING ends < last
    """
    assert bundled.query(sql).is_empty()


def test_a_benchmark_that_was_measured_under_other_conditions_alone_is_not_missing(bundled: Generation) -> None:
    sql = "SELECT \"case\", why_unknown FROM answer WHERE benchmark_id = $id AND question = 'room'"
    assert bundled.query(sql, {"id": "livecodebench"}).rows() == [("only_elsewhere", "nobody_looked")]
    assert bundled.query(sql, {"id": "nyt-connections"}).rows() == [("not_in_bundle", "nobody_looked")]
    called = "SELECT benchmark_id FROM answer WHERE question = 'room' AND \"case\" = 'not_in_bundle'"
    held = f"SELECT DISTINCT benchmark_id FROM result WHERE stands AND benchmark_id IN ({called})"
    assert bundled.query(held).is_empty()
