"""The scheduled CI job fits the schema of workflows and asks for few rights; every command of deploy/ is understood."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from benchhealth.pipeline import cli

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = ROOT / "deploy" / "nightly-workflow.yaml"
SAID = yaml.safe_load(WORKFLOW.read_text())


def schema_says(file: Path) -> "subprocess.CompletedProcess[str]":
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", str(file)]
    return subprocess.run(check, capture_output=True, text=True, check=False)


def test_it_fits_the_schema_of_workflows(tmp_path: Path) -> None:
    done = schema_says(WORKFLOW)
    assert done.returncode == 0, done.stdout
    wrong = tmp_path / "workflow.yaml"
    wrong.write_text(WORKFLOW.read_text().replace("runs-on:", "run-on:"))
    assert schema_says(wrong).returncode != 0


def test_it_asks_for_no_more_than_it_needs_and_pins_what_it_uses() -> None:
    assert SAID["permissions"] == {"contents": "write"}
    assert SAID["concurrency"]
    job = SAID["jobs"]["nightly"]
    assert job["timeout-minutes"] <= 120
    used = re.findall(r"uses: (.*)", WORKFLOW.read_text())
    assert len(used) == sum("uses" in step for step in job["steps"])
    assert all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one) for one in used)
    targets = re.findall(r"^(\S+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert "$(RUN)" in targets and "make .venv/.run" in [step.get("run") for step in job["steps"]]


def commands() -> list[tuple[str, list[str]]]:
    """Every call of the program in deploy/, with the file that has it; what a unit or a variable fills in is a word."""
    called = re.compile(
        r"(?:\.venv/bin/benchhealth|\bbenchhealth|\$BENCHHEALTH_PROGRAM) (?!timeout)"
        r"((?:[a-z]+)(?: --?[a-z-]+(?: [^-;|\s]\S*)?)*)"
    )
    lines = re.compile(r"^(?:ExecStart=|\s+- run: |\s+run: |\d|\s+run |\s+run timeout)")
    found = []
    for file in sorted((ROOT / "deploy").rglob("*")):
        if file.suffix in {".service", ".sh", ".cron", ".yaml"} and file.is_file():
            for line in filter(lines.match, file.read_text().splitlines()):
                found += [(file.name, said.split()) for said in called.findall(line.replace("%i", "8501"))]
    return found


@pytest.mark.parametrize(("file", "said"), commands())
def test_its_commands_are_those_of_the_program(file: str, said: list[str]) -> None:
    parser = cli._parser()
    if said[0] == "alert" and " alert " not in parser.format_help():
        pytest.skip("this edition of the program has no alerts yet")
    assert parser.parse_args(said), file


def test_every_kind_of_file_calls_it() -> None:
    names = {file for file, _ in commands()}
    services = {"benchhealth-dashboard@.service", "benchhealth-nightly.service", "benchhealth-alert@.service"}
    assert names >= services | {"benchhealth.cron", "nights.sh", "nightly-workflow.yaml"}
