"""The rules of the verdicts, each on the case it was made for."""

from datetime import date, timedelta

import pytest

from benchhealth.analytics.record.tables import FLAGS, PUBLISHED
from benchhealth.analytics.verdict.thresholds import RULES_VERSION
from benchhealth.analytics.verdict.verdict import judge
from tests.support.frames import Row, benchmark, frames, result
from tests.support.verdicts import LIMITS, Interval, indicator_table, judged, verdict

AS_OF = date(2026, 2, 1)
WIDE_OPEN = {
    "n_models": 9,
    "age_months": 40,
    "headroom": (0.6, 0.59, 0.61),
    "resolution_top5": 1,
    "months_since_result": 1,
    "months_since_look": 0,
}
"""A benchmark that measures something, by every indicator."""


def stage(**indicators: float | Interval | None) -> str:
    """The stage of a benchmark that measures something but for these indicators."""
    return str(judge(indicator_table([{**WIDE_OPEN, **indicators}]), LIMITS, AS_OF)["stage"].item())


def scored(scores: list[float], n: int | None = 1000, on: date = date(2026, 1, 1), **more: object) -> list[Row]:
    return [result("a", f"m{i}", score, n_items=n, dated_on=on, **more) for i, score in enumerate(scores)]


def test_nothing_known_is_unknown_never_healthy() -> None:
    assert judged(n_models=0)["stage"] == "unknown"
    assert judged(n_models=9, months_since_result=1, months_since_look=0)["stage"] == "unknown"
    assert verdict(frames([], [benchmark("a")]), AS_OF)["stage"] == "unknown"


def test_without_headroom_the_top_five_decide() -> None:
    assert stage(headroom=None) == "discriminating"
    assert stage(headroom=None, resolution_top5=0.3) == "compressing"


def test_three_results_are_emerging_while_reported_and_unknown_after() -> None:
    assert stage(n_models=3) == "emerging"
    assert stage(n_models=3, months_since_result=12.1) == "unknown"
    assert stage(n_models=3, months_since_result=11.9, months_since_look=40) == "emerging"
    assert stage(n_models=3, months_since_result=None) == "unknown"


def test_gpqa_at_36_percent_is_not_saturated_the_day_after_release() -> None:
    # GPQA was released on 2023-11-20 with a best of about 36% of 198 questions, four options each
    released = date(2023, 11, 20)
    rows = scored([0.36, 0.358, 0.357, 0.356, 0.355], n=198, on=released, observed_on=released)
    facts = frames(rows, [benchmark("a", floor=0.25, human=0.813, released_on=released)])
    assert verdict(facts, released + timedelta(days=1))["stage"] == "emerging"
    assert verdict(facts, released + timedelta(days=200))["stage"] == "discriminating"


def test_used_up_by_headroom() -> None:
    verdict_of = judged(**{**WIDE_OPEN, "headroom": (0.01, 0.005, 0.015)})
    assert verdict_of["stage"] == "saturated"
    sentence = "headroom is 0.01 and the upper end of its 95% interval is 0.015, below 0.07: hardly anything"
    assert any(reason.startswith(sentence) for reason in verdict_of["reasons"])


def test_a_small_test_cannot_show_that_headroom_is_used_up() -> None:
    assert stage(headroom=(0.05, 0.01, 0.16)) == "compressing"
    assert stage(headroom=(0.05, 0.01, 0.16), resolution_top5=0.3) == "saturated"
    assert stage(headroom=(0.08, 0.04, 0.16), resolution_top5=0) == "compressing"
    assert stage(headroom=0.05) == "compressing"  # no error known


def test_label_errors_decide() -> None:
    rows = scored([0.91, 0.88, 0.86, 0.84, 0.82], n=50_000)
    audited = benchmark("a", ceiling=0.9417, ceiling_checked=50_000)
    assert verdict(frames(rows, [audited]), AS_OF)["stage"] == "saturated"
    assert verdict(frames(rows, [benchmark("a", ceiling=1.0, floor=0.5)]), AS_OF)["stage"] == "compressing"


def stalled(newest: date) -> list[Row]:
    """Five models within error since 2020 and five more up to `newest`; errors of about a third of a point."""
    rows = scored([0.909, 0.9088, 0.9086, 0.9084, 0.9082], n=8862, on=date(2020, 1, 10))
    return [*rows, *(result("a", f"late{index}", 0.9, n_items=8862, dated_on=newest) for index in range(5))]


SQUAD = {"floor": 0.489, "human": 0.86831, "human_items": 8862}


