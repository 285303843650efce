"""A published number, and how it is computed again from what the warehouse holds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import Concatenate, NamedTuple, ParamSpec

import polars as pl

from benchhealth.analytics.record.current import benchmark_facts
from benchhealth.analytics.record.frames import Frames

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
"""The columns of results from which claims are computed."""

_TABLES_KEPT = 4
"""Claims about one source follow one another, so that a few of its tables need to be kept."""


@dataclass(frozen=True)
class Facts:
    """What a claim may read: every version of every result, the derived tables, and facts beside the results.

    `read` gives the results of a source, of one benchmark or of all (None): results of all kinds, with `sign` (+1
    higher is better) and `file`; scores of bounded units are fractions. It is asked for what a claim needs and no more,
    because all results together are large.
    """

    read: Callable[[str, str | None], pl.DataFrame]
    tables: Mapping[str, pl.DataFrame]
    beside: Frames

    def n_items(self, benchmark: str) -> int | None:
        """How many items a benchmark has, where that is known."""
        sizes = self.beside.benchmark.filter(pl.col("benchmark_id") == benchmark)["n_items"].to_list()
        return sizes[0] if sizes else None

    def paper_table(self, paper: str) -> pl.DataFrame:
        """The cells of a paper's own table: `subject`, `measure`, `value`."""
        return self.beside.paper_table.filter(pl.col("paper") == paper)

    def every_version(self, source: str, benchmark: str | None = None, *models: str) -> pl.DataFrame:
        """Every version of a source's results, of one benchmark and some models where they are named."""
        return _of_models(self.read(source, benchmark), models)

    def newest_version(self, source: str, benchmark: str | None = None, *models: str) -> pl.DataFrame:
        """A source's results in the newest version of each file that has the benchmark, chosen as `every_version`."""
        rows = self.read(source, benchmark)
        newest = rows.filter(pl.col("observed_at") == pl.col("observed_at").max().over("benchmark_id", "file"))
        return _of_models(newest, models)


def _of_models(rows: pl.DataFrame, models: Sequence[str]) -> pl.DataFrame:
    """The rows of these models; all rows where `models` is empty."""
    return rows.filter(pl.col("model_id").is_in(models)) if models else rows


class Found(NamedTuple):
    """Our number, how many results (or other facts) it was computed from, and its interval where it has one."""

    value: float
    inputs: int
    low: float | None = None
    high: float | None = None


Compute = Callable[[Facts], Found | None]
P = ParamSpec("P")


def of_facts(function: Callable[Concatenate[Facts, P], Found | None]) -> Callable[P, Compute]:
    """The function as one that takes all but the facts, and gives what computes the claim of them."""

    @wraps(function)
    def with_arguments(*args: P.args, **kwargs: P.kwargs) -> Compute:
        return lambda facts: function(facts, *args, **kwargs)

    return with_arguments


KINDS = ("recomputed", "looked up", "ours", "cited")
"""What a claim shows. recomputed: a statistic that others printed, computed again from many results. looked up: one
printed score, found again in the record. ours: computed here, published by nobody. cited: printed by others from
a table that is not on record here, so nothing is computed."""

LARGEST_TOLERANCE = 1 / 4
"""The most that a tolerance may be of the distance from the printed number to what no effect, or another method, would
give: a wider one holds whatever is computed."""

TOUCH = 1e-9
"""Added to a tolerance, so that a difference of exactly the tolerance holds in binary numbers too."""


FEWEST_SHARED = 10
"""A correlation, or an extreme, over fewer models is not the one that was published."""


def claim_facts(frames: Frames, tables: Mapping[str, pl.DataFrame]) -> Facts:
    """The results, facts and derived tables from which published claims are computed again."""
    about = benchmark_facts(frames).select("benchmark_id", "sign").lazy()
    files = frames.snapshot.select("snapshot_id", file="board_id").lazy()

    @lru_cache(maxsize=_TABLES_KEPT)
    def read(source: str, benchmark: str | None) -> pl.DataFrame:
        rows = frames.result.filter(pl.col("source_id") == source, pl.col("score").is_finite())
        if benchmark is not None:
            rows = rows.filter(pl.col("benchmark_id") == benchmark)
        return (
            rows.select(READ)
            .join(about, on="benchmark_id", how="left", maintain_order="left")
            .join(files, on="snapshot_id", how="left", maintain_order="left")
            .with_columns(pl.coalesce("file", "board_id"))
            .collect()
        )

    return Facts(read, tables, frames)


