"""Which results stand on either side of a pair, and on which scale."""

from datetime import date

import numpy as np
import pytest

from benchhealth.analytics.goodhart.measure import MeasureInputs
from benchhealth.analytics.goodhart.pairs import pooled_families
from benchhealth.analytics.statistics.regression import probit
from tests.analytics.goodhart.measure_inputs import inputs
from tests.support.frames import benchmark, result, twin_pair


def points(on: MeasureInputs) -> dict[str, tuple[float, float]]:
    pair = on.points["pair"]
    return {name: (proxy, target) for name, proxy, target in zip(pair.model_id, pair.proxy, pair.target, strict=True)}


def test_a_rerun_sets_what_makers_report_against_what_others_find() -> None:
    rows = [
        result("exam", "m1", 0.90, source_id="makers", reporter="self"),
        result("exam", "m1", 0.99, source_id="makers", reporter="third_party"),
        result("exam", "m1", 0.80, source_id="others", reporter="third_party"),
        result("exam", "m2", 0.70, source_id="others", reporter="third_party"),
    ]
    kind = {"kind": "independent rerun", "source_id": "makers", "other_source_id": "others"}
    assert points(inputs(rows, twin_pairs=[twin_pair("pair", "exam", "exam", **kind)])) == {
        "m1": (pytest.approx(90), pytest.approx(80))
    }


def test_of_several_settings_the_best_on_the_proxy_stands() -> None:
    rows = [
        result(side, "m1", score, setting=setting)
        for side, scores in (("a", (0.5, 0.7)), ("b", (0.9, 0.6)))
        for setting, score in zip(("low", "high"), scores, strict=True)
    ]
    assert points(inputs(rows, twin_pairs=[twin_pair("pair", "a", "b", source_id="lab")])) == {
        "m1": (pytest.approx(70), pytest.approx(60))
    }


def test_shares_of_known_items_are_on_the_probit_scale_and_lower_is_better_is_turned() -> None:
    rows = [result(side, "m1", 0.9, n_items=100) for side in ("a", "b")]
    lower = benchmark("b", higher_is_better=False)
    pair = inputs(rows, [benchmark("a"), lower], twin_pairs=[twin_pair("pair", "a", "b")]).points["pair"]
    expected = float(probit(np.array([0.9]), np.array([100.0]))[0])
    assert (pair.x[0], pair.y[0]) == (pytest.approx(expected), pytest.approx(-expected))
    assert (pair.proxy[0], pair.target[0]) == (pytest.approx(90), pytest.approx(-90))


def test_a_model_debuts_with_its_release_and_a_family_on_one_day_is_one_point() -> None:
    names = ("gpt-1", "gpt-2", "claude-1")
    rows = [
        result(side, name, 0.1 * index, dated_on=date(2025, 1, 5)) for side in "ab" for index, name in enumerate(names)
    ]
    models = [{"model_id": "claude-1", "released_on": date(2024, 2, 3)}]
    pair = inputs(rows, models=models, twin_pairs=[twin_pair("pair", "a", "b")]).points["pair"]
    assert pair.when.astype("datetime64[D]").astype(str).tolist() == ["2024-02-03", "2025-01-05", "2025-01-05"]
    together = pooled_families(pair)
    assert together.family == ["claude", "gpt"]
    assert together.proxy.tolist() == pytest.approx([20.0, 5.0])
    nothing = inputs([], twin_pairs=[twin_pair("pair", "a", "b")]).points["pair"]
    assert pooled_families(nothing).model_id == []
