"""What a night lets go of the past: never what may be parsed again, never an import, and the ledger says so first."""

import hashlib
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from benchhealth.ingest.catalog import SOURCES
from benchhealth.ingest.network import raw
from benchhealth.ingest.network.payload import Payload
from benchhealth.ingest.source import GithubTree
from benchhealth.pipeline.keeping.bodies import deleted_hashes, missing_hashes, needed_hashes, on_disk
from benchhealth.pipeline.keeping.log_file import handler
from benchhealth.pipeline.keeping.retention import prune
from benchhealth.pipeline.settings import Keep, SettingError, Settings
from benchhealth.warehouse.ledger import LedgerEntry
from benchhealth.warehouse.store import Store, fact_table
from tests.support.facts import FETCHED, batch, facts, result

LATER = FETCHED + timedelta(days=40)
OLD = Keep(raw_days=30)
REFS = ("one", "two", "three")


def body(home: Path, text: str) -> str:
    """Save a body; its hash."""
    raw.save(home, Payload("https://example.org", text, FETCHED, digest(text), "text/plain", text.encode()))
    return digest(text)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def entry(text: str, state: str, *, url: str = "https://example.org", detail: str = "") -> LedgerEntry:
    return LedgerEntry("squad", url, "out.json", text, "", digest(text), state, detail, FETCHED)


@contextmanager
def three_versions(home: Path) -> Iterator[Store]:
    """A store with three versions of one file and their bodies, the last of which is the newest."""
    with Store.open(home) as store:
        for number, ref in enumerate(REFS):
            store.write(batch([result()], ref=ref, observed_at=FETCHED + timedelta(days=number)))
            body(home, ref)
        yield store


def left(home: Path) -> set[str]:
    """The texts of the bodies that are there."""
    return {raw.load(home, sha256).decode() for sha256 in on_disk(home)["sha256"]}


def test_only_the_newest_version_stays_when_all_are_old(tmp_path: Path) -> None:
    with three_versions(tmp_path) as store:
        before = facts(tmp_path, ["snapshot", "result"])
        assert prune(tmp_path, store, OLD, LATER) == 2
        assert left(tmp_path) == {"three"}
        assert facts(tmp_path, ["snapshot", "result"]) == before
        noted = fact_table(tmp_path, "ledger").filter(state="pruned")
        assert set(noted["sha256"]) == deleted_hashes(tmp_path) == {digest(ref) for ref in REFS[:2]}
        assert noted["detail"].str.contains("squad, https://raw").all()
        assert prune(tmp_path, store, OLD, LATER) == 0


def test_what_is_younger_stays_unless_there_is_too_much(tmp_path: Path) -> None:
    with three_versions(tmp_path) as store:
        assert prune(tmp_path, store, OLD, FETCHED + timedelta(days=30)) == 0
        assert prune(tmp_path, store, Keep(raw_mb=0), FETCHED) == 2
    assert left(tmp_path) == {"three"}


def test_of_what_is_too_much_the_oldest_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchhealth.pipeline.keeping.retention.MB", 1)
    with three_versions(tmp_path) as store:
        both = sum(raw.path_of(tmp_path, digest(ref)).stat().st_size for ref in REFS[1:])
        with store._connection.cursor() as cursor:  # the second was fetched last
            cursor.execute(f"UPDATE snapshot SET fetched_at = '{LATER}' WHERE ref = 'two'")
        assert prune(tmp_path, store, Keep(raw_mb=both), LATER) == 1
    assert left(tmp_path) == {"two", "three"}


def test_held_refused_and_cut_versions_stay_and_so_does_the_listing_of_a_tree(tmp_path: Path) -> None:
    fetched = FETCHED.isoformat()
    with three_versions(tmp_path) as store:
        for text, end in (("held", "held"), ("refused", "failed"), ("cut", "parsed")):
            body(tmp_path, text)
            store.ledger.record(
                entry(text, "fetched", url=text, detail=fetched), entry(text, end, url=text, detail=end)
            )
        for text in ("old tree", "tree"):
            body(tmp_path, text)
            store.ledger.record(entry(text, "listed", url="tree"))
        store.ledger.record(entry("tree", "unchanged", url="tree"))
        assert prune(tmp_path, store, OLD, LATER) == 3
    assert left(tmp_path) == {"three", "held", "refused", "cut", "tree"}


