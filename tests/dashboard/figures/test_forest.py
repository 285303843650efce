"""Rows with intervals and points over years: what every forest and every line over years has in common."""

import numpy as np
import polars as pl

from benchhealth.dashboard.figures.forest import Mark, forest, wrapped
from benchhealth.dashboard.figures.over_years import over_years
from benchhealth.dashboard.figures.palette import DARK, LIGHT
from tests.support.small_generation import HOSTILE


def named(*names: str) -> pl.DataFrame:
    value = [float(index + 1) for index in range(len(names))]
    return pl.DataFrame({"name": names, "value": value, "low": [v / 2 for v in value], "high": [v * 2 for v in value]})


def years(*values: float) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "year": [2020 + index for index in range(len(values))],
            "value": values,
            "low": [v - 0.1 for v in values],
            "high": [v + 0.1 for v in values],
            "n": 5,
        },
        schema_overrides={"value": pl.Float64},
    )


def test_rows_have_points_intervals_and_names_that_stay_text() -> None:
    figure = forest(named("a", HOSTILE), [Mark("plain")], ["a", "b"], LIGHT, axis="x", reference=0.0)
    trace = figure.data[0]
    assert trace.x.tolist() == [1, 2]
    assert trace.error_x.array.tolist() == [1, 2]
    assert "<b>" not in "".join(figure.layout.yaxis.ticktext)
    assert not figure.layout.showlegend


def test_what_the_error_does_not_carry_is_ink() -> None:
    rows = named("a", "b").with_columns(strong=pl.Series([True, False]))
    weak, strong = forest(rows, [Mark("plain")], ["a", "b"], DARK, axis="x").data
    assert (weak.marker.color, strong.marker.color) == (DARK.ink3, DARK.accent)
    assert weak.y.tolist() == [1] and strong.y.tolist() == [0]


def test_marks_of_a_row_stand_apart_and_unknown_ones_are_left_out() -> None:
    rows = named("a", "b").with_columns(other=pl.Series([None, 3.0]))
    marks = (Mark("one"), Mark("other", "other", None, None, "diamond-open", "ink3"))
    first, second = forest(rows, marks, ["a", "b"], LIGHT, axis="x").data
    assert len(first.x) == 2 and len(second.x) == 1
    assert first.y[1] != second.y[0]
    assert second.marker.color == LIGHT.paper


def test_long_names_take_two_lines_and_break_between_words() -> None:
    label = wrapped("A very long name of a benchmark, with its metric and its edition, and more of it")
    assert label.count("<br>") == 1
    assert wrapped("one two") == "one two"
    assert wrapped("model-of-many-letters-in-one-word and its edition").startswith(
        "model-of-many-letters-in-one-word<br>"
    )


def test_logarithmic_axes_have_ticks_within_what_is_drawn() -> None:
    figure = forest(named("a", "b"), [Mark("plain")], ["", ""], LIGHT, axis="x", logarithmic=True)
    low, high = figure.layout.xaxis.range
    ticks = np.log10(np.array(figure.layout.xaxis.tickvals))
    assert (ticks >= low).all()
    assert (ticks <= high).all()
    assert list(figure.layout.xaxis.ticktext) == ["0.5", "1", "2", "5"]


def test_lines_over_years_leave_out_what_is_unknown() -> None:
    rows = years(0.2, 0.5).vstack(years(0.0).with_columns(year=pl.lit(2030, pl.Int64), value=None))
    figure = over_years([(Mark("one"), rows), (Mark("other"), years())], LIGHT, span=(0, 1))
    assert figure.data[0].y.tolist() == [np.float32(0.2), np.float32(0.5)]
    assert list(figure.layout.xaxis.range) == [2019.5, 2021.5]


def test_lines_are_named_at_their_ends_and_a_line_alone_is_not() -> None:
    both = over_years([(Mark("one"), years(1, 2)), (Mark("other"), years(3, 4))], LIGHT)
    assert [note.text for note in both.layout.annotations] == ["<b>one</b>", "<b>other</b>"]
    alone = over_years([(Mark("one"), years(1, 2))], LIGHT)
    assert not alone.layout.annotations
    parts = [(Mark("one"), years(1, 2)), (Mark("last"), years(3, 4))]
    assert not over_years(parts, LIGHT, labelled=False, joined=False).layout.annotations


def test_no_year_at_all_is_an_empty_chart() -> None:
    assert len(over_years([(Mark("one"), years())], LIGHT).data) == 0
