"""Multi-task boards: the package's numbers on its own tables, exact answers against brute force, and invariances."""

from datetime import date
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from benchhealth.analytics.multi_task import zhang_hardt as published
from benchhealth.analytics.multi_task.boards import Board, multi_task_boards
from benchhealth.analytics.multi_task.stability import (
    first_by_mean,
    first_by_win_rate,
    kendall_diversity,
    stability,
)
from benchhealth.analytics.record.tables import PUBLISHED
from tests.support.frames import benchmark, frames, result
from tests.support.soaking import examples

scores = arrays(np.float64, st.tuples(st.integers(2, 7), st.integers(1, 4)), elements=st.integers(0, 5).map(float))


def test_a_task_with_two_metrics_counts_once_at_their_mean() -> None:
    merit = np.random.default_rng(5).random((12, 4))
    rows = [result(f"many/t{t}", f"m{m}", float(merit[m, t])) for t in range(3) for m in range(12)]
    rows += [result("many/t2/f1", f"m{m}", float(merit[m, 3])) for m in range(11)]
    (only,) = multi_task_boards(frames(rows))
    assert only.tasks == ["many/t0", "many/t1", "many/t2"]
    place = [int(name[1:]) for name in only.models]
    assert only.merit[:, :2] == pytest.approx(merit[place, :2])
    both = np.array([*merit[:11, 2:].mean(axis=1), np.nan])
    assert only.merit[:, 2] == pytest.approx(both[place], nan_ok=True)


def test_corrected_w_is_that_of_friedmans_test() -> None:
    merit = np.random.default_rng(4).integers(0, 4, size=(12, 5)).astype(float)
    by_chi = stats.friedmanchisquare(*merit).statistic / (5 * 11)
    assert kendall_diversity(merit) == pytest.approx(1 - by_chi, abs=1e-12)


def test_without_ties_both_diversities_are_one_number() -> None:
    merit = np.random.default_rng(4).permuted(np.tile(np.arange(9.0), (4, 1)), axis=1).T
    assert kendall_diversity(merit) == pytest.approx(published.diversity(merit)[0], abs=1e-12)


def test_ties_alone_do_not_make_tasks_differ() -> None:
    merit = np.repeat([[3.0], [3.0], [1.0], [1.0]], 3, axis=1)
    assert kendall_diversity(merit) == 0
    assert published.diversity(merit)[0] == pytest.approx(0.2)  # 1 - 36 / (9 * 60 / 12), half ranks cut
    assert kendall_diversity(np.ones((4, 3))) is None


def test_gaps_are_filled_as_scikit_learn_does() -> None:
    from sklearn.impute import KNNImputer

    rng = np.random.default_rng(7)
    merit = rng.normal(size=(30, 6))
    merit[rng.random(merit.shape) < 0.4] = np.nan
    expected = KNNImputer(n_neighbors=5).fit_transform(merit)
    assert published.filled(merit) == pytest.approx(expected, abs=1e-10)


def test_win_rates_count_only_shared_tasks_and_strict_wins() -> None:
    merit = np.array([[3.0, 1.0, np.nan], [2.0, 1.0, 5.0], [np.nan, np.nan, 4.0]])
    assert published.win_rates(merit).tolist() == [[0, 0.5, 0], [0, 0, 1], [0, 0, 0]]


def board(merit: published.Numbers) -> Board:
    models, tasks = ([f"{letter}{i}" for i in range(size)] for letter, size in zip("mt", merit.shape, strict=True))
    return Board("lab/many", models, tasks, merit, np.ones(len(merit), dtype=bool))


@given(scores)
@examples(20, soak=60)
def test_fewest_models_left_out_is_what_trying_all_choices_finds(merit: published.Numbers) -> None:
    rates = published.win_rates(merit)
    first = int(rates.mean(axis=1).argmax())
    others = [index for index in range(len(merit)) if index != first]
    passed: dict[int, int] = {}
    for size in range(len(others)):
        for out in combinations(others, size):
            present = [index for index in range(len(merit)) if index not in out]
            for index in set(present) - {first}:
                if rates[index, present].sum() > rates[first, present].sum() + 1e-8:
                    passed.setdefault(index, size)
    sensitivity = first_by_win_rate(board(merit))
    assert sensitivity.first == f"m{first}"
    assert sensitivity.flips == len(passed)
    assert (len(sensitivity.left_out) if sensitivity.challenger else None) == (min(passed.values()) if passed else None)


@given(scores)
@examples(20, soak=60)
def test_fewest_tasks_left_out_is_what_trying_all_choices_finds(merit: published.Numbers) -> None:
    first = int(merit.mean(axis=1).argmax())
    tasks = range(merit.shape[1])
    sizes = [
        merit.shape[1] - size
        for size in range(1, merit.shape[1] + 1)
        for chosen in combinations(tasks, size)
        if (merit[:, chosen].sum(axis=1) > merit[first, chosen].sum() + 1e-8).any()
    ]
    sensitivity = first_by_mean(board(merit))
    assert sensitivity is not None
    assert (len(sensitivity.left_out) if sensitivity.challenger else None) == (min(sizes) if sizes else None)


def test_the_models_to_leave_out_are_named() -> None:
    merit = np.array([[9.0, 1.0, 1.0], [8.0, 9.0, 0.0], [1.0, 0.0, 9.0]])
    by_task = first_by_mean(board(merit))
    assert by_task is not None
    assert (by_task.challenger, by_task.first, by_task.left_out) == ("m0", "m1", ["t1"])
    alone = first_by_win_rate(board(np.array([[2.0, 2.0], [1.0, 1.0]])))
    assert alone == ("m0", 0, None, [])


