"""Competing ends: printed examples, an independent implementation, known truth, and what must always add up."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.statistics.survival.aalen_johansen import aalen_johansen
from benchhealth.analytics.statistics.survival.kaplan_meier import kaplan_meier
from tests.support.soaking import examples

CAUSES = (1, 2)

# Scrucca, Santucci, Aversa (2007), Bone Marrow Transplantation 40: 35 patients, months to relapse (1), death in
# remission (2) or the last look (0).
MONTHS = [13, 1, 72, 7, 8, 67, 9, 5, 70, 4, 7, 68, 1, 10, 7, 3, 4, 4, 3, 3, 22, 8, 2, 0, 0, 35, 35, 4, 14, 26, 3, 2, 8]
MONTHS += [32, 12]
STATUS = [2, 1, 0, 2, 2, 0, 2, 2, 0, 0, 0, 0, 2, 2, 2, 1, 1, 1, 1, 1, 2, 1, 2, 2, 1, 0, 0, 2, 2, 2, 2, 0, 0, 0, 1]

# scikit-survival 0.28.0 on these: cumulative_incidence_competing_risks, conf_type log-log, var_type Dinse_Approx.
# month: share, low, high of relapse, the same of death in remission
PRINTED = {
    0: (0.028571, 0.002195, 0.126823, 0.028571, 0.002195, 0.126823),
    3: (0.145813, 0.053216, 0.282572, 0.115271, 0.036486, 0.244190),
    4: (0.204926, 0.090249, 0.351817, 0.144828, 0.052854, 0.280893),
    7: (0.204926, 0.090249, 0.351817, 0.237720, 0.111761, 0.389900),
    8: (0.237712, 0.111706, 0.389965, 0.270505, 0.134396, 0.426661),
    12: (0.272839, 0.135270, 0.430274, 0.340760, 0.184941, 0.503216),
    26: (0.272839, 0.135270, 0.430274, 0.481270, 0.299007, 0.642101),
}


def met(curve: pl.DataFrame, cause: int, months: float) -> dict[str, float]:
    rows = curve.filter(pl.col("cause") == cause, pl.col("months") <= months).sort("months")
    return rows.row(-1, named=True)


def test_marrow_transplants_as_another_package_prints_them() -> None:
    end = np.array(MONTHS) + 1.0  # two ended in month 0, and a life must be watched for some time
    curve = aalen_johansen(np.zeros(end.size), end, np.array(STATUS), CAUSES)
    for month, printed in PRINTED.items():
        ours = [met(curve, cause, month + 1)[name] for cause in CAUSES for name in ("share", "low", "high")]
        assert ours == pytest.approx(printed, abs=1e-6)


def test_deaths_of_breast_cancer_as_a_paper_works_them_out() -> None:
    """Satagopan et al. (2004), Br J Cancer 91, table 2: nine of 305 patients, 1 is death of the cancer, 2 another."""
    end = np.array([7.0, 10, 14, 16, 18, 23, 24, 26, 27, *[99.0] * 296])
    cause = np.array([0, 1, 0, 1, 2, 1, 0, 2, 1, *[0] * 296])
    curve = aalen_johansen(np.zeros(305), end, cause, CAUSES)
    cancer = curve.filter(pl.col("cause") == 1, pl.col("events") > 0)
    assert cancer["months"].to_list() == [10, 16, 23, 27]
    assert cancer["at_risk"].to_list() == [304, 302, 300, 297]
    assert (100 * cancer["share"].diff()).drop_nulls().round(1).to_list() == [0.3] * 3
    alive = [
        100 * (1 - met(curve, 1, month)["share"] - met(curve, 2, month)["share"]) for month in (10, 16, 18, 23, 26, 27)
    ]
    assert [round(share, 1) for share in alive] == [99.7, 99.3, 99.0, 98.7, 98.3, 98.0]


def simulated(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two exponential ends at rates .02 and .03 a month, seen from a random month on, censored at another."""
    ends = np.stack([rng.exponential(50, n), rng.exponential(100 / 3, n)])
    first = ends.min(axis=0)
    entry = rng.choice([0.0, 1.0], size=n) * rng.uniform(0, 15, n)
    censored = entry + rng.uniform(5, 120, n)
    seen = first > entry
    cause = np.where(first <= censored, 1 + ends.argmin(axis=0), 0)
    return entry[seen], np.minimum(first, censored)[seen], cause[seen]


