"""Headroom: worked by hand, in both directions, with an interval that covers what it claims to."""

from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.analytics.assess import assess
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.saturation.headroom import FRONTIER_SHRUNK, HEADROOM
from tests.support.frames import Row, benchmark, evidence_of, frames, result
from tests.support.reason_sentences import with_sentence
from tests.support.soaking import Soak

AS_OF = date(2026, 2, 1)


_LAST: list[tuple[Frames, pl.DataFrame]] = []
"""Of the facts that were asked about last the table: several indicators of the same facts are computed once."""


def observed(facts: Frames) -> pl.DataFrame:
    """The indicators that need no estimate, computed as an assessment computes them."""
    if not _LAST or _LAST[0][0] is not facts:
        steps = assess(facts, AS_OF, np.random.default_rng(0), tables=(), steps=("observed_indicator",)).steps
        _LAST[:] = [(facts, steps["observed_indicator"])]
    return _LAST[0][1]


def indicator(facts: Frames, name: str, benchmark_id: str = "a") -> Row:
    (row,) = with_sentence(observed(facts).filter(benchmark_id=benchmark_id, indicator=name)).to_dicts()
    return row


def test_imagenet_is_measured_against_its_label_errors() -> None:
    # 90.054 is timm's best of 2024-08-22; 0.9417 is 1 - 5.83% label errors, 0.001 one guess among 1,000 classes
    facts = frames(
        [result("a", "m", 0.90054, n_items=50_000)],
        [benchmark("a", ceiling=0.9417, ceiling_checked=50_000, floor=0.001, n_items=50_000)],
    )
    row = indicator(facts, "headroom")
    assert row["value"] == pytest.approx((0.9417 - 0.90054) / (0.9417 - 0.001))
    # 1.96 errors of the score (.00134) and of the audited share (.00105), times what each moves headroom by
    half = 1.96 * np.hypot(0.00134 / 0.9407, 0.00105 * 0.89954 / 0.9407**2)
    assert row["low"] == pytest.approx(row["value"] - half, abs=1e-4)
    assert row["high"] == pytest.approx(row["value"] + half, abs=1e-4)
    assert "the error of the best score and that of 50,000 items checked for label errors" in row["reason"]


def test_gpqa_at_36_percent_is_almost_all_headroom() -> None:
    facts = frames([result("a", "m", 0.36, n_items=198)], [benchmark("a", floor=0.25)])
    assert indicator(facts, "headroom")["value"] == pytest.approx(0.64 / 0.75)


def test_a_ceiling_that_was_passed_beyond_error_is_none() -> None:
    # CIFAR-10: 54 of 10,000 labels verified wrong, and a best score of 99.7%
    facts = [benchmark("a", ceiling=0.9946, ceiling_checked=10_000, floor=0.1, n_items=10_000)]
    row = indicator(frames([result("a", "m", 0.997, n_items=10_000)], facts), "headroom")
    assert row["value"] == pytest.approx(0.003 / 0.9)
    assert "lies above the audited one by more than its error" in row["reason"]
    # the audit's own error is .0007: a best that lies above it by less than the errors of both refutes nothing
    near = indicator(frames([result("a", "m", 0.9964, n_items=10_000)], facts), "headroom")
    assert near["value"] == pytest.approx(-0.0018 / 0.8946)
    few = [benchmark("a", ceiling=0.9946, ceiling_checked=200, floor=0.1, n_items=10_000)]
    assert indicator(frames([result("a", "m", 0.997, n_items=10_000)], few), "headroom")["value"] < 0
    within = indicator(frames([result("a", "m", 0.9950, n_items=10_000)], facts), "headroom")
    assert within["value"] == pytest.approx(-0.0004 / 0.8946)


COVERED = 4_000


def _coverage(random: np.random.Generator, n_checked: int, n_items: int, draws: int) -> float:
    """How often the interval of headroom holds the true one, of a best score and a ceiling that are both estimates."""
    top, best, floor = 0.95, 0.90, 0.25
    rows = [
        benchmark(
            f"b{index}",
            ceiling=1 - random.binomial(n_checked, 1 - top) / n_checked,
            ceiling_checked=n_checked,
            floor=floor,
            n_items=n_items,
        )
        for index in range(draws)
    ]
    scores = [result(row["benchmark_id"], "m", random.binomial(n_items, best) / n_items) for row in rows]
    table = HEADROOM.compute(evidence_of(frames(scores, rows), AS_OF))
    true = (top - best) / (top - floor)
    return float(((table["low"] <= true) & (table["high"] >= true)).mean())


