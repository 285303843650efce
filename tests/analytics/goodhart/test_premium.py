"""Self-reported against third-party scores: what is matched, the pooled mean's coverage, and what is drawn together."""

from datetime import date

import numpy as np
import polars as pl
import pytest

from benchhealth.analytics.goodhart.measure import Finding
from benchhealth.analytics.goodhart.premium import matched_reports, pooled_mean, self_report_premium, self_reporting
from benchhealth.analytics.goodhart.table import measure_inputs
from benchhealth.analytics.record.tables import DERIVED, empty
from benchhealth.analytics.twins.pairs import RERUN
from benchhealth.analytics.twins.tables import MAKER_PREMIUM
from tests.analytics.goodhart.measure_inputs import inputs, inputs_of_facts, measure_rows
from tests.support.frames import Row, evidence_of, frames, passing_on, result
from tests.support.reason_sentences import reason


def both(benchmark_id: str, model_id: str, self_reported: float, other: float) -> list[Row]:
    return [
        result(benchmark_id, model_id, self_reported, source_id="makers", reporter="self"),
        result(benchmark_id, model_id, other, source_id="others", reporter="third_party"),
    ]


def premium_of(rows: list[Finding], subject: str) -> Finding:
    return next(row for row in rows if (row.measure, row.subject) == ("self_report_premium", subject))


def test_each_side_is_its_median_and_a_repeated_number_is_no_second_measurement() -> None:
    rows = [
        *both("a", "m1", 0.9, 0.8),
        result("a", "m1", 0.84, source_id="third", reporter="third_party"),
        *both("a", "m2", 0.7, 0.7),
        *both("a/part", "m1", 0.9, 0.1),
        result("a", "m3", 0.9, source_id="swe-bench", reporter="self"),
        result("a", "m3", 0.1, source_id="others", reporter="third_party"),
    ]
    matched = matched_reports(inputs(rows)).sort("model_id")
    assert matched["model_id"].to_list() == ["m1", "m2"]
    assert matched["premium"].to_list() == [pytest.approx(8.0), pytest.approx(0.0)]
    assert matched["repeated"].to_list() == [False, True]


def test_what_a_list_passes_on_is_no_measurement_of_others() -> None:
    rows = [*both("a", "m1", 0.9, 0.8), result("a", "m1", 0.2, source_id="hub", reporter="third_party")]
    rows += [result("a", "m2", 0.9, reporter="self"), result("a", "m2", 0.3, source_id="hub", reporter="third_party")]
    matched = matched_reports(inputs_of_facts(passing_on(frames(rows), "hub")))
    assert matched.select("model_id", "premium").rows() == [("m1", pytest.approx(10.0))]


def test_the_premium_that_was_put_in_comes_out() -> None:
    rng = np.random.default_rng(3)
    rows = []
    for b in range(8):
        usual = 0.03 + 0.01 * (b - 3.5)
        for m in range(12):
            other = 0.3 + 0.5 * rng.random()
            rows += both(f"b{b}", f"m{m}", other + usual + 0.01 * rng.normal(), other)
    models = [{"model_id": f"m{m}", "organisation": f"org{m % 3}"} for m in range(12)]
    measured = measure_rows(self_report_premium, inputs(rows, models=models))
    over_all = premium_of(measured, "all")
    assert over_all.low is not None
    assert over_all.high is not None
    assert over_all.low < 3 < over_all.high
    assert over_all.high - over_all.low < 7
    assert reason(over_all) == "8 benchmarks"
    assert not [row for row in measured if row.subject_kind == "benchmark" and row.measure == "self_report_premium"]
    organisations = [row for row in measured if row.measure == "self_report_difference"]
    assert {row.subject for row in organisations} == {"org0", "org1", "org2"}
    for row in organisations:
        assert row.low is not None
        assert row.high is not None
        assert row.low < 0 < row.high