def test_squad_2_is_saturated_and_dormant() -> None:
    verdict_of = verdict(frames(stalled(date(2023, 9, 29)), [benchmark("a", **SQUAD)]), AS_OF)
    assert (verdict_of["stage"], verdict_of["flags"]) == ("saturated", ["dormant"])
    assert any("human_margin" in reason for reason in verdict_of["reasons"])


def test_a_flat_best_that_nobody_tried_to_move_is_dormant_not_saturated() -> None:
    verdict_of = verdict(frames(stalled(date(2020, 1, 10)), [benchmark("a", **SQUAD)]), AS_OF)
    assert (verdict_of["stage"], verdict_of["flags"]) == (
        "saturated",
        ["dormant"],
    )  # above humans, not to be told apart
    apart = judged(**{**WIDE_OPEN, "headroom": (0.2, 0.19, 0.21), "human_margin": 0.04, "months_since_result": 70})
    assert (apart["stage"], apart["flags"]) == ("compressing", ["dormant"])
    still_wide = judged(**{**WIDE_OPEN, "months_since_result": 70})
    assert (still_wide["stage"], still_wide["flags"]) == ("discriminating", ["dormant"])


FLAT = {
    "headroom": (0.2, 0.19, 0.21),
    "resolution_top5": 0.2,
    "human_margin": (0.04, -0.005, 0.05),
    "months_since_advance": 20,
    "months_since_result": 2,
    "tries_since_advance": 5,
}


def test_a_flat_best_above_humans_is_saturated_by_all_of_its_conditions_only() -> None:
    assert stage(**FLAT) == "saturated"
    lacking = {
        "human_margin": (0.04, -0.02, 0.09),
        "months_since_advance": 13,
        "tries_since_advance": 4,
    }
    for key, value in lacking.items():
        assert stage(**{**FLAT, key: value}) == "compressing"
    assert stage(**{**FLAT, "headroom": (0.3, 0.29, 0.31), "spread_top10": 2}) == "discriminating"


def test_passed_by_models_that_cannot_be_told_apart_is_saturated() -> None:
    passed: dict[str, float | Interval] = {"human_margin": (0.13, 0.08, 0.17), "resolution_top5": 0}
    assert stage(**passed, headroom=(0.072, 0.02, 0.148)) == "saturated"  # GPQA Diamond in 2026
    assert stage(**passed, headroom=(0.15, 0.09, 0.28)) == "compressing"  # ARC-AGI-2: the error leaves it open
    assert stage(headroom=(0.072, 0.02, 0.148), resolution_top5=0) == "compressing"


def test_where_no_error_is_known_the_human_line_decides() -> None:
    no_error: dict[str, float | Interval | None] = {"headroom": 0.09, "resolution_top5": None}
    assert stage(**no_error, human_margin=0.04) == "saturated"  # GLUE
    assert stage(**no_error, human_margin=-0.04) == "compressing"


def test_new_when_last_looked_at_is_not_new_now() -> None:
    assert stage(age_months=0, months_since_look=2) == "emerging"
    assert stage(age_months=0, months_since_look=28) == "discriminating"


def test_not_looking_is_stale_not_dormant() -> None:
    assert judged(**{**WIDE_OPEN, "months_since_result": 2, "months_since_look": 25})["flags"] == ["stale"]
    on = date(2024, 1, 1)
    rows = scored([0.4, 0.3, 0.2, 0.1, 0.05], on=on, observed_on=on)
    assert verdict(frames(rows, looked_on=on), AS_OF)["flags"] == ["stale"]
    assert verdict(frames(rows, looked_on=date(2024, 12, 30)), AS_OF)["flags"] == ["stale"]
    assert verdict(frames(rows, looked_on=date(2025, 1, 10)), AS_OF)["flags"] == ["dormant", "stale"]
    assert verdict(frames(rows), AS_OF)["flags"] == ["dormant"]


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        (0.03, "saturated"),  # even were chance one half, 0.06 would be left
        (0.06, "compressing"),  # no more than 0.12 is left
        (0.13, "discriminating"),  # between 0.13 and 0.26 is left
    ],
)
def test_unknown_chance_is_taken_from_both_sides(left: float, expected: str) -> None:
    counted_from_worst: Interval = (left, left - 0.001, left + 0.001)
    assert stage(headroom=None, headroom_of_ceiling=counted_from_worst) == expected
    scores = [1 - left - 0.02 * place for place in range(5)]
    assert verdict(frames(scored(scores, n=100_000), [benchmark("a", floor=None)]), AS_OF)["stage"] == expected


