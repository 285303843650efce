"""Forecasts: nothing of the future is used, skill is found where there is some and nowhere else, intervals hold.

What is shown of them: chances that depend on how often somebody tests, no day that has passed, no interval that begins
at the best where scores may be lowered, none that spans more than a third of the scale.
"""

from datetime import date, timedelta
from functools import cache

import numpy as np
import polars as pl
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

from benchhealth.analytics.forecast.backtest import POPULATIONS, Backtest, at_least, backtest
from benchhealth.analytics.forecast.candidates import CANDIDATES, RUNNING_MEAN
from benchhealth.analytics.forecast.closed import ENOUGH_STEPS, predict_closed
from benchhealth.analytics.forecast.origins import HORIZONS, quarterly
from benchhealth.analytics.forecast.scale import ScaleAtOrigins, scale_at_origins
from benchhealth.analytics.forecast.series import Series, known_results, last_known_days, series_of
from benchhealth.analytics.forecast.skill import (
    CHANCE,
    EITHER,
    ENOUGH_STRETCHES,
    LEAST_COVERAGE,
    TESTED,
    UNTESTED,
    Skill,
    published,
    skill_table,
    skills,
)
from benchhealth.analytics.forecast.table import WIDEST, Forecasts, forecasts
from benchhealth.analytics.record.current import benchmark_facts, ranked_results
from benchhealth.analytics.record.edits import edits
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.frontier import history_of
from benchhealth.analytics.record.tables import PUBLISHED
from tests.analytics.forecast.simulated import AS_OF, listed, world
from tests.support.frames import Row, benchmark, frames, result

EPOCH = date(1970, 1, 1)
TODAY = (AS_OF - EPOCH).days
ON_SCALE = POPULATIONS[1]


def known_of(facts: Frames) -> tuple[pl.DataFrame, pl.DataFrame]:
    about = benchmark_facts(facts)
    return known_results(history_of(ranked_results(facts, about), AS_OF), facts.snapshot), about


def looked(about: pl.DataFrame) -> pl.DataFrame:
    return about.select("benchmark_id", known_until=pl.lit(AS_OF))


def rolled(facts: Frames, months: int = 6) -> tuple[Series, ScaleAtOrigins, Backtest]:
    dated, about = known_of(facts)
    series = series_of(dated, about)
    until = last_known_days(series, looked(about))
    origins = quarterly(series, until, TODAY)
    with threadpool_limits(1):
        stands = scale_at_origins(dated, about, series, origins, TODAY, HORIZONS)
        return series, stands, backtest(series, origins, until, stands, HORIZONS[months], origins.day)


def made(facts: Frames, as_of: date = AS_OF) -> Forecasts:
    dated, about = known_of(facts)
    changed = edits(ranked_results(facts, about))
    return forecasts(dated, about, looked(about), changed, as_of, np.random.default_rng(1))


@cache
def steady() -> Frames:
    return frames(world(np.random.default_rng(4), apart=True), listed())


@cache
def rolled_steady() -> tuple[Series, ScaleAtOrigins, Backtest]:
    return rolled(steady())


def judged(rows: list[Row], months: int = 6) -> dict[tuple[str, str], Skill]:
    series, _, tested = rolled(frames(rows, listed()), months)
    return dict(published(skills(series, tested, np.random.default_rng(4))))


