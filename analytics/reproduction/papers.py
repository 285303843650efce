"""Claims of single papers about the arena, harder tests, makers' reports, and what was forecast."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from math import sqrt
from statistics import median

import numpy as np
import polars as pl

from benchhealth.analytics.reproduction.claim import (
    FEWEST_SHARED,
    Compute,
    Facts,
    Found,
    best_of_each,
    can_correlate,
    number,
    of_facts,
)
from benchhealth.analytics.statistics.errors import Z95, wilson_high, wilson_low
from benchhealth.analytics.statistics.summaries.correlation import correlation_interval
from benchhealth.analytics.statistics.summaries.principal_share import component_shares, with_filled_cells

ARENA = ("lmarena", "lmarena-text")
INDEX_MONTH = (datetime(2025, 2, 1), datetime(2025, 3, 1))  # noqa: DTZ001 - instants of looks are naive UTC
"""The month of which the AI Index of 2025 speaks."""

PLACE = 10
TIME_OF_MMLU_PRO = date(2024, 6, 30)
"""MMLU-Pro is of 3 June 2024; models of that month are in its table."""

OBSERVATIONAL = "arXiv 2405.10938"
COMPONENTS = 3
NEW_YEAR_2026 = date(2026, 1, 1)
SWE_BENCH_VERIFIED = "swe-bench-verified"
BOARDS_OF_IT = ("llm-stats", "openhands-index", "epoch-hub", "epoch")


@of_facts
def _of_month(facts: Facts, gap: Callable[[pl.DataFrame], float | None]) -> Found | None:
    """The middle of a gap, in percent, over all looks at the arena in INDEX_MONTH; from the smallest to the largest."""
    first, last = INDEX_MONTH
    rows = facts.every_version(*ARENA).filter(
        pl.col("kind") == "model", pl.col("observed_at") >= first, pl.col("observed_at") < last
    )
    rows = rows.join(facts.beside.model.select("model_id", "open_weights"), on="model_id", how="left")
    looks = [gap(look) for _, look in rows.group_by("observed_at", maintain_order=True)]
    gaps = sorted(value for value in looks if value is not None)
    return Found(median(gaps), rows.height, gaps[0], gaps[-1]) if gaps else None


def _open_gap(look: pl.DataFrame) -> float | None:
    """By how many percent the best closed model rates above the best open one."""
    best = [number(look.filter(pl.col("open_weights") == is_open)["score"].max()) for is_open in (False, True)]
    return _above(*best)


def _tenth_gap(look: pl.DataFrame) -> float | None:
    """By how many percent the first model rates above the tenth."""
    best = look["score"].sort(descending=True).head(PLACE).to_list()
    return _above(best[0], best[-1]) if len(best) == PLACE else None


def _above(first: float | None, second: float | None) -> float | None:
    return None if first is None or not second else 100 * (first / second - 1)


@of_facts
def _with_arena(facts: Facts, source: str, benchmark: str, *, ranks: bool) -> Found | None:
    """A board's correlation with the arena, both as first looked at, over the models that both name alike."""
    board, arena = (_first_look(facts, *address) for address in ((source, benchmark), ARENA))
    matched = board.join(arena, on="model_id", suffix="_arena").select("score", "score_arena")
    if not can_correlate(*matched.get_columns()):
        return None
    sides = matched.select(pl.all().rank() if ranks else pl.all())
    r = float(sides.select(pl.corr("score", "score_arena")).item())
    return Found(r, 2 * matched.height, *correlation_interval(r, matched.height, ranks=ranks))


def _first_look(facts: Facts, source: str, benchmark: str) -> pl.DataFrame:
    rows = facts.every_version(source, benchmark).filter(pl.col("kind") == "model")
    return best_of_each(rows.filter(pl.col("observed_at") == pl.col("observed_at").min()))


@of_facts
def _mmlu_pro_drop(facts: Facts, *, largest: bool) -> Found | None:
    """From MMLU to MMLU-Pro, in points, over the models released until TIME_OF_MMLU_PRO; the error is that model's."""
    models_then = facts.beside.model.filter(pl.col("released_on") <= TIME_OF_MMLU_PRO).select("model_id")
    easy = best_of_each(facts.every_version("lmarena-tables", "mmlu"))
    hard = best_of_each(facts.newest_version("boards-2024", "boards-2024-mmlu-pro"))
    matched = easy.join(hard, on="model_id", suffix="_pro").join(models_then, on="model_id", how="semi")
    sizes = facts.n_items("mmlu"), facts.n_items("mmlu-pro")
    if matched.height < FEWEST_SHARED or None in sizes:
        return None
    matched = matched.with_columns(drop=100 * (pl.col("score") - pl.col("score_pro"))).sort("drop", descending=largest)
    before, after, drop = matched.select("score", "score_pro", "drop").row(0)
    scored = ((before, sizes[0] or 1), (after, sizes[1] or 1))
    half = 100 * Z95 * sqrt(sum(score * (1 - score) / n for score, n in scored))
    return Found(drop, 2 * matched.height, drop - half, drop + half)


