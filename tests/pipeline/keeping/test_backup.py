"""A backup is whole or it is not there; a home that is put back from one is the home that was backed up."""

import json
import os
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import duckdb
import polars as pl
import pytest

from benchhealth.ingest.network import raw
from benchhealth.pipeline.keeping.archive import MANIFEST, BackupError, Manifest, check, manifest_of, write_backup
from benchhealth.pipeline.keeping.backup import PREFIX, backup
from benchhealth.warehouse.ledger import LedgerEntry
from benchhealth.warehouse.locking import exclusive
from benchhealth.warehouse.migrations import MIGRATIONS
from benchhealth.warehouse.places.location import location_of
from benchhealth.warehouse.read import current_path, generations, open_current
from benchhealth.warehouse.reader import Reader
from benchhealth.warehouse.sql import relation
from benchhealth.warehouse.status import run_table
from benchhealth.warehouse.store import DATABASE, LOCK, Store, reading
from tests.pipeline.conftest import settings_of
from tests.pipeline.keeping.conftest import Command
from tests.support.breakage import write_garbage
from tests.support.replay import facts, unlike

NOBODY = 65534


def bodies(home: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (home / raw.FOLDER).glob("*/*.gz")}


def contents(home: Path) -> dict[str, bytes]:
    """Every file of a home, by its path."""
    return {str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*") if path.is_file()}


def same(home: Path, other: Path) -> bool:
    """Whether facts, raw bodies and the generation in service are the same."""
    served = [open_current(each).table("result") for each in (home, other)]
    return not unlike(facts(home), facts(other)) and bodies(home) == bodies(other) and served[0].equals(served[1])


def test_an_empty_home_becomes_the_one_that_was_backed_up(
    kept_home: Path, kept_backup: Path, tmp_path: Path, command: Command
) -> None:
    assert command(tmp_path / "new", "restore", "--from", kept_backup) == (0, "")
    assert same(tmp_path / "new", kept_home)
    assert current_path(tmp_path / "new").name == current_path(kept_home).name
    assert run_table(tmp_path / "new")["command"].to_list()[-1] == "restore"
    assert {path.name for path in (tmp_path / "new").iterdir()} == {LOCK, DATABASE, "raw", "published"}


def test_the_newest_backup_of_a_folder_is_taken(kept_backup: Path, tmp_path: Path, command: Command) -> None:
    shutil.copy(kept_backup, tmp_path / f"{PREFIX}20990101T000000Z.tar")
    (tmp_path / f"{PREFIX}20200101T000000Z.tar").write_bytes(b"an older one that is none")
    assert command(tmp_path / "new", "restore", "--from", tmp_path) == (0, "")
    code, line = command(tmp_path / "other", "restore", "--from", tmp_path / "new")
    assert (code, "no benchhealth-*.tar in" in line) == (1, True)


def test_a_home_with_anything_in_it_is_left_alone_unless_it_may_be_moved_aside(
    home: Path, kept_home: Path, kept_backup: Path, command: Command
) -> None:
    with Store.open(home) as store:
        store.ledger.start_run("later", "nightly", facts(home)["snapshot"]["observed_at"][0])
    later, served = (home / DATABASE).read_bytes(), current_path(home)
    code, line = command(home, "restore", "--from", kept_backup)
    assert (code, "--replace" in line, (home / DATABASE).read_bytes() == later) == (1, True, True)
    assert command(home, "restore", "--replace", "--from", kept_backup) == (0, "")
    assert same(home, kept_home)
    (aside,) = home.glob("replaced-*")
    assert (aside / DATABASE).read_bytes() == later
    assert {path.name for path in (aside / raw.FOLDER).glob("*/*.gz")} == set(bodies(kept_home))
    assert served.exists()
    assert current_path(home) != served
    assert len(generations(home)) == 2


@pytest.mark.soak
def test_a_reader_sees_no_error_while_a_home_is_backed_up_and_replaced(
    home: Path, kept_backup: Path, tmp_path: Path, command: Command
) -> None:
    reader, stop, seen = Reader(home), threading.Event(), set()

    def read() -> None:
        while not stop.is_set():
            generation = reader.current()
            seen.add((generation.name, generation.table("result").height))

    thread = threading.Thread(target=read)
    thread.start()
    try:
        assert command(home, "backup", "--to", tmp_path / "again.tar") == (0, "")
        assert command(home, "restore", "--replace", "--from", kept_backup) == (0, "")
        deadline = time.monotonic() + 60
        while len(seen) < 2 and thread.is_alive() and time.monotonic() < deadline:
            time.sleep(0.05)
    finally:
        stop.set()
        thread.join()
    assert len({name for name, _ in seen}) == 2
    assert len({height for _, height in seen}) == 1


def test_while_a_run_writes_both_wait_for_another_time(home: Path, kept_backup: Path, command: Command) -> None:
    with exclusive(home / LOCK, wait=False):
        assert command(home, "backup", "--to", home)[0] == 75
        assert command(home, "restore", "--replace", "--from", kept_backup)[0] == 75
    assert not list(home.glob("*.tar*"))


@pytest.mark.soak
def test_transactions_that_are_not_in_the_database_yet_are_backed_up(
    home: Path, tmp_path: Path, command: Command
) -> None:
    """What a killed run leaves: a WAL beside the database."""
    with duckdb.connect(home / DATABASE) as connection:
        connection.execute("PRAGMA disable_checkpoint_on_shutdown")
        connection.execute("INSERT INTO run_start VALUES ('killed', '2026-11-22', 'nightly')")
    assert (home / f"{DATABASE}.wal").exists()
    assert command(home, "backup", "--to", tmp_path / "b.tar") == (0, "")
    assert command(tmp_path / "new", "restore", "--from", tmp_path / "b.tar") == (0, "")
    assert "killed" in run_table(tmp_path / "new")["run_id"].to_list()


def test_a_backup_says_what_retention_let_go_and_what_is_missing(
    home: Path, tmp_path: Path, command: Command, caplog: pytest.LogCaptureFixture
) -> None:
    (lost,) = bodies(home)
    with Store.open(home) as store:
        observed_at = facts(home)["snapshot"]["observed_at"][0]
        store.ledger.record(LedgerEntry("raw", "raw:aa", "aa/aa.gz", "", "", "aa", "pruned", "", observed_at))
    next((home / raw.FOLDER).glob("*/*.gz")).unlink()
    with caplog.at_level("WARNING"):
        assert command(home, "backup", "--to", tmp_path / "b.tar") == (0, "")
    manifest = manifest_of(tmp_path / "b.tar")
    assert (manifest.pruned, manifest.missing) == (1, (lost.removesuffix(".gz"),))
    assert lost.removesuffix(".gz") in caplog.text


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_backup_that_was_cut_is_refused(
    share: float, home: Path, kept_backup: Path, tmp_path: Path, command: Command
) -> None:
    """At the latest within its manifest, which comes last: only zeros follow it, and without them it is still whole."""
    with tarfile.open(kept_backup) as tar:
        manifest = tar.getmember(MANIFEST)
    end = manifest.offset_data + manifest.size - 1
    (tmp_path / "cut.tar").write_bytes(kept_backup.read_bytes()[: int(end * share)])
    before = (home / DATABASE).read_bytes()
    code, line = command(home, "restore", "--replace", "--from", tmp_path / "cut.tar")
    assert (code, "cut.tar" in line, "take another" in line) == (1, True, True)
    assert (home / DATABASE).read_bytes() == before
    assert not list(home.glob("replaced-*"))


def test_a_backup_that_is_not_there_is_named_with_what_to_write(tmp_path: Path, command: Command) -> None:
    code, line = command(tmp_path / "new", "restore", "--from", tmp_path / "nowhere")
    assert (code, "there is no " in line, "--from names a backup" in line, "Errno" in line) == (1, True, True, False)


@pytest.mark.parametrize("cut_at", [0.02, 0.97])
def test_a_backup_with_a_byte_changed_is_refused(
    cut_at: float, kept_backup: Path, tmp_path: Path, command: Command
) -> None:
    spoilt = bytearray(kept_backup.read_bytes())
    spoilt[int(len(spoilt) * cut_at)] ^= 1
    (tmp_path / "spoilt.tar").write_bytes(spoilt)
    with pytest.raises(BackupError):
        check(tmp_path / "spoilt.tar")
    code, line = command(tmp_path / "new", "restore", "--from", tmp_path / "spoilt.tar")
    assert (code, "spoilt.tar" in line) == (1, True)
    assert {path.name for path in (tmp_path / "new").iterdir()} == {LOCK}


@pytest.mark.parametrize("name", ["../outside", "/etc/outside", "lock", "raw/aa/../../../outside.gz"])
def test_a_file_that_no_home_has_is_put_nowhere(name: str, tmp_path: Path, command: Command) -> None:
    (tmp_path / "body").write_bytes(b"x")
    digest = [1, "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"]
    manifest = {"format": 1, "made_at": "", "program": "", "edition": 0, "generation": "", "pruned": 0, "missing": []}
    (tmp_path / "manifest").write_text(json.dumps({**manifest, "files": {name: digest}}))
    with tarfile.open(tmp_path / "b.tar", "w") as tar:
        tar.add(tmp_path / "body", arcname=name)
        tar.add(tmp_path / "manifest", arcname="manifest.json")
    code, line = command(tmp_path / "new", "restore", "--from", tmp_path / "b.tar")
    assert (code, "which no home has" in line or "does not hold" in line) == (1, True)
    assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE])
