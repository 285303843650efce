"""The difference of two scores against printed intervals, and what must always hold."""

from itertools import pairwise
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchhealth.analytics.difference.two_scores import (
    EQUAL,
    ERRORS_UNKNOWN,
    IF_SHARED,
    ON_THESE,
    REAL,
    WITHIN,
    ClusterEffect,
    Score,
    difference,
    paired,
)
from benchhealth.analytics.record.by_item.clusters import spread_between
from benchhealth.analytics.record.by_item.item_results import item_results
from benchhealth.analytics.statistics.errors import Z95
from tests.support.frames import frames, result, with_items

SHARES = st.floats(0, 1)
ITEMS = st.integers(1, 20_000)
CORRELATIONS = st.lists(st.floats(0, 0.99), max_size=3)


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [
        ((48, 80), (56, 70), 0.0524, 0.3339),
        ((3, 10), (9, 10), 0.1705, 0.8090),
        ((2, 7), (6, 7), 0.0582, 0.8062),
        ((0, 29), (5, 56), -0.0381, 0.1926),
        ((0, 20), (0, 10), -0.1611, 0.2775),
        ((0, 10), (10, 10), 0.6075, 1.0000),
    ],
)
def test_independent_scores_have_the_interval_that_newcombe_printed(
    first: tuple[int, int], second: tuple[int, int], low: float, high: float
) -> None:
    """Newcombe 1998, table II, method 10."""
    before, after = (Score(solved / items, items=items) for solved, items in (first, second))
    one = difference(before, after).intervals[0]
    assert (round(one.low, 4), round(one.high, 4)) == (low, high)


def test_the_two_scores_of_the_loudest_question_of_the_year() -> None:
    compared = difference(Score(0.712, items=12_032), Score(0.724, items=12_032), (0.39, 0.58))
    assert compared.case == REAL
    assert compared.value == pytest.approx(0.012)
    assert compared.settles == (4_537, 10_801)
    alone = compared.intervals[0]
    assert (alone.low, alone.high) == pytest.approx((0.0006, 0.0234), abs=5e-5)
    assert alone.chance == pytest.approx(0.0193, abs=5e-5)


def test_other_clusters_than_these_widen_the_interval_by_what_they_do_to_the_error() -> None:
    """Four times the variance is twice the error; with 11 degrees of freedom 2.201 in place of 1.960 (t table)."""
    scores = (Score(0.712, items=12_032), Score(0.724, items=12_032))
    compared = difference(*scores, effect=ClusterEffect(4.0, 11.0, 14))
    alone, over = compared.intervals
    assert (compared.case, alone.clusters, over.clusters, over.correlation) == (ON_THESE, None, 14, None)
    wider = 2 * 2.201 / 1.960
    assert compared.value - over.low == pytest.approx(wider * (compared.value - alone.low), rel=1e-3)
    assert over.high - compared.value == pytest.approx(wider * (alone.high - compared.value), rel=1e-3)
    assert alone.chance < over.chance < 0.5
    assert difference(*scores, effect=ClusterEffect(0.5, 200.0, 100)).case == REAL
    close = (Score(0.50, items=400), Score(0.56, items=400))
    assert difference(*close, effect=ClusterEffect(0.5, 200.0, 100)).case == IF_SHARED
    assert difference(*close, effect=ClusterEffect(4.0, 11.0, 14)).case == WITHIN


def test_two_models_over_clusters_are_as_a_paired_t_test_over_equal_ones() -> None:
    """Clusters of one size: their differences are as many numbers, with Student's t (scipy's test of them)."""
    rng = np.random.default_rng(7)
    shift = np.repeat(rng.normal(0.1, 0.25, 10), 40)
    first = (rng.random(400) < 0.5).astype(float)
    second = (rng.random(400) < np.clip(0.5 + shift, 0, 1)).astype(float)
    solved = {"m": first, "n": second}
    rows = [result("a", name, float(one.mean()), n_items=400, source_row=name) for name, one in solved.items()]
    items = item_results(with_items(frames(rows), solved, clusters=[f"{index // 40}" for index in range(400)]))
    spread = spread_between(items, items.rows)
    assert spread is not None and spread.clusters == 10 and spread.degrees == pytest.approx(9)
    over = paired(first, second, spread=spread).difference.intervals[1]
    by_cluster = (second - first).reshape(10, 40).mean(axis=1)
    low, high = stats.ttest_1samp(by_cluster, 0).confidence_interval()
    assert (over.low, over.high, over.clusters) == (pytest.approx(low, abs=1e-6), pytest.approx(high, abs=1e-6), 10)


def test_shared_errors_can_carry_what_independent_ones_do_not() -> None:
    sides = (Score(0.50, items=400), Score(0.56, items=400))
    assert difference(*sides).case == WITHIN
    assert difference(*sides, (0.58,)).case == IF_SHARED


def test_without_an_error_nothing_is_said_of_a_difference() -> None:
    compared = difference(Score(0.5), Score(0.6, items=100))
    assert (compared.case, compared.intervals, compared.settles) == (ERRORS_UNKNOWN, (), None)
    assert difference(Score(0.5), Score(0.5)).case == EQUAL


def test_standard_errors_join_by_squares_and_count_no_items() -> None:
    one = difference(Score(1_400.0, error=3.0), Score(1_410.0, error=4.0)).intervals[0]
    assert (one.low, one.high) == pytest.approx((10 - 1.959964 * 5, 10 + 1.959964 * 5))
    assert one.items is None


