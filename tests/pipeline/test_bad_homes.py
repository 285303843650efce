"""A home that cannot be written, or not to the end: one line says so, and what was there is there afterwards."""

import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from benchhealth.pipeline.cli import main
from benchhealth.pipeline.night import init
from benchhealth.warehouse.read import current_path, open_current
from benchhealth.warehouse.store import DATABASE, fact_table
from tests.pipeline.conftest import settings_of
from tests.support.breakage import at_table, write_garbage
from tests.support.ports import free_port
from tests.support.replay import ROOT, SERVE, command, facts, replaying, unlike

START_SECONDS = 180.0
NOWHERE = "http://127.0.0.1:9"
REPORT = ("report", "--benchmark", "squad-1.1", "--output", "report.html")
ASKED = ("ingest", "--history", "--source", "evalplus", "--source", "gsm1k")


def run_output(home: Path, *arguments: str, largest_file: int | None = None) -> tuple[int, str]:
    """The exit code of a command and what it says, where files may grow to so many bytes: a disk that is full.

    It keeps no bytecode: a file cut short by the limit would be read by every later process of the environment. The
    limit is set by a command before it, as a function run in a copy of this process needs room for the copy.
    """
    limited = [] if largest_file is None else ["prlimit", f"--fsize={largest_file}"]
    settings = {"PYTHONDONTWRITEBYTECODE": "1", "BENCHHEALTH_HOME": str(home)}
    done = subprocess.run(
        [*limited, sys.executable, "-m", "benchhealth.pipeline.cli", *arguments],
        cwd=ROOT,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


def test_a_home_below_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    code, words = run_output(tmp_path / "file" / "home", *ASKED, "--mirror", NOWHERE)
    assert code == 1
    assert "Traceback" not in words
    assert str(tmp_path / "file") in words


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"something else" * 1000)
    code, words = run_output(tmp_path, *ASKED, "--mirror", NOWHERE)
    assert code == 1
    assert "Traceback" not in words
    assert DATABASE in words
    assert (tmp_path / DATABASE).read_bytes() == b"something else" * 1000


@pytest.fixture
def home(small_home: Path, tmp_path: Path) -> Path:
    """A home of its own with facts and a generation."""
    copy = tmp_path / "home"
    shutil.copytree(small_home, copy, symlinks=True)
    return copy


@contextmanager
def serving(home: Path) -> Iterator[str]:
    """The address of the dashboard over a home, by the real command, from the first answer on."""
    port = free_port()
    with command(home, "serve", "--port", str(port)) as server:
        try:
            give_up = time.monotonic() + START_SECONDS
            while asked(f"http://127.0.0.1:{port}/readyz")[0] == 0 and time.monotonic() < give_up:
                assert server.poll() is None, (home / "log").read_text()
                time.sleep(0.2)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def asked(address: str) -> tuple[int, str]:
    """The status and the text of an answer; 0 where nobody answers."""
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read().decode()
    except OSError:
        return 0, ""


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """As `said`, in this process."""

    def run(home: Path, *arguments: str) -> tuple[int, str]:
        monkeypatch.setenv("BENCHHEALTH_HOME", str(home))
        capsys.readouterr()
        return main(arguments), capsys.readouterr().err

    return run


def refused(ended: tuple[int, str], about: Path, do: str) -> None:
    """The command ended with 1 and one line that names the file and says what to do."""
    code, words = ended
    lines = [line for line in words.splitlines() if line.startswith("benchhealth: ")]
    assert (code, len(lines)) == (1, 1), words
    assert "Traceback" not in words, words
    assert str(about) in lines[0]
    assert do in lines[0]


@pytest.mark.parametrize("command_line", [("status",), REPORT, ("export", "--to", "open-data")])
def test_a_generation_that_is_gone_is_named_by_what_would_read_it(
    home: Path, command_line: tuple[str, ...], here: Callable[..., tuple[int, str]]
) -> None:
    current_path(home).unlink()
    refused(here(home, *command_line), about=home / "published" / "current.duckdb", do="`benchhealth init`")


@pytest.mark.soak  # below it is called where the generation is damaged
def test_init_publishes_where_the_generation_is_gone(home: Path, small_bundle: Path) -> None:
    current_path(home).unlink()
    init(settings_of(home, small_bundle))
    with closing(open_current(home)) as mended:
        assert mended.table("verdict").height > 0


@pytest.mark.soak
def test_ready_says_what_is_wrong_and_is_ready_when_it_is_mended(home: Path, small_bundle: Path) -> None:
    published = current_path(home)
    original = published.read_bytes()
    published.unlink()
    with serving(home) as address:
        status, words = asked(f"{address}/readyz")
        assert (status, published.name in words, "`benchhealth init`" in words) == (503, True, True), words
        published.write_bytes(original)
        write_garbage(published, 0.5)
        status, words = asked(f"{address}/readyz")
        assert (status, "cannot be read" in words, "`benchhealth init`" in words) == (503, True, True), words
        init(settings_of(home, small_bundle))
        assert asked(f"{address}/readyz")[0] == 200


@pytest.mark.parametrize("damaged_at", ["the beginning", "results"])
def test_damaged_facts_are_met_by_what_writes_and_by_what_looks(
    home: Path, damaged_at: str, here: Callable[..., tuple[int, str]]
) -> None:
    facts_file = home / DATABASE
    write_garbage(facts_file, at_table(facts_file, "result") if damaged_at == "results" else 0.0)
    damaged, served = facts_file.read_bytes(), open_current(home).name
    for command_line in (("ingest", "--source", "gsm1k", "--mirror", NOWHERE), ("status",)):
        refused(here(home, *command_line), about=facts_file, do="`benchhealth init`")
    assert facts_file.read_bytes() == damaged
    assert open_current(home).name == served


@pytest.mark.soak
def test_damaged_facts_are_mended_as_the_line_says(home: Path, small_bundle: Path) -> None:
    before = fact_table(home, "result").height
    write_garbage(home / DATABASE, 0.5)
    (home / DATABASE).rename(home / "moved away")
    init(settings_of(home, small_bundle))
    assert fact_table(home, "result").height == before
    assert open_current(home).table("run")["status"].to_list() == ["ok"]


@pytest.mark.soak
@pytest.mark.parametrize("largest_file", [4_000, 8_000_000])
def test_an_assessment_without_room_says_so_and_leaves_the_last_generation(home: Path, largest_file: int) -> None:
    """From the first row of the ledger to the last checkpoint of the generation: all that an assessment writes."""
    served = open_current(home).name
    refused(run_output(home, "assess", largest_file=largest_file), about=Path("cannot be written"), do="make room")
    with closing(open_current(home)) as opened:
        assert opened.name == served
    assert not list((home / "published").glob(".building*"))


@pytest.mark.soak
@pytest.mark.skipif(not SERVE.exists(), reason="the replayed upstreams are not beside this checkout")
@pytest.mark.parametrize("largest_file", [20_000, 200_000, 400_000, 800_000, 1_600_000])
def test_a_full_disk_loses_nothing_and_the_next_night_goes_on(tmp_path: Path, largest_file: int) -> None:
    with replaying() as url:
        assert command(tmp_path / "roomy", *ASKED, "--mirror", url).wait() == 0
        code, words = run_output(tmp_path / "full", *ASKED, "--mirror", url, largest_file=largest_file)
        assert code in (1, 2), words
        assert "benchhealth: " in words or "failed: " in words
        assert "Traceback" not in words, words
        assert command(tmp_path / "full", *ASKED, "--mirror", url).wait() == 0
    assert not unlike(facts(tmp_path / "full"), facts(tmp_path / "roomy"))