def test_what_is_no_file_in_a_backup_is_put_nowhere(
    kind: bytes, kept_backup: Path, tmp_path: Path, command: Command
) -> None:
    with tarfile.open(kept_backup) as old, tarfile.open(tmp_path / "b.tar", "w") as new:
        for member in old:
            body = old.extractfile(member)
            if member.name == "warehouse.duckdb":
                member.type, member.linkname, member.size = kind, "/etc/passwd", 0
            new.addfile(member, body)
    code, line = command(tmp_path / "new", "restore", "--from", tmp_path / "b.tar")
    assert (code, "which no home has" in line) == (1, True), line


def rewritten(backup: Path, to: Path, **manifest: object) -> Path:
    """The backup with another word of the manifest; what is said of `files` stays."""
    with tarfile.open(backup) as old, tarfile.open(to, "w") as new:
        for member in old:
            body = old.extractfile(member)
            assert body is not None
            if member.name == "manifest.json":
                (to.parent / "manifest").write_text(json.dumps({**json.load(body), **manifest}))
                new.add(to.parent / "manifest", arcname="manifest.json")
            else:
                new.addfile(member, body)
    return to


@pytest.mark.parametrize(("key", "value"), [("edition", len(MIGRATIONS) + 1), ("format", 2)])
def test_a_backup_of_a_later_edition_is_refused(
    key: str, value: int, kept_backup: Path, tmp_path: Path, command: Command
) -> None:
    made = rewritten(kept_backup, tmp_path / "b.tar", **{key: value})
    code, line = command(tmp_path / "new", "restore", "--from", made)
    assert (code, f"{key} {value}" in line, "version of benchhealth that wrote it" in line) == (1, True, True), line


