"""Until when things are known, through the whole program: bundles, first generations, nights, status."""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.frames import LOOK
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.ingest.catalog import SOURCES
from benchhealth.ingest.source import ENDED, BundledFile, GithubArchive, GithubFile, GithubTree
from benchhealth.pipeline import night, status
from benchhealth.pipeline.night import bundle, init
from benchhealth.pipeline.settings import now
from benchhealth.warehouse.read import Generation, open_current
from benchhealth.warehouse.store import Store, fact_table
from benchhealth.warehouse.watch.home_state import WatchedSource, of_runs
from tests.pipeline.conftest import SMALL, benchhealth, settings_of
from tests.support.replay import SERVE, pull

pytestmark = pytest.mark.xdist_group("bundle")

SEEN = datetime(2026, 8, 3, 4, 5, 6)
needs_replay = pytest.mark.skipif(not SERVE.exists(), reason="the replayed upstreams are not beside this checkout")


@pytest.fixture(scope="module")
def looked_at(small_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of bundled facts of which one source was looked at in August 2026."""
    home, to = tmp_path_factory.mktemp("home") / "home", tmp_path_factory.mktemp("looked")
    shutil.copytree(small_home, home, symlinks=True)
    boards = fact_table(home, "snapshot").filter(source_id="squad")["board_id"].unique().to_list()
    with Store.open(home) as store:
        store.write_looks(pl.DataFrame([("squad", board, SEEN) for board in boards], schema=LOOK, orient="row"))
    every = night.SOURCES
    try:
        night.SOURCES = tuple(source for source in every if source.key in SMALL)
        bundle(settings_of(home, to), folder=to)
    finally:
        night.SOURCES = every
    return to


def generation(home: Path) -> dict[str, pl.DataFrame]:
    with closing(open_current(home)) as opened:
        return {name: opened.table(name) for name in PUBLISHED if name != "run"}


def started(home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, ahead: timedelta) -> dict[str, pl.DataFrame]:
    """The tables of a first generation, made so much later than today."""
    monkeypatch.setattr(night, "now", lambda: now() + ahead)
    init(settings_of(home, folder))
    return generation(home)


@pytest.mark.soak
def test_a_first_generation_says_the_same_today_and_in_a_year(
    looked_at: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    today = started(tmp_path / "today", looked_at, monkeypatch, timedelta(0))
    assert "as last seen on 2026-08-03" in caplog.text
    assert "known until 2026-08-03: squad" in caplog.text
    later = started(tmp_path / "later", looked_at, monkeypatch, timedelta(days=400))
    for name, table in today.items():
        assert table.sort(pl.all()).equals(later[name].sort(pl.all())), name
    assert set(today["verdict"]["as_of"]) == {SEEN.date()}
    until = dict(today["source"].select("source_id", "known_until").iter_rows())
    assert until["squad"] == SEEN.date()
    assert until["gsm1k"] < date(2025, 1, 1)  # a paper, whenever it was copied
    benchmarks = dict(today["benchmark"].select("benchmark_id", "known_until").iter_rows())
    assert benchmarks["squad-2.0"] == SEEN.date()
    flags = dict(today["verdict"].select("benchmark_id", "flags").iter_rows())
    assert "dormant" in flags["squad-2.0"] and "stale" not in flags["squad-2.0"]


@pytest.mark.soak
def test_a_generation_of_an_older_edition_is_made_anew_by_init(
    small_home: Path, small_bundle: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    shutil.copytree(small_home, home, symlinks=True)
    with closing(open_current(home)) as opened:
        assert opened.is_of_this_edition()
        older = opened.path
    import duckdb

    with duckdb.connect(older) as connection:
        connection.execute("ALTER TABLE benchmark DROP COLUMN known_until")
    with closing(open_current(home)) as opened:
        assert not opened.is_of_this_edition()
    init(settings_of(home, small_bundle))
    with closing(open_current(home)) as opened:
        assert opened.is_of_this_edition()


def test_a_night_asks_what_can_change_and_what_it_does_not_have(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        assert night._of_tonight(store) == tuple(source for source in SOURCES if source.default)
    ended = [source for source in SOURCES if source.kind in ENDED]
    with Store.open(tmp_path) as store:
        stored = [(source.key, source.key, "b", SEEN, SEEN, "", "", "", 0, 0, 0) for source in ended]
        store.append_all({"snapshot": pl.DataFrame(stored, schema=PUBLISHED["snapshot"], orient="row")})
        asked = {source.key for source in night._of_tonight(store)}
    left_out = {source.key for source in SOURCES} - asked
    not_in_the_program = {
        source.key for source in ended if not all(isinstance(files, BundledFile) for files in source.files)
    }
    assert left_out == not_in_the_program | {source.key for source in SOURCES if not source.default}
    assert "squad" in asked and "nlp-progress" in left_out and "gsm1k" in asked


@pytest.mark.parametrize("stated", ["ok", "failed", "held"])
def test_a_source_of_which_nothing_comes_any_more_is_retired_and_no_failure(stated: str) -> None:
    asked_at = datetime(2026, 11, 1)
    row = {"status": stated, "cadence": "once", "kind": "retired"}
    asked = WatchedSource("one", "weekly", live=True, asked_at=asked_at, reached_at=asked_at)
    assert status.state(row, asked, asked_at) == "retired"
    assert status.state({**row, "kind": "paper"}, asked, asked_at) == "retired"
    live = status.state({**row, "kind": "board"}, asked, asked_at)
    assert live == {"ok": "fresh", "failed": "failed", "held": "quarantined"}[stated]
    assert status.state({**row, "kind": "board"}, asked, asked_at + timedelta(days=22)) == "overdue"
    assert status.state({**row, "status": "never"}, None, asked_at) == "never"
    unknown = {**row, "status": "never", "kind": "board"}
    assert status.state(unknown, asked, asked_at) == "not assessed"  # the generation was made before it was asked for
    assert status.state(unknown, replace(asked, asked_at=None, reached_at=None), asked_at) == "never"


def test_status_lists_a_source_that_is_newer_than_the_generation(small_home: Path) -> None:
    asked_at = datetime(2026, 11, 1)
    newer = WatchedSource("larch-quiz", "weekly", live=True, asked_at=asked_at, reached_at=asked_at)
    with closing(open_current(small_home)) as opened:
        home_state = replace(of_runs(opened.table("run"), asked_at, ""), sources=(newer,))
        state = status.describe(opened, home_state, asked_at)
    rows = {source["source_id"]: source for source in state["sources"]}
    assert (rows["larch-quiz"]["state"], rows["larch-quiz"]["kept"]) == ("not assessed", None)
    assert len(rows) == state["totals"]["sources"] + 1


def test_status_says_until_when_each_source_is_known(small_home: Path) -> None:
    state = json.loads(benchhealth(small_home, "status", "--json").stdout)
    sources_by_id = {source["source_id"]: source for source in state["sources"]}
    assert sources_by_id["gsm1k"]["state"] == "retired"
    assert sources_by_id["gsm1k"]["known_until"] == "2024-11-22"
    assert "known_until" in benchhealth(small_home, "status").stdout


def mirrored() -> dict[str, date]:
    """When each repository of the replayed upstreams was copied."""
    mirrored_at: Mapping[str, str] = json.loads((SERVE.parent / "mirrored.json").read_text())
    return {repo: datetime.fromisoformat(day).date() for repo, day in mirrored_at.items()}


def copied() -> Iterator[tuple[str, date]]:
    """Each source that is followed in repositories alone, with the day on which the last of them was copied."""
    mirrored_on = mirrored()
    for source in SOURCES:
        repos = [files.repo for files in source.files if isinstance(files, GithubFile | GithubTree | GithubArchive)]
        if len(repos) == len(source.files):
            yield source.key, max(mirrored_on[repo] for repo in repos)


@pytest.mark.soak
@needs_replay
def test_a_night_through_a_mirror_knows_no_more_than_the_copy(tmp_path: Path) -> None:
    keys = ("aider", "evalplus", "lmarena", "swe-bench", "vectara")
    pull(tmp_path, keys)
    looks = fact_table(tmp_path, "look").group_by("source_id").agg(pl.col("looked_at").max().dt.date())
    assert dict(looks.iter_rows()) == {key: on for key, on in copied() if key in keys}


@needs_replay
def test_no_bundled_source_is_known_beyond_the_copy_it_was_read_from(bundled: Generation) -> None:
    until = dict(bundled.table("source").select("source_id", "known_until").iter_rows())
    beyond = {key: (until[key], on) for key, on in copied() if until.get(key) is not None and until[key] > on}
    assert not beyond


def test_no_benchmark_is_dormant_that_was_not_seen_a_year_after_its_newest_dated_result(bundled: Generation) -> None:
    too_early = bundled.query(
        """
        SELECT v.benchmark_id, v.known_until, max(b.newest_result_on) AS newest
        FROM verdict v JOIN board b USING (benchmark_id)
        WHERE list_contains(v.flags, 'dormant')
        GROUP BY ALL HAVING v.known_until < max(b.newest_result_on) + INTERVAL 12 MONTH
        """
    )
    assert too_early.is_empty(), too_early
