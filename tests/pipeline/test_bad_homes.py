"""A home that cannot be written, or not to the end: one line says so, and what was there is there afterwards."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.replay import ROOT, SERVE, command, facts, replaying, unlike
from warehouse.store import DATABASE

NOWHERE = "http://127.0.0.1:9"
ASKED = ("ingest", "--history", "--source", "evalplus", "--source", "gsm1k")


def said(home: Path, *arguments: str, largest_file: int | None = None) -> tuple[int, str]:
    """The exit code of a command and what it says, where files may grow to so many bytes: a disk that is full."""

    def limit() -> None:
        if largest_file is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))

    done = subprocess.run(
        [sys.executable, "-m", "pipeline.cli", *arguments],
        cwd=ROOT,
        env={**os.environ, "BENCHHEALTH_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
    )
    return done.returncode, done.stderr


def test_a_home_below_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    code, words = said(tmp_path / "file" / "home", *ASKED, "--mirror", NOWHERE)
    assert code == 1
    assert "Traceback" not in words
    assert str(tmp_path / "file") in words


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"something else" * 1000)
    code, words = said(tmp_path, *ASKED, "--mirror", NOWHERE)
    assert code == 1
    assert "Traceback" not in words
    assert DATABASE in words
    assert (tmp_path / DATABASE).read_bytes() == b"something else" * 1000


@pytest.mark.soak
@pytest.mark.skipif(not SERVE.exists(), reason="the replayed upstreams are not beside this checkout")
@pytest.mark.parametrize("largest_file", [20_000, 200_000, 400_000, 800_000, 1_600_000])
def test_a_full_disk_loses_nothing_and_the_next_night_goes_on(tmp_path: Path, largest_file: int) -> None:
    with replaying() as url:
        assert command(tmp_path / "roomy", *ASKED, "--mirror", url).wait() == 0
        code, words = said(tmp_path / "full", *ASKED, "--mirror", url, largest_file=largest_file)
        assert code in (1, 2), words
        assert "benchhealth: " in words or "failed: " in words
        assert "Traceback" not in words, words
        assert command(tmp_path / "full", *ASKED, "--mirror", url).wait() == 0
    assert not unlike(facts(tmp_path / "full"), facts(tmp_path / "roomy"))
