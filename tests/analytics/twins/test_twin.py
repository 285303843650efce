import json
from collections.abc import Callable
from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.twins.expected import FEWEST_FOR_RESIDUALS
from benchhealth.analytics.twins.pairs import Pairs, matched_pairs
from benchhealth.analytics.twins.tables import TwinTables
from benchhealth.analytics.twins.tables import tables as tables_of
from tests.support.frames import Row, benchmark, frames, result, twin_pair
from tests.support.simulated_twins import residuals_of
from tests.support.soaking import examples
from tests.support.upstream import SHARED, needs_upstream, versions

Numbers = np.ndarray[tuple[int], np.dtype[np.float64]]


def compared(rows: list[Row], *more: Row, **pair: object) -> TwinTables:
    benchmarks = list(more) or [benchmark("old"), benchmark("new")]
    return tables_of(matched_pairs(frames(rows, benchmarks, twin_pairs=[twin_pair("pair", "old", "new", **pair)])))


def both(scores: list[tuple[float, float]], **more: object) -> list[Row]:
    return [
        result(side, f"m{index}", score, **more)  # type: ignore[arg-type]
        for index, pair in enumerate(scores)
        for side, score in zip(("old", "new"), pair, strict=True)
    ]


def linear(tables: TwinTables) -> Row:
    return tables.twin.row(by_predicate=pl.col("scale") == "linear", named=True)


def test_gap_line_and_order_in_points() -> None:
    tables = compared(both([(0.5, 0.40), (0.6, 0.52), (0.7, 0.64), (0.8, 0.76)]))
    assert (tables.twin.schema, tables.twin_residual.schema) == (PUBLISHED["twin"], PUBLISHED["twin_residual"])
    assert tables.twin["scale"].to_list() == ["linear", "probit", "logit"]
    row = linear(tables)
    assert row["n_models"] == 4
    assert row["gap"] == pytest.approx((10 + 8 + 6 + 4) / 4)
    assert (row["slope"], row["intercept"], row["r2"]) == pytest.approx((1.2, -20, 1))
    assert (row["kendall_tau"], row["kendall_tau_top"]) == (1, 1)
    residual = tables.twin_residual
    assert residual["original"].to_list() == pytest.approx([50, 60, 70, 80])
    assert residual["residual"].abs().max() == pytest.approx(0, abs=1e-9)
    assert residual["p_value"].null_count() == 4


def test_open_ended_units_keep_their_numbers_and_have_no_other_scale() -> None:
    rating = [benchmark("old", unit="rating"), benchmark("new", unit="rating")]
    tables = compared(both([(1000, 990), (1100, 1100), (1300, 1270)]), *rating)
    assert tables.twin["scale"].to_list() == ["linear"]
    assert linear(tables)["gap"] == pytest.approx(40 / 3)


def test_within_a_source_settings_are_matched_and_between_sources_the_best() -> None:
    rows = [
        result("old", "m", 0.7, setting="large"),
        result("old", "m", 0.6, setting="small"),
        result("new", "m", 0.5, setting="small"),
        result("new", "m", 0.4, setting="huge", source_id="elsewhere"),
    ]
    both_run = [*rows, result("new", "m", 0.65, setting="large")]
    settings_of = compared(both_run, source_id="lab").twin_residual
    assert settings_of.select("model_id", "setting").rows() == [("m", "large"), ("m", "small")]
    assert compared(rows, source_id="lab").twin_residual.select("original", "other").rows() == [(60, 50)]
    assert compared(rows).twin_residual.select("original", "other").rows() == [(pytest.approx(70), 50)]
    assert compared(rows, source_id="nobody").twin_residual.is_empty()


def test_the_set_of_tasks_is_no_part_of_how_a_model_was_run() -> None:
    rows = [
        result("old", "m", 0.7, setting="effort=high, subset=semi-private"),
        result("old", "m", 0.6, setting="subset=semi-private"),
        result("new", "m", 0.5, setting="effort=high"),
        result("new", "m", 0.4),
    ]
    residual = compared(rows, source_id="lab").twin_residual
    assert residual.select("original", "other").sort("other").rows() == [(60, 40), (pytest.approx(70), 50)]