def test_a_generation_that_a_backup_names_and_does_not_hold_is_taken_from_nowhere(
    home: Path, kept_backup: Path, tmp_path: Path, command: Command
) -> None:
    before, served = contents(home), current_path(home)
    for generation in (str(served), f"../../home/published/{served.name}", "gen-20200101T000000Z-000001.duckdb", 5):
        made = rewritten(kept_backup, tmp_path / "b.tar", generation=generation)
        code, line = command(tmp_path / "new", "restore", "--from", made)
        assert (code, "names a generation that it does not hold" in line) == (1, True), line
        assert {path.name for path in (tmp_path / "new").iterdir()} == {LOCK}
    assert contents(home) == before


@pytest.mark.parametrize(("key", "value"), [("edition", "6"), ("edition", None), ("made_at", "\x1b[2J")])
def test_what_a_manifest_says_of_itself_is_not_believed(
    key: str, value: object, kept_backup: Path, tmp_path: Path, command: Command
) -> None:
    code, line = command(
        tmp_path / "new", "restore", "--from", rewritten(kept_backup, tmp_path / "b.tar", **{key: value})
    )
    assert (code, "does not say when and by which edition" in line) == (1, True), line


SQL = (
    "CREATE VIEW more AS FROM read_text('{secret}')",
    "DROP TABLE model_fact; CREATE VIEW model_fact AS FROM read_text('{secret}')",
    "CREATE MACRO count(x) AS 7",
    "CREATE MACRO duckdb_views() AS TABLE SELECT 1",
    "ALTER TABLE run_end ALTER detail SET DEFAULT 'x'",
    "CREATE TABLE more (a INT, b INT GENERATED ALWAYS AS (a + 1))",
    "CREATE TABLE more (a INT CHECK (a < 5))",
    "CREATE INDEX more ON source (title)",
    "CREATE SEQUENCE more",
    "CREATE TYPE more AS ENUM ('a')",
    "CREATE SCHEMA more",
    """CREATE TABLE "source"" AS x; COPY (SELECT 1) TO '{secret}'; --" (a INT)""",
)


