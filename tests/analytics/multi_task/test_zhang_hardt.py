"""The published measures over arrays: many boards as each alone, and ranks against scipy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from benchhealth.analytics.multi_task import zhang_hardt as published
from tests.support.soaking import examples

scores = arrays(np.float64, st.tuples(st.integers(2, 7), st.integers(1, 4)), elements=st.integers(0, 5).map(float))


def test_boards_searched_together_are_moved_as_each_alone() -> None:
    rng = np.random.default_rng(6)
    boards = [rng.integers(0, 9, size=size).astype(float) for size in ((31, 7), (10, 3), (58, 12), (20, 5))]
    boards.append(np.ones((12, 3)))
    rates = [published.win_rates(merit[np.argsort(-merit.mean(axis=1), kind="stable")]) for merit in boards]
    for (worst, who), alone in zip(published.irrelevant_models(rates), rates, strict=True):
        ((expected, company),) = published.irrelevant_models([alone])
        assert worst == pytest.approx(expected, abs=1e-12)
        assert who.tolist() == company.tolist()
    assert published.irrelevant_models([]) == []


@given(scores)
@examples(20, soak=50)
def test_ranks_and_their_changes_are_those_of_scipy(merit: published.Numbers) -> None:
    assert (published.average_ranks(merit) == stats.rankdata(-merit, axis=0)).all()
    old, new = (published.average_ranks(task) for task in (merit[:, 0], merit[:, -1]))
    changed = published.change(new, old)
    assert changed.shift == np.abs(new - old).max() / (len(merit) - 1)
    if np.ptp(new) and np.ptp(old):
        assert changed.distance == pytest.approx((1 - stats.kendalltau(new, old).statistic) / 2, abs=1e-12)
    else:
        assert changed.distance == (0.5 if (new != old).any() else 0)


def test_a_score_that_is_missing_ranks_below_all_others() -> None:
    ranks = published.average_ranks(np.array([[np.nan, 2.0], [3.0, np.nan], [3.0, 2.0]]))
    assert ranks[1:, 0].tolist() == [1.5, 1.5]
    assert ranks[[0, 2], 1].tolist() == [1.5, 1.5]
