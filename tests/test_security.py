"""SECURITY.md says what is so: each threat names tests that exist, and what it says of the project holds."""

import ast
import os
import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "SECURITY.md").read_text()
ROWS = re.findall(r"^\| ([A-Z]\d+) \| (.+) \| (.+) \|$", PAGE, re.MULTILINE)
PROOFS = dict(re.findall(r"^- \*\*([A-Z]\d+)\*\*((?:.*\n)(?:  .*\n)*)", PAGE, re.MULTILINE))
LONGEST_CELL = 90
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))


@cache
def defined_in(file: str) -> frozenset[str]:
    tree = ast.parse((ROOT / file).read_text())
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_each_test_that_is_named_exists(file: str, name: str) -> None:
    assert name.startswith("test_")
    assert name in defined_in(file)


def test_each_threat_names_one() -> None:
    assert len(ROWS) > 20
    assert [key for key, _, _ in ROWS] == list(PROOFS)
    assert [key for key, proof in PROOFS.items() if "::test_" not in proof] == []
    for attacker in ("upstream", "file", "backup", "reader", "web page", "store or webhook", "dependency"):
        assert f"**A hostile {attacker}**" in PAGE
    assert "**A neighbour on the machine**" in PAGE


def test_cells_are_short_enough_to_read() -> None:
    assert [cell for row in ROWS for cell in row if len(cell) > LONGEST_CELL] == []
    assert len(ROWS) == sum(line.startswith("| ") for line in PAGE.splitlines()) - 2 * PAGE.count("| threat |")


def test_layers_that_may_open_connections_are_named() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    stated = {contract.pop("name"): contract for contract in contracts}
    for name, sources, forbidden in (
        (
            "only ingest opens a connection",
            ["analytics", "warehouse", "dashboard", "api", "pipeline"],
            ["requests", "urllib3"],
        ),
        ("only the warehouse opens the database", ["analytics", "ingest", "dashboard", "api", "pipeline"], ["duckdb"]),
    ):
        assert stated[name] == {
            "type": "forbidden",
            "source_modules": [f"benchhealth.{room}" for room in sources],
            "forbidden_modules": forbidden,
            "allow_indirect_imports": True,
        }


REPORT = '{"dependencies": [{"name": "a", "version": "1", "vulns": %s}]}'


@pytest.mark.parametrize(
    ("output", "ended", "code", "line"),
    [
        (REPORT % "[]", 0, 0, "no known fault"),
        (REPORT % '[{"id": "X-1", "fix_versions": ["2"]}]', 1, 1, "X-1"),
        ("", 1, 69, "could not ask"),
        ("", 0, 69, "could not ask"),
        ('{"dependencies": []}', 0, 69, "could not ask"),
        ('{"dependencies": [{"name": "a", "skip_reason": "not found"}]}', 0, 69, "a"),
        (None, 0, 69, "not installed"),
    ],
)
def test_an_audit_that_could_not_ask_is_no_pass(
    output: str | None, ended: int, code: int, line: str, tmp_path: Path
) -> None:
    """The program is stood in for: the advisories are not asked here."""
    if output is not None:
        program = tmp_path / "pip-audit"
        program.write_text(f"#!/bin/sh\ncat <<'END'\n{output}\nEND\nexit {ended}\n")
        program.chmod(0o755)
    finished = subprocess.run(
        [ROOT / ".ci" / "audit"],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": f"{tmp_path}:/usr/bin:/bin", "HOME": os.environ.get("HOME", "/")},
    )
    assert (finished.returncode, line in finished.stdout + finished.stderr) == (code, True), finished