def test_an_import_and_a_body_that_nothing_names_stay(tmp_path: Path) -> None:
    with three_versions(tmp_path) as store:
        for number, ref in enumerate(("mine", "mine, changed")):
            fetched_at = FETCHED + timedelta(days=number)
            store.write(batch([result()], source_id="import", path="own.csv", ref=ref, observed_at=fetched_at))
            body(tmp_path, ref)
        body(tmp_path, "nobody's")
        assert prune(tmp_path, store, Keep(raw_days=0, raw_mb=0), LATER) == 2
    assert left(tmp_path) == {"three", "mine", "mine, changed", "nobody's"}


def test_dated_files_of_one_board_are_versions_of_one_file(tmp_path: Path) -> None:
    source, board = next(
        (source.key, files.board_id)
        for source in SOURCES
        for files in source.files
        if isinstance(files, GithubTree) and "{" not in files.board_id
    )
    with Store.open(tmp_path) as store:
        for day in (1, 2):
            fetched_at = FETCHED + timedelta(days=day)
            store.write(
                batch(
                    [result()],
                    source_id=source,
                    board_id=board,
                    path=f"{day}.csv",
                    ref=f"{day}",
                    observed_at=fetched_at,
                )
            )
            body(tmp_path, f"{day}")
        assert prune(tmp_path, store, OLD, LATER) == 1
    assert left(tmp_path) == {"2"}


def test_killed_between_the_ledger_and_the_disk_the_next_night_removes_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(path: Path, *, missing_ok: bool = False) -> None:
        raise KeyboardInterrupt(str(path), missing_ok)

    with three_versions(tmp_path) as store:
        with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
            patched.setattr(Path, "unlink", killed)
            prune(tmp_path, store, OLD, LATER)
        assert left(tmp_path) == set(REFS)
        assert deleted_hashes(tmp_path) == set()
        assert prune(tmp_path, store, OLD, LATER) == 2
    assert left(tmp_path) == {"three"}


def test_a_body_that_was_fetched_here_and_is_not_there_is_missing_and_one_of_a_bundle_is_not(tmp_path: Path) -> None:
    with three_versions(tmp_path) as store:
        store.ledger.record(entry("three", "fetched", detail=FETCHED.isoformat()), entry("three", "written"))
        store.write(batch([result()], path="bundled.json", ref="bundled"))
        three = digest("three")
        assert missing_hashes(tmp_path) == set()
        raw.path_of(tmp_path, three).unlink()
        assert missing_hashes(tmp_path) == {three}
        assert digest("bundled") in needed_hashes(tmp_path)


def test_needed_bodies_beyond_the_limit_stay_and_a_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("benchhealth.pipeline.keeping.retention.MB", 1)
    with three_versions(tmp_path) as store:
        prune(tmp_path, store, Keep(raw_mb=1), LATER)
    assert left(tmp_path) == {"three"}
    assert "BENCHHEALTH_KEEP_RAW_MB is 1" in caplog.text


@pytest.mark.parametrize(
    ("name", "expected"),
    [("GENERATIONS", "0"), ("RAW_DAYS", "-1"), ("RAW_MB", "2 GB"), ("LOG_MB", "0"), ("RAW_DAYS", "²")],
)
def test_a_limit_that_is_no_number_is_refused_by_its_name(
    name: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"BENCHHEALTH_KEEP_{name}", expected)
    with pytest.raises(SettingError, match=f"BENCHHEALTH_KEEP_{name}"):
        Settings.from_environment()


def test_limits_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GENERATIONS", "RAW_DAYS", "RAW_MB", "LOG_MB"):
        monkeypatch.setenv(f"BENCHHEALTH_KEEP_{name}", "7")
    assert Settings.from_environment().keep == Keep(7, 7, 7, 7)


def test_a_log_file_and_the_one_before_it_stay_within_the_limit(tmp_path: Path) -> None:
    settings = Settings(tmp_path, tmp_path, tmp_path, None, keep=Keep(log_mb=1), log=tmp_path / "logs" / "nightly.log")
    lines = handler(settings)
    for number in range(3_000):
        lines.emit(logging.LogRecord("x", logging.INFO, "x", 1, f"{number} {'x' * 1_000}", None, None))
    lines.close()
    files = sorted((tmp_path / "logs").iterdir())
    assert [file.name for file in files] == ["nightly.log", "nightly.log.1"]
    assert sum(file.stat().st_size for file in files) <= 1_000_000
    assert "2999" in files[0].read_text()[-2_000:]
