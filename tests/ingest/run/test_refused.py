"""A version that upstream will never mend: refused for good by a curator, counted, and never asked about again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

from benchhealth.ingest.run.report import exit_code
from benchhealth.ingest.source import GithubTree
from benchhealth.ingest.sources import lmarena_agent
from benchhealth.warehouse.curated.names import REFUSED
from benchhealth.warehouse.status import kept_out_table, refused_table, trouble_table
from tests.ingest.run import test_run
from tests.ingest.run.test_run import House, opened
from tests.support.curated_facts import curated
from tests.support.fake_github import REPO, fake_github

BOARD = GithubTree("toy/arena-webdev", REPO, "main", r"data/\d{4}-\d{2}-\d{2}/code\.json")
DAY = datetime(2025, 5, 5, 4, 49, 53)
TRUNCATED = "data/2025-05-10/code.json"
REASON = "the scrape was cut: 4 of 40 models"
REGISTRY = curated()


def scrape(models: int, on: date) -> bytes:
    entries = [
        {"rank": place, "model": f"alder-{place}", "vendor": "Wood", "license": "MIT", "score": 1500 - place, "ci": 9}
        for place in range(1, models + 1)
    ]
    meta = {"leaderboard": "code", "last_updated": f"{on:%b} {on.day}, {on.year}", "model_count": models}
    return json.dumps({"meta": meta, "models": entries}).encode()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with fake_github() as github, opened(tmp_path, github) as house:
        for days, models in ((0, 40), (5, 4)):
            committed_at = DAY + timedelta(days=days)
            github.commit(f"data/{committed_at.date()}/code.json", scrape(models, committed_at.date()), committed_at)
        yield house


def refuse(monkeypatch: pytest.MonkeyPatch, *versions: str, path: str = TRUNCATED) -> None:
    rows = [("toy", path, version, REASON, "https://example.org/commit") for version in versions]
    refused = pl.DataFrame(rows, schema=REFUSED, orient="row")
    monkeypatch.setattr(test_run, "NO_REGISTRY", replace(REGISTRY, refused=refused))


def night(house: House) -> test_run.SourceReport:
    report = house.night(BOARD, history=True, read=lmarena_agent.parse)
    assert exit_code(report) == 0
    return report.sources[0]


def stored(house: House) -> list[str]:
    return [path for _, path in house.stored()]


@pytest.mark.parametrize("by", ["commit", "instant", "day", "board"])
def test_it_is_counted_never_stored_and_no_longer_held(house: House, monkeypatch: pytest.MonkeyPatch, by: str) -> None:
    refuse(monkeypatch)
    assert "row count down by 90%" in night(house).held[0]
    held = trouble_table(house.home).row(0, named=True)
    named = kept_out_table(house.home, lambda _source, _path: "toy/arena-webdev").row(0, named=True)
    committed_at = DAY + timedelta(days=5)
    assert (named["board_id"], named["path"], named["version_at"]) == ("toy/arena-webdev", TRUNCATED, committed_at)
    version = {"commit": held["ref"], "instant": committed_at.isoformat()}.get(by, f"{committed_at:%Y-%m-%d}")
    refuse(monkeypatch, version, path="toy/arena-webdev" if by == "board" else TRUNCATED)
    for _ in range(2):
        report = night(house)
        assert (report.held, report.errors, report.dismissed) == ((), (), 1)
        assert stored(house) == ["data/2025-05-05/code.json"]
    assert "1 versions refused for good" in report.summary()
    assert trouble_table(house.home).is_empty()
    row = refused_table(house.home).row(0, named=True)
    assert (row["path"], row["ref"], row["state"]) == (TRUNCATED, held["ref"], "refused")
    assert row["reason"] == f"refused for good: {REASON}"


def test_the_next_good_one_follows_the_one_before_it(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, "2025-05-10")
    committed_at = DAY + timedelta(days=10)
    house.github.commit(f"data/{committed_at.date()}/code.json", scrape(41, committed_at.date()), committed_at)
    report = night(house)
    assert (report.snapshots, report.held, report.dismissed) == (2, (), 1)
    assert stored(house) == ["data/2025-05-05/code.json", "data/2025-05-15/code.json"]


def test_who_takes_it_back_has_it_held_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, "2025-05-10")
    assert night(house).dismissed == 1
    refuse(monkeypatch)
    report = night(house)
    assert (len(report.held), report.dismissed) == (1, 0)
    assert refused_table(house.home).is_empty()
    assert trouble_table(house.home)["state"].to_list() == ["held"]


def test_another_version_or_file_is_not_refused(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, "2025-05-11")
    report = night(house)
    assert (len(report.held), report.dismissed) == (1, 0)
