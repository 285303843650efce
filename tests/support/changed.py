"""The tests of what changed since main: `make check` runs them.

A test file stands for itself. Any other file stands for the test files of the folder of tests/ that mirrors its own, or
of the nearest folder above that has some; at the top are those that hold of all files and of data/registry. What
changes a room of the program brings those that hold lists of all indicators, tables and pages.
"""

import subprocess
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LISTED_IN = ("analytics", "warehouse", "dashboard")
LISTS = (
    "tests/analytics/test_indicators.py",
    "tests/analytics/test_schedule.py",
    "tests/analytics/record/test_tables.py",
    "tests/dashboard/pages/test_tables.py",
    "tests/dashboard/words/test_definitions.py",
    "tests/warehouse/sharing/test_sharing.py",
)
"""The tests that hold lists of all indicators, tables and pages; some seconds each."""


def mirrors(changed: Iterable[Path], root: Path = ROOT) -> list[Path]:
    """The test files of files that are named from the root; those at the top of tests/ are always among them."""
    tests = set(_directly_in(root / "tests"))
    named = list(changed)
    if any(path.parts[0] in LISTED_IN for path in named):
        tests.update(file for file in map(root.joinpath, LISTS) if file.exists())
    for path in named:
        file = root / path if path.parts[0] == "tests" else root / "tests" / path
        if file.name.startswith("test_") and file.suffix == ".py" and file.exists():
            tests.add(file)
        else:
            tests.update(next(filter(None, map(_directly_in, file.parents))))
    return sorted(file.relative_to(root) for file in tests)


def _directly_in(folder: Path) -> list[Path]:
    return list(folder.glob("test_*.py"))


def changed_files() -> list[Path]:
    """What differs from where this branch left main, or on main from its last commit but one; added to git or not."""
    head, base = _git("rev-parse", "HEAD"), _git("merge-base", "HEAD", "main")
    if base in ([], head):
        base = _git("rev-parse", "--verify", "--quiet", "HEAD~1") or head
    names = {*_git("diff", "--name-only", *base), *_git("ls-files", "--others", "--exclude-standard")}
    return [Path(name) for name in sorted(names)]


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


if __name__ == "__main__":
    print(*mirrors(changed_files()))