def test_the_premium_of_a_benchmark_is_the_one_of_its_own_page() -> None:
    twin = {"twin_id": "t", "original_id": "a", "other_id": "a", "kind": RERUN, "scale": "linear"}
    gap = {"n_models": 6, "gap": 3.0, "gap_low": -1.0, "gap_high": 7.0}
    tables = {
        "twin": pl.DataFrame([twin | gap], schema=empty("twin").schema),
        "rerun": pl.DataFrame({"twin_id": ["t"], "runner": ["An Institute"]}),
    }
    rows = [one for model in range(6) for one in both("a", f"m{model}", 0.9 - model / 100, 0.8)]
    facts = frames(rows)
    evidence = evidence_of(facts, date(2026, 2, 1), {name: empty(name) for name in DERIVED} | tables)
    own = MAKER_PREMIUM.rows(evidence).row(0, named=True)
    measured = measure_rows(self_report_premium, measure_inputs(facts, evidence, tables["twin"]))
    stated = premium_of(measured, "a")
    assert (stated.value, stated.low, stated.high, stated.n) == (3.0, -1.0, 7.0, 6)
    assert (stated.value, stated.low, stated.high, stated.n) == (own["value"], own["low"], own["high"], own["n"])
    assert reason(stated) == "as on the benchmark's page: against An Institute, in one condition"


def test_interval_of_the_pooled_mean_covers() -> None:
    rng = np.random.default_rng(8)
    covered, runs = 0, 400
    for _ in range(runs):
        groups = [1.5 + rng.normal(0, 2) + rng.normal(0, 3, size) for size in rng.integers(3, 12, 12)]
        ends = pooled_mean(groups)
        assert ends is not None
        covered += ends[1] <= 1.5 <= ends[2]
    assert covered / runs == pytest.approx(0.95, abs=0.03)


def test_pooled_mean_is_the_mean_where_groups_are_alike_and_refuses_one_group() -> None:
    groups = [np.array([1.0, 3.0]), np.array([1.0, 3.0]), np.array([1.0, 3.0])]
    ends = pooled_mean(groups)
    assert ends is not None
    assert ends[0] == pytest.approx(2)
    assert ends == pytest.approx(pooled_mean(groups[::-1]))
    assert pooled_mean(groups[:1]) is None
    assert pooled_mean([np.ones(3), np.ones(3)]) is None
    assert pooled_mean([]) is None


def test_makers_that_report_themselves_are_counted_once() -> None:
    models = [
        {"model_id": "m1", "organisation": "Google"},
        {"model_id": "m2", "organisation": "Google"},
        {"model_id": "m3", "organisation": "OpenAI"},
        {"model_id": "m4", "organisation": None},
    ]
    rows = [result("a", f"m{index}", 0.5, reporter="self") for index in range(1, 5)]
    rows += [result("a", "m3", 0.5, source_id="mteb", reporter="self", dated_on=date(2025, 1, 1))]
    assert self_reporting(inputs(rows, models=models)).rows() == [("a", 2, 3)]


def test_nothing_to_match_is_said() -> None:
    measured = measure_rows(self_report_premium, inputs([result("a", "m", 0.5)]))
    assert {row.status for row in measured} == {"insufficient"}
    assert {row.measure for row in measured} == {"self_report_premium", "self_report_repeated"}


def test_five_models_of_each_maker_say_no_more_than_one_where_a_maker_reports_in_one_way() -> None:
    ways = 3 + 4 * np.random.default_rng(0).standard_normal(8)

    def width(models: int) -> float:
        rows = [
            one for b in range(6) for m in range(models) for one in both(f"b{b}", f"m{m}", 0.5 + ways[m % 8] / 100, 0.5)
        ]
        made = [{"model_id": f"m{m}", "organisation": f"org{m % 8}"} for m in range(models)]
        over_all = premium_of(measure_rows(self_report_premium, inputs(rows, models=made)), "all")
        assert over_all.low is not None
        assert over_all.high is not None
        return over_all.high - over_all.low

    assert width(40) >= 0.95 * width(8)
