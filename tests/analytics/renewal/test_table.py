"""Live, refreshed, private and static side by side: what they are, what is measured, and intervals that hold."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.record.tables import PUBLISHED, empty
from benchhealth.analytics.renewal.kinds import KINDS, LIVE, PRIVATE, REFRESHED, STATIC, kind
from benchhealth.analytics.renewal.measures import AGREEMENT, CHURN, HEADROOM_LOST, MEASURES, REPORTED, measures
from benchhealth.analytics.renewal.table import static_dynamic
from tests.support.reason_sentences import with_sentence

AS_OF = date(2026, 1, 1)
OF_KIND = {LIVE: ("continuous", "live"), REFRESHED: ("annual", "public"), PRIVATE: ("static", "private")}


def facts(ages: dict[str, list[int]]) -> pl.DataFrame:
    """Curated benchmarks by kind, each so many months old."""
    rows = [
        {
            "benchmark_id": f"{of_kind}-{index}",
            "refresh": OF_KIND.get(of_kind, ("static", "public"))[0],
            "labels": OF_KIND.get(of_kind, ("static", "public"))[1],
            "released_on": AS_OF - timedelta(days=30 * months),
            "curated": True,
            "domain_group": "code",
            "sign": 1.0,
            "floor": 0.0,
            "ceiling": 1.0,
        }
        for of_kind, months_of in ages.items()
        for index, months in enumerate(months_of)
    ]
    return pl.DataFrame(rows)


def indicators(name: str, values: dict[str, float]) -> pl.DataFrame:
    rows = [{"benchmark_id": one, "indicator": name, "value": value, "status": "ok"} for one, value in values.items()]
    return pl.DataFrame(rows, schema=PUBLISHED["indicator"]) if rows else empty("indicator")


def side_by_side(about: pl.DataFrame, indicator: pl.DataFrame, **more: pl.DataFrame) -> pl.DataFrame:
    frontier, twin = more.get("frontier", empty("frontier")), more.get("twin", empty("twin"))
    return static_dynamic(
        about, indicator, frontier, twin, pl.DataFrame({"known_until": [AS_OF]}), np.random.default_rng(1)
    )


def cell(table: pl.DataFrame, measure: str, of_kind: str) -> dict[str, object]:
    return table.filter(pl.col("measure") == measure, pl.col("kind") == of_kind).row(0, named=True)


@pytest.mark.parametrize(
    ("refresh", "labels", "expected"),
    [
        ("continuous", "live", LIVE), ("rolling", "private", LIVE), (None, "live", LIVE),
        ("annual", "public", REFRESHED), ("versioned", "private", REFRESHED), ("versioned", None, REFRESHED),
        ("static", "private", PRIVATE), ("static", "hidden", PRIVATE),
        ("static", "public", STATIC), ("static", "mixed", STATIC),
        ("static", None, None), (None, "public", None), (None, None, None),
    ],
)  # fmt: skip
def test_kinds_come_from_the_registry(refresh: str | None, labels: str | None, expected: str | None) -> None:
    row = pl.DataFrame({"refresh": [refresh], "labels": [labels]}, schema={"refresh": pl.String, "labels": pl.String})
    assert row.select(kind()).item() == expected


def test_headroom_is_lost_at_the_pace_of_the_running_best() -> None:
    frontier = pl.DataFrame(
        [
            ("a", date(2022, 1, 1), 0.2), ("a", date(2024, 1, 1), 0.6),
            ("short", date(2025, 6, 1), 0.2), ("short", date(2025, 9, 1), 0.9),
            ("anew", date(2022, 1, 1), 0.8), ("anew", date(2024, 1, 1), 0.3),
        ],
        schema={"benchmark_id": pl.String, "dated_on": pl.Date, "score": pl.Float64}, orient="row",
    )  # fmt: skip
    about = pl.DataFrame({"benchmark_id": ["a", "short", "anew"], "sign": 1.0, "floor": 0.1, "ceiling": 0.9})
    rows = measures(about, empty("indicator"), frontier, empty("twin"))
    assert rows.rows() == [("a", HEADROOM_LOST, pytest.approx(0.4 / 0.8 / 2, rel=1e-3))]


def test_a_second_measurement_is_a_fresh_sample_and_no_harder_variant() -> None:
    rows = [("x/part", "fresh sample", 0.9), ("x", "independent rerun", 0.7), ("x", "harder variant", 0.1)]
    twin = pl.DataFrame(
        [{"original_id": one, "kind": of_kind, "kendall_tau": tau, "scale": "linear"} for one, of_kind, tau in rows],
        schema=PUBLISHED["twin"],
    )
    about = pl.DataFrame({"benchmark_id": ["x"], "sign": 1.0, "floor": 0.0, "ceiling": 1.0})
    assert measures(about, empty("indicator"), empty("frontier"), twin).rows() == [("x", AGREEMENT, pytest.approx(0.8))]


def test_a_share_of_benchmarks_has_the_exact_interval() -> None:
    """2 of 20: Clopper and Pearson's 95% interval is 0.0123 to 0.3170, as printed in tables of it."""
    about = facts({STATIC: [60] * 20})
    table = indicators("contamination_reports", {f"static-{index}": float(index < 2) for index in range(20)})
    row = cell(side_by_side(about, table), REPORTED, STATIC)
    assert (row["value"], row["n"], row["interval"]) == (0.1, 20, "exact")
    assert (row["low"], row["high"]) == (pytest.approx(0.0123, abs=1e-4), pytest.approx(0.3170, abs=1e-4))


