"""Which years can be compared: those in which the same sources report, and who they are."""

from typing import NamedTuple

import polars as pl

FEWEST_SOURCES = 3
"""With fewer sources in all years a shorter run of years is compared that more of them report in."""

FEWEST_ROWS = 5
"""Rows of a year with which a source counts as reporting in it."""


class RunOfYears(NamedTuple):
    """The `years` that are compared, oldest first, and the `sources` that report in every one of them, by id."""

    years: list[int]
    sources: list[str]

    def of(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The rows (`year`, `source_id`) of these sources and years."""
        return rows.filter(pl.col("year").is_in(self.years), pl.col("source_id").is_in(self.sources))

    @property
    def span(self) -> tuple[int, int]:
        """The first and the last year of the comparison."""
        return self.years[0], self.years[-1]


def longest_run(rows: pl.DataFrame, fewest_rows: int = FEWEST_ROWS, fewest_sources: int = FEWEST_SOURCES) -> RunOfYears:
    """The longest run of years, up to the newest, in all of which the same three sources or more report.

    `rows` has `year` and `source_id`, a row for each thing that is counted. A source reports in a year that has five of
    its rows; where fewer than three report in the newest year, as many as do are asked for. What is counted by year
    over whoever happened to report would mix how the field moved with who was read. Empty where no source reports.
    """
    counts = rows.group_by("source_id", "year").agg(n=pl.len()).filter(pl.col("n") >= fewest_rows)
    if counts.is_empty():
        return RunOfYears([], [])
    reporting = {int(year): set(results["source_id"]) for (year,), results in counts.group_by("year")}
    newest = max(reporting)
    years, sources = [newest], reporting[newest]
    needed = min(fewest_sources, len(sources))
    while len(sources & reporting.get(years[0] - 1, set())) >= needed:
        sources = sources & reporting[years[0] - 1]
        years.insert(0, years[0] - 1)
    return RunOfYears(years, sorted(sources))