@settings(max_examples=3, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(back=st.integers(200, 1500), seed=st.integers(0, 10_000), drop=st.booleans())
def test_nothing_that_came_after_an_origin_changes_its_forecast(back: int, seed: int, *, drop: bool) -> None:
    split, rng = AS_OF - timedelta(days=back), np.random.default_rng(seed)
    rows = world(np.random.default_rng(4), apart=True)
    later = [row for row in rows if row["dated_on"] > split]
    changed = [{**row, "score": row["score"] * rng.uniform(0.7, 1)} for row in later if not drop or rng.random() < 0.5]
    other = frames([row for row in rows if row["dated_on"] <= split] + changed, listed())
    (_, stood, first), (_, stands, second) = rolled_steady(), rolled(other)
    origin = (split - EPOCH).days
    early, same = first.origins.day <= origin, second.origins.day <= origin
    assert early.sum() == same.sum() > 0
    np.testing.assert_array_equal(first.origins.benchmark[early], second.origins.benchmark[same])
    np.testing.assert_array_equal(stood.is_on_scale[early], stands.is_on_scale[same])
    for name in CANDIDATES:
        # lines are read off running sums over all benchmarks, which round differently
        np.testing.assert_allclose(first.expected[name][early], second.expected[name][same], atol=1e-8)
    for name in ("chance", "base", "low", "high"):
        np.testing.assert_allclose(getattr(first, name)[early], getattr(second, name)[same], atol=1e-6)


def test_a_result_that_a_look_did_not_show_yet_is_not_known() -> None:
    released = {"date_basis": "model_release"}
    early, late = date(2024, 1, 10), date(2025, 6, 1)
    rows = [
        result("b", "there", 0.5, dated_on=date(2023, 5, 1), observed_on=early),
        result("b", "there", 0.5, dated_on=date(2023, 5, 1), observed_on=late),
        result("b", "backdated", 0.9, dated_on=date(2023, 9, 1), observed_on=late),
        result("b", "dated", 0.6, dated_on=date(2024, 9, 1), observed_on=late),
        result("b", "by release", 0.7, dated_on=date(2024, 9, 1), observed_on=late, **released),
    ]
    dated, _ = known_of(frames(rows, [benchmark("b", released_on=date(2023, 1, 1))]))
    assert dict(dated.select("model_id", "known_on").rows()) == {
        "there": date(2023, 5, 1),
        "backdated": late,
        "dated": date(2024, 9, 1),
        "by release": late,
    }


def test_a_row_dated_only_by_the_first_look_is_not_dated() -> None:
    release = {"date_basis": "model_release"}
    rows = [
        result("known", "a", 0.5, dated_on=date(2024, 1, 1), **release),
        result("known", "b", 0.9, dated_on=None, date_basis="snapshot"),  # type: ignore[arg-type]
        result("unknown", "a", 0.5, dated_on=date(2024, 1, 1), **release),
    ]
    dated, _ = known_of(frames(rows, [benchmark("known", released_on=date(2023, 1, 1)), benchmark("unknown")]))
    assert dated.select("benchmark_id", "model_id").rows() == [("known", "a")]


def test_forecasts_stay_between_the_best_so_far_and_the_ceiling() -> None:
    _, _, each = rolled_steady()
    for name in CANDIDATES:
        finite = each.expected[name][np.isfinite(each.expected[name])]
        assert ((finite >= 0) & (finite <= 1)).all()
    given = np.isfinite(each.low)
    assert given.any()
    assert ((each.low >= 0) & (each.low <= each.expected[RUNNING_MEAN]))[given].all()
    assert ((each.expected[RUNNING_MEAN] <= each.high) & (each.high <= 1))[given].all()
    assert (each.expected["persistence"] == 0).all()
    chance = each.chance[np.isfinite(each.chance)]
    assert ((chance > 0) & (chance < 1)).all()


def test_who_is_stronger_is_told_by_what_the_truth_is() -> None:
    series, stands, each = rolled_steady()
    finite = np.isfinite(each.happened) & stands.is_on_scale
    strength = np.array([float(name[1:4]) for name in series.model_id])
    reach = np.maximum.accumulate(series.benchmark * 1e4 + strength) - series.benchmark * 1e4
    origin = each.origins
    truly = series.at(reach, origin.benchmark, origin.day + each.days) > series.at(reach, origin.benchmark, origin.day)
    assert (truly[finite] == (each.happened[finite] == 1)).mean() > 0.9


def test_skill_is_found_where_a_stronger_model_is_tested_and_progress_goes_on() -> None:
    series, _, tested = rolled_steady()
    skill = published(skills(series, tested, np.random.default_rng(4)))
    score, none, chance = skill[TESTED, ON_SCALE], skill[UNTESTED, ON_SCALE], skill[CHANCE, ON_SCALE]
    assert score.holds
    assert score.skill is not None
    assert score.skill > 0.25
    assert none.skill is None or none.skill < 0
    assert not none.holds
    assert chance.brier is not None
    assert chance.brier_of_base_rate is not None
    assert chance.brier < chance.brier_of_base_rate
    assert score.coverage80_moved is not None
    assert score.coverage80_moved >= LEAST_COVERAGE


def test_no_skill_is_found_where_nothing_grows() -> None:
    skill = judged(world(np.random.default_rng(5), pace=0.0))
    score = skill[TESTED, ON_SCALE]
    assert score.skill is not None
    assert score.skill < 0.1
    assert not score.holds


def test_off_the_scale_there_is_nothing_to_say_of_the_score() -> None:
    """Each benchmark has models of its own, so no scale can be stitched."""
    rows = world(np.random.default_rng(6), benchmarks=12)
    apart = [{**row, "model_id": f"{row['benchmark_id']} {row['model_id']}"} for row in rows]
    series, stands, tested = rolled(frames(apart, listed(12)))
    assert not stands.is_on_scale.any()
    skill = published(skills(series, tested, np.random.default_rng(4)))
    assert (TESTED, ON_SCALE) not in skill
    assert (TESTED, POPULATIONS[0]) in skill


@pytest.mark.soak
def test_intervals_hold_what_moved_and_skill_is_seldom_found_by_chance() -> None:
    held, false = [], []
    for seed in range(20):
        some = judged(world(np.random.default_rng(seed)))
        held.append(some[TESTED, ON_SCALE].coverage80_moved)
        none = judged(world(np.random.default_rng(1000 + seed), pace=0.0)).get((TESTED, ON_SCALE))
        false.append(none is not None and none.holds)
    cover, rate = float(np.mean([one for one in held if one is not None])), float(np.mean(false))
    print(f"coverage of what moved {cover:.3f}; skill of the score found where there is none {rate:.3f}")
    assert cover >= LEAST_COVERAGE
    assert rate <= 0.05


def test_what_is_published_has_a_chance_a_middle_and_an_interval() -> None:
    forecasted = made(steady())
    assert forecasted.forecast.schema == PUBLISHED["forecast"]
    assert forecasted.forecast_skill.schema == PUBLISHED["forecast_skill"]
    assert forecasted.forecast_reliability.schema == PUBLISHED["forecast_reliability"]
    shown = forecasted.forecast.drop_nulls("median")
    assert set(shown["method"]) == {RUNNING_MEAN}
    assert set(shown["population"]) == {ON_SCALE}
    assert shown["chance"].is_between(0, 1).all()
    assert (shown["low80"] <= shown["median"]).all()
    assert (shown["median"] <= shown["high80"]).all()
    assert (shown["high80"] <= 1).all()
    assert (shown["target_on"] > shown["made_on"]).all()
    best = steady().result.collect().group_by("benchmark_id").agg(pl.col("score").max())
    joined = shown.join(best, on="benchmark_id")
    assert joined["best"].equals(joined["score"], check_names=False)
    assert (joined["median"] >= joined["best"]).all()
    assert ((shown["high80"] - shown["low80"]) <= WIDEST + 1e-9).all()
    waits = forecasted.outlook.drop_nulls("wait")
    assert (waits["wait_low"] <= waits["wait_high"]).all()
    bins = forecasted.forecast_reliability
    assert (bins["expected"].is_between(bins["from_chance"], bins["to_chance"])).all()


def test_lower_is_better_is_forecast_downwards() -> None:
    rows = world(np.random.default_rng(4), apart=True)
    errors = [{**row, "score": 1 - row["score"]} for row in rows]
    down = [{**one, "higher_is_better": False, "floor": 1.0, "ceiling": 0.0} for one in listed()]
    up, other = made(steady()).forecast, made(frames(errors, down)).forecast
    assert (1 - other["median"]).to_list() == pytest.approx(up["median"].to_list(), abs=1e-6)
    assert (1 - other["low80"]).to_list() == pytest.approx(up["high80"].to_list(), abs=1e-6)


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
    forecasted = made(frames(rows))
    assert forecasted.forecast.is_empty()
    assert not forecasted.forecast_skill["holds"].any()


def test_the_table_has_a_row_for_each_part_kind_and_method() -> None:
    series, _, tested = rolled_steady()
    table = skill_table({6: skills(series, tested, np.random.default_rng(4))})
    assert table.schema == PUBLISHED["forecast_skill"]
    assert table.filter(part=EITHER, population=ON_SCALE)["holds"].sum() == 0
    scores = table.filter(pl.col("part") == TESTED, pl.col("population") == ON_SCALE)
    assert sorted(scores["method"]) == sorted(CANDIDATES)
    assert scores.filter(method="persistence")["skill_vs_persistence"].to_list() == [0.0]
    assert scores.filter(method="drift")["skill_vs_drift"].to_list() == [0.0]


def test_the_running_mean_is_of_what_was_told_by_then() -> None:
    known_on = np.arange(30) * 10 + 400  # the outcome of the day comes after 365 days, and is told 35 days later
    closed = np.linspace(0.0, 0.58, 30)
    before = predict_closed(closed, np.ones(30), known_on - 400, known_on, known_on - 400, 365)
    assert not np.isfinite(before.mean).any()  # on the day that each was made none was told
    later = predict_closed(closed, np.ones(30), known_on - 400, known_on, np.full(30, 495), 365)
    weight = 0.5 ** ((495 - 365 - 10 * np.arange(ENOUGH_STEPS)) / 365)
    assert later.mean == pytest.approx(np.average(closed[:ENOUGH_STEPS], weights=weight))
    assert (later.low[0], later.high[0]) == (closed[0], closed[ENOUGH_STEPS - 1])


def test_the_chance_depends_on_how_often_and_how_lately_somebody_tested() -> None:
    facts = frames(world(np.random.default_rng(2), apart=True), listed())
    forecasted = made(facts).forecast.filter(horizon_months=6)
    often = forecasted.filter(pl.col("benchmark_id").str.slice(1).cast(pl.Int64) % 2 == 0)["chance"]
    seldom = forecasted.filter(pl.col("benchmark_id").str.slice(1).cast(pl.Int64) % 2 == 1)["chance"]
    assert forecasted["chance"].n_unique() > 4
    assert often.min() > seldom.max()  # type: ignore[operator]


def test_within_a_year_is_no_less_likely_than_within_half_a_year() -> None:
    (_, _, half), (_, _, year) = rolled_steady(), rolled(steady(), 12)
    chances = at_least(year, half)
    for longer, shorter in (
        (chances.chance, half.chance),
        (chances.high, half.high),
        (chances.expected[RUNNING_MEAN], half.expected[RUNNING_MEAN]),
    ):
        both = np.isfinite(longer) & np.isfinite(shorter)
        assert both.any()
        assert (longer[both] >= shorter[both]).all()


@pytest.mark.parametrize(("after", "left"), [(0, {6, 12}), (183, {12}), (400, set())])
def test_nothing_is_forecast_of_a_day_that_has_passed(after: int, left: set[int]) -> None:
    forecasted = made(steady(), AS_OF + timedelta(days=after))
    ahead = forecasted.outlook.filter(pl.col("basis").list.get(2) != "passed")
    assert set(ahead["horizon_months"]) == left
    assert (forecasted.forecast["target_on"] > AS_OF + timedelta(days=after)).all()
    passed = forecasted.outlook.filter(pl.col("target_on") <= AS_OF + timedelta(days=after))
    assert passed["chance"].null_count() == passed.height
    assert passed["basis"].list.get(2).unique().to_list() == (["passed"] if passed.height else [])


LOWERED_BY = 0.02


def watched(share: float) -> Frames:
    """The steady world, first seen a year before: of the results of every fourth benchmark a share was lowered."""
    rows = world(np.random.default_rng(4), apart=True)
    first, drawn = AS_OF - timedelta(days=365), np.random.default_rng(8)
    seen = []
    for row in rows:
        name, model, score, on = row["benchmark_id"], row["model_id"], row["score"], row["dated_on"]
        if on <= first:
            seen.append(result(name, model, score, dated_on=on, observed_on=first))
        fall = LOWERED_BY if int(name[1:]) % 4 == 0 and drawn.random() < share else 0.0
        seen.append(result(name, model, score - fall, dated_on=on, observed_on=AS_OF))
    return frames(seen, listed())


@settings(max_examples=3, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(share=st.floats(0.1, 1.0))
def test_an_interval_begins_at_the_best_or_above_but_where_a_regrade_is_possible(share: float) -> None:
    shown = made(watched(share)).forecast.drop_nulls("median")
    regraded = shown["regrade"].is_not_null()
    assert regraded.any()
    above = shown["low80"] - shown["best"]
    assert (above.filter(regraded) < 0).any()
    assert (above.filter(regraded).abs() > 1e-9).all()
    assert (above.filter(~regraded) >= -1e-9).all()
    lowered = shown.filter(pl.col("benchmark_id").str.slice(1).cast(pl.Int64) % 4 == 0)
    assert lowered["regrade"].to_list() == pytest.approx([LOWERED_BY] * lowered.height)


def test_what_could_be_anywhere_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchhealth.analytics.forecast.table.WIDEST", widest := 0.05)
    forecasted = made(steady())
    wide = forecasted.outlook.filter(pl.col("basis").list.get(2) == "anywhere")
    assert wide.height
    assert wide["median"].null_count() == wide["wait"].null_count() == wide.height
    low, high = wide["numbers"].list.get(-2), wide["numbers"].list.get(-1)
    assert ((high - low) > widest).all()
    assert (forecasted.forecast["high80"] - forecasted.forecast["low80"]).max() <= widest  # type: ignore[operator]


def test_of_fewer_than_four_stretches_no_coverage_is_said() -> None:
    series, _, tested = rolled_steady()
    days = np.unique(tested.origins.day // tested.days)
    for stretches in (ENOUGH_STRETCHES - 1, ENOUGH_STRETCHES):
        some = tested.where(tested.origins.day // tested.days > days[-1 - stretches - 1])
        skill = published(skills(series, some, np.random.default_rng(4)))[TESTED, ON_SCALE]
        has_coverage = skill.n_stretches >= ENOUGH_STRETCHES
        assert (skill.coverage80 is not None) == has_coverage
        assert has_coverage or not skill.holds
