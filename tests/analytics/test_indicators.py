"""Staleness, activity, contamination, edits: each by a small case, and one registration of every module."""

import importlib
import pkgutil
from contextlib import nullcontext
from dataclasses import replace
from datetime import date
from typing import Any

import polars as pl
import pytest

from benchhealth import analytics
from benchhealth.analytics.indicators import ESTIMATED, INDICATORS, indicate
from benchhealth.analytics.record.evidence import Evidence, Indicator
from benchhealth.analytics.record.tables import DERIVED, empty
from benchhealth.analytics.saturation.staleness import SINCE_RESULT
from tests.analytics.saturation.test_headroom import AS_OF, indicator
from tests.support.frames import Row, benchmark, evidence_of, frames, result
from tests.support.reason_sentences import with_sentence


def test_no_indicator_is_left_out_of_the_tuple() -> None:
    listed = {
        value.key
        for module in pkgutil.walk_packages(analytics.__path__, "benchhealth.analytics.")
        for value in vars(importlib.import_module(module.name)).values()
        if isinstance(value, Indicator)
    }
    keys = [each.key for each in INDICATORS]
    assert sorted(keys) == sorted(listed)
    assert all(each.title and each.definition and each.reference for each in INDICATORS)


@pytest.fixture(scope="module")
def without_estimates() -> Evidence:
    derived = {table: empty(table) for table in DERIVED}
    evidence = evidence_of(frames([result("a", "m", 0.5)]), AS_OF, derived)
    return replace(evidence, discrimination=None, outlook=None, risk=None)


@pytest.mark.parametrize("each", INDICATORS, ids=lambda each: each.key)
def test_the_indicators_that_read_estimates_are_listed(each: Indicator, without_estimates: Evidence) -> None:
    with pytest.raises((AttributeError, TypeError)) if each in ESTIMATED else nullcontext():
        each.compute(without_estimates)


def test_months_since_the_newest_result() -> None:
    rows = [result("a", "m1", 0.5, dated_on=date(2025, 2, 1)), result("a", "m2", 0.4, dated_on=date(2025, 8, 1))]
    assert indicator(frames(rows), "months_since_result")["value"] == pytest.approx(6, abs=0.1)


def test_no_time_is_since_a_result_of_another_condition_that_is_newer_than_what_is_known() -> None:
    evidence = evidence_of(frames([result("a", "m", 0.5, dated_on=date(2025, 8, 1))]), AS_OF)
    earlier = evidence.known_until.with_columns(known_until=pl.lit(date(2025, 4, 1)))
    assert SINCE_RESULT.rows(replace(evidence, known_until=earlier))["value"].to_list() == [0.0]


def test_a_file_that_did_not_change_but_answered_was_looked_at() -> None:
    row = result("a", "m", 0.5, observed_on=date(2023, 1, 1))
    assert indicator(frames([row], looked_on=date(2023, 1, 1)), "months_since_look")["value"] == pytest.approx(
        37, abs=0.1
    )
    looked = indicator(frames([row], looked_on=date(2026, 1, 31)), "months_since_look")
    assert looked["value"] == pytest.approx(0, abs=0.1)


def test_what_was_there_at_the_first_look_is_no_activity_and_passes_no_line_on_a_known_day() -> None:
    there = {"dated_on": None, "date_basis": "snapshot"}
    about = [benchmark("a", human=0.8, released_on=date(2020, 1, 1), n_items=1000)]
    dated = [result("a", f"m{index}", 0.5 + index / 100, dated_on=date(2024, 6, 1 + index)) for index in range(6)]
    facts = frames([*dated, result("a", "there", 0.9, **there)], about)  # type: ignore[arg-type]
    assert indicator(facts, "months_since_result")["value"] == pytest.approx(19.9, abs=0.1)
    assert indicator(facts, "n_results_12m")["value"] == 0
    assert indicator(facts, "frontier")["value"] == 0.9
    for name in ("months_since_human_passed", "months_since_advance", "tries_since_advance", "growth"):
        assert "there at the first look" in indicator(facts, name)["reason"], name
    alone = frames([result("a", "there", 0.9, **there)], about)  # type: ignore[arg-type]
    since = indicator(alone, "months_since_result")
    assert (since["status"], since["reason"]) == (
        "insufficient",
        "all results were there at the first look: none has a date",
    )


