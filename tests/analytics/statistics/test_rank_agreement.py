import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from benchhealth.analytics.statistics.rank_agreement import BLOCK, kendall_tau, rank_biased_overlap, turnover

SCORES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=25)
RANKING = st.lists(st.sampled_from("abcdefghijkl"), unique=True, min_size=1, max_size=12)


def in_order(names: str) -> dict[str, int]:
    return {name: rank for rank, name in enumerate(names, start=1)}


@given(SCORES)
@settings(deadline=None)
def test_tau_is_scipys_and_in_range(pairs: list[tuple[int, int]]) -> None:
    left, right = zip(*pairs, strict=True)
    tau = kendall_tau(left, right)
    if len(set(left)) == 1 or len(set(right)) == 1:
        assert tau is None
    else:
        assert tau == pytest.approx(stats.kendalltau(left, right).statistic)
        assert tau is not None and -1 <= tau <= 1


def test_tau_of_long_lists_is_scipys() -> None:
    rng = np.random.default_rng(7)
    left = rng.integers(0, 300, 2 * BLOCK + 11)
    right = left + rng.integers(-90, 90, left.size)
    assert kendall_tau(left, right) == pytest.approx(stats.kendalltau(left, right).statistic, abs=1e-12)


@given(SCORES, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_tau_depends_on_pairs_alone_and_on_order_alone(pairs: list[tuple[int, int]], random: object) -> None:
    shuffled = pairs.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    left, right = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    left_shuffled, right_shuffled = zip(*shuffled, strict=True)
    tau = kendall_tau(left, right)
    assert tau == pytest.approx(kendall_tau(left_shuffled, right_shuffled))
    assert tau == pytest.approx(kendall_tau(np.exp(left), 3 * right - 7))
    assert tau == pytest.approx(kendall_tau(right, left))


def test_tau_is_undefined_without_an_order_to_compare() -> None:
    assert kendall_tau([], []) is None
    assert kendall_tau([1], [2]) is None
    assert kendall_tau([1, 1, 1], [1, 2, 3]) is None
    assert kendall_tau([1, math.nan], [1, 2]) is None
    assert kendall_tau([1, 2], [5, 9]) == 1
    assert kendall_tau([1, 1, 2], [4, 4, 9]) == pytest.approx(1)
    with pytest.raises(ValueError, match="one length"):
        kendall_tau([1, 2], [1])


def test_overlap_of_the_worked_examples() -> None:
    # README of b4ny4n/rankmeasures: RBO_EXT of these two lists at p = 0.9
    assert rank_biased_overlap(in_order("abcde"), in_order("bcdae"), p=0.9) == pytest.approx(0.828, abs=0.0005)
    # Webber, Moffat, Zobel (2010), table of the lists abcdefg and zcavwxy: agreement 0, 0, 2/3, 2/4, 2/5, 2/6, 2/7
    agreement = [0, 0, 2 / 3, 2 / 4, 2 / 5, 2 / 6, 2 / 7]
    for depth in range(1, 8):
        expected = 0.1 / 0.9 * sum(a * 0.9**d for d, a in enumerate(agreement[:depth], start=1))
        expected += agreement[depth - 1] * 0.9**depth
        assert rank_biased_overlap(in_order("abcdefg"), in_order("zcavwxy"), depth=depth) == pytest.approx(expected)


def test_overlap_takes_ties_in_together() -> None:
    tied = {"a": 1, "b": 1, "c": 3}
    # depth 1: {a, b} against {a}: 2 * 1 / 3; depth 2: {a, b} against {a, b}: 1; depth 3: 1
    expected = 0.1 / 0.9 * (2 / 3 * 0.9 + 0.9**2 + 0.9**3) + 0.9**3
    assert rank_biased_overlap(tied, in_order("abc")) == pytest.approx(expected)
    assert rank_biased_overlap(tied, in_order("bac")) == pytest.approx(expected)
    assert rank_biased_overlap(tied, tied) == pytest.approx(1)


@given(RANKING, RANKING, st.floats(0.05, 0.99))
@settings(deadline=None)
def test_overlap_is_symmetric_in_range_and_blind_to_names(left: list[str], right: list[str], p: float) -> None:
    first, second = in_order("".join(left)), in_order("".join(right))
    overlap = rank_biased_overlap(first, second, p=p)
    assert overlap is not None and 0 <= overlap <= 1
    assert overlap == pytest.approx(rank_biased_overlap(second, first, p=p))
    relabelled = [{name.upper() * 2: rank for name, rank in ranking.items()} for ranking in (first, second)]
    assert overlap == rank_biased_overlap(*relabelled, p=p)
    assert rank_biased_overlap(first, first, p=p) == pytest.approx(1)
    if not first.keys() & second.keys():
        assert overlap == 0


@given(st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=3, max_size=8), st.data())
@settings(deadline=None)
def test_a_swap_weighs_more_the_higher_it_is(names: list[str], data: st.DataObject) -> None:
    high = data.draw(st.integers(0, len(names) - 3))

    def swapped(position: int) -> dict[str, int]:
        return in_order("".join([*names[:position], names[position + 1], names[position], *names[position + 2 :]]))

    upper = rank_biased_overlap(in_order("".join(names)), swapped(high))
    lower = rank_biased_overlap(in_order("".join(names)), swapped(high + 1))
    assert upper is not None and lower is not None and upper < lower


def test_overlap_refuses_what_it_is_not_defined_for() -> None:
    assert rank_biased_overlap({}, in_order("a")) is None
    for p in (0.0, 1.0):
        with pytest.raises(ValueError, match="between 0 and 1"):
            rank_biased_overlap(in_order("a"), in_order("a"), p=p)
    with pytest.raises(ValueError, match="start at 1"):
        rank_biased_overlap({"a": 0}, {"a": 1})


def test_turnover_is_the_share_of_the_earlier_that_left() -> None:
    assert turnover(set("abcd"), set("abxyz")) == 0.5
    assert turnover(set("ab"), set("ab")) == 0
    assert turnover(set(), set("ab")) is None


def test_no_warning_on_small_tied_lists() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kendall_tau([1, 2, 2], [3, 1, 1]) == pytest.approx(-1)
