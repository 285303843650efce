"""Boards that a model may have seen against those that it cannot: false positives, power, and what it refuses."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.analytics.capability.cells import Cells
from benchhealth.analytics.contamination.anomaly.anomaly import excesses
from benchhealth.analytics.contamination.anomaly.fresh import (
    FEWEST_MODELS,
    Board,
    Scale,
    boards,
    capabilities,
    clipped_logit,
    leave_out,
)
from benchhealth.analytics.contamination.findings import FLAGGED_AT
from benchhealth.analytics.statistics.false_discovery import benjamini_hochberg
from tests.analytics.contamination.rung_inputs import rung_inputs
from tests.support.reason_sentences import with_sentence
from tests.support.simulated_leaks import boards_of


def seen(on: Scale) -> list[Board]:
    return [board for board in boards(on) if board.is_exposed.any()]


def null_rates(runs: int, level: float = FLAGGED_AT) -> tuple[float, float]:
    """Share of pairs with p at the level, and of worlds with any flag after Benjamini-Hochberg, nothing leaked."""
    rng = np.random.default_rng(405_16281)
    small, any_flag = [], []
    for _ in range(runs):
        p = np.concatenate([board.left_out.p_value for board in seen(boards_of(rng))])
        small.append((p <= level).mean())
        any_flag.append((benjamini_hochberg(p) <= level).any())
    return float(np.mean(small)), float(np.mean(any_flag))


def power(runs: int, leak: float) -> float:
    """Share of the leaked boards of one model with p at most 5%."""
    rng = np.random.default_rng(2024)
    shown = [
        board.left_out.p_value[board.model_ids.index("m03")] <= FLAGGED_AT
        for _ in range(runs)
        for board in seen(boards_of(rng, (3, leak)))
    ]
    return float(np.mean(shown))


def test_pairs_are_flagged_no_more_often_than_stated_where_nothing_leaked() -> None:
    small, any_flag = null_rates(40)
    assert small <= 0.055
    assert any_flag <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 40)


def test_a_leak_is_seen_and_more_of_it_more_often() -> None:
    tenth, third, half = (power(10, leak) for leak in (0.1, 0.3, 0.5))
    assert tenth < third < half
    assert half > 0.8


@pytest.mark.soak
def test_false_positives_and_power_at_length() -> None:
    runs = 2000
    small, any_flag = null_rates(runs)
    print(f"anomaly, nothing leaked: {small:.4f} of pairs, {any_flag:.4f} of worlds")
    assert small <= 0.052
    assert any_flag <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / runs)
    for leak in (0.1, 0.3):
        print(f"anomaly, leak {leak}: {power(400, leak):.4f}")


def test_the_model_itself_does_not_move_what_is_expected_of_it() -> None:
    rng = np.random.default_rng(1)
    x, y, none = rng.normal(size=20), rng.normal(size=20), np.zeros(20)
    once = leave_out(x, y, none)
    y[4] += 50
    again = leave_out(x, y, none)
    assert once is not None and again is not None
    assert again.expected[4] == pytest.approx(once.expected[4])
    assert again.error[4] == pytest.approx(once.error[4])
    assert again.excess[4] == pytest.approx(once.excess[4] + 50)


def test_beyond_all_others_is_an_extrapolation() -> None:
    x = np.array([-3.0, 0.0, 0.5, 1.0, 1.0])
    left_out = leave_out(x, np.array([0.0, 1.0, 0.0, 1.0, 2.0]), np.zeros(5))
    assert left_out is not None
    assert left_out.inside.tolist() == [False, True, True, True, True]


def test_constant_inputs_and_too_few_points_are_no_line() -> None:
    ones = np.ones(12)
    assert leave_out(ones, np.arange(12.0), ones) is None
    assert leave_out(np.arange(12.0), ones, ones) is None
    assert leave_out(np.arange(3.0), np.array([1.0, 5.0, 2.0]), np.zeros(3)) is None


def test_extrapolated_pairs_are_shown_but_neither_counted_nor_flagged() -> None:
    on = boards_of(np.random.default_rng(5), (3, 0.6))
    (board, *_) = seen(on)
    outside = replace(board, left_out=replace(board.left_out, inside=np.zeros(len(board.model_ids), dtype=bool)))
    anomalies = excesses(rung_inputs(boards=[outside]))
    assert anomalies["q_value"].null_count() == anomalies.height
    assert set(anomalies["level"]) == {"unknown"}
    assert with_sentence(anomalies)["reason"].str.contains("an extrapolation").all()


def test_a_leaked_model_is_named_with_its_excess_and_no_level_above_moderate() -> None:
    anomalies = excesses(rung_inputs(boards=boards(boards_of(np.random.default_rng(5), (3, 0.6)))))
    pairs = anomalies.filter(pl.col("model_id").is_not_null())
    raised = pairs.filter(pl.col("level") == "moderate")
    assert set(raised["model_id"]) == {"m03"}
    assert (raised["value"] > 0).all() and (raised["low"] <= raised["value"]).all()
    assert "high" not in set(pairs["level"])


def test_only_what_was_public_is_tested_and_a_board_of_few_is_not() -> None:
    on = boards_of(np.random.default_rng(2))
    assert {name for board in seen(on) for name in board.model_ids} <= set(on.cells.model_ids)
    assert {board.benchmark_id for board in seen(on)} == {"b10", "b11", "b12", "b13", "b14"}
    few = replace(on, cells=on.cells.where(on.cells.model < FEWEST_MODELS - 1))
    is_kept = on.cells.model < FEWEST_MODELS - 1
    few = replace(few, variance=on.variance[is_kept], is_fresh=on.is_fresh[is_kept], is_exposed=on.is_exposed[is_kept])
    assert boards(few) == []
    assert boards(None) == []


def test_editions_of_one_benchmark_do_not_predict_each_other() -> None:
    on = boards_of(np.random.default_rng(2))
    named = replace(on, family=["edition", "edition", *on.family[2:]])
    assert not named.without("edition")[on.cells.benchmark < 2].any()


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10**6))
def test_relabelling_models_changes_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    on = boards_of(rng, (3, 0.3))
    moved = rng.permutation(len(on.cells.model_ids))
    names = tuple(np.array(on.cells.model_ids)[np.argsort(moved)].tolist())
    again = replace(on, cells=replace(on.cells, model=moved[on.cells.model], model_ids=names))
    for one, other in zip(boards(on), boards(again), strict=True):
        there = dict(zip(other.model_ids, other.left_out.p_value, strict=True))
        assert [there[name] for name in one.model_ids] == pytest.approx(one.left_out.p_value.tolist(), rel=1e-6)


def test_known_capabilities_are_found_from_fresh_boards() -> None:
    able = np.array([-1.0, 0.0, 1.5])
    difficulty = np.linspace(-1, 1, 9)
    model, board = (grid.ravel() for grid in np.meshgrid(np.arange(3), np.arange(9), indexing="ij"))
    cells = Cells(
        model_ids=("a", "b", "c"),
        benchmark_ids=tuple(f"b{index}" for index in range(9)),
        model=model,
        benchmark=board,
        score=1 / (1 + np.exp(difficulty[board] - able[model])),
        error=np.full(model.size, 1e-3),
        floor=np.zeros(9),
        span=np.ones(9),
    )
    every = np.ones(model.size, dtype=bool)
    on = Scale(cells, difficulty, np.ones(9), np.full(model.size, 1e-6), every, ~every, list(cells.benchmark_ids))
    assert capabilities(on, every).capability == pytest.approx(able, abs=1e-3)
    assert capabilities(on, ~every).capability == pytest.approx(np.zeros(3))


def test_scores_of_exactly_none_and_all_have_a_place() -> None:
    assert np.isfinite(clipped_logit(np.array([0.0, 1.0, -0.2, 1.3]))).all()