@pytest.mark.parametrize(("value", "items", "error"), [(1.2, 10, None), (0.5, 0, None), (0.5, None, 0.0)])
def test_what_is_no_score_is_refused(value: float, items: int | None, error: float | None) -> None:
    with pytest.raises(ValueError, match="expected"):
        Score(value, items=items, error=error)


def test_a_correlation_outside_its_range_is_refused() -> None:
    with pytest.raises(ValueError, match="correlations"):
        difference(Score(0.5, items=10), Score(0.6, items=10), (1.0,))


@given(SHARES, SHARES, ITEMS, ITEMS, CORRELATIONS)
def test_the_other_way_round_everything_is_mirrored(
    first: float, second: float, items: int, others: int, correlations: list[float]
) -> None:
    there = difference(Score(first, items=items), Score(second, items=others), correlations)
    back = difference(Score(second, items=others), Score(first, items=items), correlations)
    assert there.case == back.case
    for one, other in zip(there.intervals, back.intervals, strict=True):
        assert (one.low, one.high, one.chance) == pytest.approx((-other.high, -other.low, other.chance))
        assert one.items == other.items


@given(SHARES, SHARES, ITEMS, CORRELATIONS)
def test_intervals_hold_the_difference_and_errors_that_are_shared_more_do_not_widen_the_error(
    first: float, second: float, items: int, correlations: list[float]
) -> None:
    compared = difference(Score(first, items=items), Score(second, items=items), correlations)
    assert all(one.low <= compared.value + 1e-9 and compared.value - 1e-9 <= one.high for one in compared.intervals)
    assert all(one.chance <= 0.5 for one in compared.intervals)
    needed = [one.items for one in compared.intervals if one.items is not None]
    if first == 1 - second or first == second:  # equal errors: what they share falls out
        assert all(more <= fewer + max(1, 1e-9 * fewer) for fewer, more in pairwise(needed))  # but for rounding


def test_the_items_that_settle_it_end_the_interval_at_nothing() -> None:
    needed = difference(Score(0.712, items=500), Score(0.724, items=500)).intervals[0].items
    assert needed is not None
    then = difference(Score(0.712, items=needed), Score(0.724, items=needed)).intervals[0]
    assert then.low == pytest.approx(0.0, abs=2e-5)


def test_pairs_are_counted_and_their_chance_is_exact() -> None:
    first = np.array([1] * 20 + [1] * 3 + [0] * 12 + [0] * 5, dtype=np.float64)
    second = np.array([1] * 20 + [0] * 3 + [1] * 12 + [0] * 5, dtype=np.float64)
    pair = paired(first, second)
    assert (pair.items, pair.only_first, pair.only_second) == (40, 3, 12)
    assert pair.difference.value == pytest.approx(9 / 40)
    by_hand = sum(comb(15, heads) for heads in range(12, 16)) / 2**15
    assert pair.difference.intervals[0].chance == pytest.approx(by_hand)


def test_pairs_of_a_printed_survey_have_its_interval() -> None:
    """Agresti, Categorical Data Analysis, table 10.1: 1,600 asked twice, 944 and 880 in favour, 150 and 86 changed."""
    first = np.repeat([1.0, 1.0, 0.0, 0.0], [794, 150, 86, 570])
    second = np.repeat([1.0, 0.0, 1.0, 0.0], [794, 150, 86, 570])
    one = paired(first, second).difference.intervals[0]
    assert (one.low, one.high) == pytest.approx((-0.06, -0.02), abs=2e-3)


def test_graded_answers_have_no_exact_chance_and_pairs_need_an_item() -> None:
    graded = paired(np.array([0.5, 0.2, 0.9, 0.4]), np.array([0.6, 0.4, 0.8, 0.9]))
    assert 0 < graded.difference.intervals[0].chance < 0.5
    with pytest.raises(ValueError, match="no item"):
        paired(np.zeros(0), np.zeros(0))


def test_two_models_that_never_differ_are_equal() -> None:
    pair = paired(np.ones(5), np.ones(5))
    assert (pair.difference.case, pair.only_first, pair.only_second) == (EQUAL, 0, 0)
    assert pair.difference.intervals[0].chance == 1.0


def test_the_part_of_runs_is_what_runs_of_one_item_vary_by() -> None:
    """4,000 items that differ by .3 and five runs that differ by .4: (.16 + .16) / 5 of .18 + .064 is of runs."""
    rng = np.random.default_rng(7)
    merits = rng.normal(0.5, 0.3, (2, 4000))
    runs = rng.normal(merits[:, :, None], 0.4, (2, 4000, 5))
    variances = runs.var(axis=2, ddof=1) / 5
    answer = paired(*runs.mean(axis=2), run_variances=variances)
    assert answer.of_runs == pytest.approx(0.064 / 0.244, abs=0.02)
    assert answer.if_run_for_ever is not None
    low, high = answer.if_run_for_ever
    assert high - low == pytest.approx(2 * Z95 * np.sqrt(0.18 / 4000), rel=0.05)
    assert answer.difference == paired(*runs.mean(axis=2)).difference, "the spread over items holds the runs already"


def test_items_that_were_run_once_have_no_part_of_runs() -> None:
    once = np.array([[0.0, np.nan], [0.0, 0.1]])
    assert paired(np.array([1.0, 0.0]), np.array([0.0, 0.0]), run_variances=once).of_runs is None
