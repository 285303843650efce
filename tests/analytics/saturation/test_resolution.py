"""Which of the top five can be told apart."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from scipy import stats

from benchhealth.analytics.record.by_item.clusters import clusters_of
from benchhealth.analytics.saturation.resolution import (
    RESOLUTION_CLUSTERED,
    RESOLUTION_PAIRED,
    best_and_tenth,
    top_pairs,
)
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.units.rank_sets import joint_critical_value
from tests.analytics.saturation.test_headroom import AS_OF, indicator
from tests.support.clustered_items import item_test
from tests.support.frames import benchmark, evidence_of, frames, result, with_items


def test_pairs_apart_by_hand() -> None:
    # errors of 1 point: a difference must exceed 1.96 * sqrt(2) = 2.77 points; of 90 89 88 87 86 the pairs
    # 90-87, 90-86 and 89-86 do
    rows = [result("a", f"m{s}", s / 100, std_error=0.01) for s in (90, 89, 88, 87, 86, 50)]
    row = indicator(frames(rows), "resolution_top5")
    assert (row["value"], row["n"]) == (pytest.approx(0.3), 10)


def test_binomial_errors_where_none_is_reported() -> None:
    rows = [result("a", "m1", 0.9), result("a", "m2", 0.8)]
    assert indicator(frames(rows, [benchmark("a", n_items=1000)]), "resolution_top5")["value"] == 1
    assert indicator(frames(rows, [benchmark("a", n_items=50)]), "resolution_top5")["value"] == 0


def test_ten_equal_models_are_held_apart_on_one_board_of_twenty() -> None:
    scores = np.sort(0.5 + 0.01 * np.random.default_rng(33).standard_normal((4_000, 10)))[:, ::-1]
    board = pl.DataFrame(
        {
            "benchmark_id": np.repeat(np.arange(len(scores)), 10).astype(str),
            "place": np.tile(np.arange(1, 11), len(scores)),
            "score": scores.ravel(),
        }
    ).with_columns(error=0.01)
    over_error = best_and_tenth(board).select(pl.col("difference") / pl.col("error")).to_series().to_numpy()
    assert (over_error > joint_critical_value(10)).mean() == pytest.approx(0.05, abs=0.01)
    # as if two models had been asked for, six boards of ten would pass
    assert (over_error > Z95).mean() == pytest.approx(0.627, abs=0.02)


def test_the_best_against_the_tenth_is_counted_in_limits_of_ten_models() -> None:
    rows = [result("a", f"m{index}", 0.90 - index / 100, std_error=0.01) for index in range(12)]
    row = indicator(frames(rows), "spread_top10")
    assert row["value"] == pytest.approx(0.09 / (4.474 / np.sqrt(2) * 0.01 * np.sqrt(2)), abs=1e-3)


def test_settings_of_one_model_are_not_pairs() -> None:
    rows = [result("a", "m", 0.9, setting=str(i), n_items=100) for i in range(5)]
    assert indicator(frames(rows), "resolution_top5")["reason"] == "fewer than two models"


def test_without_errors_nothing_is_claimed() -> None:
    rows = [result("a", "m1", 0.9), result("a", "m2", 0.1, n_items=100)]
    assert indicator(frames(rows), "resolution_top5")["status"] == "insufficient"


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_ties_are_never_apart(score: float) -> None:
    rows = [result("a", f"m{i}", score, n_items=100) for i in range(5)]
    assert indicator(frames(rows), "resolution_top5")["value"] == 0


def test_a_reported_error_of_zero_is_not_believed() -> None:
    rows = [result("a", "m1", 0.900, std_error=0.0, n_items=100), result("a", "m2", 0.899, std_error=0.0, n_items=100)]
    assert indicator(frames(rows), "resolution_top5")["value"] == 0


def covered(benchmarks: int, models: int, spread: float, seed: int) -> tuple[float, float]:
    """How often the interval of a pair's difference holds the true one, and how often it is claimed the wrong way.

    Models answer 400 items; their true scores scatter by `spread` about 0.8.
    """
    rng = np.random.default_rng(seed)
    truth = np.clip(0.8 + spread * rng.standard_normal((benchmarks, models)), 0.01, 0.99)
    seen = rng.binomial(400, truth) / 400
    order = np.argsort(-seen, axis=1, kind="stable")
    table = pl.DataFrame(
        {
            "benchmark_id": np.repeat(np.arange(benchmarks), models),
            "place": np.tile(np.arange(1, models + 1), benchmarks),
            "score": np.take_along_axis(seen, order, axis=1).ravel(),
            "true": np.take_along_axis(truth, order, axis=1).ravel(),
        }
    ).with_columns(error=(pl.col("score") * (1 - pl.col("score")) / 400).sqrt())
    truths = table.select("benchmark_id", "place", "true")
    pairs = (
        top_pairs(table)
        .join(truths, on=["benchmark_id", "place"])
        .join(truths, left_on=["benchmark_id", "place_other"], right_on=["benchmark_id", "place"], suffix="_other")
    )
    shown, real = (pairs[name] - pairs[f"{name}_other"] for name in ("score", "true"))
    reach = Z95 * (pairs["error"] ** 2 + pairs["error_other"] ** 2).sqrt()
    wrong = pairs["differs"] & (real <= 0)
    return float(((shown - real).abs() <= reach).mean()), float(wrong.mean())  # type: ignore[arg-type]


def test_the_interval_of_a_difference_covers_the_true_one() -> None:
    share, wrong = covered(300, 5, 0.03, seed=1)
    assert share == pytest.approx(0.95, abs=0.02)
    assert wrong <= 0.025


@pytest.mark.soak
@pytest.mark.parametrize("models", [2, 5, 10, 40])
@pytest.mark.parametrize("spread", [0.0, 0.01, 0.03, 0.1])
def test_the_interval_of_a_difference_covers_within_two_points(models: int, spread: float) -> None:
    share, wrong = covered(5000, models, spread, seed=models)
    print(f"resolution, {models} models, spread {spread}: {share:.4f}, wrong way {wrong:.4f}")
    assert share >= 0.93
    if models <= 5:
        assert share == pytest.approx(0.95, abs=0.02)
    # Five picked from many stand closer together than chance has them: what holds of one pair holds of them the more.
    assert wrong <= 0.05 + 0.005


def test_pairs_that_answered_the_same_items_are_counted_apart_from_others() -> None:
    solved = {f"m{index}": np.arange(500) < hit for index, hit in enumerate((400, 390, 380, 370, 360))}
    rows = [result("a", name, float(one.mean()), n_items=500, source_row=name) for name, one in solved.items()]
    facts = with_items(frames(rows), {name: one.astype(float) for name, one in solved.items()})
    paired, unpaired = (indicator(facts, name) for name in ("resolution_top5_paired", "resolution_top5"))
    assert (paired["value"], paired["n"]) == (1, 10) and "item by item" in paired["reason"]
    assert unpaired["value"] < 0.5
    some = with_items(frames(rows), {name: one.astype(float) for name, one in list(solved.items())[:4]})
    assert indicator(some, "resolution_top5_paired")["status"] == "insufficient"


def test_over_other_subjects_fewer_pairs_of_the_top_five_can_be_told_apart() -> None:
    """The best leads by what it does in two of ten subjects alone."""
    subject = np.repeat(np.arange(10), 50)
    leads = np.where(subject < 2, 40, 0)
    solved = np.stack([np.arange(500) % 50 < low + leads * (low == 9) for low in (9, 8, 6, 4, 2)]).astype(float)
    rows = [result("a", f"m{index}", float(one.mean()), source_row=f"m{index}") for index, one in enumerate(solved)]
    facts = with_items(
        frames(rows, [benchmark("a", n_items=500)]), {f"m{index}": one for index, one in enumerate(solved)}
    )
    evidence = evidence_of(facts, AS_OF)
    paired, nothing = RESOLUTION_PAIRED.compute(evidence), RESOLUTION_CLUSTERED.compute(evidence)
    by_clusters = replace(evidence, item_clusters=clusters_of([item_test(facts, solved, subject)]))
    (over,) = RESOLUTION_CLUSTERED.compute(by_clusters).to_dicts()
    by_subject = solved.reshape(5, 10, 50).mean(axis=2)
    beyond = [bool(abs(stats.ttest_1samp(by_subject[0] - by_subject[index], 0).pvalue) < 0.05) for index in range(1, 5)]
    assert (paired["value"][0], nothing["status"][0]) == (1.0, "insufficient")
    assert sum(beyond) < 4 and (over["value"], over["n"]) == (0.6 + sum(beyond) / 10, 10)
    assert over["numbers"] == [6 + sum(beyond), 10]
