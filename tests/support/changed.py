"""The tests of what changed since main: `make check` runs them.

A test file stands for itself. Any other file stands for the test files of the folder of tests/ that mirrors its own, or
of the nearest folder above that has some; at the top are those that hold of all files and of data/registry.
"""

import subprocess
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def mirrors(changed: Iterable[Path], root: Path = ROOT) -> list[Path]:
    """The test files of files that are named from the root; those at the top of tests/ are always among them."""
    found = set(_directly_in(root / "tests"))
    for path in changed:
        file = root / path if path.parts[0] == "tests" else root / "tests" / path
        if file.name.startswith("test_") and file.suffix == ".py" and file.exists():
            found.add(file)
        else:
            found.update(next(filter(None, map(_directly_in, file.parents))))
    return sorted(file.relative_to(root) for file in found)


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
