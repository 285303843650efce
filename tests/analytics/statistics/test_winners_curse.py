"""The winner's curse: Morris's estimate by hand, and what it does at the edges."""

import numpy as np
import polars as pl
import pytest

from benchhealth.analytics.statistics.winners_curse import winners


def board(scores: list[float], error: float | None = 1.0) -> pl.DataFrame:
    ordered = sorted(scores, reverse=True)
    return pl.DataFrame(
        {
            "benchmark_id": "a",
            "place": range(1, len(scores) + 1),
            "score": ordered,
            "merit": ordered,
            "error": pl.Series([error] * len(scores), dtype=pl.Float64),
        }
    )


def test_by_hand() -> None:
    near = winners(board([15.0, 13.0, 12.0, 11.0, 10.0])).row(0, named=True)
    scores = np.array([15.0, 13.0, 12.0, 11.0, 10.0])
    # B = (k-3)/(k-1) * (k-1) V / S
    pull = 2 / 4 * 4 / ((scores - scores.mean()) ** 2).sum()
    away = 15 - scores.mean()
    half = 1.959964 * np.sqrt(1 - 4 / 5 * pull + 2 / 2 * (pull * away) ** 2)
    assert near["shrunk"] == pytest.approx(15 - pull * away)
    assert near["shrunk_low"] == pytest.approx(15 - pull * away - half, abs=1e-5)


def test_contenders_are_those_that_noise_could_have_put_first() -> None:
    # 9 lies 6 below 15, beyond 4 * sqrt(2) = 5.66
    assert winners(board([15.0, 13.0, 12.0, 11.0, 9.0]))["k"].item() == 4


def test_equal_scores_stay_and_far_ones_do_not_pull() -> None:
    assert winners(board([5.0] * 8))["shrunk"].item() == 5.0
    assert winners(board([100.0, 50.0, 40.0, 30.0, 20.0]))["k"].item() == 1


def test_the_rival_is_the_best_other_contender() -> None:
    assert winners(board([5.0, 4.0, 4.0]))["rival"].item() == 4.0
    assert winners(board([5.0, 5.0]))["rival"].item() == 5.0
    assert winners(board([100.0, 50.0]))["rival"].item() is None
    assert winners(board([5.0, 4.0, 4.0]))["shrunk"].item() is None


def test_unknown_error_of_the_best_says_nothing() -> None:
    assert winners(board([5.0, 4.0], error=None)).height == 0
