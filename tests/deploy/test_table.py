"""OPERATIONS.md names, for every file of deploy/, the tests that checked it, and each of them says so."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEPLOY, TESTS = ROOT / "deploy", Path(__file__).parent
ROW = re.compile(r"^\| `([^`]+)` \| ((?:`test_\w+\.py`(?:, )?)+) \| .+ \|$", re.MULTILINE)


def checks() -> dict[str, list[str]]:
    page = (ROOT / "OPERATIONS.md").read_text()
    table = page[page.index("## What checked each file of deploy/") :]
    return {file: re.findall(r"`(test_\w+\.py)`", by) for file, by in ROW.findall(table)}


def test_every_file_has_a_check_that_is_there() -> None:
    files = {str(file.relative_to(DEPLOY)) for file in DEPLOY.rglob("*") if file.is_file() and file.name != ".env"}
    assert checks().keys() == files
    assert {name for by in checks().values() for name in by if not (TESTS / name).exists()} == set()


def test_every_file_names_its_first_check() -> None:
    silent = [
        file for file, by in checks().items() if not any(name in (DEPLOY / file).read_text()[:1200] for name in by)
    ]
    assert silent == []
