"""Six kinds of evidence that items were seen, for every curated benchmark: what the matrix draws.

Levels and numbers are those of the published tables; a test of fewer than ten models counts as not known, a rerun is at
most a hint, and a test that would have missed a model that knew 30% of the items found nothing and shows nothing.
"""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.statistics.errors import BOUNDED_UNITS, Z95
from benchhealth.dashboard.published import twin_pairs
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.words.columns import texts
from benchhealth.dashboard.words.numbers import percent
from benchhealth.dashboard.words.text import count, short

KINDS: Mapping[str, tuple[str, str]] = {
    "report": ("documented", "in training"),
    "declared_training": ("training", "declared"),
    "twin": ("stands out", "on new items"),
    "rerun": ("rerun scores", "lower, points"),
    "anomaly": ("beyond what", "others predict"),
    "cutoff_break": ("breaks at", "the cutoff"),
}
"""The kinds of evidence by the name of their rung, each with the two lines over its column."""

EVIDENCE, HINT, NOTHING, WEAK, UNKNOWN = "evidence", "hint", "nothing", "weak", "unknown"
STRENGTHS = (EVIDENCE, HINT, NOTHING, WEAK, UNKNOWN)
WORDS: Mapping[str, str] = {
    EVIDENCE: "evidence",
    HINT: "a hint",
    NOTHING: "looked, nothing found",
    WEAK: "looked too weakly",
    UNKNOWN: "not known",
}
SHAPES: Mapping[str, str] = dict(zip(STRENGTHS, ("■", "▲", "○", "◌", "·"), strict=True))
FEWEST = 10
"""A test of fewer models is not known."""

_TESTS = ("twin", "anomaly", "cutoff_break")
_RUNGS = ("report", "declared_training", *_TESTS)
_STRENGTH = {"high": EVIDENCE, "moderate": HINT, "low": NOTHING, "unknown": WEAK}
_SQL = """
    SELECT r.benchmark_id, r.rung AS kind, r.level, r.value, r.n, r.reason, r.source_url
    FROM contamination_risk r JOIN benchmark b USING (benchmark_id)
    WHERE r.model_id IS NULL AND r.status = 'ok' AND b.curated AND r.rung IN $rungs
"""


def cells(view: View) -> pl.DataFrame:
    """What is known of each curated benchmark by kind: one row a cell; what is not known has none.

    Columns: benchmark_id, kind, strength, text (the number in the cell), value, n, reason, source_url.
    """
    return view.kept("evidence cells", lambda: _cells(view))


def benchmarks(view: View) -> pl.DataFrame:
    """Every curated whole benchmark: benchmark_id, name, label, known_until, strength (of the strongest).

    Those with the most evidence come first.
    """
    return view.kept("evidence of benchmarks", lambda: _benchmarks(view))


def counts(rows: pl.DataFrame) -> dict[str, int]:
    """How many of these benchmarks are of which strength."""
    found = dict(rows.group_by("strength").len().iter_rows())
    return {strength: int(found.get(strength, 0)) for strength in STRENGTHS}


def _benchmarks(view: View) -> pl.DataFrame:
    known = cells(view)
    rank = pl.col("strength").replace_strict(_ranks(), return_dtype=pl.Int64)
    best = (
        known.with_columns(rank=rank)
        .group_by("benchmark_id")
        .agg(rank=pl.col("rank").min(), share=pl.col("value").filter(pl.col("kind") == "report").max(), found=pl.len())
    )
    whole = view.table("benchmark").filter(
        pl.col("curated").fill_null(value=False) & ~pl.col("benchmark_id").str.contains("/", literal=True)
    )
    names = {rank: strength for strength, rank in _ranks().items()}
    return (
        whole.select("benchmark_id", name=pl.coalesce("name", "benchmark_id"), known_until="known_until")
        .join(best, on="benchmark_id", how="left")
        .with_columns(rank=pl.col("rank").fill_null(len(STRENGTHS) - 1))
        .with_columns(strength=pl.col("rank").replace_strict(names, return_dtype=pl.String))
        .sort(
            "rank", "share", "found", pl.col("name").str.to_lowercase(),
            descending=[False, True, True, False], nulls_last=True,
        )
        .select("benchmark_id", "name", "known_until", "strength")
        .pipe(_labelled)
    )  # fmt: skip


def _labelled(rows: pl.DataFrame) -> pl.DataFrame:
    """With `label`, the short name where no other benchmark has it, else the whole."""
    brief = texts(rows["name"], short)
    return rows.with_columns(label=pl.when(brief.is_unique()).then(brief).otherwise("name"))


def _ranks() -> dict[str, int]:
    return {strength: at for at, strength in enumerate(STRENGTHS)}


def _cells(view: View) -> pl.DataFrame:
    rungs = view.query(_SQL, rungs=list(_RUNGS)).filter(
        ~pl.col("kind").is_in(_TESTS) | (pl.col("n").fill_null(0) >= FEWEST)
    )
    found = rungs.with_columns(
        strength=pl.col("level").replace_strict(_STRENGTH, return_dtype=pl.String),
        text=texts(rungs.select("kind", "value", "n").to_struct(), _text),
    )
    return pl.concat([found.drop("level"), _reruns(view)], how="diagonal").select(
        "benchmark_id", "kind", "strength", "text", "value", "n", "reason", "source_url"
    )


def _text(cell: Mapping[str, object]) -> str:
    value, n = cell["value"], int(str(cell["n"] or 0))
    if not isinstance(value, float):
        return "noted"
    if cell["kind"] == "report":
        return percent(value)
    if cell["kind"] == "declared_training":
        return str(n)
    return f"{round(value * n):,} of {n:,}"


def _reruns(view: View) -> pl.DataFrame:
    """Of each benchmark the rerun over most models: a hint where it is lower by more than its error."""
    rows = (
        twin_pairs.twins(view, {})
        .filter(
            (pl.col("kind") == "independent rerun")
            & (pl.col("n_models") >= FEWEST)
            & pl.col("original_unit").is_in(BOUNDED_UNITS)
        )
        .sort("n_models", "twin_id", descending=[True, False])
        .unique("original_id", keep="first", maintain_order=True)
    )
    sizes = rows.select("gap", "n_models", "gap_error").to_struct()
    is_lower = (pl.col("gap") > Z95 * pl.col("gap_error")).fill_null(value=False)
    return rows.select(
        benchmark_id="original_id",
        kind=pl.lit("rerun"),
        value="gap",
        n="n_models",
        reason=texts(sizes, _rerun_reason),
        source_url="source_url",
        strength=pl.when(is_lower)
        .then(pl.lit(HINT))
        .when(pl.col("gap_error").is_null())
        .then(pl.lit(WEAK))
        .otherwise(pl.lit(NOTHING)),
        text=texts(sizes, _rerun_text),
    )


def _rerun_text(row: Mapping[str, float]) -> str:
    """The gap with its 95% error, by which one of 4 is a hint and another of 4 is not."""
    gap = f"{row['gap']:.0f}".replace("-", "\u2212")
    return gap if row["gap_error"] is None else f"{gap} ±{Z95 * row['gap_error']:.0f}"


def _rerun_reason(row: Mapping[str, float]) -> str:
    way = "lower" if row["gap"] >= 0 else "higher"
    error = ", error not known"
    if row["gap_error"] is not None:
        half = Z95 * row["gap_error"]
        error = f", 95% error {half:.1f}{', within which it lies' if abs(row['gap']) <= half else ''}"
    return f"{abs(row['gap']):.1f} points {way} in a rerun of {count(int(row['n_models']), 'result')}{error}"
