"""A published number, and how it is computed again from what the warehouse holds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl

from analytics.record.current import benchmark_facts
from analytics.record.frames import RESULT, Frames

READ = (
    "source_id",
    "board_id",
    "snapshot_id",
    "observed_at",
    "benchmark_id",
    "model_id",
    "setting",
    "kind",
    "score",
    "dated_on",
)
"""The columns of results that claims read."""


@dataclass(frozen=True)
class Facts:
    """What a claim may read: every version of every result, by source, and the derived tables.

    Results of all kinds, with `sign` (+1 higher is better) and `file`; scores of bounded units are fractions.
    """

    by_source: Mapping[str, pl.DataFrame]
    tables: Mapping[str, pl.DataFrame]

    def every_version(self, source: str) -> pl.DataFrame | None:
        """Every version of a source's results; None where it has none."""
        return self.by_source.get(source)

    def newest_version(self, source: str) -> pl.DataFrame | None:
        """A source's results in the newest version of each file that has the benchmark; None where it has none."""
        rows = self.every_version(source)
        if rows is None:
            return None
        return rows.filter(pl.col("observed_at") == pl.col("observed_at").max().over("benchmark_id", "file"))


Compute = Callable[[Facts], float | None]


@dataclass(frozen=True)
class Claim:
    """A number that somebody published, in the unit that they printed, with how far ours may lie from it.

    `sentence` is what was claimed, in our words; `why` says where ours differs, or is known to measure a little else.
    `unit` is that of both numbers and the tolerance. `compute` returns None where the warehouse does not hold what the
    claim is about. `scores_of` is the source whose single score our number repeats, where that source is not open: what
    is computed of it leaves on the source's own terms.
    """

    claim_id: str
    sentence: str
    published: float
    tolerance: float
    source_url: str
    compute: Compute
    why: str = ""
    unit: str = "percent"
    scores_of: str = ""


def claim_facts(frames: Frames, tables: Mapping[str, pl.DataFrame]) -> Facts:
    """The facts that claims are computed from."""
    about = benchmark_facts(frames).select("benchmark_id", "sign")
    every_version = (
        frames.result.filter(pl.col("score").is_finite())
        .select(READ)
        .join(about, on="benchmark_id", how="left")
        .join(frames.snapshot.select("snapshot_id", file="board_id"), on="snapshot_id", how="left")
        .with_columns(pl.coalesce("file", "board_id"))
    )
    return Facts({str(source): rows for (source,), rows in every_version.group_by("source_id")}, tables)


def rows_of(rows: pl.DataFrame | None, benchmark: str, *models: str) -> pl.DataFrame:
    """The rows of one benchmark, of all models or only of those named; none where nothing is known."""
    if rows is None:
        return pl.DataFrame(schema={**{name: RESULT[name] for name in READ}, "sign": pl.Float64(), "file": pl.String()})
    of_benchmark = rows.filter(pl.col("benchmark_id") == benchmark)
    return of_benchmark.filter(pl.col("model_id").is_in(models)) if models else of_benchmark


def score(source: str, benchmark: str, *models: str) -> Compute:
    """The best score, in percent, that the newest version of a source lists for any of the models (all if none)."""

    def compute(facts: Facts) -> float | None:
        rows = rows_of(facts.every_version(source), benchmark, *models)
        every = rows_of(facts.every_version(source), benchmark)
        newest = every.group_by("file").agg(pl.col("observed_at").max())
        return percent(rows.join(newest, on=["file", "observed_at"], how="semi")["score"].max())

    return compute


def rise(first: Compute, then: Compute) -> Compute:
    """How much the second is above the first."""

    def compute(facts: Facts) -> float | None:
        before, after = first(facts), then(facts)
        return None if before is None or after is None else after - before

    return compute


def of_twin(twin_id: str, column: str, scale: str = "linear") -> Compute:
    """A number of the `twin` table."""

    def compute(facts: Facts) -> float | None:
        twin = facts.tables["twin"].filter(pl.col("twin_id") == twin_id, pl.col("scale") == scale)
        return number(twin[column].first())

    return compute


def of_stability(board_id: str, column: str) -> Compute:
    """A number of the `stability` table."""

    def compute(facts: Facts) -> float | None:
        return number(facts.tables["stability"].filter(pl.col("board_id") == board_id)[column].first())

    return compute


def drops(facts: Facts, twin_id: str) -> pl.DataFrame:
    """The models of a twin with `original`, `other` and `drop` in points."""
    rows = facts.tables["twin_residual"].filter(pl.col("twin_id") == twin_id)
    return rows.with_columns(drop=pl.col("original") - pl.col("other"))


def largest_drop(twin_id: str) -> Compute:
    """The largest drop of any model from the original to its twin, in points."""
    return lambda facts: number(drops(facts, twin_id)["drop"].max())


def smallest_drop(twin_id: str) -> Compute:
    """The smallest drop of any model from the original to its twin, in points."""
    return lambda facts: number(drops(facts, twin_id)["drop"].min())


def number(value: object) -> float | None:
    """The value as a float; None stays None."""
    return float(value) if isinstance(value, int | float) else None


def percent(value: object) -> float | None:
    """A fraction in percent; None stays None."""
    found = number(value)
    return None if found is None else 100 * found