@pytest.mark.parametrize("n_checked", [100, 1000])
def test_the_interval_of_headroom_covers_what_it_says_where_the_ceiling_is_an_estimate(n_checked: int) -> None:
    covered = _coverage(np.random.default_rng(33), n_checked, 2000, 400)
    assert covered >= 0.92  # 95% with a Monte Carlo error of 1.1 points; without the audit's error 49% and 83%


@pytest.mark.soak
def test_the_interval_of_headroom_covers_at_all_sizes_of_audits(soak: Soak) -> None:
    random = np.random.default_rng(soak.random.randrange(2**32))
    for n_checked in (100, 300, 1000, 5700):
        for n_items in (200, 2000, 14_042):
            covered = _coverage(random, n_checked, n_items, COVERED)
            soak.say(
                f"headroom with a ceiling of {n_checked} checked items, best of {n_items}: covered {covered:.3f} "
                f"(Monte Carlo error {np.sqrt(covered * (1 - covered) / COVERED):.3f})"
            )
            assert 0.92 <= covered <= 0.985


def test_a_human_line_of_few_people_and_items_widens_the_margin() -> None:
    def margin(**line: object) -> Row:
        row = benchmark("a", n_items=5000, human=0.9, **line)
        return indicator(frames([result("a", "m", 0.904, n_items=5000)], [row]), "human_margin")

    one, many, untold = margin(human_people=1, human_items=20), margin(human_people=5000, human_items=50_000), margin()
    # one person on 20 problems: .09 (.05 + .95 / 20), of which the root is .0937
    assert one["value"] - one["low"] == pytest.approx(1.96 * np.hypot(0.0937, 0.0042), abs=2e-3)
    assert many["value"] - many["low"] < 0.011 < untold["value"] - untold["low"] < one["value"] - one["low"]
    assert "(one person and 20 items); the interval holds the errors of both" in one["reason"]
    assert "(taken as 300 answers, 100 of each person, as no source says)" in untold["reason"]


def test_lower_is_better_counts_downwards() -> None:
    facts = frames(
        [result("a", "m", 0.02, n_items=1000)], [benchmark("a", higher_is_better=False, floor=1.0, ceiling=None)]
    )
    row = indicator(facts, "headroom")
    assert row["value"] == pytest.approx(0.02)
    assert 0 < row["low"] < 0.02 < row["high"]


def test_without_chance_there_is_only_the_bound() -> None:
    facts = frames([result("a", "m", 0.9)], [benchmark("a", floor=None)])
    assert indicator(facts, "headroom")["reason"] == "chance level unknown"
    bound = indicator(facts, "headroom_of_ceiling")
    assert bound["value"] == pytest.approx(0.1)
    assert bound["low"] is None
    assert "the standard error is unknown" in bound["reason"]


def test_an_open_scale_has_no_headroom() -> None:
    facts = frames([result("a", "m", 1300.0)], [benchmark("a", unit="rating", floor=None, ceiling=None)])
    assert indicator(facts, "headroom")["status"] == "not_applicable"


def test_an_open_unit_with_a_known_top_has_one() -> None:
    facts = frames([result("a", "m", 9.1, std_error=0.1)], [benchmark("a", unit="points", floor=1.0, ceiling=10.0)])
    assert indicator(facts, "headroom")["value"] == pytest.approx(0.1)


def test_a_score_above_the_ceiling_leaves_less_than_nothing() -> None:
    facts = frames([result("a", "m", 0.96)], [benchmark("a", ceiling=0.94)])
    assert indicator(facts, "headroom")["value"] < 0