def test_everything_in_time_ends_at_the_last_look() -> None:
    seen = date(2024, 12, 1)
    rows = [
        result("a", f"m{index}", 0.5 + index / 100, dated_on=date(2024, 6, 1 + index), observed_on=seen)
        for index in range(6)
    ]
    about = [benchmark("a", human=0.52, released_on=date(2024, 1, 1), n_items=10_000)]
    facts = frames(rows, about, looked_on=date(2025, 1, 6))
    values = {name: indicator(facts, name)["value"] for name in ("age_months", "months_since_result", "n_results_12m")}
    assert values["age_months"] == pytest.approx(12.2, abs=0.1)
    assert values["months_since_result"] == pytest.approx(7.0, abs=0.1)
    assert values["n_results_12m"] == 6
    assert indicator(facts, "months_since_human_passed")["value"] == pytest.approx(7.1, abs=0.1)
    assert indicator(facts, "months_since_look")["value"] == pytest.approx(12.8, abs=0.1)


def test_an_advance_within_error_is_none_but_many_small_ones_are() -> None:
    def since(scores: list[float]) -> float:
        rows = [
            result("a", f"m{i}", score, std_error=0.01, dated_on=date(2025, 1 + i, 1)) for i, score in enumerate(scores)
        ]
        return float(indicator(frames(rows), "months_since_advance")["value"])

    assert since([0.50, 0.80, 0.81, 0.82]) == pytest.approx(12, abs=0.1)  # February: within 2.77 points of the best
    assert since([0.50, 0.80, 0.82, 0.84]) == pytest.approx(11, abs=0.1)  # March: February is 4 points away


def test_self_reported_share_and_counts() -> None:
    rows = [result("a", f"m{i}", 0.5, reporter="self" if i < 3 else "third_party") for i in range(4)]
    facts = frames(rows)
    assert indicator(facts, "self_reported_share")["value"] == 0.75
    assert indicator(facts, "n_models")["value"] == 4
    assert indicator(facts, "n_results_12m")["value"] == 4


@pytest.mark.parametrize(("labels", "share"), [("public", 1.0), ("mixed", 0.5), ("hidden", 0.0), ("live", 0.0)])
def test_visibility_of_labels(labels: str, share: float) -> None:
    assert indicator(frames([], [benchmark("a", labels=labels)]), "labels_public")["value"] == share


@pytest.mark.parametrize("labels", [None, "", "who knows"])
def test_unknown_visibility_is_unknown(labels: str | None) -> None:
    assert indicator(frames([], [benchmark("a", labels=labels)]), "labels_public")["status"] == "insufficient"


def test_documented_contamination() -> None:
    reports: list[dict[str, Any]] = [
        {"benchmark_id": "a", "subject": "corpus", "method": "n-gram overlap", "share": 0.02},
        {"benchmark_id": "a", "subject": "model", "method": "substring", "share": 0.25},
        {"benchmark_id": "a", "subject": "other", "method": "prose", "share": None},
    ]
    facts = frames([], [benchmark("a"), benchmark("b")], reports=reports)
    assert indicator(facts, "contamination_reports")["value"] == 3
    largest = indicator(facts, "contamination_max_share")
    assert (largest["value"], largest["reason"]) == (0.25, "model, by substring")
    assert indicator(facts, "contamination_reports", "b")["value"] == 0
    assert indicator(facts, "contamination_max_share", "b")["status"] == "insufficient"


def test_a_score_that_moves_as_its_questions_resolve_is_not_edited() -> None:
    rows = [
        result("a", "m", score, n_items=n, observed_on=date(2025, month, 1))
        for month, score, n in ((1, 0.60, 100), (2, 0.62, 140))
    ]
    still = indicator(frames(rows, [benchmark("a")]), "edited_share")
    assert (still["value"], still["status"]) == (1.0, "ok")
    counted_on = indicator(frames(rows, [benchmark("a", refresh="continuous")]), "edited_share")
    assert counted_on["status"] == "not_applicable"


def test_edits_are_moves_of_a_tenth_of_a_point() -> None:
    old, new = date(2025, 1, 1), date(2025, 2, 1)
    rows = [
        *(result("a", name, 0.5, observed_on=old) for name in ("kept", "rounded", "edited", "dropped")),
        result("a", "kept", 0.5, observed_on=new),
        result("a", "rounded", 0.5004, observed_on=new),
        result("a", "edited", 0.51, observed_on=new),
    ]
    row = indicator(frames(rows), "edited_share")
    assert (row["value"], row["n"]) == (pytest.approx(1 / 3), 3)


def with_tables(rows: list[Row], **tables: pl.DataFrame) -> pl.DataFrame:
    """The indicator table of facts with these derived tables beside them."""
    derived = {table: empty(table) for table in DERIVED} | tables
    return with_sentence(indicate(evidence_of(frames(rows), AS_OF, derived)))


def value(table: pl.DataFrame, name: str) -> Row:
    return table.row(by_predicate=(pl.col("benchmark_id") == "a") & (pl.col("indicator") == name), named=True)


