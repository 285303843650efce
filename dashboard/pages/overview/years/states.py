"""The benchmarks on the map at the end of each month, and how many of them were in each stage."""

import re
from datetime import date
from math import log10

import polars as pl

from benchhealth.analytics.aging.map_months import FIRST_YEAR, month_ends
from benchhealth.analytics.record.evidence import MONTH_DAYS
from benchhealth.analytics.record.tables import STAGES
from benchhealth.dashboard.published.benchmarks import AGED_MONTHS, FRESH_MONTHS, assessed_on, benchmarks
from benchhealth.dashboard.published.generation import View, always

AXIS_BEGINS, AXIS_ENDS = 2008.5, 2027.0
"""The years at the ends of the axis."""

SQUEEZED_UNTIL, SQUEEZED_SHARE = 2011.9, 0.07
"""The years up to the first number have few benchmarks: they get this share of the width."""

YEARS = (2009, 2012, 2014, 2016, 2018, 2020, 2022, 2024, 2026)
"""The years that are named on the axis."""

MONTH = re.compile(r"(\d{4})-(0[1-9]|1[0-2])")
"""The form of a month in an address."""

TAIL_MONTHS = 12
"""How many months back the tail of a mark reaches."""

FRESH, AGED, OLD = range(3)
"""The age of the newest result: below six months, below eighteen, older."""


@always
def ends(view: View) -> list[date]:
    """The end of each month that the map can show, the last the day of the assessment.

    Empty without a verdict, and of a generation of an earlier version, which has no such table.
    """
    as_of = assessed_on(view)
    if as_of is None or view.table("map_month").is_empty():
        return []
    return month_ends(as_of)


def place_of(month: str, days: list[date]) -> int | None:
    """The index in `days` of the month that an address names; None where it names none of them."""
    named = MONTH.fullmatch(month)
    index = (int(named[1]) - FIRST_YEAR) * 12 + int(named[2]) - 1 if named else -1
    return index if 0 <= index < len(days) else None


def axis_place(day: date) -> float:
    """Where a day lies on the axis, from 0 to 1: the years with few benchmarks are squeezed."""
    year = day.year + (day.timetuple().tm_yday - 1) / 365.25
    if year < SQUEEZED_UNTIL:
        return max(0.0, (year - AXIS_BEGINS) / (SQUEEZED_UNTIL - AXIS_BEGINS)) * SQUEEZED_SHARE
    return SQUEEZED_SHARE + (year - SQUEEZED_UNTIL) / (AXIS_ENDS - SQUEEZED_UNTIL) * (1 - SQUEEZED_SHARE)


def radius(models: int) -> float:
    """Pixels, in halves: larger with more models."""
    return round(7 + 3.6 * log10(max(1, models))) / 2


@always
def states(view: View) -> pl.DataFrame:
    """A row for each curated benchmark and month's end from its release on, in the order of both.

    The columns are those of `map_month` as they hold on the day `on`, and:

    - `place` of the day in `ends`, `name`, `label`, `unit`, `released_on`;
    - `counts`: the benchmark was in use. It had a result dated until then (on the last day one without a day will do),
      it was known to within six months before, and somebody still reported it;
    - `named`: the stage, `unknown` where it lies between two;
    - `measures`: it counts, and its stage is discriminating;
    - `drawn`: it has a place on the map, as its room and its release are known;
    - `waits`: it is released and has no dated result;
    - `age`: FRESH, AGED or OLD by the newest result, or by the day until which it is known where none has a day;
    - `tail`: the room a year before, null where it was not drawn then or had no more room.
    """
    days = ends(view)
    grid = pl.DataFrame({"on": days, "place": range(len(days))}, schema={"on": pl.Date, "place": pl.Int64})
    facts = benchmarks(view).filter("curated", "of_curated")
    about = facts.select("benchmark_id", "name", "label", "unit", "released_on", "known_until").sort("benchmark_id")
    changes = view.table("map_month").sort("benchmark_id", "on")
    rows = about.join(grid, how="cross").join_asof(changes, on="on", by="benchmark_id", check_sortedness=False)
    is_last = pl.col("place") == len(days) - 1
    is_known = _months_since(pl.col("known_until")) <= FRESH_MONTHS
    newest_result = pl.coalesce("result_on", pl.when(is_last).then("known_until"))
    age = (
        pl.when(_months_since(newest_result) > AGED_MONTHS)
        .then(OLD)
        .when(_months_since(newest_result) > FRESH_MONTHS)
        .then(AGED)
    )
    counts = is_known & (pl.col("result_on").is_not_null() | is_last) & ~pl.col("dormant")
    named = pl.when("unsure").then(pl.lit("unknown")).otherwise("stage")
    has_room = pl.col("headroom").is_not_null()
    with_stage = rows.drop_nulls("stage").with_columns(
        counts=counts.fill_null(value=False),
        named=named,
        drawn=has_room & pl.col("released_on").is_not_null(),
        waits=~has_room & pl.col("result_on").is_null() & pl.col("released_on").is_not_null(),
        age=age.when(newest_result.is_null()).then(OLD).otherwise(FRESH),
    )
    year_before = with_stage.select(
        "benchmark_id",
        pl.col("place") + TAIL_MONTHS,
        pl.when("drawn").then("headroom").alias("before"),
    )
    return (
        with_stage.with_columns(measures=pl.col("counts") & (pl.col("named") == "discriminating"))
        .join(year_before, on=["benchmark_id", "place"], how="left", maintain_order="left")
        .with_columns(before=pl.coalesce("before", _first_room()))
        .with_columns(tail=pl.when("drawn", pl.col("before") > pl.col("headroom")).then("before"))
        .drop("before")
    )


def _first_room() -> pl.Expr:
    """The room that a benchmark had when it first appeared on the map, if that was less than a year ago."""
    is_drawn = pl.col("drawn")
    first_place = pl.col("place").filter(is_drawn).min().over("benchmark_id")
    first_room = pl.col("headroom").filter(is_drawn).first().over("benchmark_id")
    return pl.when(pl.col("place") - first_place < TAIL_MONTHS).then(first_room)


def _months_since(since: pl.Expr) -> pl.Expr:
    return (pl.col("on") - since).dt.total_days() / MONTH_DAYS


@always
def counts_by_month(view: View) -> pl.DataFrame:
    """A row for each month's end, with numbers of benchmarks.

    `benchmarks` were in use (column `counts` of `states`), `measuring` of them told models apart, and a column for each
    stage says how many were in it. `waiting` were released without a result, and `open` in use without a place.
    """
    days = ends(view)
    rows = states(view)
    counts = rows.group_by("place").agg(
        benchmarks=pl.col("counts").sum(),
        measuring=pl.col("measures").sum(),
        **{stage: (pl.col("counts") & (pl.col("named") == stage)).sum() for stage in STAGES},
        waiting=pl.col("waits").sum(),
        open=(pl.col("counts") & ~pl.col("drawn")).sum(),
    )
    months = pl.DataFrame({"place": range(len(days)), "on": days}, schema={"place": pl.Int64, "on": pl.Date})
    numbers = pl.exclude("place", "on").fill_null(0).cast(pl.Int64)
    return months.join(counts, on="place", how="left").sort("place").with_columns(numbers)


def first_with_results(view: View) -> int | None:
    """The index of the first month by whose end any benchmark had a dated result; None where there is none."""
    return counts_by_month(view).filter(pl.col("benchmarks") > 0)["place"].min()  # type: ignore[return-value]