def test_age_alone_is_no_difference_once_ages_match() -> None:
    """The measure falls with age and with nothing else: kinds differ in the mean, and not beside those of their age."""
    ages = {LIVE: list(range(6, 18)), STATIC: [*range(6, 18), *range(60, 90)]}
    about = facts(ages)
    rng = np.random.default_rng(4)
    values = {
        f"{of_kind}-{index}": 1 - age / 100 + rng.normal(0, 0.02)
        for of_kind in ages
        for index, age in enumerate(ages[of_kind])
    }
    row = cell(side_by_side(about, indicators("turnover_excess_12m", values)), CHURN, LIVE)
    static = cell(side_by_side(about, indicators("turnover_excess_12m", values)), CHURN, STATIC)
    assert row["value"] - static["value"] > 0.3
    assert row["matched_low"] < 0 < row["matched_high"]
    assert abs(row["matched"]) < 0.05
    assert (row["matched_n"], static["matched"], static["matched_n"]) == (12, None, 0)


def test_too_few_are_unknown_and_so_is_the_error_of_what_is_all_alike() -> None:
    about = facts({LIVE: [12] * 4, REFRESHED: [12] * 6, STATIC: [80] * 6})
    values = {f"live-{index}": float(index) for index in range(4)} | {f"refreshed-{index}": 0.5 for index in range(6)}
    table = with_sentence(side_by_side(about, indicators("turnover_excess_12m", values)))
    live, refreshed = cell(table, CHURN, LIVE), cell(table, CHURN, REFRESHED)
    assert (live["status"], live["value"], live["n"]) == ("insufficient", None, 4)
    assert "4 of 4 such benchmarks" in str(live["reason"])
    assert (refreshed["value"], refreshed["low"], refreshed["matched"]) == (0.5, None, None)
    assert "all are alike" in str(refreshed["reason"])


@pytest.mark.soak
def test_bootstrap_intervals_hold_the_mean() -> None:
    """Over 200 samples of 30 with a known mean the 95% interval holds it in about that many."""
    about = facts({LIVE: [12] * 30})
    rng, held = np.random.default_rng(7), 0
    for _ in range(200):
        values = {f"live-{index}": value for index, value in enumerate(rng.exponential(1.0, 30))}
        row = cell(side_by_side(about, indicators("turnover_excess_12m", values)), CHURN, LIVE)
        held += row["low"] <= 1.0 <= row["high"]
    assert 0.86 <= held / 200 <= 0.99


@given(st.lists(st.floats(-2, 2), min_size=5, max_size=12), st.integers(0, 99))
def test_every_row_is_there_and_means_lie_within_their_intervals(values: list[float], seed: int) -> None:
    about = facts({STATIC: [seed + 1] * len(values)})
    indicator_rows = indicators("turnover_excess_12m", {f"static-{index}": value for index, value in enumerate(values)})
    table = side_by_side(about, indicator_rows)
    assert table.schema == PUBLISHED["static_dynamic"]
    assert table.select("measure", "kind").rows() == [(name, of_kind) for name in MEASURES for of_kind in KINDS]
    row = cell(table, CHURN, STATIC)
    assert row["low"] is None or row["low"] - 1e-9 <= row["value"] <= row["high"] + 1e-9
