"""The cron line: what cron hands to the shell runs the night, and tells of one that failed and of no other."""

import re
import subprocess
from pathlib import Path

import pytest

CRON = Path(__file__).resolve().parents[2] / "deploy" / "benchhealth.cron"
LINE = re.compile(r"(?P<when>(?:[\d*/,-]+ ){5})(?P<user>[a-z]+) (?P<command>.+)")


def parts() -> tuple[dict[str, str], re.Match[str]]:
    """The variables that the file sets, and its one line."""
    lines = [line for line in CRON.read_text().splitlines() if line and not line.startswith("#")]
    matches = [match for line in lines if (match := LINE.fullmatch(line))]
    assert len(matches) == 1
    return dict(line.split("=", 1) for line in lines if not LINE.fullmatch(line)), matches[0]


def test_it_runs_as_a_plain_user_at_night() -> None:
    variables, line = parts()
    assert line["user"] == "benchhealth" and line["when"] == "17 3 * * * "
    assert "%" not in line["command"]  # cron would end the line there
    assert variables["BENCHHEALTH_LOG"].startswith(variables["BENCHHEALTH_HOME"])


def test_a_night_that_hangs_is_ended() -> None:
    _, line = parts()
    assert line["command"].startswith("timeout -k 60 2h $BENCHHEALTH_PROGRAM nightly;")


@pytest.mark.parametrize(
    ("code", "is_told"), [(0, False), (2, False), (75, False), (1, True), (124, True), (137, True)]
)
def test_a_failed_night_is_told_and_no_other(tmp_path: Path, code: int, is_told: bool) -> None:
    variables, line = parts()
    program = tmp_path / "benchhealth"
    program.write_text(f'#!/bin/sh\necho "$@"\n[ "$1" = alert ] || exit {code}\n')
    program.chmod(0o755)
    environment = {**variables, "BENCHHEALTH_PROGRAM": str(program), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        ["/bin/sh", "-c", line["command"]], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == ["nightly", *(["alert --unit cron"] if is_told else [])]
    assert done.returncode == 0
