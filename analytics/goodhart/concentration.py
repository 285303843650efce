"""Over how few benchmarks, and how few organisations, attention is spread."""

from collections.abc import Iterable

import numpy as np
import polars as pl
from numpy.typing import ArrayLike
from scipy import special
from scipy.optimize import brentq

from benchhealth.analytics.goodhart.measure import ALL, Finding, Measure, MeasureInputs, no_value
from benchhealth.analytics.statistics.errors import Z95

FEWEST_IN_YEAR = 20
"""Benchmarks or organisations of a year; the Gini coefficient of fewer is more about their number."""

UNITS = {
    "sources_compared": "sources that report in every year that is compared",
    "gini_of_benchmarks": "0 (all alike) to 1 (all on one)",
    "hhi_of_benchmarks": "1 / number (all alike) to 1 (all on one)",
    "gini_of_organisations": "0 (all alike) to 1 (all on one)",
    "hhi_of_organisations": "1 / number (all alike) to 1 (all on one)",
}


def concentration(inputs: MeasureInputs, _rng: np.random.Generator) -> Iterable[Finding]:
    """Gini coefficient and Herfindahl-Hirschman index of entries over benchmarks, and of models over organisations.

    By year, over the sources that report in every one of the years that are compared (`sources_compared` says how many
    and which). An entry is a model's first result on a whole benchmark in these sources, dated by the source, the
    model's release or the paper; what is dated by the snapshot alone says when somebody looked and is left out. Only
    benchmarks with an entry, and organisations with a new model, in that year are counted. These are entries in some of
    the sources read here, and not all that was published. The Gini coefficient depends little on how many benchmarks
    there are, the other index is the chance that two entries fall on the same one. Few entries on many benchmarks are
    uneven by chance alone: `by_chance` stands beside each. Gini of dataset use: Koch et al. (2021), arXiv:2112.01716.
    """
    dated, compared = inputs.same_sources, inputs.compared
    if compared.sources:
        number = float(len(compared.sources))
        finding = Finding("sources_compared", ALL, ALL, number, n=len(compared.years))
        yield finding._replace(case="same_sources", numbers=compared.span, names=compared.sources)
    else:
        yield no_value("sources_compared", ALL, ALL, "no_source_dates", 0)
    models = (
        dated.join(inputs.model.drop_nulls("maker").select("model_id", "maker"), on="model_id")
        .sort("dated_on", "model_id")
        .unique("model_id", keep="first", maintain_order=True)
    )
    yield from _by_year("benchmarks", dated, "benchmark_id")
    yield from _by_year("organisations", models, "maker")


def _by_year(kind: str, rows: pl.DataFrame, column: str) -> Iterable[Finding]:
    counts = rows.group_by("year", column).agg(n=pl.len()).sort("year", "n", column, descending=[False, True, False])
    if counts.is_empty():
        yield from (no_value(f"{index}_of_{kind}", ALL, ALL, "no_dated_entry", 0) for index in ("gini", "hhi"))
    for (year,), group in counts.group_by("year", maintain_order=True):
        sizes = group["n"].to_numpy().astype(np.float64)
        when = int(str(year))
        most = str(group[column][0])
        for name, index in (("gini", gini), ("hhi", herfindahl)):
            if sizes.size < FEWEST_IN_YEAR:
                yield no_value(f"{name}_of_{kind}", ALL, ALL, f"few_{kind}_entered", sizes.size)._replace(year=when)
            else:
                finding = Finding(f"{name}_of_{kind}", ALL, ALL, *index(sizes), n=sizes.size, year=when)
                numbers = (sizes.sum(), sizes[0], by_chance(name, sizes))
                yield finding._replace(case="entries_most_on", numbers=numbers, names=(most,))


def by_chance(index: str, sizes: ArrayLike) -> float:
    """The index (`gini` or `hhi`) expected by chance: as many entries, each falling on any of as many units alike.

    Counts are then zero-truncated Poisson ones, as only what has an entry is counted. Gini: half the mean absolute
    difference over the mean, where E|X - Y| = 2 sum F (1 - F); Herfindahl: E X^2 over n times the squared mean.
    Raises ValueError as `gini` does.
    """
    y = _checked_sizes(sizes)
    mean = float(y.mean())
    if mean <= 1:
        return 0.0 if index == "gini" else 1 / y.size
    rate = brentq(lambda poisson_rate: poisson_rate / -np.expm1(-poisson_rate) - mean, 1e-9, mean)
    counts = np.arange(1, int(mean + 12 * np.sqrt(mean)) + 12)
    chance = np.exp(special.xlogy(counts, rate) - rate - special.gammaln(counts + 1)) / -np.expm1(-rate)
    if index == "hhi":
        return float(counts**2 @ chance) / (y.size * mean**2)
    below = np.cumsum(chance)
    return float((below * (1 - below)).sum()) / mean


def gini(sizes: ArrayLike) -> tuple[float, float, float]:
    """(Gini coefficient, low, high): half the mean absolute difference over the mean, times n / (n - 1); 95%.

    1 where everything is on one of many, 0 where all are alike or there is only one. Standard error by Davidson (2009),
    doi:10.1016/j.jeconom.2008.11.004, which takes the n as a sample. Raises ValueError for none, a negative size or a
    sum of 0.

    >>> gini([1, 1, 1, 1])[0], gini([0, 0, 0, 4])[0]
    (0.0, 1.0)
    """
    y = _checked_sizes(sizes)
    n, mean = y.size, float(y.mean())
    if n == 1:
        return 0.0, 0.0, 0.0
    rank = np.arange(1, n + 1)
    value = float((2 * rank - n - 1) @ y) / (n * n * mean)
    influence = -(value + 1) * y + (2 * rank - 1) / n * y - 2 / n * np.cumsum(y)
    error = float(np.sqrt(((influence - influence.mean()) ** 2).sum())) / (n * mean)
    value, error = value * n / (n - 1), error * n / (n - 1)
    return value, max(0.0, value - Z95 * error), min(1.0, value + Z95 * error) if value < 1 else value


def herfindahl(sizes: ArrayLike) -> tuple[float, float, float]:
    """(Herfindahl-Hirschman index, low, high): the sum of squared shares; 95% by the delta method over the n.

    Raises ValueError for none, a negative size or a sum of 0.

    >>> round(herfindahl([50, 30, 20])[0], 2)
    0.38
    """
    y = _checked_sizes(sizes)
    n, mean, square = y.size, float(y.mean()), float((y**2).mean())
    value = square / (n * mean**2)
    influence = (y**2 - square) / mean**2 - 2 * square / mean**3 * (y - mean)
    error = float(influence.std(ddof=1)) / np.sqrt(n) / n if n > 1 else 0.0
    return value, max(1 / n, value - Z95 * error), min(1.0, value + Z95 * error)


def _checked_sizes(sizes: ArrayLike) -> np.ndarray:
    y = np.sort(np.asarray(sizes, dtype=np.float64))
    if y.size == 0 or not np.isfinite(y).all() or y[0] < 0 or y.sum() <= 0:
        raise ValueError("sizes must be finite, none negative and not all zero")
    return y


MEASURE = Measure(UNITS, concentration)
