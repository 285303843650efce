from datetime import date, datetime, timedelta

import numpy as np
import plotly.graph_objects as go
import polars as pl
import pytest

from dashboard.figures import base, curve, leaderboard
from tests.support.small_generation import HOSTILE

FACTS = {
    "benchmark_id": "exam",
    "name": "Exam",
    "metric": "accuracy",
    "unit": "percent",
    "higher_is_better": True,
    "floor": 0.25,
    "ceiling": 0.98,
    "ceiling_basis": "label errors",
    "human": 0.868,
    "n_items": 100,
}
START = date(2020, 1, 1)


def steps(*scores: float) -> pl.DataFrame:
    """A frontier of one step a month that is extended by a year."""
    dated = [START + timedelta(days=30 * place) for place in range(len(scores))]
    return pl.DataFrame(
        {
            "dated_on": [*dated, dated[-1] + timedelta(days=365)],
            "score": [*scores, scores[-1]],
            "model": ["m"] * (len(scores) + 1),
            "carried": [False] * len(scores) + [True],
        }
    )


def results(number: int, model: str = "m", basis: str = "evaluation") -> pl.DataFrame:
    return pl.DataFrame(
        {
            "model": [model] * number,
            "setting": [""] * number,
            "source_id": ["lab"] * number,
            "score": np.linspace(0.3, 0.9, number),
            "dated_on": [START + timedelta(days=place % 900) for place in range(number)],
            "date_basis": [basis] * number,
            "first_observed_at": [datetime(2024, 1, 1)] * number,
        }
    )


def texts(figure: go.Figure) -> str:
    return str(figure.to_plotly_json())


def test_a_line_is_thinned_to_the_limit_and_keeps_its_ends_and_peak() -> None:
    x = np.arange("2000-01-01", "2020-01-01", dtype="datetime64[D]")
    y = np.zeros(len(x), dtype=np.float32)
    y[3000] = 1
    thin_x, thin_y = base.thinned(x, y)
    assert len(thin_x) == len(thin_y) <= base.LINE_LIMIT
    assert thin_y.max() == 1
    assert (thin_x[0], thin_x[-1]) == (x[0], x[-1])


@pytest.mark.parametrize(
    ("number", "kind"),
    [(10, "scatter"), (base.SVG_LIMIT + 1, "scattergl"), (base.POINT_LIMIT + 1, "heatmap")],
)
def test_points_are_drawn_as_suits_their_number(number: int, kind: str) -> None:
    figure = curve.figure(FACTS, results(number), steps(0.3, 0.9))
    assert figure.data[0].type == kind


def test_bins_hold_every_point() -> None:
    drawn = base.points(
        base.days(results(base.POINT_LIMIT + 5)["dated_on"]), base.numbers(results(base.POINT_LIMIT + 5)["score"])
    )
    assert np.nansum(drawn.z) == base.POINT_LIMIT + 5


def test_a_day_that_is_unknown_is_not_drawn_at_1970() -> None:
    with pytest.raises(ValueError, match="1 of 2 days are unknown"):
        base.days(pl.Series([START, None]))


def test_numbers_are_32_bit_arrays_with_nan_for_null() -> None:
    made = base.numbers(pl.Series([1.0, None]))
    assert made.dtype == np.float32
    assert np.isnan(made[1])


def test_the_curve_says_where_the_best_went_and_when_the_human_line_was_passed() -> None:
    assert curve.finding(FACTS, steps(0.5, 0.9)) == (
        "Exam: the best score went from 50.0% (2020-01-01) to 90.0% (2020-01-31); known until 2021-01-30; "
        "past the human baseline of 86.8% since 2020-01-31"
    )
    assert "the human baseline of 86.8% stands" in curve.finding(FACTS, steps(0.5, 0.6))
    assert "is still the best" in curve.finding(FACTS, steps(0.5))
    assert "human" not in curve.finding({**FACTS, "human": None}, steps(0.5))


def test_the_curve_of_a_board_that_moved_ends_where_nobody_looked_and_compares_no_two_scales() -> None:
    rating = {**FACTS, "unit": "rating", "ceiling": None, "human": None, "floor": None}
    moved = steps(1250.0, 1200.0, 1300.0)
    first, second, third, as_of = moved["dated_on"]
    spans = [(first, first + timedelta(days=10)), (second, as_of - timedelta(days=1))]
    assert curve.finding(rating, moved, spans) == (
        "Exam, since its board last changed its scale or its source: the best score went from 1,200 (2020-01-31) to "
        "1,300 (2020-03-01); known until 2021-03-01"
    )
    line = curve.figure(rating, results(0), moved, spans=spans).data[-1]
    days, scores = line.x.astype(object), line.y
    drawn = [(on, None if np.isnan(score) else float(score)) for on, score in zip(days, scores, strict=True)]
    assert drawn == [
        (first, 1250.0),
        (first + timedelta(days=10), 1250.0),
        (first + timedelta(days=10), None),
        (second, 1200.0),
        (third, 1300.0),
        (as_of - timedelta(days=1), 1300.0),
        (as_of, 1300.0),
    ]


def test_lower_is_better_passes_the_human_line_downwards() -> None:
    lower = {**FACTS, "higher_is_better": False, "human": 0.2}
    assert "since 2020-01-31" in curve.finding(lower, steps(0.5, 0.1))


def test_the_curve_without_a_result_says_so() -> None:
    none = steps(0.5).clear()
    assert curve.finding(FACTS, none) == "Exam: no model has a result"
    assert len(curve.figure(FACTS, results(0), none).data) == 0


