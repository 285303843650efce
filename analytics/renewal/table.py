"""Table `static_dynamic`: live, refreshed, private and static benchmarks side by side, all and of the same age."""

from datetime import date
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.record.frames import is_whole
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.renewal.kinds import KINDS, STATIC, kind
from benchhealth.analytics.renewal.measures import MEASURES, REPORTED, measures
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.random_streams import stream_of

FEWEST_OF_KIND = 5
"""Benchmarks of a kind, or with a static one of their age: with fewer an interval would say more than is known."""

BOOTSTRAP = "bootstrap by benchmark"

SAME_AGE = 12.0
"""Months by which the releases of two benchmarks of the same age may differ."""

DRAWS = 2000
CONFIDENCE = 0.95
MONTH = 30.4375


class Estimate(NamedTuple):
    """A mean or a difference of means, with its 95% interval; no interval where all that is drawn from is alike."""

    value: float
    low: float | None
    high: float | None


def static_dynamic(  # noqa: PLR0913, PLR0917
    benchmark_facts: pl.DataFrame,
    indicator: pl.DataFrame,
    frontier: pl.DataFrame,
    twin: pl.DataFrame,
    known_until: pl.DataFrame,
    renewal_rng: np.random.Generator,
) -> pl.DataFrame:
    """Each measure of each kind: the mean over its benchmarks, and the difference to static ones of the same age.

    It is over curated whole benchmarks of a known kind. `low` to `high` is the 95% interval: Clopper and Pearson's
    (1934) for a share of benchmarks, else the percentiles of `DRAWS` bootstrap means that draw benchmarks (Efron 1979),
    which takes them for a sample of the benchmarks of their kind. For `matched`, the value of each benchmark is taken
    less the mean of the static ones that were released within a year of it; it is the mean of these differences, and
    its interval draws both sides anew. `age_months` and `n_models` (medians) and `domain` (the commonest) say what else
    the kinds differ in. A number is null, with a case, where fewer than five benchmarks are measured or have a static
    one of their age; an interval is null where all values are alike, for drawing among them would give one of no width.
    Ages are those on the latest day of the table `known_until`.
    """
    until: date | None = known_until.select(pl.col("known_until").max()).item()
    benchmarks = _benchmarks_of_kinds(benchmark_facts, indicator, until)
    if benchmarks.is_empty():
        return pl.DataFrame(schema=PUBLISHED["static_dynamic"])
    values = measures(benchmark_facts, indicator, frontier, twin).join(benchmarks, on="benchmark_id")
    static = {name: values.filter(pl.col("kind") == STATIC, pl.col("measure") == name) for name in MEASURES}
    rows = [
        _measure_row(
            name,
            kind_,
            benchmarks,
            values.filter(pl.col("kind") == kind_, pl.col("measure") == name),
            static[name],
            stream_of(renewal_rng, f"{name} {kind_}"),
        )
        for name in MEASURES
        for kind_ in KINDS
    ]
    return pl.DataFrame([{**row, "known_until": until} for row in rows], schema=PUBLISHED["static_dynamic"])


def _benchmarks_of_kinds(facts: pl.DataFrame, indicator: pl.DataFrame, until: date | None) -> pl.DataFrame:
    models = indicator.filter(pl.col("indicator") == "n_models").select("benchmark_id", n_models="value")
    age = (pl.lit(until, pl.Date) - pl.col("released_on")).dt.total_days() / MONTH
    return (
        facts.filter(pl.col("curated").fill_null(value=False), is_whole())
        .select("benchmark_id", domain="domain_group", kind=kind(), age=age)
        .filter(pl.col("kind").is_not_null())
        .join(models, on="benchmark_id", how="left")
        .sort("benchmark_id")
    )


