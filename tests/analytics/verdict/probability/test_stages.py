"""The stage over draws: what is sure is, what is not is said to be not, and as often as it says."""

from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.analytics.assess import assess
from benchhealth.analytics.record.tables import STAGES
from benchhealth.analytics.verdict.probability.board_draws import boards_of
from benchhealth.analytics.verdict.probability.indicators import OF_FACTS, stage_indicators
from benchhealth.analytics.verdict.probability.stages import shares_of_stages
from benchhealth.analytics.verdict.probability.table import NAMED_ALONE, with_probability
from tests.support.drawn_boards import benchmarks_of, measured_twice, stages
from tests.support.frames import benchmark, evidence_of, frames, result
from tests.support.soaking import Soak
from tests.support.verdicts import LIMITS

AS_OF = date(2026, 2, 1)
NEW = np.random.default_rng
FAR_APART = [0.6 - 0.03 * at for at in range(14)]


def probability(scores: list[float], n_items: int, **facts: object) -> dict[str, float]:
    shares = shares_of_stages(benchmarks_of([scores], n_items, **facts), LIMITS, NEW(1))
    return dict(shares.select("stage", "p").iter_rows())


def test_a_probability_does_not_depend_on_which_other_benchmarks_are_drawn() -> None:
    near = [0.94 - 0.004 * at for at in range(14)]
    every = shares_of_stages(benchmarks_of([near, FAR_APART, near], 400), LIMITS, NEW(1))
    first, _, third = (every.filter(pl.col("benchmark_id") == f"{number:04}") for number in range(3))
    assert first["p"].max() < 0.9
    assert first.equals(shares_of_stages(benchmarks_of([near], 400), LIMITS, NEW(1)))
    assert first["p"].to_list() != third["p"].to_list()


def test_a_board_that_is_not_drawn_has_the_indicators_that_are_published() -> None:
    about = [
        benchmark("a", floor=0.25, ceiling=0.95, ceiling_checked=300, human=0.9, n_items=500),
        benchmark("b", floor=None, n_items=80),
        benchmark("c", higher_is_better=False, floor=1.0, ceiling=0.0),
        benchmark("d", unit="rating", ceiling=None, floor=None),
        benchmark("e", floor=0.0, n_items=40),
    ]
    rows = [result(name, f"m{index}", 0.5 + 0.03 * index) for name in ("a", "b", "e") for index in range(14)]
    rows += [result("c", f"m{index}", 0.3 - 0.02 * index, std_error=0.01) for index in range(11)]
    rows += [result("d", f"m{index}", 1000.0 + 9 * index, std_error=4.0) for index in range(12)]
    given_ = frames([*rows, result("e", "m99", 1.0)], about)
    evidence = evidence_of(given_, AS_OF)
    published = assess(given_, AS_OF, NEW(0), tables=("indicator",)).tables["indicator"]
    facts = evidence.facts.select(OF_FACTS)
    drawn = stage_indicators(boards_of(evidence.judged_board, facts), facts, halvings=45).hstack(
        facts.select("benchmark_id")
    )
    for key in ("headroom", "headroom_of_ceiling", "human_margin", "resolution_top5", "spread_top10"):
        values = published.filter(pl.col("indicator") == key, pl.col("status") == "ok").sort("benchmark_id")
        same = values.select("benchmark_id").join(drawn, on="benchmark_id", maintain_order="left")
        for end, column in (("", "value"), (".low", "low"), (".high", "high")):
            if f"{key}{end}" in same.columns:
                pairs = pl.DataFrame({"drawn": same[f"{key}{end}"], "published": values[column]})
                assert (
                    pairs.height and pairs.filter(pl.col("drawn").is_null() != pl.col("published").is_null()).is_empty()
                )
                assert pairs.filter((pl.col("drawn") - pl.col("published")).abs() > 1e-9).is_empty()


@settings(max_examples=10)
@given(st.lists(st.floats(0.26, 1.0), min_size=5, max_size=20), st.integers(20, 5000))
def test_shares_are_of_all_stages_and_sum_to_one(scores: list[float], n_items: int) -> None:
    shares = probability(scores, n_items)
    assert set(shares) == set(STAGES) and sum(shares.values()) == pytest.approx(1)


