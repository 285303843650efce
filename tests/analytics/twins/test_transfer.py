"""Orders carried from benchmark to benchmark: the published agreement of 24 tasks, and what order and scale change."""

from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.analytics.record.current import benchmark_facts, leaderboard, newest, ranked_results
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.twins import pairs
from benchhealth.analytics.twins.pairs import TRANSFER, agreements, matched_pairs, mean_agreement, transfers
from benchhealth.analytics.twins.tables import tables
from tests.support.frames import Row, benchmark, frames, result, twin_pair
from tests.support.upstream import needs_upstream, versions

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
    pairs = among(frames(rows))
    assert pairs.height == TASKS * (TASKS - 1) / 2
    assert pairs["n_models"].unique().to_list() == [61]
    assert mean_agreement(pairs) == pytest.approx(published, abs=0.005)


def among(facts: Frames) -> pl.DataFrame:
    return agreements(leaderboard(newest(ranked_results(facts, benchmark_facts(facts)))))


def board(name: str, scores: list[float]) -> list[Row]:
    return [result(name, f"m{index}", score) for index, score in enumerate(scores)]


def test_each_pair_once_with_enough_models_in_common() -> None:
    up = [index / 10 for index in range(10)]
    table = among(frames(board("origin", up) + board("same", up) + board("turned", up[::-1]) + board("short", up[:9])))
    assert table.schema == TRANSFER
    assert table.drop("low", "high").rows() == [
        ("origin", "same", 10, 1.0),
        ("origin", "turned", 10, -1.0),
        ("same", "turned", 10, -1.0),
    ]
    assert table["high"][0] == 1 and 0.9 < table["low"][0] < 0.97  # ten models of one order leave a swap open
    assert table["low"][1] == -1 and table["high"][1] == pytest.approx(-table["low"][0])


def test_lower_is_better_counts_as_better() -> None:
    up = [index / 10 for index in range(10)]
    facts = frames(board("a", up) + board("loss", up), [benchmark("a"), benchmark("loss", higher_is_better=False)])
    assert mean_agreement(among(facts)) == -1


def test_a_constant_side_has_no_order_and_nothing_in_common_no_row() -> None:
    up = [index / 10 for index in range(10)]
    constant = among(frames(board("a", up) + board("b", [1.0] * 10)))
    assert constant["kendall_tau"].to_list() == [None]
    assert mean_agreement(constant) is None
    assert among(frames(board("a", up))).is_empty()
    assert among(frames()).is_empty()


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=10, max_size=20), st.randoms())
@settings(max_examples=25, deadline=None)
def test_names_and_monotone_scales_change_nothing(points: list[tuple[int, int]], random) -> None:  # noqa: ANN001
    left, right = (np.array(side) / 10 for side in zip(*points, strict=True))
    names = random.sample(range(len(points)), len(points))
    plain = board("a", left.tolist()) + board("b", right.tolist())
    renamed = [
        row | {"model_id": f"n{names[int(str(row['model_id'])[1:])]}", "score": row["score"] ** 2} for row in plain
    ]
    assert among(frames(plain)).equals(among(frames(renamed)))


def test_curated_pairs_once_and_the_classics_with_everything() -> None:
    up = [index / 12 for index in range(12)]
    bent = [*up[6:], *up[:6]]
    names = ["a", "b", "imagenet", "raw"]
    rows = [row for name in names for row in board(name, bent if name == "b" else up)]
    rows += board("imagenet/top5", up) + board("cifar-10", up[:10]) + board("short", up[:3])
    few = [row | {"model_id": f"other-{row['model_id']}"} for row in rows if row["benchmark_id"] == "cifar-10"]
    facts = frames(
        [row for row in rows if row["benchmark_id"] != "cifar-10"] + few,
        [
            benchmark(name, curated=name not in ("raw", "short"))
            for name in [*names, "imagenet/top5", "cifar-10", "short"]
        ],
    )
    known_facts = benchmark_facts(facts)
    made = tables(matched_pairs(facts))
    table = transfers(
        leaderboard(newest(ranked_results(facts, known_facts))), known_facts, made.twin, made.twin_residual
    )
    assert table.schema == TRANSFER
    assert table.select("original_id", "other_id").rows() == [
        ("a", "b"),
        ("cifar-10", "imagenet"),
        ("imagenet", "a"),
        ("imagenet", "raw"),
        ("imagenet", "b"),
        ("imagenet", "cifar-10"),
    ]
    unknown = table.row(1, named=True)
    assert (unknown["n_models"], unknown["kendall_tau"], unknown["low"]) == (0, None, None)
    one = table.row(0, named=True)
    assert one["low"] < one["kendall_tau"] < one["high"]


def test_two_benchmarks_that_are_a_twin_have_its_rank_agreement() -> None:
    """A model that is listed by another source alone moves the order of today, but is no model of the twin."""
    up = [index / 20 for index in range(20)]
    rows = board("a", up) + board("b", [*up[1:], up[0]])
    rows += [result(name, "late", score, source_id="elsewhere") for name, score in (("a", 0.9), ("b", 0.1))]
    facts = frames(
        rows,
        [benchmark("a"), benchmark("b")],
        twin_pairs=[twin_pair("t", "b", "a", kind="fresh sample", source_id="lab")],
    )
    known_facts = benchmark_facts(facts)
    listed_now = leaderboard(newest(ranked_results(facts, known_facts)))
    made = tables(matched_pairs(facts))
    (own,) = made.twin.filter(scale="linear").select("n_models", "kendall_tau").rows()
    (row,) = transfers(listed_now, known_facts, made.twin, made.twin_residual).to_dicts()
    assert (row["original_id"], row["n_models"], row["kendall_tau"]) == ("b", *own)
    assert row["low"] < row["kendall_tau"] < row["high"]
    (apart,) = transfers(listed_now, known_facts, made.twin.clear(), made.twin_residual.clear()).to_dicts()
    assert apart["n_models"] == own[0] + 1


def interval_coverage(runs: int, models: int, correlation: float) -> float:
    """Share of intervals over the true tau, 2/pi arcsin of the correlation, of normal scores."""
    rng = np.random.default_rng(4)
    truth = 2 / np.pi * np.arcsin(correlation)
    inside = 0
    for _ in range(runs):
        left, noise = rng.standard_normal((2, models))
        ids = [f"m{index}" for index in range(models)]
        right = correlation * left + np.sqrt(1 - correlation**2) * noise
        rows = pl.DataFrame({"model_id": ids, "a": left, "b": right})
        low, high = pairs._table(rows, [("a", "b")], 10).select("low", "high").row(0)
        inside += low <= truth <= high
    return inside / runs


def test_intervals_of_tau_cover_the_truth() -> None:
    assert interval_coverage(400, 40, 0.7) == pytest.approx(0.95, abs=0.04)


@pytest.mark.soak
@pytest.mark.parametrize(("models", "correlation"), [(20, 0.0), (60, 0.5), (60, 0.9)])
def test_intervals_of_tau_cover_the_truth_at_length(models: int, correlation: float) -> None:
    covered = interval_coverage(5000, models, correlation)
    print(f"tau, {models} models, correlation {correlation}: {covered:.4f}")
    assert covered == pytest.approx(0.95, abs=0.02)