def _largest_loss(facts: Facts) -> Found | None:
    """The largest share of what a model passes on HumanEval that more tests take, in percent, at the first look.

    Of counts of problems: a score that is printed to a tenth of a percent is one of them, rounded.
    """
    plain, more = (facts.every_version("evalplus", name) for name in ("humaneval", "humaneval-plus"))
    shared = pl.col("observed_at").is_in(plain["observed_at"].unique().implode())
    first = pl.col("observed_at").eq_missing(more.filter(shared)["observed_at"].min())
    matched = best_of_each(plain.filter(first)).join(best_of_each(more.filter(first)), on="model_id", suffix="_plus")
    n = facts.n_items("humaneval")
    if matched.height < FEWEST_SHARED or n is None:
        return None
    passed, still_passed = (pl.col(name) * n for name in ("score", "score_plus"))
    counted = matched.select("model_id", passed=passed.round(), kept=still_passed.round()).filter(pl.col("passed") > 0)
    lost = counted.with_columns(lost=1 - pl.col("kept") / pl.col("passed")).sort("lost", "model_id").tail(1)
    low, high = (end(pl.col("lost"), pl.col("passed")) for end in (wilson_low, wilson_high))
    share, least, most = (100 * fraction for fraction in lost.select("lost", low=low, high=high).row(0))
    return Found(share, 2 * matched.height, least, most)


def _three_components(facts: Facts) -> Found | None:
    """The share of the variance that three components explain, in percent, with what leaving out a model moves."""
    cells = facts.paper_table(OBSERVATIONAL)
    if cells.is_empty():
        return None
    wide = cells.pivot("measure", index="subject", values="value", sort_columns=True).sort("subject")
    table = with_filled_cells(wide.drop("subject").to_numpy(), COMPONENTS)
    share = _share(table)
    if share is None:
        return None
    without = np.array([_share(np.delete(table, row, axis=0)) for row in range(table.shape[0])], dtype=np.float64)
    n = without.size
    half = Z95 * sqrt((n - 1) / n * float(((without - without.mean()) ** 2).sum()))
    return Found(share, cells.height, share - half, min(share + half, 100.0))


def _share(table: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float | None:
    shares = component_shares(table)
    return None if shares is None else 100 * float(shares[min(COMPONENTS, shares.size) - 1])


@of_facts
def _reports_with(facts: Facts, benchmark: str) -> Found | None:
    """In what share of all reports of makers, in percent, a benchmark is mentioned."""
    mentions = facts.beside.mention
    reports = mentions["document"].n_unique()
    if reports < FEWEST_SHARED:
        return None
    of_it = mentions.filter(pl.col("benchmark_id") == benchmark)["document"].n_unique()
    return Found(100 * of_it / reports, mentions.height)


def _best_until(facts: Facts) -> Found | None:
    """The best score, in percent, dated before 2026, with the error of its tasks."""
    rows = pl.concat([facts.read(source, SWE_BENCH_VERIFIED) for source in BOARDS_OF_IT])
    scores = rows.filter(pl.col("kind") == "model", pl.col("dated_on") < NEW_YEAR_2026)["score"]
    best, n = number(scores.max()), facts.n_items(SWE_BENCH_VERIFIED)
    if best is None or n is None:
        return None
    low, high = pl.select(wilson_low(pl.lit(best), pl.lit(n)), high=wilson_high(pl.lit(best), pl.lit(n))).row(0)
    return Found(100 * best, scores.len(), 100 * low, 100 * high)


COMPUTED: Mapping[str, Compute] = {
    "arena-open-gap": _of_month(_open_gap),
    "arena-tenth-gap": _of_month(_tenth_gap),
    "livebench-arena": _with_arena("livebench", "livebench-2024-06-24", ranks=False),
    "mixeval-arena": _with_arena("boards-2024", "boards-2024-mixeval", ranks=True),
    "mmlu-pro-smallest-drop": _mmlu_pro_drop(largest=False),
    "mmlu-pro-largest-drop": _mmlu_pro_drop(largest=True),
    "humaneval-plus-largest-loss": _largest_loss,
    "three-components": _three_components,
    "reports-gpqa": _reports_with("gpqa-diamond"),
    "swe-bench-forecast": _best_until,
}