def _measure_row(  # noqa: PLR0913, PLR0917
    measure: str,
    of_kind: str,
    benchmarks: pl.DataFrame,
    rows: pl.DataFrame,
    static: pl.DataFrame,
    rng: np.random.Generator,
) -> dict[str, object]:
    rows, static = rows.sort("benchmark_id"), static.sort("benchmark_id")
    values = rows["value"].to_numpy()
    mean = _mean(values, exact=measure == REPORTED, rng=rng) if values.size >= FEWEST_OF_KIND else None
    matched, n_matched = (None, 0) if of_kind == STATIC else _excess_of(rows, static, rng)
    reasons = []
    if mean is None:
        reasons.append("few_have_it")
    if mean is not None and mean.low is None:
        reasons.append("all_alike")
    if matched is None and of_kind != STATIC:
        reasons.append("few_of_their_age")
    commonest = rows["domain"].drop_nulls().value_counts(sort=True).sort("count", "domain", descending=[True, False])
    return {
        "measure": measure,
        "kind": of_kind,
        **_columns_of(mean, ("value", "low", "high")),
        "n": values.size,
        "interval": "exact" if measure == REPORTED else BOOTSTRAP,
        **_columns_of(matched, ("matched", "matched_low", "matched_high")),
        "matched_n": n_matched,
        "age_months": rows["age"].median(),
        "n_models": rows["n_models"].median(),
        "domain": commonest["domain"].first(),
        "status": "ok" if mean is not None else "insufficient",
        "case": "lacking" if reasons else None,
        "names": reasons,
        "numbers": [float(benchmarks.filter(pl.col("kind") == of_kind).height)],
    }


def _columns_of(estimate: Estimate | None, names: tuple[str, str, str]) -> dict[str, float | None]:
    """The estimate and the ends of its interval under these names of columns, null where there is none."""
    return {name: None if estimate is None else estimate[index] for index, name in enumerate(names)}


def _mean(values: Numbers, *, exact: bool, rng: np.random.Generator) -> Estimate:
    if exact:
        from scipy import stats

        hits = int(values.sum())
        interval = stats.binomtest(hits, values.size).proportion_ci(CONFIDENCE, "exact")
        return Estimate(hits / values.size, float(interval.low), float(interval.high))
    means = values[rng.integers(values.size, size=(DRAWS, values.size))].mean(axis=1)
    return Estimate(float(values.mean()), *_ends(means))


def _excess_of(rows: pl.DataFrame, static: pl.DataFrame, rng: np.random.Generator) -> tuple[Estimate | None, int]:
    """How far benchmarks exceed the mean of static ones of their age, and how many have one."""
    dated, of_static = rows.drop_nulls("age"), static.drop_nulls("age")
    values, fixed = dated["value"].to_numpy(), of_static["value"].to_numpy()
    same_age = np.abs(dated["age"].to_numpy()[:, None] - of_static["age"].to_numpy()[None, :]) <= SAME_AGE
    n = int(same_age.any(axis=1).sum())
    if n < FEWEST_OF_KIND or int(same_age.any(axis=0).sum()) < FEWEST_OF_KIND:
        return None, n
    excess = _excess(values, np.ones(values.size), fixed, np.ones(fixed.size), same_age)
    times = rng.multinomial(values.size, np.full(values.size, 1 / values.size), DRAWS).astype(float)
    other_times = rng.multinomial(fixed.size, np.full(fixed.size, 1 / fixed.size), DRAWS).astype(float)
    drawn = [_excess(values, mine, fixed, theirs, same_age) for mine, theirs in zip(times, other_times, strict=True)]
    ends = _ends(np.array(drawn)[np.isfinite(drawn)])
    return (Estimate(excess, *ends) if ends[0] is not None else None), n


def _excess(
    values: Numbers, times: Numbers, fixed: Numbers, other_times: Numbers, same_age: NDArray[np.bool_]
) -> float:
    """The mean excess where each benchmark counts as often as it was drawn; NaN where no drawn pair is of one age."""
    weight = same_age * other_times
    static_count = weight.sum(axis=1)
    counted = times * (static_count > 0)
    if not counted.any():
        return float("nan")
    static_mean = np.divide(weight @ fixed, static_count, out=np.zeros_like(values), where=static_count > 0)
    return float((counted * (values - static_mean)).sum() / counted.sum())


def _ends(drawn: Numbers) -> tuple[float | None, float | None]:
    """The ends of the 95% interval of bootstrap draws; None where all draws are alike."""
    if np.ptp(drawn) == 0:
        return None, None
    low, high = np.quantile(drawn, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)