def test_the_curve_is_carried_and_labels_its_lines() -> None:
    drawn = curve.figure(FACTS, results(3), steps(0.5, 0.9))
    assert drawn.data[-1].x[-1] == np.datetime64("2021-01-30")
    labels = {annotation.text for annotation in drawn.layout.annotations}
    assert labels == {"ceiling 98.0%", "human 86.8%", "chance 25.0%", "best 90.0%"}


def test_curves_under_other_conditions_are_drawn_beside_and_named() -> None:
    own = steps(0.5, 0.6).with_columns(condition=pl.lit("no tools"))
    beside = steps(0.7, 0.97).with_columns(condition=pl.lit("<b>tools</b>"))
    drawn = curve.figure(FACTS, results(3), own, beside)
    dotted = [trace for trace in drawn.data if trace.line.dash == "dot"]
    assert [trace.name for trace in dotted] == ["best: &lt;b&gt;tools&lt;/b&gt;"]
    assert dotted[0].y[-1] == pytest.approx(97)
    assert curve.finding(FACTS, own).startswith("Exam (no tools): the best score went from 50.0%")
    assert "Dotted: the running best under <b>tools</b>." in curve.alt_text(FACTS, results(3), own, beside)


def test_names_in_figures_are_literal() -> None:
    drawn = curve.figure(FACTS, results(2, model=HOSTILE), steps(0.5))
    assert "<b>Best" not in texts(drawn)
    assert "&lt;b&gt;Best" in texts(drawn)
    shown = leaderboard.figure(leaderboard.top(leaders(HOSTILE), "percent", 100), "percent")
    assert "<b>Best" not in texts(shown)


def test_every_date_basis_has_a_look() -> None:
    from analytics.record.tables import DATE_BASES

    assert set(curve.BASIS_LOOK) == {*DATE_BASES, curve.FIRST_LOOK}


def test_what_has_no_date_is_drawn_at_the_look_and_never_as_a_step() -> None:
    undated = results(1, basis="snapshot").with_columns(dated_on=pl.lit(None, dtype=pl.Date))
    best = pl.when("carried").then(0.9).otherwise("score")
    ends = steps(0.5).with_columns(score=best)
    drawn = curve.figure(FACTS, undated, ends)
    points, line = drawn.data[0], drawn.data[-1]
    assert (points.name, str(points.x[0])[:10]) == (curve.BASIS_LOOK[curve.FIRST_LOOK][2], "2024-01-01")
    assert list(line.y) == [50.0, 50.0]
    assert "the best, 90.0%, was there at the first look and has no date" in curve.finding(FACTS, ends)
    alone = curve.finding(FACTS, ends.filter("carried"))
    assert alone == "Exam: the best score, 90.0%, was there at the first look; known until 2020-12-31"


def leaders(name: str = "m", rank_low: tuple[int | None, ...] = (1, 1, 2)) -> pl.DataFrame:
    number = len(rank_low)
    return pl.DataFrame(
        {
            "rank": list(range(1, number + 1)),
            "rank_low": list(rank_low),
            "rank_high": [number] * number,
            "model": [f"{name} {place}" for place in range(number)],
            "score": [0.9 - 0.01 * place for place in range(number)],
            "std_error": [None] * number,
            "n_items": [None] * number,
            "observed_at": [datetime(2025, 1, 3)] * number,
        },
        schema_overrides={"rank_low": pl.Int64, "std_error": pl.Float64, "n_items": pl.Int64},
    )


def test_the_leaderboard_counts_who_cannot_be_distinguished_from_the_first() -> None:
    listed = leaders()
    rows = leaderboard.top(listed, "percent", 100)
    assert rows["standing"].to_list() == ["first", "first", "behind"]
    assert rows["error"].is_not_null().all()
    assert leaderboard.finding(rows, listed, "percent").startswith(
        "m 0 leads with 90.0%, first of 3 models listed on 2025-01-03; 1 other model cannot"
    )
    alone = leaders(rank_low=(1, 2))
    said = leaderboard.finding(leaderboard.top(alone, "percent", 100), alone, "percent")
    assert said == "m 0 leads with 90.0%, first of 2 models listed on 2025-01-03, by more than the errors"


def test_without_errors_nobody_is_called_first_for_sure() -> None:
    listed = leaders(rank_low=(None, None))
    rows = leaderboard.top(listed, "rating", None)
    assert rows["standing"].to_list() == ["unknown", "unknown"]
    assert "without known errors" in leaderboard.finding(rows, listed, "rating")
    assert leaderboard.figure(rows, "rating").data


def test_a_leaderboard_s_axis_says_what_is_measured_and_what_the_bars_are() -> None:
    rows = leaderboard.top(leaders(), "percent", 400)
    assert leaderboard.figure(rows, "percent", "accuracy").layout.xaxis.title.text == "accuracy, bars: 95%"
    unknown = leaderboard.top(leaders(rank_low=(None, None)), "rating", None)
    assert leaderboard.figure(unknown, "rating", "Elo").layout.xaxis.title.text == "rating"


def test_curve_and_leaderboard_have_an_alternative_in_words() -> None:
    assert "3 published results" in curve.alt_text(FACTS, results(3), steps(0.5))
    assert "The first 3 of 3 models" in leaderboard.alt_text(leaders(), leaders())


def test_scores_are_written_in_their_unit() -> None:
    assert base.score_text(0.884, "percent") == "88.4%"
    assert base.score_text(1251.2, "rating") == "1,251"
    assert base.score_text(7.25, "minutes") == "7.2"
    assert base.score_text(None, "percent") == "unknown"
