from datetime import date
from typing import Any

import numpy as np
import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.figures import twin as scatter
from benchhealth.dashboard.figures.chart import Chart
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.trust import charts
from benchhealth.dashboard.pages.trust.figures import breakdown

KNOWN = date(2024, 8, 22)
HOSTILE = "<i>x</i> $y$ %{z}"


def side_by_side(n: int = 12, flagged: int = 2) -> pl.DataFrame:
    """Models on both sides, the first `flagged` of them below what is expected."""
    rows = [
        {
            "model_id": f"m{number}",
            "original": 40.0 + number,
            "other": 40.0 + number - (8.0 if number < flagged else 0.0),
            "expected": 40.0 + number,
            "residual": -8.0 - number if number < flagged else 0.1 * number,
            "std_error": 1.0,
            "p_value": 0.001 if number < flagged else 0.6,
            "q_value": 0.01 if number < flagged else 0.7,
            "flagged": number < flagged,
        }
        for number in range(n)
    ]
    schema = {name: kind for name, kind in PUBLISHED["twin_residual"].items() if name != "twin_id"}
    whose = {"own": pl.lit(value=False), "beside": pl.lit(value=False)}
    return pl.DataFrame(rows, schema=schema).with_columns(model=pl.format("Model {}", "model_id"), **whose)


def pair(**more: object) -> dict[str, Any]:
    return {
        "twin_id": "a-to-b",
        "original_id": "a",
        "other_id": "b",
        "original": "A",
        "other": "B",
        "original_unit": "percent",
        "other_unit": "percent",
        "kind": "fresh sample",
        "scale": "linear",
        "n_models": 12,
        "tested": 12,
        "flagged": 0,
        "gap": 1.25,
        "gap_low": 0.75,
        "gap_high": 1.75,
        "slope": 1.1,
        "slope_low": 1.0,
        "slope_high": 1.2,
        "intercept": -5.0,
        "r2": 0.98,
        "kendall_tau": 0.94,
        "kendall_tau_top": 0.61,
        "known_until": KNOWN,
        "n_released": 12,
        "first_year": 2020,
        "last_year": 2024,
        **more,
    }


def test_the_finding_says_gap_and_order_overall_and_at_the_top() -> None:
    assert scatter.title(pair(gap=1.2)) == "A: scores are 1.2 points lower on B"
    within = pair(gap=1.2, gap_low=-0.4, gap_high=2.8)
    assert scatter.title(within) == "A: scores are 1.2 points lower on B, within error"
    unknown = pair(gap=1.2, gap_low=None, gap_high=None)
    assert scatter.title(unknown) == "A: scores are 1.2 points lower on B; its error is not known"
    assert scatter.subtitle(pair(gap=1.2)).startswith(
        "Mean over 12 results: 1.2 points lower [0.8, 1.8]; order agrees with tau 0.94, 0.61 at the top; data to "
        "Aug 2024."
    )
    assert "higher on B" in scatter.title(pair(gap=-1.0))
    assert scatter.title(pair(n_models=0, gap=None)) == "A: no model was measured on B too"
    assert "until when this is known is not on record" in scatter.subtitle(pair(known_until=None))
    assert scatter.title(pair(other_id="a", gap=1.0)) == "A: scores are 1 point lower on a rerun"
    assert "0.50 units of log odds lower" in scatter.title(pair(scale="logit", gap=0.5))


def test_many_models_off_the_line_are_the_finding_and_a_single_one_is_not() -> None:
    assert scatter.title(pair(flagged=2)) == "A: 2 of 12 results are lower on B than expected"
    assert "lower on B" in scatter.title(pair(tested=1000, flagged=1))


def test_a_model_of_ones_own_is_a_diamond_and_counts_for_nothing_that_is_said() -> None:
    mine = side_by_side(flagged=3).with_columns(own=pl.col("model_id") == "m0", beside=pl.col("model_id") == "m0")
    drawn = scatter.figure(pair(flagged=2), mine, LIGHT)
    (diamond,) = (trace for trace in drawn.data if trace.mode == "markers" and trace.marker.symbol == "diamond")
    assert len(diamond.x) == 1
    assert "your own" in diamond.hovertext[0]


def test_flagged_models_are_told_by_shape_and_the_two_furthest_by_name() -> None:
    drawn = scatter.figure(pair(flagged=3), side_by_side(flagged=3), LIGHT)
    shapes = {trace.marker.symbol: len(trace.x) for trace in drawn.data if trace.mode == "markers"}
    assert shapes == {"circle": 9, "square": 3}
    assert {note.text for note in drawn.layout.annotations} >= {"Model m1 \u22129", "Model m2 \u221210"}
    assert not any("m0" in note.text for note in drawn.layout.annotations)


def test_both_lines_are_there_and_the_fit_goes_through_intercept_and_slope() -> None:
    lines = [trace for trace in scatter.figure(pair(), side_by_side(), LIGHT).data if trace.mode == "lines"]
    same, fit = lines
    assert np.array_equal(same.x, same.y)
    assert np.allclose(fit.x, -5.0 + 1.1 * fit.y, atol=1e-3), "the second, across, by the first, up"
    without = scatter.figure(pair(slope=None, slope_low=None, slope_high=None, intercept=None), side_by_side(), LIGHT)
    assert len([trace for trace in without.data if trace.mode == "lines"]) == 1


def test_a_steep_fit_does_not_leave_the_heights_of_the_models() -> None:
    rows = side_by_side()
    fit = scatter.figure(pair(slope=40.0, intercept=-1900.0), rows, LIGHT).data[1]
    assert fit.x.min() >= rows["other"].min() - 1
    assert fit.x.max() <= rows["other"].max() + 1