def test_turnover_against_noise() -> None:
    def comparison(on: date, turnover: float, **more: object) -> Row:
        row = {"board_id": "lab/a", "from_on": date(2025, 7, 1), "to_on": on, "k": 10, "turnover": turnover}
        noise = {"expected_turnover": 0.1, "expected_spread": 0.03}
        seen = {
            "exchanged": 2,
            "newcomers": 1,
        }  # a newcomer is no exchange
        return {**row, **seen, **noise, "spans_breakpoint": False, **more}

    churn = pl.DataFrame(
        [
            comparison(date(2025, 8, 1), 0.3),
            comparison(date(2025, 9, 1), 0.4),
            comparison(date(2025, 10, 1), 0.9, k=5),
            comparison(date(2025, 11, 1), 0.9, spans_breakpoint=True),
            comparison(date(2024, 11, 1), 0.9, from_on=date(2024, 1, 1)),
        ],
        schema=empty("churn").schema,
    )
    table = with_tables([result("a", "m", 0.5)], churn=churn)
    assert value(table, "turnover_top10_12m")["value"] == pytest.approx(0.7)
    excess = value(table, "turnover_excess_12m")
    assert excess["value"] == pytest.approx(0.4 - 0.2)
    assert excess["high"] - excess["value"] == pytest.approx(1.959964 * 0.03 * 2**0.5)


def test_the_twin_that_measures_the_same_thing_speaks_first() -> None:
    def pair(twin_id: str, kind: str, gap: float, n: int) -> Row:
        row = {"twin_id": twin_id, "original_id": "a", "other_id": f"{twin_id}-other", "kind": kind}
        return {**row, "scale": "linear", "n_models": n, "gap": gap}

    twin = pl.DataFrame(
        [
            pair("hard", "harder variant", 30.0, 99),
            pair("fresh", "fresh sample", 2.0, 4) | {"gap_low": -1.0, "gap_high": 5.0},
        ],
        schema=empty("twin").schema,
    )
    residual = pl.DataFrame(
        [
            {"twin_id": "fresh", "model_id": f"m{i}", "original": 50.0 + d, "other": 50.0, "flagged": i == 0}
            for i, d in enumerate((1.0, 2.0, 2.0, 3.0))
        ],
        schema=empty("twin_residual").schema,
    )
    table = with_tables([result("a", "m", 0.5)], twin=twin, twin_residual=residual)
    gap = value(table, "twin_gap")
    assert gap["value"] == 2.0
    assert (gap["low"], gap["high"]) == (-1.0, 5.0)  # of the table `twin`, whose items are counted in
    assert value(table, "twin_flagged_share")["value"] == 0.25
    alike = twin.with_columns(kind=pl.lit("equal preparation"))
    prepared = with_tables([result("a", "m", 0.5)], twin=alike, twin_residual=residual)
    assert value(prepared, "twin_gap")["value"] is not None
    assert value(prepared, "twin_flagged_share")["reason"] == "no twin of new items, a fresh sample or a live split"


def test_reports_above_an_independent_rerun_are_a_premium_and_no_gap() -> None:
    twin = pl.DataFrame(
        [
            {
                "twin_id": name,
                "original_id": "a",
                "other_id": "a",
                "kind": "independent rerun",
                "scale": "linear",
                **row,
            }
            for name, row in {
                "few": {"n_models": 4, "gap": 9.0},
                "many": {"n_models": 5, "gap": 3.0, "gap_low": 1.0, "gap_high": 5.0},
            }.items()
        ],
        schema=empty("twin").schema,
    )
    rerun = pl.DataFrame({"twin_id": ["few", "many"], "runner": ["Few", "An Institute"]})
    table = with_tables([result("a", "m", 0.5)], twin=twin, rerun=rerun)
    premium = value(table, "maker_premium")
    assert premium["value"] == 3.0
    assert (premium["low"], premium["high"]) == (1.0, 5.0)
    assert premium["reason"] == "makers' numbers are 3.0 points above those that An Institute lists, over 5 models"
    assert value(table, "twin_gap")["status"] == value(table, "twin_flagged_share")["status"] == "insufficient"
    alone = with_tables([result("a", "m", 0.5)], twin=twin.filter(pl.col("twin_id") == "few"), rerun=rerun)
    assert value(alone, "maker_premium")["reason"] == "fewer than 5 models have both a maker's and a rerun"


def test_two_reporters_who_differ_are_no_edit() -> None:
    old, new = date(2025, 1, 1), date(2025, 2, 1)
    rows = [
        result("a", "m", score, observed_on=on, reporter=reporter)
        for on in (old, new)
        for reporter, score in (("self", 0.6), ("third_party", 0.5))
    ]
    row = indicator(frames(rows), "edited_share")
    assert (row["value"], row["n"]) == (0, 2)
