"""How good the candidates were: error, skill against persistence and drift, and coverage, over all scored forecasts."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from analytics.forecast.backtest import CANDIDATES, ROUNDING, Backtest, interval
from analytics.forecast.series import Numbers, Series
from analytics.record.tables import PUBLISHED

RESAMPLES = 1000
POINTS = 100.0


@dataclass(frozen=True)
class Skill:
    """Of one candidate at one horizon: skills are 1 - MAE / MAE of the reference, with 95% intervals."""

    method: str
    n: int
    n_benchmarks: int
    mae: float
    vs_persistence: float
    vs_persistence_low: float
    vs_persistence_high: float
    vs_drift: float
    coverage80: float

    @property
    def proven(self) -> bool:
        """Whether it beats persistence beyond the error of the comparison."""
        return self.vs_persistence_low > 0


def skills(series: Series, tested: Backtest, rng: np.random.Generator) -> dict[str, Skill]:
    """The skill of every candidate on the same forecasts; empty if none could be scored.

    Intervals by the bootstrap of whole benchmarks: forecasts of one benchmark overlap and err together.
    """
    scored = tested.scored
    if not scored.any():
        return {}
    at, closed = tested.at.where(scored), tested.closed[scored]
    points = POINTS * at.room * np.abs(series.span[at.benchmark])
    error = {name: points * np.abs(tested.expected[name][scored] - closed) for name in CANDIDATES}
    names, place = np.unique(at.benchmark, return_inverse=True)
    weights = rng.multinomial(names.size, np.full(names.size, 1 / names.size), RESAMPLES).astype(np.float64)
    summed = {name: np.bincount(place, values, names.size) for name, values in error.items()}
    found = {}
    for name in CANDIDATES:
        low, high = interval(tested, name)
        covered = (closed >= low[scored] - ROUNDING) & (closed <= high[scored] + ROUNDING)
        resampled = _skill(weights @ summed[name], weights @ summed["persistence"])
        low_skill, high_skill = np.percentile(resampled, [2.5, 97.5], method="nearest")
        found[name] = Skill(
            method=name,
            n=int(scored.sum()),
            n_benchmarks=names.size,
            mae=float(error[name].mean()),
            vs_persistence=float(_skill(error[name].mean(), error["persistence"].mean())),
            vs_persistence_low=float(low_skill),
            vs_persistence_high=float(high_skill),
            vs_drift=float(_skill(error[name].mean(), error["drift"].mean())),
            coverage80=float(covered.mean()),
        )
    return found


def _skill(error: Numbers | np.floating, reference: Numbers | np.floating) -> Numbers:
    """1 - error / reference; 0 where the reference makes no error and neither does the method, else minus infinity."""
    error, reference = np.asarray(error, dtype=np.float64), np.asarray(reference, dtype=np.float64)
    perfect = np.where(error > 0, -np.inf, 0.0)
    return np.where(reference > 0, 1 - error / np.where(reference > 0, reference, 1.0), perfect)


def skill_table(found: dict[int, dict[str, Skill]]) -> pl.DataFrame:
    """The published table, by horizon in months, best method first."""
    schema = PUBLISHED["forecast_skill"]
    rows = [
        {
            "method": skill.method,
            "horizon_months": months,
            "n": skill.n,
            "mae": skill.mae,
            "skill_vs_persistence": skill.vs_persistence if np.isfinite(skill.vs_persistence) else None,
            "skill_vs_drift": skill.vs_drift if np.isfinite(skill.vs_drift) else None,
            "coverage80": skill.coverage80,
        }
        for months, each in found.items()
        for skill in each.values()
    ]
    return pl.DataFrame(rows, schema=schema, orient="row").sort("horizon_months", "mae", "method")
