from typing import Any

import numpy as np
import polars as pl

from analytics.tables import PUBLISHED
from dashboard.figures import residuals, twin

HOSTILE = "<i>x</i> $y$ %{z}"


def side_by_side(n: int = 12, flagged: int = 2) -> pl.DataFrame:
    """Models on both sides, the first `flagged` of them below what is expected."""
    rows = [
        {
            "model_id": f"m{at}",
            "original": 40.0 + at,
            "other": 40.0 + at - (8.0 if at < flagged else 0.0),
            "expected": 40.0 + at,
            "residual": -8.0 - at if at < flagged else 0.1 * at,
            "std_error": 1.0,
            "p_value": 0.001 if at < flagged else 0.6,
            "q_value": 0.01 if at < flagged else 0.7,
            "flagged": at < flagged,
        }
        for at in range(n)
    ]
    schema = {name: kind for name, kind in PUBLISHED["twin_residual"].items() if name != "twin_id"}
    return pl.DataFrame(rows, schema=schema).with_columns(model=pl.format("Model {}", "model_id"))


def pair(**more: object) -> dict[str, Any]:
    return {
        "twin_id": "a-to-b",
        "original": "A",
        "other": "B",
        "original_unit": "percent",
        "other_unit": "percent",
        "kind": "fresh sample",
        "scale": "linear",
        "n_models": 12,
        "gap": 1.25,
        "slope": 1.1,
        "slope_low": 1.0,
        "slope_high": 1.2,
        "intercept": -5.0,
        "r2": 0.98,
        "kendall_tau": 0.94,
        "kendall_tau_top": 0.61,
        **more,
    }


def test_the_finding_says_gap_and_order_overall_and_at_the_top() -> None:
    said = (
        "A to B: 12 results are on average 1.2 points lower on the second; order holds with tau 0.94, 0.61 at the top"
    )
    assert twin.finding(pair(gap=1.2)) == said
    assert "higher on the second" in twin.finding(pair(gap=-1.0))
    assert twin.finding(pair(n_models=0, gap=None)) == "No model was measured on both A and B"


def test_flagged_models_are_told_by_shape_and_name() -> None:
    drawn = twin.figure(pair(), side_by_side())
    shapes = {trace.name: trace.marker.symbol for trace in drawn.data if trace.mode == "markers"}
    assert shapes == {"as expected or not tested": "circle", "flagged": "diamond"}
    assert {note.text for note in drawn.layout.annotations} == {"Model m0", "Model m1"}


def test_both_lines_are_there_and_the_fit_goes_through_intercept_and_slope() -> None:
    lines = [trace for trace in twin.figure(pair(), side_by_side()).data if trace.mode == "lines"]
    same, fit = lines
    assert np.array_equal(same.x, same.y)
    assert np.allclose(fit.y, -5.0 + 1.1 * fit.x, atol=1e-3)
    without = twin.figure(pair(slope=None, slope_low=None, slope_high=None, intercept=None), side_by_side())
    assert len([trace for trace in without.data if trace.mode == "lines"]) == 1


def test_a_steep_fit_does_not_leave_the_heights_of_the_models() -> None:
    rows = side_by_side()
    fit = twin.figure(pair(slope=40.0, intercept=-1900.0), rows).data[1]
    assert fit.y.min() >= rows["other"].min() - 1
    assert fit.y.max() <= rows["other"].max() + 1


def test_on_the_probit_scale_scores_without_a_place_are_left_out() -> None:
    rows = side_by_side().with_columns(original=pl.when(pl.col("model_id") == "m3").then(100.0).otherwise("original"))
    drawn = twin.figure(pair(scale="probit", slope=1.0, intercept=0.0), rows)
    drawn_points = sum(len(trace.x) for trace in drawn.data if trace.mode == "markers")
    assert drawn_points == rows.height - 1
    assert "%" not in "".join(drawn.layout.xaxis.ticktext)


def test_error_bars_only_where_they_can_be_told_apart() -> None:
    few, many = side_by_side(12), side_by_side(twin.ERROR_BAR_LIMIT + 1)
    assert twin.figure(pair(), few).data[-1].error_y.visible
    assert not twin.figure(pair(), many).data[-1].error_y.visible


def test_a_model_lower_on_the_second_than_expected_stands_left_of_zero() -> None:
    drawn = residuals.figure(pair(), side_by_side())
    by_name = {trace.name: trace for trace in drawn.data}
    assert (by_name["flagged"].x < 0).all()
    assert by_name["flagged"].marker.symbol == "diamond"
    assert (by_name["as expected or not tested"].x >= 0).all()


def test_residuals_are_sorted_and_the_flagged_are_never_left_out() -> None:
    rows = side_by_side(300, flagged=30)
    shown = residuals.furthest(rows)
    assert shown.height == residuals.ROW_LIMIT
    assert shown["residual"].is_sorted()
    assert shown["flagged"].sum() == 30


def test_the_finding_of_residuals_never_accuses() -> None:
    said = residuals.finding(pair(), side_by_side())
    assert said == "2 of 12 results score higher on A than B predicts; the furthest, Model m1, by 9.0 points"
    assert residuals.finding(pair(), side_by_side(flagged=0)) == "None of 12 results score higher on A than B predicts"
    untested = side_by_side().with_columns(flagged=pl.lit(None, dtype=pl.Boolean))
    assert residuals.finding(pair(), untested).startswith("No model can be tested")


def test_published_names_stay_text() -> None:
    rows = side_by_side().with_columns(model=pl.lit(HOSTILE))
    named = pair(original=HOSTILE, other=HOSTILE)
    for drawn in (twin.figure(named, rows), residuals.figure(named, rows)):
        assert "<i>" not in drawn.to_json()
        assert "\\u003ci" not in drawn.to_json()
        assert "$y$" not in drawn.to_json()
