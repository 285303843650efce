"""Shares and their intervals: published examples, coverage where rows come in clusters, and the extremes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.statistics.units.clustered_share import clustered_share, wilson
from tests.support.soaking import examples


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_published_examples(hits: int, n: int, low: float, high: float) -> None:
    # Newcombe (1998), Statistics in Medicine 17, table I, method 3.
    assert wilson(hits / n, n) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_rows_of_one_cluster_that_go_together_count_as_one() -> None:
    hits = np.repeat([1, 0, 1, 0], 50)
    alone = clustered_share(hits, np.arange(hits.size))
    together = clustered_share(hits, np.repeat(np.arange(4), 50))
    assert alone[0] == together[0] == 0.5
    assert alone[1:] == pytest.approx(wilson(0.5, hits.size), abs=0.002)
    assert together[2] - together[1] > 4 * (alone[2] - alone[1])


def test_interval_covers_where_clusters_differ() -> None:
    rng = np.random.default_rng(2)
    covered, runs = 0, 600
    cluster = np.repeat(np.arange(40), 8)
    for _ in range(runs):
        share = np.repeat(rng.beta(2, 3, 40), 8)
        _, low, high = clustered_share(rng.random(share.size) < share, cluster)
        covered += low <= 0.4 <= high
    assert covered / runs == pytest.approx(0.95, abs=0.025)


def test_all_alike_are_as_many_as_there_are_clusters() -> None:
    assert clustered_share([1] * 30, [1] * 10 + [2] * 20) == (1.0, *wilson(1.0, 2))
    with pytest.raises(ValueError, match="no rows"):
        clustered_share([], [])


@examples(20, soak=40)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=1, max_size=40))
def test_is_a_share_within_its_interval_and_names_do_not_matter(rows: list[tuple[bool, int]]) -> None:
    hits, names = [row[0] for row in rows], [row[1] for row in rows]
    share, low, high = clustered_share(hits, names)
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1
    renamed = clustered_share(hits[::-1], [f"cluster {7 - name}" for name in names[::-1]])
    assert renamed == pytest.approx((share, low, high))
