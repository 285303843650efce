"""Sentences about the whole field where the numbers fall the other way, and its scatter."""

from datetime import date

import polars as pl

from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.field import proxy
from benchhealth.dashboard.words.goodhart import attention, proxies, reports

KNOWN = date(2025, 11, 21)


def named(*names: str) -> pl.DataFrame:
    value = [float(index + 1) for index in range(len(names))]
    return pl.DataFrame(
        {"name": names, "value": value, "low": [v / 2 for v in value], "high": [v * 2 for v in value], "n": 3}
    )


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


def test_a_scatter_names_the_widest_gaps() -> None:
    rows = pl.DataFrame(
        {
            "name": [f"b{index}" for index in range(9)],
            "pressure": [1.0 + index for index in range(9)],
            "gap": [index - 4.0 for index in range(9)],
            "subject": [f"b{index}" for index in range(9)],
        }
    )
    text = proxy.pressure_figure(rows, [""] * 9, LIGHT, x_title="x", logarithmic=True).data[0].text
    assert sum(bool(name) for name in text) == proxy.NAMED_POINTS
    assert text[0] == "b0"
    assert text[4] == ""


def test_sentences_say_which_way_and_what_is_unknown() -> None:
    gaps = pl.DataFrame({"name": ["a"] * 9})
    wide = {"value": 0.8, "low": 0.4, "high": 0.9, "n": 9}
    assert proxies.pressure(wide, gaps, "twins", KNOWN).startswith(
        "The gap to a second measurement is wider where more is tried"
    )
    narrow = {"value": -0.8, "low": -0.9, "high": -0.4, "n": 9}
    assert "is narrower" in proxies.pressure(narrow, gaps, "equal preparation", KNOWN)
    assert proxies.pressure(None, gaps, "self-reports", KNOWN).endswith("under more pressure is not known")
    assert proxies.gap_of("self-reports").endswith("in the condition that counts")
    assert "mean over its twins" in proxies.gap_of("twins")
    assert reports.advances(None, gaps, "year", KNOWN).endswith("not known")
    assert reports.premium(None, named("a"), "benchmark", KNOWN).endswith("not known")
    assert reports.judges(named("a").with_columns(value=pl.lit(None, pl.Float64)), KNOWN).endswith("not known")
    levels = pl.DataFrame({"level": [50, 50], "year": [2024, 2025], "value": [1.0, 1.0]})
    assert attention.cost("Exam", None, levels, KNOWN) == "Exam: how cost goes with score is not known"


def test_the_title_of_reports_is_of_all_and_says_whether_it_is_clear_of_zero() -> None:
    each = pl.DataFrame({"low": [1.0, -2.0, -5.0], "high": [3.0, 2.0, -1.0]})
    assert reports.premium_title({"value": 1.5, "low": -1.0, "high": 4.0}, each, "benchmark") == (
        "Whether makers report more than others measure is not clear on average"
    )
    assert "points less, clear of zero" in reports.premium_title(
        {"value": -1.5, "low": -2.0, "high": -1.0}, each, "benchmark"
    )


def test_benchmarks_with_a_premium_are_named_and_of_many_the_first() -> None:
    overall = {"value": 1.9, "low": 0.1, "high": 3.8, "n": 121}
    assert reports.premium(overall, named("a"), "benchmark", KNOWN).endswith("of 1 benchmark rerun in one condition: a")
    four = reports.premium(overall, named("a", "b", "c", "d"), "benchmark", KNOWN)
    assert four.endswith("on 4 of 4 benchmarks rerun in one condition, a, b and c foremost")
    assert "of 2 organisations: a and b; data to" in reports.premium(None, named("a", "b"), "organisation", KNOWN)


def test_sentences_of_years() -> None:
    gini = years(0.1, 0.5).with_columns(
        status=pl.lit("ok"), measure=pl.lit("gini_of_benchmarks"), by_chance=pl.lit(0.25)
    )
    assert attention.concentration(gini, KNOWN) == (
        "The Gini coefficient of entries over 5 benchmarks with an entry in 2021 is 0.50 (0.40 to 0.60), where "
        "equal chances would give 0.25; data to Nov 2025 at the latest"
    )
    assert attention.concentration(gini.head(0), KNOWN).startswith("How concentrated attention is cannot be said")
    compared = {"value": 9.0}
    assert attention.same_sources(compared, gini) == "; each year over the same 9 sources"
    assert attention.same_sources(compared, gini.tail(1)) == "; over the 9 sources that report in that year"
    assert not attention.same_sources(None, gini)
    sides = [years(value).with_columns(status=pl.lit("ok"), measure=pl.lit(name)) for name, value in
             (("frontier_open_weights", 0.45), ("entries_open_weights", 0.5))]  # fmt: skip
    assert "against 50% (40 to 60%) of 5 entries: within error" in attention.openness(pl.concat(sides), KNOWN)
    for value, expected in ((0.33, "less, though the two intervals overlap"), (0.2, "clearly less")):
        steps = years(value).with_columns(status=pl.lit("ok"), measure=pl.lit("frontier_open_weights"))
        assert expected in attention.openness(pl.concat([steps, sides[1]]), KNOWN)
    assert attention.openness(sides[0], KNOWN).endswith("is not known")


def test_a_leaderboard_without_an_estimate_says_what_chance_alone_would_do() -> None:
    rows = pl.DataFrame(
        {"name": ["Org"], "n": [9], "by_noise": [2.0], "excess": [None]}, schema_overrides={"excess": pl.Float64}
    )
    sentence = reports.selection("Exam", rows, "points", KNOWN)
    assert sentence.endswith("the best of 9 entries by Org would still look 2.0 points better; data to Nov 2025")