def test_on_the_probit_scale_scores_without_a_place_are_left_out() -> None:
    rows = side_by_side().with_columns(original=pl.when(pl.col("model_id") == "m3").then(100.0).otherwise("original"))
    drawn = scatter.figure(pair(scale="probit", slope=1.0, intercept=0.0), rows, LIGHT)
    drawn_points = sum(len(trace.x) for trace in drawn.data if trace.mode == "markers")
    assert drawn_points == rows.height - 1
    assert "%" not in "".join(drawn.layout.xaxis.ticktext)


def test_published_names_stay_text() -> None:
    rows = side_by_side().with_columns(model=pl.lit(HOSTILE))
    named = pair(original=HOSTILE, other=HOSTILE)
    drawn = scatter.figure(named, rows, LIGHT)
    assert "<i>" not in drawn.to_json()
    assert "\\u003ci" not in drawn.to_json()
    assert "$y$" not in drawn.to_json()


def test_on_the_logit_scale_ticks_stand_at_log_odds() -> None:
    drawn = scatter.figure(pair(scale="logit", slope=1.0, intercept=0.0), side_by_side(), LIGHT)
    places = dict(zip(drawn.layout.xaxis.ticktext, drawn.layout.xaxis.tickvals, strict=True))
    assert places["50"] == 0


def groups(*rows: tuple[str, int, float, float, float | None, float | None]) -> pl.DataFrame:
    names = ["group", "n_models", "mean_residual", "shrunk", "low", "high"]
    return pl.DataFrame(list(rows), schema={name: PUBLISHED["twin_group"][name] for name in names}, orient="row")


def test_groups_are_named_only_where_their_interval_leaves_what_is_expected_out() -> None:
    off = groups(("Lab", 9, -4.0, -3.0, -5.0, -1.0), ("Other", 3, 2.0, 0.5, -1.0, 2.0))
    assert breakdown.group_finding(pair(), off, "organisation") == (
        "By organisation: 1 of 2 groups of 12 results off what is expected, Lab lowest by −3.0 points; data to Aug 2024"
    )
    assert "By family, of 1 group of 3 results none stands out" in breakdown.group_finding(
        pair(), off.tail(1), "family"
    )
    alone = groups(("Lab", 1, -4.0, -4.0, None, None))
    assert "Too few models" in breakdown.group_finding(pair(), alone, "weights")
    drawn = breakdown.groups(pair(), off, "organisation", LIGHT)
    assert isinstance(drawn, Chart)
    assert drawn.title == "Lab lies furthest below what is expected"
    crowd = groups(
        *((f"Lab {n}", 9, 0.0, 0.0, -1.0, 1.0) for n in range(breakdown.GROUP_LIMIT)), ("Few", 2, -4, -3, -5, -1)
    )
    assert breakdown.group_finding(pair(), crowd, "family").endswith("Few lowest by −3.0 points; data to Aug 2024")
    assert breakdown.largest(crowd)["group"].to_list()[0] == "Few", "what the title names is drawn"
    assert breakdown.largest(crowd).height == breakdown.GROUP_LIMIT
    assert [trace.name for trace in drawn.figure.data] == ["as measured", "shrunk, with 95% interval"]


def test_a_gap_over_time_is_told_with_its_interval() -> None:
    years = pl.DataFrame(
        {"at": [2020, 2021], "n_models": [3, 1], "gap": [1.0, 2.0], "low": [0.5, None], "high": [1.5, None]}
    )
    drift = {"per_year": 1.0, "per_year_low": 0.5, "per_year_high": 1.5}
    assert breakdown.age_finding(pair(**drift)) == (
        "The gap is larger for models released later: +1.0 [+0.5, +1.5] points a year, over 12 results of models "
        "released in 2020 to 2024; data to Aug 2024"
    )
    assert "not found to be another" in breakdown.age_finding(pair(**{**drift, "per_year_low": -0.5}))
    unknown = breakdown.age_finding(pair(per_year=None, per_year_low=None, per_year_high=None, n_released=3))
    assert "not known: of 12 results 3 are of models with a known day of release" in unknown
    chart = breakdown.ages(pair(**drift), years, "year", LIGHT)
    assert isinstance(chart, Chart)
    assert len(chart.figure.data[0].x) == 2
    assert chart.title == "Models released later lose more on B"


def test_orders_that_carry_over_are_drawn_from_both_ends() -> None:
    rows = pl.DataFrame(
        {
            "other": [f"Suite: {HOSTILE} {number:02}" for number in range(60)],
            "n_models": [12] * 60,
            "kendall_tau": [1 - number / 60 for number in range(60)],
        }
    ).with_columns(low=pl.col("kendall_tau") - 0.1, high=pl.col("kendall_tau") + 0.1)
    chart = charts.transfer_chart("A", rows, KNOWN, LIGHT)
    assert isinstance(chart, Chart)
    drawn = chart.figure
    assert chart.rows.height == len(drawn.data[0].x) == charts.TRANSFER_ROWS
    assert "<i>" not in drawn.to_json() and "\\u003ci" not in drawn.to_json()
    assert "60 other benchmarks with ten models in common or more: 1.00 to" in charts.transfer_finding("A", rows, KNOWN)
    assert "not known" in charts.transfer_finding(
        "A", rows.with_columns(kendall_tau=pl.lit(None, dtype=pl.Float64)), KNOWN
    )
    assert "tau 1.00 over 12 models" in charts.transfer_finding("A", rows.head(1), KNOWN)