@given(scores, st.randoms(use_true_random=False))
@examples(20, soak=50)
def test_order_of_rows_and_monotone_scales_leave_rank_measures_alone(merit: published.Numbers, random) -> None:  # noqa: ANN001
    assume(len(merit) > 2 and merit.shape[1] > 1)
    order = list(range(len(merit)))
    random.shuffle(order)
    assert kendall_diversity(merit[order]) == pytest.approx(kendall_diversity(merit), abs=1e-9)
    assert published.diversity(np.exp(merit)) == published.diversity(merit)
    assert (published.win_rates(np.exp(merit)) == published.win_rates(merit)).all()
    first = first_by_win_rate(board(merit))
    assert first_by_win_rate(board(np.exp(merit)))[:2] == first[:2]


@pytest.mark.parametrize("constant", [0.0, 1.0])
def test_a_board_of_equal_scores_has_no_diversity_and_no_flip(constant: float) -> None:
    rows = [result(f"many/t{t}", f"m{m}", constant) for t in range(3) for m in range(12)]
    only = stability(frames(rows)).row(0, named=True)
    assert (only["n_models"], only["n_tasks"], only["flips"]) == (12, 3, 0)
    assert only["ordinal_sensitivity"] == 0
    assert only["cardinal_sensitivity"] is None


def test_boards_of_parts_are_measured_and_all_else_is_not() -> None:
    merit = np.random.default_rng(1).random((12, 4))
    rows = [result(f"many/t{t}", f"m{m}", float(merit[m, t])) for t in range(4) for m in range(12)]
    rows += [result("whole", f"m{m}", 0.5) for m in range(12)]
    rows += [result(f"two/t{t}", f"m{m}", 0.1 * m) for t in range(2) for m in range(6)]
    rows += [result(f"few/t{t}", f"m{m}", 0.1 * m) for t in range(3) for m in range(4)]
    rows += [result("many/cost", f"m{m}", 40.0 * m) for m in range(12)]
    listed = [benchmark(name) for name in sorted({str(row["benchmark_id"]) for row in rows} - {"many/cost"})]
    table = stability(frames(rows, [*listed, benchmark("many/cost", unit="dollars", higher_is_better=False)]))
    assert table.schema == PUBLISHED["stability"]
    only = table.row(0, named=True)
    assert table["board_id"].to_list() == ["lab/many"]
    assert (only["n_models"], only["n_tasks"]) == (12, 4)
    assert only["diversity"] == pytest.approx(published.diversity(merit)[0])
    assert only["cardinal_sensitivity"] == pytest.approx(published.task_weights(merit)[0].distance)


def test_a_board_is_of_the_newest_version_that_has_the_task() -> None:
    merit = np.random.default_rng(8).random((6, 4))
    rows = [result(f"many/t{t}", f"m{m}", float(merit[m, t])) for t in range(3) for m in range(6)]
    rows.append(result("many/t3", "m0", 0.5))
    later = date(2026, 2, 1)
    newer = [result(f"many/t{t}", f"m{m}", float(merit[m, 3]), observed_on=later) for t in (1, 2) for m in range(5)]
    unusable = [result("many/t1", f"m{m}", np.nan, observed_on=date(2026, 3, 1)) for m in range(6)]
    (only,) = multi_task_boards(frames(rows + newer + unusable))
    assert only.tasks == ["many/t0", "many/t1", "many/t2"]
    place = [int(name[1:]) for name in only.models]
    expected = np.column_stack([merit[:, 0], *[[*merit[:5, 3], np.nan]] * 2])[place]
    assert only.merit == pytest.approx(expected, nan_ok=True)


@given(arrays(np.float64, (6, 3), elements=st.sampled_from([0.25, 0.5, 0.75])), st.permutations(range(6)))
@settings(max_examples=25, deadline=None)
def test_names_of_models_do_not_order_a_board(merit: published.Numbers, names: list[int]) -> None:
    plain, renamed = (
        multi_task_boards(frames([result(f"many/t{t}", f"m{to[m]}", merit[m, t]) for t in range(3) for m in range(6)]))
        for to in (range(6), names)
    )
    assert (plain[0].merit == renamed[0].merit).all()


def test_lower_is_better_turns_a_task_round() -> None:
    merit = np.random.default_rng(2).random((12, 3))
    rows = [result(f"many/t{t}", f"m{m}", float(merit[m, t])) for t in range(3) for m in range(12)]
    turned = [row | {"score": 1 - row["score"]} for row in rows]
    lower = [benchmark(f"many/t{t}", higher_is_better=False) for t in range(3)]
    ours, theirs = stability(frames(rows)).row(0), stability(frames(turned, lower)).row(0)
    assert ours == pytest.approx(theirs, abs=1e-9)


def test_a_board_with_gaps_has_no_mean_to_weigh() -> None:
    merit = np.random.default_rng(3).random((12, 4))
    rows = [result(f"many/t{t}", f"m{m}", float(merit[m, t])) for t in range(4) for m in range(12) if (m + t) % 4]
    only = stability(frames(rows)).row(0, named=True)
    assert only["n_models"] == 12
    assert only["cardinal_sensitivity"] is None
    assert only["ordinal_sensitivity"] is not None


def test_nothing_known_is_an_empty_table() -> None:
    assert stability(frames()).equals(stability(frames([result("whole", "m", 0.5)])))
    assert stability(frames()).schema == PUBLISHED["stability"]
