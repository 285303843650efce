"""Forecasts: nothing of the future is used, none leaves the possible range, and intervals cover where they should."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

from analytics.forecast.backtest import CANDIDATES, PUBLISHABLE, Backtest, backtest, interval
from analytics.forecast.origins import HORIZONS, quarterly
from analytics.forecast.series import Series, dated_results, series
from analytics.forecast.skill import skill_table, skills
from analytics.forecast.table import FALLBACK, Forecasts, chosen, forecasts
from analytics.record.current import benchmark_facts, ranked_results
from analytics.record.frames import Frames
from analytics.record.frontier import history
from analytics.record.tables import PUBLISHED
from tests.support.frames import Row, benchmark, frames, result

AS_OF = date(2026, 1, 1)
EPOCH = date(1970, 1, 1)


def climbing(
    rng: np.random.Generator, benchmarks: int, years: float = 5.0, *, entering: bool = False, shared: float = 0.0
) -> list[Row]:
    """Results of benchmarks whose logit rises at the same mean pace, with a jump each month of random size.

    With `entering` each begins in a month of its own, so that on every day there are young and old ones alike;
    otherwise all begin together, and what is left to close changes for all of them as they age. `shared`: standard
    deviation of the logarithm of a pace that all have in common and that is drawn anew for each half year.
    """
    rows = []
    pace = np.exp(shared * rng.standard_normal(int(2 * years))).repeat(6) if shared else np.ones(int(12 * years))
    for place in range(benchmarks):
        height = rng.normal(-2, 1)
        first = int(rng.integers(0, int(12 * years) - 18)) if entering else 0
        for month in range(first, int(12 * years)):
            height += rng.exponential(0.06) * pace[month]
            day = AS_OF - timedelta(days=30 * (int(12 * years) - month) - 20)
            score = float(1 / (1 + np.exp(-height)))
            rows.append(result(f"b{place:03}", f"m{month:03}", score, dated_on=day, observed_on=AS_OF))
    return rows


def past_of(facts: Frames) -> tuple[pl.DataFrame, pl.DataFrame]:
    about = benchmark_facts(facts)
    return history(ranked_results(facts, about), AS_OF), about


def rolled(facts: Frames, months: int = 6) -> tuple[Series, Backtest]:
    past, about = past_of(facts)
    known = series(dated_results(past, facts.snapshot), about)
    today = (AS_OF - EPOCH).days
    at = quarterly(known, today)
    return known, backtest(known, at, np.zeros(len(at)), HORIZONS[months], today)


def made(facts: Frames) -> Forecasts:
    past, about = past_of(facts)
    known = about.select("benchmark_id", known_until=pl.lit(AS_OF))
    return forecasts(dated_results(past, facts.snapshot), about, known, np.random.default_rng(1))


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return climbing(np.random.default_rng(2), 30)


def test_nothing_that_came_after_an_origin_changes_its_forecast(rows: list[Row]) -> None:
    split = AS_OF - timedelta(days=500)
    rng = np.random.default_rng(3)
    changed = [{**row, "score": rng.random()} if row["dated_on"] > split else row for row in rows]
    (_, first), (_, second) = rolled(frames(rows)), rolled(frames(changed))
    origin = (split - EPOCH).days
    early, same = first.at.day <= origin, second.at.day <= origin
    assert early.sum() == same.sum() > 0
    for name in CANDIDATES:
        # lines are read off running sums over all benchmarks, which round differently
        np.testing.assert_allclose(first.expected[name][early], second.expected[name][same], atol=1e-8)
        np.testing.assert_allclose(first.width[name][early], second.width[name][same], atol=1e-6)
    assert np.isfinite(first.expected[PUBLISHABLE][early]).any()


def test_forecasts_stay_between_the_best_so_far_and_the_ceiling(rows: list[Row]) -> None:
    _, each = rolled(frames(rows), 12)
    for name in CANDIDATES:
        low, high = interval(each, name)
        known = np.isfinite(each.expected[name])
        assert ((each.expected[name][known] >= 0) & (each.expected[name][known] <= 1)).all()
        finite = np.isfinite(low)
        assert (low[finite] <= each.expected[name][finite]).all()
        assert (each.expected[name][finite] <= high[finite]).all()
    assert (each.expected["persistence"] == 0).all()


def test_steady_progress_is_forecast_better_than_by_persistence(rows: list[Row]) -> None:
    known, each = rolled(frames(rows))
    found = skills(known, each, np.random.default_rng(4))
    assert found[PUBLISHABLE].proven
    assert found[PUBLISHABLE].vs_persistence > 0.25
    assert found["persistence"].vs_persistence == 0
    assert found["drift"].vs_drift == 0
    table = skill_table({6: found})
    assert table.schema == PUBLISHED["forecast_skill"]
    assert table.height == len(CANDIDATES)


def covered(seed: int, benchmarks: int, *, years: float = 5.0, entering: bool = False, shared: float = 0.0) -> float:
    rng = np.random.default_rng(seed)
    known, each = rolled(frames(climbing(rng, benchmarks, years, entering=entering, shared=shared)))
    return skills(known, each, np.random.default_rng(5))[PUBLISHABLE].coverage80


def mean_cover(seeds: range, years: float, shared: float) -> float:
    return float(np.mean([covered(seed, 60, years=years, entering=True, shared=shared) for seed in seeds]))


def test_intervals_cover_though_the_pace_changes_for_all_at_once() -> None:
    assert mean_cover(range(10, 22), 5, 0.5) > 0.8  # .69 if forecasts of one day counted as independent ones
    assert mean_cover(range(10, 18), 10, 1) == pytest.approx(0.83, abs=0.06)


@pytest.mark.soak
def test_intervals_cover_with_and_without_a_shared_pace() -> None:
    found = {
        (years, shared): mean_cover(range(10, 70), years, shared) for years in (5, 10, 15) for shared in (0, 0.5, 1)
    }
    print("forecast, 80% intervals by years and shared pace:", {key: round(value, 3) for key, value in found.items()})
    for (years, _), cover in found.items():
        # With a few days of origins only the widest interval is safe; the level comes down as days are added.
        assert 0.78 <= cover <= {5: 1.0, 10: 0.86, 15: 0.84}[years]


def test_what_is_published_is_the_proven_method_with_its_interval(rows: list[Row]) -> None:
    found = made(frames(rows))
    assert found.forecast.schema == PUBLISHED["forecast"]
    assert set(found.forecast["method"]) == {PUBLISHABLE}
    assert (found.forecast["low80"] <= found.forecast["median"]).all()
    assert (found.forecast["median"] <= found.forecast["high80"]).all()
    assert (found.forecast["high80"] <= 1).all()
    assert (found.forecast["target_on"] > found.forecast["made_on"]).all()
    last = pl.DataFrame(rows).group_by("benchmark_id").agg(pl.col("score").max(), pl.col("dated_on").max())
    joined = found.forecast.join(last, on="benchmark_id")
    assert (joined["median"] >= joined["score"]).all()
    assert (joined["made_on"] == AS_OF).all()
    assert (joined["dated_on"] < AS_OF).all()
    assert (found.outlook["wait_low"] <= found.outlook["wait_high"]).all()


def test_without_skill_the_last_best_score_stands() -> None:
    rng = np.random.default_rng(7)
    flat = [
        result(f"b{place}", f"m{day}", 0.5 if day else 0.8, dated_on=AS_OF - timedelta(days=1500 - 30 * day))
        for place in range(20)
        for day in range(49)
    ]
    flat = [{**row, "score": row["score"] * float(rng.uniform(0.9, 1))} for row in flat]
    found = made(frames(flat))
    assert set(found.forecast["method"]) == {FALLBACK}
    best = pl.DataFrame(flat).group_by("benchmark_id").agg(pl.col("score").max())
    assert (
        found.forecast.join(best, on="benchmark_id").select((pl.col("median") - pl.col("score")).abs().max()).item()
        < 1e-9
    )
    assert "last best score stands" in found.outlook["basis"][0]
    assert chosen({}) == (FALLBACK, "too few outcomes are known to test any method")


def test_lower_is_better_is_forecast_downwards() -> None:
    rows = climbing(np.random.default_rng(8), 25)
    errors = [{**row, "score": 1 - row["score"]} for row in rows]
    ids = sorted({row["benchmark_id"] for row in rows})
    down = frames(errors, [benchmark(name, higher_is_better=False, floor=1.0, ceiling=0.0) for name in ids])
    up, other = made(frames(rows)).forecast, made(down).forecast
    assert (1 - other["median"]).to_list() == pytest.approx(up["median"].to_list())
    assert (1 - other["low80"]).to_list() == pytest.approx(up["high80"].to_list())


def test_a_row_dated_only_by_the_first_look_is_not_dated() -> None:
    release = {"date_basis": "model_release"}
    rows = [
        result("known", "a", 0.5, dated_on=date(2024, 1, 1), **release),
        result("known", "b", 0.9, dated_on=None, date_basis="snapshot"),  # type: ignore[arg-type]
        result("unknown", "a", 0.5, dated_on=date(2024, 1, 1), **release),
    ]
    facts = frames(rows, [benchmark("known", released_on=date(2023, 1, 1)), benchmark("unknown")])
    past, _ = past_of(facts)
    assert dated_results(past, facts.snapshot).select("benchmark_id", "model_id").rows() == [("known", "a")]


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [result("b", "m", 0.5)],
        [result("b", f"m{day}", 1.0, dated_on=date(2024, 1, 1) + timedelta(days=day)) for day in range(300)],
        [result("b", f"m{day}", 0.0, dated_on=date(2024, 1, 1) + timedelta(days=day)) for day in range(300)],
    ],
)
def test_nothing_one_point_and_constants_give_no_forecast(rows: list[Row]) -> None:
    found = made(frames(rows))
    assert found.forecast.is_empty()
    assert found.forecast_skill.is_empty()
