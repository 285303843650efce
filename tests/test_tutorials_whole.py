"""The whole suite and lint over a copy of the project in which every tutorial of CONTRIBUTING.md was followed.

Each tutorial prints a command of some seconds. This finds the list, the drawing or the document that a new source,
indicator or table would have to be entered in and that no tutorial names.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.soaking import Soak
from tests.test_contributing import INDICATOR, ROOT, SOURCE, TABLE, TEXT, follow

LEFT_BEHIND = (".git", ".venv", "var", "build", "dist", "__pycache__", ".*_cache", ".hypothesis", "*.egg-info")
RECURSIVE = "tests/test_contributing.py"
"""The tests that copy the project; the copy is not copied again."""

LINT = (("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy",))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The project as it lies here, without its history and its environment, after all three tutorials."""
    here = tmp_path / "project"
    shutil.copytree(ROOT, here, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_BEHIND))
    for tutorial in (SOURCE, INDICATOR, TABLE):
        for step in tutorial.steps:
            follow(step, here)
    draw_the_graph(here)
    return here


def environment(root: Path) -> Mapping[str, str]:
    """This process's, in which the copy is imported and nothing is left of the session of tests around it."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return {**outside, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}


def run(root: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """A module of this Python, at work in the copy."""
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=root, env=environment(root), capture_output=True, text=True, check=False)


def draw_the_graph(root: Path) -> None:
    """By the command that the document prints."""
    (command,) = set(re.findall(r"`\.venv/bin/python -m (\S+ --svg) > docs/graph\.svg`", TEXT))
    drawn = run(root, *shlex.split(command))
    assert drawn.stdout.startswith("<svg"), drawn.stderr[-500:]
    (root / "docs" / "graph.svg").write_text(drawn.stdout)


@pytest.mark.soak
@pytest.mark.whole
def test_the_whole_suite_passes_where_every_tutorial_was_followed(project: Path, soak: Soak) -> None:
    for command in LINT:
        done = run(project, *command)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    imports = subprocess.run(
        [Path(sys.executable).with_name("lint-imports")],
        cwd=project,
        env=environment(project),
        capture_output=True,
        text=True,
        check=False,
    )
    assert imports.returncode == 0, imports.stdout[-3000:]
    options = ("-m", "not soak", "-n", "2", "--dist", "loadfile", "-p", "no:cacheprovider", f"--ignore={RECURSIVE}")
    suite = run(project, "pytest", *options, "--ignore=tests/test_tutorials_whole.py")
    assert suite.returncode == 0, suite.stdout[-6000:] + suite.stderr[-1000:]
    soak.say(f"the suite over the tutorials: {suite.stdout.strip().splitlines()[-1]}")
