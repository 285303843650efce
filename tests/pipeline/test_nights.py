"""Nights replayed one after the other, against one backfill."""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import polars as pl
import pytest
import requests

from benchhealth.ingest.catalog import SOURCES
from benchhealth.ingest.run.report import IngestReport, exit_code
from benchhealth.ingest.source import ENDED, BundledFile
from benchhealth.warehouse.read import open_current
from benchhealth.warehouse.store import fact_table
from tests.support.replay import EVERY, FROM_WEB, SERVE, TABLES, command, evening, facts, pull, replaying, shown, unlike

pytestmark = pytest.mark.skipif(not SERVE.exists(), reason="the replayed upstreams are not beside this checkout")

MONTH_ENDS = [
    *(date(2023, month, day) for month, day in ((6, 30), (12, 31))),
    *(date(2024, month, day) for month, day in ((3, 31), (6, 30), (8, 31), (10, 31), (12, 31))),
    *(date(2025, month, day) for month, day in ((3, 31), (5, 31), (8, 31), (12, 31))),
    date(2026, 8, 31),
]
"""Spread over the life of the stored histories: half of the versions are of 2024 and 2025, the last of August 2026."""

TWO = ("aider", "swe-bench")
THREE = [date(2024, 7, 31), date(2024, 8, 31), date(2024, 9, 30)]
"""Young then: ten versions of the one and 27 of the other."""
PUBLISHED_ON = MONTH_ENDS[7::4]
"""Nights on which a generation is published too, by the real command; of the others the facts are compared alone."""


def night(home: Path, keys: Sequence[str], day: date) -> None:
    """One night that must end well, but for files that are not there yet, which is their source's failure alone."""
    if keys == EVERY and day in PUBLISHED_ON:
        with replaying(*evening(day)) as url:
            assert command(home, "nightly", "--mirror", url).wait() in (0, 2), (home / "log").read_text()[-3000:]
        open_current(home).close()
        # What has ended by now had not yet then, and a night no longer asks it.
        keys = [source.key for source in SOURCES if source.kind in ENDED]
    report = pull(home, keys, *evening(day))
    assert not [source.held for source in report.sources if source.held]
    assert all(is_not_there_yet(error) for error in errors(report)), errors(report)


def errors(report: IngestReport) -> list[str]:
    return [error for source in report.sources for error in source.errors]


def is_not_there_yet(error: str) -> bool:
    return error.endswith("HTTP status 404") or "no path matches" in error


@pytest.fixture(scope="module")
def backfilled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All sources, all dated versions, by the real command."""
    home = tmp_path_factory.mktemp("backfilled")
    with replaying() as url:
        assert command(home, "ingest", "--history", "--mirror", url).wait() == 0, (home / "log").read_text()[-3000:]
    return home


@pytest.mark.soak
def test_a_backfill_of_all_sources_holds_what_it_must(backfilled: Path) -> None:
    snapshots, results = fact_table(backfilled, "snapshot"), fact_table(backfilled, "result")
    assert snapshots["source_id"].n_unique() >= 30
    assert results["benchmark_id"].n_unique() >= 1_000
    assert results["model_id"].n_unique() >= 3_000
    assert results.height >= 250_000
    assert snapshots.height >= 1_000
    assert snapshots.filter(pl.col("rows_in") != pl.col("rows_kept") + pl.col("rows_rejected")).is_empty()
    traced = results.join(snapshots, on="snapshot_id", how="left").select("url", "ref", "source_row")
    assert traced.filter(pl.any_horizontal(pl.all().is_null() | (pl.all() == ""))).is_empty()
    assert snapshots.filter(~pl.col("url").str.contains(pl.col("ref"), literal=True))["source_id"].sort().to_list() == [
        source.key
        for source in sorted(SOURCES, key=lambda source: source.key)
        if isinstance(source.files[0], BundledFile)
    ]


@pytest.mark.soak
def test_a_second_backfill_is_told_that_nothing_changed(backfilled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers: Counter[int] = Counter()
    send = requests.Session.request

    def noted(self: requests.Session, method: str, url: str, **options: object) -> requests.Response:
        answer = send(self, method, url, **options)  # type: ignore[arg-type]
        answers[answer.status_code] += 1
        return answer

    monkeypatch.setattr(requests.Session, "request", noted)
    before = {table: fact_table(backfilled, table).sort(pl.all()) for table in TABLES}
    report = pull(backfilled, EVERY, history=True)
    assert (exit_code(report), set(answers)) == (0, {304})
    assert not unlike({table: fact_table(backfilled, table).sort(pl.all()) for table in TABLES}, before)


@pytest.mark.soak
def test_a_backfill_under_the_api_limit_is_finished_night_by_night(backfilled: Path, tmp_path: Path) -> None:
    """The server counts sixty questions, then refuses for the rest of its life; every night has a new one.

    A version without signs is its line's newest until the night that reads the next: till then its source has failed.
    """
    stored, waiting = [0], True
    while waiting:
        report = pull(tmp_path, EVERY, "--api-limit", "60", history=True)
        waiting = report.deferred > 0
        assert all(waiting and "lost their signs" in error for error in errors(report)), errors(report)
        assert exit_code(report) == (2 if errors(report) else 0)
        assert ("API limit reached" in str(report)) == waiting
        stored.append(fact_table(tmp_path, "snapshot").height)
        assert stored[-1] > stored[-2]
    assert len(stored) > 3
    assert not unlike(facts(tmp_path), facts(backfilled))


def nights_equal_a_backfill(home: Path, keys: Sequence[str], days: Sequence[date], backfill: Path) -> None:
    for day in days:
        night(home, keys, day)
    for day in days:
        by_night, at_once = shown(home, day), shown(backfill, day)
        assert by_night["result"].height > 0
        if not by_night["file"]["source_id"].is_in(FROM_WEB).any():
            # Copies of what an address showed, made before it was served here: history holds them, and no night can.
            at_once = {table: rows.filter(~pl.col("source_id").is_in(FROM_WEB)) for table, rows in at_once.items()}
        assert not unlike(by_night, at_once), day


@pytest.mark.soak
def test_three_nights_of_two_sources_equal_a_backfill(tmp_path: Path) -> None:
    pull(tmp_path / "backfill", TWO, *evening(THREE[-1]), history=True)
    nights_equal_a_backfill(tmp_path / "nights", TWO, THREE, tmp_path / "backfill")


@pytest.mark.soak
def test_twelve_month_ends_of_all_sources_equal_a_backfill(tmp_path: Path, backfilled: Path) -> None:
    nights_equal_a_backfill(tmp_path, EVERY, MONTH_ENDS, backfilled)
