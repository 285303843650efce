"""The publish under readers: real processes that read all the time while generations come and go."""

import json
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.store import Store
from tests.support.facts import NOON, batch, derived, publish, registry, result, sources

READERS = 2
PUBLISHES = 4
"""Two more than are kept beside the current one: readers hold files that are deleted."""
ROWS = 3000
HANGS_AFTER = 60.0

CURATED = {"benchmark_id": "squad-2.0", "name": "SQuAD", "metric": "EM", "unit": "percent", "higher_is_better": True}

Read = tuple[float, list[float], list[float]]


def marked(number: int) -> dict[str, pl.DataFrame]:
    """Two tables of many rows that all say which publish they are of."""
    names = pl.Series([f"name {row}" for row in range(ROWS)])
    value = pl.lit(float(number))
    return derived(
        difficulty=pl.DataFrame({"benchmark_id": names})
        .with_columns(difficulty=value, slope=value)
        .cast(PUBLISHED["difficulty"]),
        capability=pl.DataFrame({"model_id": names})
        .with_columns(score=value, low=value, high=value, n_benchmarks=pl.lit(number))
        .cast(PUBLISHED["capability"]),
    )


def reads(report: Path) -> list[Read]:
    """The complete lines of a report so far."""
    if not report.exists():
        return []
    return [json.loads(line) for line in report.read_text().splitlines(keepends=True) if line.endswith("\n")]


def wait_until_seen(number: int, reports: list[Path], processes: list[subprocess.Popen[str]]) -> None:
    give_up = time.monotonic() + HANGS_AFTER
    while not all(any(first[0] >= number for _, first, _ in reads(report)[-1:]) for report in reports):
        assert all(process.poll() is None for process in processes), "a reader ended"
        assert time.monotonic() < give_up, f"publish {number} was never seen"
        time.sleep(0.02)


@pytest.mark.soak
def test_two_processes_read_through_publishes(tmp_path: Path) -> None:
    curated = registry([CURATED])
    with Store.open(tmp_path) as store:
        store.write_sources(sources("squad"))
        store.write(batch([result()]))
    frames = load(tmp_path, curated, NOON)
    publish(tmp_path, curated, frames, marked(0), NOON)
    reports = [tmp_path / f"reader-{number}" for number in range(READERS)]
    processes = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "tests.support.reader_process", tmp_path, report],
            cwd=Path(__file__).parents[2],
            stderr=subprocess.PIPE,
            text=True,
        )
        for report in reports
    ]
    published_at: dict[int, float] = {}
    try:
        wait_until_seen(0, reports, processes)
        for number in range(1, PUBLISHES + 1):
            publish(tmp_path, curated, frames, marked(number), NOON)
            published_at[number] = time.monotonic()
            wait_until_seen(number, reports, processes)
    finally:
        (tmp_path / "stop").touch()
        errors = [process.communicate(timeout=HANGS_AFTER)[1] for process in processes]
    assert errors == [""] * READERS
    assert [process.returncode for process in processes] == [0] * READERS
    for report in reports:
        seen = reads(report)
        assert {int(first[0]) for _, first, _ in seen} == set(range(PUBLISHES + 1))
        for began, first, second in seen:
            assert first == second == [first[0], first[0], ROWS], "a torn state"
            newest = max((number for number, instant in published_at.items() if instant < began), default=0)
            assert first[0] >= newest, "a read that began after a publish saw an older one"