def test_the_day_pins_both_sides() -> None:
    early, late = date(2024, 1, 1), date(2025, 1, 1)
    rows = both([(0.5, 0.4)], observed_on=early) + both([(0.6, 0.6)], observed_on=late)
    assert linear(compared(rows))["gap"] == 0
    assert linear(compared(rows, observed_on=early))["gap"] == pytest.approx(10)
    assert linear(compared(rows, observed_on=date(2023, 1, 1)))["n_models"] == 0


def test_people_and_models_that_one_side_lacks_are_left_out() -> None:
    rows = [*both([(0.5, 0.4)]), result("old", "alone", 0.9), *both([(0.99, 0.99)], kind="human")[:1]]
    assert linear(compared(rows))["n_models"] == 1


def test_a_declared_twin_without_models_says_so() -> None:
    row = linear(compared([]))
    assert row["n_models"] == 0
    assert [row[name] for name in ("gap", "slope", "r2", "kendall_tau", "kendall_tau_top")] == [None] * 5
    constant = linear(compared(both([(0.5, 0.4)] * 4)))
    assert (constant["gap"], constant["slope"], constant["kendall_tau"]) == (pytest.approx(10), None, None)
    with pytest.raises(ValueError, match="no test is named"):
        compared([], test="guess")


def test_probit_leaves_out_and_counts_ends_of_unknown_size() -> None:
    scores = [(0.2, 0.1), (0.5, 0.4), (0.8, 0.7), (1.0, 0.9)]
    unknown = compared(both(scores)).twin.row(1, named=True)
    with_items = compared(both(scores, n_items=100)).twin.row(1, named=True)
    assert (unknown["scale"], unknown["n_models"], with_items["n_models"]) == ("probit", 3, 4)
    expected = [stats.norm.ppf(old) - stats.norm.ppf(new) for old, new in scores[:3]]
    assert unknown["gap"] == pytest.approx(np.mean(expected))
    expected.append(stats.norm.ppf(0.995) - stats.norm.ppf(0.9))
    assert with_items["gap"] == pytest.approx(np.mean(expected))


def test_lower_is_better_turns_the_test_and_mixed_directions_stop_it() -> None:
    worse = both([(0.30, 0.60), (0.30, 0.30)], n_items=1000)
    down = [benchmark(name, higher_is_better=False) for name in ("old", "new")]
    assert compared(worse, *down, test="difference").twin_residual["flagged"].to_list() == [True, False]
    assert compared(worse, test="difference").twin_residual["flagged"].to_list() == [False, False]
    mixed = compared(worse, down[0], benchmark("new"), test="difference").twin_residual
    assert mixed["flagged"].null_count() == mixed["p_value"].null_count() == 2


def test_difference_is_the_two_proportion_test() -> None:
    row = compared(both([(0.8, 0.7)], n_items=500), test="difference").twin_residual.row(0, named=True)
    error = np.sqrt((0.8 * 0.2 + 0.7 * 0.3) / 500)
    assert (row["expected"], row["residual"]) == (pytest.approx(80), pytest.approx(-10))
    assert row["std_error"] == pytest.approx(100 * error)
    assert row["p_value"] == row["q_value"] == pytest.approx(stats.norm.sf(0.1 / error))
    unknown = compared(both([(0.8, 0.7)]), test="difference").twin_residual.row(0, named=True)
    assert [unknown[name] for name in ("std_error", "p_value", "q_value", "flagged")] == [None] * 4


def test_one_model_far_below_the_line_is_found_and_not_by_a_line_through_few() -> None:
    rng = np.random.default_rng(5)
    original = np.linspace(0.3, 0.9, 30)
    other = original - 0.05 + 0.005 * rng.standard_normal(30)
    other[12] -= 0.1
    pairs = list(zip(original.tolist(), other.tolist(), strict=True))
    residuals = compared(both(pairs, n_items=10_000)).twin_residual
    assert residuals.filter("flagged")["model_id"].to_list() == ["m12"]
    few = compared(both(pairs[8 : 8 + FEWEST_FOR_RESIDUALS - 1], n_items=10_000)).twin_residual
    assert few["residual"].null_count() == 0 and few["p_value"].null_count() == few.height