def test_a_crowded_top_compresses_only_where_the_tenth_is_in_it_too() -> None:
    crowded = {"resolution_top5": 0.1, "headroom": 0.476}  # FrontierMath in 2026: its best 52, its tenth 37
    assert stage(**crowded, spread_top10=1.9) == "discriminating"
    assert stage(**crowded, spread_top10=1.0) == "compressing"
    assert stage(**crowded) == "compressing"  # the tenth is not known
    assert stage(resolution_top5=0.1, headroom=0.8) == "discriminating"
    verdict_of = judged(**{**WIDE_OPEN, **crowded, "spread_top10": 1.9})
    assert not any("differ beyond error" in reason for reason in verdict_of["reasons"])
    assert any("models of different strength differ by more than their errors" in one for one in verdict_of["reasons"])


def test_flags_from_reports_and_reporters_are_worded_as_evidence() -> None:
    reports = [{"benchmark_id": "a", "subject": "a corpus", "method": "n-gram overlap", "share": 0.3}]
    facts = frames(scored([0.5, 0.4, 0.3, 0.2, 0.1], reporter="self"), reports=reports)
    verdict_of = verdict(facts, AS_OF)
    assert verdict_of["flags"] == ["contaminated", "self_reported"]
    assert any(
        "contamination is documented" in one and one.endswith("(a corpus, by n-gram overlap)")
        for one in verdict_of["reasons"]
    )
    assert not any(word in " ".join(verdict_of["reasons"]).lower() for word in ("cheat", "fraud", "gaming"))


def test_gap_needs_both_a_gap_and_flagged_models() -> None:
    assert judged(twin_gap=(2.0, 1.0, 3.0), twin_flagged_share=0.2)["flags"] == ["gap"]
    assert judged(twin_gap=(2.0, -1.0, 5.0), twin_flagged_share=0.2)["flags"] == []
    assert judged(twin_gap=(2.0, 1.0, 3.0), twin_flagged_share=0.05)["flags"] == []
    assert judged(twin_gap=(-2.0, -3.0, -1.0), twin_flagged_share=0.2)["flags"] == []


def test_a_premium_of_makers_is_a_flag_of_its_own_and_no_gap() -> None:
    verdict_of = judged(maker_premium=(3.6, 0.8, 6.3))
    assert verdict_of["flags"] == ["premium"]
    assert any("makers' numbers are higher than independent runs" in reason for reason in verdict_of["reasons"])
    assert judged(maker_premium=(3.6, -0.8, 8.0))["flags"] == []
    assert judged(maker_premium=(-3.6, -6.0, -0.8))["flags"] == []


def test_turnover_beyond_noise_is_unstable() -> None:
    assert judged(turnover_excess_12m=1.2)["flags"] == ["unstable"]
    assert judged(turnover_excess_12m=0.2)["flags"] == []


def test_every_flag_has_a_sentence_that_names_its_limit() -> None:
    verdict_of = judged(
        months_since_result=40,
        months_since_look=7,
        contamination_max_share=0.5,
        twin_gap=(2.0, 1.0, 3.0),
        twin_flagged_share=0.2,
        maker_premium=(2.0, 1.0, 3.0),
        turnover_excess_12m=2.0,
        self_reported_share=0.9,
    )
    assert verdict_of["flags"] == list(FLAGS)
    for limit in (LIMITS.dormant_months, LIMITS.stale_months, LIMITS.turnover_excess, LIMITS.self_reported_share):
        assert any(f" {limit:g}" in reason for reason in verdict_of["reasons"])


@pytest.mark.parametrize(
    ("high", "expected"),
    [(0.0696, "is 0.07, just below 0.07"), (0.0704, "is 0.07, below 0.25: little of the scale is left, also")],
)
def test_rounding_makes_no_sentence_contradict_itself(high: float, expected: str) -> None:
    assert any(expected in reason for reason in judged(**{**WIDE_OPEN, "headroom": (high, high, high)})["reasons"])


def test_the_shape_is_the_contract() -> None:
    table = judge(indicator_table([WIDE_OPEN, {"n_models": 1}]), LIMITS, AS_OF)
    assert table.schema == PUBLISHED["verdict"]
    assert table["rules_version"].unique().to_list() == [RULES_VERSION]
    assert table["benchmark_id"].to_list() == ["0000", "0001"]


@pytest.mark.parametrize("scores", [[0.0] * 6, [1.0] * 6, [0.5] * 6, [0.5]])
def test_constants_are_ordinary(scores: list[float]) -> None:
    verdict_of = verdict(frames(scored(scores)), AS_OF)
    assert verdict_of["stage"] in ("saturated", "compressing", "discriminating", "emerging")
