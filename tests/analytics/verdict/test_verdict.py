"""The rules of the verdicts, each on the case it was made for."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

from analytics.assess import assess
from analytics.record.frames import Frames
from analytics.record.tables import FLAGS, PUBLISHED, empty
from analytics.verdict.thresholds import RULES_VERSION, Thresholds
from analytics.verdict.verdict import judge
from tests.support.frames import Row, benchmark, frames, result

AS_OF = date(2026, 2, 1)


def verdict(facts: Frames, as_of: date = AS_OF, benchmark_id: str = "a") -> Row:
    table = assess(facts, as_of, np.random.default_rng(0)).tables["verdict"]
    return table.row(by_predicate=pl.col("benchmark_id") == benchmark_id, named=True)


def board(scores: list[float], n: int | None = 1000, on: date = date(2026, 1, 1), **more: object) -> list[Row]:
    return [result("a", f"m{i}", score, n_items=n, dated_on=on, **more) for i, score in enumerate(scores)]


def test_nothing_known_is_unknown_never_healthy() -> None:
    assert verdict(frames([], [benchmark("a")]))["stage"] == "unknown"
    assert (
        verdict(frames(board([1200.0] * 6, n=None), [benchmark("a", unit="rating", floor=None, ceiling=None)]))["stage"]
        == "unknown"
    )


def test_three_results_are_emerging_while_reported_and_unknown_after() -> None:
    scores = [0.97, 0.98, 0.99]
    assert verdict(frames(board(scores)))["stage"] == "emerging"
    assert verdict(frames(board(scores, on=date(2023, 1, 1))))["stage"] == "unknown"


def test_gpqa_at_36_percent_is_not_saturated_the_day_after_release() -> None:
    # GPQA was released on 2023-11-20 with a best of about 36% of 198 questions, four options each
    released = date(2023, 11, 20)
    rows = board([0.36, 0.358, 0.357, 0.356, 0.355], n=198, on=released, observed_on=released)
    facts = frames(rows, [benchmark("a", floor=0.25, human=0.813, released_on=released)])
    assert verdict(facts, released + timedelta(days=1))["stage"] == "emerging"
    assert verdict(facts, released + timedelta(days=200))["stage"] == "discriminating"


def test_used_up_by_headroom() -> None:
    found = verdict(frames(board([0.99, 0.985, 0.98, 0.97, 0.96])))
    assert found["stage"] == "saturated"
    assert any("headroom 0.01 [" in reason and "below 0.10" in reason for reason in found["reasons"])


def test_a_small_test_cannot_show_that_headroom_is_used_up() -> None:
    assert verdict(frames(board([0.95, 0.85, 0.75, 0.65, 0.55], n=40)))["stage"] == "compressing"


def test_label_errors_decide() -> None:
    rows = board([0.9, 0.88, 0.86, 0.84, 0.82], n=50_000)
    assert verdict(frames(rows, [benchmark("a", ceiling=0.9417)]))["stage"] == "saturated"
    assert verdict(frames(rows, [benchmark("a", ceiling=1.0, floor=0.5)]))["stage"] == "compressing"


def stalled(newest: date) -> list[Row]:
    """Five models within error since 2020 and five more up to `newest`; errors of about a third of a point."""
    rows = board([0.909, 0.9088, 0.9086, 0.9084, 0.9082], n=8862, on=date(2020, 1, 10))
    return [*rows, *(result("a", f"late{at}", 0.9, n_items=8862, dated_on=newest) for at in range(5))]


SQUAD = {"floor": 0.489, "human": 0.86831}


def test_squad_2_is_saturated_and_dormant() -> None:
    found = verdict(frames(stalled(date(2023, 9, 29)), [benchmark("a", **SQUAD)]))
    assert (found["stage"], found["flags"]) == ("saturated", ["dormant"])
    assert any("human_margin" in reason for reason in found["reasons"])


def test_a_flat_best_that_nobody_tried_to_move_is_dormant_not_saturated() -> None:
    found = verdict(frames(stalled(date(2020, 1, 10)), [benchmark("a", **SQUAD)]))
    assert (found["stage"], found["flags"]) == ("compressing", ["dormant"])
    wide = verdict(frames(board([0.4, 0.3, 0.2, 0.1, 0.05], on=date(2020, 1, 1))))
    assert (wide["stage"], wide["flags"]) == ("discriminating", ["dormant"])


def test_not_looking_is_stale_not_dormant() -> None:
    on = date(2024, 1, 1)
    found = verdict(frames(board([0.4, 0.3, 0.2, 0.1, 0.05], on=on, observed_on=on)))
    assert found["flags"] == ["stale"]


def test_unknown_chance_is_taken_from_both_sides() -> None:
    def stage(best: float) -> str:
        scores = [best - 0.02 * i for i in range(5)]
        return str(verdict(frames(board(scores, n=100_000), [benchmark("a", floor=None)]))["stage"])

    assert stage(0.97) == "saturated"  # even were chance one half, 0.06 would be left
    assert stage(0.94) == "compressing"
    assert stage(0.70) == "discriminating"  # at least 0.3 is left


def test_a_crowded_top_compresses_and_a_few_items_do_not() -> None:
    assert verdict(frames(board([0.6, 0.599, 0.598, 0.597, 0.596])))["stage"] == "compressing"
    assert verdict(frames(board([0.2, 0.199, 0.198, 0.197, 0.196])))["stage"] == "discriminating"


def test_flags_from_reports_and_reporters_are_worded_as_evidence() -> None:
    reports = [{"benchmark_id": "a", "subject": "a corpus", "method": "n-gram overlap", "share": 0.3}]
    facts = frames(board([0.5, 0.4, 0.3, 0.2, 0.1], reporter="self"), reports=reports)
    found = verdict(facts)
    assert found["flags"] == ["contaminated", "self_reported"]
    assert any(reason.endswith("documented for a corpus, by n-gram overlap") for reason in found["reasons"])
    assert not any(word in " ".join(found["reasons"]).lower() for word in ("cheat", "fraud", "gaming"))


def judged(**values: float) -> Row:
    rows = [
        {"benchmark_id": "a", "indicator": name, "value": value, "low": value, "high": value, "reason": "because"}
        for name, value in values.items()
    ]
    table = pl.DataFrame(rows, schema=empty("indicator").schema)
    return judge(table, Thresholds(), AS_OF).row(0, named=True)


def test_gap_needs_both_a_gap_and_flagged_models() -> None:
    assert judged(twin_gap=2.0, twin_flagged_share=0.2)["flags"] == ["gap"]
    assert judged(twin_gap=2.0, twin_flagged_share=0.05)["flags"] == []
    assert judged(twin_gap=-2.0, twin_flagged_share=0.2)["flags"] == []


def test_turnover_beyond_noise_is_unstable() -> None:
    assert judged(turnover_excess_12m=1.2)["flags"] == ["unstable"]
    assert judged(turnover_excess_12m=0.2)["flags"] == []


def test_every_flag_has_a_sentence_that_names_its_limit() -> None:
    found = judged(
        months_since_result=40,
        months_since_look=3,
        contamination_max_share=0.5,
        twin_gap=2.0,
        twin_flagged_share=0.2,
        turnover_excess_12m=2.0,
        self_reported_share=0.9,
    )
    assert found["flags"] == list(FLAGS)
    limits = Thresholds()
    for limit in (limits.dormant_months, limits.stale_months, limits.turnover_excess, limits.self_reported_share):
        assert any(f" {limit}" in reason for reason in found["reasons"])


def test_the_shape_is_the_contract() -> None:
    table = assess(frames(board([0.5] * 5)), AS_OF, np.random.default_rng(0)).tables["verdict"]
    assert table.schema == PUBLISHED["verdict"]
    assert table["rules_version"].to_list() == [RULES_VERSION]


@pytest.mark.parametrize("scores", [[0.0] * 6, [1.0] * 6, [0.5] * 6, [0.5]])
def test_constants_are_ordinary(scores: list[float]) -> None:
    assert verdict(frames(board(scores)))["stage"] in ("saturated", "compressing", "discriminating", "emerging")