@pytest.mark.parametrize("seed", range(4))
def test_equals_lifelines_with_late_entry(seed: int) -> None:
    from lifelines import AalenJohansenFitter

    entry, end, cause = simulated(np.random.default_rng(seed), 60)
    entry[:5] = 0.0  # several from the start, so that both curves start there
    ours = aalen_johansen(entry, end, cause, CAUSES)
    for one in CAUSES:
        theirs = AalenJohansenFitter().fit(end, cause, event_of_interest=one, entry=entry)
        shares, band = theirs.cumulative_density_.iloc[:, 0], theirs.confidence_interval_
        for row in ours.filter(pl.col("cause") == one, pl.col("events") > 0, pl.col("at_risk") > 1).iter_rows(
            named=True
        ):
            assert row["share"] == pytest.approx(float(shares.asof(row["months"])), abs=1e-9)
            ends = sorted(float(band[name].asof(row["months"])) for name in band.columns)
            assert [row["low"], row["high"]] == pytest.approx(ends, abs=1e-9)


def coverage(runs: int, n: int) -> tuple[float, float]:
    """How often the band at 40 months covers the true share that met the first end, and the mean share there."""
    rng = np.random.default_rng(20261122)
    truth = 0.4 * (1 - np.exp(-0.05 * 40))
    covered, shares = 0, []
    for _ in range(runs):
        row = met(aalen_johansen(*simulated(rng, n), CAUSES), 1, 40)
        covered += (row["low"] or 0.0) <= truth <= (row["high"] or 1.0)
        shares.append(row["share"] - truth)
    return covered / runs, float(np.mean(shares))


@pytest.mark.parametrize("runs", [200, pytest.param(3_000, marks=pytest.mark.soak)])
def test_the_band_covers_the_true_share(runs: int) -> None:
    covered, bias = coverage(runs, 120)
    print(f"cumulative incidence, {runs} runs: coverage {covered:.4f}, bias {bias:+.4f}")
    assert covered == pytest.approx(0.95, abs=0.02 + 1.5 * 0.22 / np.sqrt(runs))
    assert abs(bias) < 0.01 + 0.1 / np.sqrt(runs)


LIVES = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 60), st.integers(0, 2)).map(lambda it: (it[0], it[0] + it[1], it[2])),
    min_size=3,
    max_size=40,
)


@examples(20, soak=60)
@given(LIVES)
def test_the_ends_and_the_living_add_up_whatever_the_order(rows: list[tuple[int, int, int]]) -> None:
    entry, end, cause = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    incidence = aalen_johansen(entry, end, cause.astype(int), CAUSES)
    one, other = (incidence.filter(pl.col("cause") == each) for each in CAUSES)
    assert one["months"].to_list() == other["months"].to_list()
    either = kaplan_meier(entry, end, cause > 0)
    assert either["months"].to_list() == one["months"].to_list()
    assert (one["share"] + other["share"] + either["share"]).to_list() == pytest.approx([1.0] * one.height)
    for curve in (one, other):
        assert (curve["share"].diff().drop_nulls() >= 0).all()
        known_rows = curve.drop_nulls("low")
        assert (known_rows["low"] <= known_rows["share"] + 1e-12).all()
        assert (known_rows["share"] <= known_rows["high"] + 1e-12).all()
    # who is taken for censored could still end so: the naive share is never the smaller one
    naive = kaplan_meier(entry, end, cause == 1).with_columns(naive=1 - pl.col("share"))
    both = one.join(naive.select("months", "naive"), on="months", how="inner")
    assert (both["naive"] >= both["share"] - 1e-9).all()
    assert incidence.equals(aalen_johansen(entry[::-1], end[::-1], cause.astype(int)[::-1], CAUSES))


def test_edges() -> None:
    nobody = aalen_johansen(np.zeros(4), np.arange(1.0, 5.0), np.zeros(4, dtype=int), CAUSES)
    assert nobody["share"].to_list() == [0.0] * 4
    assert nobody["low"].null_count() == 4
    every = aalen_johansen(np.zeros(3), np.full(3, 7.0), np.ones(3, dtype=int), CAUSES)
    assert every.filter(pl.col("cause") == 1)["share"].to_list() == [0.0, 1.0]
    with pytest.raises(ValueError, match="entry < end"):
        aalen_johansen(np.ones(1), np.ones(1), np.ones(1, dtype=int), CAUSES)
    with pytest.raises(ValueError, match="no known cause"):
        aalen_johansen(np.zeros(1), np.ones(1), np.full(1, 3), CAUSES)
