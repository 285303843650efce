"""Survival of benchmarks: published worked examples, an independent implementation, and coverage of known truth."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.aging.lives import LIFE, OVERALL
from benchhealth.analytics.aging.survival import NAIVE, survival
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.survival.kaplan_meier import half_life, kaplan_meier
from tests.support.soaking import examples

# Freireich et al. (1963): weeks of remission under 6-MP and placebo, table 1.1 of Kleinbaum, Klein, Survival Analysis
TREATED = [6, 6, 6, 7, 10, 13, 16, 22, 23, 6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
TREATED_DIED = [True] * 9 + [False] * 12
PLACEBO = [1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23]


def curve(entry: list[float], end: list[float], died: list[bool]) -> pl.DataFrame:
    return kaplan_meier(np.array(entry, dtype=float), np.array(end, dtype=float), np.array(died))


def test_leukaemia_remissions_as_the_textbook_prints_them() -> None:
    steps = curve([0] * 21, TREATED, TREATED_DIED).filter(pl.col("events") > 0)
    assert steps["months"].to_list() == [6, 7, 10, 13, 16, 22, 23]
    assert steps["at_risk"].to_list() == [21, 17, 15, 12, 11, 7, 6]
    assert steps["share"].round(4).to_list() == [0.8571, 0.8067, 0.7529, 0.6902, 0.6275, 0.5378, 0.4482]
    # the band that Stata's `sts list` prints for the same data
    assert steps["low"][0] == pytest.approx(0.6197, abs=1e-4)
    assert steps["high"][0] == pytest.approx(0.9516, abs=1e-4)
    assert steps["low"][6] == pytest.approx(0.1881, abs=1e-4)
    assert steps["high"][6] == pytest.approx(0.6801, abs=1e-4)


def test_medians_of_both_arms() -> None:
    assert half_life(curve([0] * 21, TREATED, TREATED_DIED)).months == 23
    placebo = half_life(curve([0] * 21, PLACEBO, [True] * 21))
    assert (placebo.months, placebo.low, placebo.high) == (8, 4, 11)


LIVES = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 60), st.booleans()).map(lambda it: (it[0], it[0] + it[1], it[2])),
    min_size=3,
    max_size=40,
)


@pytest.mark.parametrize("seed", range(10))
def test_equals_lifelines_with_late_entry(seed: int) -> None:
    from lifelines import KaplanMeierFitter

    entry, end, died = simulated(np.random.default_rng(seed), 60)
    ours = kaplan_meier(entry, end, died)
    assert ours["months"][0] == 0
    theirs = KaplanMeierFitter().fit(end, died, entry=entry)
    band = theirs.confidence_interval_
    for row in ours.filter(pl.col("events") > 0, pl.col("share") > 0).iter_rows(named=True):
        assert row["share"] == pytest.approx(float(theirs.predict(row["months"])), abs=1e-9)
        assert row["low"] == pytest.approx(float(band["KM_estimate_lower_0.95"].asof(row["months"])), abs=1e-9)
        assert row["high"] == pytest.approx(float(band["KM_estimate_upper_0.95"].asof(row["months"])), abs=1e-9)


@examples(20, soak=60)
@given(LIVES)
def test_curves_fall_within_their_bands_and_do_not_depend_on_order(rows: list[tuple[int, int, bool]]) -> None:
    entry, end, died = (list(column) for column in zip(*rows, strict=True))
    steps = curve(entry, end, died)
    assert steps["share"].is_between(0, 1).all()
    assert (steps["share"].diff().drop_nulls() <= 1e-12).all()
    assert (steps["low"] <= steps["share"] + 1e-12).all()
    assert (steps["share"] <= steps["high"] + 1e-12).all()
    assert (steps["events"] <= steps["at_risk"]).all()
    assert steps.equals(curve(entry[::-1], end[::-1], died[::-1]))


def test_edges_of_curves() -> None:
    assert half_life(curve([0] * 3, [5, 6, 7], [False] * 3)) == (None, None, None)
    assert curve([0], [5], [True])["share"].to_list() == [1.0, 0.0]
    late = curve([0, 10, 10, 10], [3, 20, 21, 22], [True, True, False, False])
    assert late["months"].to_list() == [10, 20, 22]  # one alone at risk in month 3 does not decide the curve
    with pytest.raises(ValueError, match="entry < end"):
        curve([4], [4], [True])


def simulated(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weibull lives with a median of 60 months, seen from a random month on, censored at another."""
    life = 60 * (rng.exponential(size=n) / np.log(2)) ** (1 / 1.5)
    entry = rng.choice([0.0, 1.0], size=n) * rng.uniform(0, 40, n)
    censored = entry + rng.uniform(5, 120, n)
    seen = life > entry
    return entry[seen], np.minimum(life, censored)[seen], (life <= censored)[seen]


def coverage(runs: int, n: int) -> tuple[float, float, float]:
    """How often the half-life's interval and the band at its true month cover, and the mean share there."""
    rng = np.random.default_rng(20260601)
    of_median, of_share, shares = 0, 0, []
    for _ in range(runs):
        estimate = kaplan_meier(*simulated(rng, n))
        median = half_life(estimate)
        of_median += (median.low or np.inf) <= 60 < (median.high or np.inf)
        low, share, high = estimate.filter(pl.col("months") <= 60).tail(1).select("low", "share", "high").row(0)
        of_share += low <= 0.5 <= high
        shares.append(share)
    return of_median / runs, of_share / runs, float(np.mean(shares))


def test_intervals_cover_known_half_lives_thin() -> None:
    of_median, of_share, mean = coverage(300, 80)
    assert 0.915 <= of_median <= 0.98
    assert 0.915 <= of_share <= 0.98
    assert mean == pytest.approx(0.5, abs=0.02)


@pytest.mark.soak
def test_intervals_cover_known_half_lives_within_two_points() -> None:
    of_median, of_share, mean = coverage(4_000, 80)
    print(f"survival: half-life {of_median:.4f}, share {of_share:.4f}, mean share {mean:.4f}")
    assert of_median == pytest.approx(0.95, abs=0.02)
    assert of_share == pytest.approx(0.95, abs=0.02)
    assert mean == pytest.approx(0.5, abs=0.01)


def test_ignoring_censoring_and_late_entry_shortens_life() -> None:
    rng = np.random.default_rng(4)
    entry, end, died = simulated(rng, 400)
    life = pl.DataFrame(
        {
            "benchmark_id": [str(i) for i in range(end.size)],
            "family": [str(i) for i in range(end.size)],
            "entry": entry,
            "exit": end,
            "died": died,
            "abandoned": [False] * end.size,
            "cohorts": [[OVERALL]] * end.size,
        }
    )
    table = survival(life)
    assert table.schema == PUBLISHED["survival"]
    right, naive = (half_life(table.filter(cohort=name)).months for name in (OVERALL, NAIVE))
    assert right is not None
    assert naive is not None
    assert naive < right
    assert right == pytest.approx(60, abs=10)


def test_no_lives_no_curves() -> None:
    nobody = pl.DataFrame(schema=LIFE)
    assert survival(nobody).schema == PUBLISHED["survival"]
    assert survival(nobody).is_empty()
