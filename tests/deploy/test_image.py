"""The Dockerfile: hadolint finds nothing, all it copies is there and is sent, and it ends without root."""

import fnmatch
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = ROOT / "Dockerfile"
HADOLINT = Path(sys.executable).with_name("hadolint")


def test_hadolint_finds_nothing(tmp_path: Path) -> None:
    done = subprocess.run([HADOLINT, DOCKERFILE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    wrong = tmp_path / "Dockerfile"
    wrong.write_text("FROM python:latest\nRUN cd /\nUSER root\n")
    assert subprocess.run([HADOLINT, wrong], capture_output=True, check=False).returncode != 0


def instructions() -> list[list[str]]:
    text = DOCKERFILE.read_text().replace("\\\n", " ")
    return [line.split() for line in text.splitlines() if line and not line.startswith("#")]


def test_all_it_copies_is_there_and_is_sent() -> None:
    left_out = (ROOT / ".dockerignore").read_text().split()
    copied = [name for words in instructions() if words[0] == "COPY" and words[1][0] != "-" for name in words[1:-1]]
    assert {"analytics", "data", "deploy/nights.sh"} <= set(copied)
    assert [name for name in copied if not (ROOT / name).exists()] == []
    assert [name for name in copied for each in left_out if fnmatch.fnmatch(name, each)] == []
    package = re.search(r'include = \["(\w+)\*"\]', (ROOT / "pyproject.toml").read_text())
    assert package
    assert {package[1], *(each.name for each in (ROOT / package[1]).iterdir() if each.is_symlink())} <= set(copied)


def test_it_is_pinned_runs_without_root_and_writes_nothing_of_its_own() -> None:
    instructions_read = [(words[0], " ".join(words[1:])) for words in instructions()]
    bases = [rest for word, rest in instructions_read if word == "FROM"]
    assert all(re.match(r"python:3\.\d+\.\d+-slim-\w+@sha256:[0-9a-f]{64}( AS \w+)?$", base) for base in bases)
    assert len({base.split()[0] for base in bases}) == 1
    assert [rest for word, rest in instructions_read if word == "USER"] == ["10001:10001"]
    assert instructions_read[-1][0] == "CMD" and instructions_read[-1][1].startswith("[")
    health = next(rest for word, rest in instructions_read if word == "HEALTHCHECK")
    code = re.search(r'"-c", "(.+)"\]', health)
    assert code and "/readyz" in code[1]
    compile(code[1].replace('\\"', '"'), "HEALTHCHECK", "exec")
    environment = next(rest for word, rest in instructions_read if word == "ENV")
    assert "PYTHONDONTWRITEBYTECODE=1" in environment and "HOME=/tmp" in environment


def test_the_schedule_can_be_run() -> None:
    script = ROOT / "deploy" / "nights.sh"
    assert script.stat().st_mode & 0o111
    assert shutil.which("sh")
    done = subprocess.run([HADOLINT.with_name("shellcheck"), script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
