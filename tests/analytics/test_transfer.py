"""Orders carried from benchmark to benchmark: the published agreement of 24 tasks, and what order and scale change."""

from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics.transfer import TRANSFER, mean_agreement, transfer_among, transfer_from
from tests.analytics.builders import Row, benchmark, frames, result
from tests.analytics.upstream import needs_upstream, versions

TASKS = 24


@needs_upstream
@pytest.mark.parametrize(("prepared", "published"), [("direct_eval", 0.517), ("train_before_test", 0.755)])
def test_tasks_agree_more_after_equal_preparation(prepared: str, published: float) -> None:
    tables = versions("socialfoundations/lm-harmony", "notebooks/all_results.json")[-1].json()[prepared]
    rows = [
        result(task, model, score, observed_on=date(2025, 9, 22))
        for task, scores in tables.items()
        if not task.endswith("_2025")  # corpora: losses, lower is better
        for model, score in scores.items()
    ]
    pairs = transfer_among(frames(rows), {str(row["benchmark_id"]) for row in rows})
    assert pairs.height == TASKS * (TASKS - 1) / 2
    assert pairs["n_models"].unique().to_list() == [61]
    assert mean_agreement(pairs) == pytest.approx(published, abs=0.005)


def board(name: str, scores: list[float]) -> list[Row]:
    return [result(name, f"m{at}", score) for at, score in enumerate(scores)]


def test_from_one_benchmark_to_all_others_best_first() -> None:
    up = [at / 10 for at in range(10)]
    rows = board("origin", up) + board("same", up) + board("turned", up[::-1]) + board("short", up[:9])
    found = transfer_from(frames(rows), "origin")
    assert found.schema == TRANSFER
    assert found.rows() == [("origin", "same", 10, 1.0), ("origin", "turned", 10, -1.0)]


def test_lower_is_better_counts_as_better() -> None:
    up = [at / 10 for at in range(10)]
    facts = frames(board("a", up) + board("loss", up), [benchmark("a"), benchmark("loss", higher_is_better=False)])
    assert mean_agreement(transfer_among(facts, ["a", "loss"])) == -1


def test_a_constant_side_has_no_order_and_nothing_in_common_no_row() -> None:
    up = [at / 10 for at in range(10)]
    constant = transfer_among(frames(board("a", up) + board("b", [1.0] * 10)), ["a", "b"])
    assert constant["kendall_tau"].to_list() == [None]
    assert mean_agreement(constant) is None
    assert transfer_from(frames(board("a", up)), "a").is_empty()
    assert transfer_from(frames(), "a").is_empty()


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=10, max_size=20), st.randoms())
@settings(max_examples=25, deadline=None)
def test_names_and_monotone_scales_change_nothing(points: list[tuple[int, int]], random) -> None:  # noqa: ANN001
    left, right = (np.array(side) / 10 for side in zip(*points, strict=True))
    names = random.sample(range(len(points)), len(points))
    plain = board("a", left.tolist()) + board("b", right.tolist())
    renamed = [
        row | {"model_id": f"n{names[int(str(row['model_id'])[1:])]}", "score": row["score"] ** 2} for row in plain
    ]
    assert transfer_among(frames(plain), ["a", "b"]).equals(transfer_among(frames(renamed), ["a", "b"]))