@pytest.mark.parametrize("sql", SQL)
def test_a_backup_with_sql_in_it_is_refused(sql: str, home: Path, tmp_path: Path, command: Command) -> None:
    (tmp_path / "secret").write_text("a secret")
    file = home / (DATABASE if "count" not in sql else current_path(home).relative_to(home))
    with duckdb.connect(file) as connection:
        connection.execute(sql.format(secret=tmp_path / "secret"))
    with write_backup(tmp_path / "b.tar") as writer:
        for path in (home / DATABASE, current_path(home)):
            writer.add(path.relative_to(home).as_posix(), path)
        writer.finish(Manifest("2026-11-24", "1", len(MIGRATIONS), current_path(home).name, 0, (), writer.files))
    code, line = command(tmp_path / "new", "restore", "--from", tmp_path / "b.tar")
    assert (code, "which no home has" in line) == (1, True), line
    assert {path.name for path in (tmp_path / "new").iterdir()} == {LOCK}
    assert (tmp_path / "secret").read_text() == "a secret"


@pytest.mark.parametrize("place", ["temporary files of others", "the folder of temporary files", "beside the home"])
def test_facts_reach_no_file_outside(place: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is in them: a view here, in a home that was restored before views were refused. Rows still come in."""
    temporary = tmp_path / "temporary"
    outside = {"temporary files of others": temporary / "benchhealth-other", "beside the home": tmp_path}
    secret = outside.get(place, temporary) / "secret"
    secret.parent.mkdir(parents=True, exist_ok=True)
    temporary.mkdir(exist_ok=True)
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    secret.write_text("a secret")
    with duckdb.connect(home / DATABASE) as connection:
        connection.execute(f"CREATE VIEW more AS FROM read_text('{secret}')")
    with reading(home) as connection, pytest.raises(duckdb.PermissionException):
        connection.execute("FROM more")
    with location_of(home).writing() as opened:
        with pytest.raises(duckdb.PermissionException):
            opened.connection.execute("FROM more")
        with relation(pl.DataFrame({"a": [1]})) as one, relation(pl.DataFrame({"a": [2]})) as other:
            assert opened.connection.execute(f"FROM {one} UNION ALL FROM {other}").fetchall() == [(1,), (2,)]
    assert not list(temporary.glob("benchhealth-[0-9]*"))


@pytest.mark.soak
def test_a_damaged_generation_that_a_restore_left_beside_is_mended_by_doctor(
    home: Path, kept_backup: Path, command: Command
) -> None:
    write_garbage(current_path(home), 0.5)
    assert command(home, "restore", "--replace", "--from", kept_backup) == (0, "")
    assert (command(home, "doctor")[0], len(generations(home))) == (3, 2)
    assert (command(home, "doctor", "--repair")[0], len(generations(home))) == (0, 1)
    assert command(home, "doctor")[0] == 0


@contextmanager
def no_file_larger_than(limit: int) -> Iterator[None]:
    """A disk that is full: files may grow to so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("share", [0.01, 0.7])
def test_without_room_nothing_is_left_and_nothing_is_lost(
    share: float, home: Path, kept_backup: Path, tmp_path: Path, command: Command
) -> None:
    before, earlier = contents(home), tmp_path / "b.tar"
    earlier.write_bytes(b"an earlier one")
    with no_file_larger_than(int(kept_backup.stat().st_size * share)):
        code, line = command(home, "backup", "--to", earlier)
    assert (code, "make room" in line, earlier.read_bytes()) == (1, True, b"an earlier one"), line
    with no_file_larger_than(int(max(current_path(home).stat().st_size, 1) * share)):
        code, line = command(home, "restore", "--replace", "--from", kept_backup)
    assert (code, "make room" in line) == (1, True), line
    assert contents(home) == before
    assert [path.name for path in tmp_path.iterdir() if path.name != "home"] == ["b.tar"]


@contextmanager
def read_only(home: Path) -> Iterator[Path]:
    """A folder with the home, in which nothing can be written; root, who always can, is somebody else meanwhile."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(home, folder / "home", symlinks=True)
        everything = [
            folder,
            folder / "home",
            *(path for path in (folder / "home").rglob("*") if not path.is_symlink()),
        ]
        for path in everything:
            path.chmod(0o555 if path.is_dir() else 0o444)
        was = os.geteuid()
        os.seteuid(was or NOBODY)
        try:
            yield folder / "home"
        finally:
            os.seteuid(was)
            for path in everything:
                path.chmod(0o755)


def test_a_home_that_became_read_only_serves_says_so_and_can_be_backed_up(home: Path, command: Command) -> None:
    with read_only(home) as frozen:
        served = open_current(frozen).name
        for arguments in (("assess",), ("backup", "--to", frozen)):
            code, line = command(frozen, *arguments)
            assert (code, str(frozen) in line) == (1, True), line
        assert open_current(frozen).name == served
    with tempfile.TemporaryDirectory() as writable:
        Path(writable).chmod(0o777)
        with read_only(home) as frozen:
            assert command(frozen, "backup", "--to", Path(writable)) == (0, "")
        assert len(list(Path(writable).iterdir())) == 1


@pytest.mark.soak
@pytest.mark.parametrize("step", range(1, 9))
def test_a_restore_that_is_killed_at_any_step_leaves_facts_and_is_run_again(
    step: int, home: Path, kept_backup: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each step that moves, links or replaces a file: what comes after it does not happen."""
    before = facts(home)
    with Store.open(home) as store:
        store.ledger.start_run("later", "nightly", before["snapshot"]["observed_at"][0])
    done = 0

    def killing(real: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object) -> object:
            nonlocal done
            done += 1
            if done == step:
                raise KeyboardInterrupt
            return real(*arguments)

        return call

    with monkeypatch.context() as patched:
        for owner, name in ((Path, "rename"), (Path, "replace"), (os, "link"), (Path, "symlink_to")):
            patched.setattr(owner, name, killing(getattr(owner, name)))
        code, _ = command(home, "restore", "--replace", "--from", kept_backup)
    assert code == (130 if done >= step else 0)
    assert open_current(home).table("result").height
    with Store.open(home) as store:
        assert len(store.snapshot_ids()) == before["snapshot"].height
    assert command(home, "restore", "--replace", "--from", kept_backup) == (0, "")
    assert not unlike(facts(home), before)
    assert any((folder / DATABASE).exists() for folder in home.glob("replaced-*"))


@pytest.mark.parametrize("ending", ["/", "/.", "//"])
def test_a_folder_that_is_not_there_is_not_made(ending: str, home: Path, tmp_path: Path, command: Command) -> None:
    """Its disk may not be mounted."""
    code, line = command(home, "backup", "--to", f"{tmp_path / 'disk'}{ending}")
    assert (code, f"no folder {tmp_path / 'disk'}" in line, (tmp_path / "disk").exists()) == (1, True, False), line
    (tmp_path / "disk").mkdir()
    assert command(home, "backup", "--to", f"{tmp_path / 'disk'}{ending}") == (0, "")
    assert [path.name.startswith(PREFIX) for path in (tmp_path / "disk").iterdir()] == [True]


def test_an_empty_name_is_no_place_for_a_backup(
    home: Path, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, line = command(home, "backup", "--to", "")
    assert (code, "empty name" in line, list(tmp_path.iterdir())) == (1, True, [home])


def test_what_is_neither_a_folder_nor_a_file_is_not_replaced(home: Path, tmp_path: Path, command: Command) -> None:
    os.mkfifo(tmp_path / "pipe")
    code, line = command(home, "backup", "--to", tmp_path / "pipe")
    assert (code, f"{tmp_path / 'pipe'} is neither" in line, (tmp_path / "pipe").is_fifo()) == (1, True, True), line
    assert set(tmp_path.iterdir()) == {home, tmp_path / "pipe"}


WRITES = """
import sys, time
from pathlib import Path
from benchhealth.pipeline.keeping.archive import write_backup

with write_backup(Path(sys.argv[1])):
    print("begun", flush=True)
    time.sleep(600)
"""


@contextmanager
def another_backup(target: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that writes a backup until it is killed."""
    with subprocess.Popen([sys.executable, "-c", WRITES, str(target)], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            yield process
        finally:
            process.kill()


def test_what_a_killed_backup_left_goes_with_the_next_and_what_one_still_writes_stays(
    home: Path, tmp_path: Path, command: Command
) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    partial = folder / f".{PREFIX}20200101T000000Z.tar.part"
    (folder / f".{PREFIX}of-mine.tar.part").touch()
    with another_backup(folder / f"{PREFIX}20200101T000000Z.tar"):
        assert command(home, "backup", "--to", folder) == (0, "")
        assert partial.exists()
    assert partial.exists()
    assert command(home, "backup", "--to", folder) == (0, "")
    assert [path.name for path in folder.glob(".*")] == [f".{PREFIX}of-mine.tar.part"]


def test_two_backups_do_not_write_one_file_at_once(home: Path, tmp_path: Path, command: Command) -> None:
    with another_backup(tmp_path / "b.tar"):
        assert command(home, "backup", "--to", tmp_path / "b.tar")[0] == 75
        assert (tmp_path / ".b.tar.part").exists()


def test_facts_that_lie_elsewhere_are_not_taken_for_backed_up(tmp_path: Path) -> None:
    settings = replace(settings_of(tmp_path, tmp_path), store="ducklake:postgres:dbname=facts")
    with pytest.raises(BackupError, match=r"PostgreSQL database by pg_dump.*OPERATIONS\.md"):
        backup(settings, destination=tmp_path / "one.tar")
