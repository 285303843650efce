"""Until when a night leaves each board known."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from benchhealth.analytics.record.frames import EVERY_BOARD
from benchhealth.ingest.source import GithubFile, GithubTree
from benchhealth.warehouse.store import fact_table
from tests.ingest.run.test_held import REGRADED, SCORES
from tests.ingest.run.test_run import ARCHIVE, BOARD, DAY, House, board, opened
from tests.support.fake_github import REPO, fake_github

COPIED = datetime(2025, 5, 1)
OTHER = GithubFile("toy/other", REPO, "main", "results/other.csv")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with fake_github() as github, opened(tmp_path, github) as house:
        yield house


def looks(house: House) -> dict[str, datetime]:
    """The newest look at each board."""
    return dict(fact_table(house.home, "look").sort("looked_at").select("board_id", "looked_at").iter_rows())


def test_a_copy_speaks_until_it_was_made_and_the_upstream_until_now(house: House) -> None:
    house.github.commit(BOARD.path, board("50"), DAY)
    house.github.copied_at = COPIED
    house.night()
    assert looks(house) == {BOARD.board_id: COPIED}
    house.night()  # unchanged, and still the same copy
    assert fact_table(house.home, "look").height == 1
    house.github.copied_at = None
    house.night()
    assert looks(house) == {BOARD.board_id: house.now}


def test_what_was_done_is_dated_by_the_clock_and_the_ledger_never_goes_back(house: House) -> None:
    house.github.commit(BOARD.path, board("50"), DAY)
    house.night()
    house.github.copied_at = COPIED
    house.night()
    assert house.ledger()["at"].is_sorted()
    assert fact_table(house.home, "snapshot")["fetched_at"].item() == house.now - timedelta(days=1)
    assert looks(house) == {BOARD.board_id: house.now - timedelta(days=1)}


def test_a_night_without_an_answer_is_no_look(house: House) -> None:
    house.github.commit(BOARD.path, board("50"), DAY)
    house.github.commit(OTHER.path, board("50"), DAY)
    house.night(BOARD, OTHER)
    first = house.now
    house.github.broken.add("other.csv")
    house.night(BOARD, OTHER)
    assert looks(house) == {BOARD.board_id: house.now, OTHER.board_id: first}


def test_a_board_whose_newest_version_is_kept_out_is_not_known_beyond_the_last_good_one(house: House) -> None:
    house.github.commit(BOARD.path, board(*SCORES), DAY)
    house.github.commit(OTHER.path, board(*SCORES), DAY)
    house.night(BOARD, OTHER)
    first = house.now
    house.github.commit(BOARD.path, board(*REGRADED), DAY + timedelta(days=1))
    house.github.commit(OTHER.path, b"something else", DAY + timedelta(days=1))
    for _ in range(2):
        house.night(BOARD, OTHER)
        assert looks(house) == {BOARD.board_id: first, OTHER.board_id: first}
    house.github.commit(OTHER.path, board(*SCORES), DAY + timedelta(days=2))
    house.night(BOARD, OTHER)
    assert looks(house) == {BOARD.board_id: first, OTHER.board_id: house.now}


def test_a_board_of_several_files_is_looked_at_where_all_of_them_answered(house: House) -> None:
    second = GithubFile(BOARD.board_id, REPO, "main", "results/second.csv")
    house.github.commit(BOARD.path, board("50"), DAY)
    house.github.commit(second.path, board("50"), DAY)
    house.night(BOARD, second)
    first = house.now
    house.github.broken.add("second.csv")
    house.night(BOARD, second)
    assert looks(house) == {BOARD.board_id: first}


def test_dated_files_of_one_board_are_known_only_with_a_listing_of_tonight(house: House) -> None:
    line = GithubTree("toy/toy-board", REPO, "main", r"tables/\w+\.csv")
    house.github.commit("tables/a.csv", board("50"), DAY)
    house.night(line)
    first = house.now
    house.github.api_left = 0  # the listing of last night is used: a newer file may be there
    house.night(line)
    assert looks(house) == {"toy/toy-board": first}
    house.github.api_left = 60
    house.night(line)
    assert looks(house) == {"toy/toy-board": house.now}


def test_an_archive_is_looked_at_as_a_whole_but_for_what_is_broken_in_it(house: House) -> None:
    house.github.commit("data/other.csv", board("2"), DAY)
    house.github.commit("data/runs.csv", board("3"), DAY)
    house.night(ARCHIVE)
    first = house.now
    assert looks(house) == {EVERY_BOARD: first}
    house.github.commit("data/other.csv", b"something else", DAY + timedelta(days=1))
    house.night(ARCHIVE)
    assert looks(house) == {EVERY_BOARD: first, "toy/runs": house.now}
