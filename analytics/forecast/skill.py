"""How good the forecasts were, kind of benchmark by kind: skill, coverage, and whether chances came true as often."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import NamedTuple

import numpy as np
import polars as pl

from benchhealth.analytics.forecast.backtest import POPULATIONS, Backtest
from benchhealth.analytics.forecast.candidates import CANDIDATES, HALF_SHIFT, IF_TESTED, RUNNING_MEAN
from benchhealth.analytics.forecast.closed import inside
from benchhealth.analytics.forecast.series import Series
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.arrays import Flags, Numbers, Places
from benchhealth.analytics.statistics.units.clustered_share import clustered_share

CHANCE = "chance that a stronger model is tested"
TESTED = "best score where a stronger model was tested"
UNTESTED = "best score where none was tested"
EITHER = "best score, whether or not one was tested"
REGRESSION = "logistic_regression"
RESAMPLES = 1000
POINTS = 100.0
LEAST_SKILL = 0.15
"""A forecast of the score must avoid more of persistence's error than this: less is not worth a reader's while."""
LEAST_COVERAGE = 0.7
"""Share of the outcomes that moved which an 80% interval must have held."""
ENOUGH_STRETCHES = 4
"""Stretches of time as long as the horizon: of three the lower end of a resampled skill is that of the worst one, and a
coverage of fewer is that of one or two days of the world."""
BINS = 5


@dataclass(frozen=True)
class Skill:
    """The skill of one method in one part of the forecast, on one kind of benchmarks at one horizon.

    `skill` is 1 - error / error of the reference: mean absolute errors in points against persistence for a score, Brier
    scores against the rate at which it had happened before for a chance; from `skill_low` to `skill_high` with 95%.
    `skill_vs_half_shift` is the same against what was published before, on the same origins. `holds`: whether it has
    proven better than its reference. None is what cannot be computed or does not apply.
    """

    part: str
    population: str
    method: str
    n: int
    n_benchmarks: int
    n_families: int
    n_stretches: int
    mae: float | None = None
    skill: float | None = None
    skill_low: float | None = None
    skill_high: float | None = None
    skill_vs_persistence: float | None = None
    skill_vs_drift: float | None = None
    skill_vs_half_shift: float | None = None
    skill_vs_half_shift_low: float | None = None
    skill_vs_half_shift_high: float | None = None
    brier: float | None = None
    brier_of_base_rate: float | None = None
    coverage80: float | None = None
    coverage80_moved: float | None = None
    n_covered: int | None = None
    holds: bool = False


Record = Mapping[tuple[str, str], Skill]
"""By part and population the skill of what would be published there."""


@dataclass(frozen=True)
class _Clusters:
    """Weights that resample families of benchmarks and stretches of time, shape (resamples, n)."""

    weights: Numbers
    benchmarks: int
    families: int
    stretches: int


def skills(series: Series, tested: Backtest, rng: np.random.Generator) -> list[Skill]:
    """Skill of every method on each kind of benchmarks, on forecasts with a known outcome that all of them could make.

    Whether or not a stronger model was tested, what a method says for the case that one is counts times the chance.
    Intervals by resampling two ways at once: families of benchmarks (one domain of one source), and stretches of time
    as long as the horizon, because forecasts of one family, and of neighbouring days, meet the same models (the
    pigeonhole bootstrap, Owen 2007, doi:10.1214/07-AOAS122).
    """
    rows: list[Skill] = []
    for kind in range(len(POPULATIONS)):
        of_kind = tested.where(tested.population == kind)
        rows += _of_chance(series, of_kind, POPULATIONS[kind], rng)
        is_comparable = np.isfinite([of_kind.closed, of_kind.happened, of_kind.expected[RUNNING_MEAN]]).all(axis=0)
        masks = {EITHER: np.isfinite(of_kind.chance), TESTED: of_kind.happened == 1, UNTESTED: of_kind.happened == 0}
        for part, mask in masks.items():
            rows += _of_score(series, of_kind.where(is_comparable & mask), part, POPULATIONS[kind], rng)
    return rows


def published(measured_skills: Iterable[Skill]) -> Record:
    """The table of skill: a row for each part and population that it was measured on."""
    return {
        (skill.part, skill.population): skill for skill in measured_skills if skill.method in (REGRESSION, RUNNING_MEAN)
    }


def reliability(series: Series, tested: Backtest, months: int) -> Iterator[dict[str, object]]:
    """Rows of `forecast_reliability`: how often it happened among the chances within each fifth, with 95% intervals."""
    is_judged = np.isfinite(tested.chance) & np.isfinite(tested.happened)
    fifth = np.minimum((np.nan_to_num(tested.chance) * BINS).astype(np.int64), BINS - 1)
    for kind, population in enumerate(POPULATIONS):
        for bin_index in range(BINS):
            chosen = is_judged & (tested.population == kind) & (fifth == bin_index)
            if not chosen.any():
                continue
            share, low, high = clustered_share(
                tested.happened[chosen] == 1, series.family[tested.origins.benchmark[chosen]]
            )
            yield {
                "population": population,
                "horizon_months": months,
                "from_chance": bin_index / BINS,
                "to_chance": (bin_index + 1) / BINS,
                "n": int(chosen.sum()),
                "expected": float(tested.chance[chosen].mean()),
                "observed": share,
                "observed_low": low,
                "observed_high": high,
            }


def _of_chance(series: Series, tested: Backtest, population: str, rng: np.random.Generator) -> list[Skill]:
    judged = tested.where(np.isfinite(tested.chance) & np.isfinite(tested.happened) & np.isfinite(tested.base))
    if not len(judged.origins):
        return []
    drawn = _clusters(series, judged, rng)
    error, reference = (judged.chance - judged.happened) ** 2, (judged.base - judged.happened) ** 2
    skill = _compared((CHANCE, population, REGRESSION), error, reference, drawn)
    holds = skill.skill_low is not None and skill.skill_low > 0 and drawn.stretches >= ENOUGH_STRETCHES
    return [replace(skill, brier=float(error.mean()), brier_of_base_rate=float(reference.mean()), holds=holds)]


def _of_score(series: Series, scored: Backtest, part: str, population: str, rng: np.random.Generator) -> list[Skill]:
    if not len(scored.origins):
        return []
    drawn = _clusters(series, scored, rng)
    error = {name: _error(series, scored, part, name) for name in CANDIDATES}
    rows = []
    for name in CANDIDATES:
        skill = _compared((part, population, name), error[name], error["persistence"], drawn)
        coverage = _coverage(scored) if name == RUNNING_MEAN and part == TESTED else _NOTHING
        before = _skill(error[name], error[HALF_SHIFT], drawn) if name == RUNNING_MEAN else (None, None, None)
        rows.append(
            replace(
                skill,
                mae=float(error[name].mean()),
                skill_vs_persistence=skill.skill,
                skill_vs_drift=_ratio(error[name].mean(), error["drift"].mean()),
                skill_vs_half_shift=before[0],
                skill_vs_half_shift_low=before[1],
                skill_vs_half_shift_high=before[2],
                coverage80=coverage.all,
                coverage80_moved=coverage.moved,
                n_covered=coverage.n,
                holds=_holds(skill.skill, skill.skill_low, coverage.moved, drawn.stretches),
            )
        )
    return rows


def _compared(keys: tuple[str, str, str], error: Numbers, reference: Numbers, drawn: _Clusters) -> Skill:
    """The skill by these errors and those of the reference; `keys` are part, population and method."""
    counts = (error.size, drawn.benchmarks, drawn.families, drawn.stretches)
    value, low, high = _skill(error, reference, drawn)
    return Skill(*keys, *counts, skill=value, skill_low=low, skill_high=high)


def _error(series: Series, scored: Backtest, part: str, name: str) -> Numbers:
    """How far each forecast was off, in points."""
    share = scored.expected[name] * (scored.chance if part == EITHER and name in IF_TESTED else 1.0)
    points = POINTS * scored.origins.room * np.abs(series.span[scored.origins.benchmark])
    return np.asarray(points * np.abs(share - scored.closed))


class _Coverage(NamedTuple):
    """The share of outcomes within their intervals: of `all` n that have one, and of those that `moved`."""

    all: float | None
    moved: float | None
    n: int | None


_NOTHING = _Coverage(None, None, None)


def _coverage(scored: Backtest) -> _Coverage:
    """The coverage of the 80% intervals; nothing with fewer stretches of time than ENOUGH_STRETCHES."""
    has_interval = np.isfinite(scored.low)
    if _stretches(scored.where(has_interval)).size < ENOUGH_STRETCHES:
        return _NOTHING
    is_inside = inside(scored.closed, scored.low, scored.high)
    moved = has_interval & (scored.closed > 0)
    of_moved = float(is_inside[moved].mean()) if moved.any() else None
    return _Coverage(float(is_inside[has_interval].mean()), of_moved, int(has_interval.sum()))


def _holds(value: float | None, low: float | None, moved: float | None, stretches: int) -> bool:
    if value is None or low is None or moved is None:
        return False
    return value > LEAST_SKILL and low > 0 and moved >= LEAST_COVERAGE and stretches >= ENOUGH_STRETCHES


def _clusters(series: Series, scored: Backtest, rng: np.random.Generator) -> _Clusters:
    families, family = np.unique(series.family[scored.origins.benchmark], return_inverse=True)
    stretches = _stretches(scored)
    stretch: Places = np.searchsorted(stretches, scored.origins.day // scored.days)

    def times_drawn(groups: int, cluster: Places) -> Numbers:
        return rng.multinomial(groups, np.full(groups, 1 / groups), RESAMPLES).astype(np.float64)[:, cluster]

    weights = times_drawn(families.size, family) * times_drawn(stretches.size, stretch)
    return _Clusters(weights, np.unique(scored.origins.benchmark).size, families.size, stretches.size)


def _stretches(scored: Backtest) -> Places:
    """The stretches of time, as long as the horizon, in which the forecasts were made."""
    return np.asarray(np.unique(scored.origins.day // scored.days))


def _skill(error: Numbers, reference: Numbers, clusters: _Clusters) -> tuple[float | None, float | None, float | None]:
    """1 - error / reference with its 95% interval; None where the reference makes no error.

    Resamples in which it makes none are left out.
    """
    value = _ratio(error.mean(), reference.mean())
    if value is None:
        return None, None, None
    below = clusters.weights @ reference
    usable: Flags = below > 0
    resampled = 1 - (clusters.weights @ error)[usable] / below[usable]
    low, high = np.percentile(resampled, [2.5, 97.5])
    return value, float(low), float(high)


def _ratio(error: np.floating, reference: np.floating) -> float | None:
    return float(1 - error / reference) if reference > 0 else None


def skill_table(by_horizon: Mapping[int, Iterable[Skill]]) -> pl.DataFrame:
    """The published table, by horizon in months, best method first."""
    rows = [{"horizon_months": months, **asdict(skill)} for months, group in by_horizon.items() for skill in group]
    order = ["horizon_months", "part", "population", "mae", "method"]
    return pl.DataFrame(rows, schema=PUBLISHED["forecast_skill"], orient="row").sort(order)