@given(st.randoms(use_true_random=False), st.floats(-0.2, 0.2))
@examples(8, soak=20)
def test_sequence_and_names_do_not_matter(random: object, shift: float) -> None:
    rng = np.random.default_rng(8)
    original = rng.uniform(0.3, 0.7, 15)
    other = (original + shift + 0.02 * rng.standard_normal(15)).clip(0.01, 0.99)
    rows = both(list(zip(original.tolist(), other.tolist(), strict=True)), n_items=200)
    moved = [{**row, "model_id": "x" + row["model_id"]} for row in rows]
    random.shuffle(moved)  # type: ignore[attr-defined]
    one, two = compared(rows), compared(moved)
    numbers = pl.col(pl.Float64)
    for first, second in ((one.twin, two.twin), (one.twin_residual, two.twin_residual)):
        assert first.select(numbers).to_numpy() == pytest.approx(second.select(numbers).to_numpy(), nan_ok=True)


def simulated(
    rng: np.random.Generator, n: int, items: int, extra: float, shared: float
) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Two scores in points of n models on one line: binomial noise, of which a share is common to both, and scatter."""
    truth = rng.uniform(0.35, 0.95, n)
    error = np.sqrt(truth * (1 - truth) / items)
    common = np.sqrt(shared) * rng.standard_normal(n)
    own_part = np.sqrt(1 - shared)
    original = truth + error * (common + own_part * rng.standard_normal(n))
    other = truth - 0.05 + error * (common + own_part * rng.standard_normal(n)) + extra * rng.standard_normal(n)
    return 100 * original, 100 * other, 100 * error, 100 * error


def null_rates(test: str, runs: int, make: Callable[[np.random.Generator], tuple[Numbers, ...]]) -> tuple[float, float]:
    """The share of p-values below 5%, and of twins with any flag, where no model is off."""
    rng = np.random.default_rng(20241016)
    small, any_flag = [], []
    for _ in range(runs):
        original, other, original_error, other_error = make(rng)
        n = original.size
        size = np.full(n, np.nan)
        names = [f"m{index:03}" for index in range(n)]
        errors = (original_error, other_error)
        pairs = Pairs(names, original, other, *errors, original / 100, other / 100, size, size, 1, True)
        table = residuals_of(pairs, test)
        if table["p_value"].count():
            small.append((table["p_value"] < 0.05).mean())
        any_flag.append(table["flagged"].fill_null(value=False).any())
    assert len(small) >= 0.9 * runs
    return float(np.mean(small)), float(np.mean(any_flag))


SCENARIOS = {
    "binomial noise alone": (0.0, 0.0),
    "models differ besides": (0.02, 0.0),
    "the same items on both sides": (0.0, 0.8),
}


@pytest.mark.soak
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_flags_are_no_more_often_false_than_stated(scenario: str) -> None:
    extra, shared = SCENARIOS[scenario]
    small, any_flag = null_rates("fit", 300, lambda rng: simulated(rng, 60, 500, extra, shared))
    assert small == pytest.approx(0.05, abs=0.015)
    assert any_flag <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)


def test_flags_of_equal_tests_are_no_more_often_false_than_stated() -> None:
    def same_test(rng: np.random.Generator) -> tuple[Numbers, ...]:
        original, other, *errors = simulated(rng, 60, 500, 0.0, 0.0)
        return original, other + 5, *errors

    small, any_flag = null_rates("difference", 300, same_test)
    assert small == pytest.approx(0.05, abs=0.015)
    assert any_flag <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)


@pytest.mark.soak
@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("n", [10, 30, 200])
def test_flags_are_no_more_often_false_than_stated_at_length(scenario: str, n: int) -> None:
    extra, shared = SCENARIOS[scenario]
    small, any_flag = null_rates("fit", 5000, lambda rng: simulated(rng, n, 500, extra, shared))
    print(f"twin flags, {scenario}, {n} models, nothing leaked: {small:.4f} of p, {any_flag:.4f} of twins")
    assert small <= 0.06
    assert any_flag <= 0.06 + 3 * np.sqrt(0.06 * 0.94 / 5000)


@needs_upstream
def test_imagenet_to_v2() -> None:
    rows = []
    for side, name in (("old", "imagenet"), ("new", "imagenetv2-matched-frequency")):
        every = versions("huggingface/pytorch-image-models", f"results/results-{name}.csv")
        (version,) = (version for version in every if version.committed_at.date() == date(2024, 8, 22))
        for line in version.table():
            setting = f"{line['img_size']} {line['crop_pct']}"
            more = {"setting": setting, "observed_on": version.committed_at.date()}
            rows.append(result(side, line["model"], float(line["top1"]) / 100, **more))  # type: ignore[arg-type]
    facts = [benchmark("old", n_items=50_000), benchmark("new", n_items=10_000)]
    row = linear(compared(rows, *facts, source_id="lab", observed_on=date(2024, 8, 22)))
    assert row["n_models"] == 1445
    assert row["gap"] == pytest.approx(10.86, abs=0.05)
    assert row["slope"] == pytest.approx(1.194, abs=0.01)
    assert row["slope_low"] < row["slope"] < row["slope_high"]
    assert row["r2"] == pytest.approx(0.984, abs=0.001)
    assert row["kendall_tau"] == pytest.approx(0.940, abs=0.001)
    assert row["kendall_tau_top"] == pytest.approx(0.61, abs=0.01)


@needs_upstream
def test_gsm8k_to_gsm1k() -> None:
    paper = json.loads((SHARED / "reference" / "gsm1k_2405.00332v4.json").read_text(encoding="utf-8"))
    rows = [
        result(side, model["model"], model[key])
        for model in paper["models"]
        for side, key in (("old", "gsm8k"), ("new", "gsm1k"))
    ]
    facts = [benchmark("old", n_items=paper["n_gsm8k"]), benchmark("new", n_items=paper["n_gsm1k"])]
    tables = compared(rows, *facts, source_id="lab", test="difference")
    row = linear(tables)
    assert row["slope"] == pytest.approx(1.002, abs=0.01)
    assert row["r2"] == pytest.approx(0.992, abs=0.002)
    assert row["gap"] == pytest.approx(2.07, abs=0.01)
    assert abs(tables.twin_residual["flagged"].sum() - 14) <= 2


@needs_upstream
def test_humaneval_to_plus() -> None:
    newest = versions("evalplus/evalplus.github.io", "results.json")[-1].json()
    rows = [
        result(side, model, entry["pass@1"][key] / 100)
        for model, entry in newest.items()
        for side, key in (("old", "humaneval"), ("new", "humaneval+"))
        if entry["pass@1"].get(key) is not None
    ]
    assert linear(compared(rows, source_id="lab"))["gap"] == pytest.approx(4.97, abs=0.1)


@needs_upstream
@pytest.mark.parametrize(("column", "n_column"), [("cifar10.1_v4_acc", "n_v4"), ("cifar10.1_v6_acc", "n_v6")])
def test_cifar_10_to_10_1(column: str, n_column: str) -> None:
    table = pl.read_csv(SHARED / "reference" / "cifar10_vs_10.1.csv")
    rows = []
    for line in table.iter_rows(named=True):
        rows.append(result("old", line["model"], line["cifar10_acc"], n_items=line["n_orig"]))
        rows.append(result("new", line["model"], line[column], n_items=line[n_column]))
    row = linear(compared(rows))
    if column == "cifar10.1_v4_acc":
        assert row["slope"] == pytest.approx(1.617, abs=0.01)
        assert row["gap"] == pytest.approx(8.11, abs=0.01)
    else:
        assert row["slope"] > 1 and row["gap"] > 0
