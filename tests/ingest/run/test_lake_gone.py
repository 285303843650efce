"""PostgreSQL stops amid an ingest into a lake: one line for the source, no traceback, and the next night goes on."""

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchhealth.ingest.rows import Parsed
from benchhealth.ingest.source import GithubFile, Source
from benchhealth.warehouse.places.catalogue import LakeError
from benchhealth.warehouse.places.location import place
from tests.ingest.run.test_run import BOARD, DAY, House, board, opened, parse
from tests.support.fake_github import fake_github
from tests.support.lakes.postgres import Cluster

SECONDS = 2.0
"""How long a lease lasts, for which the next night waits."""


@pytest.fixture
def house(cluster: Cluster, tmp_path: Path) -> Iterator[House]:
    place(tmp_path, replace(cluster.lake(tmp_path / "lake"), lease_seconds=SECONDS))
    with fake_github() as github, opened(tmp_path, github) as house:
        yield house
    place(tmp_path, None)


@pytest.mark.soak
@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_a_catalogue_that_stops_costs_the_night_and_no_more(
    house: House, cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    other = replace(BOARD, path="results/other.csv")
    house.github.commit(BOARD.path, board("1"), DAY)
    house.github.commit(other.path, board("2"), DAY)
    read: list[str] = []

    def stopping(body: bytes, path: str) -> Parsed:
        read.append(path)
        cluster._control("stop", "-m", "immediate")
        return parse(body, path)

    later = GithubFile("tail/tail", BOARD.repo, "main", other.path)
    more = Source("tail", "Tail", "https://example.org", "MIT", True, "daily", (later,), parse)
    caplog.set_level(logging.INFO)
    try:
        with pytest.raises(LakeError, match="the lake at postgres:"):
            house.night(BOARD, other, more=(more,), read=stopping)
    finally:
        cluster.start()
    assert read == [BOARD.path]
    assert not [record for record in caplog.records if record.exc_info]
    assert len([line for line in caplog.messages if "the lake at" in line and "leases" not in line]) == 1

    assert house.night(BOARD, other, more=(more,)).sources[0].status == "ok"
    assert len(house.stored()) == 3
