"""Thirty nights against the real upstream files: what grows on the disk, and that it keeps to the limits."""

import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

from benchhealth.ingest.catalog import SOURCES
from benchhealth.ingest.network import raw
from benchhealth.pipeline.keeping.bodies import needed_hashes, on_disk, recorded_bodies
from benchhealth.pipeline.keeping.log_file import handler
from benchhealth.pipeline.keeping.retention import prune
from benchhealth.pipeline.night import ingest, nightly
from benchhealth.pipeline.settings import MB, Keep, Settings
from benchhealth.warehouse.read import FILES_FOLDER, generations
from benchhealth.warehouse.store import DATABASE, Store
from tests.pipeline.conftest import SERVE, settings_of
from tests.support.replay import evening, facts, pull, replaying, unlike

pytestmark = pytest.mark.skipif(not SERVE.exists(), reason="the replayed upstreams are not beside this checkout")

FIRST, NIGHTS = date(2026, 7, 23), 30
ACTIVE = ("lmarena-daily", "new-livebench", "model-cards", "lmarena-agent", "weirdml", "forecastbench")
"""The sources of which something came in most of these nights."""

LIMITS = Keep(generations=2, raw_days=7, raw_mb=3, log_mb=1)
PUBLISHED_EVERY = 10


@pytest.fixture
def logged(tmp_path: Path) -> Iterator[Path]:
    """All log lines in a file, as with BENCHHEALTH_LOG."""
    lines = handler(replace(settings_of(tmp_path, tmp_path), log=tmp_path / "nightly.log", keep=LIMITS))
    logging.getLogger().addHandler(lines)
    try:
        yield tmp_path / "nightly.log"
    finally:
        logging.getLogger().removeHandler(lines)
        lines.close()


def size(*paths: Path) -> int:
    return sum(path.stat().st_size for path in paths if path.exists())


def night(settings: Settings, day: date, clock: datetime, *, publish: bool) -> None:
    with replaying(*evening(day)) as url:
        if publish:
            assert nightly(settings, mirror=url) in (0, 2)
            return
        assert ingest(settings, keys=None, history=False, mirror=url) in (0, 2)
    with Store.open(settings.home) as store:
        prune(settings.home, store, settings.keep, clock)


def keeps_to_the_limits(home: Path, keep: Keep, clock: datetime) -> None:
    there, stays = on_disk(home), list(needed_hashes(home))
    needs = there.filter(pl.col("sha256").is_in(stays))["bytes"].sum()
    assert there["bytes"].sum() <= max(keep.raw_mb * MB, needs)
    free = there.join(recorded_bodies(home), on="sha256").filter(~pl.col("sha256").is_in(stays))
    assert free.filter(pl.col("at") < clock - timedelta(days=keep.raw_days)).is_empty()
    assert len(generations(home)) <= keep.generations
    for sha256 in there["sha256"]:
        raw.load(home, sha256)


def nights(
    home: Path, log: Path, monkeypatch: pytest.MonkeyPatch, *, keys: tuple[str, ...], count: int, publish_every: int
) -> None:
    """So many nights, the table of what each left on the disk, and each held to the limits."""
    settings = replace(settings_of(home, home), keep=LIMITS)
    monkeypatch.setattr("benchhealth.pipeline.night.SOURCES", tuple(source for source in SOURCES if source.key in keys))
    rows = []
    for number in range(count):
        day = FIRST + timedelta(days=number)
        clock = datetime(day.year, day.month, day.day, 3, 17) + timedelta(days=1)
        monkeypatch.setattr("benchhealth.pipeline.night.now", lambda clock=clock: clock)
        night(settings, day, clock, publish=number % publish_every == publish_every - 1)
        keeps_to_the_limits(home, LIMITS, clock)
        assert size(log, log.with_name(f"{log.name}.1")) <= LIMITS.log_mb * MB
        published = [*generations(home), *(home / "published" / FILES_FOLDER).rglob("*")]
        row = (day, on_disk(home)["bytes"].sum(), size(home / DATABASE), size(*published), size(log))
        rows.append(row)
        print(*row, sep="\t")
    last = facts(home)
    assert len(generations(home)) == min(LIMITS.generations, count // publish_every)
    for number in range(count):
        pull(home.with_name("without"), keys, *evening(FIRST + timedelta(days=number)))
    assert not unlike(last, facts(home.with_name("without")))
    assert rows[-1][1] < on_disk(home.with_name("without"))["bytes"].sum()


@pytest.mark.soak
def test_thirty_nights_keep_to_the_limits_and_lose_no_fact(
    tmp_path: Path, logged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nights(tmp_path / "home", logged, monkeypatch, keys=ACTIVE, count=NIGHTS, publish_every=PUBLISHED_EVERY)
