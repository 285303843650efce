"""Epoch's own tables under our model and under the published one: who predicts held-out scores better.

The published model (Ho et al. 2025, arXiv:2512.00193, benchmark-stitching's fit): sigmoid(slope (capability -
difficulty)) without floors or errors, ordinary least squares plus 0.1 times the mean squared parameter, capabilities
and difficulties within 10 of 0, slopes from 0.1 to 10, one benchmark's slope held at 1.
"""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.special import expit
from threadpoolctl import threadpool_limits

from benchhealth.analytics.capability.cells import Cells, cells, stacked
from benchhealth.analytics.capability.choose import FOLDS, choose, folds, held_out, score
from benchhealth.analytics.capability.fit import Fit, debiased, fit, joined
from benchhealth.analytics.record.current import benchmark_facts, leaderboard, newest, ranked_results
from benchhealth.warehouse.bundle import read_bundles, restore
from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.store import Store
from tests.analytics.capability.test_capability import held
from tests.support.curated_facts import curated

ROOT = Path(__file__).parents[3]
ANCHOR = "winogrande"
PENALTY = 0.1
BOUND = 10.0


@pytest.fixture(scope="module")
def epoch(tmp_path_factory: pytest.TempPathFactory) -> Cells:
    """The newest bundled scores of Epoch's tables that hang together."""
    home = tmp_path_factory.mktemp("epoch")
    with Store.open(home) as store:
        restore(store, read_bundles(ROOT / "data" / "snapshot" / "epoch.parquet"))
    facts = load(home, curated(), datetime(2026, 1, 1))
    about = benchmark_facts(facts)
    return cells(leaderboard(newest(ranked_results(facts, about))), about)


def published(seen: Cells) -> Fit:
    """The published model's fit; `misfit` is not part of it and left at 0."""
    models, benchmarks = len(seen.model_ids), len(seen.benchmark_ids)
    free = np.arange(benchmarks) != seen.benchmark_ids.index(ANCHOR)
    column = np.cumsum(free) - 1

    def parts(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        slope = np.ones(benchmarks)
        slope[free] = values[models + benchmarks :]
        return values[:models], values[models : models + benchmarks], slope

    def residuals(values: np.ndarray) -> np.ndarray:
        capability, difficulty, slope = parts(values)
        b = seen.benchmark
        p = expit(slope[b] * (capability[seen.model] - difficulty[b]))
        return np.append(p - seen.score, np.sqrt(PENALTY * np.mean(values**2)))

    def jacobian(values: np.ndarray) -> np.ndarray:
        capability, difficulty, slope = parts(values)
        b, row = seen.benchmark, np.arange(len(seen))
        distance = capability[seen.model] - difficulty[b]
        p = expit(slope[b] * distance)
        steep = p * (1 - p)
        derivative = np.zeros((len(seen) + 1, values.size))
        derivative[row, seen.model] = steep * slope[b]
        derivative[row, models + b] = -steep * slope[b]
        bent = free[b]
        derivative[row[bent], models + benchmarks + column[b[bent]]] = (steep * distance)[bent]
        derivative[-1] = PENALTY * values / values.size / np.sqrt(PENALTY * np.mean(values**2))
        return derivative

    rng = np.random.default_rng(42)
    begin = np.concatenate([rng.normal(0, 0.1, models + benchmarks), np.ones(benchmarks - 1)])
    low = np.concatenate([np.full(models + benchmarks, -BOUND), np.full(benchmarks - 1, 0.1)])
    solved = least_squares(residuals, begin, jacobian, bounds=(low, np.full(begin.size, BOUND)))
    capability, difficulty, slope = parts(solved.x)
    return Fit(capability, difficulty, np.log(slope), np.zeros(benchmarks))


def parted(fits: Fit) -> list[Fit]:
    """The fit of each fold."""
    parts = (np.split(each, FOLDS) for each in (fits.capability, fits.difficulty, fits.log_slope, fits.misfit))
    return [Fit(*fold) for fold in zip(*parts, strict=True)]


def with_common_misfit(seen: Cells, fitted: Fit) -> Fit:
    """The same error model for both: reported error plus one variance, that of the training residuals beyond it."""
    beyond = np.mean((seen.score - fitted.predict(seen)) ** 2 - seen.error**2)
    return replace(fitted, misfit=np.full(len(seen.benchmark_ids), max(beyond, 1e-5)))


def coverage(epoch: Cells, runs: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """By run and model whether score and rank are held, of scores drawn from the fit on who was tested on what."""
    seen, rng = epoch.of_benchmarks(), np.random.default_rng(seed)
    penalty, _ = choose(seen, np.random.default_rng(0))
    truth = fit(seen, penalty)
    spread = np.sqrt(truth.variance(seen))
    drawn = [replace(seen, score=truth.predict(seen) + spread * rng.standard_normal(len(seen))) for _ in range(runs)]
    scores, ranks = zip(*(held(each, truth, penalty, rng) for each in drawn), strict=True)
    return np.array(scores), np.array(ranks)


def test_intervals_cover_where_few_models_share_benchmarks(epoch: Cells) -> None:
    scores, ranks = coverage(epoch, runs=3, seed=6)
    assert scores.mean() == pytest.approx(0.95, abs=0.06)
    assert ranks.mean() >= 0.93


@pytest.mark.soak
def test_intervals_cover_within_two_points_where_few_models_share_benchmarks(epoch: Cells) -> None:
    """However many benchmarks a model has: bias of the whole scale would show in those whose intervals are narrow."""
    scores, ranks = coverage(epoch, runs=200, seed=7)
    count = np.bincount(epoch.model)
    for least, most in ((3, 3), (4, 5), (6, 9), (10, 99)):
        among = (least <= count) & (count <= most)
        print(f"{least} to {most} benchmarks: {scores[:, among].mean():.4f}, rank {ranks[:, among].mean():.4f}")
        assert scores[:, among].mean() == pytest.approx(0.95, abs=0.03)
    print(f"capability {scores.mean():.4f}, rank {ranks.mean():.4f}")
    assert scores.mean() == pytest.approx(0.95, abs=0.02)
    assert ranks.mean() >= 0.95


@pytest.mark.soak
def test_held_out_scores_are_at_least_as_likely_as_under_the_published_model(epoch: Cells) -> None:
    flat = replace(epoch, floor=np.zeros(epoch.floor.size), span=np.ones(epoch.span.size))
    penalty, _ = choose(epoch, np.random.default_rng(0))
    fold = folds(epoch, np.random.default_rng(1))
    with threadpool_limits(1):
        theirs = [with_common_misfit(flat.where(fold != k), published(flat.where(fold != k))) for k in range(FOLDS)]
    ours = held_out(epoch, fold, penalty)
    common = [with_common_misfit(epoch.where(fold != k), each) for k, each in enumerate(parted(ours))]
    reference = score(flat, fold, joined(theirs))
    assert len(epoch.benchmark_ids) >= 35
    assert score(epoch, fold, joined(common)) >= reference
    assert score(epoch, fold, ours) >= reference
    seen = stacked([epoch.where(fold != k) for k in range(FOLDS)])
    assert score(epoch, fold, debiased(seen, penalty, ours)) >= reference