def test_human_margin_and_the_day_it_was_passed() -> None:
    rows = [
        result("a", "m1", 0.80, n_items=8862, dated_on=date(2019, 1, 1)),
        result("a", "m2", 0.90, n_items=8862, dated_on=date(2019, 3, 20)),
    ]
    facts = frames(rows, [benchmark("a", human=0.86831)])
    assert indicator(facts, "human_margin")["value"] == pytest.approx(0.03169)
    assert "passed on 2019-03-20" in indicator(facts, "months_since_human_passed")["reason"]


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_at_0_and_1_the_interval_is_not_a_point(score: float) -> None:
    rows = [result("a", f"m{i}", score, n_items=50) for i in range(6)]
    row = indicator(frames(rows), "headroom")
    assert row["value"] == 1 - score
    assert row["high"] - row["low"] > 0.05


def simulated(benchmarks: int, models: int, spread: float, seed: int) -> tuple[pl.DataFrame, np.ndarray, np.ndarray]:
    """Headroom and shrunk best of benchmarks with 400 items whose models' true scores scatter by `spread` about 0.8.

    Returns the indicators with the true score of the model that looks best and the best true score.
    """
    rng = np.random.default_rng(seed)
    n = 400
    truth = np.clip(0.8 + spread * rng.standard_normal((benchmarks, models)), 0.01, 0.99)
    seen = rng.binomial(n, truth) / n
    rows = [
        result(f"b{b:04}", f"m{m:02}", float(seen[b, m]), n_items=n) for b in range(benchmarks) for m in range(models)
    ]
    evidence = evidence_of(frames(rows), AS_OF)
    wide = HEADROOM.compute(evidence).join(FRONTIER_SHRUNK.compute(evidence), on="benchmark_id", suffix="_shrunk")
    return wide.sort("benchmark_id"), truth[np.arange(benchmarks), seen.argmax(axis=1)], truth.max(axis=1)


def shares_covered(benchmarks: int, models: int, spread: float, seed: int) -> tuple[float, float]:
    """How often the interval holds the headroom left by the leading model's true score, and by the best true score."""
    wide, of_winner, best = simulated(benchmarks, models, spread, seed)
    low, high = wide["low"].to_numpy(), wide["high"].to_numpy()
    of_leader, of_best = (float(((low <= 1 - truth) & (1 - truth <= high)).mean()) for truth in (of_winner, best))
    return of_leader, of_best


def test_the_interval_covers_and_the_shrunk_best_overstates_less() -> None:
    for models, spread in ((10, 0.0), (20, 0.03)):
        assert shares_covered(300, models, spread, seed=1)[0] == pytest.approx(0.95, abs=0.02 + 0.025)
    wide, of_winner, _ = simulated(200, 10, 0.0, seed=3)
    error = np.sqrt(0.8 * 0.2 / 400)
    raw = (1 - wide["value"].to_numpy() - of_winner).mean() / error
    shrunk = (wide["value_shrunk"].to_numpy() - of_winner).mean() / error
    assert raw == pytest.approx(1.54, abs=0.15)  # the mean of the largest of ten standard normals
    assert abs(shrunk) < 0.5


@pytest.mark.soak
@pytest.mark.parametrize("models", [1, 2, 4, 10, 40])
@pytest.mark.parametrize("spread", [0.0, 0.01, 0.03, 0.1])
def test_the_interval_covers_within_two_points_across_conditions(models: int, spread: float) -> None:
    of_leader, of_best = shares_covered(5000, models, spread, seed=models)
    print(f"headroom, {models} models, spread {spread}: leader {of_leader:.4f}, best {of_best:.4f}")
    assert of_leader == pytest.approx(0.95, abs=0.02)
    # The best true score may be another model's, of which the leader's interval says less.
    assert of_best >= 0.93


@settings(max_examples=6, deadline=None)
@given(st.lists(st.integers(0, 100).map(lambda percent: percent / 100), min_size=1, max_size=12), st.integers(2, 5000))
def test_what_always_holds(values: list[float], n: int) -> None:
    rows = [result("a", f"m{i:02}", score, n_items=n) for i, score in enumerate(values)]
    row = indicator(frames(rows), "headroom")
    assert row["value"] == pytest.approx(1 - max(values))
    assert row["low"] - 1e-12 <= row["value"] <= row["high"] + 1e-12
