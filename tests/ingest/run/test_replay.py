"""Real upstream files through the real parser, replayed by a server that is not part of this repository."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import polars as pl
import pytest
import requests

from benchhealth.ingest.catalog import SOURCES
from benchhealth.ingest.network.fetch import Fetcher, Pace
from benchhealth.ingest.network.payload import Limits
from benchhealth.ingest.run.progress import Lines
from benchhealth.ingest.run.report import IngestReport, exit_code
from benchhealth.ingest.run.run import ingest
from benchhealth.ingest.source import GithubFile, Source
from benchhealth.warehouse.store import Store, fact_table
from tests.support.curated_facts import curated

ROOT = Path(__file__).resolve().parents[3]
SERVE = ROOT.parent / "shared" / "upstream" / "serve"
REGISTRY = ROOT / "data" / "registry"

pytestmark = pytest.mark.skipif(not SERVE.exists(), reason="the replayed files are not here")


@contextmanager
def replaying(*options: str) -> Iterator[str]:
    with subprocess.Popen(
        [sys.executable, SERVE, "--port", "0", *options], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split()[-1]
        finally:
            server.terminate()


def source(key: str, path: str) -> Source:
    chosen_source = next(source for source in SOURCES if source.key == key)
    files = tuple(file for file in chosen_source.files if isinstance(file, GithubFile) and file.path == path)
    return replace(chosen_source, files=files)


def night(source: Source, store: Store, home: Path, url: str) -> tuple[IngestReport, list[tuple[str, int]]]:
    """One --history run; also the method and status of every answer it got."""
    answers: list[tuple[str, int]] = []

    def note(response: requests.Response, **_options: object) -> None:
        answers.append((str(response.request.method), response.status_code))

    pace = Pace(Limits(stall_seconds=0.5), attempts=8, sleep=lambda _seconds: None)
    with closing(Fetcher(url, lambda: datetime(2026, 1, 1), pace=pace)) as fetcher:
        fetcher._session.hooks["response"].append(note)
        report = ingest(
            [source],
            store,
            curated(),
            fetcher,
            history=True,
            home=home,
            registry_folder=REGISTRY,
            progress=Lines(),
        )
    return report, answers


def test_a_history_is_fetched_once_and_only_once(tmp_path: Path) -> None:
    board = source("evalplus", "humaneval.csv")
    with replaying() as url, Store.open(tmp_path) as store:
        report, answers = night(board, store, tmp_path, url)
        snapshot = fact_table(tmp_path, "snapshot")
        assert exit_code(report) == 0
        assert report.sources[0].snapshots == snapshot.height > 1
        # One question to the branch, one to the API, one for each commit.
        assert len(answers) == snapshot.height + 2
        assert snapshot.filter(pl.col("rows_in") != pl.col("rows_kept") + pl.col("rows_rejected")).is_empty()
        tables = ("snapshot", "result", "rejection")
        before = {table: fact_table(tmp_path, table).sort(pl.all()) for table in tables}
        report, answers = night(board, store, tmp_path, url)
        assert (exit_code(report), answers) == (0, [("HEAD", 304)])
        for table in tables:
            assert fact_table(tmp_path, table).sort(pl.all()).equals(before[table])


def test_a_host_that_misbehaves_leaves_the_same_facts(tmp_path: Path) -> None:
    evalplus = source("evalplus", "mbpp.csv")
    stored = {}
    for options in ((), ("--faults", "0.4", "--api-limit", "0")):
        home = tmp_path / str(len(options))
        with replaying(*options) as url, Store.open(home) as store:
            for _ in range(3):
                report, _ = night(evalplus, store, home, url)
                if exit_code(report) == 0:
                    break
            stored[options] = [fact_table(home, table).sort(pl.all()) for table in ("snapshot", "result", "rejection")]
    clean, faulty = stored.values()
    assert clean[0].height > 1
    assert all(one.equals(other) for one, other in zip(clean, faulty, strict=True))
