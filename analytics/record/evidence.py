"""Everything an indicator may read, computed once per assessment."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cached_property, wraps

import polars as pl

from benchhealth.analytics.record.breakpoints import UNDECIDED
from benchhealth.analytics.record.by_item.clusters import UNCLUSTERED, ItemClusters
from benchhealth.analytics.record.by_item.item_results import NO_ITEMS, ItemResults
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.case import Case, as_case, first_of
from benchhealth.analytics.record.tables.columns import COUNT, DAY, NUMBER, NUMBERS, TEXT, TEXTS, by_type, table_field
from benchhealth.analytics.record.tables.declared import Unit

MONTH_DAYS = 365.25 / 12

DISCRIMINATION = by_type((TEXT, "benchmark_id"), (NUMBER, "low peak high best"), (DAY, "left_on"), (TEXT, "left_by"))
"""Where on the stitched scale of capability a benchmark tells models apart (`analytics.capability.table.Stitched`)."""

OUTLOOK = pl.Schema(
    {
        **PUBLISHED["forecast"],
        **by_type((TEXTS, "basis"), (NUMBERS, "numbers"), (COUNT, "n"), (NUMBER, "wait wait_low wait_high")),
    }
)
"""What is forecast of each benchmark (`analytics.forecast.table.Forecasts`)."""


PUBLISHED_TOP = by_type((TEXT, "benchmark_id model_id"), (NUMBER, "top"), (DAY, "top_on"), (NUMBER, "elsewhere gap"))
"""The best score that papers print (`analytics.saturation.known_top`), its model and day, the best of everybody else
(null: nobody else has any), and by how much it is better."""

RERUNS = pl.Schema({"twin_id": pl.String(), "runner": pl.String()})
"""The twins that are independent reruns of what makers report, and the title of the source that ran them."""


@dataclass(frozen=True)
class Evidence:
    """The inputs of indicators; every frame has a `benchmark_id` unless said otherwise.

    `facts`: every benchmark once (`analytics.record.current.benchmark_facts`). `board`: one row for each benchmark and
    model, best first, with `place`, `merit`, `error`. `history`: a row for each result that stands, dated. `frontier`:
    the steps with their errors. These three are about the condition alone that the benchmark is judged by, which
    `reference` names; `reported` has the day `dated_on` of each result under all conditions.
    `known_until`: its day of each, at which all that is said of it ends.
    `edits`: how many results seen again were changed. `report`: documented contamination.
    `churn`: by board. `twin`, `twin_residual`: by twin. `discrimination`: where on the stitched scale of capability a
    benchmark discriminates (`analytics.capability.table.Stitched`). `outlook`: what is forecast
    (`analytics.forecast.table`).
    `mention`: which documents of makers mention a benchmark, the table `mention`.
    `items`: the results that are known item by item, `item_clusters` how far other clusters of items would move them.
    `frontier_by_others`, `board_by_others`: the same of what somebody else than the maker measured, of the benchmarks
    that are judged by it.
    `undecided`: the boards with proposed breakpoints that wait for a curator.
    `incident`: what happened to benchmarks, the table `incident`.
    `rerun`: who ran each twin that is an independent rerun. `risk`: the table `contamination_risk`.
    `published_top`: the best that papers print beside the best of everybody else.
    """

    as_of: date
    """The day of the assessment: how long ago a benchmark was looked at counts to it, and nothing else."""

    facts: pl.DataFrame
    board: pl.DataFrame
    history: pl.DataFrame
    frontier: pl.DataFrame
    known_until: pl.DataFrame
    edits: pl.DataFrame
    report: pl.DataFrame
    churn: pl.DataFrame
    twin: pl.DataFrame
    twin_residual: pl.DataFrame
    reported: pl.DataFrame
    reference: pl.DataFrame
    mention: pl.DataFrame = table_field(PUBLISHED["mention"])
    incident: pl.DataFrame = table_field(PUBLISHED["incident"])
    rerun: pl.DataFrame = table_field(RERUNS)
    items: ItemResults = NO_ITEMS
    item_clusters: ItemClusters = UNCLUSTERED
    published_top: pl.DataFrame = table_field(PUBLISHED_TOP)
    undecided: pl.DataFrame = table_field(UNDECIDED)
    discrimination: pl.DataFrame = table_field(DISCRIMINATION)
    outlook: pl.DataFrame = table_field(OUTLOOK)
    risk: pl.DataFrame = table_field(PUBLISHED["contamination_risk"])
    frontier_by_others: pl.DataFrame | None = None
    board_by_others: pl.DataFrame | None = None

    @cached_property
    def judged_frontier(self) -> pl.DataFrame:
        """The frontier that verdicts read: what others measured, where lately and of enough models, else all."""
        return _rather(self.frontier, self.frontier_by_others)

    @cached_property
    def judged_board(self) -> pl.DataFrame:
        """The leaderboard that verdicts read: what others measured, where lately and of enough models, else all."""
        return _rather(self.board, self.board_by_others)


def _rather(all_rows: pl.DataFrame, by_others: pl.DataFrame | None) -> pl.DataFrame:
    """The rows of the benchmarks that others measured, and all rows of the other benchmarks."""
    if by_others is None or by_others.is_empty():
        return all_rows
    named = by_others.select("benchmark_id").unique()
    remaining = all_rows.join(named, on="benchmark_id", how="anti", maintain_order="left")
    return pl.concat([remaining, by_others.select(all_rows.columns)]).sort("benchmark_id", maintain_order=True)


def once(compute: Callable[[Evidence], pl.DataFrame]) -> Callable[[Evidence], pl.DataFrame]:
    """`compute` as a function that computes once for each evidence, which holds the frame for several indicators.

    A `cached_property` of Evidence would have to import the questions that rest on the record.
    """
    name = f"{compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def computed_once(evidence: Evidence) -> pl.DataFrame:
        frames: dict[str, pl.DataFrame] = vars(evidence)
        if name not in frames:
            frames[name] = compute(evidence)
        return frames[name]

    return computed_once


@dataclass(frozen=True)
class Indicator:
    """One thing that is computed about a benchmark: what it is, where it comes from, and the function that does it.

    `compute` returns one row for every benchmark in the shape that `settle` gives; `unit` is that of its value.
    """

    key: str
    title: str
    definition: str
    reference: str
    compute: Callable[[Evidence], pl.DataFrame]
    unit: Unit

    def rows(self, evidence: Evidence) -> pl.DataFrame:
        """What `compute` returns, with the key of the indicator in the column `indicator`."""
        return self.compute(evidence).with_columns(indicator=pl.lit(self.key))


@dataclass(frozen=True)
class Unless:
    """Where a value cannot be given: the rows it concerns, the case that they are, and their status."""

    condition: pl.Expr
    case: Case | str
    status: str = "insufficient"


Estimate = tuple[pl.Expr, pl.Expr, pl.Expr]
"""A value with both ends of its interval."""


def estimate(name: str) -> Estimate:
    """The value in the column `name`, with the interval from `<name>_low` to `<name>_high`."""
    return pl.col(name), pl.col(f"{name}_low"), pl.col(f"{name}_high")


def settle(
    rows: pl.DataFrame,
    *unless: Unless,
    value: pl.Expr | Estimate,
    n: pl.Expr | None = None,
    note: Case | str | None = None,
) -> pl.DataFrame:
    """One indicator of every row: the first case that applies empties it, otherwise it is ok and `note` is its basis.

    A condition that is null counts as true: what cannot be checked is not ok. The columns of `SAID` say which case it
    is; `dashboard.words.prose.indicators` has a sentence for each.
    """
    status: pl.Expr = pl.lit("ok")
    conditions = [exception.condition.fill_null(True) for exception in unless]
    for holds, exception in zip(reversed(conditions), reversed(unless), strict=True):
        status = pl.when(holds).then(pl.lit(exception.status)).otherwise(status)
    cases = [(holds, as_case(exception.case)) for holds, exception in zip(conditions, unless, strict=True)]
    note_columns = first_of(cases, None if note is None else as_case(note))
    absent = pl.lit(None)
    numbers = zip(("value", "low", "high"), value if isinstance(value, tuple) else (value, absent, absent), strict=True)
    return rows.select(
        "benchmark_id",
        *(pl.when(status == "ok").then(number.cast(pl.Float64)).alias(name) for name, number in numbers),
        (absent if n is None else n).cast(pl.Int64).alias("n"),
        *note_columns,
        status=status,
    )


def with_known_until(evidence: Evidence) -> pl.DataFrame:
    """The facts with `known_until`, null of a benchmark of which no source has a result."""
    return evidence.facts.join(evidence.known_until, on="benchmark_id", how="left", maintain_order="left")


def months_between(earlier: pl.Expr, later: pl.Expr) -> pl.Expr:
    """Mean calendar months (30.44 days) from one date to another."""
    return (later - earlier).dt.total_days() / MONTH_DAYS