@of_facts
def score(facts: Facts, source: str, benchmark: str, *models: str, setting: str = "") -> Found | None:
    """The score, in percent, that the newest version of a source lists for the models, in a setting with these words.

    `inputs` counts the rows that fit: one, where the claim names its row well.
    """
    rows = facts.newest_version(source, benchmark, *models)
    rows = rows.filter(pl.col("setting").fill_null("").str.contains(setting, literal=True))
    best = percent(rows["score"].max())
    return None if best is None else Found(best, rows.height)


def paired(rows: pl.DataFrame, original_id: str, other_id: str) -> pl.DataFrame:
    """The models that have both benchmarks: `model_id`, `original`, `other` in points, the best score of each."""
    best = rows.group_by("benchmark_id", "model_id").agg(score=100 * pl.col("score").max())
    sides = (
        best.filter(pl.col("benchmark_id") == benchmark).select("model_id", pl.col("score").alias(name))
        for benchmark, name in ((original_id, "original"), (other_id, "other"))
    )
    left, right = sides
    return left.join(right, on="model_id").sort("model_id")


@of_facts
def of_twin(facts: Facts, twin_id: str, column: str, scale: str = "linear") -> Found | None:
    """A number of the `twin` table, from two results a model."""
    twin = facts.tables["twin"].filter(pl.col("twin_id") == twin_id, pl.col("scale") == scale)
    return computed_from(twin[column].first(), 2 * _count(twin, "n_models"))


@of_facts
def of_stability(facts: Facts, board_id: str, column: str) -> Found | None:
    """A number of the `stability` table, from a result for each model and task."""
    board = facts.tables["stability"].filter(pl.col("board_id") == board_id)
    return computed_from(board[column].first(), _count(board, "n_models") * _count(board, "n_tasks"))


def _count(rows: pl.DataFrame, column: str) -> int:
    return int(number(rows[column].first()) or 0)


def drops(facts: Facts, twin_id: str) -> pl.DataFrame:
    """The models of a twin with `original`, `other` and `drop` in points."""
    rows = facts.tables["twin_residual"].filter(pl.col("twin_id") == twin_id)
    return rows.with_columns(drop=pl.col("original") - pl.col("other"))


def drop_of(twin_id: str, *, largest: bool) -> Compute:
    """The largest or the smallest drop of any model from the original to its twin, in points."""
    return lambda facts: extreme(drops(facts, twin_id)["drop"], largest=largest)


def extreme(drop: pl.Series, *, largest: bool) -> Found | None:
    """The largest or the smallest of these drops, each of two results."""
    return computed_from(drop.max() if largest else drop.min(), 2 * drop.len())


def best_of_each(rows: pl.DataFrame) -> pl.DataFrame:
    """The best score of every model."""
    return rows.group_by("model_id").agg(pl.col("score").max()).sort("model_id")


def spearman(scores: pl.DataFrame, other_scores: pl.DataFrame) -> Found | None:
    """The rank correlation of the `score` of the models that both have; None with too few, or where one is constant."""
    matched = scores.join(other_scores, on="model_id", suffix="_other")
    if not can_correlate(matched["score"], matched["score_other"]):
        return None
    return computed_from(matched.select(pl.corr("score", "score_other", method="spearman")).item(), 2 * matched.height)


def can_correlate(*sides: pl.Series) -> bool:
    """Whether there are enough models, and neither side is constant."""
    return all(side.len() >= FEWEST_SHARED and side.n_unique() > 1 for side in sides)


def computed_from(value: object, inputs: int) -> Found | None:
    """The value as a number, from so many inputs; None stays None."""
    numeric = number(value)
    return None if numeric is None else Found(numeric, inputs)


def number(value: object) -> float | None:
    """The value as a float; None stays None."""
    return float(value) if isinstance(value, int | float) else None


def percent(value: object) -> float | None:
    """A fraction in percent; None stays None."""
    numeric = number(value)
    return None if numeric is None else 100 * numeric
