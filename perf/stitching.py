"""Stitching Epoch's tables: what the fit and its 500 replicates take, on as many cores as the fit uses (one)."""

import shutil
import tempfile
import time
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchhealth.analytics.capability.cells import Cells, cells
from benchhealth.analytics.capability.choose import choose
from benchhealth.analytics.capability.fit import fit
from benchhealth.analytics.capability.replicate import REPLICATES, replicates
from benchhealth.analytics.record.current import benchmark_facts, leaderboard, newest, ranked_results
from benchhealth.pipeline.settings import REPOSITORY
from benchhealth.warehouse.bundle import read_bundles, restore
from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.registry import read_registry
from benchhealth.warehouse.store import Store

AT_MOST = 10.0
"""Seconds that the replicates may take."""


class Stitching(NamedTuple):
    """The size of what was stitched and the seconds of each step."""

    models: int
    benchmarks: int
    scores: int
    choosing: float
    fitting: float
    replicating: float


def measure() -> Stitching:
    """Choose the penalty, fit and replicate, on the newest bundled scores of Epoch's tables."""
    seen = _epoch()
    began = time.perf_counter()
    penalty, _ = choose(seen, np.random.default_rng(0))
    chosen = time.perf_counter()
    fitted = fit(seen, penalty)
    fit_by = time.perf_counter()
    replicates(seen, penalty, fitted, np.random.default_rng(1))
    ended = time.perf_counter()
    size = len(seen.model_ids), len(seen.benchmark_ids), len(seen)
    return Stitching(*size, chosen - began, fit_by - chosen, ended - fit_by)


def table(took: Stitching) -> list[str]:
    """The printed seconds; a mark where the replicates take longer than `AT_MOST`."""
    return [
        f"{took.scores:,} scores of {took.models} models on {took.benchmarks} benchmarks (Epoch's tables)",
        f"{'choosing the penalty':<40}{took.choosing:>9.2f}",
        f"{'fit':<40}{took.fitting:>9.2f}",
        f"{f'{REPLICATES} replicates':<40}{took.replicating:>9.2f}{' !' if took.replicating > AT_MOST else ''}",
    ]


def _epoch() -> Cells:
    home = Path(tempfile.mkdtemp(prefix="benchhealth-perf-"))
    try:
        with Store.open(home) as store:
            restore(store, read_bundles(REPOSITORY / "data" / "snapshot" / "epoch.parquet"))
        facts = load(home, read_registry(REPOSITORY / "data" / "registry"), datetime(9999, 1, 1))  # noqa: DTZ001
    finally:
        shutil.rmtree(home)
    about = benchmark_facts(facts)
    return cells(leaderboard(newest(ranked_results(facts, about))), about)


if __name__ == "__main__":
    print("\n".join(table(measure())))
