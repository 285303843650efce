"""Gini coefficient and Herfindahl-Hirschman index: published numbers, known distributions, and entries by year."""

import math
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from benchhealth.analytics.goodhart.concentration import by_chance, concentration, gini, herfindahl
from tests.analytics.goodhart.measure_inputs import inputs, measure_rows
from tests.support.frames import result
from tests.support.reason_sentences import reason
from tests.support.soaking import examples

INCOMES = (541, 1463, 2445, 3438, 4437, 5401, 6392, 8304, 11904, 22261)
SIZES = st.lists(st.integers(0, 1_000), min_size=1, max_size=40).filter(lambda sizes: sum(sizes) > 0)


def test_gini_of_the_example_that_the_r_packages_share() -> None:
    # ineq and DescTools document this vector: .4620911 as it stands, times 10 / 9 without bias.
    assert gini(INCOMES)[0] == pytest.approx(0.4620911 * 10 / 9, abs=1e-6)


def test_herfindahl_of_the_departments_own_example() -> None:
    # Four firms with 30, 30, 20 and 20 percent: 2,600 points of 10,000 (U.S. Department of Justice).
    assert herfindahl([30, 30, 20, 20])[0] == pytest.approx(0.26)


@pytest.mark.parametrize(
    ("name", "truth"),
    [("exponential", 0.5), ("uniform", 1 / 3), ("lognormal", float(special.erf(0.25)))],
)
def test_intervals_of_the_gini_cover_known_distributions(name: str, truth: float) -> None:
    rng = np.random.default_rng(4)
    shape = (400, 200)
    drawn = {
        "exponential": rng.exponential(size=shape),
        "uniform": rng.uniform(size=shape),
        "lognormal": rng.lognormal(0, 0.5, size=shape),
    }[name]
    ends = [gini(row)[1:] for row in drawn]
    assert np.mean([low <= truth <= high for low, high in ends]) == pytest.approx(0.95, abs=0.03)


def test_interval_of_the_herfindahl_index_covers() -> None:
    rng = np.random.default_rng(9)
    n = 100
    truth = 4 / 3 / n  # of uniform sizes: their mean square over the square of their mean, over n
    ends = [herfindahl(row)[1:] for row in rng.uniform(size=(800, n))]
    assert np.mean([low <= truth <= high for low, high in ends]) == pytest.approx(0.95, abs=0.03)


@pytest.mark.parametrize(("benchmarks", "entries"), [(300, 400), (200, 1_000), (30, 3_000)])
def test_what_chance_alone_gives_is_the_mean_of_entries_thrown_at_random(benchmarks: int, entries: int) -> None:
    rng = np.random.default_rng(5)
    thrown = [np.bincount(rng.integers(benchmarks, size=entries), minlength=benchmarks) for _ in range(300)]
    met = [sizes[sizes > 0] for sizes in thrown]
    for name, index in (("gini", gini), ("hhi", herfindahl)):
        assert np.mean([by_chance(name, sizes) for sizes in met]) == pytest.approx(
            np.mean([index(sizes)[0] for sizes in met]), rel=0.02
        )


def test_extremes() -> None:
    assert gini([7]) == (0.0, 0.0, 0.0)
    assert gini([5, 5, 5])[0] == pytest.approx(0.0)
    assert gini([0, 0, 0, 9])[0] == pytest.approx(1.0)
    assert herfindahl([7]) == (1.0, 1.0, 1.0)
    assert herfindahl([5, 5, 5, 5])[0] == pytest.approx(0.25)
    for wrong in ([], [0, 0], [-1, 2], [math.nan]):
        with pytest.raises(ValueError, match="sizes"):
            gini(wrong)
        with pytest.raises(ValueError, match="sizes"):
            herfindahl(wrong)


@examples(20, soak=40)
@given(SIZES, st.integers(1, 50), st.randoms())
def test_between_none_and_all_whatever_order_and_unit(sizes: list[int], factor: int, deal: object) -> None:
    for index, least in ((gini, 0.0), (herfindahl, 1 / len(sizes))):
        value, low, high = index(sizes)
        assert least - 1e-9 <= value <= 1 + 1e-9
        assert low <= value + 1e-9
        assert value <= high + 1e-9
        dealt = list(sizes)
        deal.shuffle(dealt)  # type: ignore[attr-defined]
        assert index([factor * size for size in dealt])[0] == pytest.approx(value)


def test_counts_entries_by_year_and_leaves_out_what_only_a_snapshot_dates() -> None:
    day = date(2025, 3, 1)
    rows = [result(f"b{index}", "one", 0.5, dated_on=day) for index in range(25)]
    rows += [result("b0", f"m{index}", 0.5, dated_on=day) for index in range(75)]
    rows += [result("b1", f"late{index}", 0.5, dated_on=day, date_basis="snapshot") for index in range(500)]
    rows += [result("b2", f"early{index}", 0.5, dated_on=date(2024, 5, 1)) for index in range(6)]
    models = [{"model_id": f"m{index}", "organisation": "Google"} for index in range(75)]
    rows_of = {(row.measure, row.year): row for row in measure_rows(concentration, inputs(rows, models=models))}
    this = rows_of["gini_of_benchmarks", 2025]
    assert this.n == 25
    assert reason(this) == "100 entries, most on b0 (76%)"
    assert this.value == pytest.approx(gini([76] + [1] * 24)[0])
    assert rows_of["hhi_of_benchmarks", 2025].value == pytest.approx(0.76**2 + 24 * 0.01**2)
    assert rows_of["gini_of_benchmarks", 2024].status == "insufficient"
    one = rows_of["hhi_of_organisations", 2025]
    assert (one.status, one.n) == ("insufficient", 1)
    assert {row.status for row in measure_rows(concentration, inputs([]))} == {"insufficient"}
    compared_row = rows_of["sources_compared", None]
    assert (compared_row.value, compared_row.n, reason(compared_row)) == (1, 2, "2024 to 2025: lab")
