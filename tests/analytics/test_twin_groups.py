"""Residuals by group, over time and by robustness: small cases by hand, and shrinkage that covers the truth."""

from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from analytics.tables import PUBLISHED
from analytics.twin_groups import AGE, GROUP, by_group, effective_robustness, gap_by_age, gap_over_time, shrink


def table(name: str, rows: list[dict[str, object]]) -> pl.DataFrame:
    return pl.DataFrame([{key: row.get(key) for key in PUBLISHED[name]} for row in rows], schema=PUBLISHED[name])


def residual(
    model_id: str, value: float | None = None, original: float = 50.0, other: float = 50.0
) -> dict[str, object]:
    return {"twin_id": "t", "model_id": model_id, "residual": value, "original": original, "other": other}


def test_a_group_of_few_is_drawn_to_the_common_mean_more_than_a_group_of_many() -> None:
    rng = np.random.default_rng(1)
    sizes = {"many": 40, "few": 2, "other": 40}
    offs = {"many": -4.0, "few": -4.0, "other": 4.0}
    models, residuals = [], []
    for group, size in sizes.items():
        noise = rng.standard_normal(size)
        for at in range(size):
            models.append({"model_id": f"{group}-{at}", "organisation": group})
            residuals.append(residual(f"{group}-{at}", offs[group] + float(noise[at] - noise.mean())))
    found = by_group(table("twin_residual", residuals), table("model", models), "organisation")
    assert found.schema == GROUP
    by_name = {row["group"]: row for row in found.iter_rows(named=True)}
    assert -4 < by_name["many"]["shrunk"] < by_name["few"]["shrunk"] < 0
    assert by_name["few"]["high"] - by_name["few"]["low"] > by_name["many"]["high"] - by_name["many"]["low"]
    families = by_group(table("twin_residual", residuals), table("model", models), "family")
    assert families["group"].sort().to_list() == sorted(sizes)


def test_unknown_groups_are_left_out_and_single_models_get_no_interval() -> None:
    models = [{"model_id": "a", "open_weights": True}, {"model_id": "b", "open_weights": False}, {"model_id": "c"}]
    rows = [residual("a", 1.0), residual("b", -1.0), residual("c", 9.0)]
    found = by_group(table("twin_residual", rows), table("model", models), "open_weights")
    assert found.select("group", "n", "mean", "low").rows() == [("false", 1, -1.0, None), ("true", 1, 1.0, None)]
    assert by_group(table("twin_residual", []), table("model", []), "organisation").schema == GROUP


@given(st.lists(st.tuples(st.floats(-10, 10), st.floats(0.1, 5)), min_size=2, max_size=12))
def test_shrunk_means_stay_between_their_own_and_the_rest(groups: list[tuple[float, float]]) -> None:
    means, errors = np.array(groups).T
    shrunk, error = shrink(means, errors)
    assert (shrunk >= means.min() - 1e-9).all() and (shrunk <= means.max() + 1e-9).all()
    assert np.isfinite(error).all()


def coverage(runs: int) -> float:
    rng = np.random.default_rng(6)
    inside = []
    for _ in range(runs):
        truth = rng.normal(0, 2, 25)
        errors = rng.uniform(0.5, 3, 25)
        shrunk, error = shrink(truth + errors * rng.standard_normal(25), errors)
        inside.append((np.abs(shrunk - truth) <= 1.96 * error).mean())
    return float(np.mean(inside))


def test_intervals_of_shrunk_means_cover_the_truth() -> None:
    assert coverage(300) == pytest.approx(0.95, abs=0.03)


@pytest.mark.soak
def test_intervals_of_shrunk_means_cover_the_truth_at_length() -> None:
    assert coverage(10_000) == pytest.approx(0.95, abs=0.02)


def test_gap_by_age_and_over_time() -> None:
    models = [
        {"model_id": f"m{year}{at}", "released_on": date(2020 + year, 3, 1)} for year in range(3) for at in range(2)
    ]
    rows = [residual(f"m{year}{at}", None, 50 + 2 * year + at, 50) for year in range(3) for at in range(2)]
    ages = gap_by_age(table("twin_residual", rows), table("model", models), date(2021, 1, 1))
    assert ages.schema == AGE
    assert ages.select("years", "n", "gap").rows() == [(-1, 2, 0.5), (0, 2, 2.5), (1, 2, 4.5)]
    line = gap_over_time(table("twin_residual", rows), table("model", models))
    assert line is not None and line.slope == pytest.approx(2, abs=0.01)
    assert gap_over_time(table("twin_residual", rows), table("model", [])) is None
    assert gap_by_age(table("twin_residual", []), table("model", models), date(2021, 1, 1)).is_empty()


def test_effective_robustness_is_what_the_line_of_ordinary_models_does_not_give() -> None:
    scale = np.array([-0.5, 0.0, 0.5, 1.0, 0.4])
    original, other = stats.norm.cdf(scale), stats.norm.cdf(0.9 * scale - 0.3)
    other[4] += 0.05
    ordinary = np.array([True, True, True, True, False])
    found = effective_robustness(original, other, np.full((2, 5), np.nan), ordinary)
    assert found == pytest.approx([0, 0, 0, 0, 5], abs=1e-9)
    assert effective_robustness(original, other, np.full((2, 5), np.nan), np.zeros(5, dtype=bool)) is None
