"""Residuals by group, over time and by robustness: small cases by hand, and shrinkage that covers the truth."""

from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.twins.pairs import Pairs
from benchhealth.analytics.twins.residuals import effective_robustness, groups, robustness, shrink
from benchhealth.analytics.twins.uncertainty import ages, dated_gaps, gap_over_time


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
        for index in range(size):
            models.append({"model_id": f"{group}-{index}", "organisation": group})
            residuals.append(residual(f"{group}-{index}", offs[group] + float(noise[index] - noise.mean())))
    group_table = groups(table("twin_residual", residuals), table("model", models), {})
    assert group_table.schema == PUBLISHED["twin_group"]
    by_name = {
        row["group"]: row for row in group_table.filter(pl.col("grouping") == "organisation").iter_rows(named=True)
    }
    assert -4 < by_name["many"]["shrunk"] < by_name["few"]["shrunk"] < 0
    assert by_name["few"]["high"] - by_name["few"]["low"] > by_name["many"]["high"] - by_name["many"]["low"]
    assert group_table.filter(pl.col("grouping") == "family")["group"].sort().to_list() == sorted(sizes)


def test_unknown_groups_are_left_out_and_single_models_get_no_interval() -> None:
    models = [
        {"model_id": "a", "open_weights": True},
        {"model_id": "lab/meta-llama-3", "open_weights": False},
        {"model_id": "1c"},
    ]
    rows = [residual("a", 1.0), residual("lab/meta-llama-3", -1.0), residual("1c", 9.0)]
    group_table = groups(table("twin_residual", rows), table("model", models), {})
    assert group_table.select("grouping", "group", "n_models", "mean_residual", "low").rows() == [
        ("family", "llama", 1, -1.0, None),
        ("family", "a", 1, 1.0, None),
        ("weights", "closed", 1, -1.0, None),
        ("weights", "open", 1, 1.0, None),
    ]
    assert groups(table("twin_residual", []), table("model", []), {}).schema == PUBLISHED["twin_group"]


def test_makers_that_differ_in_capitals_alone_are_one() -> None:
    models = [
        {"model_id": f"m{index}", "organisation": name} for index, name in enumerate(["Lab", "lab", "Lab", "Other"])
    ]
    group_table = groups(
        table("twin_residual", [residual(f"m{index}", float(index)) for index in range(4)]), table("model", models), {}
    )
    makers = group_table.filter(pl.col("grouping") == "organisation").sort("group")
    assert makers.select("group", "n_models").rows() == [("Lab", 3), ("Other", 1)]


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
    covered = coverage(10_000)
    print(f"shrunk group means: {covered:.4f}")
    assert covered == pytest.approx(0.95, abs=0.02)


def pairs(original: list[float], other: list[float], **more: object) -> Pairs:
    """Shares of 100 items a model, m0 first."""
    shares = [np.array(side, dtype=float) for side in (original, other)]
    size, names = np.full(len(original), 100.0), [f"m{index}" for index in range(len(original))]
    points = [100 * side for side in shares]
    errors = [100 * np.sqrt(side * (1 - side) / 100) for side in shares]
    return Pairs(names, *points, *errors, *shares, size, size, 1, True, **more)  # type: ignore[arg-type]


def test_gap_by_year_by_age_and_over_time() -> None:
    models = [
        {"model_id": f"m{2 * year + index}", "released_on": date(2020 + year, 3, 1)}
        for year in range(5)
        for index in range(2)
    ]
    both = pairs([0.50 + index / 100 for index in range(10)], [0.5] * 10)
    days = dated_gaps(both, table("model", models))
    group_table = ages(both, "fresh sample", days, date(2021, 1, 1))
    assert group_table.schema == {name: kind for name, kind in PUBLISHED["twin_age"].items() if name != "twin_id"}
    rows = group_table.with_columns(pl.col("gap").round(6)).select("clock", "at", "n_models", "gap").rows()
    assert rows[:3] == [("year", 2020, 2, 0.5), ("year", 2021, 2, 2.5), ("year", 2022, 2, 4.5)]
    assert rows[5:8] == [("age", -1, 2, 0.5), ("age", 0, 2, 2.5), ("age", 1, 2, 4.5)]
    alone = 12.706 * 0.5  # points: two models a half from their mean, Student's t of one degree of freedom
    items = 1.959964 * 100 * np.sqrt(0.5 / 100)  # and the two draws of a hundred items that those of every year met
    assert max(alone, items) < group_table["high"][0] - group_table["gap"][0] < np.hypot(alone, items)
    line = gap_over_time(days)
    assert line is not None and line.slope == pytest.approx(2, abs=0.01)
    assert ages(both, "fresh sample", days, None)["clock"].unique().to_list() == ["year"]
    assert ages(both, "fresh sample", days.head(2), None).is_empty()