def test_without_errors_a_stage_is_sure() -> None:
    assert probability(FAR_APART, 10**9)["discriminating"] == 1
    assert probability([0.99 - 0.001 * index for index in range(14)], 10**9)["saturated"] == 1


def test_a_stage_near_its_limit_is_the_less_sure_the_smaller_the_test() -> None:
    near = [0.82, *(0.7 - 0.02 * index for index in range(12))]  # headroom .24, of which less than .25 is little
    small, large = (probability(near, n)["compressing"] for n in (200, 200_000))
    assert small < 0.8 and large > 0.85  # in one of twelve draws the best does not count


def test_a_ceiling_of_few_checked_items_makes_a_stage_unsure() -> None:
    scores = [0.93 - 0.001 * index for index in range(14)]
    few, many = (probability(scores, 50_000, ceiling=0.95, ceiling_checked=n)["saturated"] for n in (60, 10**7))
    assert many == 1 and few < 0.9


def test_who_leaves_five_models_may_leave_four() -> None:
    assert probability([0.5, 0.45, 0.4, 0.35, 0.3], 10**6)["emerging"] == pytest.approx(5 / 12, abs=0.07)


def test_below_the_limit_two_stages_are_named() -> None:
    bare = pl.DataFrame(
        {"benchmark_id": ["a", "b", "c"], "stage": ["saturated", "saturated", "unknown"]},
    ).with_columns(p=pl.lit(None, pl.Float64), between=pl.lit([], pl.List(pl.String)))
    shares = {
        "a": {"saturated": 0.55, "compressing": 0.45},
        "b": {"saturated": NAMED_ALONE, "compressing": 1 - NAMED_ALONE},
    }
    rows = [
        {"benchmark_id": key, "stage": stage, "p": of.get(stage, 0.0)} for key, of in shares.items() for stage in STAGES
    ]
    verdicts = with_probability(bare, pl.DataFrame(rows))
    assert verdicts["p"].to_list() == [0.55, NAMED_ALONE, None]
    assert verdicts["between"].to_list() == [["compressing", "saturated"], [], []]


def _again(random: np.random.Generator, n_items: int, count: int) -> pl.DataFrame:
    """The likeliest stage of each benchmark by one measurement, its `p`, and whether a second one finds it."""
    first, second = measured_twice(count, n_items, random)
    likeliest = (
        shares_of_stages(first, LIMITS, random, 200).sort("p", descending=True).unique("benchmark_id", keep="first")
    )
    return likeliest.join(stages(second), on="benchmark_id").with_columns(again=pl.col("stage") == pl.col("found"))


def test_a_stage_is_found_again_about_as_often_as_it_says() -> None:
    cases = _again(NEW(7), 400, 300)
    sure, unsure = cases.filter(pl.col("p") >= 0.9), cases.filter(pl.col("p") < 0.75)
    assert sure.height > 50 and unsure.height > 20
    assert cases["again"].mean() == pytest.approx(cases["p"].mean(), abs=0.06)  # Monte Carlo error .025
    assert sure["again"].mean() > 0.9
    assert unsure["again"].mean() < 0.75


@pytest.mark.soak
def test_stages_are_calibrated_at_all_sizes_of_tests(soak: Soak) -> None:
    random = NEW(soak.random.randrange(2**32))
    for n_items in (100, 400, 1600, 10_000):
        cases = _again(random, n_items, 3000)
        for least, most in ((0.0, 0.6), (0.6, 0.75), (0.75, 0.9), (0.9, 1.01)):
            part = cases.filter(pl.col("p").is_between(least, most, closed="left"))
            p, again = part["p"].mean(), part["again"].mean()
            error = np.sqrt(0.25 / max(1, part.height))
            soak.say(
                f"{n_items} items, probability {least} to {most}: {p:.3f} said, {again:.3f} found again, "
                f"{part.height} benchmarks (Monte Carlo error at most {error:.3f})"
            )
            if n_items <= 400 or least >= 0.9:  # gaps at the top of large tests are no normal ones: Methods says so
                assert abs(p - again) < 0.08 + 2 * error
