"""Which years can be compared: the longest run, up to the newest, that the same sources report in."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.goodhart.same_sources import FEWEST_ROWS, longest_run
from tests.support.soaking import examples


def rows(reports: dict[str, dict[int, int]]) -> pl.DataFrame:
    listed = [(source, year) for source, years in reports.items() for year, n in years.items() for _ in range(n)]
    return pl.DataFrame(listed, schema={"source_id": pl.String, "year": pl.Int64}, orient="row")


def test_the_longest_run_that_three_sources_share() -> None:
    every = {2022: 9, 2023: 9, 2024: 9}
    comparison = longest_run(rows({"a": every, "b": every, "c": {2023: 9, 2024: 9}, "d": {2024: 9}}))
    assert (comparison.years, comparison.sources) == ([2023, 2024], ["a", "b", "c"])
    assert comparison.span == (2023, 2024)


def test_a_source_with_few_rows_of_a_year_does_not_report_in_it() -> None:
    comparison = longest_run(rows({"a": {2023: 4, 2024: 9}, "b": {2023: 9, 2024: 9}}))
    assert (comparison.years, comparison.sources) == ([2024], ["a", "b"])


def test_one_source_alone_is_compared_with_itself_and_a_gap_ends_the_run() -> None:
    comparison = longest_run(rows({"a": {2020: 9, 2022: 9, 2023: 9}}))
    assert (comparison.years, comparison.sources) == ([2022, 2023], ["a"])
    assert longest_run(rows({"a": {2023: 1}})) == ([], [])
    assert longest_run(rows({"a": {2023: 1}}), fewest_rows=1).years == [2023]


REPORTS = st.dictionaries(
    st.sampled_from("abcdef"), st.dictionaries(st.integers(2018, 2025), st.integers(1, 12)), max_size=6
)


@examples(20, soak=60)
@given(REPORTS)
def test_every_source_reports_in_every_year_and_the_years_are_in_a_row(reports: dict[str, dict[int, int]]) -> None:
    listed = rows(reports)
    comparison = longest_run(listed)
    assert bool(comparison.years) == bool(comparison.sources)
    assert comparison.years == list(range(comparison.years[0], comparison.years[-1] + 1)) if comparison.years else True
    assert all(reports[source][year] >= FEWEST_ROWS for source in comparison.sources for year in comparison.years)
    assert set(comparison.of(listed)["source_id"]) == set(comparison.sources)