def test_a_gap_over_time_needs_days_of_release_over_years() -> None:
    models = [{"model_id": f"m{index}", "released_on": date(2020 + index % 5, 3, 1)} for index in range(10)]
    seen = [date(2020 + index % 5, 6, 1) for index in range(10)]
    both = pairs([0.50 + index % 5 / 100 for index in range(10)], [0.5] * 10, dated_on=seen)
    assert gap_over_time(dated_gaps(both, table("model", models))) is not None
    assert gap_over_time(dated_gaps(both, table("model", []))) is None, "a day of listing is no date of a model"
    assert gap_over_time(dated_gaps(both, table("model", models[:9]))) is None
    three_years = [{**row, "released_on": date(2020 + index % 3, 3, 1)} for index, row in enumerate(models)]
    assert gap_over_time(dated_gaps(both, table("model", three_years))) is None


def test_a_model_without_a_release_has_the_day_on_which_it_was_first_seen_or_none() -> None:
    both = pairs([0.5, 0.6, 0.7], [0.5, 0.5, 0.5], dated_on=[date(2024, 1, 1), None, date(2025, 1, 1)])
    released = [{"model_id": "m2", "released_on": date(2023, 6, 1)}]
    assert dated_gaps(both, table("model", released))["day"].to_list() == [date(2024, 1, 1), date(2023, 6, 1)]
    one = pairs([0.5], [0.5])
    undated = dated_gaps(one, table("model", []))
    assert gap_over_time(undated) is None and ages(one, "fresh sample", undated, date(2020, 1, 1)).is_empty()


def test_robustness_is_published_for_shares_alone_and_at_the_ends_where_items_are_known() -> None:
    group_table = robustness("t", pairs([0.4, 0.5, 0.6, 1.0], [0.3, 0.4, 0.5, 0.9]))
    assert group_table.schema == PUBLISHED["twin_robustness"]
    assert group_table.height == 4 and (group_table["other"] - group_table["expected"]).to_list() == pytest.approx(
        group_table["robustness"]
    )
    assert robustness("t", pairs([0.4], [0.3])).is_empty()
    assert robustness("t", pairs([0.4, 0.5, 0.6], [0.3, 0.4, 0.5])._replace(bounded=False)).is_empty()


def test_effective_robustness_is_what_the_line_of_ordinary_models_does_not_give() -> None:
    scale = np.array([-0.5, 0.0, 0.5, 1.0, 0.4])
    original, other = stats.norm.cdf(scale), stats.norm.cdf(0.9 * scale - 0.3)
    other[4] += 0.05
    ordinary = np.array([True, True, True, True, False])
    robustness_of = effective_robustness(original, other, np.full((2, 5), np.nan), ordinary)
    assert robustness_of == pytest.approx([0, 0, 0, 0, 5], abs=1e-9)
    assert effective_robustness(original, other, np.full((2, 5), np.nan), np.zeros(5, dtype=bool)) is None


def test_the_items_that_all_met_widen_the_groups_where_the_originals_score_is_expected() -> None:
    models = [{"model_id": f"{group}-{index}", "open_weights": True} for group in "abc" for index in range(6)]
    rows = [residual(str(row["model_id"]), float(index % 5)) for index, row in enumerate(models)]
    alone, shared = (groups(table("twin_residual", rows), table("model", models), by) for by in ({}, {"t": 4.0}))
    assert alone["shrunk"].equals(shared["shrunk"])
    half = [(group_table["high"] - group_table["low"]).to_numpy() / 2 for group_table in (alone, shared)]
    assert half[1] == pytest.approx(np.hypot(half[0], 1.959964 * 2))
