"""Lives that end together: an independent implementation, a jackknife, and coverage where families are one."""

import numpy as np
import pandas as pd
import pytest

from benchhealth.analytics.statistics.survival.aalen_johansen import aalen_johansen
from benchhealth.analytics.statistics.survival.clusters import (
    at_risk_matrix,
    between,
    ending_matrix,
    on_log_alive,
    on_share_ended,
)
from benchhealth.analytics.statistics.survival.cox import FEWEST_CLUSTERS, Lives, NoFitError, cox, score_residuals
from benchhealth.analytics.statistics.survival.kaplan_meier import half_life, kaplan_meier

Numbers = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def families(rng: np.random.Generator, n: int, size: int, trait: float = 0.0) -> tuple[Lives, Numbers]:
    """`n` families of `size` lives of one fate: a median of 60 months, late entry, censoring; and the trait of each."""
    x = rng.integers(0, 2, n).astype(float)
    frailty = rng.exponential(size=n) * np.exp(-trait * x)
    cluster = np.repeat(np.arange(n), size)
    life = 60 * np.repeat(frailty, size) / np.log(2) * rng.uniform(0.9, 1.1, n * size)
    entry = rng.choice([0.0, 1.0], size=n * size) * rng.uniform(0, 20, n * size)
    censored = entry + rng.uniform(20, 160, n * size)
    seen = life > entry
    lives = Lives(
        entry[seen], np.minimum(life, censored)[seen], (life <= censored)[seen], x[cluster][seen, None], cluster[seen]
    )
    return lives, x


def weighted(entry: Numbers, end: Numbers, died: Numbers, weight: Numbers, times: Numbers) -> Numbers:
    """Kaplan and Meier's curve of weighted lives at these times."""
    at_risk = ((entry[None, :] < times[:, None]) & (times[:, None] <= end[None, :])) @ weight
    deaths = (died[None, :] & (times[:, None] == end[None, :])) @ weight
    return np.cumprod(1 - deaths / at_risk)


def test_what_a_life_adds_is_the_slope_by_its_weight() -> None:
    lives, _ = families(np.random.default_rng(1), 12, 2)
    times = np.unique(lives.end[lives.died])[:-1]
    added = on_log_alive(at_risk_matrix(lives.entry, lives.end, times), ending_matrix(lives.end, lives.died, times))
    for index in range(4):
        step = np.eye(lives.end.size)[index] * 1e-6
        near, far = (
            np.log(weighted(lives.entry, lives.end, lives.died, np.ones(lives.end.size) + side * step, times))
            for side in (-1, 1)
        )
        assert added[:, index] == pytest.approx((far - near) / 2e-6, abs=1e-5)


def test_without_late_entry_lives_by_themselves_have_greenwoods_variance() -> None:
    lives, _ = families(np.random.default_rng(2), 60, 1)
    entry = np.zeros(lives.end.size)
    times = np.unique(lives.end[lives.died])[:-1]
    at_risk, dies = at_risk_matrix(entry, lives.end, times), ending_matrix(lives.end, lives.died, times)
    n, d = at_risk.sum(axis=1), dies.sum(axis=1)
    alone = np.arange(lives.end.size)
    variance = between(on_log_alive(at_risk, dies), alone) * (alone.size - 1) / alone.size
    assert variance == pytest.approx(np.cumsum(d / (n * (n - d))), rel=1e-9)


def test_a_single_end_adds_to_the_share_ended_what_it_takes_from_the_living() -> None:
    lives, _ = families(np.random.default_rng(3), 20, 2)
    times = np.unique(lives.end[lives.died])[:-1]
    at_risk, dies = at_risk_matrix(lives.entry, lives.end, times), ending_matrix(lives.end, lives.died, times)
    alive = np.cumprod(1 - dies.sum(axis=1) / at_risk.sum(axis=1))
    expected = -alive[:, None] * on_log_alive(at_risk, dies)
    assert on_share_ended(at_risk, dies, dies) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_equals_lifelines_in_clusters(seed: int) -> None:
    from lifelines import CoxPHFitter

    drawn, _ = families(np.random.default_rng(seed), 30, 3, trait=0.7)
    lives = Lives(np.zeros(drawn.end.size), drawn.end, drawn.died, drawn.x, drawn.cluster)
    rows = pd.DataFrame({"end": lives.end, "died": lives.died, "x": lives.x[:, 0], "family": lives.cluster})
    theirs = CoxPHFitter().fit(rows, "end", "died", cluster_col="family")  # with late entry its residuals are wrong
    number = rows["family"].nunique()
    expected = theirs.standard_errors_.iloc[0] * np.sqrt(number / (number - 1))
    for same in (lives, halved(lives)):
        (ours,) = cox(same)
        assert np.log(ours.ratio) == pytest.approx(theirs.params_.iloc[0], abs=1e-4)
        assert ours.error == pytest.approx(expected, rel=1e-4)


