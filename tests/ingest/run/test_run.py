"""Whole runs against a small GitHub: what is asked for, what is stored, and what a fault leaves behind."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

from benchhealth.ingest.formats.folders import split_files
from benchhealth.ingest.network.fetch import Fetcher, Pace
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.run import reader
from benchhealth.ingest.run.progress import Lines
from benchhealth.ingest.run.reader import ROWS_AT_ONCE
from benchhealth.ingest.run.report import IngestReport, SourceReport, exit_code
from benchhealth.ingest.run.run import ingest
from benchhealth.ingest.run.source_state import snapshot_id
from benchhealth.ingest.source import BundledFile, Files, GithubArchive, GithubFile, GithubTree, Keep, Parse, Source
from benchhealth.warehouse import registry
from benchhealth.warehouse.batch import Batch
from benchhealth.warehouse.faults import NoRoomError
from benchhealth.warehouse.ledger import LedgerEntry
from benchhealth.warehouse.store import Store, fact_table
from tests.support.fake_github import REPO, FakeGithub, fake_github

NO_REGISTRY = registry.Registry(
    benchmark=pl.DataFrame(schema=registry.BENCHMARK),
    twin=pl.DataFrame(schema=registry.TWIN_PAIR),
    breakpoint=pl.DataFrame(schema=registry.BREAKPOINT),
    alias=pl.DataFrame(schema=registry.ALIAS),
    contamination_report=pl.DataFrame(schema=registry.CONTAMINATION_REPORT),
    model=pl.DataFrame(schema=registry.MODEL),
)
BOARD = GithubFile("toy/toy-board", REPO, "main", "results/board.csv")
DAY = datetime(2025, 1, 1, 12)


class FormatError(RuntimeError):
    """A fault of the parser itself."""


def parse(body: bytes, path: str) -> Parsed:
    lines = body.decode().splitlines()
    if lines[0] == "bug":
        raise FormatError("cannot cope")
    if lines[0] != "model,score":
        raise PayloadError(f"{path} begins with {lines[0]!r}")
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        model, score = line.split(",")
        rows.append(RawRow(f"line {number}", "toy-board", model, score))
    return Parsed(rows, [], [BenchmarkFact("toy-board", "Toy", "accuracy")])


def board(*scores: str) -> bytes:
    return "\n".join(["model,score", *(f"m{place},{score}" for place, score in enumerate(scores))]).encode()


class House:
    """A home, a small GitHub and a way to let nights pass."""

    def __init__(self, home: Path, store: Store, github: FakeGithub) -> None:
        self.home = home
        self.store = store
        self.github = github
        self.now = datetime(2025, 6, 1)

    def night(
        self,
        *files: Files,
        history: bool = False,
        more: tuple[Source, ...] = (),
        read: Parse | None = None,
        keep: Keep | None = None,
    ) -> IngestReport:
        self.now += timedelta(days=1)
        parts = files or (BOARD,)
        source = Source("toy", "Toy", "https://example.org", "MIT", True, "daily", parts, read or parse, keep=keep)
        fetcher = Fetcher(self.github.url, lambda: self.now, pace=Pace(attempts=2, sleep=lambda _seconds: None))
        with closing(fetcher):
            return ingest(
                (source, *more),
                self.store,
                NO_REGISTRY,
                fetcher,
                history=history,
                home=self.home,
                registry_folder=self.home / "registry",
                progress=Lines(),
            )

    def stored(self) -> list[tuple[datetime, str]]:
        """When each stored version was committed, and its path."""
        snapshots = fact_table(self.home, "snapshot")
        return sorted(
            (observed_at, url.split(f"/{ref}/")[1])
            for observed_at, url, ref in snapshots.select("observed_at", "url", "ref").iter_rows()
            if REPO in url
        )

    def facts(self) -> dict[str, pl.DataFrame]:
        tables = ("snapshot", "result", "rejection", "model_fact", "benchmark_fact")
        return {table: fact_table(self.home, table).sort(pl.all()) for table in tables}

    def ledger(self) -> pl.DataFrame:
        return fact_table(self.home, "ledger").sort("seq")

    @contextmanager
    def asking(self) -> Iterator[list[str]]:
        """What is asked of the server meanwhile."""
        before = len(self.github.asked)
        asked: list[str] = []
        yield asked
        asked += self.github.asked[before:]


@contextmanager
def opened(home: Path, github: FakeGithub) -> Iterator[House]:
    with Store.open(home) as store:
        yield House(home, store, github)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with fake_github() as github, opened(tmp_path, github) as house:
        yield house


def five_days(github: FakeGithub) -> None:
    for day in range(5):
        github.commit(BOARD.path, board(str(50 + day)), DAY + timedelta(days=day))


def api_calls(asked: list[str]) -> list[str]:
    return [line for line in asked if "/api.github.com/" in line]


def without_remarks(body: bytes) -> bytes:
    if body.startswith(b"#"):
        raise PayloadError("remarks alone")
    return b"\n".join(line for line in body.splitlines() if b"#" not in line)


def test_what_must_not_lie_here_is_not_saved(house: House) -> None:
    house.github.commit(BOARD.path, board("50") + b"\n# written by a model", DAY)
    assert house.night(keep=without_remarks).sources[0].errors == ()
    assert house.facts()["result"]["score"].to_list() == [0.5]
    bodies = [gzip.decompress(path.read_bytes()) for path in (house.home / "raw").glob("*/*.gz")]
    assert board("50") in bodies
    assert not [body for body in bodies if b"written" in body]
    assert house.night(keep=without_remarks).sources[0].snapshots == 0


def test_a_file_of_which_nothing_can_be_kept_is_an_error_of_that_file(house: House) -> None:
    house.github.commit(BOARD.path, b"# nothing else", DAY)
    assert "remarks alone" in house.night(keep=without_remarks).sources[0].errors[0]
    assert house.stored() == []


def test_history_stores_every_dated_version_through_all_pages(house: House) -> None:
    five_days(house.github)
    report = house.night(history=True)
    assert exit_code(report) == 0
    assert (report.sources[0].snapshots, report.sources[0].results) == (5, 5)
    assert [observed_at for observed_at, _ in house.stored()] == [DAY + timedelta(days=day) for day in range(5)]
    snapshot = fact_table(house.home, "snapshot").sort("observed_at")
    newest = house.github.commits[-1].sha
    assert snapshot["ref"][-1] == newest
    assert snapshot["url"][-1] == f"https://raw.githubusercontent.com/{REPO}/{newest}/{BOARD.path}"
    assert snapshot["snapshot_id"][-1] == snapshot_id("toy", BOARD.path, newest)
    assert (snapshot["rows_in"] == snapshot["rows_kept"] + snapshot["rows_rejected"]).all()


@pytest.mark.parametrize("history", [True, False])
def test_a_second_run_asks_for_one_head_and_changes_nothing(house: House, history: bool) -> None:
    five_days(house.github)
    house.night(history=True)
    before = house.facts()
    with house.asking() as asked:
        report = house.night(history=history)
    assert asked == [f"HEAD /raw.githubusercontent.com/{REPO}/main/{BOARD.path}"]
    assert report.sources[0] == SourceReport("toy", unchanged=1)
    for table, frame in house.facts().items():
        assert frame.equals(before[table])


def test_a_first_night_takes_the_newest_version_and_later_ones_what_came_since(house: House) -> None:
    five_days(house.github)
    house.night()
    assert [observed_at for observed_at, _ in house.stored()] == [DAY + timedelta(days=4)]
    house.github.commit(BOARD.path, board("60"), DAY + timedelta(days=5))
    house.github.commit(BOARD.path, board("61"), DAY + timedelta(days=6))
    with house.asking() as asked:
        house.night()
    assert [observed_at for observed_at, _ in house.stored()] == [DAY + timedelta(days=day) for day in (4, 5, 6)]
    assert len(api_calls(asked)) == 2


def test_nights_and_one_backfill_store_the_same(house: House, tmp_path: Path) -> None:
    for day in range(4):
        house.github.commit(BOARD.path, board(str(50 + day)), DAY + timedelta(days=day))
        house.night()
    with opened(tmp_path / "other", house.github) as other:
        other.night(history=True)
        backfilled = other.facts()
    for table, frame in house.facts().items():
        assert frame.select(pl.exclude("fetched_at")).equals(backfilled[table].select(pl.exclude("fetched_at")))


def test_history_after_nights_fills_the_past_and_fetches_nothing_twice(house: House) -> None:
    five_days(house.github)
    house.night()
    house.night(history=True)
    house.github.commit(BOARD.path, board("60"), DAY + timedelta(days=5))
    house.night(history=True)
    assert len(house.stored()) == 6
    bodies = [line for line in house.github.asked if line.startswith("GET /raw.")]
    assert len(bodies) == len(set(bodies)) == 6


def test_the_api_limit_is_no_failure_and_the_next_night_goes_on(house: House) -> None:
    other = GithubFile("toy/toy-board", REPO, "main", "results/other.csv")
    five_days(house.github)
    house.github.commit(other.path, board("70"), DAY)
    house.github.api_left = 3
    report = house.night(BOARD, other, history=True)
    assert (exit_code(report), report.deferred, report.sources[0].errors) == (0, 1, ())
    assert "API limit reached, 1 files wait for the next night" in str(report)
    assert len(house.stored()) == 5
    house.github.api_left = 60
    with house.asking() as asked:
        report = house.night(BOARD, other, history=True)
    assert (report.deferred, report.sources[0].snapshots) == (0, 1)
    assert len(api_calls(asked)) == 1


def test_a_backfill_cut_by_the_limit_within_its_listing_is_finished_later(house: House) -> None:
    five_days(house.github)
    house.github.api_left = 2
    assert house.night(history=True).deferred == 1
    house.github.api_left = 60
    assert house.night(history=True).sources[0].snapshots == 5


def test_once_the_limit_is_said_the_api_is_left_alone(house: House) -> None:
    files = [GithubFile("toy/toy-board", REPO, "main", f"{name}.csv") for name in "abc"]
    for file in files:
        house.github.commit(file.path, board("50"), DAY)
    house.github.api_left = 0
    with house.asking() as asked:
        assert house.night(*files).deferred == 3
    assert len(api_calls(asked)) == 1


def test_a_vanished_file_fails_its_source_and_no_other_file(house: House) -> None:
    five_days(house.github)
    gone = GithubFile("toy/toy-board", REPO, "main", "moved.csv")
    other = Source("fine", "Fine", "https://example.org", "MIT", True, "daily", (BOARD,), parse)
    report = house.night(gone, BOARD, more=(other,))
    assert exit_code(report) == 2
    failed, fine = report.sources
    assert (failed.status, failed.snapshots, fine.status, fine.snapshots) == ("failed", 1, "ok", 1)
    assert failed.errors == (f"https://raw.githubusercontent.com/{REPO}/main/moved.csv: HTTP status 404",)


def test_a_version_that_cannot_be_fetched_is_fetched_the_next_time(house: House) -> None:
    five_days(house.github)
    house.github.broken = {house.github.commits[2].sha}
    report = house.night(history=True)
    assert (exit_code(report), report.sources[0].snapshots) == (1, 4)
    assert house.ledger()["state"][-1] == "failed"
    house.github.broken = set()
    with house.asking() as asked:
        report = house.night(history=True)
    assert (exit_code(report), report.sources[0].snapshots) == (0, 1)
    assert len([line for line in asked if line.startswith("GET /raw.")]) == 1


def test_a_fault_of_the_host_does_not_cost_the_etag(house: House) -> None:
    five_days(house.github)
    house.night(history=True)
    house.github.broken = {BOARD.path}
    assert exit_code(house.night()) == 1
    house.github.broken = set()
    with house.asking() as asked:
        assert house.night().sources[0].unchanged == 1
    assert len(asked) == 1
    assert house.ledger()["state"][-1] == "unchanged"


def test_a_commit_that_deleted_the_file_is_no_failure(house: House) -> None:
    house.github.commit(BOARD.path, board("50"), DAY)
    house.github.commit(BOARD.path, None, DAY + timedelta(days=1))
    house.github.commit(BOARD.path, board("51"), DAY + timedelta(days=2))
    report = house.night(history=True)
    assert (exit_code(report), report.sources[0].snapshots) == (0, 2)
    house.github.commit(BOARD.path, board("52"), DAY + timedelta(days=3))
    with house.asking() as asked:
        house.night(history=True)
    assert len([line for line in asked if line.startswith("GET /raw.")]) == 1


@pytest.mark.parametrize(("body", "reason"), [(b"<xml>", "refused: "), (b"bug", "FormatError: cannot cope")])
def test_an_unreadable_newest_version_fails_every_night_until_it_is_replaced(
    house: House, body: bytes, reason: str
) -> None:
    five_days(house.github)
    house.github.commit(BOARD.path, body, DAY + timedelta(days=5))
    report = house.night(history=True)
    assert exit_code(report) == 1
    assert reason in report.sources[0].errors[0]
    assert len(house.stored()) == 5
    before = house.facts()
    with house.asking() as asked:
        report = house.night(history=True)
    assert exit_code(report) == 1
    assert [line.split()[0] for line in asked] == ["HEAD"]
    assert house.ledger()["state"][-1] == "failed"
    assert all(frame.equals(before[table]) for table, frame in house.facts().items())
    house.github.commit(BOARD.path, board("60"), DAY + timedelta(days=6))
    report = house.night(history=True)
    assert (exit_code(report), report.sources[0].refused) == (0, 1)


def test_saved_bytes_are_parsed_again_when_the_parser_has_learnt(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def unready(_body: bytes, _path: str) -> Parsed:
        raise PayloadError("a format not known yet")

    five_days(house.github)
    original = parse
    monkeypatch.setitem(globals(), "parse", unready)
    assert exit_code(house.night(history=True)) == 1
    assert house.stored() == []
    monkeypatch.setitem(globals(), "parse", original)
    with house.asking() as asked:
        report = house.night()
    assert (exit_code(report), report.sources[0].snapshots) == (0, 5)
    assert [line.split()[0] for line in asked] == ["HEAD"]


def test_a_run_cut_between_bytes_and_facts_is_taken_up_from_the_bytes(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    five_days(house.github)

    def killed(_store: Store, *_batches: object) -> set[str]:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Store, "write_all", killed)
        with pytest.raises(KeyboardInterrupt):
            house.night()
    assert house.stored() == []
    with house.asking() as asked:
        report = house.night()
    assert (exit_code(report), report.sources[0].snapshots) == (0, 1)
    assert not [line for line in asked if line.startswith("GET /raw.")]


def test_a_tree_is_every_matching_path_under_its_own_board(house: House) -> None:
    tree = GithubTree("toy/toy-{0}", REPO, "main", r"tables/(\w+)\.csv")
    for name in ("a", "b"):
        house.github.commit(f"tables/{name}.csv", board("50"), DAY)
    house.github.commit("readme.md", b"# toy", DAY)
    house.night(tree, history=True)
    assert set(fact_table(house.home, "snapshot")["board_id"]) == {"toy/toy-a", "toy/toy-b"}
    with house.asking() as asked:
        assert house.night(tree, history=True).sources[0].unchanged == 2
    assert len(api_calls(asked)) == 1
    house.github.api_left = 0
    assert house.night(tree).sources[0] == SourceReport("toy", unchanged=2)
    house.github.api_left = 60
    house.github.commit("tables/c.csv", board("51"), DAY)
    assert house.night(tree).sources[0].snapshots == 1


def test_a_tree_without_a_match_is_a_failure_and_one_never_seen_waits_for_the_api(house: House) -> None:
    tree = GithubTree("toy/toy-{0}", REPO, "main", r"tables/(\w+)\.csv")
    house.github.commit("readme.md", b"# toy", DAY)
    assert "no path matches" in house.night(tree).sources[0].errors[0]
    house.github.api_left = 0
    with opened(house.home / "new", house.github) as new:
        assert new.night(tree).deferred == 1


ARCHIVE = GithubArchive("toy/{0}", REPO, "main", ("data/runs.csv", "data/other.csv"), r"data/(\w+)\.csv")


def test_an_archive_is_read_at_every_commit_of_its_anchors(house: House) -> None:
    house.github.commit("data/still.csv", board("1"), DAY)
    house.github.commit("data/other.csv", board("2"), DAY + timedelta(days=1))
    house.github.commit("data/runs.csv", board("3"), DAY + timedelta(days=2))
    house.github.commit("data/runs.csv", board("4"), DAY + timedelta(days=3))
    house.github.commit("data/notes.txt", b"no", DAY + timedelta(days=4))
    house.night(ARCHIVE, history=True)
    # A member is stored where it changed, dated by the anchor's commit.
    assert [((observed_at - DAY).days, path) for observed_at, path in house.stored()] == [
        (1, "data/other.csv"),
        (1, "data/still.csv"),
        (2, "data/runs.csv"),
        (3, "data/runs.csv"),
    ]
    with house.asking() as asked:
        assert house.night(ARCHIVE, history=True).sources[0] == SourceReport("toy", unchanged=1)
    assert [line.split()[0] for line in asked] == ["HEAD", "HEAD"]


@pytest.mark.parametrize(("at_once", "written"), [*((1, written) for written in range(4)), (ROWS_AT_ONCE, 0)])
def test_an_archive_cut_between_bytes_and_facts_stores_no_bytes_twice(
    house: House, monkeypatch: pytest.MonkeyPatch, at_once: int, written: int
) -> None:
    house.github.commit("data/still.csv", board("1"), DAY)
    for day in range(4):
        house.github.commit("data/runs.csv", board(f"{day}"), DAY + timedelta(days=day))
    write, left = Store.write_all, iter(range(written))

    def killed(store: Store, batches: Sequence[Batch], entries: Sequence[LedgerEntry]) -> set[str]:
        if batches and next(left, None) is None:
            raise KeyboardInterrupt
        return write(store, batches, entries)

    with monkeypatch.context() as patch:
        patch.setattr(reader, "ROWS_AT_ONCE", at_once)
        patch.setattr(Store, "write_all", killed)
        with pytest.raises(KeyboardInterrupt):
            house.night(ARCHIVE, history=True)
    house.night(ARCHIVE, history=True)
    assert [((observed_at - DAY).days, path) for observed_at, path in house.stored()] == [
        (0, "data/runs.csv"),
        (0, "data/still.csv"),
        (1, "data/runs.csv"),
        (2, "data/runs.csv"),
        (3, "data/runs.csv"),
    ]


@pytest.mark.parametrize(("every", "times"), [(reader.LONGEST_UNWRITTEN, 1), (timedelta(), 5)])
def test_versions_are_stored_together_until_a_kill_would_cost_too_much(
    house: House, monkeypatch: pytest.MonkeyPatch, every: timedelta, times: int
) -> None:
    five_days(house.github)
    write, together = Store.write_all, []

    def counted(store: Store, batches: Sequence[Batch], entries: Sequence[LedgerEntry]) -> set[str]:
        together.append(len(batches))
        return write(store, batches, entries)

    monkeypatch.setattr(reader, "LONGEST_UNWRITTEN", every)
    monkeypatch.setattr(Store, "write_all", counted)
    house.night(history=True)
    assert [number for number in together if number] == [5 // times] * times
    assert len(house.stored()) == 5


def test_of_versions_stored_together_one_that_cannot_be_stored_costs_itself(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    five_days(house.github)
    write = Store.write_all

    def full(store: Store, batches: Sequence[Batch], entries: Sequence[LedgerEntry] = ()) -> set[str]:
        if any(batch.observed_at.date() == (DAY + timedelta(days=2)).date() for batch in batches):
            raise NoRoomError(house.home, "no room for the third day")
        return write(store, batches, entries)

    with monkeypatch.context() as patch:
        patch.setattr(Store, "write_all", full)
        report = house.night(history=True).sources[0]
    days = [(observed_at - DAY).days for observed_at, _ in house.stored()]
    assert (report.snapshots, report.refused) == (4, 1)
    assert days == [0, 1, 3, 4]
    third = house.ledger().filter(pl.col("detail").str.contains("no room for the third day"))["url"].item()
    assert house.ledger().filter(pl.col("url") == third)["state"].to_list() == [
        "started",
        "fetched",
        "parsed",
        "failed",
    ]
    assert house.night(history=True).sources[0].snapshots == 1
    assert len(house.stored()) == 5


def test_an_archive_by_night_takes_the_newest_and_then_what_is_new(house: House) -> None:
    house.github.commit("data/other.csv", board("2"), DAY)
    house.github.commit("data/runs.csv", board("3"), DAY + timedelta(days=1))
    house.night(ARCHIVE)
    assert {(observed_at - DAY).days for observed_at, _ in house.stored()} == {1}
    house.github.commit("data/runs.csv", board("4"), DAY + timedelta(days=2))
    with house.asking() as asked:
        house.night(ARCHIVE)
    assert [((observed_at - DAY).days, path) for observed_at, path in house.stored()][-1] == (2, "data/runs.csv")
    assert len(house.stored()) == 3
    assert len([line for line in asked if "codeload" in line]) == 1


def test_a_folder_of_an_archive_is_one_version_and_stored_where_any_of_its_files_changed(house: House) -> None:
    folders = replace(ARCHIVE, board_id="toy/{0}", pattern=r"data/\w+/\w+\.csv", folder=r"data/(\w+)")

    def parse_folder(body: bytes, path: str) -> Parsed:
        rows = [row for file, content in split_files(body) for row in parse(content, file).rows]
        return Parsed(rows, [], [BenchmarkFact("toy-board", "Toy", "accuracy")])

    house.github.commit("data/a/first.csv", board("1"), DAY)
    house.github.commit("data/a/second.csv", b"model,score\nother,2", DAY)
    house.github.commit("data/b/first.csv", board("3"), DAY)
    house.github.commit("data/other.csv", b"1", DAY)
    house.github.commit("data/runs.csv", b"1", DAY + timedelta(days=1))
    house.github.commit("data/a/second.csv", b"model,score\nother,4", DAY + timedelta(days=2))
    house.github.commit("data/runs.csv", b"2", DAY + timedelta(days=2))
    house.night(folders, history=True, read=parse_folder)
    assert [((observed_at - DAY).days, path) for observed_at, path in house.stored()] == [
        (0, "data/a"),
        (0, "data/b"),
        (2, "data/a"),
    ]
    snapshot = fact_table(house.home, "snapshot").sort("observed_at", "board_id")
    assert snapshot["board_id"].to_list() == ["toy/a", "toy/b", "toy/a"]
    assert all("/tree/" in url for url in snapshot["url"])
    assert fact_table(house.home, "result").height == 5


def test_an_archive_that_fails_is_fetched_again(house: House) -> None:
    house.github.commit("data/other.csv", board("2"), DAY)
    house.github.commit("data/runs.csv", board("3"), DAY + timedelta(days=1))
    house.github.broken = {"codeload"}
    assert exit_code(house.night(ARCHIVE)) == 1
    house.github.broken = set()
    assert exit_code(house.night(ARCHIVE)) == 0
    assert len(house.stored()) == 2


def test_facts_of_a_paper_come_from_the_registry_folder_and_need_no_network(house: House) -> None:
    (house.home / "registry").mkdir()
    (house.home / "registry" / "paper.csv").write_bytes(board("50", "49"))
    paper = BundledFile("toy/toy-board", "data/registry/paper.csv", "https://example.org/paper", date(2024, 5, 1))
    with house.asking() as asked:
        assert house.night(paper).sources[0].results == 2
        assert house.night(paper).sources[0] == SourceReport("toy", unchanged=1)
    assert asked == []
    snapshot = fact_table(house.home, "snapshot").row(0, named=True)
    assert (snapshot["observed_at"], snapshot["url"]) == (datetime(2024, 5, 1), "https://example.org/paper")
    assert snapshot["sha256"].startswith(snapshot["ref"])


def test_a_corrected_day_of_a_paper_is_a_version_of_its_own(house: House) -> None:
    (house.home / "registry").mkdir()
    (house.home / "registry" / "paper.csv").write_bytes(board("50", "49"))
    paper = BundledFile("toy/toy-board", "data/registry/paper.csv", "https://example.org/paper", date(2024, 5, 1))
    house.night(paper)
    corrected = replace(paper, published_on=date(2024, 11, 22))
    assert house.night(corrected).sources[0].results == 2
    assert house.night(corrected).sources[0] == SourceReport("toy", unchanged=1), "once is enough"
    stored = fact_table(house.home, "snapshot").sort("observed_at")
    assert stored["observed_at"].to_list() == [datetime(2024, 5, 1), datetime(2024, 11, 22)]
    assert stored["sha256"].n_unique() == 1 and stored["ref"].n_unique() == 2


def test_the_exit_code_says_all_some_or_none() -> None:
    fine, broken = SourceReport("a"), SourceReport("b", errors=("no",))
    assert exit_code(IngestReport((fine, fine))) == 0
    assert exit_code(IngestReport((fine, broken))) == 2
    assert exit_code(IngestReport((broken,))) == 1
    assert exit_code(IngestReport(())) == 0


def test_the_ledger_tells_the_story_of_a_version(house: House) -> None:
    commit = house.github.commit(BOARD.path, board("50"), DAY)
    house.night()
    ledger = house.ledger()
    assert ledger.filter(pl.col("ref") == commit)["state"].to_list() == [
        "started",  # the file
        "started",  # this version of it
        "fetched",
        "parsed",
        "written",
        "unchanged",
    ]
    fetched = ledger.filter(pl.col("state") == "fetched").row(0, named=True)
    assert fetched["detail"] == DAY.isoformat()
    assert fetched["etag"]
