"""The best of several entries by one organisation: how much of its lead comes with the number of tries."""

from collections.abc import Iterable

import numpy as np
import polars as pl

from benchhealth.analytics.goodhart.measure import Finding, Measure, MeasureInputs, no_value
from benchhealth.analytics.record.frames import is_whole
from benchhealth.analytics.statistics.best_of_n import expected_best, expected_best_of
from benchhealth.analytics.statistics.winners_curse import winners

FEWEST_ENTRIES = 5
"""Entries of an organisation on a leaderboard."""

FEWEST_ORGANISATIONS = 5
"""Organisations with this many entries, for a leaderboard to be looked at."""

UNITS = {
    "best_of_n_by_noise": "points (hundredths of the scale), or the unit where it is open-ended",
    "best_of_n_excess": "points, or the unit: best entry less its shrunk estimate",
    "best_over_typical": "points, or the unit: best entry less the mean entry",
    "best_over_typical_expected": "points, or the unit: what the number of tries alone gives",
}
KIND = "leaderboard and organisation"


def best_of_several(inputs: MeasureInputs, _rng: np.random.Generator) -> Iterable[Finding]:
    """For each leaderboard and organisation with five entries or more, what taking the best of them adds to its score.

    `best_of_n_by_noise`: by how much the best of its N entries would be overstated if all were equally good: the mean
    largest of N normal errors. It is an upper bound for these entries, and a lower one where more were tried than are
    listed, which nobody outside can know. `best_of_n_excess`: the best entry less its estimate shrunk towards those
    entries that chance alone could have put first (positive-part empirical Bayes, Morris 1983), with its interval; an
    entry far above the rest is not drawn back. `best_over_typical`: the lead of the best over the mean entry, beside
    `best_over_typical_expected`, the lead that N draws from one normal distribution with the entries' own spread have
    (Harter 1961): entries that differ in strength, as small and large models do, show it without any noise.

    That taking the best of many private variants inflates a rank is the point of Singh et al. (2025), The Leaderboard
    Illusion, arXiv:2504.20879. What is published shows the entries, not the tries.
    """
    board = _board(inputs)
    if board.is_empty():
        yield from (no_value(name, KIND, "all", "no_leaderboard", 0) for name in UNITS)
        return
    shrunk = {row["benchmark_id"]: row for row in winners(_by_organisation(board)).iter_rows(named=True)}
    for (benchmark_id, maker), rows in board.group_by("benchmark_id", "maker", maintain_order=True):
        subject = f"{benchmark_id}: {maker}"
        merits, errors = rows["merit"].to_numpy(), rows["error"].to_numpy()
        size = 100.0 if bool(rows["bounded"][0]) else 1.0
        n = merits.size
        lead, spread = float(merits.max() - merits.mean()), float(merits.std(ddof=1))
        yield Finding("best_of_n_by_noise", KIND, subject, size * expected_best_of(errors), n=n)
        yield Finding("best_over_typical", KIND, subject, size * lead, n=n)
        yield Finding("best_over_typical_expected", KIND, subject, size * spread * expected_best(n), n=n)
        yield _excess(subject, float(rows["sign"][0]) * size, float(rows["score"][0]), shrunk.get(subject), n)


def _board(inputs: MeasureInputs) -> pl.DataFrame:
    """Entries with errors of organisations with enough of them, on leaderboards with enough of those; best first."""
    makers = inputs.model.drop_nulls("maker").select("model_id", "maker")
    return (
        inputs.evidence.board.filter(is_whole(), pl.col("error") > 0)
        .join(makers, on="model_id")
        .filter(pl.len().over("benchmark_id", "maker") >= FEWEST_ENTRIES)
        .filter(pl.col("maker").n_unique().over("benchmark_id") >= FEWEST_ORGANISATIONS)
        .sort("benchmark_id", "maker", "place")
    )


def _by_organisation(board: pl.DataFrame) -> pl.DataFrame:
    """The board as one for each organisation, under the subject's name."""
    return board.with_columns(
        benchmark_id=pl.format("{}: {}", "benchmark_id", "maker"),
        place=pl.int_range(1, pl.len() + 1).over("benchmark_id", "maker"),
    )


def _excess(subject: str, size: float, best: float, fitted: dict[str, float] | None, n: int) -> Finding:
    if fitted is None or fitted["shrunk_low"] is None:
        k = 0 if fitted is None else int(fitted["k"])
        return no_value("best_of_n_excess", KIND, subject, "few_could_be_first", n, (k,))
    low, high = sorted(size * (best - fitted[side]) for side in ("shrunk_low", "shrunk_high"))
    value = size * (best - fitted["shrunk"])
    return Finding(
        "best_of_n_excess", KIND, subject, value, low, high, n, case="could_be_first", numbers=(fitted["k"],)
    )


MEASURE = Measure(UNITS, best_of_several)
