"""The first principal component's share: bounds, what moves it, and an independent way to the same number."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.statistics.summaries.principal_share import principal_share


@given(st.integers(0, 2**32 - 1), st.integers(3, 30), st.integers(2, 8))
def test_lies_between_an_equal_part_and_all_and_does_not_hang_on_units(seed: int, rows: int, columns: int) -> None:
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(rows, columns))
    share = principal_share(table)
    assert share is not None
    assert 1 / columns - 1e-9 <= share <= 1 + 1e-9
    assert principal_share(table * rng.uniform(0.5, 9, columns) + rng.normal(size=columns)) == pytest.approx(share)


def test_is_what_scikit_learn_finds() -> None:
    from sklearn.decomposition import PCA
    from sklearn.preprocessing import StandardScaler

    table = np.random.default_rng(1).normal(size=(40, 6)) @ np.random.default_rng(2).normal(size=(6, 6))
    theirs = PCA().fit(StandardScaler().fit_transform(table)).explained_variance_ratio_[0]
    assert principal_share(table) == pytest.approx(theirs)


def test_one_direction_is_all_of_it() -> None:
    ability = np.arange(10.0)
    assert principal_share(np.column_stack([ability, 3 * ability + 1, -ability])) == pytest.approx(1)


@pytest.mark.parametrize(
    "table", [[[1, 2], [3, 4]], [[1, 1], [1, 2], [1, 3]], [[1, 2], [3, np.nan], [5, 6]], [1, 2, 3], np.zeros((3, 0))]
)
def test_unknown_where_there_is_no_table(table: object) -> None:
    assert principal_share(np.asarray(table, dtype=float)) is None
