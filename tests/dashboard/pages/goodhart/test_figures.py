"""The drawings of the Goodhart page, and its sentences where the numbers fall the other way."""

from datetime import date

import numpy as np
import polars as pl

from dashboard.pages.goodhart import figures, words
from tests.support.small_generation import HOSTILE

KNOWN = date(2025, 11, 21)


def named(*names: str) -> pl.DataFrame:
    value = [float(at + 1) for at in range(len(names))]
    return pl.DataFrame(
        {"name": names, "value": value, "low": [v / 2 for v in value], "high": [v * 2 for v in value], "n": 3}
    )


def years(*values: float) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "year": [2020 + at for at in range(len(values))],
            "value": values,
            "low": [v - 0.1 for v in values],
            "high": [v + 0.1 for v in values],
            "n": 5,
        },
        schema_overrides={"value": pl.Float64},
    )


def test_rows_have_points_intervals_and_names_that_stay_text() -> None:
    figure = figures.rows_of(named("a", HOSTILE), (figures.PLAIN,), ["a", "b"], axis="x", reference=0.0)
    trace = figure.data[0]
    assert trace.x.tolist() == [1, 2]
    assert trace.error_x.array.tolist() == [1, 2]
    assert "<b>" not in "".join(figure.layout.yaxis.ticktext)
    assert not figure.layout.showlegend


def test_series_differ_in_shape_and_not_in_colour_alone() -> None:
    for group in (
        (figures.OVER_ALL, figures.AT_TOP, figures.CORRECTED),
        (figures.BENCHMARKS, figures.ORGANISATIONS),
        (figures.STEPS, figures.ENTRIES),
        (figures.EXCESS, figures.NOISE),
        (figures.BY_JUDGES, figures.BY_PEOPLE),
    ):
        assert len({one.symbol for one in group}) == len({one.colour for one in group}) == len(group)
    assert len({symbol for symbol, _ in figures.LEVEL_LOOKS}) == len(figures.LEVEL_LOOKS)


def test_long_names_take_two_lines_at_most() -> None:
    long = "A very long name of a benchmark, with its metric and its edition, and more of it"
    label = figures.rows_of(named(long), (figures.PLAIN,), [""], axis="x").layout.yaxis.ticktext[0]
    assert label.count("<br>") == 1
    assert "…" in label


def test_logarithmic_axes_have_ticks_within_what_is_drawn() -> None:
    figure = figures.rows_of(named("a", "b"), (figures.PLAIN,), ["", ""], axis="x", logarithmic=True)
    low, high = figure.layout.xaxis.range
    ticks = np.log10(np.array(figure.layout.xaxis.tickvals))
    assert (ticks >= low).all()
    assert (ticks <= high).all()
    assert list(figure.layout.xaxis.ticktext) == ["0.5", "1", "2", "5"]


def test_lines_over_years_leave_out_what_is_unknown_and_mark_a_date() -> None:
    rows = years(0.2, 0.5).vstack(years(0.0).with_columns(year=pl.lit(2030, pl.Int64), value=None))
    figure = figures.years_of([(figures.PLAIN, rows), (figures.ENTRIES, years())], axis="y", span=(0, 1))
    assert figure.data[0].y.tolist() == [np.float32(0.2), np.float32(0.5)]
    assert list(figure.layout.xaxis.range) == [2019.5, 2021.5]
    figures.mark_date(figure, date(2020, 7, 1), 2020.3, 2020.6)
    assert figure.layout.annotations[-1].text == "2020-07-01"


def test_no_year_at_all_is_an_empty_chart() -> None:
    assert len(figures.years_of([(figures.PLAIN, years())], axis="y").data[0].x) == 0


def test_a_scatter_names_the_widest_gaps() -> None:
    rows = pl.DataFrame(
        {
            "name": [f"b{at}" for at in range(9)],
            "pressure": [1.0 + at for at in range(9)],
            "gap": [at - 4.0 for at in range(9)],
        }
    )
    text = figures.scattered(rows, [""] * 9, across="x", up="y", logarithmic=True).data[0].text
    assert sum(bool(name) for name in text) == figures.NAMED_POINTS
    assert text[0] == "b0"
    assert text[4] == ""


def test_sentences_say_which_way_and_what_is_unknown() -> None:
    gaps = pl.DataFrame({"name": ["a"] * 9})
    wide = {"value": 0.8, "low": 0.4, "high": 0.9, "n": 9}
    assert words.pressure(wide, gaps, "twins", KNOWN).startswith(
        "The gap to a second measurement is wider where more is tried"
    )
    narrow = {"value": -0.8, "low": -0.9, "high": -0.4, "n": 9}
    assert "is narrower" in words.pressure(narrow, gaps, "equal preparation", KNOWN)
    assert words.pressure(None, gaps, "self-reports", KNOWN).endswith("under more pressure is not known")
    assert words.shortfall(None, "points", KNOWN).startswith("Whether the two diverged")
    step = {"p": 0.01, "n_points": 60, "on_date": "2024-11-05", "lower_by": 14.2, "lower_low": 8.2, "lower_high": 20.2}
    assert "lies 14.2 rating points lower (95%: 8.2 to 20.2) at the same proxy" in words.shortfall(
        step, "rating points", KNOWN
    )
    assert words.advances(None, gaps, "year", KNOWN).endswith("not known")
    assert words.premium(None, named("a"), "benchmark", KNOWN).endswith("not known")
    assert words.judges(named("a").with_columns(value=pl.lit(None, pl.Float64)), KNOWN).endswith("not known")
    nothing = pl.DataFrame(schema={"p": pl.Float64, "status": pl.String})
    assert words.lead(nothing, None, None, KNOWN) == "Nothing can be said yet about what optimising does."
    levels = pl.DataFrame({"level": [50, 50], "year": [2024, 2025], "value": [1.0, 1.0]})
    assert words.cost("Exam", None, levels, KNOWN) == "Exam: how cost goes with score is not known"


def test_sentences_of_years() -> None:
    gini = years(0.1, 0.5).with_columns(status=pl.lit("ok"), measure=pl.lit("gini_of_benchmarks"))
    assert words.concentration(gini, "gini", KNOWN) == (
        "The Gini coefficient of entries over 5 benchmarks with an entry in 2021 in the sources read here is 0.50 "
        "(0.40 to 0.60); known until Nov 2025 at the latest; years are not compared, as their sources differ"
    )
    assert words.concentration(gini.head(0), "gini", KNOWN).startswith("How concentrated attention is cannot be said")
    hhi = gini.with_columns(measure=pl.lit("hhi_of_benchmarks"))
    same = words.concentration(hhi, "hhi", KNOWN)
    assert "fall on the same one in 50% (40 to 60%) of cases" in same and "2020" not in same
    sides = [years(value).with_columns(status=pl.lit("ok"), measure=pl.lit(name)) for name, value in
             (("frontier_open_weights", 0.45), ("entries_open_weights", 0.5))]  # fmt: skip
    assert "about as often as they enter (50% of 5 entries)" in words.openness(pl.concat(sides), KNOWN)
    assert words.openness(sides[0], KNOWN).endswith("is not known")


def test_a_leaderboard_without_an_estimate_says_what_chance_alone_would_do() -> None:
    rows = pl.DataFrame(
        {"name": ["Org"], "n": [9], "by_noise": [2.0], "excess": [None]}, schema_overrides={"excess": pl.Float64}
    )
    said = words.selection("Exam", rows, "points", KNOWN)
    assert said.endswith("the best of 9 entries by Org would still look 2.0 points better; known until Nov 2025")