def halved(lives: Lives) -> Lives:
    """Each life as two of its cluster, the second watched from the middle on: nothing else is known by it."""
    assert lives.cluster is not None
    middle = (lives.entry + lives.end) / 2
    return Lives(
        np.r_[lives.entry, middle],
        np.r_[middle, lives.end],
        np.r_[np.zeros(lives.end.size, dtype=bool), lives.died],
        np.r_[lives.x, lives.x],
        np.r_[lives.cluster, lives.cluster],
    )


def test_residuals_add_up_to_the_slope_with_ties_too() -> None:
    lives, _ = families(np.random.default_rng(5), 25, 2)
    tied = Lives(np.floor(lives.entry), np.ceil(lives.end / 6) * 6, lives.died, lives.x, lives.cluster)
    (effect,) = cox(tied)
    assert score_residuals(tied, np.log([effect.ratio])).sum(axis=0) == pytest.approx([0.0], abs=1e-4)


def test_clusters_widen_and_never_narrow() -> None:
    lives, _ = families(np.random.default_rng(6), 40, 3, trait=0.5)
    alone = Lives(lives.entry, lives.end, lives.died, lives.x)
    (wide,), (narrow,) = cox(lives), cox(alone)
    assert wide.ratio == pytest.approx(narrow.ratio)
    assert (wide.low or 0) < (narrow.low or 0) < (narrow.high or 9) < (wide.high or 9)
    assert wide.p_value > narrow.p_value and wide.error > narrow.error
    plain, clustered = (kaplan_meier(lives.entry, lives.end, lives.died, of) for of in (None, lives.cluster))
    assert plain["share"].equals(clustered["share"])
    inside = plain["share"].is_between(0.01, 0.99)
    assert (clustered["low"] <= plain["low"] + 1e-12).filter(inside).all()
    assert (clustered["high"] >= plain["high"] - 1e-12).filter(inside).all()
    ends = lives.died.astype(np.int64)
    shares, wider = (aalen_johansen(lives.entry, lives.end, ends, (1,), of) for of in (None, lives.cluster))
    assert shares["share"].equals(wider["share"])
    has_interval = shares["low"].is_not_null()
    assert (wider["low"] <= shares["low"] + 1e-12).filter(has_interval).all()


def test_a_trait_of_nobody_at_risk_has_no_ratio() -> None:
    """The one that has it was last seen before anybody died: nothing is known of its risk."""
    end = np.arange(1.0, 12.0)
    trait = np.zeros((11, 1))
    trait[0] = 1.0
    died = np.r_[False, np.ones(10, dtype=bool)]
    lives = Lives(np.zeros(11), np.r_[0.5, end[1:]], died, trait)
    with pytest.raises(NoFitError, match="none_died_or_constant"):
        cox(lives)


def test_too_few_families_have_no_ratio() -> None:
    rng = np.random.default_rng(7)
    drawn, _ = families(rng, FEWEST_CLUSTERS - 1, 12)
    traits = rng.integers(0, 2, (drawn.end.size, 1)).astype(float)
    lives = Lives(drawn.entry, drawn.end, drawn.died, traits, drawn.cluster)
    with pytest.raises(NoFitError, match="few_families"):
        cox(lives)


def covered(runs: int, n: int, size: int, *, clustered: bool) -> tuple[float, float]:
    """How often the interval of a ratio of 1, and that of the median of 60 months, hold it."""
    rng = np.random.default_rng(20261125)
    ratios, medians = [], []
    for _ in range(runs):
        lives, _ = families(rng, n, size)
        of = lives.cluster if clustered else None
        try:
            (effect,) = cox(Lives(lives.entry, lives.end, lives.died, lives.x, of))
        except NoFitError:
            continue
        ratios.append((effect.low or 0.0) <= 1.0 <= (effect.high or np.inf))
        half = half_life(kaplan_meier(lives.entry, lives.end, lives.died, of))
        medians.append((half.low or np.inf) <= 60 < (half.high or np.inf))
    return float(np.mean(ratios)), float(np.mean(medians))


def test_intervals_by_families_cover_and_those_of_lives_do_not_thin() -> None:
    by_family, by_life = covered(60, 30, 3, clustered=True), covered(60, 30, 3, clustered=False)
    assert min(by_family) >= 0.85
    assert max(by_life) <= 0.9


@pytest.mark.soak
@pytest.mark.parametrize(("n", "size"), [(15, 1), (30, 3), (60, 2)])
def test_intervals_by_families_cover_within_three_points(n: int, size: int) -> None:
    runs = 2_000
    ratio, median = covered(runs, n, size, clustered=True)
    alone = covered(500, n, size, clustered=False)
    line = f"ratio {ratio:.3f}, half-life {median:.3f} (Monte Carlo error {2 * (0.0475 / runs) ** 0.5:.3f})"
    print(f"clusters {n} x {size}: {line}; as single lives {alone}")
    assert ratio >= 0.92 and median >= 0.92
