"""A version that drifts, from the night it comes to the night a curator lets it pass."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import polars as pl
import pytest

from benchhealth.ingest.run.report import exit_code
from benchhealth.ingest.source import GithubTree
from benchhealth.warehouse import registry
from benchhealth.warehouse.status import trouble_table
from tests.ingest.run import test_run
from tests.ingest.run.test_run import BOARD, DAY, House, board, opened
from tests.support.fake_github import REPO, fake_github

SCORES = [str(30 + place) for place in range(30)]
REGRADED = [str(90 - place) for place in range(30)]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with fake_github() as github, opened(tmp_path, github) as house:
        yield house


def curated(monkeypatch: pytest.MonkeyPatch, on: date) -> None:
    row = ("toy/toy-board", on, "data", "regraded", "https://example.org")
    breakpoints = pl.DataFrame([row], schema=registry.BREAKPOINT, orient="row")
    monkeypatch.setattr(
        test_run,
        "NO_REGISTRY",
        test_run.NO_REGISTRY.__class__(**{**vars(test_run.NO_REGISTRY), "breakpoint": breakpoints}),
    )


def days(house: House) -> list[int]:
    return [(observed_at - DAY).days for observed_at, _ in house.stored()]


def test_a_held_version_leaves_the_last_good_one_in_service(house: House) -> None:
    house.github.commit(BOARD.path, board(*SCORES), DAY)
    house.night()
    before = house.facts()
    house.github.commit(BOARD.path, board(*REGRADED), DAY + timedelta(days=1))
    for _ in range(2):
        report = house.night()
        assert exit_code(report) == 0
        (reason,) = report.sources[0].held
        assert "held: toy/toy-board: history rewritten: 30 of 30 past scores edited" in reason
        assert "quarantined: toy" in str(report)
        assert all(frame.equals(before[table]) for table, frame in house.facts().items())
        trouble = trouble_table(house.home).row(0, named=True)
        assert (trouble["source_id"], trouble["path"], trouble["state"]) == ("toy", BOARD.path, "held")
        assert trouble["reason"] in reason


def test_a_curated_breakpoint_releases_it_without_a_request(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.github.commit(BOARD.path, board(*SCORES), DAY)
    house.github.commit(BOARD.path, board(*REGRADED), DAY + timedelta(days=1))
    house.github.commit(BOARD.path, board(*REGRADED, "20"), DAY + timedelta(days=2))
    assert house.night(history=True).sources[0].held
    assert days(house) == [0]
    curated(monkeypatch, (DAY + timedelta(days=1)).date())
    with house.asking() as asked:
        report = house.night()
    assert (report.sources[0].snapshots, report.sources[0].held) == (2, ())
    assert [line.split()[0] for line in asked] == ["HEAD"]
    assert days(house) == [0, 1, 2]
    assert trouble_table(house.home).is_empty()


def test_the_first_version_that_broke_is_named_and_not_the_last(house: House) -> None:
    """Each later version is held against the same last good one: what a curator must look at is where it began."""
    house.github.commit(BOARD.path, board(*SCORES), DAY)
    for day in (1, 2, 3):
        house.github.commit(BOARD.path, board(*REGRADED, *map(str, range(day))), DAY + timedelta(days=day))
    for history in (True, False):
        (reason,) = house.night(history=history).sources[0].held
        trouble = trouble_table(house.home).row(0, named=True)
        assert f"/{trouble['ref']}/" in reason
        assert trouble["reason"].endswith(f"toy/toy-board,{(DAY + timedelta(days=1)).date()},data")
    house.github.commit(BOARD.path, board(*REGRADED, "9"), DAY + timedelta(days=4))
    house.night()
    assert trouble_table(house.home).row(0, named=True) == trouble


def test_a_broken_version_that_is_put_right_is_skipped(house: House) -> None:
    house.github.commit(BOARD.path, board(*SCORES), DAY)
    house.github.commit(BOARD.path, board(*REGRADED), DAY + timedelta(days=1))
    house.night(history=True)
    house.github.commit(BOARD.path, board(*SCORES, "70"), DAY + timedelta(days=2))
    for _ in range(2):
        report = house.night()
        assert (report.sources[0].held, report.sources[0].refused) == ((), 1)
        assert days(house) == [0, 2]
        assert trouble_table(house.home).is_empty()


def test_nights_and_one_backfill_hold_the_same(house: House, tmp_path: Path) -> None:
    versions = [SCORES, REGRADED, [*SCORES, "70"], ["0.5"], [*SCORES, "71"], [*REGRADED, "71"]]
    for day, scores in enumerate(versions):
        house.github.commit(BOARD.path, board(*scores), DAY + timedelta(days=day))
        if day in (0, 2, 3, 5):
            house.night()
    with opened(tmp_path / "other", house.github) as other:
        other.night(history=True)
        assert days(other) == days(house) == [0, 2, 4]


def test_a_file_follows_the_dated_file_before_it(house: House) -> None:
    tree = GithubTree("toy/toy-board", REPO, "main", r"tables/\d+\.csv")
    for day, scores in enumerate([SCORES, REGRADED, [*SCORES, "70"]]):
        house.github.commit(f"tables/{day}.csv", board(*scores), DAY + timedelta(days=day))
        report = house.night(tree)
        assert bool(report.sources[0].held) is (day == 1)
    assert days(house) == [0, 2]
    assert trouble_table(house.home).is_empty()


def test_a_moved_file_is_a_failure_that_names_it(house: House) -> None:
    house.github.commit(BOARD.path, board(*SCORES), DAY)
    house.night()
    house.github.commit(BOARD.path, None, DAY + timedelta(days=1))
    house.github.commit("results/v2/board.csv", board(*SCORES), DAY + timedelta(days=1))
    report = house.night()
    assert exit_code(report) == 1
    assert "results/board.csv: HTTP status 404" in report.sources[0].errors[0]
    assert days(house) == [0]
    assert trouble_table(house.home)["state"].to_list() == ["failed"]
