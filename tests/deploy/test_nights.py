"""The schedule of a container survives what nights come to, makes up for a missed one, and says when it is unwell."""

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

NIGHTS = Path(__file__).resolve().parents[2] / "deploy" / "nights.sh"
COMMAND = """#!/bin/sh
echo "$@" >>"$CALLS"
[ "$1" = nightly ] || exit "$(cat "$CALLS.$1" 2>/dev/null || echo 0)"
code=$(head -n 1 "$CALLS.codes")
sed -i 1d "$CALLS.codes"
[ -n "$code" ] || kill -TERM "$(cat "$CALLS.pid")"
exit "${code:-0}"
"""
SLEEP = """#!/bin/sh
echo "sleep $1" >>"$CALLS"
"""
"""In place of the machine's, so that days pass at once."""


@dataclass(frozen=True)
class Container:
    """A folder in place of a container: its state, its commands and what was called."""

    folder: Path

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "BENCHHEALTH_HOME": str(self.folder / "state"),
            "TMPDIR": str(self.folder / "tmp"),
            "CALLS": str(self.folder / "calls"),
            "BENCHHEALTH_NIGHT_AT": "03:17",
        }

    def run(self, codes: Sequence[int]) -> list[str]:
        """The calls of a schedule whose nights end with these codes, told to stop in the night after them."""
        (self.folder / "calls.codes").write_text("".join(f"{code}\n" for code in codes))
        with subprocess.Popen(["sh", NIGHTS], env=self.environment(), stdout=subprocess.DEVNULL) as process:
            (self.folder / "calls.pid").write_text(str(process.pid))
            assert process.wait(timeout=60) == 0
        return (self.folder / "calls").read_text().splitlines()

    def check(self) -> tuple[int, str]:
        done = subprocess.run(
            ["sh", NIGHTS, "--check"], env=self.environment(), capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout.strip()


@pytest.fixture
def container(tmp_path: Path) -> Container:
    for name in ("bin", "state", "tmp"):
        (tmp_path / name).mkdir()
    for name, text in (("benchhealth", COMMAND), ("sleep", SLEEP)):
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    return Container(tmp_path)


def test_it_goes_on_whatever_a_night_comes_to_and_tells_of_failed_ones(container: Container) -> None:
    calls = container.run([0, 2, 1, 75, 137])
    named = [call for call in calls if not call.startswith("sleep")]
    failed = ["nightly", "alert --unit benchhealth-nightly"]
    assert named == ["init", "nightly", "nightly", *failed, "nightly", *failed, "nightly"]


def test_a_night_that_failed_is_tried_again_sooner_than_tomorrow(container: Container) -> None:
    calls = container.run([1, 0])
    waited = [int(call.split()[1]) for call in calls if call.startswith("sleep")]
    assert waited[0] <= 3600 and 0 < waited[1] <= 86400


def test_of_nights_that_fail_one_after_the_other_the_first_is_told(container: Container) -> None:
    calls = container.run([1, 1, 0, 1, 1])
    alerts = [place for place, call in enumerate(calls) if call == "alert --unit benchhealth-nightly"]
    assert [calls[place - 1] for place in alerts] == ["nightly", "nightly"]
    assert [calls[:place].count("nightly") for place in alerts] == [1, 4]


def test_an_init_that_fails_is_told_once_and_tried_less_and_less_often(container: Container) -> None:
    (container.folder / "calls.init").write_text("1")
    sleeps = "\n".join([SLEEP.rstrip(), 'test "$1" -lt 400 || echo 0 >"$CALLS.init"', ""])
    (container.folder / "bin" / "sleep").write_text(sleeps)
    calls = container.run([0])
    before = calls[: calls.index("nightly")]
    assert before.count("alert --unit benchhealth-init") == 1
    assert [call for call in before if call.startswith("sleep")] == [f"sleep {60 * 2**each}" for each in range(4)]


def test_a_missed_night_is_made_up_for_and_one_that_was_held_is_not_repeated(container: Container) -> None:
    ended = container.folder / "state" / "night.ended"
    ended.write_text(f"{int(time.time())} 0\n")
    assert container.run([])[1].startswith("sleep")
    (container.folder / "calls").unlink()
    ended.write_text(f"{int(time.time()) - 2 * 86400} 0\n")
    assert container.run([])[:2] == ["init", "nightly"]


def test_its_health_is_the_schedule_and_the_last_night(container: Container) -> None:
    assert container.check() == (1, "the schedule has not begun")
    container.run([0])
    assert container.check() == (0, "well")
    ended = container.folder / "state" / "night.ended"
    ended.write_text("1 1\n")
    assert container.check() == (1, "the last night failed with 1")
    ended.write_text("1 2\n")
    assert container.check() == (0, "well")
    (container.folder / "tmp" / "benchhealth-night").write_text("1\n")
    assert container.check() == (1, "the schedule stands still")


def test_being_told_to_stop_is_passed_on_to_the_night(container: Container) -> None:
    (container.folder / "bin" / "benchhealth").write_text(
        '#!/bin/sh\n[ "$1" = nightly ] || exit 0\ntrap \'echo stopped >>"$CALLS"; exit 143\' TERM\n'
        'echo "$1" >>"$CALLS"\nwhile true; do /bin/sleep 0.1; done\n'
    )
    calls = container.folder / "calls"
    with subprocess.Popen(["sh", NIGHTS], env=container.environment(), stdout=subprocess.DEVNULL) as process:
        while not calls.exists():
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
    assert calls.read_text().split() == ["nightly", "stopped"]
